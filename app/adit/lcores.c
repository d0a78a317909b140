/* SPDX-License-Identifier: BSD-3-Clause */
/* lcores.c - which lcores carry packets: the config's, or all but main and those a device has taken. */
#include "lcores.h"

#include <errno.h>
#include <rte_launch.h>
#include <rte_lcore.h>

/* A crypto_scheduler launches its own workers when it is started: with the first SA on it. */
static bool is_taken(unsigned lcore)
{
	return rte_eal_get_lcore_state(lcore) != WAIT;
}

static int check(uint16_t lcore, struct why *why)
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
	if (lcore != rte_get_main_lcore() && is_taken(lcore))
		return why_set(why, -EINVAL, "workers.lcores: a device works on lcore %u", lcore);
	return 0;
}

int lcores_choose(const struct config *config, struct lcores *out, struct why *why)
{
	unsigned lcore;

	*out = (struct lcores){.on_main = rte_lcore_count() == 1};
	for (uint16_t i = 0; i < config->n_lcores; i++) {
		int rc = check(config->lcore[i], why);

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
		if (!is_taken(lcore) && out->n < CONFIG_LCORE_MAX)
			out->worker[out->n++] = lcore;
	}
	if (out->n == 0)
		return why_set(why, -EINVAL,
			"devices have taken every lcore but main; give the EAL one more by -l");
	return 0;
}

int lcores_check(const struct lcores *lcores, struct why *why)
{
	for (uint16_t i = 0; i < lcores->n && !lcores->on_main; i++) {
		if (is_taken(lcores->worker[i]))
			return why_set(why, -EBUSY,
				"a crypto device works on lcore %u, which was to carry packets; "
				"name "
				"the others in workers: {lcores: [...]}",
				lcores->worker[i]);
	}
	return 0;
}
