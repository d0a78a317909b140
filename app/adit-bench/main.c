/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the bench (first light). */
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_dp.h"
#include "echo.h"
#include "lap.h"
#include "rig.h"

int main(int argc, char **argv)
{
	struct why why = {0};
	int n = rte_eal_init(argc, argv);
	struct suite suite;
	struct wire lan, wan;
	struct rig *rig, *clear;
	uint16_t lcores[] = {rte_get_next_lcore(-1, 1, 0)};
	const char *mode = getenv("MODE") ?: "hot";
	uint32_t n_sas = atoi(getenv("SAS") ?: "1");
	double seconds = atof(getenv("SECONDS_LAP") ?: "0.3");
	uint16_t burst = atoi(getenv("BURST") ?: "64");

	if (n < 0)
		return 1;
	suite_find(getenv("SUITE") ?: "aes-128-gcm", &suite, &why);
	if (wire_open(&lan, "lan", 1, &why) < 0 || wire_open(&wan, "wan", 1, &why) < 0)
		goto bad;
	struct rte_mempool *pool =
		rte_pktmbuf_pool_create("packets", 8191, 256, CRYPTO_JOB_SIZE, 2048 + 128, 0);
	struct rig_setup rs = {.suite = &suite,
		.provider = getenv("OPENSSL") ? CRYPTO_OPENSSL : CRYPTO_AESNI_MB,
		.n_sas = n_sas,
		.n_policies = n_sas,
		.lcores = lcores,
		.n_workers = 1,
		.burst = burst,
		.window = 1024,
		.lan = &lan,
		.wan = &wan,
		.no_ledger = getenv("NO_LEDGER") != NULL};
	struct rig_setup cs = rs;
	cs.is_clear = true;
	if (rig_open(&rs, &rig, &why) < 0 || rig_open(&cs, &clear, &why) < 0)
		goto bad;
	struct traffic_setup to = {&suite, &lan, &wan, n_sas, n_sas, 1, 64, pool},
			     ti = {&suite, &wan, &lan, n_sas, n_sas, 1, 64, pool};
	struct traffic *out, *in;
	if (traffic_open(&to, false, &out, &why) < 0 || traffic_open(&ti, true, &in, &why) < 0)
		goto bad;
	struct echo e = {&lan, &wan, burst};
	struct subject subs[4] = {{.name = "echo", .kind = TRAFFIC_OUT_SAME, .traffic = out},
		{.name = "clear", .kind = TRAFFIC_CLEAR, .traffic = out},
		{.name = "out", .kind = TRAFFIC_OUT, .traffic = out},
		{.name = "in", .kind = TRAFFIC_IN, .traffic = in}};
	echo_subject(&e, &subs[0]);
	rig_subject(clear, &subs[1]);
	rig_subject(rig, &subs[2]);
	rig_subject(rig, &subs[3]);
	struct lap_setup ls = {.mode = !strcmp(mode, "cold")  ? LAP_COLD
				       : !strcmp(mode, "hot") ? LAP_HOT
							      : LAP_ONE_CORE,
		.seconds = seconds,
		.burst = burst,
		.lcores = lcores,
		.n_workers = 1,
		.pool = pool};
	char *sizes = strdup(getenv("SIZES") ?: "100,700,1400");
	for (char *s = strtok(sizes, ","); s; s = strtok(NULL, ",")) {
		struct sizes sz;
		sizes_parse(s, &sz);
		for (int k = 0; k < 4; k++) {
			struct subject *p = &subs[k];
			struct lap lap;
			traffic_begin(p->traffic, p->kind, &sz);
			if (lap_run(&ls, &p, 1, &lap, &why) < 0)
				goto bad;
			printf("%s %6s %-8s %7.1f cycles/packet  packets %9lu idle %.0f%% checked "
			       "%lu wrong %lu lost %lu failures %lu delay %.4f steal %.4f\n",
				mode, s, p->name, (double)lap.cycles / lap.packets, lap.packets,
				100.0 * lap.idle_cycles / (lap.cycles + lap.idle_cycles),
				lap.traffic.checked, lap.traffic.wrong, lap.traffic.lost,
				lap.failures, lap.run_delay, lap.steal);
		}
	}
	struct stage_stats st;
	for (unsigned i = 0; pipeline_stage(rig_pipeline(rig), i, &st); i++)
		if (st.packets)
			printf("%s.%s %.1f\n", st.lane, st.stage, (double)st.cycles / st.packets);
	char names[256] = "";
	rig_exits(rig, names, sizeof(names));
	printf("exits: %s\n", names);
	return 0;
bad:
	printf("bad: %s\n", why.text);
	return 1;
}
