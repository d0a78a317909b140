/* SPDX-License-Identifier: BSD-3-Clause */
/* netlink.c - the sockets to rtnetlink. */
#include "netlink.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define BUFFER     65536
#define DUMP_TRIES 8
#define NEWS_BYTES (4 << 20) /* of the socket: what may happen while a table is read */
#define ANSWER_S   2 /* the kernel answers at once, or is not well */

struct netlink {
	struct mnl_socket *news, *requests;
	uint32_t seq;
	bool is_dirty[NETLINK_TABLES];
	uint64_t n_lost;
	uint8_t buffer[BUFFER];
};

struct netlink_asker {
	struct mnl_socket *socket;
	uint8_t buffer[512];
};

static const int groups[] = {RTNLGRP_LINK, RTNLGRP_NEIGH, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR,
	RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE, RTNLGRP_NEXTHOP};

static struct mnl_socket *open_socket(int flags)
{
	struct mnl_socket *s = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | flags);

	if (s == NULL)
		return NULL;
	if (mnl_socket_bind(s, 0, MNL_SOCKET_AUTOPID) == 0)
		return s;
	mnl_socket_close(s);
	return NULL;
}

static void mark_all(struct netlink *n)
{
	for (unsigned t = 0; t < NETLINK_TABLES; t++)
		n->is_dirty[t] = true;
}

int netlink_open(struct netlink **out, struct why *why)
{
	const struct timeval patience = {.tv_sec = ANSWER_S};
	struct netlink *n = calloc(1, sizeof(*n));
	int size = NEWS_BYTES;

	if (n == NULL)
		return why_set(why, -ENOMEM, "no memory for netlink");
	n->news = open_socket(SOCK_NONBLOCK);
	n->requests = open_socket(0);
	if (n->news == NULL || n->requests == NULL) {
		int rc = why_set(why, -errno, "no netlink socket: %s", strerror(errno));

		netlink_close(n);
		return rc;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		int group = groups[i];

		mnl_socket_setsockopt(n->news, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group));
	}
	/* Beyond the system's limit, which root may pass; less is no harm but for more dumps. */
	setsockopt(mnl_socket_get_fd(n->news), SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	setsockopt(mnl_socket_get_fd(n->requests), SOL_SOCKET, SO_RCVTIMEO, &patience,
		sizeof(patience));
	mark_all(n);
	*out = n;
	return 0;
}

void netlink_close(struct netlink *n)
{
	if (n == NULL)
		return;
	if (n->requests != NULL)
		mnl_socket_close(n->requests);
	if (n->news != NULL)
		mnl_socket_close(n->news);
	free(n);
}

int netlink_fd(const struct netlink *n)
{
	return mnl_socket_get_fd(n->news);
}

static void mark(struct netlink *n, const void *bytes, size_t size)
{
	static const enum netlink_table table_of[] = {[RTNL_LINK] = NETLINK_LINKS,
		[RTNL_ADDRESS] = NETLINK_ADDRESSES,
		[RTNL_ROUTE] = NETLINK_ROUTES,
		[RTNL_NEIGHBOUR] = NETLINK_NEIGHBOURS};
	const struct nlmsghdr *m = bytes;
	struct rtnl_message said;
	int left = size;

	for (; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left)) {
		if (m->nlmsg_type == RTM_NEWNEXTHOP || m->nlmsg_type == RTM_DELNEXTHOP)
			n->is_dirty[NETLINK_ROUTES] = true;
		else if (rtnl_parse(m, m->nlmsg_len, &said, NULL) < 0)
			mark_all(n);
		else if (said.kind != RTNL_OTHER)
			n->is_dirty[table_of[said.kind]] = true;
		/* A link that goes takes routes and neighbours with it, without a word of each. */
		if (said.kind == RTNL_LINK)
			mark_all(n);
	}
}

uint64_t netlink_serve(struct netlink *n)
{
	for (;;) {
		ssize_t size = mnl_socket_recvfrom(n->news, n->buffer, sizeof(n->buffer));

		if (size > 0) {
			mark(n, n->buffer, size);
		} else if (size < 0 && errno == ENOBUFS) {
			n->n_lost++;
			mark_all(n);
		} else if (size >= 0 || errno != EINTR) {
			return n->n_lost; /* EAGAIN: that was all */
		}
	}
}

bool netlink_is_dirty(const struct netlink *n, enum netlink_table table)
{
	return n->is_dirty[table];
}

static int send_request(struct netlink *n, struct nlmsghdr *m)
{
	m->nlmsg_seq = ++n->seq;
	return mnl_socket_sendto(n->requests, m, m->nlmsg_len) < 0 ? -errno : 0;
}

static struct nlmsghdr *begin(uint8_t *buffer, uint16_t type, uint16_t flags)
{
	struct nlmsghdr *m = mnl_nlmsg_put_header(buffer);

	m->nlmsg_type = type;
	m->nlmsg_flags = NLM_F_REQUEST | flags;
	return m;
}

static int request_table(struct netlink *n, enum netlink_table table)
{
	static const struct {
		uint16_t type;
		size_t header;
	} ask[] = {
		[NETLINK_LINKS] = {RTM_GETLINK, sizeof(struct ifinfomsg)},
		[NETLINK_ADDRESSES] = {RTM_GETADDR, sizeof(struct ifaddrmsg)},
		[NETLINK_ROUTES] = {RTM_GETROUTE, sizeof(struct rtmsg)},
		[NETLINK_NEIGHBOURS] = {RTM_GETNEIGH, sizeof(struct ndmsg)},
	};
	struct nlmsghdr *m = begin(n->buffer, ask[table].type, NLM_F_DUMP);

	mnl_nlmsg_put_extra_header(m, ask[table].header); /* zeroes: all families */
	return send_request(n, m);
}

