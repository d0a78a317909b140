/* SPDX-License-Identifier: BSD-3-Clause */
/* test_spd_match.c - the engine of the SPD finds the first rule, whatever the rules' shape. */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "spd_match.h"

typedef unsigned __int128 u128;

static uint64_t rnd_state;

static uint64_t rnd64(void)
{
	uint64_t z = rnd_state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static u128 rnd(u128 last)
{
	u128 v = (u128)rnd64() << 64 | rnd64();

	return last == ~(u128)0 ? v : v % (last + 1);
}

struct table {
	uint32_t n;
	uint32_t ranges; /* per field */
	struct spd_match_rule *rule; /* used up by spd_match_open() */
	struct spd_match_range *range, *kept; /* kept: as they were */
	u128 last[SPD_MATCH_FIELDS];
};

static struct spd_match_range *kept_range(const struct table *t, uint32_t r, unsigned f)
{
	return &t->kept[((size_t)r * SPD_MATCH_FIELDS + f) * t->ranges];
}

static struct table *table_make(uint32_t n, uint32_t ranges, const u128 last[SPD_MATCH_FIELDS])
{
	size_t n_ranges = (size_t)n * SPD_MATCH_FIELDS * ranges;
	struct table *t = malloc(sizeof(*t));

	t->n = n;
	t->ranges = ranges;
	memcpy(t->last, last, sizeof(t->last));
	t->rule = calloc(n, sizeof(*t->rule));
	t->range = calloc(n_ranges, sizeof(*t->range));
	t->kept = calloc(n_ranges, sizeof(*t->kept));
	for (uint32_t r = 0; r < n; r++) {
		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
			for (uint32_t i = 0; i < ranges; i++) {
				u128 a = rnd(last[f]), b = rnd(last[f]);

				kept_range(t, r, f)[i] =
					(struct spd_match_range){a < b ? a : b, a < b ? b : a};
			}
		}
	}
	return t;
}

static struct spd_match *table_open(struct table *t)
{
	struct spd_match *m;

	memcpy(t->range, t->kept, (size_t)t->n * SPD_MATCH_FIELDS * t->ranges * sizeof(*t->kept));
	for (uint32_t r = 0; r < t->n; r++) {
		t->rule[r].id = 1000000 + r;
		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
			t->rule[r].range[f] = t->range + (kept_range(t, r, f) - t->kept);
			t->rule[r].n[f] = t->ranges;
		}
	}
	ck_assert_int_eq(spd_match_open(t->rule, t->n, t->last, &m), 0);
	return m;
}

static void table_free(struct table *t)
{
	free(t->rule);
	free(t->range);
	free(t->kept);
	free(t);
}

/* The reference. */
static uint32_t walk(const struct table *t, const u128 v[SPD_MATCH_FIELDS])
{
	for (uint32_t r = 0; r < t->n; r++) {
		bool matches = true;

		for (unsigned f = 0; f < SPD_MATCH_FIELDS && matches; f++) {
			const struct spd_match_range *range = kept_range(t, r, f);

			matches = false;
			for (uint32_t i = 0; i < t->ranges && !matches; i++)
				matches = range[i].first <= v[f] && v[f] <= range[i].last;
		}
		if (matches)
			return 1000000 + r;
	}
	return UINT32_MAX;
}

static uint32_t ask(const struct spd_match *m, const u128 v[SPD_MATCH_FIELDS])
{
	static struct spd_match_keys keys;
	uint32_t id;

	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
		keys.v[f][0] = v[f];
	keys.wide[SPD_MATCH_SRC][0] = v[SPD_MATCH_SRC];
	keys.wide[SPD_MATCH_DST][0] = v[SPD_MATCH_DST];
	spd_match_lookup(m, &keys, &id, 1);
	return id;
}

static const u128 small[] = {7, 6, 4, 5, 3};
static const u128 narrow[] = {UINT32_MAX, UINT32_MAX, 256, 0x3ffff, 0x3ffff};
static const u128 wide[] = {~(u128)0, ~(u128)0, 256, 0x3ffff, 0x3ffff};

static const uint32_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 4096, 4097};

START_TEST(every_number_of_a_small_world_finds_its_first_rule)
{
	struct table *t;
	struct spd_match *m;
	u128 v[SPD_MATCH_FIELDS];

	rnd_state = _i;
	t = table_make(sizes[_i], 1 + _i % 3, small);
	m = table_open(t);
	for (v[0] = 0; v[0] <= small[0]; v[0]++)
		for (v[1] = 0; v[1] <= small[1]; v[1]++)
			for (v[2] = 0; v[2] <= small[2]; v[2]++)
				for (v[3] = 0; v[3] <= small[3]; v[3]++)
					for (v[4] = 0; v[4] <= small[4]; v[4]++)
						ck_assert_uint_eq(ask(m, v), walk(t, v));
	spd_match_close(m);
	table_free(t);
}
END_TEST

/* Narrow, so that a thousand of them leave most numbers to few rules or none. */
static void shorten(struct table *t)
{
	for (size_t i = 0; i < (size_t)t->n * SPD_MATCH_FIELDS * t->ranges; i++) {
		u128 length = t->kept[i].last - t->kept[i].first;

		if (rnd64() % 4 != 0)
			t->kept[i].last = t->kept[i].first + length / (1 << rnd64() % 16);
	}
}

