/* SPDX-License-Identifier: BSD-3-Clause */
/* session.c - opens a key on a device of its provider, or says why not and who could. */
#include <errno.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <string.h>

#include "crypto_dp.h"
#include "device.h"
#include "evp.h"
#include "mb.h"
#include "transform.h"

/* Cards of two generations have not all algorithms in common; sessions are dealt over all. */
static bool all_fit(const struct device_set *s, const struct transform *t)
{
	for (unsigned m = 0; m < s->n_members; m++) {
		if (!transform_fits(s->member[m].id, t))
			return false;
	}
	return true;
}

static bool set_can(
	const struct device_set *s, const struct crypto_spec *spec, const struct transform *t)
{
	switch (s->source->origin) {
	case DEVICE_IPSEC_MB: return mb_session_can(spec);
	case DEVICE_OPENSSL: return evp_session_can(s->evp, spec);
	default: return all_fit(s, t);
	}
}

/* The first of the provider's sets whose devices can do it. -ENODEV: no set has a device, why says
 * what the last one missed; -ENOTSUP: none can. */
static int find_set(struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec,
	struct device_set **out, struct why *why)
{
	struct transform t;
	bool has_device = false;
	int rc = transform_make(spec, CRYPTO_ENCRYPT, &t);

	if (rc < 0)
		return rc;
	rc = -ENODEV;
	for (unsigned i = 0; i < DEVICE_SOURCES; i++) {
		struct device_set *s = &c->set[i];

		if (!device_set_serves(c, s, p))
			continue;
		rc = device_set_probe(c, s, why);
		if (rc < 0)
			continue;
		has_device = true;
		if (set_can(s, spec, &t)) {
			*out = s;
			return 0;
		}
	}
	return has_device ? -ENOTSUP : rc;
}

static int unsupported(
	struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec, struct why *why)
{
	static const enum crypto_provider order[] = {CRYPTO_AESNI_MB, CRYPTO_OPENSSL, CRYPTO_QAT};
	struct device_set *s;
	char name[96];

	transform_name(spec, name, sizeof(name));
	for (unsigned i = 0; i < RTE_DIM(order); i++) {
		if (order[i] != p && find_set(c, order[i], spec, &s, NULL) == 0)
			return why_set(why, -ENOTSUP, "%s cannot do %s; %s could",
				crypto_provider_name(p), name, crypto_provider_name(order[i]));
	}
	return why_set(why, -ENOTSUP, "%s cannot do %s, and no other provider here could",
		crypto_provider_name(p), name);
}

static int find_device(struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec,
	struct device_set **out, struct why *why)
{
	int rc = find_set(c, p, spec, out, why);

	return rc == -ENOTSUP ? unsupported(c, p, spec, why) : rc;
}

int crypto_can(
	struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec, struct why *why)
{
	struct device_set *s;

	return find_device(c, p, spec, &s, why);
}

static uint64_t op_raw(void)
{
	struct rte_crypto_op op = {
		.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC,
		.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED,
		.sess_type = RTE_CRYPTO_OP_WITH_SESSION,
	};

	return op.raw;
}

static enum crypto_telltale telltale(
	const struct crypto_spec *spec, enum crypto_direction direction)
{
	bool is_enciphered = spec->aead != NULL ? spec->aead->family != ALGORITHM_GMAC
						: spec->cipher->family != ALGORITHM_NULL;

	if (is_enciphered)
		return CRYPTO_TEXT_TELLS;
	return direction == CRYPTO_ENCRYPT ? CRYPTO_ICV_TELLS : CRYPTO_NO_TELLTALE;
}

/* The first worker whose session w shares: they use the same cryptodev. */
static unsigned shares_with(const struct crypto_device *d, unsigned w)
{
	unsigned v = 0;

	while (d->member_of[v] != d->member_of[w])
		v++;
	return v;
}

static void free_sessions(struct crypto *c, struct crypto_session *s)
{
	const struct crypto_device *d = s->owner;

	/* The device's memory of the key is zeroed by rte_cryptodev_sym_session_free(), and an EVP
	 * context by OpenSSL. */
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		if (shares_with(d, w) == w && s->dev_session[w] != NULL)
			rte_cryptodev_sym_session_free(d->member_of[w]->id, s->dev_session[w]);
	}
	rte_free(s);
}

