/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_config.c - loads config files that were damaged at random, the same way in every run.
 *
 *   fuzz_config ROUNDS SEED FILE...
 *
 * It must not crash, must say something exactly where it refuses, and each line must have its place.
 * Meant for a build with sanitizers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"

#define SIZE_MAX_FUZZ (64 * 1024)

/* Pieces of files that a mutation puts in. */
static const char *const words[] = {"sas:\n", "policies:\n", "ports:\n", "routes:\n",
	"neighbours:\n", "  - {", "}", "[", "]", ", ", ": ", "- ", "\n", "\r\n", "\t", "  ", "#",
	"\"", "'", "|\n", ">\n", "&a ", "*a", "!t ", "? ", "---\n", "...\n", "%YAML 1.1\n", "any",
	"none", "auto", "copy", "opaque", "true", "false", "null", "~", "-1", "0", "1", "65535",
	"65536", "4294967295", "18446744073709551615", "0x", "0xffffffffffffffff", "0-65535", "9-5",
	"10.0.0.0/8", "10.0.0.1-10.0.0.9", "::/0", "::1", "key: 0x00\n", "key_file: /dev/null\n",
	"vlan: [1, 2]\n", "mode: transport\n", "encap: {sport: 1}\n", "lifetime: {hard_bytes: 1}\n",
	"sequence: {next: 5, top: 6}\n", "cipher: aes-128-ctr\n", "auth: hmac-sha1-96\n",
	"aead: aes-256-gcm\n", "protocol: icmp\n", "icmp_type: 8\n", "dst_ports: [1, 5-9]\n",
	"via: [10.0.0.1, 10.0.0.2]\n", "blackhole: true\n", "direction: in\n", "src: any\n",
	"crypto: {devices: {qat: [a, b]}}\n", "workers: {lcores: [1, 2]}\n", "spd: {builtin: []}\n",
	"control: {mode: 0777, socket: x}\n", "\xc3\xa9", "\xff", "\x01"};

static uint64_t state;

/* splitmix64 */
static uint32_t below(uint32_t n)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return n == 0 ? 0 : (z ^ z >> 31) % n;
}

static size_t replace(
	char *text, size_t n, size_t at, size_t gone, const char *with, size_t with_len)
{
	if (n - gone + with_len > SIZE_MAX_FUZZ)
		return n;
	memmove(text + at + with_len, text + at + gone, n - at - gone);
	memcpy(text + at, with, with_len);
	return n - gone + with_len;
}

static size_t mutate(char *text, size_t n)
{
	static char piece[512];
	size_t at = below(n + 1), len = below(n - at < 64 ? n - at + 1 : 64);
	const char *word = words[below(sizeof(words) / sizeof(words[0]))];

	switch (below(6)) {
	case 0: /* a bit flips */
		if (at < n)
			text[at] ^= 1 << below(8);
		return n;
	case 1: return replace(text, n, at, len, "", 0);
	case 2: return replace(text, n, at, 0, word, strlen(word));
	case 3: return replace(text, n, at, len, word, strlen(word));
	case 4: /* a piece of it once more, elsewhere */
		memcpy(piece, text + at, len);
		return replace(text, n, below(n + 1), 0, piece, len);
	default: return below(20) == 0 ? at : n; /* cut short */
	}
}

static void die(const char *wrong, uint64_t round, const char *text, size_t n)
{
	fprintf(stderr, "round %llu: %s\n", (unsigned long long)round, wrong);
	fwrite(text, 1, n, stderr);
	exit(EXIT_FAILURE);
}

/* "file:line:column: where: what" */
static bool has_place(const char *line, const char *file)
{
	size_t len = strlen(file);

	if (strncmp(line, file, len) != 0 || line[len] != ':')
		return false;
	line += len + 1;
	for (unsigned i = 0; i < 2; i++) {
		if (!isdigit((unsigned char)*line) || *line == '0')
			return false;
		while (isdigit((unsigned char)*line))
			line++;
		if (*line++ != ':')
			return false;
	}
	return *line == ' ' && strstr(line, ": ") != NULL;
}

static void load(uint64_t round, const char *path, const char *text, size_t n)
{
	char *said = NULL, *save, *line;
	size_t said_len = 0;
	struct config_report report = {.to = open_memstream(&said, &said_len)};
	struct config config;
	int rc = config_load(&path, 1, &config, &report);
	unsigned lines = 0;

	fclose(report.to);
	if ((rc < 0) != (report.errors > 0))
		die("refused without an error, or the reverse", round, text, n);
	if (rc < 0 && config.arena != NULL)
		die("refused, but something is left", round, text, n);
	for (line = strtok_r(said, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
		if (!has_place(line, path))
			die(line, round, text, n);
		lines++;
	}
	if (lines != report.errors + report.warnings)
		die("lines and counts differ", round, text, n);
	free(said);
	config_close(&config);
}

static size_t read_file(const char *path, char *text)
{
	FILE *from = fopen(path, "r");
	size_t n;

	if (from == NULL)
		die(path, 0, "", 0);
	n = fread(text, 1, SIZE_MAX_FUZZ, from);
	fclose(from);
	return n;
}

int main(int argc, char *argv[])
{
	static char seeds[8][SIZE_MAX_FUZZ], text[SIZE_MAX_FUZZ];
	size_t seed_len[8];
	char path[64];
	int fd = memfd_create("fuzz_config", MFD_CLOEXEC);

	if (argc < 4 || argc > 11 || fd < 0) {
		fprintf(stderr, "usage: fuzz_config ROUNDS SEED FILE... (up to 8)\n");
		return EXIT_FAILURE;
	}
	state = strtoull(argv[2], NULL, 0);
	for (int i = 3; i < argc; i++)
		seed_len[i - 3] = read_file(argv[i], seeds[i - 3]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (uint64_t round = 0; round < strtoull(argv[1], NULL, 0); round++) {
		unsigned i = below(argc - 3);
		size_t n = seed_len[i];

		memcpy(text, seeds[i], n);
		for (unsigned m = below(8) + 1; m > 0; m--)
			n = mutate(text, n);
		if (ftruncate(fd, 0) < 0 || pwrite(fd, text, n, 0) != (ssize_t)n)
			die("memfd", round, "", 0);
		load(round, path, text, n);
	}
	return EXIT_SUCCESS;
}
