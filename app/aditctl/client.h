/* SPDX-License-Identifier: BSD-3-Clause */
/* client.h - asks a gateway over its control socket. */
#pragma once

#include <jansson.h>

#include "why.h"

#define CLIENT_TIMEOUT_S  5 /* for each byte that moves */
#define CLIENT_ANSWER_MAX (256u << 20)

enum client_verdict {
	CLIENT_ANSWERED,
	CLIENT_REFUSED, /* the gateway says no: why has its words */
	CLIENT_SILENCE, /* no gateway there, or none that keeps to the protocol */
};

/* Sends the request and waits for its answer. *data is the caller's where it is CLIENT_ANSWERED. */
enum client_verdict client_ask(
	const char *path, const json_t *request, json_t **data, struct why *why);
