/* Files that fail: preloaded into a process, it lets calls that change what is in one folder fail on demand, or writes
   down what each of them did, in their order. Does nothing until trouble_watch() names the folder. Linux, 64 bits. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, SYNC, TRUNCATE, UNLINK, RENAME, LINK, MARK }; /* as in shim.py */
static const char *const NAMES[] = {"", "open", "write", "sync", "truncate", "unlink", "rename", "link"};
enum { CREATED = 1, EMPTIED = 2, FOLDER = 4 };
enum { FILES = 4096 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length; /* 0: nobody watches */
static char *paths[FILES];   /* by descriptor: what is open in the folder */
static int record = -1;      /* where is written down what was done; -1: nowhere */

static long calls, strike_at;                        /* calls so far; which is to fail, 0: none */
static int strike_error, strike_short, strike_onward; /* how; half of a write, then ENOSPC; all that come after, too */
static int full;                                     /* a write was cut short: the next finds the disk full */
static char struck[PATH_MAX + 32];                   /* what failed first */

void trouble_watch(const char *name, const char *log) {
    folder_length = strlen(strcpy(folder, name));
    if (log != NULL)
        record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

void trouble_strike(long call, int error, int short_, int onward) {
    calls = 0, full = 0, struck[0] = 0;
    strike_at = call, strike_error = error, strike_short = short_, strike_onward = onward;
}

long trouble_calls(void) { return calls; }
const char *trouble_struck(void) { return struck; }

static int inside(const char *path) {
    return folder_length && path != NULL && !strncmp(path, folder, folder_length) &&
           (path[folder_length] == '/' || path[folder_length] == 0);
}

static const char *path_of(int fd) { return folder_length && fd >= 0 && fd < FILES ? paths[fd] : NULL; }

/* The fate of the next call: 0, or the error it is to fail with; *cut: it is to write half of what it was given. */
static int fate(int op, const char *path, int *cut) {
    if (cut != NULL && full)
        return full = 0, ENOSPC;
    if (strike_short && cut == NULL)
        return 0;
    calls++;
    if (!strike_at || calls < strike_at || (calls > strike_at && !strike_onward))
        return 0;
    if (!struck[0])
        snprintf(struck, sizeof struck, "%ld %s %s", calls, NAMES[op], path + folder_length);
    if (!strike_short)
        return strike_error;
    return *cut = full = 1, 0;
}

static void put(const void *bytes, size_t length) {
    for (const char *at = bytes; length;) {
        long done = syscall(SYS_write, record, at, length);
        if (done <= 0)
            abort(); /* a record with a hole would prove anything */
        at += done, length -= (size_t)done;
    }
}

static void note(int op, int flag, int fd, long offset, const char *path, const char *other, const void *data, size_t length) {
    struct stat found = {0};
    if (record < 0)
        return;
    if (fd >= 0)
        fstat(fd, &found);
    struct {
        uint8_t op, flag;
        uint16_t path, other, spare;
        uint32_t length, spare_too;
        uint64_t file, offset;
    } head = {(uint8_t)op, (uint8_t)(flag | (S_ISDIR(found.st_mode) ? FOLDER : 0)), (uint16_t)strlen(path),
              (uint16_t)(other ? strlen(other) : 0), 0, (uint32_t)length, 0, found.st_ino, (uint64_t)offset};
    put(&head, sizeof head);
    put(path, head.path);
    if (other != NULL)
        put(other, head.other);
    if (length)
        put(data, length);
}

void trouble_mark(const char *said) {
    pthread_mutex_lock(&turn);
    note(MARK, 0, -1, 0, "", NULL, said, strlen(said));
    pthread_mutex_unlock(&turn);
}

static int finish(int error, long done) {
    pthread_mutex_unlock(&turn);
    if (error)
        errno = error;
    return error ? -1 : (int)done;
}

static int opening(const char *path, int flags, mode_t mode) {
    if (!inside(path)) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
        if (fd >= 0 && fd < FILES)
            paths[fd] = NULL;
        return fd;
    }
    pthread_mutex_lock(&turn);
    int error = fate(OPEN, path, NULL), fd = -1;
    if (!error) {
        struct stat before;
        int created = (flags & O_CREAT) && stat(path, &before);
        fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
        if (fd >= FILES)
            abort();
        if (fd < 0)
            error = errno;
        else {
            free(paths[fd]);
            paths[fd] = strdup(path);
            note(OPEN, (created ? CREATED : 0) | (flags & O_TRUNC ? EMPTIED : 0), fd, 0, path, NULL, NULL, 0);
        }
    }
    return finish(error, fd);
}

#define OPENS(name)                                                                                                    \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                                      \
        va_end(more);                                                                                                  \
        return opening(path, flags, mode);                                                                             \
    }
