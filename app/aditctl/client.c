/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c - asks a gateway over its control socket. */
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int silence(struct why *why, const char *path, const char *what, const char *hint)
{
	why_set(why, 0, "no gateway answers at %s: %s%s", path, what, hint);
	return -1;
}

static const char *hint_for(int error)
{
	switch (error) {
	case ENOENT:
	case ECONNREFUSED: return "; is adit running? --socket names another place";
	case EACCES:
	case EPERM: return "; become root, or a member of the group that the socket belongs to";
	case EAGAIN: return "; it has too many clients, or hangs";
	default: return "";
	}
}

/* The fd, or -1. */
static int dial(const char *path, struct why *why)
{
	struct timeval timeout = {.tv_sec = CLIENT_TIMEOUT_S};
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(to.sun_path))
		return silence(why, path, "the path is too long for a socket", "");
	strcpy(to.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return silence(why, path, strerror(errno), "");
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)); /* connect(2) too */
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0)
		return fd;
	silence(why, path, strerror(errno), hint_for(errno));
	close(fd);
	return -1;
}

/* An error here is not the last word: the gateway may have said why it hung up. */
static void say(int fd, const json_t *request)
{
	char *line = json_dumps(request, JSON_COMPACT);
	size_t len = line == NULL ? 0 : strlen(line);

	if (line == NULL)
		return;
	line[len] = '\n';
	for (size_t done = 0; done <= len;) {
		ssize_t n = send(fd, line + done, len + 1 - done, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	free(line);
}

/* A line without its newline, for free(), or NULL. */
static char *hear(int fd, const char *path, size_t *len, struct why *why)
{
	size_t size = 0, have = 0;
	char *text = NULL;

	for (;;) {
		ssize_t n;

		if (have == size) {
			char *more;

			size = size == 0 ? 64 * 1024 : 2 * size;
			more = size > CLIENT_ANSWER_MAX ? NULL : realloc(text, size);
			if (more == NULL) {
				silence(why, path, "its answer is too long", "");
				break;
			}
			text = more;
		}
		n = recv(fd, text + have, size - have, 0);
		if (n <= 0) {
			silence(why, path,
				n == 0            ? "it hung up"
				: errno == EAGAIN ? "nothing came for 5 seconds"
						  : strerror(errno),
				"");
			break;
		}
		have += (size_t)n;
		if (text[have - 1] == '\n') {
			*len = have - 1;
			return text;
		}
	}
	free(text);
	return NULL;
}

static enum client_verdict judge(
	const json_t *answer, const char *path, json_t **data, struct why *why)
{
	const char *error = json_string_value(json_object_get(answer, "error"));

	*data = json_object_get(answer, "data");
	if (json_is_true(json_object_get(answer, "ok")) && *data != NULL) {
		json_incref(*data);
		return CLIENT_ANSWERED;
	}
	if (error != NULL) {
		why_set(why, 0, "%s", error);
		return CLIENT_REFUSED;
	}
	silence(why, path, "what answers there is no adit", "");
	return CLIENT_SILENCE;
}

enum client_verdict client_ask(
	const char *path, const json_t *request, json_t **data, struct why *why)
{
	enum client_verdict verdict = CLIENT_SILENCE;
	int fd = dial(path, why);
	json_t *answer;
	size_t len;
	char *line;

	if (fd < 0)
		return CLIENT_SILENCE;
	say(fd, request);
	line = hear(fd, path, &len, why);
	if (line != NULL) {
		answer = json_loadb(line, len, 0, NULL);
		verdict = judge(answer, path, data, why);
		json_decref(answer);
	}
	free(line);
	close(fd);
	return verdict;
}
