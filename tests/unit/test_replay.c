/* SPDX-License-Identifier: BSD-3-Clause */
/* test_replay.c - the window takes each number once, none that is too old, and infers the high half
 * of the one that was sent (RFC 4303 3.4.3, A2). */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include "replay.h"

static const uint32_t sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 192, 255, 256,
	512, 1024, 2048, 4096, 65535, 65536};

#define N(a) (int)(sizeof(a) / sizeof((a)[0]))

static uint64_t ring[2048];

static void open_window(struct replay *r, uint32_t size, bool esn, uint64_t top)
{
	ck_assert_uint_le(replay_ring_bytes(size), sizeof(ring));
	for (int i = 0; i < N(ring); i++)
		ring[i] = 0x5555555555555555; /* what an earlier SA left */
	replay_init(r, ring, size, esn, top);
}

/* check() must foretell what accept() does. (A ck_assert() costs a system call.) */
static bool accept(struct replay *r, uint64_t seq)
{
	bool foretold = replay_check(r, seq);

	if (replay_accept(r, seq) != foretold)
		ck_abort_msg("%lx at top %lx: check says %d", seq, r->top, foretold);
	return foretold;
}

/* The set of numbers seen: a number stands in the slot of its low bits. Of two numbers in one slot
 * the older is always too old, because there are more slots than the window is wide. */
#define MODEL_SLOTS (1 << 18)

struct model {
	uint64_t top, width;
	uint64_t seen[MODEL_SLOTS];
};

static struct model model;

static bool model_accept(uint64_t seq)
{
	if (seq == 0 || seq + model.width <= model.top)
		return false;
	if (model.seen[seq % MODEL_SLOTS] == seq)
		return false;
	model.seen[seq % MODEL_SLOTS] = seq;
	if (seq > model.top)
		model.top = seq;
	return true;
}

static uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % n;
}

/* The next number to try: mostly the next one, a late one, or one around an edge. */
static uint64_t random_number(uint64_t top, uint64_t width)
{
	uint64_t back;

	switch (random_below(16)) {
	case 0: /* just left of the window, and its leftmost two */
		back = width - 2 + random_below(4);
		break;
	case 1: /* long past */ back = width + random_below(2 * width + 1); break;
	case 2: /* around the edge of a bucket at or before the top */
		back = top % 64 + 64 * random_below(width / 64 + 2) + 1 - random_below(3);
		break;
	case 3: /* around the edge of a bucket to come */
		return (top / 64 + 1 + random_below(4)) * 64 + random_below(3) - 1;
	case 4: /* once or several times round the ring, or beyond */
		return random_below(64) ? top + 1 + random_below(8) : top + random_below(5 * width);
	case 5: /* exactly a window, one less, one more */
		return random_below(16) ? top + 1 : top + width - 1 + random_below(3);
	case 6:
	case 7:
	case 8:
	case 9: /* late, or a second time */ back = random_below(width < 64 ? width : 64); break;
	case 10:
	case 11: /* late by anything up to the window */ back = random_below(width); break;
	default: return top + 1;
	}
	return back <= top ? top - back : 0;
}

static void walk(uint32_t width, bool esn, uint64_t top, int steps)
{
	struct replay r;
	uint64_t limit = esn ? UINT64_MAX : UINT32_MAX;

	random_state = 88172645463325252 + width;
	open_window(&r, width, esn, top);
	for (int i = 0; i < MODEL_SLOTS; i++)
		model.seen[i] = 0;
	for (uint64_t back = 0; back < width && back < top; back++)
		model.seen[(top - back) % MODEL_SLOTS] = top - back;
	model.top = top;
	model.width = width;
	for (int i = 0; i < steps; i++) {
		uint64_t seq = random_number(model.top, width);

		if (seq > limit)
			break;
		if (seq + width > model.top && replay_infer(&r, (uint32_t)seq) != seq)
			ck_abort_msg("step %d: %lx at top %lx is inferred as %lx", i, seq,
				model.top, replay_infer(&r, (uint32_t)seq));
		if (accept(&r, seq) != model_accept(seq) || r.top != model.top)
			ck_abort_msg("step %d: %lx at top %lx", i, seq, model.top);
	}
}

START_TEST(a_million_random_steps_agree_with_a_set)
{
	walk(sizes[_i], true, 0, 1000000);
}
END_TEST

START_TEST(without_esn_the_window_agrees_too)
{
	walk(sizes[_i], false, 0, 100000);
}
END_TEST

START_TEST(the_window_agrees_across_two_to_the_32)
{
	walk(sizes[_i], true, UINT32_MAX - sizes[_i] - 100, 100000);
	walk(sizes[_i], true, (UINT64_C(5) << 32) - 1000, 100000);
}
END_TEST

