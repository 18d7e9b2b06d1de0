// Waking a thread on Windows: a read from a pipe cannot be interrupted there, so a thread that reads ends with its
// input, which the manager closes.
#include "base/wake.h"

bool wake_open(Wake *wake)
{
    atomic_init(&wake->is_raised, false);
    return true;
}

void wake_raise(Wake *wake)
{
    atomic_store(&wake->is_raised, true);
}

void wake_close(Wake *wake)
{
    (void)wake;
}

bool wake_wait_input(const Wake *wake, int input)
{
    (void)input;
    return !atomic_load(&wake->is_raised);
}

bool wake_wait_hang_up(const Wake *wake, int output)
{
    (void)wake;
    (void)output;
    return false;
}
