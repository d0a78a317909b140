/* SPDX-License-Identifier: BSD-3-Clause */
/* outbound.c - the stages of what goes from the protected to the unprotected side. */
#include "worker_dp.h"

#define STAGE(fn, what)                                                                            \
	{                                                                                          \
#fn, fn, what                                                                      \
	}

const struct stage outbound_stages[] = {
	STAGE(out_classify, "measures the frame; ours, ARP and multicast are punted"),
	STAGE(handoff, "from a shared queue to the worker of this flow"),
	STAGE(out_policy, "the SPD: protect by the newest SA, bypass, discard"),
	STAGE(ttl, "takes one hop, or tells the sender"),
	STAGE(out_mtu, "fits with the SA's overhead, or the sender is told the size that does"),
	STAGE(out_esp, "sequence number, ESP and outer headers, padding"),
	{"crypt", crypt_burst, "the provider's devices encrypt and authenticate"},
	STAGE(out_finish, "puts the ICV in its place, counts"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage out_bypass_stages[] = {
	STAGE(ttl, "takes one hop, or tells the sender"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage reply_stages[] = {
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};

const struct stage reply_protect_stages[] = {
	STAGE(out_mtu, "fits with the SA's overhead, or is dropped"),
	STAGE(out_esp, "sequence number, ESP and outer headers, padding"),
	{"crypt", crypt_burst, "the provider's devices encrypt and authenticate"},
	STAGE(out_finish, "puts the ICV in its place, counts"),
	STAGE(nexthop, "FIB, neighbour, Ethernet header"),
	STAGE(tx, "gathers by port and sends"),
	{0},
};
