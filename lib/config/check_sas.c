/* SPDX-License-Identifier: BSD-3-Clause */
/* check_sas.c - SAs beside each other and beside policies: SPIs, keys that must not be shared,
 * reqids. */
#include <string.h>

#include "index.h"
#include "sections.h"

/* What finds an SA: an inbound one by its lookup, an outbound one at its peer. */
struct spi_id {
	uint32_t spi;
	uint8_t direction, lookup;
	struct ipaddr dst, src; /* those that lookup looks at; else only the family in dst */
};

struct reqid_id {
	uint32_t reqid, direction;
};

static bool has_all(const struct yaml_node *at, const char *const names[])
{
	for (; *names != NULL; names++) {
		const struct yaml_node *n = yaml_child(at, *names);

		if (n != NULL && n->is_bad)
			return false;
	}
	return true;
}

static struct spi_id spi_id_of(const struct sa_spec *sa, uint8_t family)
{
	struct spi_id id;

	memset(&id, 0, sizeof(id));
	id.spi = sa->spi;
	id.direction = sa->direction;
	id.lookup = sa->direction == SA_OUT ? SA_LOOKUP_SPI_DST_SRC : sa->lookup;
	id.dst.family = family;
	if (id.lookup != SA_LOOKUP_SPI)
		id.dst = sa->dst;
	if (id.lookup == SA_LOOKUP_SPI_DST_SRC)
		id.src = sa->src;
	return id;
}

static void add_spi(struct reader *r, struct index *x, struct spi_id *id, uint32_t i)
{
	char place[REPORT_PLACE];
	uint32_t first = index_add(x, id, sizeof(*id), i);
	struct yaml_node *spi = yaml_child(r->sa_at[i], "spi");

	if (first == INDEX_NONE || spi->is_bad)
		return;
	report_place(yaml_child(r->sa_at[first], "spi"), place);
	if (id->direction == SA_OUT)
		report_error(r->report, spi,
			"SPI 0x%x is sent between these addresses by the SA at %s too, the peer "
			"could not tell them apart; give another",
			id->spi, place);
	else
		report_error(r->report, spi,
			"SPI 0x%x finds the SA at %s by the same lookup, give another", id->spi,
			place);
}

static void check_spis(struct reader *r)
{
	static const char *const names[] = {"spi", "direction", "src", "dst", "lookup", NULL};
	const struct config *c = r->config;
	struct spi_id *id = arena_alloc(r->scratch, (2 * c->n_sas + 1) * sizeof(*id));
	struct index x;

	if (id == NULL || index_open(&x, r->scratch, 2 * c->n_sas) < 0)
		return;
	for (uint32_t i = 0; i < c->n_sas; i++) {
		const struct sa_spec *sa = &c->sas[i];
		struct spi_id *both = &id[2 * i];

		if (sa->spi == 0 || !has_all(r->sa_at[i], names) ||
			yaml_child(r->sa_at[i], "direction") == NULL ||
			(sa->direction == SA_OUT && ipaddr_is_any(&sa->dst)))
			continue;
		if (ipaddr_is_any(&sa->dst)) { /* it stands in the tables of both families */
			both[0] = spi_id_of(sa, 4);
			both[1] = spi_id_of(sa, 6);
			add_spi(r, &x, &both[0], i);
			add_spi(r, &x, &both[1], i);
		} else {
			both[0] = spi_id_of(sa, sa->dst.family);
			add_spi(r, &x, &both[0], i);
		}
	}
}

/* Whether a nonce that is used twice gives the key away: all but CBC and null. */
static bool has_nonce(const struct sa_spec *sa)
{
	return sa->crypto.aead != NULL ||
	       (sa->crypto.cipher != NULL && sa->crypto.cipher->family == ALGORITHM_CTR);
}

static struct yaml_node *key_node(struct reader *r, uint32_t sa)
{
	struct yaml_node *n = yaml_child(r->sa_at[sa], "key");

	return n != NULL ? n : yaml_child(r->sa_at[sa], "key_file");
}

/* The salt is a part of the key here: with another salt nonces differ. */
static void check_shared_keys(struct reader *r)
{
	const struct config *c = r->config;
	char place[REPORT_PLACE];
	struct index out;

	if (index_open(&out, r->scratch, c->n_sas) < 0)
		return;
	for (uint32_t i = 0; i < c->n_sas; i++) {
		const struct sa_spec *sa = &c->sas[i];
		uint32_t first;

		if (sa->direction != SA_OUT || !has_nonce(sa) || sa->crypto.key.len == 0 ||
			schema_good(r->sa_at[i], "direction") == NULL)
			continue;
		first = index_add(&out, sa->crypto.key.bytes, sa->crypto.key.len, i);
		if (first != INDEX_NONE)
			report_error(r->report, key_node(r, i),
				"the outbound SA at %s has this key too and they would repeat "
				"nonces, give each its own",
				report_place(key_node(r, first), place));
	}
	for (uint32_t i = 0; i < c->n_sas; i++) {
		const struct sa_spec *sa = &c->sas[i];
		uint32_t other;

		if (sa->direction != SA_IN || !has_nonce(sa) || sa->crypto.key.len == 0)
			continue;
		other = index_find(&out, sa->crypto.key.bytes, sa->crypto.key.len);
		if (other != INDEX_NONE)
			report_warning(r->report, key_node(r, i),
				"the outbound SA at %s has this key too, so both ends send with "
				"it and repeat nonces; give each direction its own",
				report_place(key_node(r, other), place));
	}
}

static void check_reqids(struct reader *r)
{
	const struct config *c = r->config;
	struct reqid_id *id = arena_alloc(r->scratch, (c->n_sas + 1) * sizeof(*id));
	struct index x;

	if (id == NULL || index_open(&x, r->scratch, c->n_sas) < 0)
		return;
	for (uint32_t i = 0; i < c->n_sas; i++) {
		id[i] = (struct reqid_id){c->sas[i].reqid, c->sas[i].direction};
		index_add(&x, &id[i], sizeof(id[i]), i);
	}
	for (uint32_t i = 0; i < c->n_policies; i++) {
		const struct policy_spec *p = &c->policies[i];
		bool is_out = p->direction == POLICY_OUT;
		struct reqid_id wanted = {p->reqid, is_out ? SA_OUT : SA_IN};
		struct yaml_node *reqid = schema_good(r->policy_at[i], "reqid");

		if (reqid == NULL || p->action != POLICY_PROTECT ||
			schema_good(r->policy_at[i], "direction") == NULL ||
			index_find(&x, &wanted, sizeof(wanted)) != INDEX_NONE)
			continue;
		report_warning(r->report, reqid,
			"no %s SA has reqid %u, packets of this policy are dropped; add one",
			is_out ? "outbound" : "inbound", p->reqid);
	}
}

void check_sas(struct reader *r)
{
	check_spis(r);
	check_shared_keys(r);
	if (!r->is_cut)
		check_reqids(r);
}
