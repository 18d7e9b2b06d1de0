// Agents are players. A kind of agent is one const struct in one file (agent_random.c is the template) and one line in
// agents.def. An Agent is a kind that was opened for the rules of a game, with its options.
#pragma once

#include "agents/book/book.h"
#include "agents/budget.h"
#include "agents/options.h"
#include "agents/search/minimax.h"
#include "agents/search/rated.h"
#include "agents/settings.h"
#include "base/rng.h"
#include "game/game.h"
#include "threats/pattern.h"

#include <stdatomic.h>

typedef struct Decision Decision;

// The task of an agent for one turn, besides the game.
typedef struct {
    Budget budget;
    Rng *rng;                // the same seed and node budget give the same turn
    const atomic_bool *stop; // poll it; when raised, answer with the best turn found so far
    // Receives interim results from agents that deepen iteratively; NULL: not wanted. An agent that finds several best
    // turns reports them one after another, by `rank`; the last ones are final.
    void (*progress)(void *context, const Decision *so_far);
    void *progress_context;
    unsigned lines; // best turns that `progress` wants; 0 is 1
} AgentTask;

typedef enum { PROVEN_NOTHING, PROVEN_WIN, PROVEN_LOSS, PROVEN_DRAW } Proven;

// The name used in output, protocols and files: "win", "loss", "draw", or NULL if nothing is proven.
static inline const char *proven_name(Proven proven)
{
    static const char *const names[] = {NULL, "win", "loss", "draw"};
    return names[proven];
}

// The value from the other side's point of view.
static inline Proven proven_reversed(Proven proven)
{
    return proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : proven;
}

enum { DECISION_LINE_MAX = 64, DECISION_COUNTS_MAX = 4, FAULT_TEXT_SIZE = 200 };

// A count that an agent reports per turn, such as repeated searches. Counts are summed over a game, so the name must
// describe the sum.
typedef struct {
    const char *name; // one lower-case word in static storage
    uint64_t value;
} DecisionCount;

// Why an agent did not deliver a turn. A fault loses the game; it is not an error of krow. Only programs started for
// `exec:` report faults themselves; the referee detects the others.
typedef enum {
    FAULT_NONE,
    FAULT_ILLEGAL, // an illegal turn, or an answer that violates the protocol
    FAULT_TIMEOUT, // no answer in time
    FAULT_CRASH,   // the program ended, was killed, exceeded its limits or flooded its output
} Fault;

// A whole turn, and what the agent reports about it.
struct Decision {
    unsigned count;               // stones of the turn
    Cell stones[RULES_CELLS_MAX]; // in order; the turn may end early with a win
    double score;                 // for the side to move, in the agent's own unit
    bool unscored;                // the agent does not know a score
    unsigned depth;               // search depth in stones
    unsigned deepest;             // greatest depth met, in stones; 0: unknown
    unsigned rank;                // of this turn among several best ones, from 1; 0: it is the only one
    uint64_t nodes;               // positions it examined
    unsigned line_count;          // stones of the principal variation, which begins with the turn
    Cell line[DECISION_LINE_MAX];
    unsigned counts; // the same names in the same order for every turn, even if a count is 0
    DecisionCount count_list[DECISION_COUNTS_MAX];
    Proven proven; // for the side to move
    int distance;  // stones to the proven end (for some agents an upper bound); -1: unknown
    double rested; // seconds for which krow itself delayed the turn; not charged to the clock
    Fault fault;   // if set, there are no stones and fault_text has the reason
    char fault_text[FAULT_TEXT_SIZE];
};

// Access to opening books. Shared by many agents in many threads.
typedef struct {
    void *context;
    // Finds the book of this name, or with "" the newest for these rules; `found` tells whether it exists.
    Status (*find)(void *context, const char *name, const Rules *rules, BookSpec *spec, bool *found, Error *error);
    // Passes the entries of a position to the sink.
    Status (*look_up)(void *context, const BookKey *key, const BookSink *sink, Error *error);
} AgentBooks;

// Patterns of a set whose numbers are above `after`.
typedef struct {
    const char *set;
    const Rules *rules;
    int64_t after;
} AgentPatternRange;

typedef struct {
    const char *set;
    const Rules *rules;
    const Pattern *pattern;
} AgentLearned;

typedef bool AgentPatternSink(void *context, int64_t number, const Pattern *pattern);

// Access to named sets of learned patterns, each for one set of rules. Shared by many agents in many threads and by
// other processes.
typedef struct {
    void *context;
    // Passes every pattern of a range to the sink in ascending order of numbers; a set that does not exist is empty.
    // The pattern is valid during the call. The sink returns false to end the walk.
    Status (*each)(void *context, const AgentPatternRange *range, AgentPatternSink *sink, void *sink_context,
                   Error *error);
    // Stores a pattern permanently, unless a symmetric image of a pattern in the set is equal to it or part of it.
    // `*kept` tells whether it was stored.
    Status (*learn)(void *context, const AgentLearned *learned, bool *kept, Error *error);
} AgentPatterns;

// Receives what krow and external engines say to each other. Shared by many engines in many threads.
typedef struct {
    void *context;
    // A line without its end: '>' to the engine, '<' from the engine, '!' about it, such as a fault. `process` is the
    // number of its process.
    void (*line)(void *context, const char *player, int process, char direction, Span text);
} AgentLog;

