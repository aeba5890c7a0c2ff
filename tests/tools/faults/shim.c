/* The system calls of a process below one folder, counted, of which one fails or ends the program.
 *
 * Loaded before the system's own library (LD_PRELOAD), so that the calls of Python, of polars, of Qt and of the workers
 * are one row of numbers. `struct control` lies in a file that all processes map: see shim.py, which states it too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, FAIL = 1, KILL_ALL = 2, KILL_ONE = 3 };
enum { FILES = 65536 };

struct control {
    long long count, at;
    int mode, error, happened, folder_length;
    char folder[1024], call[1024];
};

static struct control *control;
static unsigned char watched[FILES];

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAULTS_CONTROL");
    int handle = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
    if (handle < 0)
        return;
    void *place = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    control = place == MAP_FAILED ? NULL : place;
    close(handle);
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* Whether a path, below the folder `at` where it is relative, lies in the watched folder. */
static int ours(int at, const char *path, char *whole) {
    if (!control || !path || !control->folder_length)
        return 0;
    if (path[0] == '/') {
        snprintf(whole, PATH_MAX, "%s", path);
    } else if (at == AT_FDCWD) {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here))
            return 0;
        snprintf(whole, PATH_MAX, "%s/%s", here, path);
    } else {
        char link[64], there[PATH_MAX];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, there, sizeof there - 1);
        if (length < 0)
            return 0;
        there[length] = 0;
        snprintf(whole, PATH_MAX, "%s/%s", there, path);
    }
    return !strncmp(whole, control->folder, (size_t)control->folder_length);
}

/* Counts a call; whether it is the one that is to fail. The one that is to end the program does not come back. */
static int due(const char *call, const char *path) {
    long long number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
    if (control->mode == COUNT || number != control->at)
        return 0;
    snprintf(control->call, sizeof control->call, "%s %s", call, path);
    control->happened = 1;
    return 1;
}

static int fails(void) {
    if (control->mode != FAIL) {
        kill(control->mode == KILL_ALL ? 0 : getpid(), SIGKILL);
        pause();
    }
    errno = control->error;
    return 1;
}

static int path_fails(const char *call, int at, const char *path) {
    char whole[PATH_MAX];
    return ours(at, path, whole) && due(call, whole) && fails();
}

static int open_file(const char *name, int at, const char *path, int flags, mode_t mode) {
    REAL(openat);
    char whole[PATH_MAX];
    int is_ours = ours(at, path, whole);
    if (is_ours && due(name, whole) && fails())
        return -1;
    int handle = real(at, path, flags, mode);
    if (handle >= 0 && handle < FILES)
        watched[handle] = is_ours && (flags & O_ACCMODE) != O_RDONLY;
    return handle;
}

#define MODE \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) { MODE return open_file("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_file("open", AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return open_file("open", at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return open_file("open", at, path, flags, mode); }
int creat(const char *path, mode_t mode) {
    return open_file("open", AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static FILE *stream_of(const char *path, const char *mode, FILE *(*real)(const char *, const char *)) {
    char whole[PATH_MAX];
    int is_ours = ours(AT_FDCWD, path, whole);
    if (is_ours && due("fopen", whole) && fails())
        return NULL;
    FILE *stream = real(path, mode);
    if (stream && fileno(stream) < FILES)
        watched[fileno(stream)] = is_ours && mode[0] != 'r';
    return stream;
}

FILE *fopen(const char *path, const char *mode) { REAL(fopen); return stream_of(path, mode, real); }
FILE *fopen64(const char *path, const char *mode) { REAL(fopen64); return stream_of(path, mode, real); }

int close(int handle) {
    REAL(close);
    if (handle >= 0 && handle < FILES)
        watched[handle] = 0;
    return real(handle);
}

/* Whether writing to a file of ours is the call that is due; its path is in `path`. */
static int write_due(const char *call, int handle) {
    char link[64], path[PATH_MAX];
    if (!control || handle < 0 || handle >= FILES || !watched[handle])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return due(call, path);
}

/* A disk that is full takes the first half. */
ssize_t write(int handle, const void *data, size_t size) {
    REAL(write);
    if (write_due("write", handle)) {
        real(handle, data, size / 2);
        fails();
        return -1;
    }
    return real(handle, data, size);
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t at) {
    REAL(pwrite);
    return write_due("pwrite", handle) && fails() ? -1 : real(handle, data, size, at);
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t at) {
    REAL(pwrite64);
    return write_due("pwrite", handle) && fails() ? -1 : real(handle, data, size, at);
}

ssize_t writev(int handle, const struct iovec *parts, int count) {
    REAL(writev);
    return write_due("writev", handle) && fails() ? -1 : real(handle, parts, count);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    REAL(fwrite);
    return write_due("fwrite", fileno(stream)) && fails() ? 0 : real(data, size, count, stream);
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags) {
    REAL(copy_file_range);
    return write_due("copy", to) && fails() ? -1 : real(from, from_at, to, to_at, size, flags);
}

int fsync(int handle) { REAL(fsync); return write_due("fsync", handle) && fails() ? -1 : real(handle); }
int fdatasync(int handle) { REAL(fdatasync); return write_due("fsync", handle) && fails() ? -1 : real(handle); }
int ftruncate(int handle, off_t size) {
    REAL(ftruncate);
    return write_due("truncate", handle) && fails() ? -1 : real(handle, size);
}
int ftruncate64(int handle, off64_t size) {
    REAL(ftruncate64);
    return write_due("truncate", handle) && fails() ? -1 : real(handle, size);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return path_fails("rename", AT_FDCWD, to) ? -1 : real(from, to);
}
int renameat(int from_at, const char *from, int at, const char *to) {
    REAL(renameat);
    return path_fails("rename", at, to) ? -1 : real(from_at, from, at, to);
}
int renameat2(int from_at, const char *from, int at, const char *to, unsigned flags) {
    REAL(renameat2);
    return path_fails("rename", at, to) ? -1 : real(from_at, from, at, to, flags);
}
int unlink(const char *path) { REAL(unlink); return path_fails("unlink", AT_FDCWD, path) ? -1 : real(path); }
int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat);
    return path_fails("unlink", at, path) ? -1 : real(at, path, flags);
}
int remove(const char *path) { REAL(remove); return path_fails("unlink", AT_FDCWD, path) ? -1 : real(path); }
int rmdir(const char *path) { REAL(rmdir); return path_fails("rmdir", AT_FDCWD, path) ? -1 : real(path); }
int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return path_fails("mkdir", AT_FDCWD, path) ? -1 : real(path, mode);
}
int mkdirat(int at, const char *path, mode_t mode) {
    REAL(mkdirat);
    return path_fails("mkdir", at, path) ? -1 : real(at, path, mode);
}
int link(const char *from, const char *to) {
    REAL(link);
    return path_fails("link", AT_FDCWD, to) ? -1 : real(from, to);
}
int linkat(int from_at, const char *from, int at, const char *to, int flags) {
    REAL(linkat);
    return path_fails("link", at, to) ? -1 : real(from_at, from, at, to, flags);
}
int symlink(const char *from, const char *to) {
    REAL(symlink);
    return path_fails("link", AT_FDCWD, to) ? -1 : real(from, to);
}
