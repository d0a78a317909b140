/* SPDX-License-Identifier: BSD-3-Clause */
/* esp_keys.c - an SA's algorithms and keys: which go together, how long keys are. No key is shown. */
#include <errno.h>
#include <string.h>

#include "nearest.h"
#include "sas.h"
#include "values.h"

static const char *const kind_names[] = {"aead", "cipher", "auth"};

/* RFC 8221 5 and 6, and older: words that people still write. */
static bool is_outdated(const char *name)
{
	static const char *const words[] = {"des", "md5", "blowfish", "cast", "idea", "rc4", "rc5"};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(name, words[i]) != NULL)
			return true;
	return false;
}

static void list_algorithms(enum algorithm_kind kind, char *buf, size_t size)
{
	const struct algorithm *a;
	size_t n = 0;

	*buf = '\0';
	for (unsigned i = 0; (a = algorithm_at(i)) != NULL && n < size; i++)
		if (a->kind == kind)
			n += snprintf(buf + n, size - n, "%s%s", n > 0 ? ", " : "", a->name);
}

static void refuse_algorithm(struct reader *r, struct yaml_node *at, enum algorithm_kind kind)
{
	char list[512], quoted[REPORT_QUOTE];
	const struct algorithm *a;
	struct nearest nearest;

	for (unsigned k = 0; k < 3; k++) {
		if (algorithm_find(k, at->text) != NULL) {
			report_error(r->report, at, "%s is no %s, write it as %s: %s%s",
				report_quote(at, quoted), kind_names[kind], kind_names[k], at->text,
				k == ALGORITHM_CIPHER ? " with an auth" : "");
			return;
		}
	}
	list_algorithms(kind, list, sizeof(list));
	if (is_outdated(at->text)) {
		report_error(r->report, at,
			"%s is not offered, it protects no more (RFC 8221); "
			"these are: %s",
			report_quote(at, quoted), list);
		return;
	}
	nearest_start(&nearest, at->text);
	for (unsigned i = 0; (a = algorithm_at(i)) != NULL; i++)
		if (a->kind == kind)
			nearest_offer(&nearest, a->name);
	report_error(r->report, at, "%s is no %s%s%s%s; these are: %s", report_quote(at, quoted),
		kind_names[kind], nearest.name != NULL ? ", '" : "",
		nearest.name != NULL ? nearest.name : "",
		nearest.name != NULL ? "' may be meant" : "", list);
}

void read_algorithm(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	const struct algorithm *a;

	if (!schema_is_scalar(r, at, key->form))
		return;
	a = algorithm_find(key->min, at->text);
	if (a == NULL)
		refuse_algorithm(r, at, key->min);
	else
		*(const struct algorithm **)field = a;
}

void read_key(struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	struct key parsed;
	int rc;

	if (!schema_is_scalar(r, at, key->form))
		return;
	rc = key_parse(at->text, at->len, &parsed);
	explicit_bzero((char *)at->text, at->len);
	if (rc == 0)
		*(struct key *)field = parsed;
	else if (rc == -E2BIG)
		report_error(r->report, at, "the key is longer than any, up to %d bytes are taken",
			KEY_MAX);
	else
		report_error(r->report, at,
			"the key is malformed, 0x and an even number of hex digits are wanted");
	key_wipe(&parsed);
}

void read_key_file(
	struct reader *r, struct yaml_node *at, const struct schema_key *key, void *field)
{
	char path[KEY_PATH_MAX], quoted[REPORT_QUOTE];
	struct key parsed;
	int rc;

	(void)key;
	if (!value_path(r, at, path, sizeof(path)))
		return;
	rc = key_read_file(path, &parsed);
	if (rc == 0)
		*(struct key *)field = parsed;
	else if (rc == -EPERM)
		report_error(r->report, at,
			"%s is not kept secret, mode 0600 or 0400 and an owner that is this user "
			"or "
			"root are wanted",
			report_quote(at, quoted));
	else if (rc == -EINVAL || rc == -E2BIG)
		report_error(r->report, at,
			"%s holds no key, one line of 0x and an even number of hex digits, up to "
			"%d "
			"bytes, is wanted",
			report_quote(at, quoted), KEY_MAX);
	else
		report_error(r->report, at, "%s cannot be read, %s", report_quote(at, quoted),
			strerror(-rc));
	key_wipe(&parsed);
}

static void check_len(
	struct reader *r, struct yaml_node *at, const struct algorithm *a, const struct key *key)
{
	unsigned wanted = a->key_len + a->salt_len;

	if (key->len == wanted)
		return;
	if (a->salt_len > 0)
		report_error(r->report, at,
			"the key has %u bytes, %s wants %u: a key of %u and a salt of %u", key->len,
			a->name, wanted, a->key_len, a->salt_len);
	else
		report_error(r->report, at, "the key has %u bytes, %s wants %u", key->len, a->name,
			wanted);
}

/* One key, inline or from a file: there exactly where the algorithm has one, and of its length. */
static void check_key(struct reader *r, struct yaml_node *sa, const struct algorithm *a,
	const char *name, const char *file_name, const struct key *key)
{
	struct yaml_node *given = yaml_child(sa, name), *file = yaml_child(sa, file_name);
	struct yaml_node *at = given != NULL ? given : file;
	bool wanted = a != NULL && a->key_len > 0;

	if (given != NULL && file != NULL)
		report_key_error(
			r->report, file, "there is a %s too, one of the two is wanted", name);
	else if (!wanted && at != NULL)
		report_key_error(r->report, at, "there is nothing that has this key, leave it out");
	else if (wanted && at == NULL)
		report_error(r->report, sa, "the key '%s' is missing, %s wants %u bytes", name,
			a->name, a->key_len + a->salt_len);
	else if (wanted && !at->is_bad)
		check_len(r, at, a, key);
}

void sa_check_keys(struct reader *r, struct yaml_node *at, struct sa_draft *draft)
{
	const struct crypto_spec *c = &draft->spec.crypto;
	struct yaml_node *aead = yaml_child(at, "aead"), *cipher = yaml_child(at, "cipher");
	struct yaml_node *auth = yaml_child(at, "auth");
	bool bad = (aead != NULL && aead->is_bad) || (cipher != NULL && cipher->is_bad) ||
		   (auth != NULL && auth->is_bad);

	if (aead != NULL && (cipher != NULL || auth != NULL))
		report_key_error(r->report, cipher != NULL ? cipher : auth,
			"an AEAD encrypts and authenticates, leave out this or aead");
	else if (aead == NULL && cipher == NULL && auth == NULL)
		report_error(
			r->report, at, "no algorithm is given, write aead, or cipher and auth");
	else if (bad)
		return;
	else if (aead == NULL && auth == NULL)
		report_key_error(r->report, cipher,
			"nothing authenticates, write an auth beside it (RFC 8221 4)");
	else if (aead == NULL && cipher == NULL)
		report_key_error(r->report, auth,
			"there is no cipher, write 'cipher: null' to authenticate only");
	else {
		check_key(r, at, c->aead != NULL ? c->aead : c->cipher, "key", "key_file", &c->key);
		check_key(r, at, c->auth, "auth_key", "auth_key_file", &c->auth_key);
	}
}
