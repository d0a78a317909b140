/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - reads a file whole and says where it is no text: keys stand in it, so no copy is left. */
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

#define FIRST_SIZE (64 * 1024)

static bool refuse(struct report *report, const char *path, const char *wrong)
{
	report_at(report, true, path, 1, 1, "file", "%s", wrong);
	return false;
}

/* What comes through a pipe is waited for, but only where somebody writes. */
static int open_file(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	if (fstat(fd, st) < 0 || fcntl(fd, F_SETFL, 0) < 0) {
		int rc = -errno;

		close(fd);
		return rc;
	}
	return fd;
}

/* Moves to a buffer of at least this size; the old one is wiped. */
static bool grow(struct text *t, size_t size)
{
	char *buf = malloc(size);

	if (buf == NULL)
		return false;
	if (t->buf != NULL) {
		memcpy(buf, t->buf, t->len);
		explicit_bzero(t->buf, t->len);
		free(t->buf);
	}
	t->buf = buf;
	t->size = size;
	return true;
}

/* NULL, or what is wrong. A NUL ends it at once: there are endless files. */
static const char *read_whole(struct text *t, int fd)
{
	for (;;) {
		ssize_t n;

		if (t->len == t->size && !grow(t, t->size * 2))
			return "there is no memory left for it";
		n = read(fd, t->buf + t->len, t->size - t->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		if (n == 0)
			return NULL;
		t->len += n;
		if (memchr(t->buf + t->len - n, '\0', n) != NULL)
			return NULL;
		if (t->len > YAML_FILE_MAX)
			return "it is larger than 256 MiB, split it; --config may be given several "
			       "times";
	}
}

/* Bytes of the character at s, 0 where it is no UTF-8 (RFC 3629 4) or a control character. */
static unsigned char_len(const unsigned char *s, size_t left)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
	uint32_t c;

	if (n == 1)
		return (*s >= 0x20 && *s != 0x7f) || *s == '\t' || *s == '\n' || *s == '\r';
	if (n == 0 || n > left)
		return 0;
	c = *s & (0x7f >> n);
	for (unsigned i = 1; i < n; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	return c >= least[n] && c >= 0xa0 && c <= 0x10ffff && c >> 11 != 0x1b ? n : 0;
}

/* Every item in brackets has one of these before it, and libfyaml holds all of a flow collection in
 * memory at once: what would be refused for its number is refused before that. */
static bool begins_item(char c)
{
	return c == '[' || c == '{' || c == ',';
}

static bool check_text(const struct text *t, struct report *report)
{
	uint32_t line = 1, column = 1, items = 0;

	for (size_t i = 0; i < t->len;) {
		unsigned n = char_len((const unsigned char *)t->bytes + i, t->len - i);

		if (n == 0) {
			report_at(report, true, t->file, line, column, "file",
				"there is a byte 0x%02x that is no text, UTF-8 without control "
				"characters is wanted",
				(unsigned char)t->bytes[i]);
			return false;
		}
		items += begins_item(t->bytes[i]);
		if (items > YAML_NODES_MAX) {
			report_at(report, true, t->file, line, column, "file", "%s", YAML_TOO_MANY);
			return false;
		}
		column++;
		if (t->bytes[i] == '\n') {
			line++;
			column = 1;
		}
		i += n;
	}
	return true;
}

bool text_read(struct text *t, struct report *report, const char *path)
{
	const char *wrong = NULL;
	struct stat st;
	int fd = open_file(path, &st);

	*t = (struct text){.file = path};
	if (fd < 0) {
		report_at(
			report, true, path, 1, 1, "file", "it cannot be opened, %s", strerror(-fd));
		return false;
	}
	if (S_ISDIR(st.st_mode))
		wrong = "it is a directory, a file is wanted";
	else if (S_ISREG(st.st_mode) && st.st_size > (off_t)YAML_FILE_MAX)
		wrong = "it is larger than 256 MiB, split it; --config may be given several times";
	else if (!grow(t, S_ISREG(st.st_mode) ? (size_t)st.st_size + 1 : FIRST_SIZE))
		wrong = "there is no memory left for it";
	else
		wrong = read_whole(t, fd);
	close(fd);
	if (wrong != NULL) {
		text_close(t);
		return refuse(report, path, wrong);
	}
	t->bytes = t->buf;
	if (t->len >= 3 && memcmp(t->buf, "\xef\xbb\xbf", 3) == 0)
		t->bytes += 3, t->len -= 3;
	if (!check_text(t, report)) {
		text_close(t);
		return false;
	}
	return true;
}

void text_close(struct text *t)
{
	if (t->buf != NULL)
		explicit_bzero(t->buf, t->size);
	free(t->buf);
	*t = (struct text){0};
}
