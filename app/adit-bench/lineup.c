/* SPDX-License-Identifier: BSD-3-Clause */
/* lineup.c - everybody who runs in the rows of one suite. */
#include "lineup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "echo.h"
#include "lookaside_lcore.h"
#include "null_crypto.h"
#include "reference.h"
#include "rig.h"

#define WINDOW 1024 /* of anti-replay, adit's default */

struct entrant {
	struct rig *rig;
	struct echo echo[2]; /* out, in */
	struct reference *reference;
	struct null_crypto null;
	struct traffic *traffic[2]; /* of a gateway, whose sequence numbers nobody shares */
	bool runs[2];
	struct subject subject[2];
};

struct lineup {
	struct lineup_setup setup;
	struct traffic *shared[2]; /* of all who keep no sequence numbers */
	struct lookaside_lcore lookaside;
	struct entrant entrant[ENTRANTS];
};

static int open_traffic(struct lineup *l, bool is_inbound, struct traffic **out, struct why *why)
{
	const struct plan *plan = l->setup.plan;
	struct traffic_setup setup = {
		.suite = l->setup.suite,
		.from = is_inbound ? l->setup.wan : l->setup.lan,
		.to = is_inbound ? l->setup.lan : l->setup.wan,
		.n_sas = plan->n_sas,
		.n_flows = plan->n_policies,
		.n_queues = plan->n_workers,
		.sample = plan->sample,
		.pool = l->setup.pool,
	};

	return traffic_open(&setup, is_inbound, out, why);
}

static void add_subject(struct entrant *e, bool is_inbound, enum entrant_id id,
	enum traffic_kind kind, struct traffic *traffic)
{
	struct subject *s = &e->subject[is_inbound];

	s->name = entrant_name(id);
	s->kind = kind;
	s->traffic = traffic;
	e->runs[is_inbound] = true;
}

static int open_rig(
	struct lineup *l, enum entrant_id id, struct suite_facts *facts, struct why *why)
{
	const struct plan *plan = l->setup.plan;
	struct entrant *e = &l->entrant[id];
	struct rig_setup setup = {
		.suite = l->setup.suite,
		.provider = id <= ENTRANT_QAT         ? id - ENTRANT_OPENSSL
			    : id == ENTRANT_LOOKASIDE ? CRYPTO_QAT
						      : CRYPTO_AESNI_MB,
		.is_clear = id == ENTRANT_CLEAR,
		.n_sas = plan->n_sas,
		.n_policies = plan->n_policies,
		.lcores = l->setup.lcores,
		.n_workers = plan->n_workers,
		.burst = plan->burst,
		.window = WINDOW,
		.no_ledger = plan->no_ledger,
		.lan = l->setup.lan,
		.wan = l->setup.wan,
	};
	int rc;

	if (id <= ENTRANT_QAT && plan->device[setup.provider][0] != '\0')
		setup.device[setup.n_devices++] = plan->device[setup.provider];
	for (unsigned i = 0; id == ENTRANT_LOOKASIDE && i < l->lookaside.n; i++)
		setup.device[setup.n_devices++] = l->lookaside.device[i];
	rc = rig_open(&setup, &e->rig, why);
	if (rc < 0) {
		e->rig = NULL;
		return rc;
	}
	snprintf(facts->runs_on[id], sizeof(facts->runs_on[id]), "%s",
		setup.n_devices > 0 ? rig_provider(e->rig) : rig_device(e->rig));
	for (unsigned d = 0; d < 2; d++)
		rig_subject(e->rig, &e->subject[d]);
	if (id == ENTRANT_CLEAR) {
		/* It forwards from the protected side, whichever way the others look. */
		add_subject(e, false, id, TRAFFIC_CLEAR, l->shared[0]);
		e->subject[1] = e->subject[0];
		e->runs[1] = true;
		return 0;
	}
	if (id == ENTRANT_NULL) {
		null_crypto_subject(&e->null, &e->subject[0]);
		add_subject(e, false, id, TRAFFIC_OUT_SAME, l->shared[0]);
		return 0;
	}
	for (unsigned d = 0; d < 2 && rc == 0; d++) {
		rc = open_traffic(l, d == 1, &e->traffic[d], why);
		add_subject(e, d == 1, id, d == 1 ? TRAFFIC_IN : TRAFFIC_OUT, e->traffic[d]);
	}
	return rc;
}

