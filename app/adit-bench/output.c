/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - the files that a run leaves: where they are, and whether they can be. */
#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_path(const struct output *o, const char *part, const char *ending, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s%s%s.%s", o->prefix, part[0] != '\0' ? "-" : "", part, ending);
}

/* What is there stays until there is something new. */
static int try(const struct output *o, struct why *why)
{
	char path[PATH_MAX];
	FILE *f;

	output_path(o, "", "json", path);
	f = fopen(path, "ae");
	if (f == NULL)
		return why_set(why, -errno, "%.400s: %s", path, strerror(errno));
	fseek(f, 0, SEEK_END);
	if (ftell(f) == 0)
		unlink(path);
	fclose(f);
	return 0;
}

int output_open(const char *where, struct output *out, struct why *why)
{
	size_t len = strlen(where);
	struct stat st;

	if (len == 0 || len + sizeof("/adit-bench") > sizeof(out->prefix))
		return why_set(why, -EINVAL, "--output: a folder or a prefix is wanted");
	if (where[len - 1] == '/' && mkdir(where, 0777) < 0 && errno != EEXIST)
		return why_set(why, -errno, "%s: %s", where, strerror(errno));
	if (stat(where, &st) == 0 && S_ISDIR(st.st_mode))
		snprintf(out->prefix, sizeof(out->prefix), "%s%sadit-bench", where,
			where[len - 1] == '/' ? "" : "/");
	else
		snprintf(out->prefix, sizeof(out->prefix), "%s", where);
	return try(out, why);
}

FILE *output_file(const struct output *o, const char *ending, struct why *why)
{
	char path[PATH_MAX];
	FILE *f;

	output_path(o, "", ending, path);
	f = fopen(path, "we");
	if (f == NULL)
		why_set(why, -errno, "%.400s: %s", path, strerror(errno));
	return f;
}

int output_done(FILE *f, const char *what, struct why *why)
{
	bool is_whole = fflush(f) == 0 && ferror(f) == 0;

	if (fclose(f) != 0 || !is_whole)
		return why_set(why, -EIO, "%s is not written whole: %s", what, strerror(errno));
	return 0;
}
