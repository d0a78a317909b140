/* SPDX-License-Identifier: BSD-3-Clause */
/* test_control_views.c - what the commands of the control socket tell, to the letter. */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gateway.h"
#include "requests.h"
#include "spd.h"
#include "views.h"

static struct sa sas[2];
static struct sa_db db = {sas, 2};
static struct pipeline pipeline = {fake_stats, 2};
static struct views_of of = {.pipeline = &pipeline,
	.sas = &db,
	.ports = fake_ports,
	.n_ports = 2,
	.builtin_arp = true,
	.builtin_ike = true};
static struct requests requests;
static size_t n_commands_max;
static int guest, watch_rc, link_rc;
static struct why why;

/* What views.c knows of a control socket: a table of commands, and a place for a guest. */
int control_handle(struct control *ctl, const char *command, control_handler *handler, void *arg,
	const char *help)
{
	(void)ctl;
	if (requests.n == n_commands_max)
		return -ENOMEM;
	return requests_add(&requests, command, handler, arg, help);
}

void *control_forget(struct control *ctl, const char *command)
{
	(void)ctl;
	return requests_forget(&requests, command);
}

int control_watch(struct control *ctl, int fd, void (*serve)(void *arg), void *arg)
{
	(void)ctl;
	(void)serve;
	(void)arg;
	ck_assert_int_eq(guest, -1);
	guest = fd;
	return watch_rc;
}

void control_unwatch(struct control *ctl)
{
	(void)ctl;
	guest = -1;
}

static struct ipaddr address(const char *text)
{
	struct ipaddr a;

	ck_assert_int_eq(ipaddr_parse(text, &a), 0);
	return a;
}

/* Devices: 7 is gone, 3 is down and says nothing of its driver. */
int rte_eth_dev_is_removed(uint16_t port_id)
{
	return port_id == 7;
}

int rte_eth_link_get_nowait(uint16_t port_id, struct rte_eth_link *link)
{
	ck_assert_uint_eq(port_id, 3);
	*link = (struct rte_eth_link){.link_status = RTE_ETH_LINK_DOWN};
	return link_rc;
}

int rte_eth_dev_get_name_by_port(uint16_t port_id, char *name)
{
	sprintf(name, "net_fake%u", port_id);
	return 0;
}

int rte_eth_dev_info_get(uint16_t port_id, struct rte_eth_dev_info *info)
{
	info->driver_name = port_id == 7 ? "net_fake" : NULL;
	return 0;
}

static struct ipaddr_range lan, wan[2];
static const struct policy_range udp = {17, 17}, ports[] = {{53, 53}, {8000, 8080}}, esp = {50, 50},
				 echo = {8, 8};
static const struct policy_spec policies[] = {
	{.name = "in-all",
		.source = {"b.yaml", 9},
		.direction = POLICY_IN,
		.action = POLICY_DISCARD,
		.priority = 100},
	{.name = "odd",
		.source = {"b.yaml", 4},
		.direction = POLICY_OUT,
		.action = POLICY_BYPASS,
		.priority = 100,
		.protocol = {POLICY_RANGES, &esp, 1},
		.icmp_type = {POLICY_RANGES, &echo, 1},
		.icmp_code = {.match = POLICY_OPAQUE},
		.mh_type = {.match = POLICY_OPAQUE}},
	{.name = "dns",
		.source = {"\xff.yaml", 12},
		.direction = POLICY_OUT,
		.action = POLICY_PROTECT,
		.reqid = 7,
		.priority = 50,
		.src = &lan,
		.n_src = 1,
		.dst = wan,
		.n_dst = 2,
		.protocol = {POLICY_RANGES, &udp, 1},
		.src_ports = {.match = POLICY_OPAQUE},
		.dst_ports = {POLICY_RANGES, ports, 2}},
};

/* An SPD in which the last policy of the file is looked at first. */
uint32_t spd_policies(const struct spd *spd)
{
	(void)spd;
	return 3;
}

uint32_t spd_turn(const struct spd *spd, uint32_t turn)
{
	(void)spd;
	return (uint32_t[]){2, 0, 1}[turn];
}

const struct policy_spec *spd_policy(const struct spd *spd, uint32_t i)
{
	(void)spd;
	return &policies[i];
}

