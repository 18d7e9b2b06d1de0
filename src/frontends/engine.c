#include "frontends/engine.h"

#include "base/clock.h"
#include "match/referee.h"
#include "rules/notation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void engine_init(Engine *engine, EngineOpen *open)
{
    *engine = (Engine){.open = open, .overhead = ENGINE_OVERHEAD_DEFAULT};
    engine_set_seed(engine, 0);
}

void engine_close(Engine *engine)
{
    agent_close(&engine->agent);
    text_close(&engine->agent_text);
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

Status engine_set_agent(Engine *engine, Span text)
{
    agent_close(&engine->agent);
    text_close(&engine->agent_text);
    Span name = span_trim(text);
    if (!span_is(name, "best"))
        text_add_span(&engine->agent_text, name);
    return engine->agent_text.failed ? STATUS_NO_MEMORY : STATUS_OK;
}

const char *engine_agent_name(const Engine *engine)
{
    return engine->agent_text.length > 0 ? engine->agent_text.data : "best";
}

void engine_new_game(Engine *engine)
{
    agent_close(&engine->agent);
    engine->rng = rng_make(rng_derive(engine->seed, engine->games++));
}

void engine_set_seed(Engine *engine, uint64_t seed)
{
    engine->seed = seed;
    engine->games = 0;
    engine_new_game(engine);
}

Status engine_prepare(Engine *engine, const Rules *rules, Error *error)
{
    if (engine->agent.kind != NULL && rules_equal(&engine->agent.config.rules, rules))
        return STATUS_OK;
    agent_close(&engine->agent);
    Span text = {engine->agent_text.data, engine->agent_text.length};
    if (text.length == 0)
        text = span_of(agent_best(rules)->name);
    return engine->open(&engine->agent, text, rules, &engine->agent_host, error);
}

// What may be used of a limit when the answer has a way to go.
static double without_margin(double limit, double overhead)
{
    double share = fmin(0.02 * limit, 0.3);
    double margin = fmin(overhead + share, limit / 2);
    return fmax(limit - margin, ENGINE_SECONDS_AT_ONCE);
}

// Turns of the side to move that may still come. Games end long before the board is full, so that a clock is shared by
// 20 at most; a slow start is repaid by the share growing again when the game goes on.
static double turns_to_come(const Board *board)
{
    double empty = board->cells - (double)board_count(board);
    return fmin(fmax(ceil(empty / (2.0 * board->rules.p)), 1), 20);
}

double engine_allot(const EngineTime *time, const Board *board)
{
    double allotted = isfinite(time->turn) ? without_margin(time->turn, time->overhead) : INFINITY;
    if (isfinite(time->left)) {
        double usable = without_margin(time->left, time->overhead);
        double share = usable / turns_to_come(board) + 0.8 * time->increment;
        allotted = fmin(allotted, fmax(fmin(share, usable), ENGINE_SECONDS_AT_ONCE));
    }
    return allotted;
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
    double begin = clock_seconds();
    const atomic_bool *stop = engine->host.begin(engine->host.context, search->budget.seconds, search->endless);
    AgentTask task = {.budget = search->budget, .rng = &engine->rng, .stop = stop};
    agent_decide(&engine->agent, game, &task, &engine->decision);
    engine->seconds = clock_seconds() - begin;
    engine->host.end(engine->host.context, search->endless);

    if (engine->decision.fault != FAULT_NONE)
        return error_set(error, STATUS_FAILED, "the agent '%s' failed: %s", engine->agent.kind->name,
                         engine->decision.fault_text);
    Game after;
    game_copy(&after, game);
    status = referee_play(&after, &engine->decision, error);
    if (status != STATUS_OK)
        error_prefix(error, "the agent '%s' broke the rules: ", engine->agent.kind->name);
    return status;
}

void engine_wait(Engine *engine)
{
    (void)engine->host.begin(engine->host.context, 0, true);
    engine->host.end(engine->host.context, true);
}

// A score in hundredths of the agent's unit. Agents may be as sure as they like; the line stays a number.
static long long centi(double score)
{
    return isnan(score) ? 0 : llround(fmin(fmax(score * 100, -1e9), 1e9));
}

void engine_describe(const Engine *engine, Text *text)
{
    static const char *const proven[] = {NULL, "win", "loss", "draw"};
    const Decision *decision = &engine->decision;
    text_add(text, "depth %u ", decision->depth);
    if (decision->proven != PROVEN_NOTHING)
        text_add(text, "score %s %d", proven[decision->proven], decision->distance > 0 ? decision->distance : 0);
    else
        text_add(text, "score cp %lld", centi(decision->score));
    text_add(text, " nodes %llu time %lld pv", (unsigned long long)decision->nodes, llround(engine->seconds * 1000));
    bool has_line = decision->line_count > 0;
    unsigned count = has_line ? decision->line_count : decision->count;
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(has_line ? decision->line[i] : decision->stones[i], name);
        text_add(text, " %s", name);
    }
}

const EngineProtocol *engine_protocol_of(Span first_line)
{
    return span_is(span_trim(first_line), "ugi") ? &engine_ugi : &engine_gomocup;
}
