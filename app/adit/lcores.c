/* SPDX-License-Identifier: BSD-3-Clause */
/* lcores.c - which lcores carry packets: the config's, or all but main and those a device has taken. */
#include "lcores.h"

#include <ctype.h>
#include <errno.h>
#include <rte_cryptodev.h>
#include <rte_dev.h>
#include <rte_devargs.h>
#include <rte_kvargs.h>
#include <rte_lcore.h>
#include <stdlib.h>
#include <string.h>

/* "2;3" */
static int take_list(const char *key, const char *value, void *taken)
{
	(void)key;
	while (*value != '\0') {
		char *end;
		unsigned long lcore = strtoul(value, &end, 10);

		if (end == value)
			break;
		if (lcore < RTE_MAX_LCORE)
			((bool *)taken)[lcore] = true;
		value = *end == '\0' ? end : end + 1;
	}
	return 0;
}

/* "0xc", as long as it takes */
static int take_mask(const char *key, const char *value, void *taken)
{
	unsigned lcore = 0;

	(void)key;
	for (const char *at = value + strlen(value); at > value && isxdigit(at[-1]); at--) {
		char digit[] = {at[-1], '\0'};
		unsigned bits = strtoul(digit, NULL, 16);

		for (unsigned i = 0; i < 4 && lcore < RTE_MAX_LCORE; i++, lcore++)
			((bool *)taken)[lcore] |= bits >> i & 1;
	}
	return 0;
}

/* A crypto_scheduler launches its own workers, but only when it is started, with the first SA on
 * it: they are read from its arguments. */
static void find_taken(bool taken[RTE_MAX_LCORE])
{
	for (int id = 0; id < RTE_CRYPTO_MAX_DEVS; id++) {
		const struct rte_devargs *args;
		struct rte_cryptodev_info info;
		struct rte_kvargs *list;

		if (!rte_cryptodev_is_valid_dev(id))
			continue;
		rte_cryptodev_info_get(id, &info);
		args = info.device == NULL ? NULL : rte_dev_devargs(info.device);
		if (args == NULL || strcmp(info.driver_name, "crypto_scheduler") != 0)
			continue;
		list = rte_kvargs_parse(args->args, NULL);
		if (list == NULL)
			continue;
		rte_kvargs_process(list, "corelist", take_list, taken);
		rte_kvargs_process(list, "coremask", take_mask, taken);
		rte_kvargs_free(list);
	}
}

static int check(uint16_t lcore, const bool taken[RTE_MAX_LCORE], struct why *why)
{
	if (lcore >= RTE_MAX_LCORE || !rte_lcore_is_enabled(lcore))
		return why_set(why, -EINVAL,
			"workers.lcores: the EAL has no lcore %u; name it in -l or --lcores",
			lcore);
	if (lcore == rte_get_main_lcore() && rte_lcore_count() > 1)
		return why_set(why, -EINVAL,
			"workers.lcores: lcore %u is the main one, which is control's; take "
			"another, or "
			"choose main by --main-lcore",
			lcore);
	if (taken[lcore])
		return why_set(why, -EINVAL, "workers.lcores: a device works on lcore %u", lcore);
	return 0;
}

int lcores_choose(const struct config *config, struct lcores *out, struct why *why)
{
	bool taken[RTE_MAX_LCORE] = {false};
	unsigned lcore;

	find_taken(taken);
	*out = (struct lcores){.on_main = rte_lcore_count() == 1};
	for (uint16_t i = 0; i < config->n_lcores; i++) {
		int rc = check(config->lcore[i], taken, why);

		if (rc < 0)
			return rc;
		out->worker[out->n++] = config->lcore[i];
	}
	if (out->n > 0)
		return 0;
	if (out->on_main) {
		out->worker[out->n++] = rte_get_main_lcore();
		return 0;
	}
	RTE_LCORE_FOREACH_WORKER (lcore) {
		if (!taken[lcore] && out->n < CONFIG_LCORE_MAX)
			out->worker[out->n++] = lcore;
	}
	if (out->n == 0)
		return why_set(why, -EINVAL,
			"devices have taken every lcore but main; give the EAL one more by -l");
	return 0;
}
