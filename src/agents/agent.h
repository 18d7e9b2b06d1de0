// Players. A kind of agent is one const struct and one file (agent_random.c is the template) and one line in
// agents.def; an Agent is a kind that has been opened for one game's rules with its options.
#pragma once

#include "agents/book/book.h"
#include "agents/budget.h"
#include "agents/options.h"
#include "agents/search/minimax.h"
#include "agents/search/rated.h"
#include "base/rng.h"
#include "game/game.h"
#include "threats/pattern.h"

#include <stdatomic.h>

typedef struct Decision Decision;

// What an agent is given for one turn, besides the game.
typedef struct {
    Budget budget;
    Rng *rng;                // its own chance; the same seed and node budget give the same turn
    const atomic_bool *stop; // raised when the turn is wanted at once: poll it, answer with the best so far
    // Receives the result so far from agents that deepen iteratively; NULL: not wanted.
    void (*progress)(void *context, const Decision *so_far);
    void *progress_context;
} AgentTask;

typedef enum { PROVEN_NOTHING, PROVEN_WIN, PROVEN_LOSS, PROVEN_DRAW } Proven;

// "win", "loss", "draw", or NULL where nothing is proven: as output, protocols and files have it.
static inline const char *proven_name(Proven proven)
{
    static const char *const names[] = {NULL, "win", "loss", "draw"};
    return names[proven];
}

// The value as the other side sees it.
static inline Proven proven_reversed(Proven proven)
{
    return proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : proven;
}

enum { DECISION_LINE_MAX = 64, DECISION_COUNTS_MAX = 4, FAULT_TEXT_SIZE = 200 };

// Something an agent counts about its turns that has no other place, as turns it had to look for again. Over a game
// they are added up, so the name says what a sum of them is.
typedef struct {
    const char *name; // one lower-case word, of static storage
    uint64_t value;
} DecisionCount;

// Why an agent could not give a turn: an event of the game, which it loses, not of the program. Agents inside krow do
// not have faults of their own; programs started for `exec:` do, and the referee finds the rest.
typedef enum {
    FAULT_NONE,
    FAULT_ILLEGAL, // an answer that is no legal turn, or no answer of the protocol at all
    FAULT_TIMEOUT, // no answer in time
    FAULT_CRASH,   // the program ended, was killed, broke its limits or flooded its output
} Fault;

// A whole turn, and what the agent knows about it.
struct Decision {
    unsigned count;               // stones of the turn
    Cell stones[RULES_CELLS_MAX]; // in order; the turn may end early with a win
    double score;                 // seen from the side to move, in the agent's own unit
    unsigned depth;               // stones it looked ahead
    uint64_t nodes;               // positions it examined
    unsigned line_count;          // the play it expects, its own stones first
    Cell line[DECISION_LINE_MAX];
    unsigned counts; // numbers of the agent's own: the same names in the same order for every turn, also where one is 0
    DecisionCount count_list[DECISION_COUNTS_MAX];
    Proven proven; // for the side to move
    int distance;  // stones to the proven end, or at most that many where an agent says so; or -1
    double rested; // seconds of the turn that krow itself held it back: they are not on its clock
    Fault fault;   // then there are no stones, and the text says what happened
    char fault_text[FAULT_TEXT_SIZE];
};

