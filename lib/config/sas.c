/* SPDX-License-Identifier: BSD-3-Clause */
/* sas.c - the section sas. */
#include "sas.h"

#include <string.h>

#include "values.h"

enum { MODE_TUNNEL, MODE_TRANSPORT };
enum { FRAGMENT_NO, FRAGMENT_AFTER, FRAGMENT_BEFORE };

static void read_outer(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	(void)key;
	if (at->kind != YAML_SCALAR || strcmp(at->text, "any") != 0)
		value_address(r, at, field);
}

/* "value" or "value/mask", 32 bits each. */
static void read_mark(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char value[24], quoted[REPORT_QUOTE];
	const char *slash;
	uint64_t v, mask = UINT32_MAX;
	size_t n;

	if (!schema_is_scalar(r, at, key->form))
		return;
	slash = strchr(at->text, '/');
	n = slash != NULL ? (size_t)(slash - at->text) : at->len;
	snprintf(value, sizeof(value), "%.*s", (int)(n < 24 ? n : 24), at->text);
	if (n >= sizeof(value) || !schema_number(value, &v) || v > UINT32_MAX ||
		(slash != NULL && (!schema_number(slash + 1, &mask) || mask > UINT32_MAX))) {
		report_error(r->report, at, "%s is no mark, %s is wanted", report_quote(at, quoted),
			key->form);
		return;
	}
	*(uint64_t *)field = v == 0 && slash == NULL ? 0 : mask << 32 | v;
}

static const struct schema_word directions[] = {{"out", SA_OUT}, {"in", SA_IN}, {NULL, 0}};
static const struct schema_word lookups[] = {
	{"spi", SA_LOOKUP_SPI},
	{"spi-dst", SA_LOOKUP_SPI_DST},
	{"spi-dst-src", SA_LOOKUP_SPI_DST_SRC},
	{NULL, 0},
};
static const struct schema_word modes[] = {
	{"tunnel", MODE_TUNNEL}, {"transport", MODE_TRANSPORT}, {NULL, 0}};
static const struct schema_word dfs[] = {
	{"copy", SA_DF_COPY}, {"set", SA_DF_SET}, {"clear", SA_DF_CLEAR}, {NULL, 0}};
static const struct schema_word ecns[] = {
	{"normal", SA_ECN_NORMAL}, {"compat", SA_ECN_COMPAT}, {"off", SA_ECN_OFF}, {NULL, 0}};
static const struct schema_word fragments[] = {
	{"after", FRAGMENT_AFTER}, {"before", FRAGMENT_BEFORE}, {"no", FRAGMENT_NO}, {NULL, 0}};
static const struct schema_word dscp_words[] = {{"copy", SA_DSCP_COPY}, {NULL, 0}};
static const struct schema_word label_words[] = {{"copy", SA_FLOW_LABEL_COPY}, {NULL, 0}};
static const struct schema_word mtu_words[] = {{"auto", 0}, {NULL, 0}};

#define DRAFT(field) offsetof(struct sa_draft, field)
#define SPEC(field)  offsetof(struct sa_draft, spec.field)

static const struct schema_key sequence_keys[] = {
	/* one less than the greatest, so that one past the last can be written too */
	{"next", CFG_U64, SPEC(seq_next), .min = 1, .max = UINT64_MAX - 1, .dflt = "1",
		.help = "out only: the number to go on with, where the lease journal is not "
			"further"},
	{"top", CFG_U64, SPEC(seq_top), .max = UINT64_MAX - 1, .dflt = "0",
		.help = "in only: the highest number that counts as seen"},
};
static const struct schema sequence_schema = {"sas[].sequence",
	"Where an SA begins to count; for migrations and tests.", SCHEMA_KEYS(sequence_keys)};

static const struct schema_key encap_keys[] = {
	{"sport", CFG_U16, DRAFT(encap.sport), .min = 1, .max = 65535, .dflt = "4500",
		.help = "UDP source port"},
	{"dport", CFG_U16, DRAFT(encap.dport), .min = 1, .max = 65535, .dflt = "4500",
		.help = "UDP destination port"},
	{"strict", CFG_BOOL, DRAFT(encap.strict), .dflt = "false",
		.help = "in: ESP without UDP is refused"},
};
static const struct schema encap_schema = {
	"sas[].encap", "ESP in UDP (RFC 3948).", SCHEMA_KEYS(encap_keys)};

