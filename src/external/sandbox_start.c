// Starts a prepared command, with the files that bubblewrap reads.
#include "external/sandbox.h"
#include "external/sandbox_filter.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- Limits ---

SandboxSettings sandbox_settings_of(const AgentSettings *settings)
{
    return (SandboxSettings){.told_memory = settings->memory,
                             .memory = settings->memory_limit,
                             .processes = settings->process_limit,
                             .cpu = settings->cpu_limit,
                             .keeps_paths = settings->keeps_paths};
}

// A `memory` setting above the usual value is added to the default limit: the program may use it and as much besides as
// others have.
static uint64_t usual_memory(const SandboxSettings *settings)
{
    return SANDBOX_MEMORY + (settings->told_memory > SANDBOX_REPORTED_MEMORY >> 20 ? settings->told_memory : 0);
}

// Without the sandbox there is no default for processes: some systems have many processors, and runtimes a thread for
// each.
GuardLimits sandbox_whole_limits(const Sandboxed *sandboxed)
{
    enum { BUBBLEWRAP = 2 }; // processes: outside and inside
    const SandboxSettings *settings = &sandboxed->settings;
    return (GuardLimits){
        .memory = (settings->memory > 0 ? settings->memory : usual_memory(settings)) << 20,
        .tasks = settings->processes > 0 ? settings->processes
                 : sandboxed->is_used    ? SANDBOX_PROCESSES
                                         : 0,
        .helpers = sandboxed->is_used ? BUBBLEWRAP : 0,
        .cpu = settings->cpu > 0 ? settings->cpu : SANDBOX_CPU,
    };
}

// Addresses cost nothing, and some runtimes reserve more of them than they use.
static SpawnLimits limits_of_each(const SandboxSettings *settings)
{
    uint64_t usual = usual_memory(settings);
    uint64_t addresses = settings->memory > usual ? settings->memory + SANDBOX_MEMORY : usual;
    return (SpawnLimits){.memory = addresses << 20, .file_size = SANDBOX_SCRATCH};
}

// --- Start ---

// An unnamed file with this text, to be read from its beginning; -1 with errno on failure.
static int file_of(Span text)
{
    int file = memfd_create("sandbox", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    while (text.length > 0) {
        ssize_t put = write(file, text.at, text.length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            (void)close(file);
            return -1;
        }
        text.at += put;
        text.length -= (size_t)put;
    }
    (void)lseek(file, 0, SEEK_SET);
    return file;
}

// The options, each with a final zero byte.
static int file_of_options(const Words *options)
{
    Text text = {0};
    for (size_t i = 0; i < options->count; i++) {
        text_add(&text, "%s", options->at[i]);
        text_add_span(&text, (Span){"", 1});
    }
    int file = file_of((Span){text.data, text.length});
    text_close(&text);
    return file;
}

static Status open_files(const Sandboxed *sandboxed, int files[2], Error *error)
{
    files[0] = file_of_options(&sandboxed->options);
    if (files[0] >= 0 && sandbox_filter_is_available())
        files[1] = file_of(sandbox_filter_program());
    if (files[0] < 0 || files[1] < 0)
        return error_set(error, STATUS_IO, "cannot start the sandbox: no room for its options: %s", strerror(errno));
    return STATUS_OK;
}

// Of bubblewrap and of the engine, which can read the environment of the first process inside.
static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", home[] = "HOME=/run/krow", temporary[] = "TMPDIR=/tmp",
            language[] = "LANG=C.UTF-8";
static char *const environment[] = {path, home, temporary, language, NULL};

Status sandbox_start(const Sandboxed *sandboxed, Process *process, Error *error)
{
    SpawnSpec spec = {.argv = sandboxed->argv.at,
                      .environment = sandboxed->is_used ? environment : NULL,
                      .limits = limits_of_each(&sandboxed->settings),
                      .whole = sandbox_whole_limits(sandboxed),
                      .is_sandboxed = sandboxed->is_used};
    Status status = sandboxed->is_used ? open_files(sandboxed, spec.passed, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = process_start(process, &spec, error);
    for (int i = 0; i < 2; i++)
        if (spec.passed[i] > 0)
            (void)close(spec.passed[i]);
    return status;
}

void sandbox_close(Sandboxed *sandboxed)
{
    words_close(&sandboxed->argv);
    words_close(&sandboxed->options);
}
