/* SPDX-License-Identifier: BSD-3-Clause */
/* fib.c - the longest prefix of an address, by rte_fib and rte_fib6.
 *
 * Both have a table of 2^24 entries and, for what is longer than 24 bits, groups of 256 (tbl8) whose
 * number is fixed at creation and costs memory; so they are counted first, as the library counts
 * them. Prefixes are added by length: then none is ever laid around one that is there. */
#include "fib.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TBL8_SPARE  64
#define TBL8_MAX_2B INT16_MAX /* an entry holds a number of 15 bits and a flag */
#define TBL8_MAX    (1 << 20)
#define NAME_SIZE   24 /* a mempool is named after it, which cuts it there */

static uint32_t address_v4(const struct ipaddr *a)
{
	return (uint32_t)a->bytes[0] << 24 | a->bytes[1] << 16 | a->bytes[2] << 8 | a->bytes[3];
}

/* One for each /24 that something longer is in. */
static int count_tbl8_v4(const struct plan *p, uint32_t *out)
{
	uint8_t *seen = calloc(1 << 21, 1);

	if (seen == NULL)
		return -ENOMEM;
	*out = TBL8_SPARE;
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t slash24 = address_v4(&p->entry[i].to.addr) >> 8;

		if (p->entry[i].to.len <= 24 || (seen[slash24 / 8] & 1 << slash24 % 8))
			continue;
		seen[slash24 / 8] |= 1 << slash24 % 8;
		(*out)++;
	}
	free(seen);
	return 0;
}

/* rte_fib6 reserves one for each whole byte that a prefix is longer than the one above it; so do
 * neighbours in one subnet, though they share most. */
static uint32_t count_tbl8_v6(const struct plan *p)
{
	uint32_t n = TBL8_SPARE;

	for (uint32_t i = 0; i < p->n; i++) {
		const struct ipaddr_prefix *to = &p->entry[i].to;
		const struct plan_entry *above =
			to->len > 24 ? plan_find(p, &to->addr, to->len - 1) : NULL;
		int from = above != NULL && above->to.len > 24 ? above->to.len : 24;

		if (to->len > 24)
			n += (to->len + 7) / 8 - (from + 7) / 8;
	}
	return n;
}

static int fill_v4(struct rte_fib *fib, const struct plan *p)
{
	int rc = 0;

	for (uint32_t i = 0; i < p->n && rc == 0; i++)
		rc = rte_fib_add(fib, address_v4(&p->entry[i].to.addr), p->entry[i].to.len,
			p->entry[i].nexthop);
	return rc;
}

static int fill_v6(struct rte_fib6 *fib, const struct plan *p)
{
	int rc = 0;

	for (uint32_t i = 0; i < p->n && rc == 0; i++) {
		/* The type of the parameter changed over the years, its bytes did not. */
		const void *addr = p->entry[i].to.addr.bytes;

		rc = rte_fib6_add(fib, addr, p->entry[i].to.len, p->entry[i].nexthop);
	}
	return rc;
}

static int open_v4(struct fib *fib, const struct plan *p, int socket, uint32_t tbl8)
{
	struct rte_fib_conf conf = {
		.type = RTE_FIB_DIR24_8,
		.max_routes = p->n + 1,
		.dir24_8 = {tbl8 > TBL8_MAX_2B ? RTE_FIB_DIR24_8_4B : RTE_FIB_DIR24_8_2B, tbl8},
	};
	char name[NAME_SIZE];
	int rc;

	snprintf(name, sizeof(name), "r4_%" PRIxPTR, (uintptr_t)fib);
	fib->v4 = rte_fib_create(name, socket, &conf);
	if (fib->v4 == NULL)
		return -ENOMEM; /* whatever rte_errno says: it is EINVAL there too */
	rc = fill_v4(fib->v4, p);
	if (rc < 0) {
		rte_fib_free(fib->v4);
		fib->v4 = NULL;
	}
	return rc;
}

static int open_v6(struct fib *fib, const struct plan *p, int socket, uint32_t tbl8)
{
	struct rte_fib6_conf conf = {
		.type = RTE_FIB6_TRIE,
		.max_routes = p->n + 1,
		.trie = {tbl8 > TBL8_MAX_2B ? RTE_FIB6_TRIE_4B : RTE_FIB6_TRIE_2B, tbl8},
	};
	char name[NAME_SIZE];
	int rc;

	snprintf(name, sizeof(name), "r6_%" PRIxPTR, (uintptr_t)fib);
	fib->v6 = rte_fib6_create(name, socket, &conf);
	if (fib->v6 == NULL)
		return -ENOMEM;
	rc = fill_v6(fib->v6, p);
	if (rc < 0) {
		rte_fib6_free(fib->v6);
		fib->v6 = NULL;
	}
	return rc;
}

/* The count is an estimate where prefixes meet oddly: where it is too low, twice as many. */
static int open_family(struct fib *fib, const struct plan *p, int socket, uint32_t tbl8,
	int (*open)(struct fib *, const struct plan *, int, uint32_t), struct why *why)
{
	int rc;

	do {
		rc = open(fib, p, socket, tbl8);
		tbl8 *= 2;
	} while (rc == -ENOSPC && tbl8 <= TBL8_MAX);
	if (rc < 0)
		return why_set(why, rc,
			"no room for a FIB of %u prefixes (%d): it needs 33 MiB and more of the "
			"EAL's "
			"memory (-m, or hugepages)",
			p->n, rc);
	return 0;
}

int fib_open(
	struct fib *fib, const struct plan *v4, const struct plan *v6, int socket, struct why *why)
{
	uint32_t tbl8;
	int rc;

	*fib = (struct fib){NULL, NULL};
	if (v4->n > 0) {
		rc = count_tbl8_v4(v4, &tbl8);
		if (rc < 0)
			return why_set(why, rc, "no memory to count %u prefixes", v4->n);
		rc = open_family(fib, v4, socket, tbl8, open_v4, why);
		if (rc < 0)
			return rc;
	}
	if (v6->n > 0) {
		rc = open_family(fib, v6, socket, count_tbl8_v6(v6), open_v6, why);
		if (rc < 0) {
			fib_close(fib);
			return rc;
		}
	}
	return 0;
}

void fib_close(struct fib *fib)
{
	rte_fib_free(fib->v4);
	rte_fib6_free(fib->v6);
	*fib = (struct fib){NULL, NULL};
}
