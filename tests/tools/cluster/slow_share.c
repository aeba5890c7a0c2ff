/* A share that answers late: calls on files below one folder wait, the longer the more bytes they move.
 *
 * Loaded before the system's own library (LD_PRELOAD), so that polars, which maps files, waits as Python does.
 * SLOW_SHARE is the folder, SLOW_SHARE_US what each call costs in microseconds, SLOW_SHARE_MB_S the megabytes a second.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES = 65536 };

static const char *folder;
static double call_us, mb_s;
static unsigned char slow[FILES];

__attribute__((constructor)) static void begin(void) {
    const char *us = getenv("SLOW_SHARE_US"), *rate = getenv("SLOW_SHARE_MB_S");
    folder = getenv("SLOW_SHARE");
    call_us = us ? atof(us) : 0;
    mb_s = rate ? atof(rate) : 0;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static void wait_for(double bytes) { usleep((useconds_t)(call_us + (mb_s > 0 ? bytes / mb_s : 0))); }

static int is_slow(int handle) { return handle >= 0 && handle < FILES && slow[handle]; }

static int opened(const char *path, int handle) {
    int below = folder && path && !strncmp(path, folder, strlen(folder));
    if (below)
        wait_for(0);
    if (handle >= 0 && handle < FILES)
        slow[handle] = (unsigned char)below;
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

int open(const char *path, int flags, ...) { REAL(open); MODE return opened(path, real(path, flags, mode)); }
int open64(const char *path, int flags, ...) { REAL(open64); MODE return opened(path, real(path, flags, mode)); }
int openat(int at, const char *path, int flags, ...) { REAL(openat); MODE return opened(path, real(at, path, flags, mode)); }
int openat64(int at, const char *path, int flags, ...) {
    REAL(openat64);
    MODE return opened(path, real(at, path, flags, mode));
}

int close(int handle) {
    REAL(close);
    if (handle >= 0 && handle < FILES)
        slow[handle] = 0;
    return real(handle);
}

#define MOVED(count) \
    if (is_slow(handle) && (count) > 0) \
        wait_for((double)(count)); \
    return count

ssize_t read(int handle, void *bytes, size_t size) { REAL(read); ssize_t count = real(handle, bytes, size); MOVED(count); }
ssize_t pread(int handle, void *bytes, size_t size, off_t at) {
    REAL(pread);
    ssize_t count = real(handle, bytes, size, at);
    MOVED(count);
}
ssize_t pread64(int handle, void *bytes, size_t size, off64_t at) {
    REAL(pread64);
    ssize_t count = real(handle, bytes, size, at);
    MOVED(count);
}
ssize_t write(int handle, const void *bytes, size_t size) {
    REAL(write);
    ssize_t count = real(handle, bytes, size);
    MOVED(count);
}

static void *mapped(void *place, size_t size, int handle) {
    if (place != MAP_FAILED && is_slow(handle))
        wait_for((double)size);
    return place;
}

void *mmap(void *wish, size_t size, int access, int flags, int handle, off_t at) {
    REAL(mmap);
    return mapped(real(wish, size, access, flags, handle, at), size, flags & MAP_ANONYMOUS ? -1 : handle);
}
void *mmap64(void *wish, size_t size, int access, int flags, int handle, off64_t at) {
    REAL(mmap64);
    return mapped(real(wish, size, access, flags, handle, at), size, flags & MAP_ANONYMOUS ? -1 : handle);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    if (folder && !strncmp(to, folder, strlen(folder)))
        wait_for(0);
    return real(from, to);
}
