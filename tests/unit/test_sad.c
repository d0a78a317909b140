/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sad.c - the longest match wins, in both families, while workers look (RFC 4301 4.1). */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <rte_byteorder.h>
#include <rte_eal.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sad_dp.h"

#define N(a)    (int)(sizeof(a) / sizeof((a)[0]))
#define SAS_MAX 65535

/* The SAD looks at an SA's address only. */
static struct cell {
	alignas(RTE_CACHE_LINE_SIZE) atomic_bool is_freed;
} cells[SAS_MAX];

static struct rcu rcu;
static struct sad *sad;

static struct sa *sa_number(int i)
{
	return (struct sa *)&cells[i];
}

/* "" is any. */
static struct sa_spec spec_of(uint32_t spi, enum sa_lookup lookup, const char *dst, const char *src)
{
	struct sa_spec spec = {.spi = spi, .lookup = lookup};

	if (*dst != '\0')
		ck_assert_int_eq(ipaddr_parse(dst, &spec.dst), 0);
	if (*src != '\0')
		ck_assert_int_eq(ipaddr_parse(src, &spec.src), 0);
	return spec;
}

static struct sa *look_up(uint32_t spi, const struct ipaddr *dst, const struct ipaddr *src)
{
	struct rte_ipsec_sadv4_key key4 = {.spi = rte_cpu_to_be_32(spi)};
	struct rte_ipsec_sadv6_key key6 = {.spi = rte_cpu_to_be_32(spi)};
	const struct rte_ipsec_sadv4_key *keys4[] = {&key4};
	const struct rte_ipsec_sadv6_key *keys6[] = {&key6};
	struct sa *sa[1] = {sa_number(SAS_MAX - 1)};

	if (dst->family == 4) {
		memcpy(&key4.dip, dst->bytes, 4);
		memcpy(&key4.sip, src->bytes, 4);
		sad_lookup4(sad, keys4, sa, 1);
	} else {
		memcpy(&key6.dip, dst->bytes, 16);
		memcpy(&key6.sip, src->bytes, 16);
		sad_lookup6(sad, keys6, sa, 1);
	}
	return sa[0];
}

/* The number of the SA that a packet finds; -1: none. */
static int found(uint32_t spi, const char *dst, const char *src)
{
	struct sa_spec spec = spec_of(spi, SA_LOOKUP_SPI, dst, src);
	struct sa *sa = look_up(spi, &spec.dst, &spec.src);

	return sa != NULL ? (int)((struct cell *)sa - cells) : -1;
}

static void open_sad(void)
{
	ck_assert_int_eq(rcu_open(&rcu, 1), 0);
	ck_assert_int_eq(sad_open(&rcu, 0, &sad, NULL), 0);
}

static void close_sad(void)
{
	sad_close(sad);
	rcu_close(&rcu);
}

static int add(const struct sa_spec *spec, int i)
{
	return sad_add(sad, spec, sa_number(i));
}

static const struct {
	const char *dst, *src, *other;
} families[] = {
	{"192.0.2.1", "198.51.100.1", "203.0.113.1"},
	{"2001:db8::1", "2001:db8::2", "2001:db8::3"},
};

/* Changes which of the three SAs are in, in one batch. */
static void become(const struct sa_spec spec[static 3], int was, int is)
{
	for (int i = 0; i < 3; i++) {
		if ((is & ~was) >> i & 1)
			ck_assert_int_eq(add(&spec[i], i), 0);
		if ((was & ~is) >> i & 1)
			ck_assert_int_eq(sad_del(sad, &spec[i]), 0);
	}
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
}

START_TEST(the_longest_match_wins_whatever_comes_and_goes)
{
	const char *dst = families[_i].dst, *src = families[_i].src, *other = families[_i].other;
	struct sa_spec spec[3] = {spec_of(0x2001, SA_LOOKUP_SPI, dst, ""),
		spec_of(0x2001, SA_LOOKUP_SPI_DST, dst, ""),
		spec_of(0x2001, SA_LOOKUP_SPI_DST_SRC, dst, src)};
	int is = 0;

	/* Every subset of the three, from every other. */
	for (int step = 0; step < 64; step++) {
		int from = step / 8, to = step % 8;
		int spi = to & 1 ? 0 : -1, spi_dst = to & 2 ? 1 : spi;

		become(spec, is, from);
		become(spec, from, to);
		is = to;
		ck_assert_int_eq(found(0x2001, dst, src), to & 4 ? 2 : spi_dst);
		ck_assert_int_eq(found(0x2001, dst, other), spi_dst);
		ck_assert_int_eq(found(0x2001, other, src), spi);
		ck_assert_int_eq(found(0x2001, other, other), spi);
		ck_assert_int_eq(found(0x2002, dst, src), -1);
		ck_assert_int_eq(found(0x2001, families[!_i].dst, families[!_i].src), -1);
	}
}
END_TEST

