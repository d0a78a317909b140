/* SPDX-License-Identifier: BSD-3-Clause */
/* deal.c - deals the queue pairs of a provider's devices to workers and directions. */
#include "deal.h"

#include <errno.h>
#include <string.h>

#define BOTH (1 << CRYPTO_ENCRYPT | 1 << CRYPTO_DECRYPT)

/* What was dealt of a device so far. */
struct dealt {
	uint16_t pairs;
	uint8_t directions; /* bits by crypto_direction */
};

/* Less is better; REMOTE and up: on another socket. */
enum cost { SAME_DIRECTION, UNTOUCHED, OTHER_DIRECTION, REMOTE };

static unsigned cost_of(
	const struct deal_device *d, const struct dealt *dealt, uint8_t directions, int socket)
{
	bool is_near = d->socket < 0 || socket < 0 || d->socket == socket;
	unsigned cost = OTHER_DIRECTION;

	if (dealt->directions == 0)
		cost = UNTOUCHED;
	else if (dealt->directions == directions)
		cost = SAME_DIRECTION;
	return is_near ? cost : cost + REMOTE;
}

/* The best device with a pair left, its cost below the limit; n_devices: none. */
static unsigned best_device(const struct deal_device *devices, unsigned n_devices,
	const struct dealt *dealt, uint8_t directions, int socket, unsigned limit)
{
	unsigned best = n_devices;

	for (unsigned d = 0; d < n_devices; d++) {
		unsigned cost = cost_of(&devices[d], &dealt[d], directions, socket);

		if (dealt[d].pairs == devices[d].pairs || cost >= limit)
			continue;
		best = d;
		limit = cost;
	}
	return best;
}

int deal_pairs(const struct deal_device *devices, unsigned n_devices, const int *worker_socket,
	unsigned n_workers, unsigned most, struct deal *out, struct why *why)
{
	struct dealt dealt[CRYPTO_DEVICES_MAX] = {0};
	unsigned pairs = 0;

	memset(out, 0, sizeof(*out));
	for (unsigned d = 0; d < n_devices; d++)
		pairs += devices[d].pairs;
	if (pairs < n_workers)
		return why_set(why, -ENODEV,
			"%u workers need a queue pair each, and %u device(s) have %u: %u missing; "
			"give "
			"more devices or fewer workers",
			n_workers, n_devices, pairs, n_workers - pairs);
	out->n = pairs / n_workers < most ? pairs / n_workers : most;
	for (unsigned s = 0; s < out->n; s++) {
		bool is_last_odd = s % 2 == 0 && s + 1 == out->n;
		uint8_t directions = is_last_odd ? BOTH : 1 << s % 2;
		bool has_pair[CRYPTO_WORKERS_MAX] = {false};

		out->set[s].serves[CRYPTO_ENCRYPT] = directions & 1 << CRYPTO_ENCRYPT;
		out->set[s].serves[CRYPTO_DECRYPT] = directions & 1 << CRYPTO_DECRYPT;
		/* First who has one nearby: nobody from afar takes it away. */
		for (unsigned limit = REMOTE; limit <= 2 * REMOTE; limit += REMOTE) {
			for (unsigned w = 0; w < n_workers; w++) {
				unsigned d = has_pair[w]
						     ? n_devices
						     : best_device(devices, n_devices, dealt,
							       directions, worker_socket[w], limit);

				if (d == n_devices)
					continue;
				out->set[s].of_worker[w].device = d;
				out->set[s].of_worker[w].pair = dealt[d].pairs++;
				dealt[d].directions |= directions;
				has_pair[w] = true;
			}
		}
	}
	return 0;
}
