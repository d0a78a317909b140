/* SPDX-License-Identifier: BSD-3-Clause */
/* log.h - one line a message, to stderr, syslog or the journal. Control threads only; a worker
 * never logs. app/ decides what is worth a line. */
#pragma once

enum log_level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTICE, LEVEL_INFO, LEVEL_DEBUG };
enum log_target { LOG_TO_STDERR, LOG_TO_SYSLOG, LOG_TO_JOURNAL };

/* Before the first call messages of LEVEL_NOTICE and above go to stderr. The journal is written to
 * as systemd reads a service's stderr: with "<N>" before each line (sd-daemon(3)). */
void log_open(const char *program, enum log_target target, enum log_level level);

/* A message without newline: noun first, values named. */
void log_say(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...)   log_say(LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_say(LEVEL_WARNING, __VA_ARGS__)
#define log_notice(...)  log_say(LEVEL_NOTICE, __VA_ARGS__)
#define log_info(...)    log_say(LEVEL_INFO, __VA_ARGS__)