START_TEST(an_spi_of_any_destination_stands_in_both_families)
{
	struct sa_spec any = spec_of(0x2001, SA_LOOKUP_SPI, "", "");
	struct sa_spec only6 = spec_of(0x2002, SA_LOOKUP_SPI, "2001:db8::1", "");

	ck_assert_int_eq(add(&any, 0), 0);
	ck_assert_int_eq(add(&only6, 1), 0);
	ck_assert_int_eq(found(0x2001, "192.0.2.1", "192.0.2.2"), -1); /* not published yet */
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(0x2001, "192.0.2.1", "192.0.2.2"), 0);
	ck_assert_int_eq(found(0x2001, "2001:db8::1", "2001:db8::2"), 0);
	ck_assert_int_eq(found(0x2002, "192.0.2.1", "192.0.2.2"), -1);
	ck_assert_int_eq(found(0x2002, "2001:db8::7", "2001:db8::2"), 1);
	ck_assert_int_eq(sad_del(sad, &any), 0);
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(0x2001, "192.0.2.1", "192.0.2.2"), -1);
	ck_assert_int_eq(found(0x2001, "2001:db8::1", "2001:db8::2"), -1);
}
END_TEST

START_TEST(a_key_is_taken_once_counting_what_is_queued)
{
	struct sa_spec v4 = spec_of(0x2001, SA_LOOKUP_SPI, "192.0.2.1", "");
	struct sa_spec other4 = spec_of(0x2001, SA_LOOKUP_SPI, "192.0.2.7", "");
	struct sa_spec v6 = spec_of(0x2001, SA_LOOKUP_SPI, "2001:db8::1", "");
	struct sa_spec any = spec_of(0x2001, SA_LOOKUP_SPI, "", "");
	struct sa_spec dst = spec_of(0x2001, SA_LOOKUP_SPI_DST, "192.0.2.1", "");

	ck_assert_int_eq(sad_del(sad, &v4), -ENOENT);
	ck_assert_int_eq(add(&v4, 1), 0);
	ck_assert_int_eq(add(&v4, 2), -EEXIST);
	ck_assert_int_eq(add(&other4, 2), -EEXIST); /* dst is no part of this key */
	ck_assert_int_eq(add(&any, 2), -EEXIST);
	ck_assert_int_eq(sad_del(sad, &any), -ENOENT); /* half of it is not there */
	ck_assert_int_eq(add(&dst, 3), 0); /* another key */
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(0x2001, "2001:db8::1", "2001:db8::2"), -1); /* refused whole */
	ck_assert_int_eq(add(&v4, 2), -EEXIST);
	ck_assert_int_eq(add(&v6, 4), 0);
	ck_assert_int_eq(sad_del(sad, &v4), 0);
	ck_assert_int_eq(sad_del(sad, &v4), -ENOENT);
	ck_assert_int_eq(add(&v4, 5), 0); /* another SA under the same key, in one batch */
	ck_assert_int_eq(found(0x2001, "192.0.2.9", "192.0.2.2"), 1);
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(0x2001, "192.0.2.9", "192.0.2.2"), 5);
	ck_assert_int_eq(found(0x2001, "192.0.2.1", "192.0.2.2"), 3);
	ck_assert_int_eq(found(0x2001, "2001:db8::1", "2001:db8::2"), 4);
	ck_assert_int_eq(sad_del(sad, &any), 0); /* both halves are there now */
	ck_assert_int_eq(add(&v4, 6), 0);
	ck_assert_int_eq(sad_del(sad, &v4), 0); /* never seen by anybody */
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(0x2001, "192.0.2.9", "192.0.2.2"), -1);
	ck_assert_int_eq(found(0x2001, "2001:db8::1", "2001:db8::2"), -1);
	ck_assert_int_eq(found(0x2001, "192.0.2.1", "192.0.2.2"), 3);
}
END_TEST

