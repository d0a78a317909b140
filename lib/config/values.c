/* SPDX-License-Identifier: BSD-3-Clause */
/* values.c - reads addresses, MACs, paths and names of providers. */
#include "values.h"

#include <string.h>

bool value_address(struct reader *r, struct yaml_node *at, struct ipaddr *out)
{
	static const uint8_t zero[16];
	char quoted[REPORT_QUOTE];

	if (!schema_is_scalar(r, at, "an IPv4 or IPv6 address"))
		return false;
	if (ipaddr_parse(at->text, out) < 0) {
		report_error(r->report, at, "%s is no address, 192.0.2.1 or 2001:db8::1 would be",
			report_quote(at, quoted));
		return false;
	}
	if (ipaddr_is_multicast(out) || memcmp(out->bytes, zero, sizeof(zero)) == 0) {
		report_error(r->report, at, "%s is no host's address, a unicast address is wanted",
			report_quote(at, quoted));
		return false;
	}
	return true;
}

bool value_prefix(struct reader *r, struct yaml_node *at, struct ipaddr_prefix *out)
{
	char quoted[REPORT_QUOTE];

	if (!schema_is_scalar(r, at, "a prefix"))
		return false;
	if (ipaddr_prefix_parse(at->text, out) < 0) {
		report_error(r->report, at,
			"%s is no prefix, 10.1.0.0/24 or 2001:db8:1::/64 would be",
			report_quote(at, quoted));
		return false;
	}
	return true;
}

bool value_path(struct reader *r, struct yaml_node *at, char *out, size_t size)
{
	const char *slash;
	size_t folder = 0;

	if (!schema_is_scalar(r, at, "a path"))
		return false;
	slash = strrchr(at->file, '/');
	if (at->text[0] != '/' && slash != NULL)
		folder = slash - at->file + 1;
	if (folder + at->len >= size) {
		report_error(r->report, at, "the path has %zu bytes, up to %zu are taken",
			folder + at->len, size - 1);
		return false;
	}
	memset(out, 0, size);
	memcpy(out, at->file, folder);
	memcpy(out + folder, at->text, at->len);
	return true;
}

void read_path(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	value_path(r, at, field, key->max + 1);
}

static bool parse_mac(const char *text, uint8_t mac[6])
{
	for (unsigned i = 0; i < 6; i++, text += 3) {
		uint64_t v;
		char byte[] = {'0', 'x', text[0], text[0] != '\0' ? text[1] : '\0', '\0'};

		if (strlen(byte) != 4 || !schema_number(byte, &v) ||
			text[2] != (i < 5 ? ':' : '\0'))
			return false;
		mac[i] = v;
	}
	return true;
}

void read_mac(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	static const uint8_t zero[6];
	char quoted[REPORT_QUOTE];
	uint8_t mac[6];

	(void)key;
	if (!schema_is_scalar(r, at, "a MAC address"))
		return;
	if (!parse_mac(at->text, mac))
		report_error(r->report, at, "%s is no MAC address, \"02:00:00:00:00:01\" would be",
			report_quote(at, quoted));
	else if ((mac[0] & 1) != 0 || memcmp(mac, zero, sizeof(mac)) == 0)
		report_error(r->report, at,
			"%s is no station's address, the lowest bit of its first byte must be 0 "
			"and "
			"the whole not zero",
			report_quote(at, quoted));
	else
		memcpy(field, mac, sizeof(mac));
}

void read_provider(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	enum crypto_provider provider;
	char quoted[REPORT_QUOTE];

	(void)key;
	if (at->kind == YAML_MAP) {
		report_error(r->report, at,
			"a map of providers is for a later version, for now the name of one is "
			"wanted");
		return;
	}
	if (!schema_is_scalar(r, at, "the name of a provider"))
		return;
	if (crypto_provider_find(at->text, &provider) < 0) {
		report_error(r->report, at,
			"there is no provider %s, it is openssl, aesni_mb or qat",
			report_quote(at, quoted));
		return;
	}
	*(enum crypto_provider *)field = provider;
}

void read_fallback(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	if (at->kind == YAML_SCALAR && strcmp(at->text, "none") == 0)
		*(enum crypto_provider *)field = SA_NO_PROVIDER;
	else
		read_provider(r, at, key, field);
}
