// Reads the usage of a family of processes from /proc: stat, status or smaps_rollup, and the children of every thread.
#include "base/process/usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES_MAX = 1024 }; // more are over any sensible limit already

typedef struct {
    unsigned count;
    pid_t pids[PROCESSES_MAX];
} PidList;

// The length of a file in /proc; 0 if it cannot be read.
static size_t read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = 0;
    size_t length = 0;
    while (fd >= 0 && length < size - 1 && (got = read(fd, text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    if (fd >= 0)
        (void)close(fd);
    text[length] = '\0';
    return length;
}

// --- One process ---

// Adds processor time and tasks. Returns the number of threads; 0 if the process is gone.
static unsigned add_stat(pid_t pid, Usage *usage)
{
    // "pid (name) state ppid …"; the name may contain anything.
    static const char fields[] = " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %u";
    char path[64], text[1024];
    unsigned long long user = 0, kernel = 0;
    long long child_user = 0, child_kernel = 0;
    unsigned threads = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (read_text(path, text, sizeof text) == 0)
        return 0;
    const char *after = strrchr(text, ')');
    // The kernel writes these numbers.
    if (after == NULL || sscanf(after + 1, fields, &user, &kernel, &child_user, &child_kernel, // NOLINT(cert-err34-c)
                                &threads) != 5)
        return 0;
    double ticks = (double)(user + kernel) + (double)(child_user + child_kernel);
    usage->cpu += ticks / (double)sysconf(_SC_CLK_TCK);
    usage->tasks += threads;
    return threads;
}

// The sum of the lines "NAME: N kB" with these names.
static uint64_t sum_of(const char *text, const char *const names[3])
{
    uint64_t kilobytes = 0;
    for (int i = 0; i < 3; i++) {
        const char *at = strstr(text, names[i]);
        if (at != NULL)
            kilobytes += strtoull(at + strlen(names[i]), NULL, 10);
    }
    return kilobytes << 10;
}

static uint64_t memory_of(pid_t pid, bool exact)
{
    static const char *const resident[] = {"\nRssAnon:", "\nRssShmem:", "\nVmSwap:"};
    static const char *const shares[] = {"\nPss_Anon:", "\nPss_Shmem:", "\nSwapPss:"};
    char path[64], text[4096];
    (void)snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    if (exact && read_text(path, text, sizeof text) > 0 && strstr(text, shares[0]) != NULL)
        return sum_of(text, shares);
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    (void)read_text(path, text, sizeof text);
    return sum_of(text, resident);
}

// --- Its children ---

static void add_children_of(pid_t pid, pid_t thread, PidList *list)
{
    char path[64], text[8 * PROCESSES_MAX];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)thread);
    (void)read_text(path, text, sizeof text);
    for (char *at = text, *after = NULL; list->count < PROCESSES_MAX; at = after) {
        long child = strtol(at, &after, 10);
        if (after == at)
            return;
        list->pids[list->count++] = (pid_t)child;
    }
}

static void add_children(pid_t pid, unsigned threads, PidList *list)
{
    if (threads == 1) {
        add_children_of(pid, pid, list);
        return;
    }
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            add_children_of(pid, (pid_t)strtol(entry->d_name, NULL, 10), list);
    if (folder != NULL)
        (void)closedir(folder);
}

bool usage_read(pid_t pid, bool exact, Usage *usage)
{
    PidList list;
    list.count = 1;
    list.pids[0] = pid;
    *usage = (Usage){0};
    for (unsigned i = 0; i < list.count; i++) {
        unsigned threads = add_stat(list.pids[i], usage);
        if (threads == 0)
            continue;
        usage->memory += memory_of(list.pids[i], exact);
        add_children(list.pids[i], threads, &list);
    }
    return usage->tasks > 0;
}
