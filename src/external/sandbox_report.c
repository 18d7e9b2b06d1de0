// Finds out which protections hold.
#include "external/sandbox_report.h"

#include "external/sandbox_filter.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

const char *protection_state_name(ProtectionState state)
{
    static const char *const names[] = {"in force", "watched", "missing", "off"};
    return names[state];
}

typedef struct {
    Protection *list;
    unsigned count;
    bool is_used;
} Report;

__attribute__((format(printf, 4, 5))) static void add(Report *report, const char *name, ProtectionState state,
                                                      const char *format, ...)
{
    Protection *protection = &report->list[report->count++];
    *protection = (Protection){.name = name, .state = state};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(protection->detail, sizeof protection->detail, format, arguments);
    va_end(arguments);
}

// One of those without which bubblewrap does not start.
static void add_certain(Report *report, const char *name, const char *detail)
{
    add(report, name, report->is_used ? PROTECTION_IN_FORCE : PROTECTION_OFF, "%s",
        report->is_used ? detail : "not without the sandbox");
}

static void add_namespaces(Report *report)
{
    add_certain(report, "files", "the system and its own folders, read-only; 64 MiB to write");
    add_certain(report, "network", "not reachable");
    add_certain(report, "other processes", "not visible");
    add_certain(report, "user", geteuid() == 0 ? "a user of its own" : "a user namespace of its own");
    bool has_groups = access("/proc/self/ns/cgroup", F_OK) == 0;
    if (has_groups || !report->is_used)
        add_certain(report, "control groups", "those of the host are not visible");
    else
        add(report, "control groups", PROTECTION_MISSING, "this kernel has no namespaces of them");
}

static void add_calls(Report *report)
{
    if (sandbox_filter_is_available() || !report->is_used)
        add_certain(report, "system calls", "those of ordinary programs only");
    else
        add(report, "system calls", PROTECTION_MISSING, "this kernel has no filters of system calls");
}

static void add_limits(Report *report, const GuardLimits *limits)
{
    bool has_groups = guard_has_groups();
    add(report, "memory", has_groups ? PROTECTION_IN_FORCE : PROTECTION_WATCHED, "at most %" PRIu64 " MB%s",
        limits->memory >> 20, has_groups ? "" : ", four times per second: krow cannot make control groups");
    if (limits->tasks == 0)
        add(report, "process count", PROTECTION_OFF, "not without the sandbox, unless process_limit is set");
    else
        add(report, "process count", has_groups || report->is_used ? PROTECTION_IN_FORCE : PROTECTION_WATCHED,
            "at most %u processes and threads", limits->tasks);
    add(report, "processor time", PROTECTION_WATCHED, "at most %g s in a game", limits->cpu);
}

unsigned sandbox_protections(const Sandboxed *sandboxed, Protection list[PROTECTIONS_MAX])
{
    Report report = {.list = list, .is_used = sandboxed->is_used};
    GuardLimits limits = sandbox_whole_limits(sandboxed);
    add_namespaces(&report);
    add_calls(&report);
    add_limits(&report, &limits);
    return report.count;
}

void sandbox_warn(const Sandboxed *sandboxed, const AgentHost *host)
{
    static atomic_bool is_done;
    Protection list[PROTECTIONS_MAX];
    if (!sandboxed->is_used || host->warn == NULL || atomic_exchange(&is_done, true))
        return;
    unsigned count = sandbox_protections(sandboxed, list);
    for (unsigned i = 0; i < count; i++)
        if (list[i].state == PROTECTION_MISSING) {
            char text[200];
            (void)snprintf(text, sizeof text, "The sandbox of engines lacks a protection here: %s: %s", list[i].name,
                           list[i].detail);
            host->warn(host->warn_context, text);
        }
}
