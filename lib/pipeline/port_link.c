/* SPDX-License-Identifier: BSD-3-Clause */
/* port_link.c - whether a port's link is up, as the device or the kernel knows it. */
#include "port_link.h"

#include <net/if.h>
#include <rte_ethdev.h>
#include <sys/ioctl.h>
#include <unistd.h>

static enum port_link kernel_link(unsigned interface)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = {0};
	enum port_link link = PORT_LINK_UNKNOWN;

	if (fd < 0)
		return link;
	if (if_indextoname(interface, request.ifr_name) == NULL)
		link = PORT_LINK_GONE;
	else if (ioctl(fd, SIOCGIFFLAGS, &request) == 0)
		link = request.ifr_flags & IFF_RUNNING ? PORT_LINK_UP : PORT_LINK_DOWN;
	close(fd);
	return link;
}

enum port_link port_link(uint16_t ethdev)
{
	struct rte_eth_dev_info info = {0};
	struct rte_eth_link link;

	if (rte_eth_dev_is_removed(ethdev))
		return PORT_LINK_GONE;
	if (rte_eth_dev_info_get(ethdev, &info) == 0 && info.if_index > 0)
		return kernel_link(info.if_index);
	if (rte_eth_link_get_nowait(ethdev, &link) < 0)
		return PORT_LINK_UNKNOWN;
	return link.link_status == RTE_ETH_LINK_UP ? PORT_LINK_UP : PORT_LINK_DOWN;
}

const char *port_link_name(enum port_link link)
{
	static const char *const names[] = {[PORT_LINK_UP] = "up",
		[PORT_LINK_DOWN] = "down",
		[PORT_LINK_GONE] = "gone",
		[PORT_LINK_UNKNOWN] = "unknown"};

	return names[link];
}
