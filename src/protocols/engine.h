// krow as an engine under another match manager: shared by the protocols. A protocol receives one line after another
// and answers through an EngineHost. It uses no threads, so tests can feed it lines and read the answers.
#pragma once

#include "agents/agent.h"
#include "engine/search/search.h"

enum {
    ENGINE_LINE_MAX = 1 << 16, // longer lines are refused; a game of 4096 stones takes a third
};

// Seconds of a turn by default, and of an immediate answer.
#define ENGINE_SECONDS_DEFAULT 5.0
#define ENGINE_SECONDS_AT_ONCE 0.01
// Seconds of a search that only a stop ends. An agent without any limit may stop early.
#define ENGINE_SECONDS_ENDLESS 1e6
// Minimum seconds between two lines of search info.
#define ENGINE_SECONDS_BETWEEN 0.1
// Most best turns of a search.
#define ENGINE_LINES_MAX SEARCH_LINES_MAX
// Default seconds reserved for sending an answer to the manager.
#define ENGINE_OVERHEAD_DEFAULT 0.03

typedef struct {
    void *context;
    // Sends a line, given without a line end.
    void (*say)(void *context, Span line);
    // A search begins: returns its stop flag, raised by a stop line or after `seconds` (0: never). `endless`: the
    // search has no other limit.
    const atomic_bool *(*begin)(void *context, double seconds, bool endless);
    // The same for pondering: any line raises the flag.
    const atomic_bool *(*idle)(void *context);
    // The search has ended; with `wait` returns only after the flag was raised.
    void (*end)(void *context, bool wait);
} EngineHost;

// Opens an agent: agent_open_with, or a fake in tests.
typedef Status EngineOpen(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error);

typedef struct Engine Engine;

// A search. `report` receives search info: at most ten times per second what was found so far, and at the end the turn
// or, if several best turns are wanted, all of them in order.
typedef struct {
    Budget budget;
    bool endless;   // only a stop ends it and releases the answer; the budget is ignored
    unsigned lines; // best turns to find; 0 is 1
    void (*report)(void *context, Engine *engine, const Decision *found, bool is_final); // NULL: not wanted
    void *context;
} EngineSearch;

struct Engine {
    EngineHost host;
    EngineOpen *open;
    AgentHost agent_host;       // services for agents
    Text agent_text;            // the agent; empty: the strongest that supports the rules
    Budget budget;              // limits of the command line, used without limits of the manager
    uint64_t seed;              // of all games
    uint64_t games;             // started with this seed
    Rng rng;                    // of this game
    Agent agent;                // open for the rules of `agent.config.rules` when its kind is not NULL
    Decision decision;          // of the last search
    double seconds;             // the last search took
    const EngineSearch *search; // the current one; NULL: none
    double began, reported;     // begin of the current search, and its last search info
    bool says;                  // the report under way is passed on
    unsigned found;             // best turns in `best`
    Decision *best;             // the last report of a search for several; NULL: there was no such search
    double overhead;            // seconds subtracted from every limit
    bool ponders;               // ponders, if the agent supports it
    bool suggests;              // suggests its turns to the manager, which then plays them (Gomocup)
    uint64_t threads;           // for an agent with this option; 0: its default
    uint64_t megabytes;         // of its memory; likewise
};

void engine_init(Engine *engine, EngineOpen *open);
void engine_close(Engine *engine);

// Sends a line. Bytes that are not printable ASCII, such as quoted input, become '?'.
void engine_say(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Chooses the agent; "" or "best" is the strongest.
void engine_set_agent(Engine *engine, Span text);
const char *engine_agent_name(const Engine *engine); // for display: "best" if none was chosen

// Threads and memory of an agent with the options `threads` and `memory`, unless its own text sets them; 0 is the
// agent's default. Larger values are reduced to the maximum.
void engine_set_threads(Engine *engine, uint64_t threads);
void engine_set_memory(Engine *engine, uint64_t megabytes);

// A new game with its own random numbers and, at its first search, a new agent.
void engine_new_game(Engine *engine);
// Discards what the agent has learned in the game, such as a transposition table.
void engine_clear_tables(Engine *engine);
void engine_set_seed(Engine *engine, uint64_t seed);

// Opens the agent for these rules unless it is open already.
Status engine_prepare(Engine *engine, const Rules *rules, Error *error);

// --- Time ---

// The limits of a turn in seconds; INFINITY is no limit.
typedef struct {
    double turn;      // for this turn
    double left;      // on the clock of the game; may be negative
    double increment; // the clock gains with each turn
    double overhead;
} EngineTime;

// The seconds after which a turn is due, at least ENGINE_SECONDS_AT_ONCE, INFINITY for no limit. The overhead, or half
// of the limit if that is less, is subtracted from every limit; the rest follows agents/budget.h. An agent applies that
// rule too, keeps its own margin and usually takes less of a clock.
double engine_allot(const EngineTime *time, const Board *board);

// --- Thinking ---

// Lets the agent decide a game that is not over; engine->decision receives a legal turn.
Status engine_think(Engine *engine, const Game *game, const EngineSearch *search, Error *error);

// After the answer to engine_think was reported: searches the resulting game until a line arrives. Does nothing unless
// the engine ponders.
void engine_ponder(Engine *engine, const Game *game);

// Waits for a stop without a search.
void engine_wait(Engine *engine);

// A result of the current or last search: "depth 3 seldepth 5 score cp 12 nodes 400 nps 80000 time 5 pv h8 i9".
void engine_describe(const Engine *engine, const Decision *found, Text *text);

// The score in hundredths of the agent's unit, as a finite number.
long long engine_centi(const Decision *found);

unsigned long long engine_per_second(uint64_t nodes, double seconds);

// Seconds since the begin of the current search, or those that the last one took.
double engine_elapsed(const Engine *engine);

// --- Protocols ---

// How a line is treated when it arrives.
typedef enum {
    LINE_PLAIN,
    LINE_STOP,  // ends every search requested by lines before it; nothing else
    LINE_QUIT,  // the same, and ignores all lines after it
    LINE_READY, // answered at once, also during a search
} LineKind;

typedef struct {
    const char *name;
    const char *ready;           // the answer to LINE_READY
    LineKind (*kind)(Span line); // called by another thread than `handle`, so it may use only the line
    size_t state_size;           // zeroed memory that the caller provides
    void (*handle)(void *state, Engine *engine, Span line); // the line has no line end and is not empty
} EngineProtocol;

extern const EngineProtocol engine_gomocup, engine_ugi;

// The protocol that a manager with this first line speaks: UGI for "ugi", else Gomocup.
const EngineProtocol *engine_protocol_of(Span first_line);
