// Ctrl-C as a flag that long work polls.
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

// A signal handler can reach nothing but globals; this is the only one.
static atomic_bool interrupted;

static void on_signal(int number)
{
    if (atomic_exchange(&interrupted, true)) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    // No SA_RESTART: a blocking read returns, so that the prompt can say what happened.
    (void)sigaction(number, &action, NULL);
}

const atomic_bool *interrupt_catch(void)
{
    catch_signal(SIGINT);
    return &interrupted;
}

void interrupt_catch_terminate(void)
{
    struct sigaction hang_up;
    catch_signal(SIGTERM);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        catch_signal(SIGHUP);
}

const atomic_bool *interrupt_flag(void)
{
    return &interrupted;
}

bool interrupt_take(void)
{
    return atomic_exchange(&interrupted, false);
}
