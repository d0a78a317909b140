/* SPDX-License-Identifier: BSD-3-Clause */
/* config.c - the top of the file, and the order in which files are read, joined and checked. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sections.h"
#include "values.h"

static void read_version(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char quoted[REPORT_QUOTE];

	(void)field;
	if (schema_is_scalar(r, at, key->form) && strcmp(at->text, "1") != 0)
		report_error(r->report, at, "version %s of the config file is not known here, 1 is",
			report_quote(at, quoted));
}

#define AT(field) offsetof(struct config, field)
#define SECTION(key, text)                                                                         \
	{                                                                                          \
#key, CFG_SECTION, 0, .section = &key##_schema, .help = (text)                     \
	}
#define LIST(key, reader, text)                                                                    \
	{                                                                                          \
#key, CFG_LIST, 0, .read = (reader), .help = (text)                                \
	}

static const struct schema_key keys[] = {
	{"version", CFG_CUSTOM, 0, .read = read_version, .per_file = true, .form = "1",
		.help = "of this format; needed, in one of the files at least"},
	SECTION(workers, "who forwards packets"),
	LIST(ports, read_ports, "NICs and virtual devices; at least one"),
	SECTION(crypto, "who does the crypto"),
	SECTION(spd, "built-in policies"),
	LIST(sas, read_sas, "security associations; up to 65535"),
	LIST(policies, read_policies, "the security policy database; up to 65535"),
	LIST(routes, read_routes, "where packets go"),
	LIST(neighbours, read_neighbours, "static neighbours; up to 32767"),
	SECTION(ike, "the IKE daemon"),
	SECTION(icmp, "ICMP to and from the gateway"),
	SECTION(reassembly, "fragmented ESP"),
	SECTION(log, "messages"),
	SECTION(control, "the control socket"),
	{"state_dir", CFG_CUSTOM, AT(state_dir), .read = read_path,
		.max = sizeof(((struct config *)0)->state_dir) - 1, .dflt = "/var/lib/adit",
		.form = "a path of up to 255 bytes; relative: to the folder of this file",
		.help = "where the lease journal is"},
};
const struct schema root_schema = {
	"the file", "The top of the file.", SCHEMA_KEYS(keys), .is_once = true};

/* Room for all items of a list in all files. Keys stand in them, so arrays never grow. */
static int make_room(struct reader *r, const char *section, uint32_t max, size_t size, void **items,
	struct yaml_node ***at)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < r->n_roots; i++) {
		struct yaml_node *list = yaml_child(r->root[i], section);

		if (list == NULL || list->kind != YAML_LIST)
			continue;
		if (n + list->n > max) {
			report_error(r->report, list,
				"with these there are %llu items, up to %u are taken",
				(unsigned long long)(n + list->n), max);
			continue;
		}
		n += list->n;
	}
	*items = arena_alloc(r->keep, n * size + 1);
	*at = arena_alloc(r->scratch, n * sizeof(**at) + 1);
	return *items != NULL && *at != NULL ? 0 : -ENOMEM;
}

static int make_rooms(struct reader *r)
{
	struct config *c = r->config;
	int rc;

	rc = make_room(r, "ports", PORTS_MAX, sizeof(*c->ports), (void **)&c->ports, &r->port_at);
	rc |= make_room(r, "sas", SAS_MAX, sizeof(*c->sas), (void **)&c->sas, &r->sa_at);
	rc |= make_room(r, "policies", SPD_POLICIES_MAX, sizeof(*c->policies),
		(void **)&c->policies, &r->policy_at);
	rc |= make_room(
		r, "routes", ROUTES_MAX, sizeof(*c->routes), (void **)&c->routes, &r->route_at);
	rc |= make_room(r, "neighbours", NEIGHBOURS_MAX, sizeof(*c->neighbours),
		(void **)&c->neighbours, &r->neighbour_at);
	return rc;
}

static bool is_given(const struct reader *r, const char *section, const char *key)
{
	for (unsigned i = 0; i < r->n_roots; i++) {
		const struct yaml_node *n = yaml_child(r->root[i], section);

		if (n != NULL && (key == NULL || yaml_child(n, key) != NULL))
			return true;
	}
	return false;
}

static void set_defaults(struct reader *r)
{
	bool all = !is_given(r, "spd", "builtin");

	schema_defaults(r, &root_schema, r->config);
	r->config->builtin = (struct config_builtin){all, all, all};
	r->config->icmp_too_big_from_unprotected = true;
}

static void check_top(struct reader *r)
{
	for (unsigned i = 0; i < r->n_roots; i++) {
		struct yaml_node *n = yaml_child(r->root[i], "reassembly");

		if (n != NULL)
			report_warning(r->report, n,
				"fragmented ESP is not put together yet, this has no effect for "
				"now");
	}
	if (!is_given(r, "version", NULL) && !r->is_cut)
		report_error(r->report, r->root[0],
			"the key 'version' is missing, write 'version: 1' at the top");
}

static int load(struct reader *r, const char *const files[], unsigned n)
{
	int rc;

	r->root = arena_alloc(r->scratch, (n + 1) * sizeof(*r->root));
	if (r->root == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		/* sources point to it as long as the config lives */
		const char *path = arena_text(r->keep, files[i], strlen(files[i]));

		if (path == NULL)
			return -ENOMEM;
		if (!yaml_read(r->scratch, r->report, path, &r->root[r->n_roots]))
			r->is_cut = true;
		if (r->root[r->n_roots] == NULL)
			continue;
		r->is_cut |= r->root[r->n_roots]->kind != YAML_MAP;
		r->n_roots++;
	}
	if (r->n_roots == 0)
		return 0;
	rc = make_rooms(r);
	if (rc < 0)
		return rc;
	set_defaults(r);
	for (unsigned i = 0; i < r->n_roots; i++)
		schema_read(r, &root_schema, r->root[i], r->config);
	check_top(r);
	check_config(r);
	check_sas(r);
	return 0;
}

int config_load(const char *const files[], unsigned n, struct config *out, struct config_report *to)
{
	struct arena scratch = {NULL}, *keep = calloc(1, sizeof(*keep));
	struct report report = {.out = to, .files = files, .n_files = n};
	struct reader r = {.report = &report, .scratch = &scratch, .keep = keep, .config = out};
	unsigned errors = to->errors;
	int rc = -ENOMEM;

	*out = (struct config){.arena = keep};
	if (n == 0)
		rc = -EINVAL;
	else if (keep != NULL)
		rc = load(&r, files, n);
	arena_close(&scratch);
	report_flush(&report);
	if (rc == 0 && to->errors != errors)
		rc = -EINVAL;
	if (rc < 0)
		config_close(out);
	return rc;
}

void config_close(struct config *config)
{
	if (config->arena != NULL)
		arena_close(config->arena);
	free(config->arena);
	*config = (struct config){0};
}
