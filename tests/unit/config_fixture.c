/* SPDX-License-Identifier: BSD-3-Clause */
/* config_fixture.c - a folder for config files, and lines that are compared one by one. */
#include "config_fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_config_XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int config_fixture_run(const char *suite, const struct config_test *tests, unsigned n)
{
	Suite *s = suite_create(suite);
	TCase *t = tcase_create("config");
	SRunner *r = srunner_create(s);
	int failed;

	if (mkdtemp(folder) == NULL || chdir(folder) < 0)
		return EXIT_FAILURE;
	suite_add_tcase(s, t);
	tcase_set_timeout(t, 60);
	for (unsigned i = 0; i < n; i++) {
		if (tests[i].n > 0)
			tcase_add_loop_test(t, tests[i].test, 0, tests[i].n);
		else
			tcase_add_test(t, tests[i].test);
	}
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void config_fixture_write(const char *name, const char *text, unsigned mode)
{
	int fd;

	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

struct config_loaded *config_fixture_load(unsigned n, ...)
{
	static const char *const names[] = {"a.yaml", "b.yaml", "c.yaml"};
	static struct config_loaded l;
	struct config_report report = {0};
	va_list ap;

	memset(&l, 0, sizeof(l));
	va_start(ap, n);
	for (unsigned i = 0; i < n; i++)
		config_fixture_write(names[i], va_arg(ap, const char *), 0600);
	va_end(ap);
	report.to = fmemopen(l.said, sizeof(l.said), "w");
	l.rc = config_load(names, n, &l.config, &report);
	fclose(report.to);
	l.errors = report.errors;
	l.warnings = report.warnings;
	return &l;
}

void config_fixture_hold(const struct config_case *c)
{
	struct config_loaded *l = config_fixture_load(1, c->yaml);
	char *save, *line = strtok_r(l->said, "\n", &save);
	unsigned i = 0, warnings = 0;

	for (; line != NULL; line = strtok_r(NULL, "\n", &save), i++) {
		ck_assert_msg(i < 6 && c->says[i] != NULL, "%s: also says %s", c->about, line);
		ck_assert_msg(strncmp(line, "a.yaml:", 7) == 0 &&
				      strncmp(line + 7, c->says[i], strlen(c->says[i])) == 0,
			"%s: says %s, not %s", c->about, line, c->says[i]);
		ck_assert_msg(strstr(line, KEY_HEAD) == NULL && strstr(line, "00:01:02:03") == NULL,
			"%s: shows a key", c->about);
		warnings += strstr(line, ": warning: ") != NULL;
	}
	ck_assert_msg(i == 6 || c->says[i] == NULL, "%s: does not say %s", c->about, c->says[i]);
	ck_assert_uint_eq(l->warnings, warnings);
	ck_assert_uint_eq(l->errors, i - warnings);
	ck_assert_int_eq(l->rc<0, l->errors> 0);
	config_close(&l->config);
}
