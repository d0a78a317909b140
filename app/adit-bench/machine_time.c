/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_time.c - how long a thread waited for its CPU, and the machine for its own. */
#include "machine_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t machine_run_delay_ns(void)
{
	char path[64];
	uint64_t on_cpu, waited = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", gettid());
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%" SCNu64 " %" SCNu64, &on_cpu, &waited) != 2)
		waited = 0;
	fclose(f);
	return waited;
}

uint64_t machine_steal_ns(void)
{
	FILE *f = fopen("/proc/stat", "re");
	uint64_t steal = 0;

	if (f == NULL)
		return 0;
	if (fscanf(f, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &steal) != 1)
		steal = 0;
	fclose(f);
	return steal * (UINT64_C(1000000000) / sysconf(_SC_CLK_TCK));
}