#define LIFE(field) CFG_U64, DRAFT(lifetime.field), .max = UINT64_MAX, .dflt = "0", .later = true

static const struct schema_key lifetime_keys[] = {
	{"soft_bytes", LIFE(soft_bytes), .help = "an event when so much has gone through; 0: none"},
	{"hard_bytes", LIFE(hard_bytes), .help = "the SA ends"},
	{"soft_packets", LIFE(soft_packets), .help = "an event"},
	{"hard_packets", LIFE(hard_packets), .help = "the SA ends"},
	{"soft_seconds", LIFE(soft_seconds), .help = "an event, so long after the SA was added"},
	{"hard_seconds", LIFE(hard_seconds), .help = "the SA ends"},
};
static const struct schema lifetime_schema = {
	"sas[].lifetime", "When an SA ends (RFC 4301 4.4.2.1).", SCHEMA_KEYS(lifetime_keys)};

#define PATH_FORM  "a path; relative: to the folder of this file"
#define KEY_FORM   "text of 0x and hex digits"
#define READ_NAMED .read = read_algorithm, .form = "the name of an algorithm"

static const struct schema_key keys[] = {
	{"name", CFG_NAME, SPEC(name), .required = true, .help = "our name for it"},
	{"direction", CFG_WORD, SPEC(direction), .words = directions, .required = true,
		.help = "out: encrypts; in: decrypts"},
	{"spi", CFG_U32, SPEC(spi), .min = SA_SPI_MIN, .max = UINT32_MAX, .required = true,
		.form = "a number from 256 to 4294967295 (RFC 4303 2.1 reserves 0 to 255)",
		.help = "index on the wire"},
	{"src", CFG_CUSTOM, SPEC(src), .read = read_outer, .form = "an address or any",
		.help = "outer source, as on the wire; out: needed; in: default any"},
	{"dst", CFG_CUSTOM, SPEC(dst), .read = read_outer, .form = "an address or any",
		.help = "outer destination, as on the wire; out: needed; in: default any"},
	{"lookup", CFG_WORD, SPEC(lookup), .words = lookups,
		.help = "in only: what finds the SA, the longest match wins (RFC 4301 4.1); "
			"default "
			"spi-dst where dst is an address, else spi"},
	{"reqid", CFG_U32, SPEC(reqid), .min = 1, .max = UINT32_MAX, .required = true,
		.help = "ties SAs to policies, as in ip xfrm"},
	{"mode", CFG_WORD, DRAFT(mode), .words = modes, .dflt = "tunnel", .later = true,
		.help = "transport: not supported yet"},
	{"aead", CFG_CUSTOM, SPEC(crypto.aead), .min = ALGORITHM_AEAD, READ_NAMED,
		.help = "encrypts and authenticates; or cipher and auth"},
	{"cipher", CFG_CUSTOM, SPEC(crypto.cipher), .min = ALGORITHM_CIPHER, READ_NAMED,
		.help = "encrypts; needs auth"},
	{"auth", CFG_CUSTOM, SPEC(crypto.auth), .min = ALGORITHM_AUTH, READ_NAMED,
		.help = "authenticates"},
	{"key", CFG_CUSTOM, SPEC(crypto.key), .read = read_key, .form = KEY_FORM,
		.help = "of the AEAD or the cipher; for an AEAD and CTR the salt follows (RFC 4106 "
			"8.1)"},
	{"key_file", CFG_CUSTOM, SPEC(crypto.key), .read = read_key_file, .form = PATH_FORM,
		.help = "instead of key: a file of mode 0600 or 0400 with the same text in it"},
	{"auth_key", CFG_CUSTOM, SPEC(crypto.auth_key), .read = read_key, .form = KEY_FORM,
		.help = "of auth"},
	{"auth_key_file", CFG_CUSTOM, SPEC(crypto.auth_key), .read = read_key_file,
		.form = PATH_FORM, .help = "instead of auth_key"},
	{"esn", CFG_BOOL, SPEC(esn), .dflt = "true",
		.help = "64-bit sequence numbers (RFC 4303 2.2.1); both ends must agree"},
	{"replay_window", CFG_U32, SPEC(window), .max = SA_WINDOW_MAX, .dflt = "1024",
		.help = "in only; packets; 0 turns it off"},
	{"sequence", CFG_SECTION, 0, .section = &sequence_schema, .help = "where to begin"},
	{"encap", CFG_SECTION, 0, .section = &encap_schema, .later = true,
		.help = "ESP in UDP; not supported yet"},
	{"provider", CFG_CUSTOM, SPEC(provider), .read = read_provider, .form = "a provider's name",
		.help = "who does the crypto; default crypto.provider"},
	{"fallback", CFG_CUSTOM, SPEC(fallback), .read = read_fallback,
		.form = "a provider's name or none",
		.help = "who does it where the provider cannot; default crypto.fallback"},
	{"df", CFG_WORD, SPEC(df), .words = dfs, .dflt = "copy",
		.help = "out: DF of an outer IPv4 header"},
	{"dscp", CFG_U8, SPEC(dscp), .max = 63, .words = dscp_words, .dflt = "copy",
		.help = "out: of the outer header"},
	{"ecn", CFG_WORD, SPEC(ecn), .words = ecns, .dflt = "normal",
		.help = "RFC 6040; off: neither copied out nor in"},
	{"flow_label", CFG_U32, SPEC(flow_label), .max = 0xfffff, .words = label_words,
		.dflt = "copy", .help = "out: of an outer IPv6 header"},
	{"outer_ttl", CFG_U8, SPEC(outer_ttl), .min = 1, .max = 255, .dflt = "64",
		.help = "out: TTL or hop limit of the outer header"},
	{"mtu", CFG_U16, SPEC(mtu), .min = MTU_MIN_V4, .max = MTU_MAX, .words = mtu_words,
		.dflt = "auto",
		.help = "out: of the path; auto: the port's and what the path tells; at least 1280 "
			"with outer IPv6"},
	{"fragment", CFG_WORD, DRAFT(fragment), .words = fragments, .dflt = "no", .later = true,
		.help = "out: what is too big and has DF clear; no: an ICMP error goes back. The "
			"others are not supported yet; left out it is no for now"},
	{"mss_clamp", CFG_BOOL, DRAFT(mss_clamp), .dflt = "false", .later = true,
		.help = "out: true is not supported yet"},
	{"tfc_pad_to", CFG_U16, DRAFT(tfc_pad_to), .max = MTU_MAX, .dflt = "0", .later = true,
		.help = "out: bytes; other than 0 is not supported yet"},
	{"lifetime", CFG_SECTION, 0, .section = &lifetime_schema,
		.help = "other than 0 is not supported yet"},
	{"mark", CFG_CUSTOM, SPEC(mark), .read = read_mark, .dflt = "0",
		.form = "a 32-bit number, or number/mask", .help = "carried for the kernel mirror"},
	{"if_id", CFG_U32, SPEC(if_id), .max = UINT32_MAX, .dflt = "0",
		.help = "carried for the kernel mirror"},
};

const struct schema sa_schema = {"sas[]", "Security associations.", SCHEMA_KEYS(keys)};

static void read_sa(struct reader *r, struct yaml_node *at, struct sa_spec *out)
{
	struct sa_draft draft = {0};

	draft.spec.source = (struct source){at->file, at->line};
	draft.spec.provider = draft.spec.fallback = SA_NO_PROVIDER;
	schema_defaults(r, &sa_schema, &draft);
	schema_read(r, &sa_schema, at, &draft);
	if (at->kind == YAML_MAP) {
		sa_check_keys(r, at, &draft);
		sa_check_rules(r, at, &draft);
	}
	draft.spec.crypto.esn = draft.spec.esn;
	*out = draft.spec;
	explicit_bzero(&draft, sizeof(draft));
}

void read_sas(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;

	(void)field;
	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		if (!n->is_whole)
			continue;
		read_sa(r, n, &c->sas[c->n_sas]);
		r->sa_at[c->n_sas++] = n;
	}
}
