// The thinker: the search of the agent `engine`, for every game of the family. Principal variation search with
// iterative deepening on a Field (analysis/field.h), in as many threads as one likes, with a transposition table in
// common.
//
// Three searches share everything but their way through the tree: search/thinker_single.c where a turn is one stone
// that may go anywhere, with fours and threes for what is forced; search/thinker_turns.c for several stones a turn,
// where turns are sets of stones; search/thinker_drop.c for gravity, stone by stone.
//
// A score is for the side to move, in the unit of analysis/weights.h. Above THINKER_PROVEN it is a win that is certain:
// every reply has been looked at, or is known to change nothing. How many stones it takes then follows from the score.
#pragma once

#include "analysis/field.h"

#include <stdatomic.h>

enum {
    THINKER_WIN = 32000,                                    // won, with no stone left to place
    THINKER_PROVEN = THINKER_WIN - 2 * RULES_CELLS_MAX - 2, // at least: a win that is certain
    THINKER_VALUE_MAX = THINKER_PROVEN - 1,                 // all that is not proven stays within this
    THINKER_TURN_MAX = 8,                                   // stones a turn at most
    THINKER_LINES_MAX = 16,
    THINKER_PV_MAX = 64,
    THINKER_DEPTH_MAX = 100,
    THINKER_THREADS_MAX = 64,
    THINKER_MEGABYTES = 64, // of the table, where nobody says otherwise
};

typedef struct {
    unsigned threads;       // 0 is 1
    size_t megabytes;       // of the table; 0 is THINKER_MEGABYTES
    const Weights *weights; // borrowed during open; NULL: those of the family
} ThinkerOptions;

// A turn: stones without order; as many as are left in the turn, or fewer if one completes a row or the board is full.
typedef struct {
    Cell stones[THINKER_TURN_MAX];
    unsigned count;
} ThinkerTurn;

typedef struct {
    ThinkerTurn turn;
    int score;
    unsigned depth;    // turns looked ahead that the score stands on
    unsigned pv_count; // stones of the expected play, the turn first
    Cell pv[THINKER_PV_MAX];
} ThinkerLine;

// What is known so far.
typedef struct {
    unsigned line_count;
    ThinkerLine lines[THINKER_LINES_MAX]; // the best first
    unsigned depth, deepest;              // turns, finished and met
    uint64_t nodes;                       // of all threads
    bool is_final;                        // nothing more can be found out
} ThinkerReport;

// What a search may cost; 0 and NULL are no limit. `soft` is when no other depth is begun: a search that has just
// changed its mind goes on for longer, one that has long been of the same mind ends sooner. `hard` is kept whatever
// happens.
typedef struct {
    double soft, hard; // clock_seconds
    uint64_t nodes;    // of all threads together
    unsigned depth;    // turns
    unsigned lines;    // the best so many turns; 0 is 1
    const atomic_bool *stop;
    void (*progress)(void *context, const ThinkerReport *report); // by the thread that asked, after each depth and line
    void *context;
} ThinkerLimits;

typedef struct Thinker Thinker;

// Whether games of these rules can be thought about: up to THINKER_TURN_MAX stones a turn.
bool thinker_suits(const Rules *rules);

// Takes all memory, for games of these rules, which must suit.
Status thinker_open(Thinker **thinker, const ThinkerOptions *options, const Rules *rules, Error *error);
void thinker_close(Thinker *thinker); // NULL is fine

// Forgets what was learned in another game.
void thinker_new_game(Thinker *thinker);

// Thinks about a game that is not over. There is always at least one line. With one thread and no limit of time the
// result depends on nothing but the game, the limits and what was asked since thinker_new_game.
void thinker_run(Thinker *thinker, const Board *board, const ThinkerLimits *limits, ThinkerReport *report);

// The weights and tables in use.
const FieldTables *thinker_tables(const Thinker *thinker);

// Stones until the end that a score proves; -1 if it proves none.
int thinker_distance(int score);