/* Numbers at both sides of every edge of a rule. */
static u128 near(const struct table *t, uint32_t r, unsigned f)
{
	const struct spd_match_range *range = &kept_range(t, r, f)[rnd64() % t->ranges];

	switch (rnd64() % 5) {
	case 0: return range->first > 0 ? range->first - 1 : 0;
	case 1: return range->first;
	case 2: return range->last;
	case 3: return range->last < t->last[f] ? range->last + 1 : t->last[f];
	default: return rnd(t->last[f]);
	}
}

static void compare(struct table *t, const struct spd_match *m, uint32_t keys)
{
	u128 v[SPD_MATCH_FIELDS];
	uint32_t hits = 0, id;

	for (uint32_t k = 0; k < keys; k++) {
		uint32_t r = rnd64() % t->n;

		for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++)
			v[f] = near(t, r, f);
		id = ask(m, v);
		ck_assert_uint_eq(id, walk(t, v));
		hits += id != UINT32_MAX;
	}
	ck_assert_uint_gt(hits, keys / 50);
}

static const struct {
	uint32_t rules, ranges, keys;
	const u128 *last;
	bool shortened;
} shapes[] = {
	{50, 4, 20000, narrow, false},
	{50, 4, 20000, wide, true},
	{1000, 1, 20000, narrow, true},
	{1000, 1, 20000, wide, true},
	{1000, 20, 2000, narrow, true},
	{70, 3000, 1000, wide, true},
};

START_TEST(random_rules_answer_as_the_walk_does)
{
	struct table *t;
	struct spd_match *m;

	rnd_state = _i;
	t = table_make(shapes[_i].rules, shapes[_i].ranges, shapes[_i].last);
	if (shapes[_i].shortened)
		shorten(t);
	m = table_open(t);
	compare(t, m, shapes[_i].keys);
	spd_match_close(m);
	table_free(t);
}
END_TEST

/* So many wide rules that a bitset per rank would take more than is allowed. */
START_TEST(cells_grow_until_their_bitsets_fit_and_stay_right)
{
	struct table *t;
	struct spd_match *m;

	rnd_state = 7;
	t = table_make(20000, 1, wide);
	m = table_open(t);
	for (unsigned f = SPD_MATCH_SRC; f <= SPD_MATCH_DST; f++) {
		const struct spd_match_axis *axis = &m->axis[f];
		size_t cells = ((axis->n_ranks - 1) >> axis->shift) + 1;

		ck_assert_uint_gt(axis->n_ranks, 39900);
		ck_assert_uint_ge(axis->shift, 2);
		ck_assert_uint_le(cells * m->stride * 8, SPD_MATCH_DENSE_BYTES * 3 / 2);
	}
	compare(t, m, 5000);
	spd_match_close(m);
	table_free(t);
}
END_TEST

START_TEST(a_rule_without_a_range_in_some_field_matches_nothing)
{
	struct spd_match_range all[2][SPD_MATCH_FIELDS];
	struct spd_match_rule rule[2] = {{.id = 0}, {.id = 1}};
	static const u128 zero[SPD_MATCH_FIELDS];
	struct spd_match *m;

	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
		for (unsigned r = 0; r < 2; r++) {
			all[r][f] = (struct spd_match_range){0, narrow[f]};
			rule[r].range[f] = &all[r][f];
			rule[r].n[f] = 1;
		}
	}
	rule[0].n[SPD_MATCH_DPORT] = 0;
	ck_assert_int_eq(spd_match_open(rule, 2, narrow, &m), 0);
	ck_assert_uint_eq(ask(m, zero), 1);
	ck_assert_uint_eq(ask(m, narrow), 1);
	spd_match_close(m);
	ck_assert_int_eq(spd_match_open(rule, 0, narrow, &m), 0);
	ck_assert_uint_eq(ask(m, zero), UINT32_MAX);
	spd_match_close(m);
}
END_TEST

START_TEST(ranges_that_touch_or_overlap_are_one)
{
	struct spd_match_range range[SPD_MATCH_FIELDS][4];
	struct spd_match_rule rule = {.id = 5};
	struct spd_match *m;

	for (unsigned f = 0; f < SPD_MATCH_FIELDS; f++) {
		range[f][0] = (struct spd_match_range){10, 20};
		range[f][1] = (struct spd_match_range){15, 17};
		range[f][2] = (struct spd_match_range){0, 9};
		range[f][3] = (struct spd_match_range){18, narrow[f]};
		rule.range[f] = range[f];
		rule.n[f] = 4;
	}
	ck_assert_int_eq(spd_match_open(&rule, 1, narrow, &m), 0);
	ck_assert_uint_eq(m->n_cut, 0);
	ck_assert_uint_eq(m->box[0].lists, 0);
	ck_assert_uint_eq(ask(m, narrow), 5);
	spd_match_close(m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("spd_match");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, every_number_of_a_small_world_finds_its_first_rule, 0,
		sizeof(sizes) / sizeof(sizes[0]));
	tcase_add_loop_test(
		t, random_rules_answer_as_the_walk_does, 0, sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_test(t, cells_grow_until_their_bitsets_fit_and_stay_right);
	tcase_add_test(t, a_rule_without_a_range_in_some_field_matches_nothing);
	tcase_add_test(t, ranges_that_touch_or_overlap_are_one);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
