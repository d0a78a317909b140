/* SPDX-License-Identifier: BSD-3-Clause */
/* test_xfrm_put.c - requests: what the kernel would say of them is what was asked. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/xfrm.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "xfrm_case.h"

static alignas(8) uint8_t buf[XFRM_PUT_MAX];
static struct nlmsghdr head;

static void check_head(int len, unsigned type, unsigned flags, uint32_t seq)
{
	memcpy(&head, buf, sizeof(head));
	ck_assert_int_eq(len, head.nlmsg_len);
	ck_assert_uint_eq(head.nlmsg_type, type);
	ck_assert_uint_eq(head.nlmsg_flags, flags);
	ck_assert_uint_eq(head.nlmsg_seq, seq);
	ck_assert_uint_eq(head.nlmsg_pid, 0);
}

START_TEST(a_dump_is_asked_for_with_a_bare_header)
{
	check_head(xfrm_put_dump_sas(buf, sizeof(buf), 7), XFRM_MSG_GETSA,
		NLM_F_REQUEST | NLM_F_DUMP, 7);
	ck_assert_uint_eq(head.nlmsg_len, NLMSG_HDRLEN);
	check_head(xfrm_put_dump_policies(buf, sizeof(buf), 8), XFRM_MSG_GETPOLICY,
		NLM_F_REQUEST | NLM_F_DUMP, 8);
	ck_assert_uint_eq(head.nlmsg_len, NLMSG_HDRLEN);
}
END_TEST

static struct xfrm_sa_id make_id(const char *dst, uint64_t mark)
{
	struct xfrm_sa_id id = {.spi = 0xc0000107, .protocol = 50, .mark = mark};

	ck_assert_int_eq(ipaddr_parse(dst, &id.dst), 0);
	return id;
}

static const struct {
	const char *dst;
	uint64_t mark;
} ids[] = {
	{"192.0.2.2", 0},
	{"2001:db8:f::2", 0},
	{"192.0.2.2", UINT64_C(0xff) << 32 | 0x12},
};

START_TEST(one_sa_is_asked_for_by_its_id)
{
	struct xfrm_sa_id id = make_id(ids[_i].dst, ids[_i].mark);
	struct xfrm_usersa_id got;
	struct {
		struct nlattr attr;
		struct xfrm_mark mark;
	} mark;
	size_t len = NLMSG_HDRLEN + sizeof(got);

	check_head(xfrm_put_get_sa(buf, sizeof(buf), 9, &id), XFRM_MSG_GETSA,
		NLM_F_REQUEST | NLM_F_ACK, 9);
	memcpy(&got, buf + NLMSG_HDRLEN, sizeof(got));
	ck_assert_uint_eq(got.family, id.dst.family == 4 ? 2 : 10);
	ck_assert_mem_eq(&got.daddr, id.dst.bytes, 16);
	ck_assert_uint_eq(got.spi, htonl(0xc0000107));
	ck_assert_uint_eq(got.proto, 50);
	ck_assert_uint_eq(head.nlmsg_len, len + (ids[_i].mark != 0 ? sizeof(mark) : 0));
	if (ids[_i].mark == 0)
		return;
	memcpy(&mark, buf + len, sizeof(mark));
	ck_assert_uint_eq(mark.attr.nla_type, XFRMA_MARK);
	ck_assert_uint_eq(mark.attr.nla_len, sizeof(mark));
	ck_assert_uint_eq(mark.mark.v, 0x12);
	ck_assert_uint_eq(mark.mark.m, 0xff);
}
END_TEST

START_TEST(an_expiry_names_its_sa_and_how_hard_it_is)
{
	struct xfrm_sa_id id = make_id(ids[_i].dst, ids[_i].mark);
	struct xfrm_message m;
	struct why why;

	for (unsigned hard = 0; hard < 2; hard++) {
		int len = xfrm_put_expire(buf, sizeof(buf), 10, &id, hard);

		check_head(len, XFRM_MSG_EXPIRE, NLM_F_REQUEST | NLM_F_ACK, 10);
		ck_assert_msg(xfrm_parse_copy(buf, len, &m, &why) == 0, "%s", why.text);
		ck_assert_int_eq(m.kind, XFRM_KIND_SA_EXPIRE);
		ck_assert_int_eq(m.is_hard, hard);
		ck_assert_mem_eq(&m.sa.id, &id, sizeof(id));
	}
}
END_TEST

/* The kernel's own request, recorded, says the same when it is made again from its parts. */
START_TEST(a_request_for_an_sa_is_as_the_kernel_makes_it)
{
	static const char *const names[] = {"acquire", "acquire-v6"};
	struct xfrm_message recorded, m;
	struct why why;
	int len;

	ck_assert_int_eq(parse(vector(names[_i]), 0, &recorded, &why), 0);
	recorded.policy.mark = UINT64_C(0xff) << 32 | 0x12;
	recorded.policy.if_id = 3;
	len = xfrm_put_acquire(buf, sizeof(buf), 11, &recorded.policy, &recorded.acquire.traffic);
	check_head(len, XFRM_MSG_ACQUIRE, NLM_F_REQUEST | NLM_F_ACK, 11);
	ck_assert_msg(xfrm_parse_copy(buf, len, &m, &why) == 0, "%s", why.text);
	ck_assert_int_eq(m.kind, XFRM_KIND_ACQUIRE);
	ck_assert_uint_eq(m.acquire.seq, 11);
	ck_assert_mem_eq(&m.acquire.src, &recorded.acquire.src, sizeof(m.acquire.src));
	ck_assert_mem_eq(&m.acquire.dst, &recorded.acquire.dst, sizeof(m.acquire.dst));
	compare_traffic(&m.acquire.traffic, &recorded.acquire.traffic);
	recorded.policy.usage = m.policy.usage;
	compare_policies(&m.policy, &recorded.policy);
}
END_TEST