static void setup(void)
{
	static const struct algorithm gcm = {.name = "aes-128-gcm"}, null = {.name = "null"},
				      sha1 = {.name = "hmac-sha1-96"};

	sas[0] = (struct sa){.provider = "aesni_mb", .count = {12, 3456}, .sequence = 13};
	strcpy(sas[0].spec.name, "to-b");
	sas[0].spec.spi = 0x2001;
	sas[0].spec.src = address("192.0.2.1");
	sas[0].spec.dst = address("2001:db8::2");
	sas[0].spec.reqid = UINT32_MAX;
	sas[0].spec.crypto.aead = &gcm;
	memset(sas[0].spec.crypto.key.bytes, 0x5a, KEY_MAX);
	sas[0].spec.esn = true;
	sas[1] = (struct sa){.provider = "qat on crypto_scheduler0",
		.count = {UINT64_C(1) << 62, INT64_MAX},
		.sequence = UINT64_MAX - 1};
	strcpy(sas[1].spec.name, "from-b");
	sas[1].spec.direction = SA_IN;
	sas[1].spec.spi = 0xffffffff;
	sas[1].spec.window = 1024;
	sas[1].spec.crypto.cipher = &null;
	sas[1].spec.crypto.auth = &sha1;
	guest = -1;
	n_commands_max = 6;
	ck_assert_int_eq(views_open(NULL, &of, &why), 0);
}

static void teardown(void)
{
	views_close(NULL);
	ck_assert_uint_eq(requests.n, 0);
	ck_assert_int_eq(guest, -1);
	requests_close(&requests);
}

/* The line that answers, for free(). */
static char *ask(const char *request)
{
	size_t len;
	char *answer = requests_answer(&requests, request, strlen(request), &len);

	ck_assert_ptr_nonnull(answer);
	answer[len - 1] = '\0';
	return answer;
}

