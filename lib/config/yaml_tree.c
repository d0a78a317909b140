/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_tree.c - finds nodes by their key, and says where a node is in words. */
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "yaml.h"

struct yaml_node *yaml_child(const struct yaml_node *map, const char *key)
{
	for (struct yaml_node *n = map->first; n != NULL; n = n->next)
		if (n->key != NULL && strcmp(n->key, key) == 0)
			return n;
	return NULL;
}

const char *yaml_where(const struct yaml_node *n, char *buf, size_t size)
{
	const struct yaml_node *name;
	size_t len;

	if (n->parent == NULL) {
		snprintf(buf, size, "file");
		return buf;
	}
	if (n->parent->parent == NULL)
		*buf = '\0';
	else
		yaml_where(n->parent, buf, size);
	len = strlen(buf);
	if (n->key != NULL) {
		char quoted[REPORT_QUOTE];

		snprintf(buf + len, size - len, "%s%s", len > 0 ? "." : "",
			report_word(n->key, quoted));
		return buf;
	}
	snprintf(buf + len, size - len, "[%u]", n->index);
	name = n->kind == YAML_MAP ? yaml_child(n, "name") : NULL;
	if (name != NULL && name->kind == YAML_SCALAR && name->len > 0) {
		char quoted[REPORT_QUOTE];

		len = strlen(buf);
		snprintf(buf + len, size - len, " (%s)", report_word(name->text, quoted));
	}
	return buf;
}
