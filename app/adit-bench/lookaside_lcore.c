/* SPDX-License-Identifier: BSD-3-Clause */
/* lookaside_lcore.c - crypto_scheduler in multi-core mode for each worker. */
#include "lookaside_lcore.h"

#include <errno.h>
#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <stdio.h>
#include <string.h>

static bool is_among(const uint16_t *lcores, unsigned n, uint16_t lcore)
{
	unsigned i = 0;

	while (i < n && lcores[i] != lcore)
		i++;
	return i < n;
}

static int check_lcore(const uint16_t *lcores, unsigned n, const uint16_t *workers,
	unsigned n_workers, struct why *why)
{
	uint16_t lcore = lcores[n];

	if (lcore >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcore))
		return why_set(why, -EINVAL, "the EAL has no lcore %u to do crypto on", lcore);
	if (lcore == rte_get_main_lcore())
		return why_set(why, -EINVAL, "lcore %u is main; crypto needs another", lcore);
	if (is_among(workers, n_workers, lcore))
		return why_set(
			why, -EINVAL, "lcore %u carries packets; crypto needs another", lcore);
	if (is_among(lcores, n, lcore))
		return why_set(why, -EINVAL, "lcore %u is named twice", lcore);
	if (rte_eal_get_lcore_state(lcore) != WAIT)
		return why_set(why, -EINVAL, "lcore %u is busy", lcore);
	return 0;
}

static int make(
	const char *driver, const char *args, char name[LOOKASIDE_NAME_MAX], struct why *why)
{
	int rc;

	snprintf(name, LOOKASIDE_NAME_MAX, "%s_lookaside", driver);
	for (unsigned i = 1; rte_cryptodev_get_dev_id(name) >= 0; i++)
		snprintf(name, LOOKASIDE_NAME_MAX, "%s_lookaside%u", driver, i);
	rc = rte_eal_hotplug_add("vdev", name, args);
	if (rc == 0)
		return 0;
	name[0] = '\0';
	return why_set(why, -ENODEV, "DPDK's driver %s makes no device: %s", driver, strerror(-rc));
}

/* The worker-th of n_workers gets every n_workers-th lcore. The scheduler has one child an lcore. */
static int open_scheduler(const uint16_t *lcores, unsigned n_lcores, unsigned worker,
	unsigned n_workers, struct lookaside_lcore *l, struct why *why)
{
	char args[1024] = "mode=multi-core,ordering=enable", list[128] = "";
	size_t used = strlen(args), listed = 0;

	for (unsigned i = worker; i < n_lcores; i += n_workers) {
		char *child = l->child[l->n_children];
		int rc = make("crypto_aesni_mb", "max_nb_queue_pairs=1", child, why);

		if (rc < 0)
			return rc;
		l->n_children++;
		used += snprintf(args + used, sizeof(args) - used, ",worker=%s", child);
		listed += snprintf(list + listed, sizeof(list) - listed, "%s%u",
			listed > 0 ? ";" : "", lcores[i]);
	}
	snprintf(args + used, sizeof(args) - used, ",corelist=%s", list);
	return make("crypto_scheduler", args, l->device[l->n++], why);
}

int lookaside_lcore_open(const uint16_t *lcores, unsigned n_lcores, const uint16_t *workers,
	unsigned n_workers, struct lookaside_lcore *out, struct why *why)
{
	int rc = 0;

	*out = (struct lookaside_lcore){0};
	if (n_lcores < n_workers || n_lcores > 8 * n_workers || n_lcores > CRYPTO_NAMED_MAX)
		return why_set(why, -EINVAL,
			"%u lcores for crypto: each of %u workers needs one and can have 8, 16 "
			"together",
			n_lcores, n_workers);
	for (unsigned i = 0; rc == 0 && i < n_lcores; i++)
		rc = check_lcore(lcores, i, workers, n_workers, why);
	for (unsigned w = 0; rc == 0 && w < n_workers; w++)
		rc = open_scheduler(lcores, n_lcores, w, n_workers, out, why);
	if (rc < 0)
		lookaside_lcore_close(out);
	return rc;
}

void lookaside_lcore_close(struct lookaside_lcore *l)
{
	while (l->n > 0) {
		if (l->device[--l->n][0] != '\0')
			rte_eal_hotplug_remove("vdev", l->device[l->n]);
	}
	while (l->n_children > 0)
		rte_eal_hotplug_remove("vdev", l->child[--l->n_children]);
}
