// krow as an engine of someone else's manager: what the protocols share. A protocol is handed one line after another
// and speaks through an EngineHost; it knows no threads, so a test can feed it lines and look at what it says.
#pragma once

#include "agents/agent.h"

enum {
    ENGINE_LINE_MAX = 1 << 16, // a longer line is cut here and refused; a game of 4096 stones takes a third of it
};

// The seconds a turn takes by default, and those of "at once".
#define ENGINE_SECONDS_DEFAULT 5.0
#define ENGINE_SECONDS_AT_ONCE 0.01
// Those of a search that only a stop ends. An agent without any limit may content itself with little.
#define ENGINE_SECONDS_ENDLESS 1e6
// Minimum time between two lines that report the search so far.
#define ENGINE_SECONDS_BETWEEN 0.1
// Kept back for the way of an answer to the manager, unless the manager says otherwise.
#define ENGINE_OVERHEAD_DEFAULT 0.03

// The world around a protocol.
typedef struct {
    void *context;
    // Sends a line, given without its end.
    void (*say)(void *context, Span line);
    // A search begins: returns the flag that asks it to end. It is raised by a line that says stop, or after `seconds`
    // (0: never). `endless` says that nothing else would end the search.
    const atomic_bool *(*begin)(void *context, double seconds, bool endless);
    // The same for thinking in the other side's time: the next line of any kind raises the flag.
    const atomic_bool *(*idle)(void *context);
    // The search has ended; with `wait` the call returns only when the flag has been raised.
    void (*end)(void *context, bool wait);
} EngineHost;

// Opens an agent: agent_open_with, or a fake in tests.
typedef Status EngineOpen(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error);

typedef struct {
    EngineHost host;
    EngineOpen *open;
    AgentHost agent_host;   // what agents are lent
    Text agent_text;        // who answers; empty: the strongest that plays the rules
    Budget budget;          // limits of the command line, for what the manager does not limit
    uint64_t seed;          // of all games
    uint64_t games;         // started with this seed
    Rng rng;                // of this game
    Agent agent;            // open for the rules of `agent.config.rules` when its kind is not NULL
    Decision decision;      // of the last search
    double seconds;         // the last search took
    double began, reported; // moments: of the search under way, and of the last line about it
    double overhead;        // seconds kept back from every limit
    bool ponders;           // thinks in the other side's time, if the agent does
    uint64_t threads;       // of the agent, where it has such an option; 0: as the agent has it
    uint64_t megabytes;     // of its memory, likewise
} Engine;

void engine_init(Engine *engine, EngineOpen *open);
void engine_close(Engine *engine);

// Says a line. Bytes that are no printable ASCII, which may come from the manager's own words, become '?'.
void engine_say(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Who answers from now on; "" or "best" is the strongest. Fails when memory does.
void engine_set_agent(Engine *engine, Span text);
const char *engine_agent_name(const Engine *engine); // for people: "best" where none was chosen

// Threads and memory of an agent that has options `threads` and `memory`, unless its own text says something of them;
// 0 is as the agent has it. What is more than an option takes is the most it takes.
void engine_set_threads(Engine *engine, uint64_t threads);
void engine_set_memory(Engine *engine, uint64_t megabytes);

// A new game: its own random numbers and, when it is first asked, a fresh agent.
void engine_new_game(Engine *engine);
void engine_set_seed(Engine *engine, uint64_t seed);

// Opens the agent for these rules unless it is open already.
Status engine_prepare(Engine *engine, const Rules *rules, Error *error);

// --- Time ---

// What limits a turn, in seconds; INFINITY is no limit.
typedef struct {
    double turn;      // for this turn
    double left;      // on the clock of the game; may be negative
    double increment; // the clock gains with each turn
    double overhead;
} EngineTime;

// The seconds after which a turn is wanted at once, at least ENGINE_SECONDS_AT_ONCE, INFINITY for no limit. The
// overhead is taken off every limit, or half of the limit if that is less; the rest is the rule of agents/budget.h,
// which an agent asks again: it keeps its own margin, and usually takes less of a clock.
double engine_allot(const EngineTime *time, const Board *board);

// --- Thinking ---

typedef struct {
    Budget budget;
    bool endless; // only a stop ends it, and the answer is held back until then; the budget does not count
    bool reports; // the result so far is sent as lines "info …" on the way
} EngineSearch;

// Asks the agent about a game that is not over; the answer is in engine->decision and is a legal turn. The error says
// why there is none.
Status engine_think(Engine *engine, const Game *game, const EngineSearch *search, Error *error);

// When the answer to engine_think has been reported: thinks about the game as it is after it, until a line comes. Does
// nothing unless the engine ponders.
void engine_ponder(Engine *engine, const Game *game);

// Waits for a stop, where there is nothing to think about.
void engine_wait(Engine *engine);

// What the last search found, as words for a line: "depth 3 score cp 12 nodes 400 time 5 pv h8 i9".
void engine_describe(const Engine *engine, Text *text);

// --- Protocols ---

// How a line is treated before its turn comes.
typedef enum {
    LINE_PLAIN,
    LINE_STOP,  // ends every search asked for by lines before it; nothing else
    LINE_QUIT,  // the same, and no line after it counts
    LINE_READY, // answered at once also while thinking
} LineKind;

typedef struct {
    const char *name;
    const char *ready;           // the answer to LINE_READY
    LineKind (*kind)(Span line); // called by another thread than `handle`, so it looks at nothing but the line
    size_t state_size;           // zeroed memory that the caller provides
    void (*handle)(void *state, Engine *engine, Span line); // the line has no end and is not empty
} EngineProtocol;

extern const EngineProtocol engine_gomocup, engine_ugi;

// The protocol that a manager with this first line speaks: UGI for "ugi", else Gomocup.
const EngineProtocol *engine_protocol_of(Span first_line);
