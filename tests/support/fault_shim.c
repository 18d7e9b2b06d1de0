// A library to preload (LD_PRELOAD) that lets the n-th call of a kind fail, to test that every fault is reported.
//
//     KROW_FAULT='malloc 17'   the 17th allocation returns NULL; also write, fsync, read, connect
//     KROW_FAULT_SMALL=65536   only allocations below this many bytes count
//     KROW_FAULT_COUNT=FILE    at exit, the numbers of calls of all kinds go there
//
// Calls from any library count. Programs that krow starts are not disturbed: the variables are removed at the start.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

typedef enum { MALLOC, WRITE, FSYNC, READ, CONNECT, KINDS } Kind;

static const char *const names[KINDS] = {"malloc", "write", "fsync", "read", "connect"};
static Kind wanted = KINDS; // KINDS: nothing fails
static unsigned long fail_at;
static size_t small = SIZE_MAX;
static atomic_ulong calls[KINDS];
static char count_file[4096];

// The allocator of glibc itself: dlsym allocates, so that it cannot look up malloc.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are glibc's
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("KROW_FAULT"), *most = getenv("KROW_FAULT_SMALL"), *file = getenv("KROW_FAULT_COUNT");
    char *end = NULL;
    if (most != NULL)
        small = strtoul(most, NULL, 10);
    if (file != NULL)
        (void)snprintf(count_file, sizeof count_file, "%s", file);
    for (unsigned i = 0; fault != NULL && i < KINDS; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(fault, names[i], length) == 0 && fault[length] == ' ') {
            fail_at = strtoul(fault + length, &end, 10);
            wanted = (Kind)i;
        }
    }
    (void)unsetenv("LD_PRELOAD");
    (void)unsetenv("KROW_FAULT");
    (void)unsetenv("KROW_FAULT_COUNT");
}

// The calls of this function itself are not counted.
__attribute__((destructor)) static void end(void)
{
    char text[32];
    unsigned long counts[KINDS];
    for (unsigned i = 0; i < KINDS; i++)
        counts[i] = atomic_load(&calls[i]);
    if (count_file[0] == '\0')
        return;
    wanted = KINDS;
    int fd = open(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    for (unsigned i = 0; i < KINDS; i++) {
        int length = snprintf(text, sizeof text, "%s %lu\n", names[i], counts[i]);
        if (fd < 0 || write(fd, text, (size_t)length) != length)
            return;
    }
    (void)close(fd);
}

static int fails(Kind kind)
{
    unsigned long number = atomic_fetch_add(&calls[kind], 1) + 1;
    return kind == wanted && number == fail_at;
}

static int no_memory(size_t size)
{
    if (size > small || !fails(MALLOC))
        return 0;
    errno = ENOMEM;
    return 1;
}

// --- Memory ---

void *malloc(size_t size)
{
    return no_memory(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return no_memory(count * size) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return no_memory(size) ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t all = 0;
    if (__builtin_mul_overflow(count, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, all);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return no_memory(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (no_memory(size))
        return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory != NULL ? 0 : ENOMEM;
}

// --- Files and connections ---

// POSIX demands that a function's address fits a void pointer; C does not allow the conversion.
#define REAL(name)                                                                                                     \
    static __typeof__(&(name)) real;                                                                                   \
    if (real == NULL) {                                                                                                \
        void *found = dlsym(RTLD_NEXT, #name);                                                                         \
        memcpy(&real, &found, sizeof real);                                                                            \
    }

ssize_t write(int fd, const void *bytes, size_t count)
{
    REAL(write)
    if (!fails(WRITE))
        return real(fd, bytes, count);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at)
{
    REAL(pwrite64)
    if (!fails(WRITE))
        return real(fd, bytes, count, at);
    errno = ENOSPC;
    return -1;
}

// Connections: the other side has gone. The connection must really end: libpq waits for the last words of the server.
ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
    REAL(send)
    if (!fails(WRITE))
        return real(fd, bytes, count, flags);
    (void)shutdown(fd, SHUT_RDWR);
    errno = ECONNRESET;
    return -1;
}

ssize_t recv(int fd, void *bytes, size_t count, int flags)
{
    REAL(recv)
    if (!fails(READ))
        return real(fd, bytes, count, flags);
    (void)shutdown(fd, SHUT_RDWR);
    errno = ECONNRESET;
    return -1;
}

int fsync(int fd)
{
    REAL(fsync)
    if (!fails(FSYNC))
        return real(fd);
    errno = EIO;
    return -1;
}

int fdatasync(int fd)
{
    REAL(fdatasync)
    if (!fails(FSYNC))
        return real(fd);
    errno = EIO;
    return -1;
}

ssize_t read(int fd, void *bytes, size_t count)
{
    REAL(read)
    if (!fails(READ))
        return real(fd, bytes, count);
    errno = EIO;
    return -1;
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t at)
{
    REAL(pread64)
    if (!fails(READ))
        return real(fd, bytes, count, at);
    errno = EIO;
    return -1;
}

int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t length)
{
    REAL(connect)
    if (!fails(CONNECT))
        return real(fd, address, length);
    errno = ECONNREFUSED;
    return -1;
}
