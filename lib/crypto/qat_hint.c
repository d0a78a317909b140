/* SPDX-License-Identifier: BSD-3-Clause */
/* qat_hint.c - says which QAT functions this machine has and how to give one to the EAL. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qat_hint.h"

#define BIND                                                                                       \
	"bind a virtual function (dpdk-devbind.py -b vfio-pci <VF>) and give it to the EAL (-a "   \
	"<VF>)"

/* Physical functions and the virtual ones that DPDK 22.11 drives. */
static const struct {
	unsigned pf, vf;
} models[] = {
	{0x0435, 0x0443}, /* DH895xCC */
	{0x37c8, 0x37c9}, /* C62x */
	{0x19e2, 0x19e3}, /* C3xxx */
	{0x6f54, 0x6f55}, /* D15xx */
	{0x18ee, 0x18ef}, /* 200xx */
	{0x18a0, 0x18a1}, /* C4xxx */
	{0x4940, 0x4941}, /* 4xxx, generation 4 */
	{0x4942, 0x4943}, /* 401xx */
};

static unsigned read_id(const char *sysfs, const char *address, const char *file)
{
	char path[512];
	unsigned id = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", sysfs, address, file);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%x", &id) != 1)
		id = 0;
	fclose(f);
	return id;
}

/* The name at the end of the link "driver"; lives until the next call. */
static const char *read_driver(const char *sysfs, const char *address)
{
	static char target[512];
	char path[512];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%s/driver", sysfs, address);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		return "none";
	target[len] = '\0';
	return basename(target);
}

int qat_hint(const char *sysfs, struct why *why)
{
	char found[300] = "";
	bool has_pf = false, has_vf = false;
	struct dirent **entry;
	size_t used = 0;
	int n = scandir(sysfs, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *address = entry[i]->d_name;
		unsigned device = 0;

		if (address[0] != '.' && read_id(sysfs, address, "vendor") == 0x8086)
			device = read_id(sysfs, address, "device");
		for (unsigned m = 0; device != 0 && m < sizeof(models) / sizeof(models[0]); m++) {
			if (device != models[m].pf && device != models[m].vf)
				continue;
			has_pf |= device == models[m].pf;
			has_vf |= device == models[m].vf;
			if (used + 100 < sizeof(found)) /* a few tell enough */
				used += snprintf(found + used, sizeof(found) - used,
					"%s%s (8086:%04x, %s, driver %s)", used > 0 ? ", " : "",
					address, device, device == models[m].vf ? "VF" : "PF",
					read_driver(sysfs, address));
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	if (has_vf)
		return why_set(why, -ENODEV,
			"qat: the EAL has no QAT device: " BIND "; here are %s", found);
	if (has_pf)
		return why_set(why, -ENODEV,
			"qat: the EAL has no QAT device: make virtual functions (echo N > "
			"/sys/bus/pci/devices/<PF>/sriov_numvfs), then " BIND "; here are %s",
			found);
	return why_set(why, -ENODEV,
		"qat: this machine has no QAT function (PCI 8086:4940, 8086:4942, 8086:37c8 and "
		"older); with one, " BIND);
}
