// Shared by the protocols: the agent, its time, and search info.
#include "protocols/engine.h"

#include "agents/agent.h"
#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "match/referee.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void engine_init(Engine *engine, EngineOpen *open)
{
    *engine = (Engine){.open = open, .overhead = ENGINE_OVERHEAD_DEFAULT};
    engine_set_seed(engine, 0);
}

void engine_close(Engine *engine)
{
    agent_close(&engine->agent);
    text_close(&engine->agent_text);
    free(engine->best);
}

void engine_say(Engine *engine, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    for (int i = 0; i < length; i++)
        if (line[i] < ' ' || line[i] > '~')
            line[i] = '?';
    engine->host.say(engine->host.context, (Span){line, (size_t)length});
    free(line);
}

void engine_set_agent(Engine *engine, Span text)
{
    agent_close(&engine->agent);
    text_close(&engine->agent_text);
    Span name = span_trim(text);
    if (!span_is(name, "best"))
        text_add_span(&engine->agent_text, name);
}

const char *engine_agent_name(const Engine *engine)
{
    return engine->agent_text.length > 0 ? engine->agent_text.data : "best";
}

static void set_size(Engine *engine, uint64_t *size, uint64_t value)
{
    if (*size != value)
        agent_close(&engine->agent);
    *size = value;
}

void engine_set_threads(Engine *engine, uint64_t threads)
{
    set_size(engine, &engine->threads, threads);
}

void engine_set_memory(Engine *engine, uint64_t megabytes)
{
    set_size(engine, &engine->megabytes, megabytes);
}

void engine_new_game(Engine *engine)
{
    agent_close(&engine->agent);
    engine->rng = rng_make(rng_derive(engine->seed, engine->games++));
}

void engine_clear_tables(Engine *engine)
{
    if (engine->agent.kind != NULL)
        agent_new_game(&engine->agent);
}

void engine_set_seed(Engine *engine, uint64_t seed)
{
    engine->seed = seed;
    engine->games = 0;
    engine_new_game(engine);
}

static bool is_given(Span arguments, const char *name)
{
    Span part = {0}, key = {0};
    while (span_next_part(&arguments, ',', &part))
        if (span_next_part(&part, '=', &key) && span_is(span_trim(key), name))
            return true;
    return false;
}

// Adds a value from the manager if the agent has the option and its text does not set it.
static void add_size(const AgentKind *kind, Span arguments, const char *name, uint64_t value, Text *text)
{
    const AgentOption *option = NULL;
    OptionList list = agent_options(kind);
    for (unsigned i = 0; (option = option_at(list, i)) != NULL && strcmp(option->name, name) != 0;)
        i++;
    if (value == 0 || option == NULL || is_given(arguments, name))
        return;
    text_add(text, "%s%s=%.0f", memchr(text->data, ':', text->length) != NULL ? "," : ":", name,
             fmin((double)value, option->max));
}

// The text of the agent with the options of the protocol.
static void write_agent(const Engine *engine, Span text, Text *whole)
{
    Span arguments = span_trim(text), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    text_add_span(whole, span_trim(text));
    if (kind == NULL || kind->takes_command)
        return;
    add_size(kind, arguments, "threads", engine->threads, whole);
    add_size(kind, arguments, "memory", engine->megabytes, whole);
}

Status engine_prepare(Engine *engine, const Rules *rules, Error *error)
{
    if (engine->agent.kind != NULL && rules_equal(&engine->agent.config.rules, rules))
        return STATUS_OK;
    agent_close(&engine->agent);
    Span text = {engine->agent_text.data, engine->agent_text.length};
    if (text.length == 0)
        text = span_of(agent_best(rules)->name);
    Text whole = {0};
    write_agent(engine, text, &whole);
    Status status = engine->open(&engine->agent, (Span){whole.data, whole.length}, rules, &engine->agent_host, error);
    text_close(&whole);
    return status;
}

static double without_overhead(double limit, double overhead)
{
    return fmax(limit - fmin(overhead, limit / 2), ENGINE_SECONDS_AT_ONCE);
}

double engine_allot(const EngineTime *time, const Board *board)
{
    Budget game = {.increment = fmax(time->increment, 0)};
    if (isfinite(time->left))
        game.clock[board_side(board)] = without_overhead(time->left, time->overhead);
    double most = budget_seconds(&game, board).most;
    if (isfinite(time->turn))
        most = fmin(most, without_overhead(time->turn, time->overhead));
    return fmax(most, ENGINE_SECONDS_AT_ONCE);
}

long long engine_centi(const Decision *found)
{
    return isnan(found->score) ? 0 : llround(fmin(fmax(found->score * 100, -1e9), 1e9));
}

