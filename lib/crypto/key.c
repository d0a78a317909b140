/* SPDX-License-Identifier: BSD-3-Clause */
/* key.c - secret key material: parsed, fingerprinted, wiped; never printed. */
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "key.h"

#define HEX_MAX (2 + 2 * KEY_MAX) /* characters of the longest key, "0x" included */

/* All ones where lo <= c <= hi, else 0. */
static int between(int lo, int c, int hi)
{
	return ~(((c - lo) | (hi - c)) >> 31);
}

/* Has no branch and no table look-up that would tell the digit by its time. */
static uint8_t hex_digit(uint8_t c, int *good)
{
	int lower = c | 0x20;
	int digit = between('0', c, '9');
	int letter = between('a', lower, 'f');

	*good &= digit | letter;
	return (digit & (c - '0')) | (letter & (lower - 'a' + 10));
}

int key_parse(const char *text, size_t len, struct key *out)
{
	int good = -1;

	key_wipe(out);
	if (len < 4 || len % 2 != 0 || text[0] != '0' || text[1] != 'x')
		return -EINVAL;
	if (len > HEX_MAX)
		return -E2BIG;
	for (size_t i = 2; i < len; i += 2) {
		uint8_t high = hex_digit(text[i], &good);

		out->bytes[i / 2 - 1] = high << 4 | hex_digit(text[i + 1], &good);
	}
	out->len = len / 2 - 1;
	if (good == 0) {
		key_wipe(out);
		return -EINVAL;
	}
	return 0;
}

/* The descriptor is judged, not the name, so the file cannot change in between. */
static int is_private(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if ((st.st_mode & 07777) != 0600 && (st.st_mode & 07777) != 0400)
		return -EPERM;
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return -EPERM;
	return 0;
}

/* Reads until the buffer is full or the file ends; bytes read or -errno. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, buf + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		got += n;
	}
	return got;
}

int key_read_file(const char *path, struct key *out)
{
	char text[HEX_MAX + 4]; /* a key with its newline, and enough to see one that is too long */
	ssize_t len;
	int fd, rc;

	key_wipe(out);
	/* O_NONBLOCK: a fifo must not hang the start. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	rc = is_private(fd);
	if (rc < 0)
		goto close_file;
	len = read_all(fd, text, sizeof(text));
	if (len < 0) {
		rc = len;
		goto wipe_text;
	}
	if (len > 0 && text[len - 1] == '\n')
		len--;
	rc = key_parse(text, len, out);

wipe_text:
	explicit_bzero(text, sizeof(text));
close_file:
	close(fd);
	return rc;
}

void key_wipe(struct key *key)
{
	explicit_bzero(key, sizeof(*key));
}

int key_fingerprint(const struct key *key, uint8_t out[KEY_FINGERPRINT])
{
	static const char label[] = "adit key fingerprint 2";
	uint8_t digest[EVP_MAX_MD_SIZE];
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int rc = -ENOMEM;

	memset(out, 0, KEY_FINGERPRINT);
	if (ctx == NULL)
		return rc;
	if (EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) == 1 &&
		EVP_DigestUpdate(ctx, label, sizeof(label)) == 1 &&
		EVP_DigestUpdate(ctx, key->bytes, key->len) == 1 &&
		EVP_DigestFinal_ex(ctx, digest, NULL) == 1) {
		memcpy(out, digest, KEY_FINGERPRINT);
		rc = 0;
	}
	explicit_bzero(digest, sizeof(digest));
	EVP_MD_CTX_free(ctx); /* wipes its state */
	return rc;
}
