/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_match.c - finds the first rule of a table that a burst's numbers match. */
#include "spd_match.h"

#include <rte_branch_prediction.h>
#include <rte_prefetch.h>
#include <stdbool.h>

/* One binary search for the whole burst, step by step: its loads are independent of each other. */
static void rank_narrow(
	const struct spd_match_axis *axis, const uint32_t v[], uint32_t rank[], uint32_t n)
{
	const uint32_t *bound = axis->bound;
	uint32_t half;

	for (uint32_t len = axis->n_ranks; len > 1; len -= half) {
		half = len / 2;
		for (uint32_t i = 0; i < n; i++)
			rank[i] += bound[rank[i] + half] <= v[i] ? half : 0;
	}
}

static void rank_wide(
	const struct spd_match_axis *axis, const unsigned __int128 v[], uint32_t rank[], uint32_t n)
{
	const unsigned __int128 *bound = axis->wide_bound;
	uint32_t half;

	for (uint32_t len = axis->n_ranks; len > 1; len -= half) {
		half = len / 2;
		for (uint32_t i = 0; i < n; i++)
			rank[i] += bound[rank[i] + half] <= v[i] ? half : 0;
	}
}

static void rank_axis(const struct spd_match *m, enum spd_match_field f,
	const struct spd_match_keys *keys, uint32_t rank[], uint32_t n)
{
	const struct spd_match_axis *axis = &m->axis[f];

	for (uint32_t i = 0; i < n; i++)
		rank[i] = 0;
	if (axis->wide_bound != NULL)
		rank_wide(axis, keys->wide[f], rank, n);
	else
		rank_narrow(axis, keys->v[f], rank, n);
}

/* Up to 64 rules: the AND of the cells. */
static void lookup_word(
	const struct spd_match *m, const struct spd_match_keys *keys, uint32_t id[], uint32_t n)
{
	uint64_t word[SPD_MATCH_BURST];
	uint32_t rank[SPD_MATCH_BURST];

	for (uint32_t i = 0; i < n; i++)
		word[i] = UINT64_MAX >> (SPD_MATCH_WORD - m->n_rules);
	for (uint32_t c = 0; c < m->n_cut; c++) {
		rank_axis(m, m->cut[c], keys, rank, n);
		for (uint32_t i = 0; i < n; i++)
			word[i] &= m->axis[m->cut[c]].word[rank[i]];
	}
	for (uint32_t i = 0; i < n; i++)
		id[i] = word[i] != 0 ? m->box[__builtin_ctzll(word[i])].id : UINT32_MAX;
}

/* list: n, then lo and hi of each range, ascending. */
static bool list_holds(const uint32_t *list, uint32_t rank)
{
	uint32_t base = 0, half;

	for (uint32_t len = list[0]; len > 1; len -= half) {
		half = len / 2;
		base += list[1 + 2 * (base + half)] <= rank ? half : 0;
	}
	return list[1 + 2 * base] <= rank && rank <= list[2 + 2 * base];
}

static bool rule_holds(const struct spd_match *m, uint32_t rule,
	const uint32_t rank[SPD_MATCH_FIELDS][SPD_MATCH_BURST], uint32_t i)
{
	const struct spd_match_box *box = &m->box[rule];
	bool holds = true;

	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
		holds &= rank[f][i] - box->lo[f] <= box->span[f];
	if (likely(box->lists == 0) || !holds)
		return holds;
	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
		holds &= list_holds(&m->list[m->list[box->lists + f]], rank[f][i]);
	return holds;
}

static uint32_t first_named(const struct spd_match *m, const uint16_t *name, uint32_t n_names,
	const uint32_t rank[SPD_MATCH_FIELDS][SPD_MATCH_BURST], uint32_t i)
{
	for (uint32_t k = 0; k < n_names; k++) {
		if (rule_holds(m, name[k], rank, i))
			return m->box[name[k]].id;
	}
	return UINT32_MAX;
}

