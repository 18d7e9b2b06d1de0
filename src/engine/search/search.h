// The search of the agent `engine`, for every game of the family: principal variation search with iterative deepening,
// aspiration windows and lazy SMP threads that share a transposition table. It searches on a PatternBoard
// (engine/eval/pattern_board.h) and asks an Evaluator (engine/eval/evaluator.h) for values.
//
// There are three search variants: engine/search/single/single.c for p = q = 1 without gravity, with fours and threes
// as forcing moves; engine/search/turns/turns.c for all other rules without gravity, where moves are sets of stones;
// engine/search/gravity/gravity.c for gravity games, stone by stone.
//
// A score is for the side to move, in the unit of engine/eval/weights.h. From SEARCH_PROVEN on it is a proven win:
// every reply was searched or is known to change nothing. The score gives the number of stones to the end.
#pragma once

#include "base/limits.h"
#include "engine/eval/evaluator.h"

enum {
    SEARCH_WIN = 32000,                                   // won, with no stone left to place
    SEARCH_PROVEN = SEARCH_WIN - 2 * RULES_CELLS_MAX - 2, // the lowest score of a proven win
    SEARCH_VALUE_MAX = SEARCH_PROVEN - 1,                 // the highest score that is not proven
    SEARCH_TURN_MAX = 8,                                  // most stones per turn
    SEARCH_LINES_MAX = 16,
    SEARCH_PV_MAX = 64,
    SEARCH_DEPTH_MAX = 100,
    SEARCH_THREADS_MAX = 64,
    SEARCH_MEGABYTES = 64, // default size of the transposition table
};

typedef struct {
    unsigned threads;               // 0 means 1
    size_t megabytes;               // of the transposition table; 0 means SEARCH_MEGABYTES
    const Weights *weights;         // borrowed during open; NULL: those of the family
    const EvaluatorKind *evaluator; // NULL: the network if there is one, else the default for the rules
    const char *network;            // as in network_read; NULL: that of the family
} SearchOptions;

// A turn: stones without order; as many as are left in the turn, or fewer if one completes a row or the board is full.
typedef struct {
    Cell stones[SEARCH_TURN_MAX];
    unsigned count;
} SearchTurn;

typedef struct {
    SearchTurn turn;
    int score;
    unsigned depth;    // search depth in turns
    unsigned pv_count; // stones of the principal variation; the turn comes first
    Cell pv[SEARCH_PV_MAX];
} SearchLine;

// Search info: the result so far.
typedef struct {
    unsigned line_count;
    SearchLine lines[SEARCH_LINES_MAX]; // the best first
    unsigned depth, deepest;            // turns, finished and met
    uint64_t nodes;                     // of all threads
    bool is_final;                      // a deeper search cannot change the result
} SearchInfo;

// `limits` is never exceeded: its nodes are those of all threads, its depth counts turns. No new depth is started after
// about `soft_deadline`: later if the best turn has just changed, earlier if it has been stable.
typedef struct {
    Limits limits;
    double soft_deadline;                                      // clock_seconds; 0: none
    unsigned lines;                                            // number of best turns (multi-PV); 0 is 1
    void (*progress)(void *context, const SearchInfo *report); // called by the calling thread after each depth and line
    void *context;
} SearchLimits;

typedef struct Search Search;

// Whether the search supports these rules: up to SEARCH_TURN_MAX stones per turn.
bool search_suits(const Rules *rules);

// Opens a search for games with these rules, which must be supported.
Status search_open(Search **search, const SearchOptions *options, const Rules *rules, Error *error);
void search_close(Search *search); // NULL is fine

// Discards what was learned in another game.
void search_new_game(Search *search);

// Searches a position of a game that is not over. There is always at least one line. With one thread and no time limit
// the result depends only on the position, the limits and the searches since search_new_game.
void search_run(Search *search, const Board *board, const SearchLimits *limits, SearchInfo *report);

// Sorts the lines of a report, best first, without duplicates and without lines that were not searched. A line is
// scored at most as high as deeper lines before it.
void search_sort_lines(SearchInfo *report);

// The weights and tables in use.
const PatternTables *search_tables(const Search *search);

// Stones until the end of the game if the score is proven, else -1.
int search_distance(int score);