static int make_sessions(struct crypto *c, struct crypto_session *s, struct transform *t)
{
	const struct crypto_device *d = s->owner;

	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		const struct device_member *m = d->member_of[w];
		unsigned v = shares_with(d, w);

		if (v < w) {
			s->dev_session[w] = s->dev_session[v];
			continue;
		}
		s->dev_session[w] = rte_cryptodev_sym_session_create(m->id, t->head, m->sessions);
		if (s->dev_session[w] == NULL)
			return rte_errno == EINVAL ? -ENOTSUP : -rte_errno;
	}
	return 0;
}

static int open_on_cryptodev(struct crypto *c, struct crypto_device *d,
	const struct crypto_spec *spec, enum crypto_direction direction,
	struct crypto_session **out)
{
	struct crypto_session *s;
	struct transform t;
	int rc = transform_make(spec, direction, &t);

	if (rc < 0)
		return rc;
	s = rte_zmalloc("crypto_session", sizeof(*s) + c->setup.n_workers * sizeof(void *),
		RTE_CACHE_LINE_SIZE);
	if (s == NULL)
		return -ENOMEM;
	s->owner = d;
	s->aad_ofs = offsetof(struct crypto_job, aad);
	if (spec->aead != NULL && spec->aead->family == ALGORITHM_CCM)
		s->aad_ofs -= CRYPTO_CCM_AAD_AT;
	s->op_raw = op_raw();
	s->telltale = telltale(spec, direction);
	rc = make_sessions(c, s, &t);
	if (rc < 0) {
		free_sessions(c, s);
		return rc;
	}
	*out = s;
	return 0;
}

static int open_on(struct crypto *c, struct device_set *set, struct crypto_device *d,
	const struct crypto_spec *spec, enum crypto_direction direction,
	struct crypto_session **out)
{
	switch (d->origin) {
	case DEVICE_IPSEC_MB: return mb_session_open(set->manager, spec, direction, out);
	case DEVICE_OPENSSL:
		return evp_session_open(set->evp, spec, direction, c->setup.n_workers, out);
	default: return open_on_cryptodev(c, d, spec, direction, out);
	}
}

static bool is_stalled(const struct crypto *c, const struct crypto_device *d)
{
	for (unsigned w = 0; w < c->setup.n_workers; w++) {
		const struct crypto_queue *q = c->queue[w][d->index];

		if (q != NULL && crypto_is_stalled(q))
			return true;
	}
	return false;
}

bool crypto_session_is_stalled(const struct crypto *c, const struct crypto_session *s)
{
	return is_stalled(c, s->owner);
}

/* In turn, those that serve the direction and work; NULL: none does. */
static struct crypto_device *next_device(
	struct crypto *c, struct device_set *set, enum crypto_direction direction)
{
	for (unsigned i = 0; i < set->n_devices; i++) {
		struct crypto_device *d = set->device[set->next];

		set->next = (set->next + 1) % set->n_devices;
		if (d->serves[direction] && !is_stalled(c, d))
			return d;
	}
	return NULL;
}

int crypto_session_open(struct crypto *c, enum crypto_provider p, const struct crypto_spec *spec,
	enum crypto_direction direction, struct crypto_session **out, struct why *why)
{
	struct crypto_session *s;
	struct crypto_device *d;
	struct device_set *set;
	char name[96];
	int rc;

	rc = find_device(c, p, spec, &set, why);
	if (rc < 0)
		return rc;
	rc = device_set_start(c, set, why);
	if (rc < 0)
		return rc;
	d = next_device(c, set, direction);
	if (d == NULL)
		return why_set(why, -ENODEV,
			"%s: its devices stood still or were wrong, and are given up; restart to "
			"try again",
			crypto_provider_name(p));
	rc = open_on(c, set, d, spec, direction, &s);
	if (rc < 0)
		return why_set(why, rc, "%s cannot open a session for %s on %s: %s",
			crypto_provider_name(p), transform_name(spec, name, sizeof(name)), d->name,
			strerror(-rc));
	s->owner = d;
	s->device = d->index;
	s->is_lookaside = d->is_lookaside;
	s->is_device = !device_is_library(d->origin);
	s->provider = p;
	s->is_aead = spec->aead != NULL && spec->aead->family != ALGORITHM_GMAC;
	d->n_sessions++;
	*out = s;
	return 0;
}

void crypto_session_close(struct crypto *c, struct crypto_session *s)
{
	s->owner->n_sessions--;
	switch (s->owner->origin) {
	case DEVICE_IPSEC_MB: mb_session_close(s); break;
	case DEVICE_OPENSSL: evp_session_close(s); break;
	default: free_sessions(c, s);
	}
}

const char *crypto_session_provider(const struct crypto_session *s)
{
	return s->owner->shown;
}
