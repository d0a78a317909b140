/* SPDX-License-Identifier: BSD-3-Clause */
/* test_mb_manager.c - where intel-ipsec-mb cannot run well, aesni_mb is absent and says why. */
#include <check.h>
#include <errno.h>
#include <intel-ipsec-mb.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

/* What the machine pretends to lack. */
static uint64_t missing;
static int error;

/* The linker puts this in the place of the library's. */
void __real_init_mb_mgr_auto(IMB_MGR *m, IMB_ARCH *arch);
void __wrap_init_mb_mgr_auto(IMB_MGR *m, IMB_ARCH *arch);

void __wrap_init_mb_mgr_auto(IMB_MGR *m, IMB_ARCH *arch)
{
	__real_init_mb_mgr_auto(m, arch);
	m->features &= ~missing;
	if (error != 0)
		m->imb_errno = error;
}

static const struct {
	uint64_t missing;
	int error;
	const char *why;
} rows[] = {
	{IMB_FEATURE_AESNI, 0, "aesni_mb: this CPU has no AES-NI"},
	{IMB_FEATURE_PCLMULQDQ, 0, "aesni_mb: this CPU has no AES-NI and PCLMULQDQ"},
	{0, IMB_ERR_SELFTEST, "aesni_mb: intel-ipsec-mb "},
	{0, ENODEV, "cannot run here: "},
};

START_TEST(a_machine_that_is_not_fit_makes_the_provider_absent)
{
	struct crypto *room = fixture_room(1, 64);
	struct crypto_session *s;
	struct crypto_spec spec;
	struct why why;

	ck_assert(fixture_spec(0, &spec));
	fixture_keys(&spec);
	missing = rows[_i].missing;
	error = rows[_i].error;
	ck_assert_int_eq(crypto_can(room, CRYPTO_AESNI_MB, &spec, &why), -ENODEV);
	ck_assert_msg(strstr(why.text, rows[_i].why) != NULL, "%s", why.text);
	ck_assert_int_eq(
		crypto_session_open(room, CRYPTO_AESNI_MB, &spec, CRYPTO_ENCRYPT, &s, &why),
		-ENODEV);
	ck_assert_ptr_null(crypto_device_name(room, 0));
	ck_assert_int_eq(crypto_can(room, CRYPTO_OPENSSL, &spec, &why), 0);
	missing = 0;
	error = 0;
	ck_assert_msg(
		crypto_session_open(room, CRYPTO_AESNI_MB, &spec, CRYPTO_ENCRYPT, &s, &why) == 0,
		"%s", why.text);
	crypto_session_close(room, s);
	crypto_close(room);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("mb_manager");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	fixture_eal(NULL, 0);
	tcase_add_loop_test(
		t, a_machine_that_is_not_fit_makes_the_provider_absent, 0, RTE_DIM(rows));
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
