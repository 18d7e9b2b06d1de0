// A child process and the lines exchanged with it.
#include "base/process/process.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Seconds between SIGTERM and SIGKILL.
static const double term_seconds = 0.2;

Status process_start(Process *process, const SpawnSpec *spec, Error *error)
{
    assert(!process->running);
    memset(process, 0, offsetof(Process, input)); // the large buffer needs no clearing
    SpawnSpec joining = *spec;
    guard_prepare(&process->guard, &spec->whole);
    joining.group = process->guard.group.procs;
    Status status = spawn(&joining, &process->child, error);
    process->running = status == STATUS_OK;
    if (process->running)
        guard_begin(&process->guard, process->child.pid);
    else
        guard_close(&process->guard);
    return status;
}

void process_next_turn(Process *process)
{
    process->turn_output = 0;
}

// --- Waiting and taking in ---

// Keeps the end of the output to standard error.
static void keep_errs(Process *process, const char *bytes, size_t count)
{
    size_t all = process->errs_length + count, drop = all > PROCESS_ERRS_SIZE ? all - PROCESS_ERRS_SIZE : 0;
    if (drop >= process->errs_length) {
        size_t skip = drop - process->errs_length;
        memcpy(process->errs, bytes + skip, count - skip);
        process->errs_length = count - skip;
        return;
    }
    memmove(process->errs, process->errs + drop, process->errs_length - drop);
    memcpy(process->errs + process->errs_length - drop, bytes, count);
    process->errs_length = all - drop;
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

// Whether anything came.
static bool take_errs(Process *process)
{
    char bytes[4096];
    ssize_t got = read(process->child.from_errs, bytes, sizeof bytes);
    if (got > 0)
        keep_errs(process, bytes, (size_t)got);
    if (got > 0 || (got < 0 && would_block()))
        return got > 0;
    (void)close(process->child.from_errs);
    process->child.from_errs = -1; // poll ignores it
    return false;
}

// Moves unread input to the front of the buffer when the buffer is full.
static size_t make_room(Process *process)
{
    if (process->begin == process->end || process->end == PROCESS_LINE_MAX) {
        memmove(process->input, process->input + process->begin, process->end - process->begin);
        process->end -= process->begin;
        process->scanned -= process->begin;
        process->begin = 0;
    }
    return PROCESS_LINE_MAX - process->end;
}

// Whether anything came.
static bool take_output(Process *process)
{
    ssize_t got = read(process->child.from, process->input + process->end, PROCESS_LINE_MAX - process->end);
    if (got > 0) {
        process->end += (size_t)got;
        process->turn_output += (size_t)got;
    } else if (got == 0 || !would_block()) {
        process->output_closed = true;
    }
    return got > 0;
}

// Milliseconds for poll, rounded up so that a wait never ends just before its deadline.
static int wait_of(double deadline)
{
    double left = ceil((deadline - clock_seconds()) * 1000);
    return left <= 0 ? 0 : left < 1e6 ? (int)left : 1000000;
}

// Whether output comes within a moment. A quick answer needs no look at standard error and at the end of the program.
static bool answers_at_once(Process *process, double deadline)
{
    enum { MOMENT = 50 }; // milliseconds
    struct pollfd events[] = {{.fd = process->child.from, .events = POLLIN},
                              {.fd = process->child.from_errs, .events = POLLIN}};
    int wait = wait_of(deadline);
    int ready = poll(events, 2, wait < MOMENT ? wait : MOMENT);
    if (ready > 0 && events[1].revents != 0)
        (void)take_errs(process);
    return ready > 0 && events[0].revents != 0 && take_output(process);
}

// Waits for an event and reads available output. PROCESS_OK: check again.
static ProcessResult wait_for_event(Process *process, bool to_write, double deadline)
{
    bool has_room = !process->output_closed && make_room(process) > 0;
    if (has_room && !to_write && answers_at_once(process, deadline))
        return PROCESS_OK;
    struct pollfd events[] = {
        {.fd = has_room ? process->child.from : -1, .events = POLLIN},
        {.fd = process->child.from_errs, .events = POLLIN},
        {.fd = process->child.pidfd, .events = POLLIN},
        {.fd = to_write ? process->child.to : -1, .events = POLLOUT},
    };
    int ready = poll(events, 4, wait_of(deadline));
    if (ready > 0 && events[1].revents != 0)
        (void)take_errs(process);
    if (ready > 0 && events[0].revents != 0) {
        (void)take_output(process);
        return PROCESS_OK;
    }
    // The program has ended. Its last output may have arrived after poll returned; a child of it may still hold the
    // pipe open, so the end of output cannot be relied on.
    if (ready > 0 && events[2].revents != 0 && (!has_room || !take_output(process))) {
        process->output_closed = true;
        return PROCESS_OK;
    }
    // Also after a signal or output to standard error, which may never end.
    return clock_seconds() >= deadline && (ready <= 0 || events[3].revents == 0) ? PROCESS_LATE : PROCESS_OK;
}

// --- Writing ---

// Whether SIGPIPE is blocked in this thread until process_quiet_end.
static _Thread_local bool is_quiet;

void process_quiet_begin(sigset_t *before)
{
    sigset_t pipe_signal;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe_signal, before);
    is_quiet = true;
}

