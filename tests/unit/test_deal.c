/* SPDX-License-Identifier: BSD-3-Clause */
/* test_deal.c - queue pairs of invented devices are dealt to workers and directions. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deal.h"

#define DEVICES 16

/* What every deal has: sets[s][w] is "device.pair" of worker w. */
static const struct {
	const char *what;
	struct deal_device device[DEVICES];
	int socket[5];
	unsigned n_devices, n_workers, sets;
	const char *dealt[4]; /* of the first sets: direction, then each worker's device.pair */
	const char *why;
} deals[] = {
	{"one VF serves a worker, one queue pair for each direction", {{2, 0}}, {0}, 1, 1, 2,
		{"e 0.0", "d 0.1"}, NULL},
	{"one VF serves two workers, in both directions", {{2, 0}}, {0, 0}, 1, 2, 1, {"b 0.0 0.1"},
		NULL},
	{"one VF is too few for three", {{2, 0}}, {0, 0, 0}, 1, 3, 0, {NULL},
		"3 workers need a queue pair each, and 1 device(s) have 2: 1 missing"},
	{"two VFs and two workers: a VF for each direction", {{2, 0}, {2, 0}}, {0, 0}, 2, 2, 2,
		{"e 0.0 0.1", "d 1.0 1.1"}, NULL},
	{"two VFs and one worker: a VF for each direction, used whole", {{2, 0}, {2, 0}}, {0}, 2, 1,
		4, {"e 0.0", "d 1.0", "e 0.1", "d 1.1"}, NULL},
	{"two VFs and three workers", {{2, 0}, {2, 0}}, {0, 0, 0}, 2, 3, 1, {"b 0.0 0.1 1.0"},
		NULL},
	{"three sets: the last serves both directions", {{2, 0}, {2, 0}, {2, 0}}, {0, 0}, 3, 2, 3,
		{"e 0.0 0.1", "d 1.0 1.1", "b 2.0 2.1"}, NULL},
	{"generation 4, four queue pairs", {{4, 0}}, {0, 0}, 1, 2, 2, {"e 0.0 0.1", "d 0.2 0.3"},
		NULL},
	{"generations with unlike numbers", {{2, 0}, {4, 0}}, {0, 0, 0}, 2, 3, 2,
		{"e 0.0 0.1 1.0", "d 1.1 1.2 1.3"}, NULL},
	{"each worker has its socket's VF", {{2, 0}, {2, 1}}, {1, 0}, 2, 2, 2,
		{"e 1.0 0.0", "d 1.1 0.1"}, NULL},
	{"who is far from all VFs takes none away", {{2, 1}, {1, 1}}, {0, 1, 1}, 2, 3, 1,
		{"b 1.0 0.0 0.1"}, NULL},
	{"all VFs far away still serve", {{2, 1}}, {0, 0}, 1, 2, 1, {"b 0.0 0.1"}, NULL},
	{"no socket is near to all", {{2, -1}, {2, 0}}, {1, 0}, 2, 2, 2, {"e 0.0 0.1", "d 1.1 1.0"},
		NULL},
	{"a scheduler for every worker", {{1, 0}, {1, 0}, {1, 0}, {1, 0}}, {0, 0, 0, 0}, 4, 4, 1,
		{"b 0.0 1.0 2.0 3.0"}, NULL},
	{"a scheduler for every worker and direction", {{1, 0}, {1, 0}, {1, 0}, {1, 0}}, {0, 0}, 4,
		2, 2, {"e 0.0 1.0", "d 2.0 3.0"}, NULL},
	{"two schedulers are missing", {{1, 0}, {1, 0}}, {0, 0, 0, 0}, 2, 4, 0, {NULL},
		"4 workers need a queue pair each, and 2 device(s) have 2: 2 missing"},
	{"devices without queue pairs", {{0, 0}, {0, 0}}, {0}, 2, 1, 0, {NULL}, "1 missing"},
	{"no device", {{0, 0}}, {0}, 0, 1, 0, {NULL}, "0 device(s) have 0: 1 missing"},
	{"a device without among others", {{0, 0}, {2, 0}}, {0}, 2, 1, 2, {"e 1.0", "d 1.1"}, NULL},
};

static void write_set(char *out, size_t size, const struct deal_set *set, unsigned n_workers)
{
	bool e = set->serves[CRYPTO_ENCRYPT], d = set->serves[CRYPTO_DECRYPT];
	size_t used = snprintf(out, size, "%s", e && d ? "b" : e ? "e" : d ? "d" : "-");

	for (unsigned w = 0; w < n_workers; w++)
		used += snprintf(out + used, size - used, " %u.%u", set->of_worker[w].device,
			set->of_worker[w].pair);
}

