/* SPDX-License-Identifier: BSD-3-Clause */
/* test_out_finish.c - a device that says it could not do a packet: that packet leaves by name in
 * either direction, and no other. */
#define ALLOW_EXPERIMENTAL_API /* callbacks of cryptodevs */
#include <rte_cryptodev.h>

#include "pipeline_fixture.h"

#define PACKETS 60

static uint8_t ip[PACKET_MAX], got[PACKET_MAX];
static unsigned failures; /* how many of the ops that come back have failed */

static uint16_t fail_some(
	uint16_t device, uint16_t queue, struct rte_crypto_op **ops, uint16_t n, void *arg)
{
	(void)device;
	(void)queue;
	(void)arg;
	for (uint16_t i = 0; i < n && failures > 0; i++, failures--)
		ops[i]->status = RTE_CRYPTO_OP_STATUS_ERROR;
	return n;
}

static void put_all(struct gateway *g, const struct sa_spec *in)
{
	for (unsigned i = 0; i < PACKETS; i++) {
		struct packet p = in != NULL ? packet_ab(4) : packet_ba(4);

		p.len = 100 + i;
		if (in != NULL)
			gateway_put(g, WAN, ip, esp_seal_packet(in, 1 + i, &p, ip));
		else
			gateway_put(g, LAN, ip, packet_write(&p, ip));
	}
	gateway_run(g);
}

static unsigned taken(struct gateway *g, uint16_t port)
{
	unsigned n = 0;

	while (gateway_take(g, port, got) > 0)
		n++;
	return n;
}

/* A provider that runs on a cryptodev, B alone: it decrypts what the test seals and encrypts what its host sends. */
START_TEST(what_the_device_could_not_do_leaves_by_name)
{
	static struct site a, b;
	struct crypto_spec crypto = crypto_named("aes-128-gcm", NULL);
	struct rte_cryptodev_cb *watch;
	struct sa_spec *in;
	struct gateway *g;
	int dev;

	site_a(&a);
	site_b(&b);
	in = site_tunnel(&a, &b, &crypto, CRYPTO_QAT, 4).in;
	site_tunnel(&b, &a, &crypto, CRYPTO_QAT, 4);
	g = gateway_open(&b);
	dev = rte_cryptodev_get_dev_id("crypto_aesni_mb0");
	watch = rte_cryptodev_add_deq_callback(dev, 0, fail_some, NULL);
	ck_assert_ptr_nonnull(watch);

	failures = 7;
	put_all(g, NULL);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 7");
	ck_assert_uint_eq(taken(g, WAN), PACKETS - 7);
	failures = 5;
	put_all(g, in);
	ck_assert_str_eq(gateway_exits(g), "crypt_failed 5");
	ck_assert_uint_eq(taken(g, LAN), PACKETS - 5);

	rte_cryptodev_remove_deq_callback(dev, 0, watch);
	gateway_close(g);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("all");

	tcase_add_test(t, what_the_device_could_not_do_leaves_by_name);
	return pipeline_fixture_main("out_finish", t);
}
