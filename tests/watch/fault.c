/* SPDX-License-Identifier: BSD-3-Clause */
/* fault.c - makes a device misbehave as ADIT_TEST_FAULT says, one of
 *
 *   error:every=N           each N-th op comes back with an error status
 *   wrong:every=N           each N-th op comes back with success and a bit of its text flipped
 *   clear:every=N           each N-th op comes back with success and its text as it was given
 *   lost:every=N            each N-th op never comes back
 *   twice:every=N           each N-th op comes back a second time, when no other does
 *   stall:after=N           once N ops came back, no other does
 *   refuse:after=N          once N ops were given, no other is taken
 *   slow:rate=N             no more than N ops a second come back
 *
 * with ",for=MS" for stall and refuse to end after so many milliseconds, what was held coming back
 * late and in its order; and with ",device=NAME" to leave all other devices alone. Counts are those
 * of one queue pair. */
#include <rte_mbuf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "watch.h"

enum kind {
	FAULT_ERROR,
	FAULT_WRONG,
	FAULT_CLEAR,
	FAULT_LOST,
	FAULT_TWICE,
	FAULT_STALL,
	FAULT_REFUSE,
	FAULT_SLOW
};
static const char *const kinds[] = {
	"error", "wrong", "clear", "lost", "twice", "stall", "refuse", "slow"};

/* The text of an op as it was given. */
struct given {
	struct given *next;
	const struct rte_crypto_op *op;
	uint32_t offset, len;
	uint8_t text[];
};

struct fault {
	enum kind kind;
	uint64_t every, after, for_ms, rate;
	uint64_t count; /* ops that passed */
	uint64_t until_ms; /* when a stall or refusal ends; 0: it has not begun */
	uint64_t since_ms; /* a slow one has held ops since then, and count of them passed */
	struct rte_crypto_op **held; /* what has come and is held, oldest first */
	size_t n_held, room;
	struct given *given;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static bool parse(char *text, struct fault *f, const char **device)
{
	static const char *const keys[] = {"every", "after", "for", "device", "rate", NULL};
	char *options = strchr(text, ':');
	unsigned kind = 0;

	if (options == NULL)
		return false;
	*options++ = '\0';
	while (kind < RTE_DIM(kinds) && strcmp(kinds[kind], text) != 0)
		kind++;
	f->kind = kind;
	while (*options != '\0') {
		char *value, *end = NULL;

		switch (getsubopt(&options, (char *const *)keys, &value)) {
		case 0: f->every = value != NULL ? strtoull(value, &end, 10) : 0; break;
		case 1: f->after = value != NULL ? strtoull(value, &end, 10) : 0; break;
		case 2: f->for_ms = value != NULL ? strtoull(value, &end, 10) : 0; break;
		case 3: *device = value; continue;
		case 4: f->rate = value != NULL ? strtoull(value, &end, 10) : 0; break;
		default: return false;
		}
		if (end == NULL || *end != '\0')
			return false;
	}
	return kind < RTE_DIM(kinds) && (f->every > 0) == (kind < FAULT_STALL) &&
	       (f->rate > 0) == (kind == FAULT_SLOW);
}

struct fault *fault_open(const char *device)
{
	const char *said = getenv("ADIT_TEST_FAULT"), *only = NULL;
	char text[200];
	struct fault *f;

