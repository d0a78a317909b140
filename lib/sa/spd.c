/* SPDX-License-Identifier: BSD-3-Clause */
/* spd.c - the SPD: keeps the policies as they were given, and a table per direction and family. */
#include "spd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spd_dp.h"
#include "spd_rule.h"

struct turn { /* when a policy is looked at */
	uint32_t priority, index;
};

struct spd {
	struct spd_match *table[POLICY_DIRECTIONS][SPD_FAMILIES];
	struct spd_entry *entry;
	struct policy_spec *policy; /* copies; their lists are in these two */
	struct ipaddr_range *address;
	struct policy_range *range;
	struct turn *turn; /* in the order of precedence */
	const struct policy_spec **by_name;
	uint32_t n;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static int compile_table(struct spd *spd, enum policy_direction direction, enum spd_family family)
{
	struct spd_match_rule *rules = calloc(spd->n + 1, sizeof(*rules));
	struct spd_match_range *ranges, *room;
	size_t n_ranges = 1;
	uint32_t n = 0;
	int rc = -ENOMEM;

	for (uint32_t i = 0; i < spd->n; i++) {
		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
			n_ranges += spd_rule_ranges(&spd->policy[i], f);
	}
	ranges = malloc(n_ranges * sizeof(*ranges));
	if (rules == NULL || ranges == NULL)
		goto done;
	room = ranges;
	for (uint32_t i = 0; i < spd->n; i++) {
		const struct policy_spec *p = &spd->policy[spd->turn[i].index];

		if (p->direction != direction)
			continue;
		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
			rules[n].range[f] = room;
			room += spd_rule_ranges(p, f);
		}
		spd_rule_make(&rules[n], p, family);
		rules[n++].id = spd->turn[i].index;
	}
	rc = spd_match_open(rules, n, spd_rule_last[family], &spd->table[direction][family]);
done:
	free(ranges);
	free(rules);
	return rc;
}

/* First match by priority, then by the order of the array (RFC 4301 4.4.1: the SPD is ordered). */
static int compile(struct spd *spd)
{
	int rc = 0;

	spd->turn = malloc((spd->n + 1) * sizeof(*spd->turn));
	if (spd->turn == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < spd->n; i++)
		spd->turn[i] = (struct turn){spd->policy[i].priority, i};
	qsort(spd->turn, spd->n, sizeof(*spd->turn), compare_turns);
	for (unsigned d = 0; d < POLICY_DIRECTIONS; d++) {
		for (unsigned f = 0; f < SPD_FAMILIES && rc == 0; f++)
			rc = compile_table(spd, d, f);
	}
	return rc;
}

static struct policy_range *copy_field(struct policy_field *f, struct policy_range *room)
{
	if (f->n > 0)
		memcpy(room, f->range, f->n * sizeof(*room));
	f->range = room;
	return room + f->n;
}

static size_t count_ranges(const struct policy_spec *p)
{
	return (size_t)p->protocol.n + p->src_ports.n + p->dst_ports.n + p->icmp_type.n +
	       p->icmp_code.n + p->mh_type.n;
}

static struct ipaddr_range *copy_addresses(
	const struct ipaddr_range **list, uint32_t n, struct ipaddr_range *room)
{
	if (n > 0)
		memcpy(room, *list, n * sizeof(*room));
	*list = room;
	return room + n;
}

