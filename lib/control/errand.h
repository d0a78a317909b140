/* SPDX-License-Identifier: BSD-3-Clause */
/* errand.h - what another thread has the control loop do, so that tables of the control thread need
 * no locks. */
#pragma once

struct errands;

/* -ENOMEM, -errno. */
int errands_open(struct errands **out);

/* Nobody else is in errand_run() any more. */
void errands_close(struct errands *e);

/* Readable while an errand waits. */
int errands_fd(const struct errands *e);

/* Control loop: runs those that wait. Does not block. */
void errands_serve(struct errands *e);

/* Any other thread: has run(arg) called in the control loop and returns after it. -ETIMEDOUT: the
 * loop did not come round within a second; then it is never called. */
int errand_run(struct errands *e, void (*run)(void *arg), void *arg);
