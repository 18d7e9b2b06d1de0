// The threads of an engine: one reads lines, one watches deadlines, and the caller's handles lines in order.
#include "protocols/engine_core.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/memory.h"
#include "base/wake.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Line {
    struct Line *next;
    uint64_t number; // in the order of arrival, from 1
    LineKind kind;
    size_t length;
    char text[];
} Line;

typedef struct {
    EngineCoreConfig config;
    pthread_mutex_t output_lock; // one line at a time
    Wake wake;                   // the reading thread shall end

    pthread_mutex_t lock; // for all below
    pthread_cond_t changed;
    const EngineProtocol *protocol;
    Line *first, **last; // lines not handled yet
    uint64_t read;       // lines put into the queue so far
    uint64_t handled;    // number of the line being handled
    uint64_t stopped;    // searches of lines up to this number are wanted at once
    bool ended;          // no line will follow those in the queue
    bool thinking, endless;
    bool idle;                // thinking in the other side's time
    bool closing;             // threads shall end
    bool gone;                // the manager is gone: lines in the queue do not count
    bool failed;              // the same, because a write failed
    bool input_failed;        // lines of the manager may be lost; set by the thread that reads
    double deadline, quit_at; // INFINITY: none

    atomic_bool stop; // of the search under way
} Core;

// --- Output ---

static bool write_all(int output, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(output, data, length);
        if (written < 0 && errno != EINTR)
            return false;
        size_t done = written > 0 ? (size_t)written : 0;
        data += done;
        length -= done;
    }
    return true;
}

static void raise_stop(Core *core)
{
    atomic_store(&core->stop, true);
    core->deadline = INFINITY;
    (void)pthread_cond_broadcast(&core->changed);
}

static void give_up(Core *core, bool failed)
{
    (void)pthread_mutex_lock(&core->lock);
    core->failed |= failed;
    core->gone = core->ended = true;
    core->stopped = UINT64_MAX;
    raise_stop(core);
    (void)pthread_mutex_unlock(&core->lock);
}

// One write per line, so that lines of two threads never mix.
static void say(void *context, Span line)
{
    Core *core = context;
    (void)pthread_mutex_lock(&core->lock);
    bool gone = core->gone;
    (void)pthread_mutex_unlock(&core->lock);
    if (gone)
        return;
    Text text = {0};
    text_add_span(&text, line);
    text_add(&text, "\n");
    (void)pthread_mutex_lock(&core->output_lock);
    bool done = write_all(core->config.output, text.data, text.length);
    (void)pthread_mutex_unlock(&core->output_lock);
    text_close(&text);
    if (!done)
        give_up(core, true);
}

// --- Thinking ---

// Removes from the queue the lines to answer during a search; returns their number.
static unsigned take_ready_lines(Core *core)
{
    unsigned count = 0;
    for (Line **at = &core->first; *at != NULL;) {
        Line *line = *at;
        if (line->kind != LINE_READY) {
            at = &line->next;
            continue;
        }
        *at = line->next;
        if (line->next == NULL)
            core->last = at;
        free(line);
        count++;
    }
    return count;
}

static const atomic_bool *begin(void *context, double seconds, bool endless)
{
    Core *core = context;
    (void)pthread_mutex_lock(&core->lock);
    core->thinking = true;
    core->endless = endless;
    core->deadline = seconds > 0 ? clock_seconds() + seconds : INFINITY;
    atomic_store(&core->stop, false);
    if (core->handled <= core->stopped || (endless && core->ended))
        raise_stop(core);
    unsigned ready = take_ready_lines(core);
    (void)pthread_cond_broadcast(&core->changed);
    (void)pthread_mutex_unlock(&core->lock);
    while (ready-- > 0)
        say(core, span_of(core->protocol->ready));
    return &core->stop;
}

static const atomic_bool *idle(void *context)
{
    Core *core = context;
    (void)pthread_mutex_lock(&core->lock);
    core->idle = true;
    atomic_store(&core->stop, false);
    if (core->first != NULL || core->ended || core->gone)
        raise_stop(core);
    (void)pthread_mutex_unlock(&core->lock);
    return &core->stop;
}

static void end(void *context, bool wait)
{
    Core *core = context;
    (void)pthread_mutex_lock(&core->lock);
    while (wait && !atomic_load(&core->stop))
        (void)pthread_cond_wait(&core->changed, &core->lock);
    core->thinking = core->idle = false;
    core->deadline = INFINITY;
    (void)pthread_mutex_unlock(&core->lock);
}

// --- The watch ---

// Raises the stop flag when the time of a search is over, and ends the program if a search ignores it after a quit.
static void *watch(void *argument)
{
    Core *core = argument;
    (void)pthread_mutex_lock(&core->lock);
    while (!core->closing) {
        double now = clock_seconds();
        if (core->deadline <= now)
            raise_stop(core);
        if (core->quit_at <= now) {
            core->quit_at = INFINITY;
            core->config.abandon();
        }
        condition_wait(&core->changed, &core->lock, fmin(core->deadline, core->quit_at));
    }
    (void)pthread_mutex_unlock(&core->lock);
    return NULL;
}

// --- Input ---

static void enqueue(Core *core, Span text, LineKind kind)
{
    Line *line = memory_new(1, sizeof *line + text.length);
    line->kind = kind;
    line->length = text.length;
    memcpy(line->text, text.at, text.length);
    *core->last = line;
    core->last = &line->next;
    line->number = ++core->read;
    if (core->idle)
        raise_stop(core);
    (void)pthread_cond_broadcast(&core->changed);
}

