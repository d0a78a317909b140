/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.c - the kernel's side of a port: a TAP interface. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* What an interface of a router is set to that somebody else sends for. ARP: each answers for its own
 * addresses only, though the host has those of all ports. */
static const struct {
	const char *family, *key, *value;
} settings[] = {
	{"ipv4", "disable_xfrm", "1"},
	{"ipv4", "disable_policy", "1"},
	{"ipv4", "arp_ignore", "1"},
	{"ipv4", "arp_announce", "2"},
	{"ipv6", "disable_policy", "1"},
	{"ipv6", "accept_ra", "0"},
	{"ipv6", "autoconf", "0"},
	{"ipv6", "accept_dad", "0"},
};

static int attach(const char *name, int fd, struct why *why)
{
	struct ifreq r = {.ifr_flags = IFF_TAP | IFF_NO_PI};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &r) == 0)
		return 0;
	switch (errno) {
	case EBUSY: return why_set(why, -EBUSY, "%s is in use by another process", name);
	case EINVAL:
		return why_set(why, -EEXIST,
			"there is an interface %s that is no TAP; choose "
			"another name",
			name);
	case EPERM:
		return why_set(why, -EPERM, "no right to make %s: CAP_NET_ADMIN is needed", name);
	default: return why_set(why, -errno, "%s cannot be made: %s", name, strerror(errno));
	}
}

static int set(const char *name, const char *family, const char *key, const char *value)
{
	char path[128];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/net/%s/conf/%s/%s", family, name, key);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno; /* a kernel without IPv6, or without XFRM */
	n = write(fd, value, strlen(value));
	close(fd);
	return n < 0 ? -errno : 0;
}

static int configure(
	const char *name, const uint8_t mac[6], uint16_t mtu, int control, struct why *why)
{
	struct ifreq r = {0};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		int rc = set(name, settings[i].family, settings[i].key, settings[i].value);

		if (rc < 0)
			return why_set(why, rc, "net.%s.conf.%s.%s cannot be set: %s",
				settings[i].family, name, settings[i].key, strerror(-rc));
	}
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	r.ifr_hwaddr.sa_family = ARPHRD_ETHER;
	memcpy(r.ifr_hwaddr.sa_data, mac, 6);
	if (ioctl(control, SIOCSIFHWADDR, &r) < 0)
		return why_set(why, -errno, "%s does not take the port's MAC address: %s", name,
			strerror(errno));
	r.ifr_mtu = mtu;
	if (ioctl(control, SIOCSIFMTU, &r) < 0)
		return why_set(
			why, -errno, "%s does not take MTU %u: %s", name, mtu, strerror(errno));
	if (ioctl(control, SIOCGIFFLAGS, &r) == 0) {
		r.ifr_flags |= IFF_UP;
		if (ioctl(control, SIOCSIFFLAGS, &r) == 0)
			return 0;
	}
	return why_set(why, -errno, "%s does not come up: %s", name, strerror(errno));
}

int tap_open(const char *name, const uint8_t mac[6], uint16_t mtu, struct tap *out, struct why *why)
{
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), control, rc;

	if (fd < 0)
		return why_set(why, errno == ENOENT ? -ENODEV : -errno,
			"/dev/net/tun cannot be opened: %s; the kernel needs its module tun",
			strerror(errno));
	control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (control < 0) {
		rc = why_set(why, -errno, "no socket: %s", strerror(errno));
		goto close_fd;
	}
	rc = attach(name, fd, why);
	if (rc == 0)
		rc = configure(name, mac, mtu, control, why);
	close(control);
	if (rc < 0)
		goto close_fd;
	*out = (struct tap){.fd = fd, .index = if_nametoindex(name)};
	snprintf(out->name, sizeof(out->name), "%s", name);
	return 0;

close_fd:
	close(fd);
	return rc;
}

void tap_close(struct tap *tap)
{
	close(tap->fd);
	tap->fd = -1;
}

ssize_t tap_read(const struct tap *tap, void *frame, size_t room)
{
	ssize_t n = read(tap->fd, frame, room);

	return n < 0 ? -errno : n;
}

bool tap_write(const struct tap *tap, const void *frame, size_t len)
{
	return write(tap->fd, frame, len) == (ssize_t)len;
}

void tap_set_carrier(const struct tap *tap, bool is_up)
{
	int carrier = is_up;

	ioctl(tap->fd, TUNSETCARRIER, &carrier);
}
