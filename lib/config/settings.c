/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - the sections that stand once: workers, crypto, spd, ike, icmp, reassembly, log and
 * control. All of them go straight into struct config. */
#include <string.h>

#include "sections.h"
#include "values.h"

#define AT(field) offsetof(struct config, field)

static void read_lcores(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = field;
	char quoted[REPORT_QUOTE];

	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		uint64_t v;

		if (!schema_is_scalar(r, n, "the number of an lcore"))
			continue;
		if (!schema_number(n->text, &v) || v >= CONFIG_LCORE_MAX) {
			report_error(r->report, n,
				"%s is no lcore, a number from 0 to %d is wanted",
				report_quote(n, quoted), CONFIG_LCORE_MAX - 1);
			continue;
		}
		for (unsigned i = 0; i < c->n_lcores; i++) {
			if (c->lcore[i] == v) {
				report_error(r->report, n,
					"lcore %u is listed twice, once is enough", c->lcore[i]);
				break;
			}
		}
		if (n->is_bad)
			continue;
		c->lcore[c->n_lcores++] = v;
	}
}

static const struct schema_key workers_keys[] = {
	{"lcores", CFG_LIST, 0, .read = read_lcores, .min = 1, .max = CONFIG_LCORE_MAX,
		.form = "a list of lcore numbers",
		.help = "left out: all but the main lcore and those that a device has taken"},
	{"burst", CFG_U16, AT(burst), .min = 1, .max = 256, .dflt = "64",
		.help = "packets taken from a port at once"},
	{"ledger", CFG_BOOL, AT(ledger), .dflt = "true",
		.help = "book the cycles of each stage for `aditctl workers`; costs 2 to 4 of a "
			"packet"},
};
const struct schema workers_schema = {
	"workers", "Who forwards packets.", SCHEMA_KEYS(workers_keys), .is_once = true};

static bool is_taken(const struct config *c, const char *device)
{
	for (unsigned p = 0; p < CRYPTO_PROVIDERS; p++)
		for (unsigned i = 0; i < c->devices[p].n; i++)
			if (strcmp(c->devices[p].name[i], device) == 0)
				return true;
	return false;
}

/* Several files' lists are joined; the array is as long as a list may be from the start. */
static void read_devices(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct config *c = r->config;
	enum crypto_provider p;

	(void)field;
	if (!schema_is_list(r, at, key) || crypto_provider_find(key->name, &p) < 0)
		return;
	if (c->devices[p].name == NULL)
		c->devices[p].name = arena_alloc(r->keep, CRYPTO_NAMED_MAX * CONFIG_NAME_MAX);
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		char quoted[REPORT_QUOTE];

		if (!schema_is_scalar(r, n, "the name of a device"))
			continue;
		if (n->len >= CONFIG_NAME_MAX)
			report_error(r->report, n,
				"%s is no device, up to %d characters are wanted",
				report_quote(n, quoted), CONFIG_NAME_MAX - 1);
		else if (is_taken(c, n->text))
			report_error(r->report, n, "%s is listed twice, once is enough",
				report_quote(n, quoted));
		else if (c->devices[p].name == NULL || c->devices[p].n == CRYPTO_NAMED_MAX)
			report_error(r->report, n,
				"there is no room for more devices, %d are taken",
				CRYPTO_NAMED_MAX);
		else
			memcpy(c->devices[p].name[c->devices[p].n++], n->text, n->len + 1);
	}
}

#define DEVICES(provider)                                                                          \
	{                                                                                          \
		provider, CFG_LIST, 0, .read = read_devices, .min = 1, .max = CRYPTO_NAMED_MAX,    \
				       .form = "a list of device names",                           \
				       .help = "devices that it runs on instead of its own"        \
	}
static const struct schema_key devices_keys[] = {
	DEVICES("openssl"),
	DEVICES("aesni_mb"),
	DEVICES("qat"),
};
static const struct schema devices_schema = {"crypto.devices",
	"A provider on named devices; everything printed then says so.", SCHEMA_KEYS(devices_keys),
	.is_once = true};

