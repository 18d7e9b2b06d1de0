// An external engine as an agent: commands and faults, opening and closing, games and turns.
#include "external/external_internal.h"

#include "base/clock.h"
#include "external/sandbox_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// All in seconds of wall-clock time; external_internal.h has those that other files share.
static const double tolerance = 0.1;     // an answer this late still counts
static const double end_seconds = 1;     // to exit after the farewell, as in Gomocup
static const double last_seconds = 0.1;  // to exit after its output was closed
static const double patience = 600;      // longest turn without a time limit; a longer one counts as a hang
static const double default_seconds = 5; // time reported if the budget has no limit
static const double poll_seconds = 0.05; // between two reads of the stop flag
static const double rest_seconds = 0.01; // from its answer to the next command at least

// --- Faults ---

bool external_fail(ExternalEngine *engine, Fault fault, const char *format, ...)
{
    engine->fault = fault;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(engine->fault_text, sizeof engine->fault_text, format, arguments);
    va_end(arguments);
    return false;
}

void external_note_words(ExternalEngine *engine, Span line)
{
    size_t length = line.length < sizeof engine->words ? line.length : sizeof engine->words - 1;
    for (size_t i = 0; i < length; i++)
        engine->words[i] = line.at[i] < ' ' || line.at[i] > '~' ? '?' : line.at[i];
    engine->words[length] = '\0';
}

// Whether a program rejects an unknown command, such as YXSTOP.
static bool is_unknown(Span line)
{
    Span first = {0};
    return span_next_word(&line, " \t:", &first) && span_is_ignoring_case(first, "UNKNOWN");
}

// Whether a line is an error message of either protocol.
static bool is_error(Span line)
{
    Span first = {0}, second = {0}, third = {0};
    (void)span_next_word(&line, " \t:", &first);
    if (span_is_ignoring_case(first, "ERROR"))
        return true;
    return span_is(first, "info") && span_next_word(&line, " \t:", &second) && span_is(second, "string") &&
           span_next_word(&line, " \t:", &third) && span_is_ignoring_case(third, "error");
}

// Adds the program's own error message.
static void add_words(ExternalEngine *engine)
{
    char errs[PROCESS_TEXT_SIZE];
    process_last_words(&engine->process, errs);
    const char *words = engine->words[0] != '\0' ? engine->words : errs;
    size_t length = strlen(engine->fault_text);
    if (words[0] != '\0')
        (void)snprintf(engine->fault_text + length, sizeof engine->fault_text - length, "; it said: %s", words);
}

bool external_fail_ended(ExternalEngine *engine)
{
    process_end(&engine->process, (Span){0}, last_seconds);
    char how[PROCESS_TEXT_SIZE];
    process_describe_end(&engine->process, how);
    bool has_closed = engine->process.forced && engine->process.guard.breach == GUARD_WITHIN;
    return external_fail(engine, FAULT_CRASH, "%s", has_closed ? "it closed its output" : how);
}

bool external_fail_as(ExternalEngine *engine, ProcessResult result, const char *waited_for)
{
    if (result == PROCESS_LATE)
        return external_fail(engine, FAULT_TIMEOUT, "%s", waited_for);
    if (result == PROCESS_ENDED)
        return external_fail_ended(engine);
    return result == PROCESS_OK ||
           external_fail(engine, FAULT_CRASH, "it floods its output: a line of more than %d KiB, or more than %d MiB",
                         PROCESS_LINE_MAX >> 10, PROCESS_TURN_MAX >> 20);
}

// --- Talking ---

void external_log(const ExternalEngine *engine, char direction, Span text)
{
    if (engine->log != NULL)
        engine->log->line(engine->log->context, engine->player, engine->process.child.pid, direction, text);
}

// A text of several lines, as it is sent.
static void log_sent(const ExternalEngine *engine, Span text)
{
    Span line = {0};
    while (engine->log != NULL && span_next_part(&text, '\n', &line))
        external_log(engine, '>', line);
}