START_TEST(a_selector_comes_back_as_it_went)
{
	for (unsigned i = 0; i < xfrm_vectors_n; i++) {
		struct xfrm_message recorded, m;
		struct why why;
		int len;

		if (strncmp(xfrm_vectors[i].name, "policy-proto-", 13) != 0 ||
			parse(&xfrm_vectors[i], 0, &recorded, &why) != 0)
			continue;
		len = xfrm_put_acquire(
			buf, sizeof(buf), 1, &recorded.policy, &recorded.policy.traffic);
		ck_assert_msg(xfrm_parse_copy(buf, len, &m, &why) == 0, "%s", why.text);
		compare_traffic(&m.policy.traffic, &recorded.policy.traffic);
		compare_traffic(&m.acquire.traffic, &recorded.policy.traffic);
	}
}
END_TEST

START_TEST(in_transport_mode_the_packet_has_the_addresses)
{
	struct xfrm_message recorded, m;
	struct why why;
	int len;

	ck_assert_int_eq(parse(vector("policy-transport"), 0, &recorded, &why), 0);
	len = xfrm_put_acquire(buf, sizeof(buf), 1, &recorded.policy, &recorded.policy.traffic);
	ck_assert_int_eq(xfrm_parse_copy(buf, len, &m, &why), 0);
	ck_assert_mem_eq(&m.acquire.src, &recorded.policy.traffic.src.first, sizeof(m.acquire.src));
	ck_assert_mem_eq(&m.acquire.dst, &recorded.policy.traffic.dst.first, sizeof(m.acquire.dst));
	ck_assert(m.policy.tmpl.is_transport);
	ck_assert_uint_eq(m.policy.tmpl.reqid, 5);
}
END_TEST

START_TEST(a_buffer_that_is_too_small_is_not_written)
{
	struct xfrm_sa_id id = make_id("192.0.2.2", 1);
	struct xfrm_message recorded;
	static uint8_t zeroes[XFRM_PUT_MAX];
	struct why why;

	ck_assert_int_eq(parse(vector("acquire"), 0, &recorded, &why), 0);
	memset(buf, 0, sizeof(buf));
	for (size_t size = 0; size < NLMSG_HDRLEN; size++) {
		ck_assert_int_eq(xfrm_put_dump_sas(buf, size, 1), -ENOBUFS);
		ck_assert_int_eq(xfrm_put_dump_policies(buf, size, 1), -ENOBUFS);
	}
	for (size_t size = 0; size < 48; size++)
		ck_assert_int_eq(xfrm_put_get_sa(buf, size, 1, &id), -ENOBUFS);
	for (size_t size = 0; size < 248; size++)
		ck_assert_int_eq(xfrm_put_expire(buf, size, 1, &id, true), -ENOBUFS);
	for (size_t size = 0; size < 376; size++)
		ck_assert_int_eq(
			xfrm_put_acquire(buf, size, 1, &recorded.policy, &recorded.acquire.traffic),
			-ENOBUFS);
	ck_assert_mem_eq(buf, zeroes, sizeof(buf));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_dump_is_asked_for_with_a_bare_header);
	tcase_add_loop_test(t, one_sa_is_asked_for_by_its_id, 0, COUNT(ids));
	tcase_add_loop_test(t, an_expiry_names_its_sa_and_how_hard_it_is, 0, COUNT(ids));
	tcase_add_loop_test(t, a_request_for_an_sa_is_as_the_kernel_makes_it, 0, 2);
	tcase_add_test(t, a_selector_comes_back_as_it_went);
	tcase_add_test(t, in_transport_mode_the_packet_has_the_addresses);
	tcase_add_test(t, a_buffer_that_is_too_small_is_not_written);
	return xfrm_case_main("xfrm_put", t);
}