// Opening books, wherever they are kept. Used by many agents in many threads at once.
typedef struct {
    void *context;
    // The book of this name, or with "" the newest for these rules; `found` says whether there is one.
    Status (*find)(void *context, const char *name, const Rules *rules, BookSpec *spec, bool *found, Error *error);
    // Passes to the sink what the book says of a position.
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

// Learned patterns, wherever they are kept: named sets of them, for rules each. Used by many agents in many threads at
// once, and by other programs at the same time.
typedef struct {
    void *context;
    // Passes every pattern of a range to the sink, numbers rising; a set that does not exist has none. What the sink
    // gets is valid during the call; false ends the walk.
    Status (*each)(void *context, const AgentPatternRange *range, AgentPatternSink *sink, void *sink_context,
                   Error *error);
    // Keeps a pattern for good, unless the set has one that is equal to it or a part of it, as it is or turned. `*kept`
    // says which.
    Status (*learn)(void *context, const AgentLearned *learned, bool *kept, Error *error);
} AgentPatterns;

// What the world around lends to agents when they are opened. All zero is a good choice.
typedef struct {
    bool no_sandbox;               // start programs of `exec:` without a sandbox
    const AgentBooks *books;       // borrowed as long as the agent is open; NULL: there are none
    const AgentPatterns *patterns; // likewise; NULL: there are none, and what is learned is lost with the agent
} AgentHost;

// What an agent gets when it is opened.
typedef struct {
    Rules rules;
    OptionValues options;
    const char *command; // of kinds that take one: the text after the name, borrowed during `open`
    AgentHost host;
} AgentConfig;

// Stones of a full turn are built from `rate` by taking the best cell, again for each stone; ties are random.
// An agent that thinks about whole turns has `decide` instead. A kind has one of the two, or both: then `decide` plays
// without a search, for instance within a budget, and `rate` serves the search.
//
// Every kind with `rate` also has the options of the search that can be put under it (Levin et al. §4), without
// declaring them: adjacent:depth=4,width=8. agents/search/minimax.h says how it searches. `rate` is then asked about
// any position in any order: a search plays stones, asks, takes them back and asks again. A state that follows the
// board must find out by itself what has changed since it was last asked, and the same position must be rated the same;
// so must the same game by an agent that looks at the order of the stones. Ratings that need random numbers take them
// from `seed`, which a search sets at the beginning of a turn, and from the position.
typedef struct {
    const char *name;
    const char *summary;
    const char *source;                // the paper and section it comes from, or "krow"
    const AgentOption *options;        // NULL: none
    const char *games;                 // which rules it plays, in words; NULL: every game
    bool (*plays)(const Rules *rules); // the same as a check; NULL: every game
    bool takes_command;                // "name:COMMAND" instead of options
    size_t state_size;                 // zeroed memory that krow provides
    Status (*open)(void *state, const AgentConfig *config, Error *error); // NULL: nothing to do
    void (*rate)(void *state, const Game *game, Ratings *ratings);
    void (*seed)(void *state, uint64_t seed); // of random ratings; NULL: ratings are not random
    void (*decide)(void *state, const Game *game, const AgentTask *task, Decision *decision);
    // Thinks in the time of the other side, about a game in which that side is to move, until the flag is raised; what
    // is found makes the next turn better. NULL: it does not.
    void (*ponder)(void *state, const Game *game, const atomic_bool *stop);
    void (*new_game)(void *state); // NULL: nothing to do
    void (*close)(void *state);    // NULL: nothing to release
} AgentKind;

typedef struct {
    const AgentKind *kind;
    AgentConfig config;
    void *state;
    char *command;    // owned; what config.command points to
    Ratings *ratings; // work space of kinds that rate
    Minimax *search;  // NULL: none
} Agent;

// All kinds, in the order of agents.def.
#define AGENT(name, folder) extern const AgentKind agent_##name;
#include "agents/agents.def"
#undef AGENT
extern const AgentKind *const agent_kinds[];
extern const int agent_kind_count;

const AgentKind *agent_find(Span name); // NULL: there is none

// The options of the search: depth, width, deepening, table.
extern const AgentOption searching_options[];

// Its own options, and those of the search for a kind that rates cells.
OptionList agent_options(const AgentKind *kind);

// Whether a kind opens by its bare name for games of these rules: it plays them, and takes no command.
bool agent_plays_alone(const AgentKind *kind, const Rules *rules);

// The one that plays by default: the strongest that plays these rules.
const AgentKind *agent_best(const Rules *rules);

// Opens "name" or "name:key=value,…" for games of these rules. The error says which word is wrong.
Status agent_open(Agent *agent, Span text, const Rules *rules, Error *error);

// The same with a host; agent_open has none.
Status agent_open_with(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error);

// Opens an agent that an option of another one names. A + in the text stands for a comma, which would end the option:
// book:fallback=threats:depth=4+width=8.
Status agent_open_inner(Agent *agent, const char *text, const AgentConfig *outer, Error *error);

// Asks an agent that rates cells about a position; the answer is in agent->ratings.
void agent_rate(Agent *agent, const Game *game);

// Says that another game begins. Need not be called, but what an agent does then takes none of the game's time.
void agent_new_game(Agent *agent);

// Lets an agent think in the other side's time; returns at once if it does not. The game is not over.
void agent_ponder(Agent *agent, const Game *game, const atomic_bool *stop);

// Decides a turn of a game that is not over.
void agent_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision);

// Takes over what another agent knows of a turn: score, depth, proven value and expected play, but not the stones.
void decision_take_report(Decision *decision, const Decision *from);

// Safe on a zeroed agent.
void agent_close(Agent *agent);