static void open_echo(struct lineup *l)
{
	struct entrant *e = &l->entrant[ENTRANT_ECHO];
	uint16_t burst = l->setup.plan->burst;

	e->echo[0] = (struct echo){l->setup.lan, l->setup.wan, burst};
	e->echo[1] = (struct echo){l->setup.wan, l->setup.lan, burst};
	for (unsigned d = 0; d < 2; d++) {
		echo_subject(&e->echo[d], &e->subject[d]);
		add_subject(e, d == 1, ENTRANT_ECHO, d == 1 ? TRAFFIC_IN_SAME : TRAFFIC_OUT_SAME,
			l->shared[d]);
	}
}

static int open_reference(struct lineup *l, enum entrant_id id, struct why *why)
{
	const struct plan *plan = l->setup.plan;
	struct entrant *e = &l->entrant[id];
	struct reference_setup setup = {
		.suite = l->setup.suite,
		.n_sas = plan->n_sas,
		.n_workers = plan->n_workers,
		.burst = plan->burst,
		.lan = l->setup.lan,
		.wan = l->setup.wan,
	};
	int rc = reference_open(
		&setup, REFERENCE_MB_JOBS + (id - ENTRANT_MB_JOBS), &e->reference, why);

	if (rc < 0) {
		e->reference = NULL;
		return rc;
	}
	for (unsigned d = 0; d < 2; d++) {
		struct subject *s = &e->subject[d];

		reference_subject(e->reference, d == 1, s);
		add_subject(e, d == 1, id, s->kind, l->shared[d]);
	}
	return 0;
}

static int open_lookaside(struct lineup *l, struct suite_facts *facts, struct why *why)
{
	const struct plan *plan = l->setup.plan;
	int rc = lookaside_lcore_open(plan->offload_lcore, plan->n_offload_lcores, l->setup.lcores,
		plan->n_workers, &l->lookaside, why);

	return rc < 0 ? rc : open_rig(l, ENTRANT_LOOKASIDE, facts, why);
}

static int open_entrant(
	struct lineup *l, enum entrant_id id, struct suite_facts *facts, struct why *why)
{
	int rc;

	switch (id) {
	case ENTRANT_OPENSSL:
	case ENTRANT_AESNI_MB:
	case ENTRANT_QAT:
	case ENTRANT_CLEAR:
	case ENTRANT_NULL: rc = open_rig(l, id, facts, why); break;
	case ENTRANT_LOOKASIDE: rc = open_lookaside(l, facts, why); break;
	case ENTRANT_ECHO: open_echo(l); return 0;
	default: rc = open_reference(l, id, why);
	}
	if (rc != -ENODEV && rc != -ENOTSUP)
		return rc;
	snprintf(facts->absent[id], sizeof(facts->absent[id]), "%s", why->text);
	return 0;
}

int lineup_open(const struct lineup_setup *setup, struct suite_facts *facts, struct lineup **out,
	struct why *why)
{
	struct lineup *l = calloc(1, sizeof(*l));
	int rc = 0;

	if (l == NULL)
		return why_set(why, -ENOMEM, "no memory");
	l->setup = *setup;
	for (unsigned d = 0; d < 2 && rc == 0; d++)
		rc = open_traffic(l, d == 1, &l->shared[d], why);
	for (enum entrant_id id = 0; id < ENTRANTS && rc == 0; id++) {
		if (setup->plan->is_asked[id])
			rc = open_entrant(l, id, facts, why);
	}
	if (rc < 0)
		lineup_close(l);
	else
		*out = l;
	return rc;
}

void lineup_close(struct lineup *l)
{
	for (enum entrant_id id = 0; id < ENTRANTS; id++) {
		struct entrant *e = &l->entrant[id];

		rig_close(e->rig);
		reference_close(e->reference);
		traffic_close(e->traffic[0]);
		traffic_close(e->traffic[1]);
	}
	lookaside_lcore_close(&l->lookaside);
	traffic_close(l->shared[0]);
	traffic_close(l->shared[1]);
	free(l);
}

unsigned lineup_subjects(
	struct lineup *l, enum entrant_id id, enum direction direction, struct subject *out[2])
{
	struct entrant *e = &l->entrant[id];

	out[0] = &e->subject[direction == DIRECTION_IN];
	out[1] = &e->subject[1];
	if (direction == DIRECTION_BOTH) /* one gateway, both ways; nothing else has both */
		return e->traffic[0] != NULL && e->traffic[1] != NULL ? 2 : 0;
	return e->runs[direction == DIRECTION_IN] ? 1 : 0;
}

const struct rig *lineup_rig(const struct lineup *l, enum entrant_id id)
{
	return l->entrant[id].rig;
}
