/* SPDX-License-Identifier: BSD-3-Clause */
/* conn.c - one client of the control socket: a line in, its answer out, then the next. */
#include "conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void conn_open(struct conn *c, int fd, uint64_t now_ns)
{
	c->fd = fd;
	c->at_end = c->is_last = false;
	c->active_ns = now_ns;
	c->in_len = 0;
	c->out = NULL;
}

void conn_close(struct conn *c)
{
	close(c->fd);
	c->fd = -1;
	free(c->out);
	c->out = NULL;
}

static bool is_later(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static bool flush(struct conn *c, uint64_t now_ns)
{
	ssize_t n = send(c->fd, c->out + c->out_done, c->out_len - c->out_done, MSG_NOSIGNAL);

	if (n < 0)
		return is_later();
	c->active_ns = now_ns;
	c->out_done += (size_t)n;
	if (c->out_done < c->out_len)
		return true;
	free(c->out);
	c->out = NULL;
	return !c->is_last;
}

static bool fill(struct conn *c, uint64_t now_ns)
{
	ssize_t n = recv(c->fd, c->in + c->in_len, sizeof(c->in) - c->in_len, 0);

	if (n < 0)
		return is_later();
	c->active_ns = now_ns;
	c->in_len += (size_t)n;
	c->at_end = n == 0;
	return true;
}

static const char *end_of_line(const struct conn *c)
{
	return memchr(c->in, '\n', c->in_len);
}

/* Begins the answer to what has come, if it is whole; the end of input ends a line too. */
static bool begin_answer(struct conn *c, const struct requests *requests)
{
	const char *end = end_of_line(c);
	size_t line = end != NULL ? (size_t)(end - c->in) : c->in_len;
	size_t taken = end != NULL ? line + 1 : line;

	if (end == NULL && c->in_len == sizeof(c->in)) {
		c->out = requests_refuse("a request is at most 4096 bytes long", &c->out_len);
		c->is_last = true;
	} else if (end != NULL || (c->at_end && c->in_len > 0)) {
		c->out = requests_answer(requests, c->in, line, &c->out_len);
	} else {
		return !c->at_end;
	}
	c->out_done = 0;
	c->in_len -= taken;
	memmove(c->in, c->in + taken, c->in_len);
	return c->out != NULL;
}

bool conn_step(struct conn *c, const struct requests *requests, uint64_t now_ns)
{
	if (c->out != NULL)
		return flush(c, now_ns);
	if (end_of_line(c) == NULL && !c->at_end && !fill(c, now_ns))
		return false;
	if (!begin_answer(c, requests))
		return false;
	return c->out == NULL || flush(c, now_ns);
}

bool conn_wants_to_write(const struct conn *c)
{
	/* A request that has come whole waits for its turn only: the next step finds it writable. */
	return c->out != NULL || c->at_end || end_of_line(c) != NULL;
}
