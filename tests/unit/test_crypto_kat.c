/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crypto_kat.c - published vectors come out of every provider, and nothing altered passes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "crypto_fixture.h"

struct vector {
	char name[64];
	struct crypto_spec spec;
	struct shape plain;
	uint8_t cipher_text[256];
	uint8_t icv[CRYPTO_ICV_MAX];
	unsigned icv_len; /* 0: the source has none */
};

static const char *const files[] = {"gcm-esp.txt", "gmac.txt", "ccm.txt", "chacha20-poly1305.txt",
	"cbc.txt", "ctr.txt", "auth.txt"};
static struct vector vectors[128];
static unsigned n_vectors;

static struct rte_mempool *pool;
static struct player players[PLAYERS];

static unsigned hex(const char *text, uint8_t *out, size_t size)
{
	unsigned n = 0;

	for (; n < size && sscanf(text + 2 * n, "%2hhx", &out[n]) == 1; n++)
		;
	return n;
}

static void take_key(const char *text, struct key *key)
{
	key->len = hex(text, key->bytes, sizeof(key->bytes));
}

static void take_field(struct vector *v, const char *field, const char *value)
{
	if (strcmp(field, "name") == 0)
		snprintf(v->name, sizeof(v->name), "%s", value);
	else if (strcmp(field, "aead") == 0)
		v->spec.aead = algorithm_find(ALGORITHM_AEAD, value);
	else if (strcmp(field, "cipher") == 0)
		v->spec.cipher = algorithm_find(ALGORITHM_CIPHER, value);
	else if (strcmp(field, "auth") == 0)
		v->spec.auth = algorithm_find(ALGORITHM_AUTH, value);
	else if (strcmp(field, "key") == 0)
		take_key(value, &v->spec.key);
	else if (strcmp(field, "auth_key") == 0)
		take_key(value, &v->spec.auth_key);
	else if (strcmp(field, "nonce") == 0)
		hex(value, v->plain.nonce, sizeof(v->plain.nonce));
	else if (strcmp(field, "aad") == 0)
		v->plain.aad_len = hex(value, v->plain.aad, sizeof(v->plain.aad));
	else if (strcmp(field, "plain") == 0)
		v->plain.text_len = hex(value, v->plain.text, sizeof(v->plain.text));
	else if (strcmp(field, "cipher_text") == 0)
		hex(value, v->cipher_text, sizeof(v->cipher_text));
	else if (strcmp(field, "icv") == 0)
		v->icv_len = hex(value, v->icv, sizeof(v->icv));
	else
		exit(EXIT_FAILURE);
}

static void read_vectors(const char *file)
{
	char path[512], line[1024], field[32], value[900];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", VECTORS, file);
	f = fopen(path, "r");
	if (f == NULL) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		value[0] = '\0';
		if (line[0] == '#' || sscanf(line, "%31[a-z_]: %899[^\n]", field, value) < 1)
			continue;
		n_vectors += strcmp(field, "name") == 0; /* opens a record */
		take_field(&vectors[n_vectors - 1], field, value);
	}
	fclose(f);
}

/* The wire bit of a packet, counted from the AAD's first. */
static void flip(struct crypto_job *job, const struct shape *shape, unsigned bit)
{
	uint8_t mask = 1 << bit % 8;

	fixture_text(job, shape)[(int)(bit / 8) - shape->aad_len] ^= mask;
	if (bit / 8 < shape->aad_len)
		job->aad[bit / 8] ^= mask; /* which GMAC has in the packet */
}

static void refuse_every_flip(
	struct crypto *room, const struct vector *v, struct crypto_session *s, struct shape *wire)
{
	unsigned bits = 8 * (wire->aad_len + wire->text_len + fixture_icv_len(&v->spec));

	for (unsigned bit = 0; bit < bits; bit++) {
		struct crypto_job *job = fixture_job(pool, s, &v->spec, wire);

		flip(job, wire, bit);
		ck_assert_msg(fixture_run(room, 0, job) == CRYPTO_BAD_ICV, "%s: bit %u passed",
			v->name, bit);
		fixture_free(job);
	}
}

