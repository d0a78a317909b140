/* SPDX-License-Identifier: BSD-3-Clause */
/* lease_journal.c - makes, checks, reads and writes the file that leases are kept in. */
#include "lease_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <rte_hash_crc.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME     "sequence.journal"
#define NEW_NAME NAME ".new"
#define MAGIC    UINT64_C(0x6c616e72756f6a01) /* also tells the byte order */
#define VERSION  1

struct header {
	uint32_t checksum; /* of all from magic on */
	uint32_t none;
	uint64_t magic;
	uint32_t version;
	uint32_t page_size;
	uint32_t pages;
	uint8_t id[16];
	uint8_t zero[4052];
};
static_assert(sizeof(struct header) == sizeof(struct journal_page), "the header is a page");

#define FILE_SIZE (off_t)(sizeof(struct journal_page) * (1 + 2 * JOURNAL_PAGES))

/* place: which block of the file it is; the same bytes elsewhere are damage. */
static uint32_t checksum(const void *block, uint32_t place)
{
	const uint64_t *words = block; /* rte_hash_crc() reads whole words */

	return rte_hash_crc(words + 1, sizeof(struct header) - sizeof(*words), place);
}

static int read_block(int fd, void *block, off_t offset)
{
	ssize_t n;

	do
		n = pread(fd, block, sizeof(struct header), offset);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == sizeof(struct header) ? 0 : -EBADMSG;
}

static int write_block(int fd, const void *block, off_t offset)
{
	ssize_t n;

	do
		n = pwrite(fd, block, sizeof(struct header), offset);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == sizeof(struct header) ? 0 : -EIO;
}

static uint32_t place_of(uint32_t index, int copy)
{
	return 1 + copy * JOURNAL_PAGES + index;
}

static off_t offset_of(uint32_t place)
{
	return (off_t)sizeof(struct journal_page) * place;
}

int journal_file_read(
	const struct journal_file *f, uint32_t index, int copy, struct journal_page *out)
{
	uint32_t place = place_of(index, copy);
	int rc = read_block(f->fd, out, offset_of(place));

	if (rc < 0)
		return rc;
	if (out->checksum != checksum(out, place) ||
		memcmp(out->journal, f->id, sizeof(f->id)) != 0)
		return -EBADMSG;
	return 0;
}

int journal_file_write(
	const struct journal_file *f, uint32_t index, int copy, struct journal_page *page)
{
	uint32_t place = place_of(index, copy);

	memcpy(page->journal, f->id, sizeof(f->id));
	page->checksum = checksum(page, place);
	return write_block(f->fd, page, offset_of(place));
}

int journal_file_sync(const struct journal_file *f)
{
	return fdatasync(f->fd) < 0 ? -errno : 0;
}

/* Ours or root's, and nobody else writes to it: who can turn it back can make nonces repeat. */
static int check_owner(const struct stat *st, const char *what, struct why *why)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return why_set(why, -EPERM, "%s belongs to user %u, not to us or root", what,
			(unsigned)st->st_uid);
	if ((st->st_mode & 022) != 0)
		return why_set(why, -EPERM,
			"%s has mode %04o: others may write to it; make it %04o", what,
			st->st_mode & 07777, st->st_mode & 07755 & ~022);
	return 0;
}

/* The folder, checked. Locked for as long as it is open: of one folder's journal, even when the file
 * in it is replaced, there is one user. */
static int open_dir(const char *dir, struct why *why)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	int rc;

	if (fd < 0 && errno == ENOENT)
		return why_set(why, -ENOENT,
			"%s does not exist; adit --init-state makes it and the journal in it", dir);
	if (fd < 0)
		return why_set(why, -errno, "%s: %s", dir, strerror(errno));
	rc = fstat(fd, &st) < 0 ? why_set(why, -errno, "%s: %s", dir, strerror(errno))
				: check_owner(&st, dir, why);
	if (rc == 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		rc = errno == EWOULDBLOCK
			     ? why_set(why, -EBUSY, "%s is in use by another process", dir)
			     : why_set(why, -errno, "%s: cannot be locked: %s", dir,
				       strerror(errno));
	if (rc < 0) {
		close(fd);
		return rc;
	}
	return fd;
}

static int write_new(int fd)
{
	struct header header = {.version = VERSION,
		.magic = MAGIC,
		.page_size = sizeof(struct journal_page),
		.pages = JOURNAL_PAGES};
	struct journal_file f = {.fd = fd};
	int rc;

	if (getrandom(header.id, sizeof(header.id), 0) != sizeof(header.id))
		return -errno;
	memcpy(f.id, header.id, sizeof(f.id));
	header.checksum = checksum(&header, 0);
	rc = write_block(fd, &header, 0);
	for (uint32_t i = 0; rc == 0 && i < 2 * JOURNAL_PAGES; i++) {
		struct journal_page page = {.generation = i < JOURNAL_PAGES};

		rc = journal_file_write(&f, i % JOURNAL_PAGES, i / JOURNAL_PAGES, &page);
	}
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	return rc;
}

