/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - what a gateway told, for people: which columns, in which order. */
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

static const struct table_column sa_columns[] = {
	{"NAME", "name", false},
	{"DIR", "direction", false},
	{"SPI", "spi", false},
	{"SRC", "src", false},
	{"DST", "dst", false},
	{"REQID", "reqid", true},
	{"MODE", "mode", false},
	{"ALGORITHM", "algorithm", false},
	{"ESN", "esn", false},
	{"PROVIDER", "provider", false},
	{"WINDOW", "replay_window", true},
	{"SEQUENCE", "sequence", true},
	{"PACKETS", "packets", true},
	{"BYTES", "bytes", true},
	{0},
};

static const struct table_column exit_columns[] = {
	{"EXIT", "name", false},
	{"BECOMES", "becomes", false},
	{"PACKETS", "packets", true},
	{"MEANING", "meaning", false},
	{0},
};

static const struct table_column worker_columns[] = {
	{"WORKER", "worker", true},
	{"LCORE", "lcore", true},
	{"RECEIVED", "received", true},
	{"MADE", "made", true},
	{"SENT", "sent", true},
	{"EXITS", "exits", true},
	{"MERGED", "merged", true},
	{"PARKED", "parked", true},
	{"POLLS", "polls", true},
	{"IDLE_POLLS", "idle_polls", true},
	{"BUSY_CYCLES", "busy_cycles", true},
	{"IDLE_CYCLES", "idle_cycles", true},
	{"IDLE%", "idle_percent", true},
	{0},
};

static const struct table_column stage_columns[] = {
	{"LANE", "lane", false},
	{"STAGE", "stage", false},
	{"PACKETS", "packets", true},
	{"CYCLES", "cycles", true},
	{"CYCLES/PACKET", "cycles_per_packet", true},
	{0},
};

static const struct table_column port_columns[] = {
	{"NAME", "name", false},
	{"DEVICE", "device", false},
	{"DRIVER", "driver", false},
	{"SIDE", "side", false},
	{"LINK", "link", false},
	{"MAC", "mac", false},
	{"MTU", "mtu", true},
	{"RXQ", "rx_queues", true},
	{"TXQ", "tx_queues", true},
	{"RECEIVERS", "receivers", false},
	{"OFFLOADS", "offloads", false},
	{"RX_PACKETS", "rx_packets", true},
	{"RX_DROPPED", "rx_dropped", true},
	{"RX_ERRORS", "rx_errors", true},
	{"TX_PACKETS", "tx_packets", true},
	{"TX_ERRORS", "tx_errors", true},
	{0},
};

static const struct table_column policy_columns[] = {
	{"NAME", "name", false},
	{"DIR", "direction", false},
	{"ACTION", "action", false},
	{"ON", "on", false},
	{"PRIORITY", "priority", true},
	{"REQID", "reqid", true},
	{"PACKETS", "packets", true},
	{"BYTES", "bytes", true},
	{"SOURCE", "source", false},
	{"SELECTORS", "selectors", false},
	{0},
};

static long long number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static const struct table_column crypto_columns[] = {
	{"DEVICE", "device", false},
	{"PROVIDER", "provider", false},
	{"KIND", "kind", false},
	{"STATE", "state", false},
	{"SESSIONS", "sessions", true},
	{"IN_FLIGHT", "in_flight", true},
	{"DONE", "done", true},
	{"FAILED", "failed", true},
	{"LOST", "lost", true},
	{"LATE", "late", true},
	{0},
};

static bool was_taken(const json_t *exit)
{
	return number(exit, "packets") != 0;
}

static bool has_run(const json_t *stage)
{
	return number(stage, "packets") != 0;
}

void print_sa(const json_t *data, bool all)
{
	(void)all;
	table_print(stdout, data, sa_columns, NULL);
}

void print_exits(const json_t *data, bool all)
{
	table_print(stdout, data, exit_columns, all ? NULL : was_taken);
}

static void print_books(const json_t *books)
{
	long long in_hand = number(books, "in_hand");

	printf("received %lld + made %lld = sent %lld + exits %lld + merged %lld + parked %lld",
		number(books, "received"), number(books, "made"), number(books, "sent"),
		number(books, "exits"), number(books, "merged"), number(books, "parked"));
	if (in_hand != 0)
		printf(" + in hand %lld", in_hand);
	putchar('\n');
}

void print_workers(const json_t *data, bool all)
{
	table_print(stdout, json_object_get(data, "workers"), worker_columns, NULL);
	putchar('\n');
	print_books(json_object_get(data, "books"));
	putchar('\n');
	table_print(stdout, json_object_get(data, "stages"), stage_columns, all ? NULL : has_run);
}

void print_crypto(const json_t *data, bool all)
{
	(void)all;
	table_print(stdout, data, crypto_columns, NULL);
}

void print_ports(const json_t *data, bool all)
{
	(void)all;
	table_print(stdout, data, port_columns, NULL);
}

/* "src 10.1.0.0/24 dst 10.2.0.0/24 protocol udp dst_ports 53": what is any is left out. */
static json_t *join_selectors(const json_t *policy)
{
	static const char *const keys[] = {"src", "dst", "protocol", "src_ports", "dst_ports",
		"icmp_type", "icmp_code", "mh_type"};
	char *text = NULL;
	json_t *joined;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *value = json_string_value(json_object_get(policy, keys[i]));

		if (value != NULL && strcmp(value, "any") != 0)
			fprintf(f, "%s%s %s", ftell(f) > 0 ? " " : "", keys[i], value);
	}
	joined = fclose(f) == 0 ? json_string(text[0] == '\0' ? "any" : text) : NULL;
	free(text);
	return joined;
}

/* A built-in entry says itself what it selects. */
void print_policy(const json_t *data, bool all)
{
	json_t *policy;
	size_t i;

	(void)all;
	json_array_foreach(data, i, policy)
	{
		if (json_object_get(policy, "selectors") == NULL)
			json_object_set_new(policy, "selectors", join_selectors(policy));
	}
	table_print(stdout, data, policy_columns, NULL);
}