OPENS(open)
OPENS(open64)
int __open_2(const char *path, int flags) { return opening(path, flags, 0); }
int __open64_2(const char *path, int flags) { return opening(path, flags, 0); }

int close(int fd) {
    pthread_mutex_lock(&turn);
    if (fd >= 0 && fd < FILES && paths[fd] != NULL) {
        free(paths[fd]);
        paths[fd] = NULL;
    }
    pthread_mutex_unlock(&turn);
    return (int)syscall(SYS_close, fd);
}

/* Write at an offset, or with -1 where the file stands. */
static ssize_t writing(int fd, const void *data, size_t length, off_t offset) {
    const char *path = path_of(fd);
    if (path == NULL)
        return offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
    pthread_mutex_lock(&turn);
    int cut = 0, error = fate(WRITE, path, &cut);
    ssize_t done = 0;
    if (cut && length < 2)
        error = ENOSPC, full = 0;
    if (!error) {
        off_t at = offset;
        if (offset < 0)
            at = lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
        length = cut ? length / 2 : length;
        done = offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
        if (done < 0)
            error = errno;
        else
            note(WRITE, 0, fd, at, path, NULL, data, (size_t)done);
    }
    return finish(error, done);
}

ssize_t write(int fd, const void *data, size_t length) { return writing(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return writing(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return writing(fd, data, length, offset); }

static int syncing(long call, int fd) {
    const char *path = path_of(fd);
    if (path == NULL)
        return (int)syscall(call, fd);
    pthread_mutex_lock(&turn);
    int error = fate(SYNC, path, NULL);
    if (!error && syscall(call, fd))
        error = errno;
    if (!error)
        note(SYNC, 0, fd, 0, path, NULL, NULL, 0);
    return finish(error, 0);
}

int fsync(int fd) { return syncing(SYS_fsync, fd); }
int fdatasync(int fd) { return syncing(SYS_fdatasync, fd); }

static int truncating(int fd, off_t length) {
    const char *path = path_of(fd);
    if (path == NULL)
        return (int)syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&turn);
    int error = fate(TRUNCATE, path, NULL);
    if (!error && syscall(SYS_ftruncate, fd, length))
        error = errno;
    if (!error)
        note(TRUNCATE, 0, fd, length, path, NULL, NULL, 0);
    return finish(error, 0);
}

int ftruncate(int fd, off_t length) { return truncating(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncating(fd, length); }

/* Nothing here is allocated ahead; should that change, the record would have to know. */
static int allocating(int fd, off_t offset, off_t length) {
    const char *path = path_of(fd);
    if (path != NULL && record >= 0)
        abort();
    pthread_mutex_lock(&turn);
    int error = path == NULL ? 0 : fate(WRITE, path, NULL);
    if (!error && syscall(SYS_fallocate, fd, 0, offset, length))
        error = errno;
    pthread_mutex_unlock(&turn);
    return error;
}

int posix_fallocate(int fd, off_t offset, off_t length) { return allocating(fd, offset, length); }
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return allocating(fd, offset, length); }

/* Change names: of one file, or from one to another. */
static int naming(int op, const char *path, const char *other) {
    int watched = inside(path) || inside(other), error = 0;
    pthread_mutex_lock(&turn);
    if (watched)
        error = fate(op, path, NULL);
    if (!error) {
        long done = op == UNLINK ? syscall(SYS_unlinkat, AT_FDCWD, path, 0)
                    : op == RENAME
                        ? syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0)
                        : syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0);
        if (done)
            error = errno;
        else if (watched)
            note(op, 0, -1, 0, path, other, NULL, 0);
    }
    return finish(error, 0);
}

int unlink(const char *path) { return naming(UNLINK, path, NULL); }
int rename(const char *path, const char *other) { return naming(RENAME, path, other); }
int link(const char *path, const char *other) { return naming(LINK, path, other); }