// A signal that is still waiting came from one of the pipes.
void process_quiet_end(const sigset_t *before)
{
    sigset_t pipe_signal, pending;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    if (sigismember(before, SIGPIPE) == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
        (void)sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
    is_quiet = false;
}

// Writes as much as fits, without SIGPIPE if the pipe is closed.
static ssize_t write_quietly(int fd, Span text)
{
    if (is_quiet)
        return write(fd, text.at, text.length);
    sigset_t before;
    process_quiet_begin(&before);
    ssize_t put = write(fd, text.at, text.length);
    int reason = errno;
    process_quiet_end(&before);
    errno = reason;
    return put;
}

ProcessResult process_write(Process *process, Span text, double deadline)
{
    if (!process->running)
        return PROCESS_ENDED;
    while (text.length > 0) {
        ssize_t put = write_quietly(process->child.to, text);
        if (put < 0 && !would_block())
            return PROCESS_ENDED;
        if (put > 0) {
            text.at += put;
            text.length -= (size_t)put;
            continue;
        }
        ProcessResult result = wait_for_event(process, true, deadline);
        if (result != PROCESS_OK || process->output_closed)
            return result != PROCESS_OK ? result : PROCESS_ENDED;
    }
    return PROCESS_OK;
}

// --- Reading ---

// A line in the buffer; at the end of the output also one without a line end.
static bool find_line(Process *process, Span *line)
{
    if (process->after_cr && process->begin < process->end) {
        process->begin += process->input[process->begin] == '\n'; // the second half of a CR LF
        process->scanned = process->begin;
        process->after_cr = false;
    }
    for (; process->scanned < process->end; process->scanned++) {
        char c = process->input[process->scanned];
        if (c != '\n' && c != '\r')
            continue;
        *line = (Span){process->input + process->begin, process->scanned - process->begin};
        process->begin = ++process->scanned;
        process->after_cr = c == '\r';
        return true;
    }
    if (!process->output_closed || process->begin == process->end)
        return false;
    *line = (Span){process->input + process->begin, process->end - process->begin};
    process->begin = process->end;
    return true;
}

ProcessResult process_read_line(Process *process, double deadline, Span *line)
{
    if (!process->running)
        return PROCESS_ENDED;
    for (bool late = false;; late = clock_seconds() >= deadline) {
        if (process->turn_output > PROCESS_TURN_MAX)
            return PROCESS_FLOOD;
        if (find_line(process, line))
            return PROCESS_OK;
        if (process->output_closed)
            return PROCESS_ENDED;
        if (process->end - process->begin == PROCESS_LINE_MAX)
            return PROCESS_FLOOD;
        if (late || wait_for_event(process, false, deadline) == PROCESS_LATE)
            return PROCESS_LATE;
    }
}

ProcessResult process_read_arrived(Process *process, Span *line)
{
    while (process->running && !find_line(process, line)) {
        if (process->output_closed)
            return PROCESS_ENDED;
        if (process->turn_output > PROCESS_TURN_MAX || make_room(process) == 0)
            return PROCESS_FLOOD;
        if (!take_output(process) && !process->output_closed)
            return PROCESS_LATE;
    }
    return process->running ? PROCESS_OK : PROCESS_ENDED;
}

// --- The end ---

static bool has_ended(const Process *process, double deadline)
{
    struct pollfd event = {.fd = process->child.pidfd, .events = POLLIN};
    int ready = 0;
    do
        ready = poll(&event, 1, wait_of(deadline));
    while (ready <= 0 && clock_seconds() < deadline);
    return ready > 0;
}

static void close_all(Spawned *child)
{
    int *all[] = {&child->to, &child->from, &child->from_errs, &child->pidfd};
    for (int i = 0; i < 4; i++) {
        if (*all[i] >= 0)
            (void)close(*all[i]);
        *all[i] = -1;
    }
}

// The process group is killed before its leader is waited for: until then its number cannot be reused.
void process_kill(Process *process)
{
    if (!process->running)
        return;
    // At most the contents of a pipe: the program may keep writing.
    for (int i = 0; i < 16 && process->child.from_errs >= 0 && take_errs(process); i++)
        ;
    process->forced = process->forced || !has_ended(process, clock_seconds());
    guard_end(&process->guard);
    (void)kill(-process->child.pid, SIGKILL);
    while (waitpid(process->child.pid, &process->wait_status, 0) < 0 && errno == EINTR)
        ;
    guard_close(&process->guard);
    close_all(&process->child);
    process->running = false;
}

void process_end(Process *process, Span farewell, double grace)
{
    if (!process->running)
        return;
    double now = clock_seconds();
    (void)process_write(process, farewell, now);
    (void)close(process->child.to);
    process->child.to = -1;
    if (!has_ended(process, now + grace)) {
        process->forced = true;
        (void)kill(-process->child.pid, SIGTERM);
        (void)has_ended(process, clock_seconds() + term_seconds);
    }
    process_kill(process);
}

static const char *signal_words(int number)
{
    const char *words = sigdescr_np(number);
    return words != NULL ? words : "unknown";
}

// A shell or a sandbox in between reports a signal as an exit status of 128 or more.
static void describe_status(int status, char text[PROCESS_TEXT_SIZE])
{
    if (WIFSIGNALED(status))
        (void)snprintf(text, PROCESS_TEXT_SIZE, "it was ended by signal %d (%s)", WTERMSIG(status),
                       signal_words(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > 128 && WEXITSTATUS(status) < 128 + NSIG)
        (void)snprintf(text, PROCESS_TEXT_SIZE, "it ended with exit status %d, as after signal %d (%s)",
                       WEXITSTATUS(status), WEXITSTATUS(status) - 128, signal_words(WEXITSTATUS(status) - 128));
    else
        (void)snprintf(text, PROCESS_TEXT_SIZE, "it ended with exit status %d", WEXITSTATUS(status));
}

void process_describe_end(const Process *process, char text[PROCESS_TEXT_SIZE])
{
    guard_describe(&process->guard, text, PROCESS_TEXT_SIZE);
    if (text[0] != '\0')
        return;
    if (process->forced)
        (void)snprintf(text, PROCESS_TEXT_SIZE, "it had to be terminated");
    else
        describe_status(process->wait_status, text);
    size_t length = strlen(text);
    if (atomic_load(&process->guard.is_full))
        (void)snprintf(text + length, PROCESS_TEXT_SIZE - length,
                       "; it had reached its limit of %u processes and threads", process->guard.limits.tasks);
}

void process_last_words(const Process *process, char text[PROCESS_TEXT_SIZE])
{
    Span rest = {process->errs, process->errs_length}, line = {0}, last = {"", 0};
    while (span_next_word(&rest, "\r\n", &line))
        last = span_trim(line).length > 0 ? span_trim(line) : last;
    size_t length = last.length < PROCESS_TEXT_SIZE ? last.length : PROCESS_TEXT_SIZE - 1;
    for (size_t i = 0; i < length; i++)
        text[i] = last.at[i] < ' ' || last.at[i] > '~' ? '?' : last.at[i];
    text[length] = '\0';
}