START_TEST(an_address_that_the_lookup_needs_is_asked_for)
{
	struct sa_spec no_dst = spec_of(0x2001, SA_LOOKUP_SPI_DST, "", "192.0.2.2");
	struct sa_spec no_src = spec_of(0x2001, SA_LOOKUP_SPI_DST_SRC, "192.0.2.1", "");
	struct sa_spec mixed = spec_of(0x2001, SA_LOOKUP_SPI_DST_SRC, "192.0.2.1", "::1");

	ck_assert_int_eq(add(&no_dst, 0), -EINVAL);
	ck_assert_int_eq(add(&no_src, 0), -EINVAL);
	ck_assert_int_eq(add(&mixed, 0), -EINVAL);
	ck_assert_int_eq(sad_del(sad, &no_dst), -EINVAL);
}
END_TEST

/* A small world, so that the keys of a packet often match several. */
static struct sa_spec random_spec(void)
{
	struct sa_spec spec = {.spi = 256 + rand() % 500, .lookup = rand() % 3};

	spec.dst.family = spec.src.family = rand() % 2 ? 4 : 6;
	spec.dst.bytes[3] = rand() % 6;
	spec.src.bytes[0] = rand() % 6;
	if (spec.lookup == SA_LOOKUP_SPI && rand() % 4 == 0)
		spec.dst = (struct ipaddr){0};
	return spec;
}

static bool matches(
	const struct sa_spec *s, uint32_t spi, const struct ipaddr *dst, const struct ipaddr *src)
{
	if (s->spi != spi)
		return false;
	if (s->lookup == SA_LOOKUP_SPI)
		return ipaddr_is_any(&s->dst) || s->dst.family == dst->family;
	return ipaddr_equal(&s->dst, dst) &&
	       (s->lookup == SA_LOOKUP_SPI_DST || ipaddr_equal(&s->src, src));
}

#define WORLD 10000

static struct {
	struct sa_spec spec;
	bool is_in;
} reference[WORLD];

/* Which SA a reading of all of them finds. */
static struct sa *expected(uint32_t spi, const struct ipaddr *dst, const struct ipaddr *src)
{
	int best = -1;

	for (int i = 0; i < WORLD; i++)
		if (reference[i].is_in && matches(&reference[i].spec, spi, dst, src) &&
			(best < 0 || reference[i].spec.lookup > reference[best].spec.lookup))
			best = i;
	return best >= 0 ? sa_number(best) : NULL;
}

START_TEST(ten_thousand_random_sas_are_found_as_by_reading_all)
{
	int n = 0;

	srand(1);
	memset(reference, 0, sizeof(reference));
	for (int round = 0; round < 20; round++) {
		for (int change = 0; change < 1000; change++) {
			int i = rand() % WORLD;

			if (reference[i].is_in) {
				ck_assert_int_eq(sad_del(sad, &reference[i].spec), 0);
				n--;
			} else {
				reference[i].spec = random_spec();
				if (add(&reference[i].spec, i) != 0)
					continue;
				n++;
			}
			reference[i].is_in ^= true;
		}
		ck_assert_int_eq(sad_publish(sad, NULL), 0);
		for (int probe = 0; probe < 500; probe++) {
			struct sa_spec p = random_spec();

			if (ipaddr_is_any(&p.dst))
				p.dst = p.src;
			ck_assert_ptr_eq(
				look_up(p.spi, &p.dst, &p.src), expected(p.spi, &p.dst, &p.src));
		}
	}
	ck_assert_int_gt(n, 3000);
}
END_TEST

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static struct sa_spec numbered_spec(int i, enum sa_lookup lookup, uint8_t family)
{
	struct sa_spec spec = {.spi = 256 + i, .lookup = lookup};

	spec.dst.family = spec.src.family = family;
	spec.dst.bytes[0] = spec.src.bytes[3] = 10;
	return spec;
}