/* The policies and all their lists, which then live as long as the SPD. */
static int copy_policies(struct spd *spd, const struct policy_spec *policies)
{
	size_t n_addresses = 1, n_ranges = 1;
	struct ipaddr_range *address;
	struct policy_range *range;

	for (uint32_t i = 0; i < spd->n; i++) {
		n_addresses += (size_t)policies[i].n_src + policies[i].n_dst;
		n_ranges += count_ranges(&policies[i]);
	}
	spd->policy = malloc((spd->n + 1) * sizeof(*spd->policy));
	spd->address = malloc(n_addresses * sizeof(*spd->address));
	spd->range = malloc(n_ranges * sizeof(*spd->range));
	if (spd->policy == NULL || spd->address == NULL || spd->range == NULL)
		return -ENOMEM;
	address = spd->address;
	range = spd->range;
	for (uint32_t i = 0; i < spd->n; i++) {
		struct policy_spec *p = &spd->policy[i];

		*p = policies[i];
		address = copy_addresses(&p->src, p->n_src, address);
		address = copy_addresses(&p->dst, p->n_dst, address);
		range = copy_field(&p->protocol, range);
		range = copy_field(&p->src_ports, range);
		range = copy_field(&p->dst_ports, range);
		range = copy_field(&p->icmp_type, range);
		range = copy_field(&p->icmp_code, range);
		range = copy_field(&p->mh_type, range);
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct policy_spec *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int index_names(struct spd *spd)
{
	spd->by_name = malloc((spd->n + 1) * sizeof(spd->by_name[0]));
	if (spd->by_name == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < spd->n; i++)
		spd->by_name[i] = &spd->policy[i];
	qsort(spd->by_name, spd->n, sizeof(spd->by_name[0]), compare_names);
	return 0;
}

static int make_entries(struct spd *spd, struct sa_db *sas)
{
	spd->entry = calloc(spd->n + 1, sizeof(*spd->entry));
	if (spd->entry == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < spd->n; i++) {
		const struct policy_spec *p = &spd->policy[i];

		spd->entry[i].action = p->action;
		spd->entry[i].reqid = p->reqid;
		if (sas == NULL || p->action != POLICY_PROTECT || p->direction != POLICY_OUT)
			continue;
		spd->entry[i].out = sa_reqid_slot(sas, p->reqid);
		if (spd->entry[i].out == NULL)
			return -ENOMEM;
	}
	return 0;
}

int spd_open(const struct policy_spec *policies, uint32_t n, struct sa_db *sas, struct spd **out,
	struct why *why)
{
	struct spd *spd;
	int rc;

	if (n > SPD_POLICIES_MAX)
		return why_set(
			why, -E2BIG, "%u policies are too many: at most %d", n, SPD_POLICIES_MAX);
	spd = calloc(1, sizeof(*spd));
	if (spd == NULL)
		return why_set(why, -ENOMEM, "no memory for the policies");
	spd->n = n;
	rc = copy_policies(spd, policies);
	if (rc == 0)
		rc = index_names(spd);
	if (rc == 0)
		rc = make_entries(spd, sas);
	if (rc == 0)
		rc = compile(spd);
	if (rc < 0) {
		spd_close(spd);
		return why_set(why, rc, "no memory for the tables of %u policies", n);
	}
	*out = spd;
	return 0;
}

void spd_close(struct spd *spd)
{
	if (spd == NULL)
		return;
	for (unsigned d = 0; d < POLICY_DIRECTIONS; d++) {
		for (unsigned f = 0; f < SPD_FAMILIES; f++)
			spd_match_close(spd->table[d][f]);
	}
	free(spd->entry);
	free(spd->policy);
	free(spd->address);
	free(spd->range);
	free(spd->turn);
	free(spd->by_name);
	free(spd);
}

const struct policy_spec *spd_policy(const struct spd *spd, uint32_t i)
{
	return &spd->policy[i];
}

uint32_t spd_policies(const struct spd *spd)
{
	return spd->n;
}

uint32_t spd_find(const struct spd *spd, const struct policy_spec *policy)
{
	const struct policy_spec **found =
		bsearch(&policy, spd->by_name, spd->n, sizeof(spd->by_name[0]), compare_names);

	if (found == NULL)
		return SPD_NO_POLICY;
	while (found > spd->by_name && compare_names(found - 1, &policy) == 0)
		found--; /* policies of several sources may share a name */
	for (; found < spd->by_name + spd->n && compare_names(found, &policy) == 0; found++) {
		if (policy_equal(*found, policy))
			return *found - spd->policy;
	}
	return SPD_NO_POLICY;
}

uint32_t spd_turn(const struct spd *spd, uint32_t turn)
{
	return spd->turn[turn].index;
}

const struct spd_entry *spd_entries(const struct spd *spd)
{
	return spd->entry;
}

/* One burst of at most SPD_MATCH_BURST, sorted by family. */
static void lookup_burst(const struct spd *spd, enum policy_direction direction,
	const struct spd_key *const key[], uint32_t policy[], uint32_t n)
{
	uint8_t place[SPD_FAMILIES][SPD_MATCH_BURST]; /* in key */
	uint32_t count[SPD_FAMILIES] = {0};
	uint32_t id[SPD_MATCH_BURST];
	struct spd_match_keys keys;

	for (uint32_t i = 0; i < n; i++) {
		enum spd_family f = key[i]->family == 4 ? SPD_V4 : SPD_V6;

		place[f][count[f]++] = i;
	}
	for (unsigned f = 0; f < SPD_FAMILIES; f++) {
		for (uint32_t i = 0; i < count[f]; i++) {
			if (f == SPD_V4)
				spd_rule_load_v4(key[place[f][i]], &keys, i);
			else
				spd_rule_load_v6(key[place[f][i]], &keys, i);
		}
		if (count[f] == 0)
			continue;
		spd_match_lookup(spd->table[direction][f], &keys, id, count[f]);
		for (uint32_t i = 0; i < count[f]; i++)
			policy[place[f][i]] = id[i];
	}
}

void spd_lookup(const struct spd *spd, enum policy_direction direction,
	const struct spd_key *const key[], uint32_t policy[], uint32_t n)
{
	for (uint32_t i = 0; i < n; i += SPD_MATCH_BURST)
		lookup_burst(spd, direction, key + i, policy + i,
			n - i < SPD_MATCH_BURST ? n - i : SPD_MATCH_BURST);
}
