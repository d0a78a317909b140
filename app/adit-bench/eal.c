/* SPDX-License-Identifier: BSD-3-Clause */
/* eal.c - starts the EAL: with the arguments given, or with some that suit this machine. */
#include "eal.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ARGS_MAX   64
#define QAT_MAX    16
#define PCI_SYSFS  "/sys/bus/pci/devices"
#define HUGE_SYSFS "/sys/kernel/mm/hugepages"

/* Arguments in the making. */
struct line {
	int argc;
	char *argv[ARGS_MAX + 1];
	size_t used;
	char text[8192];
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *fmt, ...)
{
	size_t room = sizeof(l->text) - l->used;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(l->text + l->used, room, fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= room || l->argc == ARGS_MAX)
		return;
	l->argv[l->argc++] = l->text + l->used;
	l->used += len + 1;
}

/* "0@4,1@6": the first CPUs of those that this process may run on. */
static void add_lcores(struct line *l, unsigned n)
{
	char list[RTE_MAX_LCORE * 12] = "";
	unsigned lcore = 0;
	cpu_set_t cpus;
	size_t at = 0;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && lcore < RTE_MIN(n, (unsigned)RTE_MAX_LCORE);
		cpu++) {
		if (CPU_ISSET(cpu, &cpus))
			at += snprintf(list + at, sizeof(list) - at, "%s%u@%u", at > 0 ? "," : "",
				lcore++, cpu);
	}
	add(l, "--lcores");
	add(l, "%s", list);
}

/* The number in a file; 0 without it. */
static unsigned long read_number(const char *dir, const char *entry, const char *file, int base)
{
	char path[PATH_MAX], text[64] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", dir, entry, file);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	if (fgets(text, sizeof(text), f) == NULL)
		text[0] = '\0';
	fclose(f);
	return strtoul(text, NULL, base);
}

static bool has_hugepages(unsigned megabytes)
{
	DIR *dir = opendir(HUGE_SYSFS);
	unsigned long free_kb = 0, kb;
	struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (sscanf(e->d_name, "hugepages-%lukB", &kb) == 1)
			free_kb += kb * read_number(HUGE_SYSFS, e->d_name, "free_hugepages", 10);
	}
	if (dir != NULL)
		closedir(dir);
	return free_kb / 1024 >= megabytes;
}

static bool is_bound_to_us(const char *address)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), PCI_SYSFS "/%s/driver", address);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		return false;
	target[len] = '\0';
	return strcmp(basename(target), "vfio-pci") == 0 ||
	       strcmp(basename(target), "igb_uio") == 0;
}

/* Intel's co-processors that are bound for us; no other device is touched. */
static void add_qat(struct line *l)
{
	DIR *dir = opendir(PCI_SYSFS);
	struct dirent *e;
	unsigned n = 0;

	while (dir != NULL && n < QAT_MAX && (e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.' ||
			read_number(PCI_SYSFS, e->d_name, "vendor", 16) != 0x8086 ||
			read_number(PCI_SYSFS, e->d_name, "class", 16) != 0x0b4000 ||
			!is_bound_to_us(e->d_name))
			continue;
		add(l, "-a");
		add(l, "%s", e->d_name);
		n++;
	}
	if (dir != NULL)
		closedir(dir);
	if (n == 0)
		add(l, "--no-pci");
}

static void make_up(const struct eal_wish *wish, struct line *l)
{
	add(l, "%s", wish->argv[0]);
	add_lcores(l, wish->n_lcores);
	if (has_hugepages(wish->megabytes)) {
		add(l, "--in-memory");
	} else {
		add(l, "--no-huge");
		add(l, "-m");
		add(l, "%u", wish->megabytes);
		add(l, "--no-shconf");
		add(l, "--file-prefix");
		add(l, "adit-bench-%d", getpid());
	}
	add_qat(l);
	add(l, "--log-level");
	add(l, "error");
}

int eal_start(const struct eal_wish *wish, struct why *why)
{
	static struct line line; /* the EAL may keep pointers */
	int rc;

	if (wish->argc > 1) {
		rc = rte_eal_init(wish->argc, wish->argv);
	} else {
		make_up(wish, &line);
		rc = rte_eal_init(line.argc, line.argv);
	}
	if (rc < 0)
		return why_set(why, -EIO, "the EAL does not start: %s", rte_strerror(rte_errno));
	return 0;
}

static bool has_flag(const char *flag)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[8192];
	bool found = false;

	while (f != NULL && !found && fgets(line, sizeof(line), f) != NULL)
		found = strncmp(line, "flags", 5) == 0 && strstr(line, flag) != NULL;
	if (f != NULL)
		fclose(f);
	return found;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int eal_check_clock(struct why *why)
{
	double hz = rte_get_tsc_hz(), ratio, start;
	uint64_t tsc;

	if (!has_flag(" constant_tsc") || !has_flag(" nonstop_tsc"))
		return why_set(why, -ENOTSUP,
			"this CPU's TSC does not tick evenly (no constant_tsc, nonstop_tsc)");
	start = now();
	tsc = rte_rdtsc();
	usleep(50000);
	tsc = rte_rdtsc() - tsc;
	ratio = tsc / (now() - start) / hz;
	if (fabs(ratio - 1) > 0.02)
		return why_set(why, -ERANGE,
			"the TSC ticks %.3f times as fast as the EAL believes (%.0f Hz)", ratio,
			hz);
	return 0;
}
