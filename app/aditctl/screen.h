/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - a terminal that is drawn anew again and again, until somebody has seen enough. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys come at once and unseen, and SIGINT, SIGTERM and SIGHUP end the wait and not the program, until
 * screen_close(). One at a time. */
void screen_open(void);
void screen_close(void);

void screen_size(unsigned *lines, unsigned *columns);

/* Draws the text in place of what is there; lines that do not fit are cut. */
void screen_draw(const char *text);

/* Waits until this time of CLOCK_MONOTONIC. False: q, Ctrl-C or a signal: it is over. */
bool screen_wait(uint64_t until_ns);