static void read_in_flight(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char quoted[REPORT_QUOTE];
	uint64_t v;

	if (!schema_is_scalar(r, at, key->form))
		return;
	if (!schema_number(at->text, &v) || v < key->min || v > key->max || (v & (v - 1)) != 0)
		report_error(r->report, at, "%s is not taken, %s is wanted",
			report_quote(at, quoted), key->form);
	else
		*(uint32_t *)field = v;
}

static const struct schema_key crypto_keys[] = {
	{"provider", CFG_CUSTOM, AT(provider), .read = read_provider, .dflt = "aesni_mb",
		.form = "openssl, aesni_mb or qat", .help = "of SAs that name none"},
	{"fallback", CFG_CUSTOM, AT(fallback), .read = read_fallback, .dflt = "none",
		.form = "openssl, aesni_mb, qat or none",
		.help = "of SAs that name none, where their provider cannot"},
	{"devices", CFG_SECTION, 0, .section = &devices_schema,
		.help = "devices that a provider runs on"},
	{"in_flight", CFG_CUSTOM, AT(in_flight), .read = read_in_flight, .min = 16, .max = 4096,
		.dflt = "2048", .form = "a power of 2 from 16 to 4096",
		.help = "operations per worker and device"},
	{"proof_every", CFG_U32, AT(proof_every), .max = 1000000, .dflt = "1024",
		.help = "of so many packets that a lookaside device does, one is done by the SA's "
			"fallback too, and compared; 0: none"},
};
const struct schema crypto_schema = {
	"crypto", "Who does the crypto.", SCHEMA_KEYS(crypto_keys), .is_once = true};

static void read_builtin(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	static const char *const names[] = {"arp", "nd", "ike"};
	struct config_builtin *b = field;
	bool *flags[] = {&b->arp, &b->nd, &b->ike};
	char quoted[REPORT_QUOTE];

	if (!schema_is_list(r, at, key))
		return;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		unsigned i = 0;

		if (!schema_is_scalar(r, n, "arp, nd or ike"))
			continue;
		while (i < 3 && strcmp(names[i], n->text) != 0)
			i++;
		if (i == 3)
			report_error(r->report, n,
				"%s is no built-in entry, arp, nd and ike are; [] turns all off",
				report_quote(n, quoted));
		else
			*flags[i] = true;
	}
}

static const struct schema_key spd_keys[] = {
	{"builtin", CFG_LIST, AT(builtin), .read = read_builtin,
		.form = "a list of arp, nd and ike",
		.help = "built-in entries in force, before all policies; left out: all three; []: "
			"none"},
};
const struct schema spd_schema = {"spd", "Entries that are there without being written.",
	SCHEMA_KEYS(spd_keys), .is_once = true};

static void read_xfrm(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char quoted[REPORT_QUOTE];

	(void)field;
	if (!schema_is_scalar(r, at, key->form) || strcmp(at->text, "false") == 0)
		return;
	if (strcmp(at->text, "true") == 0)
		report_error(r->report, at, "not supported yet, for now only false is");
	else
		report_error(r->report, at, "%s is not taken, %s is wanted",
			report_quote(at, quoted), key->form);
}

static const struct schema_key ike_keys[] = {
	{"xfrm", CFG_CUSTOM, 0, .read = read_xfrm, .dflt = "false", .form = "true or false",
		.help = "takes SAs and policies of the kernel; true is not supported yet"},
};
const struct schema ike_schema = {"ike", "The IKE daemon.", SCHEMA_KEYS(ike_keys), .is_once = true};

