/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_build.c - turns rules of ranges into the cells and boxes of spd_match.h. Time: the sorting of
 * all ends, and one pass per doubling of the cells. */
#include <errno.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "spd_match.h"

/* A rule comes in, or is gone, from this number on. */
struct edge {
	unsigned __int128 at;
	struct spd_match_range *range;
	uint32_t rank;
	uint16_t rule;
	bool is_start;
};

/* What the cells of an axis need beside themselves. */
struct tally {
	uint32_t some; /* names */
	uint32_t dense; /* bitsets */
};

/* Rules that cover the place where a sweep stands, as a bitset under its summary. */
struct active {
	uint64_t *summary, *word;
	uint32_t n;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct spd_match_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Ascending, with a gap between neighbours. */
static uint32_t merge_ranges(struct spd_match_range *r, uint32_t n)
{
	uint32_t kept = 0;

	qsort(r, n, sizeof(*r), compare_ranges);
	for (uint32_t i = 0; i < n; i++) {
		/* first - 1 cannot wrap: a range before it begins at 0 or above */
		if (kept > 0 && (r[i].first == 0 || r[i].first - 1 <= r[kept - 1].last)) {
			if (r[i].last > r[kept - 1].last)
				r[kept - 1].last = r[i].last;
		} else {
			r[kept++] = r[i];
		}
	}
	return kept;
}

static void active_add(struct active *a, uint32_t rule)
{
	uint64_t bit = UINT64_C(1) << (rule % 64);

	a->n += (a->word[rule / 64] & bit) == 0;
	a->word[rule / 64] |= bit;
	a->summary[rule / 4096] |= UINT64_C(1) << (rule / 64 % 64);
}

static void active_del(struct active *a, uint32_t rule)
{
	uint64_t bit = UINT64_C(1) << (rule % 64);

	a->n -= (a->word[rule / 64] & bit) != 0;
	a->word[rule / 64] &= ~bit;
	if (a->word[rule / 64] == 0)
		a->summary[rule / 4096] &= ~(UINT64_C(1) << (rule / 64 % 64));
}

static void name_rules(const struct spd_match *m, const struct active *a, uint16_t *name)
{
	for (uint32_t s = 0; s < m->n_summary; s++) {
		for (uint64_t words = a->summary[s]; words != 0; words &= words - 1) {
			uint32_t w = s * 64 + __builtin_ctzll(words);

			for (uint64_t rules = a->word[w]; rules != 0; rules &= rules - 1)
				*name++ = w * 64 + __builtin_ctzll(rules);
		}
	}
}

static void write_cell(const struct spd_match *m, struct spd_match_axis *axis, uint32_t c,
	const struct tally *used, const struct active *a)
{
	struct spd_match_cell *cell;

	if (axis->word != NULL) {
		axis->word[c] = a->word[0];
		return;
	}
	cell = &axis->cell[c];
	cell->n = a->n;
	if (a->n <= SPD_MATCH_FEW) {
		name_rules(m, a, cell->few);
	} else if (a->n <= SPD_MATCH_SOME) {
		cell->some = used->some;
		name_rules(m, a, &axis->some[used->some]);
	} else {
		cell->bits = used->dense;
		memcpy(&axis->bits[(size_t)used->dense * m->stride], a->summary, m->stride * 8);
	}
}

/* Goes along the edges cell by cell; returns what the cells need, and writes them if asked. A cell
 * has all rules that cover its first rank or start behind it. */
static struct tally sweep(const struct spd_match *m, struct spd_match_axis *axis,
	const struct edge *e, uint32_t n_edges, struct active *a, bool write)
{
	struct tally used = {0, 0};
	uint32_t i = 0;

	memset(a->summary, 0, m->stride * 8);
	a->n = 0;
	for (uint32_t c = 0; c <= (axis->n_ranks - 1) >> axis->shift; c++) {
		uint32_t first = c << axis->shift, j;

		for (j = i; j < n_edges && e[j].rank >> axis->shift == c; j++) {
			if (e[j].is_start)
				active_add(a, e[j].rule);
			else if (e[j].rank == first)
				active_del(a, e[j].rule);
		}
		if (write)
			write_cell(m, axis, c, &used, a);
		if (a->n > SPD_MATCH_SOME)
			used.dense++;
		else if (a->n > SPD_MATCH_FEW)
			used.some += a->n;
		for (; i < j; i++) { /* again, and in order: what is left behind the cell */
			if (e[i].is_start)
				active_add(a, e[i].rule);
			else
				active_del(a, e[i].rule);
		}
	}
	return used;
}

/* The edges of one field in order; an end that no number lies behind has none. Gives ranks to them
 * and to the ranges, whose numbers are lost. */
static uint32_t rank_edges(struct spd_match_rule *rules, uint32_t n, enum spd_match_field field,
	unsigned __int128 last, struct edge *e, uint32_t *n_ranks)
{
	uint32_t n_edges = 0, rank = 0;

	for (uint32_t r = 0; r < n; r++) {
		for (uint32_t i = 0; i < rules[r].n[field]; i++) {
			struct spd_match_range *range = &rules[r].range[field][i];

			e[n_edges++] = (struct edge){range->first, range, 0, r, true};
			if (range->last < last)
				e[n_edges++] = (struct edge){range->last + 1, range, 0, r, false};
			range->last = UINT32_MAX;
		}
	}
	qsort(e, n_edges, sizeof(*e), compare_edges);
	for (uint32_t i = 0; i < n_edges; i++) {
		rank += e[i].at != (i > 0 ? e[i - 1].at : 0);
		e[i].rank = rank;
		if (e[i].is_start)
			e[i].range->first = rank;
		else
			e[i].range->last = rank - 1;
	}
	*n_ranks = rank + 1;
	return n_edges;
}

static int build_bounds(struct spd_match_axis *axis, const struct edge *e, uint32_t n, bool wide)
{
	if (wide)
		axis->wide_bound = calloc(axis->n_ranks, sizeof(*axis->wide_bound));
	else
		axis->bound = calloc(axis->n_ranks, sizeof(*axis->bound));
	if (axis->wide_bound == NULL && axis->bound == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		if (wide)
			axis->wide_bound[e[i].rank] = e[i].at;
		else
			axis->bound[e[i].rank] = e[i].at;
	}
	return 0;
}

static int build_axis(struct spd_match *m, enum spd_match_field field, struct spd_match_rule *rules,
	unsigned __int128 last, struct edge *e, struct active *a)
{
	struct spd_match_axis *axis = &m->axis[field];
	struct tally need;
	uint32_t n_edges, n_cells;

	n_edges = rank_edges(rules, m->n_rules, field, last, e, &axis->n_ranks);
	if (axis->n_ranks > 1)
		m->cut[m->n_cut++] = field;
	if (build_bounds(axis, e, n_edges, last > UINT32_MAX) < 0)
		return -ENOMEM;
	if (m->n_rules <= SPD_MATCH_WORD) {
		axis->word = calloc(axis->n_ranks, sizeof(*axis->word));
		if (axis->word == NULL)
			return -ENOMEM;
	} else {
		for (;; axis->shift++) {
			need = sweep(m, axis, e, n_edges, a, false);
			if ((size_t)need.dense * m->stride * 8 <= SPD_MATCH_DENSE_BYTES)
				break;
		}
		n_cells = ((axis->n_ranks - 1) >> axis->shift) + 1;
		axis->cell = calloc(n_cells, sizeof(*axis->cell));
		axis->some = calloc(need.some + 1, sizeof(*axis->some));
		axis->bits = calloc(need.dense + 1, m->stride * 8);
		if (axis->cell == NULL || axis->some == NULL || axis->bits == NULL)
			return -ENOMEM;
	}
	sweep(m, axis, e, n_edges, a, true);
	return 0;
}

static bool has_lists(const struct spd_match_rule *rule)
{
	bool lists = false;

	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
		lists |= rule->n[f] > 1;
	return lists;
}

/* After every range has become one of ranks. */
static int build_boxes(struct spd_match *m, const struct spd_match_rule *rules)
{
	size_t used = 1, need = 1; /* place 0 means: no lists */

	for (uint32_t r = 0; r < m->n_rules; r++) {
		for (unsigned f = 0; f < SPD_MATCH_FIELDS && has_lists(&rules[r]); f++)
			need += 2 + 2 * (size_t)rules[r].n[f];
	}
	m->box = aligned_alloc(alignof(struct spd_match_box), (m->n_rules + 1) * sizeof(*m->box));
	m->list = calloc(need, sizeof(*m->list));
	if (m->box == NULL || m->list == NULL)
		return -ENOMEM;
	for (uint32_t r = 0; r < m->n_rules; r++) {
		struct spd_match_box *box = &m->box[r];
		uint32_t *place = &m->list[used];

		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
			const struct spd_match_range *range = rules[r].range[f];

			box->lo[f] = range[0].first;
			box->span[f] = (uint32_t)range[rules[r].n[f] - 1].last - box->lo[f];
		}
		box->id = rules[r].id;
		box->lists = has_lists(&rules[r]) ? used : 0;
		if (box->lists == 0)
			continue;
		used += SPD_MATCH_FIELDS;
		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
			place[f] = used;
			m->list[used++] = rules[r].n[f];
			for (uint32_t i = 0; i < rules[r].n[f]; i++) {
				m->list[used++] = rules[r].range[f][i].first;
				m->list[used++] = rules[r].range[f][i].last;
			}
		}
	}
	return 0;
}