/* All at once or in batches; then all go. */
START_TEST(sixty_five_thousand_sas_go_in_and_out)
{
	enum sa_lookup lookup = _i % 3;
	uint8_t family = _i / 3 % 2 ? 6 : 4;
	int batch = _i < 6 ? SAS_MAX : 1000;
	double start = seconds();
	struct sa_spec spec;

	for (int i = 0; i < SAS_MAX; i++) {
		spec = numbered_spec(i, lookup, family);
		if (add(&spec, i) != 0)
			ck_abort_msg("SA %d was refused", i);
		if ((i + 1) % batch == 0)
			ck_assert_int_eq(sad_publish(sad, NULL), 0);
	}
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	for (int i = 0; i < SAS_MAX; i++) {
		spec = numbered_spec(i, lookup, family);
		if (look_up(spec.spi, &spec.dst, &spec.src) != sa_number(i))
			ck_abort_msg("SA %d was not found", i);
	}
	for (int i = 0; i < SAS_MAX; i++) {
		spec = numbered_spec(i, lookup, family);
		if (sad_del(sad, &spec) != 0)
			ck_abort_msg("SA %d was not deleted", i);
		if ((i + 1) % batch == 0)
			ck_assert_int_eq(sad_publish(sad, NULL), 0);
	}
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_ptr_null(look_up(spec.spi, &spec.dst, &spec.src));
	ck_assert_double_lt(seconds() - start, 10);
}
END_TEST

START_TEST(a_lookup_takes_any_number_of_keys_up_to_256)
{
	static const int sizes[] = {0, 1, 63, 64, 65, 128, 255, 256};
	struct rte_ipsec_sadv4_key key4[256];
	struct rte_ipsec_sadv6_key key6[256];
	const struct rte_ipsec_sadv4_key *keys4[256];
	const struct rte_ipsec_sadv6_key *keys6[256];
	struct sa *sa[257];

	memset(key4, 0, sizeof(key4));
	memset(key6, 0, sizeof(key6));
	for (int i = 0; i < 256; i++) {
		struct sa_spec spec = spec_of(1000 + i, SA_LOOKUP_SPI, "", "");

		if (i % 3 != 0)
			ck_assert_int_eq(add(&spec, i), 0);
		key4[i].spi = key6[i].spi = rte_cpu_to_be_32(1000 + i);
		keys4[i] = &key4[i];
		keys6[i] = &key6[i];
	}
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	for (int s = 0; s < N(sizes); s++) {
		for (int family = 4; family <= 6; family += 2) {
			for (int i = 0; i <= sizes[s]; i++)
				sa[i] = sa_number(SAS_MAX - 1);
			if (family == 4)
				sad_lookup4(sad, keys4, sa, sizes[s]);
			else
				sad_lookup6(sad, keys6, sa, sizes[s]);
			for (int i = 0; i < sizes[s]; i++)
				ck_assert_ptr_eq(sa[i], i % 3 != 0 ? sa_number(i) : NULL);
			ck_assert_ptr_eq(sa[sizes[s]], sa_number(SAS_MAX - 1));
		}
	}
}
END_TEST

/* A worker: SA 0 is always there; of the others none is found that was freed. */
struct reader {
	atomic_bool stop, is_ready;
	uint64_t lost, freed, passes;
};

static void *read_on(void *arg)
{
	struct reader *r = arg;
	struct rte_ipsec_sadv4_key key[256];
	const struct rte_ipsec_sadv4_key *keys[256];
	struct sa *sa[256];
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	memset(key, 0, sizeof(key));
	for (int i = 0; i < 256; i++) {
		key[i].spi = rte_cpu_to_be_32(256 + i);
		keys[i] = &key[i];
	}
	/* The EAL bound the test to one core: the worker may go to another. */
	sched_setaffinity(0, sizeof(all), &all);
	rcu_join(&rcu, 0);
	atomic_store(&r->is_ready, true);
	while (!atomic_load(&r->stop)) {
		sad_lookup4(sad, keys, sa, 256);
		r->lost += sa[0] != sa_number(0);
		for (int i = 0; i < 256; i++)
			if (sa[i] != NULL && atomic_load(&((struct cell *)sa[i])->is_freed))
				r->freed++;
		r->passes++;
		rcu_quiescent(&rcu, 0);
	}
	rcu_leave(&rcu, 0);
	return NULL;
}

