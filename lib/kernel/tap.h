/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h - the kernel's side of a port: a TAP interface with the port's MAC address and MTU. Its frames are
 * read and written here; addresses, routes and neighbours of it are the kernel's own.
 *
 * The kernel holds the same SAs and policies as adit where an IKE daemon put them there, and must not use
 * them: disable_xfrm and disable_policy are set on it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "why.h"

struct tap {
	int fd; /* readable: there are frames */
	unsigned index; /* of the interface */
	char name[16];
};

/* Makes the interface and sets it up; it goes with tap_close(). -EBUSY: another has it. -EEXIST: there is
 * one of that name that is no TAP. -ENODEV: this kernel has no TAP. -EPERM: CAP_NET_ADMIN is missing.
 * -errno. */
int tap_open(
	const char *name, const uint8_t mac[6], uint16_t mtu, struct tap *out, struct why *why);
void tap_close(struct tap *tap);

/* A frame. The bytes of it, -EAGAIN: there is none at present, -errno: the interface is gone. */
ssize_t tap_read(const struct tap *tap, void *frame, size_t room);

/* False: the kernel does not take it, or the interface is gone. */
bool tap_write(const struct tap *tap, const void *frame, size_t len);

/* Shows the kernel whether the port's link is up. */
void tap_set_carrier(const struct tap *tap, bool is_up);
