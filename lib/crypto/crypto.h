/* SPDX-License-Identifier: BSD-3-Clause */
/* crypto.h - providers, their devices and sessions, for the control plane. Knows no SPI.
 *
 * A provider is a name that an SA carries (openssl, aesni_mb, qat). Behind it stand one or more
 * cryptodevs or, for aesni_mb and openssl without named devices, intel-ipsec-mb and OpenSSL called
 * directly; each worker has one queue on each device that any session uses. Control thread only, unless a line says
 * otherwise. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "algorithm.h"
#include "key.h"
#include "why.h"

enum crypto_provider { CRYPTO_OPENSSL, CRYPTO_AESNI_MB, CRYPTO_QAT, CRYPTO_PROVIDERS };

/* "openssl", "aesni_mb", "qat". */
const char *crypto_provider_name(enum crypto_provider p);
int crypto_provider_find(const char *name, enum crypto_provider *out); /* -ENOENT */

enum crypto_direction { CRYPTO_ENCRYPT, CRYPTO_DECRYPT };

/* What a session is made of: an AEAD alone, or a cipher with an auth. Keys are as long as their
 * algorithm says; an AEAD's salt is in key.bytes behind the key, and the session does not use it. */
struct crypto_spec {
	const struct algorithm *aead;
	const struct algorithm *cipher;
	const struct algorithm *auth;
	struct key key;
	struct key auth_key;
	bool esn; /* the AAD is 12 bytes with ESN, 8 without */
};

#define CRYPTO_DEVICES_MAX 64 /* devices in use at once, of all providers together */
#define CRYPTO_WORKERS_MAX 128
#define CRYPTO_NAMED_MAX   16 /* device names a provider may be given in the config */

struct crypto_setup {
	uint16_t n_workers;
	int worker_socket[CRYPTO_WORKERS_MAX]; /* NUMA socket of each worker */
	uint32_t in_flight; /* ops per worker and device; a power of 2 */
	uint32_t max_sessions; /* per cryptodev */
	uint32_t session_headroom; /* sessions beyond max_sessions for rekeys */
	uint32_t overdue_ms; /* that a device may keep a job; 0: as crypto_dp.h has it */
	struct {
		const char *device[CRYPTO_NAMED_MAX]; /* run on these instead of its own */
		unsigned n;
	} named[CRYPTO_PROVIDERS];
};

struct crypto; /* the room as opened */
struct crypto_session; /* of one key on one device, in one direction; laid out in crypto_dp.h */

/* Opens no device yet: a provider's devices are configured and started when the first
 * session asks for them. -EINVAL: the workers or in_flight are out of bounds; -ENOMEM. */
int crypto_open(const struct crypto_setup *setup, struct crypto **out, struct why *why);

/* After every worker has stopped, before sessions are closed: stops the devices and frees the packets
 * that they have kept. No session can be opened any more. */
void crypto_stop(struct crypto *c);

/* After crypto_stop() and when every session is closed. */
void crypto_close(struct crypto *c);

/* Whether the provider could open this spec's algorithms: 0; -ENODEV: no device, why says what to
 * bind and how; -ENOTSUP: its devices cannot do the algorithm, why names a provider that could. */
int crypto_can(
	struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec, struct why *why);

/* Opens a session. It holds the key expanded, here or in the device, until it is closed, and is wiped
 * then. Errors of crypto_can(), and -ENOMEM. */
int crypto_session_open(struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec,
	enum crypto_direction direction, struct crypto_session **out, struct why *why);

/* Nothing of it may be in flight. */
void crypto_session_close(struct crypto *c, struct crypto_session *s);

/* The provider and, for named devices, the device: "aesni_mb", "qat on crypto_scheduler0". What
 * every display of an SA prints. Lives as long as the session's device. */
const char *crypto_session_provider(const struct crypto_session *s);

/* The devices open now, for displays: name of the n-th, "crypto_aesni_mb0", "OpenSSL 3.0.22",
 * "intel-ipsec-mb 1.3.0 avx512", NULL past the end. */
const char *crypto_device_name(const struct crypto *c, unsigned n);

/* Whether a queue of its device is stalled, so that not every worker can use it any more. */
bool crypto_session_is_stalled(const struct crypto *c, const struct crypto_session *s);

/* The n-th device stood still or was wrong with one worker: no worker uses it any more. */
void crypto_give_up_device(struct crypto *c, unsigned n);

/* What a device did, over all workers since the start. */
struct crypto_device_stats {
	const char *name; /* as crypto_device_name() */
	const char *provider; /* "qat on crypto_scheduler0", as crypto_session_provider() */
	enum crypto_device_kind { CRYPTO_LIBRARY, CRYPTO_SOFTWARE, CRYPTO_LOOKASIDE } kind;
	bool is_stalled; /* with one worker or more */
	uint32_t sessions; /* open now */
	uint64_t done; /* verdicts, good and bad */
	uint64_t failed; /* the device, or the library, said that it could not */
	uint64_t lost; /* given up */
	uint64_t late; /* of those: came back after all */
	uint32_t in_flight;
};

/* The n-th device open now; false past the end. */
bool crypto_device_stats(const struct crypto *c, unsigned n, struct crypto_device_stats *out);
