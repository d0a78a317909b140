/* SPDX-License-Identifier: BSD-3-Clause */
/* listener.c - the place in the file system where clients knock: claimed from the dead, never from
 * the living. */
#include "listener.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libgen.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKLOG    64
#define LOCK_TRIES 20 /* of 50 ms */

/* The folder that the socket lies in. */
static const char *folder_of(const struct listener *l, char buf[static sizeof(l->addr.sun_path)])
{
	memcpy(buf, l->addr.sun_path, sizeof(l->addr.sun_path));
	return dirname(buf);
}

static int make_folder(struct listener *l, struct why *why)
{
	char buf[sizeof(l->addr.sun_path)];
	const char *folder = folder_of(l, buf);

	if (mkdir(folder, 0755) == 0) {
		l->made_folder = true;
		if (chmod(folder, 0755) == 0) /* whatever the umask */
			return 0;
	} else if (errno == EEXIST) {
		return 0;
	}
	return why_set(why, -errno, "folder %s: %s", folder, strerror(errno));
}

/* Two that start at once must not both take a dead one's place: the second would silently remove
 * the first's socket. The lock is on the folder and leaves nothing behind. Anybody may hold it, so
 * it is not waited for without end. The fd to close, or -1. */
static int lock_folder(const struct listener *l)
{
	char buf[sizeof(l->addr.sun_path)];
	int fd = open(folder_of(l, buf), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && i < LOCK_TRIES; i++)
		usleep(50 * 1000);
	return fd;
}

static int bind_once(const struct listener *l)
{
	return bind(l->fd, (const struct sockaddr *)&l->addr, sizeof(l->addr)) == 0 ? 0 : -errno;
}

/* 0: what lies there is a socket that nobody listens on. */
static int must_be_abandoned(const struct listener *l, struct why *why)
{
	struct stat st;
	int fd, rc;

	if (lstat(l->addr.sun_path, &st) == 0 && !S_ISSOCK(st.st_mode))
		return why_set(why, -EEXIST, "what lies there is no socket; move it away");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return why_set(why, -errno, "%s", strerror(errno));
	rc = connect(fd, (const struct sockaddr *)&l->addr, sizeof(l->addr)) == 0 ? 0 : -errno;
	close(fd);
	if (rc == -ECONNREFUSED || rc == -ENOENT)
		return 0;
	if (rc == 0 || rc == -EAGAIN) /* EAGAIN: alive, with a long queue */
		return why_set(
			why, -EADDRINUSE, "another adit answers there; another path lets both run");
	return why_set(why, rc, "what lies there may not be replaced: %s", strerror(-rc));
}

static int claim(const struct listener *l, struct why *why)
{
	int rc = bind_once(l);

	if (rc == -EADDRINUSE) {
		rc = must_be_abandoned(l, why);
		if (rc < 0)
			return rc;
		unlink(l->addr.sun_path);
		rc = bind_once(l);
	}
	if (rc < 0)
		return why_set(why, rc, "%s", strerror(-rc));
	return 0;
}

/* A group that cannot be had costs its members the access, not the gateway its start. */
static void set_group(const char *path, const char *group, struct why *why)
{
	const struct group *g;

	why_set(why, 0, "%s", "");
	if (group == NULL || group[0] == '\0')
		return;
	g = getgrnam(group);
	if (g == NULL)
		why_set(why, 0,
			"there is no group %s, so only its owner may use it; groupadd --system %s "
			"makes one",
			group, group);
	else if (chown(path, (uid_t)-1, g->gr_gid) < 0)
		why_set(why, 0, "it cannot be given to group %s: %s", group, strerror(errno));
}

/* Nobody gets in before listen(), so nobody sees it with another mode or group. */
static int open_up(struct listener *l, mode_t mode, const char *group, struct why *why)
{
	const char *path = l->addr.sun_path;
	struct stat st;

	set_group(path, group, why);
	if (chmod(path, mode) < 0 || lstat(path, &st) < 0 || listen(l->fd, BACKLOG) < 0)
		return why_set(why, -errno, "%s", strerror(errno));
	l->dev = st.st_dev;
	l->ino = st.st_ino;
	return 0;
}

static void remove_folder(const struct listener *l)
{
	char buf[sizeof(l->addr.sun_path)];

	if (l->made_folder)
		rmdir(folder_of(l, buf)); /* refused where others put something into it */
}

int listener_open(
	struct listener *l, const char *path, mode_t mode, const char *group, struct why *why)
{
	int rc, lock;

	*l = (struct listener){.addr.sun_family = AF_UNIX};
	if (path[0] == '\0' || strlen(path) >= sizeof(l->addr.sun_path))
		return why_set(why, path[0] == '\0' ? -EINVAL : -ENAMETOOLONG,
			"a path has 1 to %zu bytes", sizeof(l->addr.sun_path) - 1);
	strcpy(l->addr.sun_path, path);
	rc = make_folder(l, why);
	if (rc < 0)
		goto remove_folder;
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->fd < 0) {
		rc = why_set(why, -errno, "%s", strerror(errno));
		goto remove_folder;
	}
	lock = lock_folder(l);
	rc = claim(l, why);
	if (rc == 0) {
		rc = open_up(l, mode, group, why);
		if (rc < 0)
			unlink(path);
	}
	if (lock >= 0)
		close(lock);
	if (rc == 0)
		return 0;
	close(l->fd);
remove_folder:
	remove_folder(l);
	return rc;
}

void listener_close(struct listener *l)
{
	struct stat st;

	if (lstat(l->addr.sun_path, &st) == 0 && st.st_dev == l->dev && st.st_ino == l->ino)
		unlink(l->addr.sun_path);
	close(l->fd);
	remove_folder(l);
}