int spd_match_open(struct spd_match_rule *rules, uint32_t n,
	const unsigned __int128 last[SPD_MATCH_FIELDS], struct spd_match **out)
{
	struct spd_match *m = calloc(1, sizeof(*m));
	size_t n_ranges, most = 1;
	struct edge *e = NULL;
	struct active a = {0};
	int rc = -ENOMEM;

	if (m == NULL)
		return -ENOMEM;
	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
		n_ranges = 0;
		for (uint32_t r = 0; r < n; r++) {
			rules[r].n[f] = merge_ranges(rules[r].range[f], rules[r].n[f]);
			n_ranges += rules[r].n[f];
		}
		most = n_ranges > most ? n_ranges : most;
	}
	/* A rule without a range in some field matches nothing. */
	for (uint32_t r = 0; r < n; r++) {
		bool matches = true;

		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
			matches &= rules[r].n[f] > 0;
		if (matches)
			rules[m->n_rules++] = rules[r];
	}
	m->n_summary = (m->n_rules + 4095) / 4096;
	m->stride = m->n_summary + (m->n_rules + 63) / 64;
	e = malloc(2 * most * sizeof(*e));
	a.summary = calloc(m->stride + 1, 8);
	if (e == NULL || a.summary == NULL)
		goto done;
	a.word = a.summary + m->n_summary;
	for (unsigned f = 0; f < SPD_MATCH_FIELDS && m->n_rules > 0; f++) {
		rc = build_axis(m, f, rules, last[f], e, &a);
		if (rc < 0)
			goto done;
	}
	rc = build_boxes(m, rules);
done:
	free(e);
	free(a.summary);
	if (rc < 0)
		spd_match_close(m);
	else
		*out = m;
	return rc;
}

void spd_match_close(struct spd_match *m)
{
	if (m == NULL)
		return;
	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
		free(m->axis[f].bound);
		free(m->axis[f].wide_bound);
		free(m->axis[f].word);
		free(m->axis[f].cell);
		free(m->axis[f].some);
		free(m->axis[f].bits);
	}
	free(m->box);
	free(m->list);
	free(m);
}
