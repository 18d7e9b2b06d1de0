// Waking a thread through an event descriptor.
#include "base/wake.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool wake_open(Wake *wake)
{
    wake->event = eventfd(0, EFD_CLOEXEC);
    return wake->event >= 0;
}

void wake_raise(Wake *wake)
{
    (void)eventfd_write(wake->event, 1);
}

void wake_close(Wake *wake)
{
    if (wake->event >= 0)
        (void)close(wake->event);
}

// Waits for events of a descriptor or the wake; false if the latter was raised.
static bool wait_for(const Wake *wake, struct pollfd *waiting)
{
    struct pollfd both[] = {*waiting, {.fd = wake->event, .events = POLLIN}};
    while (poll(both, 2, -1) < 0)
        if (errno != EINTR)
            return false;
    *waiting = both[0];
    return both[1].revents == 0;
}

bool wake_wait_input(const Wake *wake, int input)
{
    struct pollfd waiting = {.fd = input, .events = POLLIN};
    return wait_for(wake, &waiting);
}

bool wake_wait_hang_up(const Wake *wake, int output)
{
    struct pollfd waiting = {.fd = output};
    (void)wait_for(wake, &waiting);
    return waiting.revents != 0;
}
