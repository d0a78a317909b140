/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - from two looks at a gateway's counters to rates of its ports, SAs and exits. */
#include "rates.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PER_SECOND 1.0
#define MEGABITS   8e-6 /* of bytes */

struct rate {
	const char *counter, *name;
	double factor;
};

static const struct kind {
	const char *request; /* the name in the answer too */
	const char *kept[6]; /* what the rates stand beside */
	struct rate rate[8];
	bool is_sorted; /* by the first rate */
} kinds[LOOKS] = {
	[LOOK_PORTS] = {"ports", {"name", "side", "link"},
		{{"rx_packets", "rx_pps", PER_SECOND}, {"rx_bytes", "rx_mbps", MEGABITS},
			{"tx_packets", "tx_pps", PER_SECOND}, {"tx_bytes", "tx_mbps", MEGABITS},
			{"rx_dropped", "rx_dropped_pps", PER_SECOND},
			{"rx_errors", "rx_errors_pps", PER_SECOND},
			{"tx_errors", "tx_errors_pps", PER_SECOND}},
		false},
	[LOOK_SA] = {"sa", {"name", "direction", "spi", "dst", "provider"},
		{{"packets", "pps", PER_SECOND}, {"bytes", "mbps", MEGABITS}}, true},
	[LOOK_EXITS] = {"exits", {"name", "becomes", "packets"}, {{"packets", "pps", PER_SECOND}},
		true},
};

enum client_verdict rates_look(const char *path, struct look *out, struct why *why)
{
	enum client_verdict verdict = CLIENT_ANSWERED;
	struct timespec now;

	*out = (struct look){0};
	for (unsigned k = 0; k < LOOKS && verdict == CLIENT_ANSWERED; k++) {
		json_t *request = json_pack("{s:s, s:b}", "do", kinds[k].request, "per_worker", 0);

		verdict = client_ask(path, request, &out->data[k], why);
		json_decref(request);
		if (verdict != CLIENT_ANSWERED)
			out->data[k] = NULL;
		clock_gettime(CLOCK_MONOTONIC, &now);
		out->at_ns[k] = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
	}
	if (verdict != CLIENT_ANSWERED)
		rates_forget(out);
	return verdict;
}

void rates_forget(struct look *look)
{
	for (unsigned k = 0; k < LOOKS; k++)
		json_decref(look->data[k]);
	*look = (struct look){0};
}

/* What tells one thing from others of its kind; for free(). SAs have more than a name. */
static char *identity(const json_t *thing)
{
	json_t *words = json_pack("[O?, O?, O?, O?]", json_object_get(thing, "name"),
		json_object_get(thing, "direction"), json_object_get(thing, "spi"),
		json_object_get(thing, "dst"));
	char *text = json_dumps(words, JSON_COMPACT);

	json_decref(words);
	return text;
}

/* Identity to thing: 10,000 SAs are looked for among 10,000. */
static json_t *index_of(const json_t *things)
{
	json_t *index = json_object(), *thing;
	size_t i;

	json_array_foreach(things, i, thing)
	{
		char *id = identity(thing);

		if (id != NULL)
			json_object_set(index, id, thing);
		free(id);
	}
	return index;
}

static json_t *rate_of(
	const json_t *before, const json_t *after, const struct rate *r, double seconds)
{
	const json_t *was = json_object_get(before, r->counter);
	const json_t *is = json_object_get(after, r->counter);
	double more = (double)(json_integer_value(is) - json_integer_value(was));

	if (!json_is_integer(was) || !json_is_integer(is) || more < 0 || seconds <= 0)
		return json_null();
	if (r->factor == PER_SECOND)
		return json_integer(llround(more / seconds));
	return json_real(more * r->factor / seconds);
}

struct place {
	json_t *thing;
	json_int_t pps;
	size_t before; /* as the gateway has them */
};

static int compare(const void *a, const void *b)
{
	const struct place *one = a, *other = b;

	if (one->pps != other->pps)
		return one->pps < other->pps ? 1 : -1;
	return one->before < other->before ? -1 : 1;
}

/* The busiest first, and otherwise as they were. Takes things away. */
static json_t *sort(json_t *things)
{
	size_t n = json_array_size(things), i;
	struct place *place = calloc(n + 1, sizeof(*place));
	json_t *sorted, *thing;

	if (place == NULL)
		return things;
	json_array_foreach(things, i, thing) place[i] =
		(struct place){thing, json_integer_value(json_object_get(thing, "pps")), i};
	qsort(place, n, sizeof(*place), compare);
	sorted = json_array();
	for (i = 0; i < n; i++)
		json_array_append(sorted, place[i].thing);
	free(place);
	json_decref(things);
	return sorted;
}

static json_t *rates_of(
	const struct kind *kind, const json_t *before, const json_t *after, double seconds)
{
	json_t *all = json_array(), *index = index_of(before), *thing;
	size_t i;

	json_array_foreach(after, i, thing)
	{
		char *id = identity(thing);
		json_t *row = json_object();
		const json_t *was = id == NULL ? NULL : json_object_get(index, id);

		for (const char *const *key = kind->kept; *key != NULL; key++)
			json_object_set(row, *key, json_object_get(thing, *key));
		for (const struct rate *r = kind->rate; r->counter != NULL; r++)
			json_object_set_new(row, r->name, rate_of(was, thing, r, seconds));
		json_array_append_new(all, row);
		free(id);
	}
	json_decref(index);
	return kind->is_sorted ? sort(all) : all;
}

json_t *rates_between(const struct look *before, const struct look *after)
{
	json_t *rates = json_object();

	for (unsigned k = 0; k < LOOKS; k++) {
		double seconds = (double)(after->at_ns[k] - before->at_ns[k]) / 1e9;

		if (k == 0)
			json_object_set_new(rates, "seconds", json_real(seconds));
		json_object_set_new(rates, kinds[k].request,
			rates_of(&kinds[k], before->data[k], after->data[k], seconds));
	}
	return rates;
}
