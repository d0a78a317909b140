/* SPDX-License-Identifier: BSD-3-Clause */
/* test_config_secrets.c - no copy of a key stays in memory: what the parser had is wiped. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config_fixture.h"

#define DIGITS 40

/* A search through all memory is what an address sanitizer forbids. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define CAN_SEARCH false
#else
#define CAN_SEARCH true
#endif
#define SKIPPED 77 /* what meson takes for skipped */

/* Where the key stands in the file: %s. */
static const struct {
	const char *about, *yaml;
	bool good;
} cases[] = {
	{"plain", "    aead: aes-128-gcm\n    key: 0x%s\n", true},
	{"double quotes", "    aead: aes-128-gcm\n    key: \"0x%s\"\n", true},
	{"an escape", "    aead: aes-128-gcm\n    key: \"\\x30x%s\"\n", true},
	{"single quotes", "    aead: aes-128-gcm\n    key: '0x%s'\n", true},
	{"folded", "    aead: aes-128-gcm\n    key: >-\n      0x%s\n", true},
	{"malformed", "    aead: aes-128-gcm\n    key: 0x%sx\n", false},
	{"too long by a byte", "    aead: aes-128-gcm\n    key: 0x00%s\n", false},
	{"under another name", "    aead: aes-128-gcm\n    keys: 0x%s\n", false},
	{"as a key", "    0x%s: 1\n", false},
	{"where a number stands", "    if_id: 0x%s\n", false},
	{"in a list", "    key: [0x%s]\n", false},
	{"with an anchor", "    aead: aes-128-gcm\n    key: &k 0x%s\n    auth_key: *k\n", false},
	{"as an anchor", "    aead: aes-128-gcm\n    key: &%s 1\n", false},
	{"as an alias", "    aead: aes-128-gcm\n    key: *%s\n", false},
	{"as a tag", "    aead: aes-128-gcm\n    key: !%s 1\n", false},
	{"as a tag's prefix", "    aead: aes-128-gcm\n    key: !%s!x 1\n", false},
	{"before a syntax error", "    aead: aes-128-gcm\n    key: 0x%s\n   x\n", false},
	{"in a syntax error", "    aead: aes-128-gcm\n    key: \"0x%s\\q\"\n", false},
	{"without a colon", "    aead: aes-128-gcm\n    key 0x%s\n", false},
	{"in a block's head", "    aead: aes-128-gcm\n    key: |%s\n", false},
};

/* Made when it is needed, so that the program itself has no copy. */
static void make_digits(char out[DIGITS + 1])
{
	for (unsigned i = 0; i < DIGITS; i++)
		out[i] = "0123456789abcdef"[(i * 7 + i / 5 + 3) % 16];
	out[DIGITS] = '\0';
}

/* Whether the writable memory of this process, its stacks left out, has the bytes. */
static bool memory_has(const void *needle, size_t len)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;

	while (fgets(line, sizeof(line), maps) != NULL) {
		unsigned long from, to;
		char mode[5];

		if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3 || mode[0] != 'r' ||
			mode[1] != 'w' || strstr(line, "[stack]") != NULL)
			continue;
		found |= memmem((void *)from, to - from, needle, len) != NULL;
	}
	fclose(maps);
	return found;
}

static void write_case(unsigned i, const char *digits)
{
	char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		PORTS "sas:\n  - name: a\n    direction: in\n    spi: 256\n    reqid: 1\n");
	snprintf(yaml + strlen(yaml), sizeof(yaml) - strlen(yaml), cases[i].yaml, digits);
	config_fixture_write("k.yaml", yaml, 0600);
	explicit_bzero(yaml, sizeof(yaml));
}

START_TEST(no_copy_of_a_key_stays)
{
	const char *file = "k.yaml";
	char digits[DIGITS + 1];
	char said[4096] = "";
	struct config_report report = {.to = fmemopen(said, sizeof(said), "w")};
	struct config c;
	struct key key;
	int rc;

	make_digits(digits);
	write_case(_i, digits);
	rc = config_load(&file, 1, &c, &report);
	fclose(report.to);
	ck_assert_msg((rc == 0) == cases[_i].good, "%s: %s", cases[_i].about, said);
	make_digits(digits);
	/* half of it would be bad enough; free() writes over the beginning of a block itself */
	ck_assert_msg(!memory_has(digits + DIGITS / 2, DIGITS / 2), "%s: text", cases[_i].about);
	ck_assert_msg(strstr(said, digits) == NULL, "%s: %s", cases[_i].about, said);
	if (rc == 0)
		ck_assert_msg(memory_has(c.sas[0].crypto.key.bytes, 20), "the search finds it");
	config_close(&c);
	/* on the stack, where the search does not go */
	for (unsigned i = 0; i < 20; i++) {
		char byte[3] = {digits[2 * i], digits[2 * i + 1], '\0'};

		key.bytes[i] = strtoul(byte, NULL, 16);
	}
	ck_assert_msg(!memory_has(key.bytes + 10, 10), "%s: bytes", cases[_i].about);
}
END_TEST

int main(void)
{
	const struct config_test tests[] = {
		{no_copy_of_a_key_stays, COUNT(cases)},
	};

	if (!CAN_SEARCH)
		return SKIPPED;
	return config_fixture_run("config_secrets", tests, COUNT(tests));
}