START_TEST(queue_pairs_are_dealt_so)
{
	static struct deal deal;
	struct why why;
	int rc = deal_pairs(deals[_i].device, deals[_i].n_devices, deals[_i].socket,
		deals[_i].n_workers, CRYPTO_DEVICES_MAX, &deal, &why);
	char text[80];

	if (deals[_i].why != NULL) {
		ck_assert_int_eq(rc, -ENODEV);
		ck_assert_msg(strstr(why.text, deals[_i].why) != NULL, "%s: %s", deals[_i].what,
			why.text);
		return;
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_msg(deal.n == deals[_i].sets, "%s: %u sets", deals[_i].what, deal.n);
	for (unsigned s = 0; s < deal.n; s++) {
		write_set(text, sizeof(text), &deal.set[s], deals[_i].n_workers);
		ck_assert_msg(strcmp(text, deals[_i].dealt[s]) == 0, "%s: set %u is %s",
			deals[_i].what, s, text);
	}
}
END_TEST

/* Any list: each pair once, no pair that is not there, every worker served in both directions, and no
 * worker could have been served once more. */
START_TEST(no_pair_is_dealt_twice)
{
	static struct deal deal;
	struct deal_device device[DEVICES];
	unsigned char taken[DEVICES][8];
	int socket[8];

	srand(20261201);
	for (unsigned round = 0; round < 5000; round++) {
		unsigned n_devices = 1 + rand() % DEVICES, n_workers = 1 + rand() % 8, pairs = 0;
		bool serves[2] = {false, false};

		for (unsigned d = 0; d < n_devices; d++) {
			device[d] = (struct deal_device){rand() % 5, rand() % 3 - 1};
			pairs += device[d].pairs;
		}
		for (unsigned w = 0; w < n_workers; w++)
			socket[w] = rand() % 2;
		if (deal_pairs(device, n_devices, socket, n_workers, CRYPTO_DEVICES_MAX, &deal,
			    NULL) < 0) {
			ck_assert_uint_lt(pairs, n_workers);
			continue;
		}
		ck_assert_uint_eq(deal.n, pairs / n_workers);
		memset(taken, 0, sizeof(taken));
		for (unsigned s = 0; s < deal.n; s++) {
			serves[0] |= deal.set[s].serves[0];
			serves[1] |= deal.set[s].serves[1];
			for (unsigned w = 0; w < n_workers; w++) {
				unsigned d = deal.set[s].of_worker[w].device;
				unsigned p = deal.set[s].of_worker[w].pair;

				ck_assert(d < n_devices && p < device[d].pairs);
				ck_assert_uint_eq(taken[d][p]++, 0);
			}
		}
		ck_assert(serves[0] && serves[1]);
	}
}
END_TEST

START_TEST(sixteen_vfs_are_all_used_by_two_workers)
{
	static struct deal deal;
	struct deal_device device[DEVICES];
	int socket[2] = {0, 0};

	for (unsigned d = 0; d < DEVICES; d++)
		device[d] = (struct deal_device){2, 0};
	ck_assert_int_eq(
		deal_pairs(device, DEVICES, socket, 2, CRYPTO_DEVICES_MAX, &deal, NULL), 0);
	ck_assert_uint_eq(deal.n, 16);
	for (unsigned s = 0; s < deal.n; s++) {
		ck_assert_uint_eq(deal.set[s].of_worker[0].device, s);
		ck_assert_uint_eq(deal.set[s].of_worker[1].device, s);
		ck_assert(deal.set[s].serves[s % 2] && !deal.set[s].serves[1 - s % 2]);
	}
}
END_TEST

/* Other providers need a place too; what is left serves both directions. */
START_TEST(no_more_sets_are_dealt_than_there_is_room_for)
{
	static struct deal deal;
	struct deal_device device[DEVICES];
	int socket = 0;

	for (unsigned d = 0; d < DEVICES; d++)
		device[d] = (struct deal_device){4, 0};
	for (unsigned most = 1; most <= CRYPTO_DEVICES_MAX; most++) {
		ck_assert_int_eq(deal_pairs(device, DEVICES, &socket, 1, most, &deal, NULL), 0);
		ck_assert_uint_eq(deal.n, most);
		ck_assert(deal.set[most - 1].serves[CRYPTO_DECRYPT]);
		ck_assert(deal.set[most - 1].serves[CRYPTO_ENCRYPT] == (most % 2 == 1));
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("deal");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, queue_pairs_are_dealt_so, 0, sizeof(deals) / sizeof(deals[0]));
	tcase_add_test(t, no_pair_is_dealt_twice);
	tcase_add_test(t, sixteen_vfs_are_all_used_by_two_workers);
	tcase_add_test(t, no_more_sets_are_dealt_than_there_is_room_for);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
