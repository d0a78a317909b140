/* SPDX-License-Identifier: BSD-3-Clause */
/* ipaddr.c - parses, compares and prints addresses, prefixes and ranges. */
#include "ipaddr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

bool ipaddr_equal(const struct ipaddr *a, const struct ipaddr *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

int ipaddr_compare(const struct ipaddr *a, const struct ipaddr *b)
{
	if (a->family != b->family)
		return a->family - b->family;
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

int ipaddr_parse(const char *text, struct ipaddr *out)
{
	struct ipaddr a = {0};

	if (inet_pton(AF_INET, text, a.bytes) == 1)
		a.family = 4;
	else if (inet_pton(AF_INET6, text, a.bytes) == 1)
		a.family = 6;
	else
		return -EINVAL;
	*out = a;
	return 0;
}

/* Splits text at sep into two parts of at most an address's length; false where there is no sep or
 * a part is too long. */
static bool split(const char *text, char sep, char left[static INET6_ADDRSTRLEN],
	char right[static INET6_ADDRSTRLEN])
{
	const char *at = strchr(text, sep);
	size_t n;

	if (at == NULL)
		return false;
	n = at - text;
	if (n >= INET6_ADDRSTRLEN || strlen(at + 1) >= INET6_ADDRSTRLEN)
		return false;
	memcpy(left, text, n);
	left[n] = '\0';
	strcpy(right, at + 1);
	return true;
}

static int parse_len(const char *text, unsigned max, uint8_t *out)
{
	unsigned n = 0;

	if (*text == '\0' || strlen(text) > 3 || (text[0] == '0' && text[1] != '\0'))
		return -EINVAL;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9')
			return -EINVAL;
		n = n * 10 + (*text - '0');
	}
	if (n > max)
		return -EINVAL;
	*out = n;
	return 0;
}

int ipaddr_prefix_parse(const char *text, struct ipaddr_prefix *out)
{
	char left[INET6_ADDRSTRLEN], right[INET6_ADDRSTRLEN];
	struct ipaddr_prefix p = {0};

	if (strchr(text, '/') == NULL) {
		if (ipaddr_parse(text, &p.addr) < 0)
			return -EINVAL;
		p.len = ipaddr_size(&p.addr) * 8;
	} else {
		if (!split(text, '/', left, right) || ipaddr_parse(left, &p.addr) < 0)
			return -EINVAL;
		if (parse_len(right, ipaddr_size(&p.addr) * 8, &p.len) < 0)
			return -EINVAL;
	}
	*out = p;
	return 0;
}

int ipaddr_range_parse(const char *text, struct ipaddr_range *out)
{
	char left[INET6_ADDRSTRLEN], right[INET6_ADDRSTRLEN];
	struct ipaddr_prefix p;
	struct ipaddr first;

	if (strchr(text, '-') != NULL) {
		struct ipaddr_range r;

		if (!split(text, '-', left, right) || ipaddr_parse(left, &r.first) < 0 ||
			ipaddr_parse(right, &r.last) < 0)
			return -EINVAL;
		if (r.first.family != r.last.family || ipaddr_compare(&r.first, &r.last) > 0)
			return -ERANGE;
		*out = r;
		return 0;
	}
	if (ipaddr_prefix_parse(text, &p) < 0)
		return -EINVAL;
	first = ipaddr_mask(&p);
	if (!ipaddr_equal(&first, &p.addr))
		return -ERANGE;
	*out = ipaddr_prefix_range(&p);
	return 0;
}

/* Sets every bit behind the prefix to v, in the bytes that the family has. */
static struct ipaddr fill_host_bits(const struct ipaddr_prefix *p, bool v)
{
	struct ipaddr a = p->addr;

	for (unsigned i = 0; i < ipaddr_size(&a); i++) {
		unsigned fixed = p->len > i * 8 ? p->len - i * 8 : 0;
		uint8_t host = fixed >= 8 ? 0 : 0xff >> fixed;

		a.bytes[i] = v ? a.bytes[i] | host : a.bytes[i] & ~host;
	}
	return a;
}

struct ipaddr ipaddr_mask(const struct ipaddr_prefix *p)
{
	return fill_host_bits(p, false);
}

struct ipaddr_range ipaddr_prefix_range(const struct ipaddr_prefix *p)
{
	return (struct ipaddr_range){fill_host_bits(p, false), fill_host_bits(p, true)};
}

bool ipaddr_in_range(const struct ipaddr *a, const struct ipaddr_range *r)
{
	return a->family == r->first.family && ipaddr_compare(a, &r->first) >= 0 &&
	       ipaddr_compare(a, &r->last) <= 0;
}

bool ipaddr_in_prefix(const struct ipaddr *a, const struct ipaddr_prefix *p)
{
	struct ipaddr_range r = ipaddr_prefix_range(p);

	return ipaddr_in_range(a, &r);
}

bool ipaddr_is_multicast(const struct ipaddr *a)
{
	return a->family == 4 ? a->bytes[0] >> 4 == 0xe : a->family == 6 && a->bytes[0] == 0xff;
}

const char *ipaddr_format(const struct ipaddr *a, char buf[static IPADDR_STRLEN])
{
	if (ipaddr_is_any(a))
		return strcpy(buf, "any");
	inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, buf, IPADDR_STRLEN);
	return buf;
}

const char *ipaddr_prefix_format(const struct ipaddr_prefix *p, char buf[static IPADDR_STRLEN])
{
	size_t n;

	ipaddr_format(&p->addr, buf);
	n = strlen(buf);
	snprintf(buf + n, IPADDR_STRLEN - n, "/%u", p->len);
	return buf;
}

const char *ipaddr_range_format(const struct ipaddr_range *r, char buf[static IPADDR_RANGE_STRLEN])
{
	struct ipaddr_prefix p = {r->first, ipaddr_size(&r->first) * 8};
	char last[IPADDR_STRLEN];

	if (ipaddr_equal(&r->first, &r->last))
		return ipaddr_format(&r->first, buf);
	while (p.len > 0) {
		struct ipaddr_range whole;

		p.len--;
		whole = ipaddr_prefix_range(&p);
		if (!ipaddr_equal(&whole.first, &r->first))
			break;
		if (ipaddr_equal(&whole.last, &r->last))
			return ipaddr_prefix_format(&p, buf);
	}
	ipaddr_format(&r->first, buf);
	strcat(strcat(buf, "-"), ipaddr_format(&r->last, last));
	return buf;
}
