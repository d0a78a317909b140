/* SPDX-License-Identifier: BSD-3-Clause */
/* inbound.c - the stages of what comes from the unprotected side. */
#include "worker_dp.h"

#define STAGE(fn, what)                                                                            \
	{                                                                                          \
#fn, fn, what                                                                      \
	}

const struct stage inbound_stages[] = {
	STAGE(in_classify, "measures the frame; ESP for us goes on, ARP, ND and IKE are punted"),
	STAGE(in_sad, "finds the SA: SPI, SPI+dst, SPI+dst+src, the longest wins"),
	STAGE(handoff, "to the worker that owns this SA's window"),
	STAGE(in_esp, "length and early replay checks; changes nothing in the SA"),
	{"crypt", crypt_burst, "the provider's devices verify and decrypt"},
	STAGE(in_finish, "ICV verdict, then window, trailer, outer header"),
	STAGE(in_policy, "the inner packet must be one that this SA protects"),
	STAGE(ttl, "takes one hop, or tells the sender through the tunnel"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage in_clear_stages[] = {
	STAGE(in_policy, "the SPD: what may come in clear"),
	STAGE(ttl, "takes one hop, or tells the sender"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};