// Queues a line. False: reads no more lines.
static bool take_line(Core *core, Span text)
{
    (void)pthread_mutex_lock(&core->lock);
    if (core->protocol == NULL)
        core->protocol = engine_protocol_of(text);
    LineKind kind = core->protocol->kind(text);
    bool answers = kind == LINE_READY && core->thinking;
    if (kind == LINE_STOP || kind == LINE_QUIT) {
        core->stopped = core->read;
        raise_stop(core);
    } else if (!answers) {
        enqueue(core, text, kind);
    }
    if (kind == LINE_QUIT)
        core->quit_at = clock_seconds() + ENGINE_QUIT_SECONDS;
    bool goes_on = kind != LINE_QUIT && !core->gone;
    (void)pthread_mutex_unlock(&core->lock);
    if (answers)
        say(core, span_of(core->protocol->ready));
    return goes_on;
}

// Splits bytes into lines. CR and LF both end one, so CRLF adds an empty line; empty lines are dropped. Longer lines
// are cut at ENGINE_LINE_MAX, which tells the protocol.
static bool take_bytes(Core *core, Text *line, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool ends = bytes[i] == '\r' || bytes[i] == '\n';
        if (!ends && line->length < ENGINE_LINE_MAX)
            text_add_span(line, (Span){bytes + i, 1});
        if (!ends)
            continue;
        Span text = span_trim((Span){line->data, line->length});
        if (line->length == ENGINE_LINE_MAX)
            text = (Span){line->data, line->length};
        if (text.length > 0 && !take_line(core, text))
            return false;
        line->length = 0;
    }
    return true;
}

static void *read_lines(void *argument)
{
    Core *core = argument;
    Text line = {0};
    char bytes[4096];
    bool goes_on = true;
    while (goes_on && wake_wait_input(&core->wake, core->config.input)) {
        ssize_t count = read(core->config.input, bytes, sizeof bytes);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        bool has_ended = count <= 0;
        core->input_failed = count < 0;
        if (has_ended) {
            bytes[0] = '\n';
            count = 1;
        }
        goes_on = take_bytes(core, &line, bytes, (size_t)count) && !has_ended;
    }
    text_close(&line);
    (void)pthread_mutex_lock(&core->lock);
    core->ended = true;
    if (core->idle || (core->thinking && core->endless))
        raise_stop(core);
    (void)pthread_cond_broadcast(&core->changed);
    (void)pthread_mutex_unlock(&core->lock);
    // After the last line, a manager that has exited does not need the answers of current searches.
    if (wake_wait_hang_up(&core->wake, core->config.output))
        give_up(core, false);
    return NULL;
}

// --- The loop ---

// The next line, or NULL when none will come.
static Line *next_line(Core *core)
{
    (void)pthread_mutex_lock(&core->lock);
    while (core->first == NULL && !core->ended && !core->gone)
        (void)pthread_cond_wait(&core->changed, &core->lock);
    Line *line = core->gone ? NULL : core->first;
    if (line != NULL) {
        core->first = line->next;
        if (core->first == NULL)
            core->last = &core->first;
        core->handled = line->number;
    }
    (void)pthread_mutex_unlock(&core->lock);
    return line;
}

static void serve(Core *core, Engine *engine)
{
    Line *line = next_line(core);
    const EngineProtocol *protocol = core->protocol;
    void *state = line != NULL ? memory_new(1, protocol->state_size) : NULL;
    for (; line != NULL; line = next_line(core)) {
        protocol->handle(state, engine, (Span){line->text, line->length});
        free(line);
    }
    free(state);
}

static void close_core(Core *core)
{
    while (core->first != NULL) {
        Line *line = core->first;
        core->first = line->next;
        free(line);
    }
    wake_close(&core->wake);
    (void)pthread_cond_destroy(&core->changed);
    (void)pthread_mutex_destroy(&core->lock);
    (void)pthread_mutex_destroy(&core->output_lock);
}

static bool open_core(Core *core)
{
    condition_init(&core->changed);
    (void)pthread_mutex_init(&core->lock, NULL);
    (void)pthread_mutex_init(&core->output_lock, NULL);
    core->last = &core->first;
    core->deadline = core->quit_at = INFINITY;
    return wake_open(&core->wake);
}

static void close_threads(Core *core)
{
    (void)pthread_mutex_lock(&core->lock);
    core->closing = true;
    (void)pthread_cond_broadcast(&core->changed);
    (void)pthread_mutex_unlock(&core->lock);
    wake_raise(&core->wake);
}

Status engine_core_run(Engine *engine, const EngineCoreConfig *config, Error *error)
{
    Core core = {.config = *config, .protocol = config->protocol};
    bool is_open = open_core(&core);
    engine->host = (EngineHost){&core, say, begin, idle, end};
    pthread_t reader, watcher;
    Status status = STATUS_OK;
    if (!is_open || pthread_create(&reader, NULL, read_lines, &core) != 0) {
        close_core(&core);
        return error_set(error, STATUS_FAILED, "cannot start a thread");
    }
    if (pthread_create(&watcher, NULL, watch, &core) == 0) {
        serve(&core, engine);
        close_threads(&core);
        (void)pthread_join(watcher, NULL);
    } else {
        status = error_set(error, STATUS_FAILED, "cannot start a thread");
        close_threads(&core);
    }
    (void)pthread_join(reader, NULL);
    if (status == STATUS_OK && core.failed)
        status = error_set(error, STATUS_IO, "cannot write to the manager");
    if (status == STATUS_OK && core.input_failed)
        status = error_set(error, STATUS_IO, "cannot read from the manager");
    close_core(&core);
    return status;
}
