/* SPDX-License-Identifier: BSD-3-Clause */
/* conn.h - one client of the control socket: a line in, its answer out, then the next. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "requests.h"

struct conn {
	int fd; /* -1: a free place */
	bool at_end; /* the client sends no more */
	bool is_last; /* close when this answer is out */
	uint64_t active_ns; /* when a byte moved last */
	size_t in_len;
	char in[CONTROL_REQUEST_MAX];
	char *out; /* the answer under way */
	size_t out_len, out_done;
};

/* Takes the fd, which does not block. */
void conn_open(struct conn *c, int fd, uint64_t now_ns);
void conn_close(struct conn *c);

/* One move: what is left of an answer, or one request. False: it is over, conn_close() is due. */
bool conn_step(struct conn *c, const struct requests *requests, uint64_t now_ns);

/* Whether the next step waits for room to write; otherwise it waits for bytes to read. */
bool conn_wants_to_write(const struct conn *c);
