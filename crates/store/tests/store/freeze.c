/* Loads before the C library: at the FREEZE_AT-th sync, takes back all that was written and not synced,
   as a loss of power may, and ends the process. Counts the syncs in the file FREEZE_COUNT.
   Names of files, which folders keep, are not taken back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct change { struct change *before; int fd; dev_t dev; ino_t ino; off_t size, at; size_t length; char *old; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct change *last;
static long syncs;

#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* Keeps what the next change of a plain file replaces. */
static void keep(int fd, off_t at, size_t length) {
    struct stat now;
    char name[32];
    if (fstat(fd, &now) || !S_ISREG(now.st_mode)) return;
    struct change *change = calloc(1, sizeof *change);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    change->fd = open(name, O_RDWR | O_CLOEXEC);
    if (change->fd < 0) { free(change); return; }
    if (at < 0) at = fcntl(fd, F_GETFL) & O_APPEND ? now.st_size : lseek(fd, 0, SEEK_CUR);
    if (at >= now.st_size) length = 0;
    else if ((off_t)length > now.st_size - at) length = now.st_size - at;
    change->dev = now.st_dev; change->ino = now.st_ino; change->size = now.st_size;
    change->at = at; change->length = length; change->old = malloc(length + 1);
    if (pread(change->fd, change->old, length, at) != (ssize_t)length) abort();
    change->before = last;
    last = change;
}

static void freeze(void) {
    for (struct change *change = last; change; change = change->before) {
        if (change->length && NEXT(pwrite64)(change->fd, change->old, change->length, change->at) < 0) abort();
        if (NEXT(ftruncate64)(change->fd, change->size)) abort();
    }
    _exit(99);
}

static void synced(int fd) {
    struct stat now;
    const char *at = getenv("FREEZE_AT"), *count = getenv("FREEZE_COUNT");
    if (fstat(fd, &now)) return;
    syncs++;
    if (at && syncs == atol(at)) freeze();
    if (count) { FILE *out = fopen(count, "w"); fprintf(out, "%ld", syncs); fclose(out); }
    for (struct change **link = &last; *link;) {
        struct change *change = *link;
        if (change->dev == now.st_dev && change->ino == now.st_ino) {
            *link = change->before;
            close(change->fd);
            free(change->old);
            free(change);
        } else {
            link = &change->before;
        }
    }
}

#define LOCKED(type, call) { pthread_mutex_lock(&lock); type result = call; pthread_mutex_unlock(&lock); return result; }

ssize_t write(int fd, const void *bytes, size_t length)
    LOCKED(ssize_t, (keep(fd, -1, length), NEXT(write)(fd, bytes, length)))
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at)
    LOCKED(ssize_t, (keep(fd, at, length), NEXT(pwrite64)(fd, bytes, length, at)))
int ftruncate64(int fd, off64_t length)
    LOCKED(int, (keep(fd, length, (size_t)1 << 40), NEXT(ftruncate64)(fd, length)))
int fsync(int fd) LOCKED(int, (synced(fd), NEXT(fsync)(fd)))
int fdatasync(int fd) LOCKED(int, (synced(fd), NEXT(fdatasync)(fd)))