static void read_from_unprotected(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char quoted[REPORT_QUOTE];

	if (!schema_is_list(r, at, key))
		return;
	*(bool *)field = false;
	for (struct yaml_node *n = at->first; n != NULL; n = n->next) {
		if (!schema_is_scalar(r, n, "too-big"))
			continue;
		if (strcmp(n->text, "too-big") == 0)
			*(bool *)field = true;
		else
			report_error(r->report, n,
				"%s is no type that is believed, too-big is; [] "
				"believes none",
				report_quote(n, quoted));
	}
	report_warning(r->report, at,
		"ICMP errors from the unprotected side are not read yet, this has no effect for "
		"now");
}

static const struct schema_key icmp_keys[] = {
	{"rate", CFG_U32, AT(icmp_rate), .max = 1000000, .dflt = "100",
		.help = "replies a second; 0: none"},
	{"from_unprotected", CFG_LIST, AT(icmp_too_big_from_unprotected),
		.read = read_from_unprotected, .form = "a list: too-big, or nothing",
		.help = "ICMP errors to us that are believed (RFC 4301 6.1); left out: [too-big]. "
			"Not read yet"},
};
const struct schema icmp_schema = {
	"icmp", "ICMP to and from the gateway.", SCHEMA_KEYS(icmp_keys), .is_once = true};

static const struct schema_key reassembly_keys[] = {
	{"contexts", CFG_U32, AT(reassembly_contexts), .max = 65536, .dflt = "1024",
		.help = "packets in pieces at once"},
	{"timeout_ms", CFG_U32, AT(reassembly_timeout_ms), .min = 1, .max = 60000, .dflt = "1000",
		.help = "how long a piece waits for the others"},
};
const struct schema reassembly_schema = {"reassembly",
	"Fragmented ESP (RFC 4303 3.4.1). Read and checked; no effect for now.",
	SCHEMA_KEYS(reassembly_keys), .is_once = true};

static const struct schema_word levels[] = {{"error", LEVEL_ERROR}, {"warning", LEVEL_WARNING},
	{"notice", LEVEL_NOTICE}, {"info", LEVEL_INFO}, {"debug", LEVEL_DEBUG}, {NULL, 0}};
static const struct schema_word targets[] = {{"stderr", LOG_TO_STDERR}, {"syslog", LOG_TO_SYSLOG},
	{"journal", LOG_TO_JOURNAL}, {NULL, 0}};

static const struct schema_key log_keys[] = {
	{"level", CFG_WORD, AT(log_level), .words = levels, .dflt = "notice",
		.help = "what is worth a line"},
	{"to", CFG_WORD, AT(log_to), .words = targets, .dflt = "stderr", .help = "where it goes"},
};
const struct schema log_schema = {"log", "Messages.", SCHEMA_KEYS(log_keys), .is_once = true};

/* Octal, as chmod(1) takes it. */
static void read_mode(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char quoted[REPORT_QUOTE];
	mode_t mode = 0;
	bool good = at->kind == YAML_SCALAR && (at->len == 3 || (at->len == 4 && *at->text == '0'));

	if (!schema_is_scalar(r, at, key->form))
		return;
	for (const char *c = at->text; *c != '\0'; c++) {
		good &= *c >= '0' && *c <= '7';
		mode = mode << 3 | (*c & 7);
	}
	if (good)
		*(mode_t *)field = mode;
	else
		report_error(r->report, at, "%s is no mode, %s is wanted", report_quote(at, quoted),
			key->form);
}

static const struct schema_key control_keys[] = {
	{"socket", CFG_CUSTOM, AT(control_socket), .read = read_path,
		.max = sizeof(((struct config *)0)->control_socket) - 1,
		.dflt = "/run/adit/control",
		.form = "a path of up to 107 bytes; relative: to the folder of this file",
		.help = "where aditctl finds the gateway"},
	{"mode", CFG_CUSTOM, AT(control_mode), .read = read_mode, .dflt = "0660",
		.form = "an octal mode from 0000 to 0777", .help = "of the socket"},
	{"group", CFG_NAME, AT(control_group),
		.help = "that the socket belongs to; left out: that of the process"},
};
const struct schema control_schema = {
	"control", "The control socket.", SCHEMA_KEYS(control_keys), .is_once = true};
