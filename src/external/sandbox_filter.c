// The filter of system calls, which tools/make_filter.c has made.
#include "external/sandbox_filter.h"

#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

bool sandbox_filter_is_available(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Span sandbox_filter_program(void)
{
    return (Span){(const char *)sandbox_filter_bytes, sandbox_filter_size};
}
