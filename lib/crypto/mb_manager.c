/* SPDX-License-Identifier: BSD-3-Clause */
/* mb_manager.c - a manager of intel-ipsec-mb for one thread, or why this machine can have none. */
#include <errno.h>
#include <rte_malloc.h>
#include <stdio.h>
#include <string.h>

#include "mb.h"

static int judge(IMB_MGR *m, struct why *why)
{
	int error = imb_get_errno(m);

	/* Without them the library emulates AES, slowly. */
	if ((m->features & IMB_CPUFLAGS_SSE) != IMB_CPUFLAGS_SSE)
		return why_set(why, -ENODEV,
			"aesni_mb: this CPU has no AES-NI and PCLMULQDQ; openssl needs neither");
	if (error != 0)
		return why_set(why, -ENODEV, "aesni_mb: intel-ipsec-mb %s cannot run here: %s",
			imb_get_version_str(), imb_get_strerror(error));
	return 0;
}

int mb_manager_open(int socket, IMB_MGR **out, struct why *why)
{
	/* Not by alloc_mb_mgr(): that knows no NUMA socket and no huge pages. */
	void *memory = rte_zmalloc_socket(
		"mb_manager", imb_get_mb_mgr_size(), RTE_CACHE_LINE_SIZE, socket);
	IMB_MGR *m;
	int rc;

	if (memory == NULL)
		return why_set(why, -ENOMEM, "no memory for intel-ipsec-mb");
	m = imb_set_pointers_mb_mgr(memory, 0, 1);
	init_mb_mgr_auto(m, NULL);
	rc = judge(m, why);
	if (rc < 0) {
		rte_free(memory);
		return rc;
	}
	*out = m;
	return 0;
}

void mb_manager_close(IMB_MGR *manager)
{
	if (manager == NULL)
		return;
	explicit_bzero(manager, imb_get_mb_mgr_size());
	rte_free(manager);
}

static const char *arch_name(uint32_t arch)
{
	switch (arch) {
	case IMB_ARCH_SSE: return "sse";
	case IMB_ARCH_AVX2: return "avx2";
	case IMB_ARCH_AVX512: return "avx512";
	default: return "avx"; /* which later versions of the library do not know */
	}
}

void mb_manager_name(const IMB_MGR *manager, char *buf, size_t size)
{
	snprintf(buf, size, "intel-ipsec-mb %s %s", imb_get_version_str(),
		arch_name(manager->used_arch));
}
