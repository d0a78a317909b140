/* SPDX-License-Identifier: BSD-3-Clause */
/* exits.c - the table of exits, for displays. */
#include "exits.h"

static const struct {
	const char *name;
	enum exit_becomes becomes;
	const char *meaning;
} exits[EXIT_COUNT] = {
#define X(id, name, becomes, meaning) [EXIT_##id] = {name, EXIT_##becomes, meaning},
	EXITS(X)
#undef X
};

static const char *const becomes_names[] = {"drop", "punt", "reply"};

const char *exit_name(enum exit e)
{
	return exits[e].name;
}

enum exit_becomes exit_becomes(enum exit e)
{
	return exits[e].becomes;
}

const char *exit_becomes_name(enum exit e)
{
	return becomes_names[exits[e].becomes];
}

const char *exit_meaning(enum exit e)
{
	return exits[e].meaning;
}