START_TEST(an_sa_is_told_whole_and_without_its_key)
{
	char *answer = ask("{\"do\":\"sa\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":["
		"{\"name\":\"to-b\",\"direction\":\"out\",\"spi\":\"0x2001\",\"src\":\"192.0.2.1\","
		"\"dst\":\"2001:db8::2\",\"reqid\":4294967295,\"mode\":\"tunnel\","
		"\"algorithm\":\"aes-128-gcm\",\"esn\":true,\"provider\":\"aesni_mb\","
		"\"sequence\":13,\"packets\":12,\"bytes\":3456},"
		"{\"name\":\"from-b\",\"direction\":\"in\",\"spi\":\"0xffffffff\",\"src\":\"any\","
		"\"dst\":\"any\",\"reqid\":0,\"mode\":\"tunnel\","
		"\"algorithm\":\"null+hmac-sha1-96\",\"esn\":false,"
		"\"provider\":\"qat on crypto_scheduler0\",\"replay_window\":1024,"
		"\"sequence\":\"18446744073709551614\",\"packets\":4611686018427387904,"
		"\"bytes\":9223372036854775807}]}");
	free(answer);
}
END_TEST

START_TEST(one_sa_that_cannot_be_told_is_an_error_not_a_gap)
{
	char *answer;

	strcpy(sas[1].spec.name, "\xc3\x28");
	answer = ask("{\"do\":\"sa\"}");
	ck_assert_ptr_eq(strstr(answer, "{\"ok\":false,"), answer);
	free(answer);
}
END_TEST

START_TEST(no_sas_are_an_empty_list)
{
	char *answer;

	db.n = 0;
	answer = ask("{\"do\":\"sa\"}");
	ck_assert_str_eq(answer, "{\"ok\":true,\"data\":[]}");
	free(answer);
}
END_TEST

START_TEST(every_exit_is_told_and_summed_over_workers)
{
	char *answer = ask("{\"do\":\"exits\"}");
	json_t *parsed = json_loads(answer, 0, NULL), *data = json_object_get(parsed, "data"),
	       *exit;
	size_t i;

	ck_assert_uint_eq(json_array_size(data), EXIT_COUNT);
	json_array_foreach(data, i, exit)
	{
		long long packets = i == EXIT_TTL_EXPIRED ? 7 : i == EXIT_TX_FULL ? 5 : 0;

		ck_assert_str_eq(
			json_string_value(json_object_get(exit, "name")), exit_name((enum exit)i));
		ck_assert_int_eq(json_integer_value(json_object_get(exit, "packets")), packets);
	}
	ck_assert_ptr_nonnull(strstr(answer, "{\"name\":\"ttl_expired\",\"becomes\":\"reply\","
					     "\"packets\":7,\"meaning\":\"the hop limit "
					     "ends here\"}"));
	json_decref(parsed);
	free(answer);
}
END_TEST

START_TEST(exits_are_told_per_worker_on_request)
{
	char *answer = ask("{\"do\":\"exits\",\"per_worker\":true}");

	ck_assert_ptr_nonnull(
		strstr(answer, "\"packets\":7,\"meaning\":\"the hop limit ends here\","
			       "\"per_worker\":[7,0]}"));
	ck_assert_ptr_nonnull(strstr(answer, "\"per_worker\":[3,2]}"));
	free(answer);
}
END_TEST

START_TEST(workers_are_told_with_their_books_and_stages)
{
	char *answer = ask("{\"do\":\"workers\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":{\"workers\":["
		"{\"worker\":0,\"lcore\":1,\"received\":100,\"made\":5,\"sent\":80,\"exits\":10,"
		"\"merged\":1,\"parked\":2,\"polls\":50,\"idle_polls\":20,\"busy_cycles\":3000,"
		"\"idle_cycles\":1000,\"idle_percent\":25.0},"
		"{\"worker\":1,\"lcore\":3,\"received\":10,\"made\":0,\"sent\":20,\"exits\":2,"
		"\"merged\":0,\"parked\":0,\"polls\":0,\"idle_polls\":0,\"busy_cycles\":0,"
		"\"idle_cycles\":0,\"idle_percent\":null}],"
		"\"books\":{\"received\":110,\"made\":5,\"sent\":100,\"exits\":12,\"merged\":1,"
		"\"parked\":2,\"in_hand\":0},"
		"\"stages\":[{\"lane\":\"outbound\",\"stage\":\"rx\",\"packets\":4,\"cycles\":1000,"
		"\"cycles_per_packet\":250.0},"
		"{\"lane\":\"inbound\",\"stage\":\"in_sad\",\"packets\":0,\"cycles\":0,"
		"\"cycles_per_packet\":null}]}}");
	free(answer);
}
END_TEST

START_TEST(books_that_do_not_close_say_by_how_much)
{
	struct worker_stats off = fake_stats[0];
	char *answer;

	pipeline = (struct pipeline){&off, 1};
	answer = ask("{\"do\":\"workers\"}");
	ck_assert_ptr_nonnull(strstr(answer, "\"in_hand\":12}"));
	free(answer);
	off.sent += 13;
	answer = ask("{\"do\":\"workers\"}");
	ck_assert_ptr_nonnull(strstr(answer, "\"in_hand\":-1}"));
	free(answer);
}
END_TEST

START_TEST(crypto_devices_are_told_with_their_state)
{
	char *answer = ask("{\"do\":\"crypto\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":[{\"device\":\"crypto_scheduler0\",\"provider\":"
		"\"qat on crypto_scheduler0\",\"kind\":\"lookaside\",\"state\":\"given up\","
		"\"sessions\":2,\"in_flight\":9,\"done\":100,\"failed\":4,\"lost\":3,\"late\":1},"
		"{\"device\":\"intel-ipsec-mb 1.3.0 avx2\",\"provider\":\"aesni_mb\",\"kind\":"
		"\"library\",\"state\":\"works\",\"sessions\":1,\"in_flight\":0,\"done\":5,"
		"\"failed\":0,\"lost\":0,\"late\":0}]}");
	free(answer);
}
END_TEST

START_TEST(ports_are_told_with_their_device_link_and_counters)
{
	char *answer = ask("{\"do\":\"ports\"}");

	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":["
		"{\"name\":\"lan\",\"device\":\"net_fake7\",\"driver\":\"net_fake\","
		"\"side\":\"protected\",\"link\":\"gone\",\"mac\":\"02:00:00:00:01:ff\","
		"\"mtu\":9000,\"rx_queues\":1,\"tx_queues\":2,\"receivers\":\"rings\","
		"\"offloads\":\"none\",\"rx_packets\":1,\"rx_bytes\":100,\"rx_dropped\":5,"
		"\"rx_errors\":4,\"tx_packets\":50,\"tx_bytes\":5000,\"tx_errors\":6},"
		"{\"name\":\"wan\",\"device\":\"net_fake3\",\"driver\":\"\","
		"\"side\":\"unprotected\",\"link\":\"down\",\"mac\":\"00:00:00:00:00:00\","
		"\"mtu\":1500,\"rx_queues\":2,\"tx_queues\":2,\"receivers\":\"rss\","
		"\"offloads\":\"rss\",\"rx_packets\":0,\"rx_bytes\":0,\"rx_dropped\":0,"
		"\"rx_errors\":0,\"tx_packets\":0,\"tx_bytes\":0,\"tx_errors\":0}]}");
	free(answer);
}
END_TEST

START_TEST(a_port_says_who_receives_from_it)
{
	static const struct {
		uint16_t n_workers, n_queues;
		bool does_rss;
		const char *says;
	} receivers[] = {
		{1, 1, false, "\"receivers\":\"one worker\""},
		{2, 1, false, "\"receivers\":\"rings\""},
		{2, 2, false, "\"receivers\":\"queues\""},
		{2, 2, true, "\"receivers\":\"rss\""},
	};
	struct port port = {.ethdev = 3};

	views_close(NULL);
	of.ports = &port;
	of.n_ports = 1;
	ck_assert_int_eq(views_open(NULL, &of, &why), 0);
	link_rc = -EIO;
	for (size_t i = 0; i < sizeof(receivers) / sizeof(receivers[0]); i++) {
		char *answer;

		pipeline.n = receivers[i].n_workers;
		port.n_rx_queues = receivers[i].n_queues;
		port.does_rss = receivers[i].does_rss;
		answer = ask("{\"do\":\"ports\"}");
		ck_assert_msg(strstr(answer, receivers[i].says) != NULL, "%s", answer);
		ck_assert_ptr_nonnull(strstr(answer, "\"link\":\"unknown\""));
		free(answer);
	}
}
END_TEST

START_TEST(policies_are_told_in_the_order_of_their_turn)
{
	static const struct worker_stats met[] = {
		{.exit = {[EXIT_IN_ARP] = 4}}, {.exit = {[EXIT_IN_ARP] = 5}}};
	char *answer;

	ipaddr_range_parse("10.1.0.0/24", &lan);
	ipaddr_range_parse("10.2.0.5-10.2.0.9", &wan[0]);
	ipaddr_range_parse("10.3.0.1", &wan[1]);
	pipeline = (struct pipeline){met, 2};
	answer = ask("{\"do\":\"policy\"}");
	ck_assert_str_eq(answer,
		"{\"ok\":true,\"data\":["
		"{\"name\":\"arp\",\"direction\":\"in\",\"action\":\"bypass\",\"on\":true,"
		"\"selectors\":\"ARP\",\"source\":\"built in\",\"packets\":9},"
		"{\"name\":\"nd\",\"direction\":\"in\",\"action\":\"bypass\",\"on\":false,"
		"\"selectors\":\"neighbour discovery for us\",\"source\":\"built in\","
		"\"packets\":0},"
		"{\"name\":\"ike\",\"direction\":\"in\",\"action\":\"bypass\",\"on\":true,"
		"\"selectors\":\"udp for us, dport 500, or 4500 behind the non-ESP marker\","
		"\"source\":\"built in\",\"packets\":0},"
		"{\"name\":\"dns\",\"direction\":\"out\",\"action\":\"protect\",\"on\":true,"
		"\"priority\":50,\"reqid\":7,\"src\":\"10.1.0.0/24\","
		"\"dst\":\"10.2.0.5-10.2.0.9,10.3.0.1\",\"protocol\":\"udp\","
		"\"src_ports\":\"opaque\",\"dst_ports\":\"53,8000-8080\","
		"\"source\":null,\"packets\":12,\"bytes\":1002},"
		"{\"name\":\"odd\",\"direction\":\"out\",\"action\":\"bypass\",\"on\":true,"
		"\"priority\":100,\"src\":\"any\",\"dst\":\"any\",\"protocol\":\"50\","
		"\"src_ports\":\"any\",\"dst_ports\":\"any\",\"icmp_type\":\"8\","
		"\"icmp_code\":\"opaque\",\"mh_type\":\"opaque\",\"source\":\"b.yaml:4\","
		"\"packets\":11,\"bytes\":1001},"
		"{\"name\":\"in-all\",\"direction\":\"in\",\"action\":\"discard\",\"on\":true,"
		"\"priority\":100,\"src\":\"any\",\"dst\":\"any\",\"protocol\":\"any\","
		"\"src_ports\":\"any\",\"dst_ports\":\"any\",\"source\":\"b.yaml:9\","
		"\"packets\":10,\"bytes\":1000}]}");
	free(answer);
}
END_TEST

START_TEST(what_cannot_be_opened_whole_is_not_open)
{
	views_close(NULL);
	n_commands_max = 4;
	ck_assert_int_eq(views_open(NULL, &of, &why), -ENOMEM);
	ck_assert_str_eq(why.text, "views: out of memory");
	ck_assert_uint_eq(requests.n, 0);
	ck_assert_int_eq(guest, -1);
	watch_rc = -ENOSPC;
	ck_assert_int_eq(views_open(NULL, &of, &why), -ENOSPC);
	guest = -1;
	views_close(NULL); /* as a start-up that failed does */
}
END_TEST

int main(void)
{
	Suite *s = suite_create("control_views");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_sa_is_told_whole_and_without_its_key);
	tcase_add_test(t, one_sa_that_cannot_be_told_is_an_error_not_a_gap);
	tcase_add_test(t, no_sas_are_an_empty_list);
	tcase_add_test(t, every_exit_is_told_and_summed_over_workers);
	tcase_add_test(t, exits_are_told_per_worker_on_request);
	tcase_add_test(t, workers_are_told_with_their_books_and_stages);
	tcase_add_test(t, books_that_do_not_close_say_by_how_much);
	tcase_add_test(t, crypto_devices_are_told_with_their_state);
	tcase_add_test(t, ports_are_told_with_their_device_link_and_counters);
	tcase_add_test(t, a_port_says_who_receives_from_it);
	tcase_add_test(t, policies_are_told_in_the_order_of_their_turn);
	tcase_add_test(t, what_cannot_be_opened_whole_is_not_open);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