// A short search may take no time at all by the clock.
unsigned long long engine_per_second(uint64_t nodes, double seconds)
{
    return (unsigned long long)((double)nodes / fmax(seconds, 0.001));
}

void engine_describe(const Engine *engine, const Decision *found, Text *text)
{
    double seconds = engine_elapsed(engine);
    text_add(text, "depth %u ", found->depth);
    if (found->deepest > 0)
        text_add(text, "seldepth %u ", found->deepest);
    if (found->rank > 0)
        text_add(text, "multipv %u ", found->rank);
    if (found->proven != PROVEN_NOTHING)
        text_add(text, "score %s %d", proven_name(found->proven), found->distance > 0 ? found->distance : 0);
    else
        text_add(text, "score cp %lld", engine_centi(found));
    text_add(text, " nodes %llu nps %llu time %lld pv ", (unsigned long long)found->nodes,
             engine_per_second(found->nodes, seconds), llround(seconds * 1000));
    if (found->line_count > 0)
        cell_write_list(text, found->line, found->line_count, " ");
    else
        cell_write_list(text, found->stones, found->count, " ");
}

double engine_elapsed(const Engine *engine)
{
    return engine->search != NULL ? clock_seconds() - engine->began : engine->seconds;
}

// Keeps the best turns for the end of the search and passes on at most ten reports per second: the first depths take
// hardly any time.
static void take_progress(void *context, const Decision *so_far)
{
    Engine *engine = context;
    const EngineSearch *search = engine->search;
    unsigned i = so_far->rank > 0 ? so_far->rank - 1 : 0;
    if (i == 0) {
        double now = clock_seconds();
        engine->found = 0;
        engine->says = now >= engine->reported + ENGINE_SECONDS_BETWEEN;
        engine->reported = engine->says ? now : engine->reported;
    }
    if (search->lines > 1 && i == engine->found && i < search->lines)
        engine->best[engine->found++] = *so_far;
    if (engine->says)
        search->report(search->context, engine, so_far, false);
}

static void report_result(Engine *engine, const EngineSearch *search)
{
    if (search->report == NULL)
        return;
    if (engine->found == 0)
        search->report(search->context, engine, &engine->decision, true);
    for (unsigned i = 0; i < engine->found; i++)
        search->report(search->context, engine, &engine->best[i], true);
}

static void decide(Engine *engine, const Game *game, const EngineSearch *search)
{
    if (search->lines > 1 && engine->best == NULL)
        engine->best = memory_new(ENGINE_LINES_MAX, sizeof *engine->best);
    engine->search = search;
    engine->found = 0;
    engine->began = engine->reported = clock_seconds();
    const atomic_bool *stop =
        engine->host.begin(engine->host.context, search->endless ? 0 : search->budget.seconds, search->endless);
    AgentTask task = {.budget = search->budget, .rng = &engine->rng, .stop = stop, .lines = search->lines};
    if (search->report != NULL) {
        task.progress = take_progress;
        task.progress_context = engine;
    }
    if (search->endless)
        task.budget = (Budget){.seconds = ENGINE_SECONDS_ENDLESS};
    agent_decide(&engine->agent, game, &task, &engine->decision);
    engine->seconds = clock_seconds() - engine->began;
    engine->search = NULL;
    engine->host.end(engine->host.context, search->endless);
}

Status engine_think(Engine *engine, const Game *game, const EngineSearch *search, Error *error)
{
    engine->seconds = 0;
    Status status = engine_prepare(engine, &game->board.rules, error);
    if (status != STATUS_OK) {
        if (search->endless)
            engine_wait(engine);
        return status;
    }
    decide(engine, game, search);
    if (engine->decision.fault != FAULT_NONE)
        return error_set(error, STATUS_FAILED, "the agent '%s' failed: %s", engine->agent.kind->name,
                         engine->decision.fault_text);
    Game after;
    game_copy(&after, game);
    status = referee_play(&after, &engine->decision, error);
    if (status != STATUS_OK)
        error_prefix(error, "the agent '%s' broke the rules: ", engine->agent.kind->name);
    else
        report_result(engine, search);
    return status;
}

void engine_ponder(Engine *engine, const Game *game)
{
    Game after;
    if (!engine->ponders)
        return;
    game_copy(&after, game);
    if (referee_play(&after, &engine->decision, NULL) != STATUS_OK || game_is_over(&after))
        return;
    const atomic_bool *stop = engine->host.idle(engine->host.context);
    agent_ponder(&engine->agent, &after, stop);
    engine->host.end(engine->host.context, false);
}

void engine_wait(Engine *engine)
{
    (void)engine->host.begin(engine->host.context, 0, true);
    engine->host.end(engine->host.context, true);
}

const EngineProtocol *engine_protocol_of(Span first_line)
{
    return span_is(span_trim(first_line), "ugi") ? &engine_ugi : &engine_gomocup;
}
