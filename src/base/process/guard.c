// Watches the usage of programs, and ends those that use more than they may.
#include "base/process/guard.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/process/background.h"
#include "base/process/usage.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static const double interval = 0.25; // seconds between two looks

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Guard *first;
} watch = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

// --- A look ---

static bool needs_looks(const Guard *guard)
{
    return guard->limits.cpu > 0 || (!guard->is_grouped && (guard->limits.memory > 0 || guard->limits.tasks > 0));
}

// Adds what was used since the last look. The sum falls when a child ends without being waited for.
static void count_cpu(Guard *guard, double sum)
{
    if (sum > guard->cpu_before)
        guard->cpu += sum - guard->cpu_before;
    guard->cpu_before = sum;
    if (atomic_exchange(&guard->restarts_cpu, false))
        guard->cpu = 0;
}

static GuardBreach find_breach(Guard *guard)
{
    const GuardLimits *limits = &guard->limits;
    Usage usage = {0};
    if (guard->is_grouped)
        usage.cpu = cgroup_cpu(&guard->group);
    else if (!usage_read(guard->pid, false, &usage))
        return GUARD_WITHIN;
    count_cpu(guard, usage.cpu);
    unsigned tasks = usage.tasks > limits->helpers ? usage.tasks - limits->helpers : 0;
    // In a user namespace the first process of the sandbox counts for the kernel.
    if (limits->tasks > 0 && tasks + 1 >= limits->tasks)
        atomic_store(&guard->is_full, true);
    if (limits->cpu > 0 && guard->cpu > limits->cpu)
        return GUARD_CPU;
    if (limits->tasks > 0 && tasks > limits->tasks)
        return GUARD_TASKS;
    bool seems_large = limits->memory > 0 && usage.memory > limits->memory;
    return seems_large && usage_read(guard->pid, true, &usage) && usage.memory > limits->memory ? GUARD_MEMORY
                                                                                                : GUARD_WITHIN;
}

static void look(Guard *guard)
{
    if (guard->breach != GUARD_WITHIN)
        return;
    guard->breach = find_breach(guard);
    if (guard->breach != GUARD_WITHIN)
        (void)kill(-guard->pid, SIGKILL); // its leader has not been waited for, so that the number is still its own
}

static void *look_at_all(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&watch.lock);
    for (double next = 0;;) {
        while (watch.first == NULL)
            condition_wait(&watch.changed, &watch.lock, INFINITY);
        if (clock_seconds() < next) {
            condition_wait(&watch.changed, &watch.lock, next);
            continue;
        }
        for (Guard *guard = watch.first; guard != NULL; guard = guard->next)
            look(guard);
        next = clock_seconds() + interval;
    }
    return NULL;
}

static void begin_watch(void)
{
    condition_init(&watch.changed);
    (void)background_start(look_at_all);
}

// --- A guard ---

void guard_prepare(Guard *guard, const GuardLimits *limits)
{
    guard->limits = *limits;
    // The two that a sandbox needs to start count here, too.
    unsigned tasks = limits->tasks > 0 ? limits->tasks + limits->helpers : 0;
    if (limits->memory > 0 || limits->tasks > 0)
        (void)cgroup_open(&guard->group, limits->memory, tasks);
}

void guard_begin(Guard *guard, pid_t pid)
{
    guard->pid = pid;
    guard->is_grouped = guard->group.path[0] != '\0' && cgroup_is_used(&guard->group);
    if (!needs_looks(guard))
        return;
    (void)pthread_once(&watch.once, begin_watch);
    (void)pthread_mutex_lock(&watch.lock);
    guard->next = watch.first;
    watch.first = guard;
    (void)pthread_cond_signal(&watch.changed);
    (void)pthread_mutex_unlock(&watch.lock);
}

void guard_restart_cpu(Guard *guard)
{
    atomic_store(&guard->restarts_cpu, true);
}

void guard_end(Guard *guard)
{
    if (guard->pid == 0)
        return;
    (void)pthread_mutex_lock(&watch.lock);
    for (Guard **at = &watch.first; *at != NULL; at = &(*at)->next)
        if (*at == guard) {
            *at = guard->next;
            break;
        }
    (void)pthread_mutex_unlock(&watch.lock);
    CgroupEvent event = guard->is_grouped ? cgroup_event(&guard->group) : CGROUP_NOTHING;
    if (guard->breach == GUARD_WITHIN && event == CGROUP_MEMORY)
        guard->breach = GUARD_MEMORY;
    if (event == CGROUP_TASKS)
        atomic_store(&guard->is_full, true);
    guard->pid = 0;
}

void guard_close(Guard *guard)
{
    cgroup_close(&guard->group);
}

void guard_describe(const Guard *guard, char *text, size_t size)
{
    const GuardLimits *limits = &guard->limits;
    text[0] = '\0';
    if (guard->breach == GUARD_MEMORY)
        (void)snprintf(text, size, "it used more than %" PRIu64 " MB of memory in all its processes",
                       limits->memory >> 20);
    else if (guard->breach == GUARD_TASKS)
        (void)snprintf(text, size, "it used more than %u processes and threads", limits->tasks);
    else if (guard->breach == GUARD_CPU)
        (void)snprintf(text, size, "it used more than %g s of processor time in a game", limits->cpu);
}

bool guard_has_groups(void)
{
    Cgroup group;
    bool is_made = cgroup_open(&group, 1 << 20, 1);
    cgroup_close(&group);
    return is_made;
}