/* 1: the list is whole. 0: there is more. -EINTR: it changed meanwhile. */
static int take_list(struct netlink *n, size_t size,
	void (*visit)(const struct rtnl_message *m, void *arg), void *arg, bool *was_cut)
{
	const struct nlmsghdr *m = (const void *)n->buffer;
	struct rtnl_message said;
	int left = size;

	for (; mnl_nlmsg_ok(m, left); m = mnl_nlmsg_next(m, &left)) {
		if (m->nlmsg_seq != n->seq)
			continue; /* of a list that was given up */
		*was_cut |= (m->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
		if (m->nlmsg_type == NLMSG_DONE)
			return *was_cut ? -EINTR : 1;
		if (m->nlmsg_type == NLMSG_ERROR) {
			const struct nlmsgerr *e = mnl_nlmsg_get_payload(m);

			return mnl_nlmsg_get_payload_len(m) < sizeof(*e) ? -EBADMSG : e->error;
		}
		if (rtnl_parse(m, m->nlmsg_len, &said, NULL) == 0 && said.kind != RTNL_OTHER)
			visit(&said, arg);
	}
	return 0;
}

static int list_once(struct netlink *n, enum netlink_table table,
	void (*visit)(const struct rtnl_message *m, void *arg), void *arg)
{
	bool was_cut = false;
	int rc = request_table(n, table);

	while (rc == 0) {
		ssize_t size = mnl_socket_recvfrom(n->requests, n->buffer, sizeof(n->buffer));

		rc = size < 0 ? (errno == ENOBUFS ? -EINTR : -errno)
			      : take_list(n, size, visit, arg, &was_cut);
	}
	return rc < 0 ? rc : 0;
}

int netlink_dump(struct netlink *n, enum netlink_table table, void (*restart)(void *arg),
	void (*visit)(const struct rtnl_message *m, void *arg), void *arg, struct why *why)
{
	int rc = -EINTR;

	for (unsigned i = 0; i < DUMP_TRIES && rc == -EINTR; i++) {
		/* What changes from here on is news, and makes it dirty again. */
		n->is_dirty[table] = false;
		restart(arg);
		rc = list_once(n, table, visit, arg);
	}
	if (rc == 0)
		return 0;
	n->is_dirty[table] = true;
	if (rc == -EINTR)
		return why_set(why, -EAGAIN, "the kernel's table changes faster than it is listed");
	return why_set(why, rc, "the kernel does not list its table: %s", strerror(-rc));
}

static int await_verdict(struct netlink *n)
{
	for (;;) {
		ssize_t size = mnl_socket_recvfrom(n->requests, n->buffer, sizeof(n->buffer));
		const struct nlmsghdr *m = (const void *)n->buffer;
		const struct nlmsgerr *e = mnl_nlmsg_get_payload(m);
		int left = size;

		if (size < 0)
			return -errno;
		if (mnl_nlmsg_ok(m, left) && m->nlmsg_seq == n->seq &&
			m->nlmsg_type == NLMSG_ERROR && mnl_nlmsg_get_payload_len(m) >= sizeof(*e))
			return e->error;
	}
}

int netlink_add_address(struct netlink *n, unsigned index, const struct ipaddr_prefix *address)
{
	struct nlmsghdr *m = begin(n->buffer, RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
	struct ifaddrmsg *h = mnl_nlmsg_put_extra_header(m, sizeof(*h));
	size_t size = ipaddr_size(&address->addr);
	int rc;

	h->ifa_family = address->addr.family == 4 ? AF_INET : AF_INET6;
	h->ifa_prefixlen = address->len;
	h->ifa_index = index;
	mnl_attr_put(m, IFA_LOCAL, size, address->addr.bytes);
	mnl_attr_put(m, IFA_ADDRESS, size, address->addr.bytes);
	if (address->addr.family == 6)
		mnl_attr_put_u32(m, IFA_FLAGS, IFA_F_NODAD);
	rc = send_request(n, m);
	return rc < 0 ? rc : await_verdict(n);
}

int netlink_asker_open(struct netlink_asker **out, struct why *why)
{
	struct netlink_asker *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return why_set(why, -ENOMEM, "no memory for netlink");
	a->socket = open_socket(SOCK_NONBLOCK);
	if (a->socket == NULL) {
		free(a);
		return why_set(why, -errno, "no netlink socket: %s", strerror(errno));
	}
	*out = a;
	return 0;
}

void netlink_asker_close(struct netlink_asker *a)
{
	if (a == NULL)
		return;
	mnl_socket_close(a->socket);
	free(a);
}

/* NTF_USE is what the kernel's own routing does when it has a packet for a neighbour: it sends ARP or ND
 * where nothing or nothing fresh is known. */
void netlink_ask(struct netlink_asker *a, unsigned index, const struct ipaddr *address)
{
	struct nlmsghdr *m = begin(a->buffer, RTM_NEWNEIGH, NLM_F_CREATE);
	struct ndmsg *h = mnl_nlmsg_put_extra_header(m, sizeof(*h));

	h->ndm_family = address->family == 4 ? AF_INET : AF_INET6;
	h->ndm_ifindex = index;
	h->ndm_state = NUD_NONE;
	h->ndm_flags = NTF_USE;
	mnl_attr_put(m, NDA_DST, ipaddr_size(address), address->bytes);
	mnl_socket_sendto(a->socket, m, m->nlmsg_len);
	/* Refusals are nobody's business, and must not fill the socket. */
	while (mnl_socket_recvfrom(a->socket, a->buffer, sizeof(a->buffer)) > 0)
		;
}