ProcessResult external_read_line(ExternalEngine *engine, double deadline, Span *line)
{
    ProcessResult result = process_read_line(&engine->process, deadline, line);
    if (result == PROCESS_OK)
        external_log(engine, '<', *line);
    return result;
}

bool external_send(ExternalEngine *engine, double deadline)
{
    Span text = {engine->out.data, engine->out.length};
    engine->out.length = 0;
    log_sent(engine, text);
    return external_fail_as(engine, process_write(&engine->process, text, deadline), "it does not read its input");
}

bool external_await(ExternalEngine *engine, const char *word, double deadline)
{
    Span line = {0};
    char waited_for[64];
    (void)snprintf(waited_for, sizeof waited_for, "no '%s' came back in %g s", word, external_start_limit(engine));
    do {
        if (!external_fail_as(engine, external_read_line(engine, deadline, &line), waited_for))
            return false;
        line = span_trim(line);
        if (span_is_ignoring_case(line, word))
            return true;
        if (!is_error(line) && !is_unknown(line))
            continue;
        external_note_words(engine, line);
        return external_fail(engine, FAULT_ILLEGAL, "expected '%s'", word);
    } while (clock_seconds() < deadline);
    return external_fail(engine, FAULT_TIMEOUT, "%s", waited_for);
}

int64_t external_ms(double seconds)
{
    double ms = floor(seconds * 1000);
    return ms < 1 ? 1 : ms < INT32_MAX ? (int64_t)ms : INT32_MAX;
}

int64_t external_reported_ms(const Budget *budget, Side side)
{
    if (budget->seconds > 0)
        return external_ms(budget->seconds);
    if (budget->clock[side] > 0)
        return external_ms(budget->clock[side]);
    return external_ms(budget->nodes > 0 || budget->depth > 0 ? patience : default_seconds);
}

// --- Opening and closing ---

static Status open_failure(ExternalEngine *engine, Error *error)
{
    char last[PROCESS_TEXT_SIZE];
    process_kill(&engine->process);
    process_last_words(&engine->process, last);
    if (engine->sandboxed.is_used && engine->fault == FAULT_CRASH && sandbox_has_failed(last))
        return error_set(error, STATUS_FAILED,
                         "the sandbox could not start it (%s); --no-sandbox starts programs without one", last);
    add_words(engine);
    // A program that lacks something of the system usually says so and exits, such as a shim below the home folder.
    bool may_lack_files = engine->sandboxed.is_used && engine->fault == FAULT_CRASH;
    return error_set(error, engine->fault == FAULT_ILLEGAL ? STATUS_BAD_INPUT : STATUS_FAILED, "%s%s",
                     engine->fault_text,
                     may_lack_files ? ". In the sandbox it sees only the system, and its own folder and those of files "
                                      "that the command names as /engine/N (the setting paths=host keeps their paths); "
                                      "--no-sandbox starts it without one"
                                    : "");
}

static Status prepare(ExternalEngine *engine, const AgentConfig *config, Error *error)
{
    Words command = {0};
    SandboxSettings settings = sandbox_settings_of(&config->settings);
    Status status = words_split(span_of(config->command != NULL ? config->command : ""), &command, error);
    if (status == STATUS_OK && command.count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "it needs a command, such as 'exec:./engine'");
    if (status == STATUS_OK)
        status = sandbox_prepare(&command, &settings, !config->host.no_sandbox, &engine->sandboxed, error);
    words_close(&command);
    return status;
}

Status external_open(void *state, const AgentConfig *config, Error *error)
{
    ExternalEngine *engine = state;
    engine->rules = config->rules;
    engine->settings = config->settings;
    engine->log = config->host.log;
    engine->player = engine->settings.name[0] != '\0' ? engine->settings.name : config->command;
    engine->protocol = config->settings.is_ugi ? &external_ugi : config->settings.is_gomocup ? &external_gomocup : NULL;
    Status status = prepare(engine, config, error);
    if (status == STATUS_OK)
        sandbox_warn(&engine->sandboxed, &config->host);
    if (status == STATUS_OK && !external_start(engine))
        status = open_failure(engine, error);
    if (status != STATUS_OK)
        external_close(engine);
    return status;
}

