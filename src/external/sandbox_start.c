// Starts a prepared command, with the files that bubblewrap reads.
#include "external/sandbox.h"
#include "external/sandbox_filter.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- Limits ---

SandboxLimits sandbox_limits_of(const AgentSettings *settings)
{
    return (SandboxLimits){.told_memory = settings->memory,
                           .memory = settings->memory_limit,
                           .processes = settings->process_limit,
                           .cpu = settings->cpu_limit};
}

// A program that is told to use more memory than usual may use it, and as much besides as others have.
static uint64_t usual_memory(const SandboxLimits *limits)
{
    return SANDBOX_MEMORY + (limits->told_memory > SANDBOX_REPORTED_MEMORY >> 20 ? limits->told_memory : 0);
}

// Without the sandbox there is no default for processes: some systems have many processors, and runtimes a thread for
// each.
GuardLimits sandbox_whole_limits(const Sandboxed *sandboxed)
{
    enum { BUBBLEWRAP = 2 }; // processes: outside and inside
    const SandboxLimits *limits = &sandboxed->limits;
    return (GuardLimits){
        .memory = (limits->memory > 0 ? limits->memory : usual_memory(limits)) << 20,
        .tasks = limits->processes > 0 ? limits->processes
                 : sandboxed->is_used  ? SANDBOX_PROCESSES
                                       : 0,
        .helpers = sandboxed->is_used ? BUBBLEWRAP : 0,
        .cpu = limits->cpu > 0 ? limits->cpu : SANDBOX_CPU,
    };
}

// Addresses cost nothing, and some runtimes reserve more of them than they use.
static SpawnLimits limits_of_each(const SandboxLimits *limits)
{
    uint64_t usual = usual_memory(limits);
    uint64_t addresses = limits->memory > usual ? limits->memory + SANDBOX_MEMORY : usual;
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
    Span program = {0};
    Status status = STATUS_OK;
    files[0] = file_of_options(&sandboxed->options);
    if (files[0] >= 0 && sandbox_filter_is_available()) {
        status = sandbox_filter_program(&program, error);
        files[1] = status == STATUS_OK ? file_of(program) : -1;
    }
    if (status == STATUS_OK && (files[0] < 0 || files[1] < 0))
        status = error_set(error, STATUS_IO, "cannot start the sandbox: no room for its options: %s", strerror(errno));
    return status;
}

Status sandbox_start(const Sandboxed *sandboxed, Process *process, Error *error)
{
    SpawnSpec spec = {.argv = sandboxed->argv.at,
                      .limits = limits_of_each(&sandboxed->limits),
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
