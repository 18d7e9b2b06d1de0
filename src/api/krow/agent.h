// Agents: players that decide a turn. The default agent is the strongest one that supports the rules.
#ifndef KROW_AGENT_H
#define KROW_AGENT_H

#include <krow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

// A player that was opened for certain rules. It keeps what it has learned about a game, such as its transposition
// table, until it is closed.
typedef struct KrowAgent KrowAgent;

// The limits of one decision; 0 is no limit. An agent observes those that apply to its algorithm. Nodes and depth give
// reproducible play; seconds do not.
typedef struct {
    double seconds; // wall-clock time
    uint64_t nodes; // positions
    unsigned depth; // stones
} KrowLimits;

typedef enum { KROW_PROVEN_NOTHING, KROW_PROVEN_WIN, KROW_PROVEN_LOSS, KROW_PROVEN_DRAW } KrowProven;

enum { KROW_LINE_MAX = 64 };

// A decided turn and what the agent knows about it, seen from the side to move. The struct takes about 8 kB.
typedef struct {
    unsigned count;                  // stones of the turn; fewer than the rules allow if they win
    KrowCell stones[KROW_CELLS_MAX]; // in order
    double score;                    // in the unit of the agent
    unsigned depth;                  // stones
    uint64_t nodes;                  // positions
    unsigned line_count;             // length of the principal variation
    KrowCell line[KROW_LINE_MAX];    // the principal variation, own stones first
    KrowProven proven;
    int distance; // stones until the proven end of the game, or -1 if unknown
} KrowDecision;

// Names and one-line descriptions of all agents, in static storage; false if there are not that many.
KROW_API size_t krow_agent_count(void);
KROW_API bool krow_agent_at(size_t index, const char **name, const char **summary);

// The name of the default agent for these rules, in static storage; NULL if the rules are wrong.
KROW_API const char *krow_agent_default(const KrowRules *rules, KrowError *error);

// Opens an agent by its name and options, "engine" or "engine:memory=64,threads=2"; NULL opens the default agent.
// `krow agents` and docs/agents.md describe the options. Returns NULL on an error. Close it with krow_agent_close.
KROW_API KrowAgent *krow_agent_open(const char *text, const KrowRules *rules, KrowError *error);
KROW_API void krow_agent_close(KrowAgent *agent); // NULL is allowed

// Sets the seed of the agent's random numbers; 1 after opening. The same seed, limits of nodes and sequence of calls
// give the same decisions.
KROW_API void krow_agent_seed(KrowAgent *agent, uint64_t seed);

// Announces a new game. Optional.
KROW_API void krow_agent_new_game(KrowAgent *agent);

// Decides a turn for the side to move; the game stays as it is. `limits` may be NULL. Fails with KROW_BAD_INPUT if the
// game is over or has other rules than the agent, and with KROW_FAILED if an external engine gives no legal turn.
KROW_API KrowStatus krow_agent_decide(KrowAgent *agent, const KrowGame *game, const KrowLimits *limits,
                                      KrowDecision *decision, KrowError *error);

// Raises or lowers the stop flag, from any thread. While it is raised, a decision returns as soon as possible with the
// best turn found so far. The flag stays raised until it is lowered.
KROW_API void krow_agent_stop(KrowAgent *agent, bool stop);

// Plays the stones of a decision.
KROW_API KrowStatus krow_game_play_turn(KrowGame *game, const KrowDecision *decision, KrowError *error);

// --- Several turns ---

// The search of the agent "engine". It keeps its transposition table until it is closed.
typedef struct KrowSearch KrowSearch;

typedef struct {
    unsigned threads; // 0 is 1
    size_t megabytes; // of the transposition table; 0 is the default, 64 MB
} KrowSearchOptions;

enum { KROW_LINES_MAX = 16, KROW_LINE_TURN_MAX = 8 };

// One of the best turns, seen from the side to move.
typedef struct {
    unsigned count;                      // stones of the turn
    KrowCell stones[KROW_LINE_TURN_MAX]; // without order
    double score;                        // of the search; above 0: the side to move is better
    double chance;                       // of winning, 0 to 1, by the score; a draw counts half
    unsigned depth;                      // turns
    unsigned line_count;
    KrowCell line[KROW_LINE_MAX]; // the principal variation, own stones first
    KrowProven proven;
    int distance; // stones until the proven end of the game, or -1 if unknown
} KrowLine;

// Opens a search; `options` may be NULL. NULL on an error, also for rules with more than KROW_LINE_TURN_MAX stones per
// turn. Close it with krow_search_close.
KROW_API KrowSearch *krow_search_open(const KrowRules *rules, const KrowSearchOptions *options, KrowError *error);
KROW_API void krow_search_close(KrowSearch *search); // NULL is allowed

// Finds the best turns, at most `capacity` and KROW_LINES_MAX, the best first. The depth of the limits counts turns.
// Without limits, or with NULL, the search ends after 20 000 nodes.
KROW_API KrowStatus krow_search_lines(KrowSearch *search, const KrowGame *game, const KrowLimits *limits,
                                      KrowLine *lines, size_t capacity, size_t *count, KrowError *error);

// Raises or lowers the stop flag, as krow_agent_stop does.
KROW_API void krow_search_stop(KrowSearch *search, bool stop);

#ifdef __cplusplus
}
#endif

#endif