START_TEST(workers_find_what_stays_and_nothing_that_is_freed)
{
	struct sa_spec spec = numbered_spec(0, SA_LOOKUP_SPI, 4);
	struct reader r = {0};
	double end = seconds() + 1;
	pthread_t thread;
	int rounds = 0;

	ck_assert_int_eq(add(&spec, 0), 0);
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_on, &r), 0);
	while (!atomic_load(&r.is_ready))
		sched_yield();
	for (; seconds() < end; rounds++) {
		int n = 1 + rand() % 2000; /* the tables grow and shrink on the way */

		for (int i = 1; i <= n; i++) {
			spec = numbered_spec(i, SA_LOOKUP_SPI, 4);
			atomic_store(&cells[i].is_freed, false);
			add(&spec, i);
		}
		ck_assert_int_eq(sad_publish(sad, NULL), 0);
		for (int i = 1; i <= n; i++) {
			spec = numbered_spec(i, SA_LOOKUP_SPI, 4);
			sad_del(sad, &spec);
		}
		ck_assert_int_eq(sad_publish(sad, NULL), 0);
		for (int i = 1; i <= n; i++)
			atomic_store(&cells[i].is_freed, true);
	}
	atomic_store(&r.stop, true);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(r.lost, 0);
	ck_assert_uint_eq(r.freed, 0);
	ck_assert_uint_gt(r.passes, 100);
	ck_assert_int_gt(rounds, 10);
}
END_TEST

START_TEST(without_memory_workers_go_on_with_what_they_have)
{
	struct sa_spec spec = spec_of(256, SA_LOOKUP_SPI, "", "");
	char *hog[512];
	struct why why;
	int n = 0;

	ck_assert_int_eq(add(&spec, 0), 0);
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	while (n < N(hog) && (hog[n] = rte_malloc(NULL, 1 << 20, 0)) != NULL)
		n++;
	for (int i = 1; i < 20000; i++) {
		spec = numbered_spec(i, SA_LOOKUP_SPI, 4);
		ck_assert_int_eq(add(&spec, i), 0);
	}
	ck_assert_int_eq(sad_publish(sad, &why), -ENOMEM);
	ck_assert_ptr_nonnull(strstr(why.text, "20000"));
	ck_assert_int_eq(found(256, "192.0.2.1", "192.0.2.2"), 0);
	ck_assert_int_eq(found(256, "2001:db8::1", "2001:db8::2"), 0);
	ck_assert_int_eq(found(257, "192.0.2.1", "192.0.2.2"), -1);
	while (n-- > 0)
		rte_free(hog[n]);
	ck_assert_int_eq(sad_publish(sad, NULL), 0);
	ck_assert_int_eq(found(256 + 19999, "192.0.2.1", "192.0.2.2"), 19999);
	ck_assert_int_eq(found(256, "2001:db8::1", "2001:db8::2"), 0);
}
END_TEST

int main(void)
{
	char *eal[] = {"test_sad", "--no-huge", "-m", "512", "--no-pci", "--no-shconf",
		"--no-telemetry", "--file-prefix", "test_sad", "-l", "0"};
	Suite *s = suite_create("sad");
	TCase *tc = tcase_create("sad");
	SRunner *sr = srunner_create(s);
	int failed;

	if (rte_eal_init(N(eal), eal) < 0)
		return EXIT_FAILURE;
	tcase_add_checked_fixture(tc, open_sad, close_sad);
	tcase_add_loop_test(tc, the_longest_match_wins_whatever_comes_and_goes, 0, N(families));
	tcase_add_test(tc, an_spi_of_any_destination_stands_in_both_families);
	tcase_add_test(tc, a_key_is_taken_once_counting_what_is_queued);
	tcase_add_test(tc, an_address_that_the_lookup_needs_is_asked_for);
	tcase_add_test(tc, ten_thousand_random_sas_are_found_as_by_reading_all);
	tcase_add_loop_test(tc, sixty_five_thousand_sas_go_in_and_out, 0, 12);
	tcase_add_test(tc, a_lookup_takes_any_number_of_keys_up_to_256);
	tcase_add_test(tc, workers_find_what_stays_and_nothing_that_is_freed);
	tcase_add_test(tc, without_memory_workers_go_on_with_what_they_have);
	suite_add_tcase(s, tc);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	rte_eal_cleanup();
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
