/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - the prefixes of one family and who wins each. */
#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_prefixes(const void *a, const void *b)
{
	const struct plan_entry *x = a, *y = b;

	if (x->to.len != y->to.len)
		return x->to.len - y->to.len;
	return ipaddr_compare(&x->to.addr, &y->to.addr);
}

static int compare_entries(const void *a, const void *b)
{
	const struct plan_entry *x = a, *y = b;
	int order = compare_prefixes(a, b);

	if (order != 0)
		return order;
	if (x->strength != y->strength)
		return x->strength < y->strength ? -1 : 1;
	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

int plan_open(struct plan *p, uint32_t room)
{
	memset(p, 0, sizeof(*p));
	p->entry = calloc(room + 1, sizeof(*p->entry));
	return p->entry == NULL ? -ENOMEM : 0;
}

void plan_close(struct plan *p)
{
	free(p->entry);
	p->entry = NULL;
}

void plan_add(struct plan *p, const struct plan_entry *e)
{
	struct plan_entry *mine = &p->entry[p->n];

	*mine = *e;
	mine->to.addr = ipaddr_mask(&e->to);
	mine->order = p->n++;
}

void plan_settle(struct plan *p)
{
	uint32_t kept = 0;

	qsort(p->entry, p->n, sizeof(*p->entry), compare_entries);
	for (uint32_t i = 0; i < p->n; i++) {
		if (kept == 0 || compare_prefixes(&p->entry[kept - 1], &p->entry[i]) != 0)
			p->entry[kept++] = p->entry[i];
	}
	p->n = p->n_settled = kept;
	for (uint32_t i = 0; i < kept; i++)
		p->has_len[p->entry[i].to.len] = true;
}

struct plan_entry *plan_find(const struct plan *p, const struct ipaddr *address, int max_len)
{
	struct plan_entry key, *found;

	for (int len = max_len; len >= 0; len--) {
		if (!p->has_len[len])
			continue;
		key.to = (struct ipaddr_prefix){*address, len};
		key.to.addr = ipaddr_mask(&key.to);
		found = bsearch(&key, p->entry, p->n_settled, sizeof(key), compare_prefixes);
		if (found != NULL)
			return found;
	}
	return NULL;
}
