/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - a terminal that is drawn anew again and again, until somebody has seen enough. */
#include "screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define CTRL_C '\003'

static volatile sig_atomic_t is_over;
static bool has_keys; /* standard input is a terminal, too */
static struct termios before;

static void end(int number)
{
	(void)number;
	is_over = 1;
}

void screen_open(void)
{
	struct sigaction ends = {.sa_handler = end};
	struct termios raw;

	sigaction(SIGINT, &ends, NULL);
	sigaction(SIGTERM, &ends, NULL);
	sigaction(SIGHUP, &ends, NULL);
	has_keys = tcgetattr(STDIN_FILENO, &before) == 0;
	if (has_keys) {
		raw = before;
		/* Ctrl-C comes as a key, and there is no Ctrl-Z that would leave the terminal so. */
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	fputs("\033[?25l\033[H\033[J", stdout); /* no cursor, an empty screen */
}

void screen_close(void)
{
	if (has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	fputs("\033[?25h", stdout);
	fflush(stdout);
}

void screen_size(unsigned *lines, unsigned *columns)
{
	struct winsize size = {0};

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*lines = size.ws_row > 0 ? size.ws_row : 24;
	*columns = size.ws_col > 0 ? size.ws_col : 80;
}

/* Bytes of a line of UTF-8 that fill so many columns at most. */
static size_t fit(const char *line, size_t len, unsigned columns)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (((unsigned char)line[i] & 0xc0) == 0x80)
			continue; /* of the character before */
		if (columns-- == 0)
			break;
	}
	return i;
}

void screen_draw(const char *text)
{
	unsigned lines, columns;

	screen_size(&lines, &columns);
	fputs("\033[H", stdout);
	for (unsigned n = 0; n < lines && *text != '\0'; n++) {
		size_t len = strcspn(text, "\n");

		/* The rest of the line is wiped; behind the last there is no newline to scroll by. */
		printf("%s%.*s\033[K", n > 0 ? "\n" : "", (int)fit(text, len, columns), text);
		text += len + (text[len] == '\n');
	}
	fputs("\033[J", stdout);
	fflush(stdout);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* False: a key that ends it. */
static bool take_keys(void)
{
	char keys[64];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	if (n <= 0)
		has_keys = false; /* hung up */
	for (ssize_t i = 0; i < n; i++)
		if (keys[i] == 'q' || keys[i] == 'Q' || keys[i] == CTRL_C)
			return false;
	return true;
}

bool screen_wait(uint64_t until_ns)
{
	for (uint64_t now = now_ns(); now < until_ns && !is_over; now = now_ns()) {
		struct pollfd keys = {.fd = has_keys ? STDIN_FILENO : -1, .events = POLLIN};
		int n = poll(&keys, 1, (int)((until_ns - now) / 1000000) + 1);

		if (n > 0 && !take_keys())
			return false;
	}
	return !is_over;
}
