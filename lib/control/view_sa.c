/* SPDX-License-Identifier: BSD-3-Clause */
/* view_sa.c - every security association: what it is, what it carried. Never a key. */
#include <inttypes.h>

#include "sa.h"
#include "view.h"

static json_t *algorithm_of(const struct crypto_spec *c)
{
	if (c->aead != NULL)
		return json_string(c->aead->name);
	return json_sprintf("%s+%s", c->cipher->name, c->auth->name);
}

static int show_sa(struct sa *sa, void *arg)
{
	const struct sa_spec *spec = sa_spec_of(sa);
	struct sa_count count = sa_count_of(sa);
	bool is_in = spec->direction == SA_IN;
	char src[IPADDR_STRLEN], dst[IPADDR_STRLEN];

	return json_array_append_new(arg,
		json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:s, s:o, s:b, s:s, s:o*, s:o, s:o, s:o}",
			"name", spec->name, "direction", is_in ? "in" : "out", "spi",
			json_sprintf("0x%" PRIx32, spec->spi), "src",
			ipaddr_format(&spec->src, src), "dst", ipaddr_format(&spec->dst, dst),
			"reqid", whole(spec->reqid), "mode", "tunnel", "algorithm",
			algorithm_of(&spec->crypto), "esn", spec->esn, "provider", sa_provider(sa),
			"replay_window", is_in ? whole(spec->window) : NULL, "sequence",
			whole(sa_sequence(sa)), "packets", whole(count.packets), "bytes",
			whole(count.bytes)));
}

json_t *view_sa(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	json_t *all = json_array();

	(void)request;
	(void)why;
	return whole_or_none(all, sa_db_walk(v->of.sas, show_sa, all));
}
