// The evaluation of a position, its text for game files, and the search that finds it.
#pragma once

#include "agents/agent.h"
#include "engine/search/search.h"
#include "solver/exact.h"

#include <jansson.h>

enum { EVAL_BEST_MAX = 8 }; // stones of a best turn

typedef struct {
    bool is_known;
    double score;        // for the side to move
    double chance_first; // of the first side to win, a draw being half of it
    Proven proven;       // for the side to move
    int distance;        // stones to the proven end, or -1
    unsigned depth;      // stones
    unsigned best_count;
    Cell best[EVAL_BEST_MAX];
} PositionEval;

// The chance of one side.
double eval_chance(const PositionEval *eval, Side side);

// The evaluation of a position where the game is over.
PositionEval eval_of_end(const Board *board);

// The value of the SGF property KV: the score for the side to move, the chance of the first side, the proven value for
// the side to move (or -), its distance in stones (or -), the depth in stones, and the cells of the best turn:
// 1.25 0.61 win 7 12 h8.
void eval_write(const PositionEval *eval, Text *text);
bool eval_read(Span value, const Rules *rules, PositionEval *eval);

json_t *eval_json(const PositionEval *eval);

// --- Search ---

// Evaluates positions of one game, one after another: the engine's transposition table and the solver's results serve
// later positions.
typedef struct {
    Rules rules;
    Search *search; // NULL: not opened
    Exact *exact;   // NULL: not opened
    SearchInfo report;
} Evaluation;

enum { EVALUATION_LEVELS = 3 };

// Fails if the engine does not support the rules. To be closed also after a failure.
Status evaluation_open(Evaluation *evaluation, const Rules *rules, Error *error);

// Allocates the memory of the engine unless it has it; false if memory runs out.
bool evaluation_is_ready(Evaluation *evaluation);
void evaluation_close(Evaluation *evaluation);

// Evaluates a position with the effort of a level, from 0: the nodes of the engine and of the solver grow fivefold from
// one level to the next. Without a stop the result depends only on the calls before. Chances are 0 or 1 only if the
// position is proven. Adds the positions searched to `nodes`. The evaluation must be ready.
PositionEval evaluation_run(Evaluation *evaluation, const Game *game, unsigned level, const atomic_bool *stop,
                            uint64_t *nodes);
