/* SPDX-License-Identifier: BSD-3-Clause */
/* config_fixture.h - loads config files from strings and holds what was said to a table. */
#pragma once

#include <check.h>

#include "config.h"

struct config_test {
	const TTest *test;
	unsigned n; /* rows of its table; 0: it has none */
};

/* What main() returns. The tests run in a folder of their own. */
int config_fixture_run(const char *suite, const struct config_test *tests, unsigned n);

void config_fixture_write(const char *name, const char *text, unsigned mode);

struct config_loaded {
	int rc;
	unsigned errors, warnings;
	char said[65536]; /* all lines; the files are a.yaml, b.yaml, ... */
	struct config config;
};

/* Loads n texts as the files a.yaml, b.yaml, ...; config_close() is due where rc is 0. */
struct config_loaded *config_fixture_load(unsigned n, ...);

/* A file and the beginning of each line that is said about it, "a.yaml:" left out. */
struct config_case {
	const char *about;
	const char *yaml;
	const char *says[6];
};

/* Says exactly this, fails exactly where an error is among it, and shows nothing of a key. */
void config_fixture_hold(const struct config_case *c);

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* What most cases begin with: lines 1 to 4. */
#define PORTS                                                                                      \
	"version: 1\n"                                                                             \
	"ports:\n"                                                                                 \
	"  - {name: lan, device: d0, side: protected, addresses: [10.1.0.1/24]}\n"                 \
	"  - {name: wan, device: d1, side: unprotected, addresses: [192.0.2.1/24]}\n"

/* The keys in all cases have one of these in them. */
#define KEY_HEAD "000102030405"
#define KEY_20   "0x" KEY_HEAD "060708090a0b0c0d0e0f10111213"
