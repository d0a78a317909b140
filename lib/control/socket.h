/* SPDX-License-Identifier: BSD-3-Clause */
/* socket.h - the control socket: answers questions about this gateway without ever making its
 * control loop wait.
 *
 * Clients are bounded in number, in what they may ask at once and in how long they may sit still; an
 * answer of any size leaves as its client reads. Control thread only. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"
#include "why.h"

#define CONTROL_CLIENTS_MAX 16
#define CONTROL_IDLE_S      30 /* a client that moves no byte for so long is dropped */
#define CONTROL_YIELD_S     1 /* ... or for so long, when another waits and all places are taken */

struct control;
struct json_t; /* jansson's */

/* Listens at path with this mode and group ("" or NULL: ours). A socket that nobody answers on is
 * replaced; a missing parent folder is made, 0755. On 0 why->text is empty, or a warning (the group
 * does not exist or may not be set: then only the owner may enter). The text does not name the path.
 * -EADDRINUSE: another adit answers here. -EEXIST: something else lies there. -ENAMETOOLONG.
 * -errno of the file system. */
int control_open(
	const char *path, mode_t mode, const char *group, struct control **out, struct why *why);

/* Drops every client; removes the socket, and the folder if control_open() made it and it is empty. */
void control_close(struct control *ctl);

/* Becomes readable when control_serve() has something to do. Poll it level-triggered. */
int control_fd(const struct control *ctl);

/* Does one thing that can be done now, at most one request of one client, and is due again at once
 * where more waits. Never blocks, cannot fail. */
void control_serve(struct control *ctl);

/* The same at this time of CLOCK_MONOTONIC: what a test uses to let clients grow old. */
void control_serve_at(struct control *ctl, uint64_t now_ns);

/* Answers {"do": command, ...}: a new reference that becomes "data", or NULL with the reason. */
typedef struct json_t *control_handler(const struct json_t *request, void *arg, struct why *why);

/* command and help outlive ctl; help is a sentence for {"do": "help"}. -ENOMEM. */
int control_handle(struct control *ctl, const char *command, control_handler *handler, void *arg,
	const char *help);

/* The command is unknown from now on. Returns its arg, or NULL where it was unknown before. */
void *control_forget(struct control *ctl, const char *command);

/* Has serve(arg) called by control_serve() whenever fd is readable; for one fd. -EBUSY: there is one.
 * -errno of epoll_ctl(2). */
int control_watch(struct control *ctl, int fd, void (*serve)(void *arg), void *arg);

/* Before that fd is closed. */
void control_unwatch(struct control *ctl);
