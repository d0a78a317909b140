/* SPDX-License-Identifier: BSD-3-Clause */
/* view_crypto.c - every crypto device in use: what it is, whether it works, what it did. */
#include "crypto.h"
#include "view.h"

static const char *const kinds[] = {
	[CRYPTO_LIBRARY] = "library",
	[CRYPTO_SOFTWARE] = "software",
	[CRYPTO_LOOKASIDE] = "lookaside",
};

json_t *view_crypto(const json_t *request, void *arg, struct why *why)
{
	const struct views *v = arg;
	json_t *all = json_array();
	struct crypto_device_stats d;
	int rc = 0;

	(void)request;
	(void)why;
	for (unsigned n = 0; crypto_device_stats(v->of.crypto, n, &d); n++)
		rc |= json_array_append_new(all,
			json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "device",
				d.name, "provider", d.provider, "kind", kinds[d.kind], "state",
				d.is_stalled ? "given up" : "works", "sessions", whole(d.sessions),
				"in_flight", whole(d.in_flight), "done", whole(d.done), "failed",
				whole(d.failed), "lost", whole(d.lost), "late", whole(d.late)));
	return whole_or_none(all, rc);
}