// Services that agents may use, borrowed while they are open. All zero is valid.
typedef struct {
    bool no_sandbox;               // start programs of `exec:` without a sandbox
    const AgentBooks *books;       // NULL: no books
    const AgentPatterns *patterns; // NULL: none; learned patterns are lost when the agent is closed
    const AgentLog *log;           // of external engines; NULL: none
    // Receives a message for the user, in any thread; NULL: none.
    void (*warn)(void *context, const char *text);
    void *warn_context;
} AgentHost;

// The configuration of an agent.
typedef struct {
    Rules rules;
    OptionValues options;
    const char *command; // for kinds that take a command: the text after the name without settings
    AgentSettings settings;
    AgentHost host;
} AgentConfig;

// An agent has `rate` or `decide`, or both. With `rate`, krow builds a turn by taking the best-rated cell for each
// stone; ties are broken at random. An agent that plans whole turns has `decide`. With both, `decide` plays without a
// search, for instance within a budget, and `rate` serves the search.
//
// A kind with `rate` also has the options of the search that can use it (Levin et al. §4) without declaring them:
// adjacent:depth=4,width=8. agents/search/minimax.h describes the search. The search plays stones, asks, and takes them
// back, so `rate` is called with positions in any order. A state that follows the board must detect by itself what has
// changed since the last call, and must rate the same position the same way (the same game, for an agent that uses the
// order of the stones). Ratings that need random numbers take them from the position and from `seed`, which a search
// sets at the beginning of a turn.
typedef struct {
    const char *name;
    const char *summary;
    const char *source;                // the paper and section it comes from, or "krow"
    const AgentOption *options;        // NULL: none
    const char *games;                 // the supported rules in words; NULL: every game
    bool (*plays)(const Rules *rules); // whether it supports the rules; NULL: every game
    bool takes_command;                // "name:COMMAND" instead of options
    size_t state_size;                 // size of the zeroed memory that krow provides
    Status (*open)(void *state, const AgentConfig *config, Error *error); // NULL: nothing to do
    void (*rate)(void *state, const Game *game, Ratings *ratings);
    void (*seed)(void *state, uint64_t seed); // of random ratings; NULL: ratings are not random
    void (*decide)(void *state, const Game *game, const AgentTask *task, Decision *decision);
    // Searches during the other side's turn until the flag is raised, so that the next turn benefits. NULL: not
    // supported.
    void (*ponder)(void *state, const Game *game, const atomic_bool *stop);
    void (*new_game)(void *state); // NULL: nothing to do
    void (*close)(void *state);    // NULL: nothing to release
} AgentKind;

typedef struct {
    const AgentKind *kind;
    AgentConfig config;
    void *state;
    Text command;     // config.command points to it
    Ratings *ratings; // working memory of kinds that rate
    Minimax *search;  // NULL: none
} Agent;

// Reads the text after the name and its colon: options and settings, or the command of a kind that takes one.
Status agent_read_arguments(const AgentKind *kind, Span text, AgentConfig *config, Text *command, Error *error);

// The name of a player for tables and files: its setting `name`, else the whole text. The caller frees it.
char *agent_player_name(const char *text);

// All kinds, in the order of agents.def.
#ifndef KROW_AGENTS
#define KROW_AGENTS "agents/agents.def"
#endif
#define AGENT(name, folder) extern const AgentKind agent_##name;
#include KROW_AGENTS
#undef AGENT
extern const AgentKind *const agent_kinds[];
extern const int agent_kind_count;

const AgentKind *agent_find(Span name);

// The options of the search: depth, width, deepening, table.
extern const AgentOption searching_options[];

// The options of a kind, and those of the search for a kind that rates cells.
OptionList agent_options(const AgentKind *kind);

// Whether a kind can be opened by its bare name for these rules: it supports them and takes no command.
bool agent_plays_alone(const AgentKind *kind, const Rules *rules);

// The default agent: the strongest one that supports these rules.
const AgentKind *agent_best(const Rules *rules);

// Opens "name" or "name:key=value,…" for games of these rules. The error names the wrong word.
Status agent_open(Agent *agent, Span text, const Rules *rules, Error *error);

// The same with a host.
Status agent_open_with(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error);

// Opens an agent that is named by an option of another agent. In the text, + stands for a comma, which would end the
// option: book:fallback=threats:depth=4+width=8.
Status agent_open_inner(Agent *agent, const char *text, const AgentConfig *outer, Error *error);

// Rates the cells of a position with an agent that rates; the result is in agent->ratings.
void agent_rate(Agent *agent, const Game *game);

// Announces a new game. Optional, but work done here does not use the time of the game.
void agent_new_game(Agent *agent);

// Lets an agent search during the other side's turn; returns at once if it does not support this. The game must not be
// over.
void agent_ponder(Agent *agent, const Game *game, const atomic_bool *stop);

// Decides a turn of a game that is not over.
void agent_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision);

// Copies another decision's score, depth, proven value and principal variation, but not its stones.
void decision_take_report(Decision *decision, const Decision *from);

// Safe on a zeroed agent.
void agent_close(Agent *agent);