/* 1. A new file under another name, 2. whole on disk, 3. its name, 4. that on disk too. */
static int make_file(int dir)
{
	int fd, rc;

	unlinkat(dir, NEW_NAME, 0); /* of one that was interrupted */
	fd = openat(dir, NEW_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	rc = write_new(fd);
	close(fd);
	if (rc == 0 && renameat(dir, NEW_NAME, dir, NAME) < 0)
		rc = -errno;
	if (rc < 0)
		unlinkat(dir, NEW_NAME, 0);
	else if (fsync(dir) < 0)
		rc = -errno;
	return rc;
}

/* Whether its name is safe with its parent, too, is asked only where we made it. */
static int make_dir(const char *dir)
{
	int fd, parent, rc = 0;

	if (mkdir(dir, 0700) < 0)
		return errno == EEXIST ? 0 : -errno;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0 || fsync(parent) < 0)
		rc = -errno;
	if (parent >= 0)
		close(parent);
	close(fd);
	return rc;
}

int lease_journal_init(const char *dir, struct why *why)
{
	struct stat st;
	int fd, rc = make_dir(dir);

	if (rc < 0)
		return why_set(why, rc, "%s: cannot be made: %s", dir, strerror(-rc));
	fd = open_dir(dir, why);
	if (fd < 0 && fd != -EBUSY)
		return fd;
	if (fd == -EBUSY || fstatat(fd, NAME, &st, AT_SYMLINK_NOFOLLOW) == 0)
		rc = why_set(why, -EEXIST,
			"%s/" NAME
			" is there already: it holds how far each key has got; remove it "
			"only together with the keys, or nonces repeat",
			dir);
	else if ((rc = make_file(fd)) < 0)
		why_set(why, rc, "%s/" NAME ": cannot be made: %s", dir, strerror(-rc));
	if (fd >= 0)
		close(fd);
	return rc;
}

static int open_file(int dir, const char *dir_name, struct why *why)
{
	int fd = openat(dir, NAME, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return why_set(why, -ENOENT,
			"%s/" NAME
			" does not exist: without it numbers of old keys would repeat; if "
			"all keys are new, adit --init-state makes it",
			dir_name);
	if (errno == ELOOP)
		return why_set(
			why, -EBADMSG, "%s/" NAME " is a symbolic link, not a journal", dir_name);
	return why_set(why, -errno, "%s/" NAME ": cannot be opened for writing: %s", dir_name,
		strerror(errno));
}

/* On 0 it is one of ours, and *id its name. */
static int check_file(int fd, uint8_t id[static 16], const char *dir, struct why *why)
{
	struct header header;
	struct stat st;
	char path[256];
	int rc;

	snprintf(path, sizeof(path), "%s/" NAME, dir);
	if (fstat(fd, &st) < 0)
		return why_set(why, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return why_set(why, -EBADMSG, "%s is not a file", path);
	rc = check_owner(&st, path, why);
	if (rc < 0)
		return rc;
	rc = read_block(fd, &header, 0);
	if (rc < 0 && rc != -EBADMSG)
		return why_set(why, rc, "%s: %s", path, strerror(-rc));
	if (rc < 0 || header.magic != MAGIC)
		return why_set(why, -EBADMSG, "%s is not a journal", path);
	if (header.checksum != checksum(&header, 0))
		return why_set(why, -EBADMSG, "%s: its header is damaged", path);
	if (header.version != VERSION || header.page_size != sizeof(struct journal_page) ||
		header.pages != JOURNAL_PAGES)
		return why_set(why, -EBADMSG, "%s is of version %u; this adit reads version %u",
			path, header.version, VERSION);
	if (st.st_size != FILE_SIZE)
		return why_set(why, -EBADMSG, "%s has %lld bytes, not %lld: a part is missing",
			path, (long long)st.st_size, (long long)FILE_SIZE);
	memcpy(id, header.id, sizeof(header.id));
	return 0;
}

int journal_file_open(const char *dir, struct journal_file *out, struct why *why)
{
	int rc;

	out->dir = open_dir(dir, why);
	if (out->dir < 0)
		return out->dir;
	out->fd = open_file(out->dir, dir, why);
	if (out->fd < 0) {
		rc = out->fd;
		goto close_dir;
	}
	rc = check_file(out->fd, out->id, dir, why);
	if (rc < 0)
		goto close_file;
	return 0;

close_file:
	close(out->fd);
close_dir:
	close(out->dir);
	return rc;
}

void journal_file_close(struct journal_file *f)
{
	close(f->fd);
	close(f->dir);
}