/* Every cut has many rules here: AND the summaries, then the words that they leave. */
static uint32_t first_of_many(const struct spd_match *m,
	const uint64_t *const set[SPD_MATCH_FIELDS],
	const uint32_t rank[SPD_MATCH_FIELDS][SPD_MATCH_BURST], uint32_t i)
{
	for (uint32_t s = 0; s < m->n_summary; s++) {
		uint64_t words = set[0][s];

		for (uint32_t c = 1; c < m->n_cut; c++)
			words &= set[c][s];
		for (; words != 0; words &= words - 1) {
			uint32_t w = s * 64 + __builtin_ctzll(words);
			uint64_t rules = set[0][m->n_summary + w];

			for (uint32_t c = 1; c < m->n_cut; c++)
				rules &= set[c][m->n_summary + w];
			for (; rules != 0; rules &= rules - 1) {
				uint32_t rule = w * 64 + __builtin_ctzll(rules);

				if (rule_holds(m, rule, rank, i))
					return m->box[rule].id;
			}
		}
	}
	return UINT32_MAX;
}

/* More than 64 rules. Each step goes through the burst before the next, behind its prefetches. */
static void lookup_cells(
	const struct spd_match *m, const struct spd_match_keys *keys, uint32_t id[], uint32_t n)
{
	const struct spd_match_cell *cell[SPD_MATCH_BURST][SPD_MATCH_FIELDS];
	const uint64_t *set[SPD_MATCH_BURST][SPD_MATCH_FIELDS];
	const uint16_t *name[SPD_MATCH_BURST];
	uint32_t n_names[SPD_MATCH_BURST];
	uint32_t rank[SPD_MATCH_FIELDS][SPD_MATCH_BURST] = {0};

	for (uint32_t c = 0; c < m->n_cut; c++) {
		const struct spd_match_axis *axis = &m->axis[m->cut[c]];

		rank_axis(m, m->cut[c], keys, rank[m->cut[c]], n);
		for (uint32_t i = 0; i < n; i++) {
			cell[i][c] = &axis->cell[rank[m->cut[c]][i] >> axis->shift];
			rte_prefetch0(cell[i][c]);
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t least = 0;

		for (uint32_t c = 1; c < m->n_cut; c++)
			least = cell[i][c]->n < cell[i][least]->n ? c : least;
		n_names[i] = cell[i][least]->n;
		name[i] = n_names[i] <= SPD_MATCH_FEW
				  ? cell[i][least]->few
				  : &m->axis[m->cut[least]].some[cell[i][least]->some];
		if (n_names[i] <= SPD_MATCH_FEW) {
			rte_prefetch0(&m->box[name[i][0]]);
		} else if (n_names[i] <= SPD_MATCH_SOME) {
			rte_prefetch0(name[i]);
		} else {
			for (uint32_t c = 0; c < m->n_cut; c++) {
				set[i][c] = &m->axis[m->cut[c]]
						     .bits[(size_t)cell[i][c]->bits * m->stride];
				rte_prefetch0(set[i][c]);
			}
		}
	}
	for (uint32_t i = 0; i < n; i++)
		id[i] = n_names[i] <= SPD_MATCH_SOME ? first_named(m, name[i], n_names[i], rank, i)
						     : first_of_many(m, set[i], rank, i);
}

void spd_match_lookup(
	const struct spd_match *m, const struct spd_match_keys *keys, uint32_t id[], uint32_t n)
{
	if (m->n_rules == 0) {
		for (uint32_t i = 0; i < n; i++)
			id[i] = UINT32_MAX;
	} else if (m->n_cut == 0) { /* the first rule takes everything */
		for (uint32_t i = 0; i < n; i++)
			id[i] = m->box[0].id;
	} else if (m->n_rules <= SPD_MATCH_WORD) {
		lookup_word(m, keys, id, n);
	} else {
		lookup_cells(m, keys, id, n);
	}
}