void external_close(void *state)
{
    ExternalEngine *engine = state;
    const char *farewell = engine->protocol != NULL ? engine->protocol->farewell : "";
    if (engine->process.running)
        log_sent(engine, span_of(farewell));
    process_end(&engine->process, span_of(farewell), end_seconds);
    family_close(&engine->family);
    sandbox_close(&engine->sandboxed);
    text_close(&engine->out);
}

// --- Games ---

static bool continues(const ExternalEngine *engine, const Game *game)
{
    return engine->in_game && engine->start.turn == game->start.turn &&
           engine->start.stones_key == game->start.stones_key && engine->known <= game->played &&
           memcmp(engine->stones, game->stones, engine->known * sizeof engine->stones[0]) == 0;
}

// A program with several threads may print its answer a moment before it listens again, and lose an immediate command:
// Rapfi then reads the cell of a TURN as a command and waits for ever. A single thread cannot do both at once.
static void let_rest(ExternalEngine *engine)
{
    double begin = clock_seconds(), end = engine->answered + rest_seconds;
    if (begin >= end || family_is_single_threaded(&engine->family))
        return;
    clock_sleep(end - begin);
    engine->rested += clock_seconds() - begin;
}

// Drops unrequested output, which cannot be an answer.
static bool pass_over_old_lines(ExternalEngine *engine)
{
    Span line = {0};
    ProcessResult result = PROCESS_OK;
    let_rest(engine);
    process_next_turn(&engine->process);
    while ((result = process_read_arrived(&engine->process, &line)) == PROCESS_OK)
        external_log(engine, '<', line);
    process_next_turn(&engine->process);
    return result == PROCESS_LATE || external_fail_as(engine, result, "");
}

// Makes sure that the program runs and knows that a game begins; restarts it if that fails.
static bool make_ready(ExternalEngine *engine)
{
    bool used = engine->in_game;
    engine->in_game = false;
    engine->words[0] = '\0';
    if (engine->process.running && !used)
        return true;
    if (engine->process.running && pass_over_old_lines(engine) &&
        engine->protocol->new_game(engine, external_start_deadline(engine)))
        return true;
    process_kill(&engine->process);
    return external_start(engine);
}

static bool begin_game(ExternalEngine *engine)
{
    bool is_ready = make_ready(engine); // asks whether the program that played before has one thread
    guard_restart_cpu(&engine->process.guard);
    family_close(&engine->family);
    if (!is_ready)
        return false;
    family_find(&engine->family, engine->process.child.pid);
    return true;
}

void external_new_game(void *state)
{
    ExternalEngine *engine = state;
    if (!begin_game(engine))
        process_kill(&engine->process);
}

// --- A turn ---

// The moments of a turn. Without a limit, `patience` is the limit.
typedef struct {
    double begin, deadline, last;
    bool is_stopping; // the stop command was sent
} Timing;

static Timing timing_of(const Budget *budget, Side side)
{
    double limit = budget->seconds > 0 ? budget->seconds : patience;
    if (budget->clock[side] > 0 && budget->clock[side] < limit)
        limit = budget->clock[side];
    double now = clock_seconds();
    return (Timing){.begin = now, .deadline = now + limit, .last = now + limit + tolerance};
}

// Sends the stop command when the time is over or the stop flag is raised. Returns how long to wait for the next line.
static double watch(ExternalEngine *engine, Timing *timing, const atomic_bool *stop)
{
    double now = clock_seconds();
    bool wanted = stop != NULL && atomic_load(stop);
    if (!timing->is_stopping && (wanted || now >= timing->deadline)) {
        timing->is_stopping = true;
        if (wanted && now + external_stop_seconds < timing->last)
            timing->last = now + external_stop_seconds;
        log_sent(engine, span_of(engine->protocol->stop));
        (void)process_write(&engine->process, span_of(engine->protocol->stop), now);
    }
    double wait = timing->is_stopping ? timing->last : timing->deadline;
    return stop != NULL && !timing->is_stopping && now + poll_seconds < wait ? now + poll_seconds : wait;
}

