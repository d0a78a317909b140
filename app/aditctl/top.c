/* SPDX-License-Identifier: BSD-3-Clause */
/* top.c - rates of ports, SAs and exits, each second anew. */
#include "top.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rates.h"
#include "screen.h"
#include "table.h"

#define SECOND_NS UINT64_C(1000000000)
#define EXITS_MAX 8 /* lines of a screen that exits may take from SAs */
#define SAS_MIN   3

static const struct table_column port_columns[] = {
	{"PORT", "name", false},
	{"SIDE", "side", false},
	{"LINK", "link", false},
	{"RX_PPS", "rx_pps", true},
	{"RX_MBPS", "rx_mbps", true},
	{"TX_PPS", "tx_pps", true},
	{"TX_MBPS", "tx_mbps", true},
	{"DROPPED", "rx_dropped_pps", true},
	{"RX_ERRORS", "rx_errors_pps", true},
	{"TX_ERRORS", "tx_errors_pps", true},
	{0},
};

static const struct table_column sa_columns[] = {
	{"SA", "name", false},
	{"DIR", "direction", false},
	{"SPI", "spi", false},
	{"PROVIDER", "provider", false},
	{"PPS", "pps", true},
	{"MBPS", "mbps", true},
	{0},
};

static const struct table_column exit_columns[] = {
	{"EXIT", "name", false},
	{"BECOMES", "becomes", false},
	{"PPS", "pps", true},
	{"PACKETS", "packets", true},
	{0},
};

static bool was_taken(const json_t *exit)
{
	return json_integer_value(json_object_get(exit, "packets")) != 0;
}

static size_t count_taken(const json_t *exits)
{
	json_t *exit;
	size_t i, n = 0;

	json_array_foreach(exits, i, exit) n += was_taken(exit);
	return n;
}

/* The first so many of the array; SAs are sorted, the busiest first. */
static size_t cut(json_t *array, size_t most)
{
	size_t n = json_array_size(array), left_out = n > most ? n - most : 0;

	while (json_array_size(array) > most)
		json_array_remove(array, json_array_size(array) - 1);
	return left_out;
}

/* lines: of the screen, or 0: as many as it takes. */
static void print_rates(FILE *to, const json_t *rates, unsigned lines)
{
	json_t *ports = json_object_get(rates, "ports"), *sas = json_object_get(rates, "sa");
	json_t *exits = json_object_get(rates, "exits");
	size_t others = 8 + json_array_size(ports), left_out = 0, taken = count_taken(exits);

	if (lines > 0) {
		others += taken < EXITS_MAX ? taken : EXITS_MAX;
		left_out = cut(sas, lines > others + SAS_MIN ? lines - others : SAS_MIN);
	}
	table_print(to, ports, port_columns, NULL);
	fputc('\n', to);
	table_print(to, sas, sa_columns, NULL);
	if (left_out > 0)
		fprintf(to, "... and %zu more\n", left_out);
	fputc('\n', to);
	table_print(to, exits, exit_columns, was_taken);
}

static void draw(const char *socket, const json_t *rates)
{
	unsigned lines, columns;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		return;
	screen_size(&lines, &columns);
	fprintf(to, "%s, a second's rates; q ends\n\n", socket);
	print_rates(to, rates, lines);
	if (fclose(to) == 0)
		screen_draw(text);
	free(text);
}

static void print_once(const struct args *args, const json_t *rates)
{
	if (!args->json) {
		print_rates(stdout, rates, 0);
		return;
	}
	json_dumpf(rates, stdout, isatty(STDOUT_FILENO) ? JSON_INDENT(2) : JSON_COMPACT);
	putchar('\n');
}

static enum client_verdict go_on(const struct args *args, struct look *before, struct why *why)
{
	for (;;) {
		enum client_verdict verdict;
		struct look after;
		json_t *rates;

		if (!screen_wait(before->at_ns[0] + SECOND_NS))
			return CLIENT_ANSWERED;
		verdict = rates_look(args->socket, &after, why);
		if (verdict != CLIENT_ANSWERED)
			return verdict;
		rates = rates_between(before, &after);
		draw(args->socket, rates);
		json_decref(rates);
		rates_forget(before);
		*before = after;
	}
}

static enum client_verdict once(const struct args *args, const struct look *before, struct why *why)
{
	struct look after;
	json_t *rates;
	enum client_verdict verdict;

	sleep(1);
	verdict = rates_look(args->socket, &after, why);
	if (verdict != CLIENT_ANSWERED)
		return verdict;
	rates = rates_between(before, &after);
	print_once(args, rates);
	json_decref(rates);
	rates_forget(&after);
	return CLIENT_ANSWERED;
}

enum status top_show(const struct args *args)
{
	bool is_live = !args->once && !args->json && isatty(STDOUT_FILENO);
	struct look before;
	struct why why;
	enum client_verdict verdict = rates_look(args->socket, &before, &why);

	if (verdict == CLIENT_ANSWERED && is_live) {
		screen_open();
		verdict = go_on(args, &before, &why);
		screen_close();
		putchar('\n');
	} else if (verdict == CLIENT_ANSWERED) {
		verdict = once(args, &before, &why);
	}
	rates_forget(&before);
	if (verdict == CLIENT_ANSWERED)
		return DONE;
	fprintf(stderr, "aditctl: %s\n", why.text);
	return verdict == CLIENT_REFUSED ? REFUSED : NO_GATEWAY;
}
