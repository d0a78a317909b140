/* SPDX-License-Identifier: BSD-3-Clause */
/* test_qat_hint.c - who has a QAT function is told how to bind it, who has none what to look for. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qat_hint.h"

static char sysfs[] = "/tmp/adit-test-pci-XXXXXX";

static void make_tree(void)
{
	strcpy(sysfs + sizeof(sysfs) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(sysfs));
}

static void remove_tree(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", sysfs);
	ck_assert_int_eq(system(command), 0);
}

static void write_line(const char *address, const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", sysfs, address, file);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void add(const char *address, const char *vendor, const char *device, const char *driver)
{
	char path[128], target[128];

	snprintf(path, sizeof(path), "%s/%s", sysfs, address);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	write_line(address, "vendor", vendor);
	write_line(address, "device", device);
	if (driver == NULL)
		return;
	snprintf(path, sizeof(path), "%s/%s/driver", sysfs, address);
	snprintf(target, sizeof(target), "../../../bus/pci/drivers/%s", driver);
	ck_assert_int_eq(symlink(target, path), 0);
}

START_TEST(without_a_function_it_names_the_ids_to_look_for)
{
	struct why why;

	add("0000:00:02.0", "0x8086", "0x1572", "i40e");
	add("0000:00:03.0", "0x10de", "0x4941", NULL);
	ck_assert_int_eq(qat_hint(sysfs, &why), -ENODEV);
	ck_assert_msg(strstr(why.text, "this machine has no QAT function") != NULL, "%s", why.text);
	ck_assert_ptr_nonnull(strstr(why.text, "8086:4940"));
	ck_assert_ptr_nonnull(strstr(why.text, "dpdk-devbind.py -b vfio-pci <VF>"));
	ck_assert_ptr_null(strstr(why.text, "0000:00:03.0"));
}
END_TEST

START_TEST(a_virtual_function_is_named_with_its_driver)
{
	struct why why;

	add("0000:e8:00.0", "0x8086", "0x4940", "4xxx");
	add("0000:e8:00.1", "0x8086", "0x4941", "vfio-pci");
	add("0000:e8:00.2", "0x8086", "0x4941", NULL);
	ck_assert_int_eq(qat_hint(sysfs, &why), -ENODEV);
	ck_assert_ptr_nonnull(strstr(why.text, "0000:e8:00.0 (8086:4940, PF, driver 4xxx)"));
	ck_assert_ptr_nonnull(strstr(why.text, "0000:e8:00.1 (8086:4941, VF, driver vfio-pci)"));
	ck_assert_ptr_nonnull(strstr(why.text, "0000:e8:00.2 (8086:4941, VF, driver none)"));
	ck_assert_ptr_nonnull(strstr(why.text, "-a <VF>"));
	ck_assert_ptr_null(strstr(why.text, "sriov_numvfs"));
}
END_TEST

START_TEST(a_physical_function_alone_needs_virtual_ones)
{
	struct why why;

	add("0000:3d:00.0", "0x8086", "0x37c8", "c6xx");
	ck_assert_int_eq(qat_hint(sysfs, &why), -ENODEV);
	ck_assert_ptr_nonnull(strstr(why.text, "sriov_numvfs"));
	ck_assert_ptr_nonnull(strstr(why.text, "0000:3d:00.0 (8086:37c8, PF, driver c6xx)"));
}
END_TEST

START_TEST(many_functions_do_not_cut_the_advice)
{
	char address[16];
	struct why why;

	for (unsigned i = 0; i < 64; i++) {
		snprintf(address, sizeof(address), "0000:e8:%02x.%u", i / 8, i % 8);
		add(address, "0x8086", "0x4941", "4xxxvf");
	}
	ck_assert_int_eq(qat_hint(sysfs, &why), -ENODEV);
	ck_assert_ptr_nonnull(strstr(why.text, "-a <VF>"));
	ck_assert(strlen(why.text) < sizeof(why.text) - 1);
}
END_TEST

START_TEST(a_machine_without_pci_is_told_the_same)
{
	struct why why;

	ck_assert_int_eq(qat_hint("/nonexistent", &why), -ENODEV);
	ck_assert_ptr_nonnull(strstr(why.text, "no QAT function"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("qat_hint");
	TCase *t = tcase_create("all");
	SRunner *r;

	tcase_add_checked_fixture(t, make_tree, remove_tree);
	tcase_add_test(t, without_a_function_it_names_the_ids_to_look_for);
	tcase_add_test(t, a_virtual_function_is_named_with_its_driver);
	tcase_add_test(t, a_physical_function_alone_needs_virtual_ones);
	tcase_add_test(t, many_functions_do_not_cut_the_advice);
	tcase_add_test(t, a_machine_without_pci_is_told_the_same);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
