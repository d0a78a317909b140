/* SPDX-License-Identifier: BSD-3-Clause */
/* port_link.h - whether a port's link is up. Control plane. */
#pragma once

#include <stdint.h>

enum port_link {
	PORT_LINK_UP,
	PORT_LINK_DOWN,
	PORT_LINK_GONE, /* the device was taken away */
	PORT_LINK_UNKNOWN
};

/* Of an ethdev that was started, as its device knows it; where a kernel's interface is behind it (in
 * this network namespace), as the kernel does: drivers of such take theirs for up. */
enum port_link port_link(uint16_t ethdev);

const char *port_link_name(enum port_link link); /* "up", "down", "gone", "unknown" */