	if (said == NULL || *said == '\0')
		return NULL;
	f = calloc(1, sizeof(*f));
	if (f == NULL)
		abort();
	snprintf(text, sizeof(text), "%s", said);
	if (!parse(text, f, &only)) {
		fprintf(stderr, "watch: ADIT_TEST_FAULT is no fault: %s\n", said);
		abort();
	}
	if (only != NULL && strcmp(only, device) != 0) {
		free(f);
		return NULL;
	}
	return f;
}

void fault_close(struct fault *f)
{
	while (f->given != NULL) {
		struct given *g = f->given;

		f->given = g->next;
		free(g);
	}
	free(f->held);
	free(f);
}

/* Whether a stall or a refusal is on, now that so many ops have passed. */
static bool is_on(struct fault *f)
{
	if (f->count < f->after)
		return false;
	if (f->until_ms == 0)
		f->until_ms = f->for_ms > 0 ? now_ms() + f->for_ms : UINT64_MAX;
	return now_ms() < f->until_ms;
}

static bool is_turn(struct fault *f)
{
	return ++f->count % f->every == 0;
}

static uint8_t *text_of(const struct rte_crypto_op *op, uint32_t offset)
{
	return rte_pktmbuf_mtod_offset(op->sym->m_src, uint8_t *, offset);
}

/* Where an op's text is: both kinds of op have it at the same place. */
static_assert(offsetof(struct rte_crypto_sym_op, aead.data) ==
		      offsetof(struct rte_crypto_sym_op, cipher.data),
	"the text of an AEAD is said elsewhere");

/* An op that the device did not take is given again: its old text goes. */
static void forget_text(struct fault *f, const struct rte_crypto_op *op, bool put_back)
{
	for (struct given **at = &f->given; *at != NULL; at = &(*at)->next) {
		struct given *g = *at;

		if (g->op != op)
			continue;
		if (put_back)
			memcpy(text_of(op, g->offset), g->text, g->len);
		*at = g->next;
		free(g);
		return;
	}
}

static void keep_text(struct fault *f, const struct rte_crypto_op *op)
{
	uint32_t len = op->sym->aead.data.length;
	struct given *g = malloc(sizeof(*g) + len);

	if (g == NULL)
		abort();
	forget_text(f, op, false);
	*g = (struct given){f->given, op, op->sym->aead.data.offset, len};
	memcpy(g->text, text_of(op, g->offset), len);
	f->given = g;
}

uint16_t fault_enqueue(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	struct fault *f = arg;

	(void)dev_id, (void)qp_id;
	if (f->kind == FAULT_CLEAR) {
		for (uint16_t i = 0; i < n; i++) {
			if (is_turn(f))
				keep_text(f, ops[i]);
		}
	}
	if (f->kind != FAULT_REFUSE)
		return n;
	if (is_on(f))
		return 0;
	if (f->until_ms == 0)
		n = RTE_MIN(n, f->after - f->count);
	f->count += n;
	return n;
}

static void hold(struct fault *f, struct rte_crypto_op *op)
{
	if (f->n_held == f->room) {
		f->room = f->room * 2 + 64;
		f->held = realloc(f->held, f->room * sizeof(*f->held));
		if (f->held == NULL)
			abort();
	}
	f->held[f->n_held++] = op;
}

/* Up to so many of the held. Nobody tells how many ops the caller has room for: as many as came, and
 * one if none came. */
static uint16_t let_go(struct fault *f, struct rte_crypto_op **ops, uint16_t came, uint64_t most)
{
	size_t room = came > 0 ? came : 1, back = RTE_MIN(room, f->n_held);

	back = RTE_MIN(back, most);
	memcpy(ops, f->held, back * sizeof(*ops));
	f->n_held -= back;
	memmove(f->held, f->held + back, f->n_held * sizeof(*ops));
	return back;
}

/* All that came is put behind what is held, and as much goes out in front. */
static uint16_t dequeue_stalled(struct fault *f, struct rte_crypto_op **ops, uint16_t n)
{
	uint16_t pass = 0;

	while (pass < n && f->until_ms == 0 && !is_on(f)) {
		f->count++;
		pass++;
	}
	if (is_on(f) || f->n_held > 0) {
		for (uint16_t i = pass; i < n; i++)
			hold(f, ops[i]);
		return pass + let_go(f, ops + pass, n - pass, is_on(f) ? 0 : UINT64_MAX);
	}
	return n;
}

static uint16_t dequeue_slow(struct fault *f, struct rte_crypto_op **ops, uint16_t n)
{
	uint64_t now = now_ms();
	uint16_t back;

	if (f->n_held == 0) {
		f->since_ms = now;
		f->count = 0;
	}
	for (uint16_t i = 0; i < n; i++)
		hold(f, ops[i]);
	back = let_go(f, ops, n, (now - f->since_ms) * f->rate / 1000 - f->count);
	f->count += back;
	return back;
}

static uint16_t dequeue_twice(struct fault *f, struct rte_crypto_op **ops, uint16_t n)
{
	if (n == 0 && f->n_held > 0) {
		ops[0] = f->held[--f->n_held];
		return 1;
	}
	for (uint16_t i = 0; i < n; i++) {
		if (is_turn(f))
			hold(f, ops[i]);
	}
	return n;
}

/* Whether the op comes back after this. */
static bool spoil(struct fault *f, struct rte_crypto_op *op)
{
	switch (f->kind) {
	case FAULT_ERROR: op->status = RTE_CRYPTO_OP_STATUS_ERROR; return true;
	case FAULT_WRONG:
		*text_of(op, op->sym->aead.data.offset) ^= 1;
		op->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
		return true;
	default: return false; /* lost */
	}
}

uint16_t fault_dequeue(
	uint16_t dev_id, uint16_t qp_id, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	struct fault *f = arg;
	uint16_t kept = 0;

	(void)dev_id, (void)qp_id;
	switch (f->kind) {
	case FAULT_STALL: return dequeue_stalled(f, ops, n);
	case FAULT_TWICE: return dequeue_twice(f, ops, n);
	case FAULT_SLOW: return dequeue_slow(f, ops, n);
	case FAULT_REFUSE: return n;
	case FAULT_CLEAR:
		for (uint16_t i = 0; i < n; i++)
			forget_text(f, ops[i], true);
		return n;
	default:
		for (uint16_t i = 0; i < n; i++) {
			if (!is_turn(f) || spoil(f, ops[i]))
				ops[kept++] = ops[i];
		}
		return kept;
	}
}