/* All numbers up to the top are seen, then one jump: what lies between is new, all else is not. */
static void jump(uint32_t width, uint64_t top, uint64_t ahead)
{
	struct replay r;
	uint64_t left;

	open_window(&r, width, true, top);
	ck_assert(accept(&r, top + ahead));
	left = r.top >= width ? r.top - width + 1 : 0;
	if (left > 0)
		ck_assert(!accept(&r, left - 1));
	for (uint64_t seq = left; seq <= r.top; seq++) {
		bool is_new = seq > top && seq < r.top;

		if (accept(&r, seq) != is_new || accept(&r, seq))
			ck_abort_msg("W %u, from %lu by %lu: %lu", width, top, ahead, seq);
	}
}

START_TEST(a_jump_frees_what_it_skips_and_nothing_else)
{
	uint32_t width = sizes[_i], bits = replay_ring_bytes(width) * 8;
	const uint64_t tops[] = {0, 1, 62, 63, 64, 65, 127, 128, width - 1, width, width + 1,
		bits - 1, bits, bits + 1, UINT32_MAX, UINT64_C(1) << 32};
	const uint64_t ahead[] = {1, 2, 63, 64, 65, 127, 128, 129, width - 1, width, width + 1,
		width + 63, width + 64, bits - 65, bits - 64, bits - 63, bits - 1, bits, bits + 1,
		2 * (uint64_t)bits, 1 + (UINT64_C(1) << 31), UINT64_C(1) << 40};

	for (int t = 0; t < N(tops); t++)
		for (int a = 0; a < N(ahead); a++)
			if (ahead[a] > 0)
				jump(width, tops[t], ahead[a]);
}
END_TEST

START_TEST(a_number_left_out_is_taken_late_and_once)
{
	static const uint32_t back[] = {40, 33, 32, 31, 1};
	uint32_t width = sizes[_i];
	uint64_t last = width + 100;
	struct replay r;

	for (int i = -1; i < N(back); i++) {
		uint64_t hole = i < 0 ? last - width + 1 : last - back[i];

		if (hole + width <= last)
			continue;
		open_window(&r, width, false, 0);
		for (uint64_t seq = 1; seq <= last; seq++)
			if (seq != hole && !accept(&r, seq))
				ck_abort_msg("%lu was new", seq);
		ck_assert(accept(&r, hole));
		ck_assert(!accept(&r, hole));
		for (uint64_t seq = 0; seq <= last; seq++)
			if (accept(&r, seq))
				ck_abort_msg("%lu again", seq);
	}
}
END_TEST

static const struct {
	uint32_t size;
	uint64_t top, seq;
	bool fresh;
	const char *what;
} edges[] = {
	{64, 100, 37, false, "all at and below the first top are seen"},
	{64, 0, 0, false, "number 0 of a new SA"},
	{1, 0, 0, false, "number 0, least window"},
	{65536, 0, 0, false, "number 0, widest window"},
	{0, 0, 0, true, "number 0 with the window off"},
	{0, 100, 3, true, "an old number with the window off"},
	{64, UINT32_MAX, UINT32_MAX, false, "the last number of 32 bits again"},
	{64, UINT32_MAX - 1, UINT32_MAX, true, "the last number of 32 bits"},
	{64, UINT64_MAX - 1, UINT64_MAX, true, "the last number of all"},
	{64, UINT64_MAX, UINT64_MAX, false, "the last number of all again"},
	{65536, UINT64_MAX, UINT64_MAX - 65536, false, "left of the last window"},
	{65536, 0, UINT64_MAX, true, "from nothing to the last number"},
};

START_TEST(the_ends_of_the_numbers_are_no_special_case)
{
	struct replay r;

	open_window(&r, edges[_i].size, true, edges[_i].top);
	ck_assert_msg(accept(&r, edges[_i].seq) == edges[_i].fresh, "%s", edges[_i].what);
	ck_assert_msg(r.size == 0 || !accept(&r, edges[_i].seq), "%s, again", edges[_i].what);
}
END_TEST

START_TEST(the_left_edge_is_top_minus_w_plus_1)
{
	struct replay r;

	open_window(&r, 64, false, 0);
	ck_assert(accept(&r, 100));
	ck_assert(!accept(&r, 36));
	ck_assert(accept(&r, 37));
	open_window(&r, 32, false, 0);
	ck_assert(accept(&r, 100));
	ck_assert(!accept(&r, 68));
	ck_assert(accept(&r, 69));
}
END_TEST

