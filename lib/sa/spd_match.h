/* SPDX-License-Identifier: BSD-3-Clause */
/* spd_match.h - first match among rules that are lists of ranges in five fields. Private to the SPD:
 * it knows numbers only, spd.c knows what they mean.
 *
 * Every field is cut into elementary intervals at the ends of all ranges; a number's rank is its
 * interval. 2^shift neighbouring ranks share a cell, which says which rules have a range in it: by
 * name where they are few, else as a bitset with a summary above it, one bit per word. With up to 64
 * rules a cell is one word, a rank and exact, and the AND of five words is the answer. Above that
 * cells are but a sieve, and what passes is held against the rule itself, in ranks.
 *
 * Memory: at most 96 bytes per end of a range and 64 per rule, and SPD_MATCH_DENSE_BYTES of bitsets
 * per field: shift grows until they fit. What that costs is 2^shift rules per field tried in vain at
 * most. */
#pragma once

#include <stdalign.h>
#include <stdint.h>

enum spd_match_field {
	SPD_MATCH_SRC,
	SPD_MATCH_DST,
	SPD_MATCH_PROTOCOL,
	SPD_MATCH_SPORT,
	SPD_MATCH_DPORT,
	SPD_MATCH_FIELDS
};

#define SPD_MATCH_RULES_MAX   65535
#define SPD_MATCH_WORD        64 /* rules that fit one word */
#define SPD_MATCH_FEW         6 /* rules that a cell names itself */
#define SPD_MATCH_SOME        32 /* rules that it has named beside it */
#define SPD_MATCH_DENSE_BYTES (16 << 20)
#define SPD_MATCH_BURST       32

struct spd_match_range {
	unsigned __int128 first, last;
};

/* Matches where every field's number is in one of its ranges. */
struct spd_match_rule {
	struct spd_match_range *range[SPD_MATCH_FIELDS];
	uint32_t n[SPD_MATCH_FIELDS];
	uint32_t id; /* what a lookup answers */
};

struct spd_match_cell {
	uint32_t n; /* rules with a range here */
	union {
		uint16_t few[SPD_MATCH_FEW]; /* ascending */
		uint32_t some; /* above SPD_MATCH_FEW: where its names are, ascending */
		uint32_t bits; /* above SPD_MATCH_SOME: index of its bitset */
	};
};

struct spd_match_axis {
	uint32_t n_ranks;
	uint32_t shift; /* rank to cell */
	uint32_t *bound; /* where a rank starts; [0] is 0. NULL: wide */
	unsigned __int128 *wide_bound;
	uint64_t *word; /* up to SPD_MATCH_WORD rules: a word per rank */
	struct spd_match_cell *cell; /* else */
	uint16_t *some;
	uint64_t *bits; /* stride words each: the summary, then the rules' bits */
};

/* A rule in ranks: from lo, span more. */
struct spd_match_box {
	alignas(64) uint32_t lo[SPD_MATCH_FIELDS];
	uint32_t span[SPD_MATCH_FIELDS];
	uint32_t id;
	uint32_t lists; /* 0: the box is the rule; else where its lists are */
};

struct spd_match {
	uint32_t n_rules;
	uint32_t n_summary, stride; /* words */
	struct spd_match_axis axis[SPD_MATCH_FIELDS];
	uint32_t n_cut,
		cut[SPD_MATCH_FIELDS]; /* axes with more than one rank; all rules cover the others */
	struct spd_match_box *box;
	uint32_t *list; /* per box with lists: SPD_MATCH_FIELDS places; there: n, then lo and hi */
};

/* The numbers of a burst of packets. */
struct spd_match_keys {
	uint32_t v[SPD_MATCH_FIELDS][SPD_MATCH_BURST]; /* narrow: addresses are here too */
	unsigned __int128 wide[2][SPD_MATCH_BURST]; /* src and dst otherwise */
};

/* Rules stand in the order of precedence. last[f] is the greatest number of field f; fields above 32
 * bits (src and dst alone) are wide. The ranges are in any order and may overlap; they are used up.
 * -ENOMEM. */
int spd_match_open(struct spd_match_rule *rules, uint32_t n,
	const unsigned __int128 last[SPD_MATCH_FIELDS], struct spd_match **out);
void spd_match_close(struct spd_match *m);

/* id[i] is the first rule's that matches, or UINT32_MAX. n up to SPD_MATCH_BURST. */
void spd_match_lookup(
	const struct spd_match *m, const struct spd_match_keys *keys, uint32_t id[], uint32_t n);