static void known_answer(const struct player *p, const struct vector *v)
{
	struct crypto *room = p->room;
	struct crypto_session *s[2];
	struct shape wire = v->plain;
	unsigned icv_len = fixture_icv_len(&v->spec);
	struct crypto_job *job;
	struct why why;

	for (unsigned d = 0; d < 2; d++) {
		int rc = crypto_session_open(room, p->provider, &v->spec, d, &s[d], &why);

		ck_assert_msg(rc == 0, "%s: %s", v->name, why.text);
	}
	job = fixture_job(pool, s[CRYPTO_ENCRYPT], &v->spec, &v->plain);
	ck_assert_int_eq(fixture_run(room, 0, job), CRYPTO_OK);
	ck_assert_msg(memcmp(fixture_text(job, &v->plain), v->cipher_text, v->plain.text_len) == 0,
		"%s by %s", v->name, p->name);
	ck_assert_msg(memcmp(fixture_icv(job, &v->plain), v->icv, v->icv_len) == 0, "%s by %s",
		v->name, p->name);
	memcpy(wire.text, fixture_text(job, &v->plain), wire.text_len);
	memcpy(wire.icv, fixture_icv(job, &v->plain), icv_len);
	fixture_free(job);

	job = fixture_job(pool, s[CRYPTO_DECRYPT], &v->spec, &wire);
	ck_assert_int_eq(fixture_run(room, 0, job), CRYPTO_OK);
	ck_assert_mem_eq(fixture_text(job, &wire), v->plain.text, wire.text_len);
	fixture_free(job);

	refuse_every_flip(room, v, s[CRYPTO_DECRYPT], &wire);
	crypto_session_close(room, s[0]);
	crypto_session_close(room, s[1]);
}

START_TEST(a_published_vector_comes_out_of_the_oracle_too)
{
	const struct vector *v = &vectors[_i];
	static struct shape s;

	if (v->icv_len == 0)
		return;
	s = v->plain;
	oracle_encrypt(&v->spec, &s);
	ck_assert_msg(memcmp(s.text, v->cipher_text, s.text_len) == 0, "%s", v->name);
	ck_assert_msg(memcmp(s.icv, v->icv, v->icv_len) == 0, "%s", v->name);
}
END_TEST

static bool has_aad_of_esp(const struct vector *v)
{
	return v->spec.aead == NULL || v->plain.aad_len == 8 || v->plain.aad_len == 12;
}

START_TEST(a_published_vector_comes_out_and_every_flipped_bit_is_refused)
{
	struct vector *v = &vectors[_i];
	unsigned n = 0;

	ck_assert_msg(v->icv_len == 0 || v->icv_len == fixture_icv_len(&v->spec), "%s", v->name);
	if (!has_aad_of_esp(v)) {
		ck_assert_int_eq(v->spec.aead->family, ALGORITHM_CCM);
		return; /* it is for the oracle */
	}
	v->spec.esn = v->plain.aad_len == 12;
	if (v->icv_len == 0)
		fixture_random(
			v->spec.auth_key.bytes, v->spec.auth_key.len = v->spec.auth->key_len);
	for (const struct player *p = players; p < players + PLAYERS; p++) {
		if (crypto_can(p->room, p->provider, &v->spec, NULL) < 0)
			continue;
		known_answer(p, v);
		n++;
	}
	ck_assert_msg(n > 0, "nobody can do %s", v->name);
}
END_TEST

START_TEST(the_vectors_are_all_there)
{
	ck_assert_uint_eq(n_vectors, 58 + 13 + 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("crypto_kat");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	for (unsigned i = 0; i < RTE_DIM(files); i++)
		read_vectors(files[i]);
	fixture_players(players);
	pool = fixture_pool(63);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, the_vectors_are_all_there);
	tcase_add_loop_test(t, a_published_vector_comes_out_of_the_oracle_too, 0, n_vectors);
	tcase_add_loop_test(
		t, a_published_vector_comes_out_and_every_flipped_bit_is_refused, 0, n_vectors);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_set_fork_status(r, CK_NOFORK);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	fixture_players_close(players);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