/* A2: the high half that a low half gets. W is 64 unless the line says otherwise. */
static const struct {
	uint32_t size;
	uint64_t top;
	uint32_t low;
	uint64_t seq;
	const char *what;
} halves[] = {
	{64, 0, 0, 0, "nothing yet, 0"},
	{64, 0, 1, 1, "nothing yet, the first"},
	{64, 0, UINT32_MAX, UINT32_MAX, "th = 0: nothing lies below 0"},
	{64, 5, 0xfffffff0, 0xfffffff0, "th = 0, tl < W - 1: not 2^64 - 16"},
	{64, 63, 0, 0, "tl = W - 1, th = 0: the window begins at 0"},
	{64, 64, 0, 0x100000000, "tl = W, th = 0: it begins at 1"},
	{64, 62, UINT32_MAX, UINT32_MAX, "tl = W - 2, th = 0"},
	{64, 1000, 936, 0x1000003a8, "one left of the window is the next subspace"},
	{64, 1000, 937, 937, "leftmost of the window"},
	{64, 1000, 0, 0x100000000, "wrapped"},
	{64, UINT32_MAX, UINT32_MAX, UINT32_MAX, "top again"},
	{64, UINT32_MAX, 0, 0x100000000, "the first of the next subspace"},
	{64, UINT32_MAX, 0xffffffc0, 0xffffffc0, "leftmost at a subspace's end"},
	{64, UINT32_MAX, 0xffffffbf, 0x1ffffffbf, "one left of it"},
	{64, 0x100000000, 0xffffffc1, 0xffffffc1, "late, the window spans two subspaces"},
	{64, 0x100000000, 0xffffffc0, 0x1ffffffc0, "left of such a window"},
	{64, 0x100000005, 0xfffffff0, 0xfffffff0, "late by 21 over the boundary"},
	{64, 0x100000005, 6, 0x100000006, "the next one after it"},
	{64, 0x10000003e, UINT32_MAX, UINT32_MAX, "tl = W - 2: one still lies before"},
	{64, 0x10000003f, UINT32_MAX, 0x1ffffffff, "tl = W - 1: none does"},
	{1, 0x100000000, UINT32_MAX, 0x1ffffffff, "least window at a boundary"},
	{1, 0x100000000, 0, 0x100000000, "least window, top again"},
	{65536, 0x100000000, 0xffff0001, 0xffff0001, "widest window, leftmost"},
	{65536, 0x100000000, 0xffff0000, 0x1ffff0000, "widest window, left of it"},
	{64, UINT64_MAX, UINT32_MAX, UINT64_MAX, "the last number"},
	{64, UINT64_MAX, 0xffffffc0, UINT64_MAX - 63, "leftmost of the last window"},
	{64, UINT64_MAX, 0, 0xffffffff00000000, "nothing lies past 2^64: old, not 0"},
	{64, UINT64_MAX, 0xffffffbf, 0xffffffffffffffbf, "nor here"},
	{0, 0x100000005, 0xfffffff0, 0xfffffff0, "window off, late over the boundary"},
	{0, 5, 0xfffffff0, 0xfffffff0, "window off, th = 0"},
};

START_TEST(the_high_half_is_the_one_that_was_sent)
{
	struct replay r;

	open_window(&r, halves[_i].size, true, halves[_i].top);
	ck_assert_msg(replay_infer(&r, halves[_i].low) == halves[_i].seq, "%s: %lx",
		halves[_i].what, replay_infer(&r, halves[_i].low));
}
END_TEST

START_TEST(without_esn_there_is_no_high_half)
{
	struct replay r;

	open_window(&r, 64, false, UINT32_MAX);
	ck_assert_uint_eq(replay_infer(&r, 0), 0);
	ck_assert_uint_eq(replay_infer(&r, 1000), 1000);
	ck_assert(!accept(&r, 0) && !accept(&r, 1000));
	ck_assert_uint_eq(r.top, UINT32_MAX);
}
END_TEST

START_TEST(late_over_the_boundary_passes_once)
{
	struct replay r;

	open_window(&r, 64, true, 0);
	ck_assert(accept(&r, 0x100000005));
	ck_assert(accept(&r, replay_infer(&r, 0xfffffff0)));
	ck_assert(accept(&r, replay_infer(&r, 6)));
	ck_assert(!accept(&r, replay_infer(&r, 0xfffffff0)));
}
END_TEST

START_TEST(with_the_window_off_the_top_still_follows)
{
	struct replay r;

	open_window(&r, 0, true, 0);
	ck_assert_uint_eq(replay_ring_bytes(0), 0);
	ck_assert(accept(&r, UINT32_MAX) && accept(&r, 7) && accept(&r, 7));
	ck_assert_uint_eq(r.top, UINT32_MAX);
	ck_assert(accept(&r, replay_infer(&r, 3)));
	ck_assert_uint_eq(r.top, 0x100000003);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("replay");
	TCase *tc = tcase_create("replay");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_million_random_steps_agree_with_a_set, 0, N(sizes));
	tcase_add_loop_test(tc, without_esn_the_window_agrees_too, 0, N(sizes));
	tcase_add_loop_test(tc, the_window_agrees_across_two_to_the_32, 0, N(sizes));
	tcase_add_loop_test(tc, a_jump_frees_what_it_skips_and_nothing_else, 0, N(sizes));
	tcase_add_loop_test(tc, a_number_left_out_is_taken_late_and_once, 0, N(sizes));
	tcase_add_loop_test(tc, the_ends_of_the_numbers_are_no_special_case, 0, N(edges));
	tcase_add_test(tc, the_left_edge_is_top_minus_w_plus_1);
	tcase_add_loop_test(tc, the_high_half_is_the_one_that_was_sent, 0, N(halves));
	tcase_add_test(tc, without_esn_there_is_no_high_half);
	tcase_add_test(tc, late_over_the_boundary_passes_once);
	tcase_add_test(tc, with_the_window_off_the_top_still_follows);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
