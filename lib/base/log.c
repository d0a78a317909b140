/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - one line a message, to stderr, syslog or the journal. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>

static const char *log_program = "adit";
static enum log_target log_to = LOG_TO_STDERR;
static enum log_level log_max = LEVEL_NOTICE;

static const struct {
	const char *word;
	int priority; /* syslog(3) */
} levels[] = {
	[LEVEL_ERROR] = {"error: ", LOG_ERR},
	[LEVEL_WARNING] = {"warning: ", LOG_WARNING},
	[LEVEL_NOTICE] = {"", LOG_NOTICE},
	[LEVEL_INFO] = {"", LOG_INFO},
	[LEVEL_DEBUG] = {"", LOG_DEBUG},
};

void log_open(const char *program, enum log_target target, enum log_level level)
{
	log_program = program;
	log_to = target;
	log_max = level;
	if (target == LOG_TO_SYSLOG)
		openlog(program, LOG_PID, LOG_DAEMON);
}

void log_say(enum log_level level, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	if (level > log_max)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	switch (log_to) {
	case LOG_TO_STDERR:
		fprintf(stderr, "%s: %s%s\n", log_program, levels[level].word, line);
		break;
	case LOG_TO_SYSLOG: syslog(levels[level].priority, "%s%s", levels[level].word, line); break;
	case LOG_TO_JOURNAL: fprintf(stderr, "<%d>%s\n", levels[level].priority, line); break;
	}
}
