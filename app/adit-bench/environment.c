/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c - on what and with what a run was made. */
#include "environment.h"

#include <intel-ipsec-mb.h>
#include <openssl/crypto.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_version.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commit.h" /* made when this is built */

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += len) {
		if (at > list && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\n'))
			return true;
	}
	return false;
}

static void keep_flags(const char *all, struct environment *out)
{
	static const char *const wanted[] = {"sse4_2", "aes", "pclmulqdq", "avx", "avx2", "avx512f",
		"avx512bw", "avx512vl", "sha_ni", "gfni", "vaes", "vpclmulqdq", "hypervisor"};
	size_t at = 0;

	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (has_word(all, wanted[i]))
			at += snprintf(out->flags + at, sizeof(out->flags) - at, "%s%s",
				at > 0 ? " " : "", wanted[i]);
	}
}

static void read_cpu(struct environment *out)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[8192];

	while (f != NULL && out->flags[0] == '\0' && fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "model name", 10) == 0)
			sscanf(line, "%*[^:]: %127[^\n]", out->cpu);
		if (strncmp(line, "flags", 5) == 0)
			keep_flags(line, out);
	}
	if (f != NULL)
		fclose(f);
}

void environment_read(const char *command, struct environment *out)
{
	time_t now = time(NULL);
	struct utsname name;
	struct tm tm;

	*out = (struct environment){.command = command,
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
		.tsc_hz = rte_get_tsc_hz(),
		.has_hugepages = rte_eal_has_hugepages(),
		.commit = ADIT_COMMIT};
	read_cpu(out);
	if (uname(&name) == 0)
		snprintf(out->kernel, sizeof(out->kernel), "%.60s %.60s", name.sysname,
			name.release);
	snprintf(out->dpdk, sizeof(out->dpdk), "%s", rte_version());
	snprintf(out->ipsec_mb, sizeof(out->ipsec_mb), "%s", imb_get_version_str());
	snprintf(out->openssl, sizeof(out->openssl), "%s", OpenSSL_version(OPENSSL_VERSION));
	strftime(out->date, sizeof(out->date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}

json_t *environment_json(const struct environment *e)
{
	return json_pack("{ss ss ss si sf sb ss ss ss ss ss ss}", "cpu", e->cpu, "flags", e->flags,
		"kernel", e->kernel, "cpus", e->cpus, "tsc_hz", e->tsc_hz, "hugepages",
		e->has_hugepages, "dpdk", e->dpdk, "ipsec_mb", e->ipsec_mb, "openssl", e->openssl,
		"commit", e->commit, "date", e->date, "command", e->command);
}
