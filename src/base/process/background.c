// Starts a detached thread.
#include "base/process/background.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

int background_start(void *(*run)(void *unused))
{
    sigset_t all, before;
    pthread_t thread;
    pthread_attr_t attributes;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int reason = pthread_create(&thread, &attributes, run, NULL);
    (void)pthread_attr_destroy(&attributes);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}