// Plays the turn on a copy of the board, as the referee will. A win ends the turn; further stones are ignored.
static bool check_turn(ExternalEngine *engine, const Game *game, Decision *decision)
{
    Game after;
    Error error = {0};
    game_copy(&after, game);
    unsigned wanted = board_stones_left(&game->board), played = 0;
    for (; played < decision->count && !game_is_over(&after); played++)
        if (game_try(&after, decision->stones[played], &error) != STATUS_OK)
            return external_fail(engine, FAULT_ILLEGAL, "%s", error.text);
    if (decision->count > wanted || (played < wanted && !game_is_over(&after)))
        return external_fail(engine, FAULT_ILLEGAL, "%u stones in a turn of %u", decision->count, wanted);
    decision->count = played;
    return true;
}

static bool await_answer(ExternalEngine *engine, const Game *game, Timing *timing, const atomic_bool *stop,
                         Decision *decision)
{
    for (;;) {
        Span line = {0};
        double wait = watch(engine, timing, stop);
        ProcessResult result = external_read_line(engine, wait, &line);
        if (result == PROCESS_ENDED || result == PROCESS_FLOOD)
            return external_fail_as(engine, result, "");
        Answer answer = ANSWER_OTHER;
        line = span_trim(line);
        if (result == PROCESS_OK && is_error(line))
            external_note_words(engine, line);
        else if (result == PROCESS_OK && !is_unknown(line))
            answer = engine->protocol->answer(engine, game, line, decision);
        if (answer == ANSWER_WRONG) {
            external_note_words(engine, (Span){line.at, line.length < 80 ? line.length : 80});
            return external_fail(engine, FAULT_ILLEGAL, "its answer is not a turn");
        }
        if (answer == ANSWER_TURN)
            return check_turn(engine, game, decision);
        if (clock_seconds() >= timing->last)
            return external_fail(engine, FAULT_TIMEOUT, "no answer after %.2f s", clock_seconds() - timing->begin);
    }
}

static bool ask(ExternalEngine *engine, const Game *game, const AgentTask *task, Decision *decision)
{
    bool knows_game = continues(engine, game);
    if (!knows_game && !begin_game(engine))
        return false;
    if (knows_game && !pass_over_old_lines(engine))
        return false;
    Timing timing = timing_of(&task->budget, board_side(&game->board));
    engine->words[0] = '\0';
    engine->out.length = 0;
    engine->protocol->ask(engine, game, &task->budget, knows_game && game->played == engine->known + 1, &engine->out);
    return external_send(engine, timing.last) && await_answer(engine, game, &timing, task->stop, decision);
}

// Records what the program knows after its answer.
static void remember(ExternalEngine *engine, const Game *game, const Decision *decision)
{
    engine->in_game = true;
    engine->start = game->start;
    memcpy(engine->stones, game->stones, game->played * sizeof game->stones[0]);
    memcpy(engine->stones + game->played, decision->stones, decision->count * sizeof decision->stones[0]);
    engine->known = game->played + decision->count;
    engine->answered = clock_seconds();
}

void external_decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    ExternalEngine *engine = state;
    engine->rested = 0;
    decision->unscored = true; // until the program reports a score
    bool answers = ask(engine, game, task, decision);
    decision->rested = engine->rested;
    if (answers) {
        remember(engine, game, decision);
        return;
    }
    process_kill(&engine->process);
    family_close(&engine->family);
    add_words(engine);
    external_log(engine, '!', span_of(engine->fault_text));
    engine->in_game = false;
    decision->count = 0;
    decision->fault = engine->fault;
    (void)snprintf(decision->fault_text, sizeof decision->fault_text, "%s", engine->fault_text);
}
