// What the fuzz targets of engine protocols share: lines go to a protocol without threads, with the stop flag set from
// the start, and the output is checked.
#pragma once

#include "fuzz/fuzz.h"
#include "protocols/engine.h"

typedef struct {
    atomic_bool stop;
    unsigned thinking;           // searches under way: none or one
    unsigned said;               // lines since the last one that was handed in
    bool (*is_right)(Span line); // whether the protocol has such lines
} FuzzWorld;

static inline void fuzz_say(void *context, Span line)
{
    FuzzWorld *world = context;
    REQUIRE(line.length > 0);
    for (size_t i = 0; i < line.length; i++)
        REQUIRE(line.at[i] >= ' ' && line.at[i] <= '~');
    REQUIRE(world->is_right(line));
    world->said++;
}

static inline const atomic_bool *fuzz_begin(void *context, double seconds, bool endless)
{
    FuzzWorld *world = context;
    REQUIRE(world->thinking++ == 0);
    REQUIRE(seconds >= 0 && (!endless || seconds == 0));
    return &world->stop;
}

static inline const atomic_bool *fuzz_idle(void *context)
{
    FuzzWorld *world = context;
    REQUIRE(world->thinking++ == 0);
    return &world->stop;
}

static inline void fuzz_end(void *context, bool wait)
{
    (void)wait;
    REQUIRE(((FuzzWorld *)context)->thinking-- == 1);
}

// Programs and files that an agent's text may name are none of a fuzzer's business.
static inline Status fuzz_open(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error)
{
    (void)host;
    Span rest = text, name = {0};
    (void)span_next_part(&rest, ':', &name);
    return span_is(name, "adjacent") ? agent_open(agent, text, rules, error)
           : span_is(name, "broken") ? error_set(error, STATUS_BAD_INPUT, "broken")
                                     : agent_open(agent, span_of("random"), rules, error);
}

// Cuts the input into lines as the reading thread does and calls `check` after each.
static inline void fuzz_lines(const EngineProtocol *protocol, FuzzWorld *world, Span input,
                              void (*check)(const FuzzWorld *world, Span line))
{
    static Engine engine;
    engine_init(&engine, fuzz_open);
    engine.host = (EngineHost){world, fuzz_say, fuzz_begin, fuzz_idle, fuzz_end};
    atomic_store(&world->stop, true);
    void *state = calloc(1, protocol->state_size);
    REQUIRE(state != NULL);
    Span line = {0};
    // Few lines suffice, and large boards are slow.
    for (unsigned count = 0; count < 64 && span_next_part(&input, '\n', &line); count++) {
        line = span_trim(line);
        if (line.length == 0)
            continue;
        (void)protocol->kind(line);
        world->said = 0;
        protocol->handle(state, &engine, line);
        REQUIRE(world->thinking == 0);
        check(world, line);
    }
    free(state);
    engine_close(&engine);
}
