/* SPDX-License-Identifier: BSD-3-Clause */
/* xfrm_vectors.c - reads the files of tests/vectors/xfrm, and judges what the parser answers. */
#include "xfrm_vectors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct xfrm_vector xfrm_vectors[XFRM_VECTORS_MAX];
unsigned xfrm_vectors_n;

static void die(const char *what, const char *about)
{
	fprintf(stderr, "%s: %s\n", what, about);
	abort();
}

static void add_message(struct xfrm_vector *v, const char *hex)
{
	size_t len = strlen(hex) / 2;
	uint8_t *bytes = malloc(len);

	if (v->n == XFRM_MESSAGES_MAX || len == 0 || bytes == NULL)
		die("no room for a message", v->name);
	for (size_t i = 0; i < len; i++)
		if (sscanf(hex + 2 * i, "%2hhx", &bytes[i]) != 1)
			die("no hex", v->name);
	v->message[v->n].bytes = bytes;
	v->message[v->n++].len = len;
}

void xfrm_vectors_load(const char *path)
{
	FILE *from = fopen(path, "r");
	struct xfrm_vector *v = NULL;
	size_t size = 0;
	char *line = NULL;

	if (from == NULL)
		die("cannot be read", path);
	while (getline(&line, &size, from) > 0) {
		char *value = strchr(line, ' ');

		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || *line == '\0')
			continue;
		value = strchr(line, ' ');
		if (value == NULL)
			die("a line without value", path);
		*value++ = '\0';
		if (strcmp(line, "name:") == 0) {
			if (xfrm_vectors_n == XFRM_VECTORS_MAX)
				die("too many", path);
			v = &xfrm_vectors[xfrm_vectors_n++];
			snprintf(v->name, sizeof(v->name), "%s", value);
		} else if (v != NULL && strcmp(line, "command:") == 0) {
			snprintf(v->command, sizeof(v->command), "%s", value);
		} else if (v != NULL && strcmp(line, "message:") == 0) {
			add_message(v, value);
		} else {
			die("an unknown line", line);
		}
	}
	free(line);
	fclose(from);
}

void xfrm_vectors_free(void)
{
	for (unsigned i = 0; i < xfrm_vectors_n; i++)
		for (unsigned k = 0; k < xfrm_vectors[i].n; k++)
			free(xfrm_vectors[i].message[k].bytes);
	xfrm_vectors_n = 0;
}

int xfrm_parse_copy(const uint8_t *bytes, size_t len, struct xfrm_message *out, struct why *why)
{
	/* No byte behind it is ours: the sanitizer sees who reads on. */
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int rc;

	if (copy == NULL)
		die("no memory", "");
	memcpy(copy, bytes, len);
	memset(why, 0, sizeof(*why));
	rc = xfrm_parse((const struct nlmsghdr *)copy, len, out, why);
	free(copy);
	xfrm_hold(rc, out, why);
	return rc;
}

static bool is_zero(const void *p, size_t n)
{
	const uint8_t *bytes = p;

	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0)
			return false;
	return true;
}

static bool is_range(struct policy_range r, unsigned most)
{
	return r.first <= r.last && r.last <= most;
}

static void hold_traffic(const struct xfrm_traffic *t)
{
	if (t->src.first.family != t->dst.first.family)
		die("traffic", "of two families");
	if (ipaddr_compare(&t->src.first, &t->src.last) > 0 ||
		ipaddr_compare(&t->dst.first, &t->dst.last) > 0)
		die("traffic", "addresses out of order");
	if (!is_range(t->src_ports, 65535) || !is_range(t->dst_ports, 65535) ||
		!is_range(t->icmp_type, 255) || !is_range(t->icmp_code, 255) ||
		!is_range(t->mh_type, 255))
		die("traffic", "a range is none");
}

static void hold_crypto(const struct crypto_spec *c)
{
	const struct algorithm *first = c->aead != NULL ? c->aead : c->cipher;

	if (first == NULL || (c->aead == NULL) != (c->auth != NULL))
		die("an SA", "without algorithms");
	if (c->key.len != first->key_len + first->salt_len)
		die("an SA", "with a key of the wrong length");
	if (c->auth != NULL && c->auth_key.len != c->auth->key_len)
		die("an SA", "with an auth key of the wrong length");
}

static void hold_sa(const struct xfrm_message *m)
{
	hold_crypto(&m->sa.spec.crypto);
	if (m->sa.spec.spi < SA_SPI_MIN || m->sa.spec.spi != m->sa.id.spi)
		die("an SA", "with a bad SPI");
	if (m->sa.spec.window > SA_WINDOW_MAX)
		die("an SA", "with a window that is too wide");
	hold_traffic(&m->sa.traffic);
}

static void hold_policy(const struct xfrm_policy *policy)
{
	struct xfrm_lists lists;
	struct policy_spec spec;

	hold_traffic(&policy->traffic);
	if ((policy->action == POLICY_PROTECT) != (policy->tmpl.reqid != 0) &&
		policy->action != POLICY_DISCARD)
		die("a policy", "that protects without reqid, or the reverse");
	xfrm_policy_spec(policy, &lists, &spec);
	if (spec.n_src != 1 || spec.name[0] == '\0')
		die("a policy", "without a spec");
}

void xfrm_hold(int rc, const struct xfrm_message *m, const struct why *why)
{
	if (rc != 0 && rc != -EBADMSG && rc != -ENOTSUP)
		die("an error", "of another kind");
	if (rc != 0 && (why->text[0] == '\0' || why->text[strlen(why->text) - 1] == '.'))
		die("a reason", "is missing or has a full stop");
	if (rc == -EBADMSG && !is_zero(m, sizeof(*m)))
		die("a broken message", "left something");
	if (rc == -ENOTSUP && !is_zero(&m->sa.spec.crypto, sizeof(m->sa.spec.crypto)))
		die("a refused SA", "left its keys");
	if (rc != -EBADMSG &&
		(m->kind == XFRM_KIND_POLICY_NEW || m->kind == XFRM_KIND_POLICY_UPDATE))
		hold_policy(&m->policy);
	if (rc == -ENOTSUP && m->kind >= XFRM_KIND_POLICY_NEW &&
		m->kind <= XFRM_KIND_POLICY_FLUSH && m->policy.action != POLICY_DISCARD)
		die("a refused policy", "lets traffic pass");
	if (rc == 0 && (m->kind == XFRM_KIND_SA_NEW || m->kind == XFRM_KIND_SA_UPDATE))
		hold_sa(m);
}
