// Memory and processor time of an engine with all its children, from /proc.
#include "external/check/check_internal.h"

#include "base/clock.h"
#include "base/memory.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    long id, parent;
    double processor;
    bool counts;
} ProcessRow;

// Reads "pid (name) state ppid …"; the name may contain anything.
static bool read_row(const char *id, ProcessRow *row)
{
    char path[64], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", id);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    const char *after = strrchr(text, ')');
    static const char fields[] = " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu";
    unsigned long long user = 0, kernel = 0;
    if (after == NULL)
        return false;
    // The kernel writes these numbers.
    if (sscanf(after + 1, fields, &row->parent, &user, &kernel) != 3) // NOLINT(cert-err34-c)
        return false;
    row->id = strtol(text, NULL, 10);
    row->processor = (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
    row->counts = false;
    return true;
}

// The peak of the resident memory in bytes.
static uint64_t peak_of(long id)
{
    char path[64], line[256];
    unsigned long long kilobytes = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", id);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %llu", &kilobytes) == 1) // NOLINT(cert-err34-c)
            break;
    if (file != NULL)
        (void)fclose(file);
    return kilobytes << 10;
}

// Adds what the kernel's scheduler counts for the threads of a process: nanoseconds of computing, and of waiting for a
// processor. Kernels may leave this file out.
static void add_schedule(long id, double *computed, double *waited)
{
    char path[320];
    (void)snprintf(path, sizeof path, "/proc/%ld/task", id);
    DIR *folder = opendir(path);
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        unsigned long long running = 0, ready = 0;
        (void)snprintf(path, sizeof path, "/proc/%ld/task/%.20s/schedstat", id, entry->d_name);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            continue;
        if (fscanf(file, "%llu %llu", &running, &ready) == 2) { // NOLINT(cert-err34-c)
            *computed += (double)running / 1e9;
            *waited += (double)ready / 1e9;
        }
        (void)fclose(file);
    }
    if (folder != NULL)
        (void)closedir(folder);
}

static ProcessRow *read_all(size_t *count)
{
    ProcessRow *rows = NULL;
    size_t capacity = 0;
    *count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        rows = array_grow(rows, &capacity, *count + 1, sizeof *rows);
        *count += read_row(entry->d_name, &rows[*count]);
    }
    if (folder != NULL)
        (void)closedir(folder);
    return rows;
}

static bool is_counted(const ProcessRow *rows, size_t count, long id)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].id == id)
            return rows[i].counts;
    return false;
}

CheckUsage check_usage(const Check *check)
{
    CheckUsage usage = {0};
    size_t count = 0;
    ProcessRow *rows = read_all(&count);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            if (!rows[i].counts && (rows[i].id == check->process.child.pid || is_counted(rows, count, rows[i].parent)))
                changed = rows[i].counts = true;
    }
    for (size_t i = 0; i < count; i++)
        if (rows[i].counts) {
            double computed = 0;
            add_schedule(rows[i].id, &computed, &usage.waited);
            usage.memory += peak_of(rows[i].id);
            usage.processor += fmax(computed, rows[i].processor);
        }
    free(rows);
    return usage;
}

bool check_memory(Check *check, uint64_t limit)
{
    uint64_t used = check_usage(check).memory;
    check_expect(check, "at most %llu MiB of memory", (unsigned long long)(limit >> 20));
    return used <= limit || check_fail(check, "%llu MiB of memory", (unsigned long long)(used >> 20));
}

// An engine may finish its bookkeeping, so the first moment does not count. On a busy machine a program that computes
// gets little of a processor; the time that it waited for one does not count either.
bool check_idle(Check *check)
{
    static const double settle = 0.1, watch = 0.4, share = 0.1;
    if (!check_wait(check, settle))
        return false;
    CheckUsage before = check_usage(check);
    double begin = clock_seconds();
    if (!check_wait(check, watch))
        return false;
    CheckUsage after = check_usage(check);
    double used = after.processor - before.processor, seconds = clock_seconds() - begin;
    double free = fmax(seconds - (after.waited - before.waited), share * seconds);
    check_expect(check, "no computing while the opponent is to move");
    return used <= share * free || check_fail(check, "%.2f s of processor time in %.2f s", used, seconds);
}
