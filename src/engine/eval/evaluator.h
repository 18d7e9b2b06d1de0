// The interface between search and evaluation. The search keeps a PatternBoard for threats and move generation; it asks
// an evaluator for the value of a position and for the order in which to try cells.
//
// An evaluator is one const struct in one file, evaluator_NAME.c, and one line in evaluators.def. evaluator_patterns.c
// is the smallest example: its values are sums that the pattern board keeps anyway, so it has no state of its own.
// evaluator_gravity.c has a state; the evaluator in tests/engine/test_search.c follows every stone. evaluator_network.c
// is not in evaluators.def: it serves the families that have a network, on top of the evaluator of that list.
//
// `krow analyze` rates the cells outside of its lines by the pattern evaluation, whatever the evaluator, and `krow
// tune` tunes that evaluation only.
#pragma once

#include "engine/eval/pattern_board.h"

// A cell with a score for move ordering; higher is tried earlier.
typedef struct {
    Cell cell;
    int32_t score;
} ScoredCell;

typedef struct {
    const char *name, *summary;
    bool (*supports)(const Rules *rules);
    size_t state_size; // zeroed memory for each thread of the search; 0: none

    // Opens and closes the state of a thread for games with the rules of the pattern board, whose tables hold the
    // weights of the patterns. After a failed `open`, `close` is not called. NULL: nothing to do.
    Status (*open)(void *state, const PatternBoard *patterns, Error *error);
    void (*close)(void *state);

    // Follow the pattern board: `set` after it was set to another position, `play` after a stone was placed, `undo`
    // after that stone was taken back. `side` is the owner of the stone; the side to move is that of the pattern board.
    // Passes are not reported. NULL: the evaluator keeps nothing that depends on the position.
    void (*set)(void *state, const PatternBoard *patterns);
    void (*play)(void *state, const PatternBoard *patterns, Cell cell, Side side);
    void (*undo)(void *state, const PatternBoard *patterns, Cell cell, Side side);

    // The value of the position for the side to move, without looking ahead: WEIGHTS_UNIT more multiplies the odds of
    // winning by e. The search clamps it to SEARCH_VALUE_MAX. Only whether it is below alpha or above beta matters if
    // it is far outside of this window, so a cheaper estimate is enough there.
    int (*value)(void *state, const PatternBoard *patterns, int alpha, int beta);

    // Sets the scores of cells on which the side to move may place a stone, in the scale of Weights.move: the search
    // adds its own terms (history, killer moves). Called at every inner node, so it must be cheap. NULL:
    // pattern_board_order.
    void (*order)(const void *state, const PatternBoard *patterns, ScoredCell *cells, unsigned count);
} EvaluatorKind;

typedef struct {
    const EvaluatorKind *kind;
    void *state; // owned
} Evaluator;

// The evaluator for these rules: the last one in evaluators.def that supports them.
const EvaluatorKind *evaluator_default(const Rules *rules);

// The evaluator by the network of the pattern tables, which must have one.
extern const EvaluatorKind evaluator_network;

// The pattern board is that of the same thread and must be open.
Status evaluator_open(Evaluator *evaluator, const EvaluatorKind *kind, const PatternBoard *patterns, Error *error);
void evaluator_close(Evaluator *evaluator); // safe on a zeroed one

static inline void evaluator_set(Evaluator *evaluator, const PatternBoard *patterns)
{
    if (evaluator->kind->set != NULL)
        evaluator->kind->set(evaluator->state, patterns);
}

static inline void evaluator_play(Evaluator *evaluator, const PatternBoard *patterns, Cell cell)
{
    if (evaluator->kind->play != NULL)
        evaluator->kind->play(evaluator->state, patterns, cell, patterns->before[patterns->played_count - 1].side);
}

static inline void evaluator_undo(Evaluator *evaluator, const PatternBoard *patterns)
{
    if (evaluator->kind->undo != NULL) // the stone that was taken back is the first one after those on the board
        evaluator->kind->undo(evaluator->state, patterns, patterns->played[patterns->played_count],
                              pattern_board_side(patterns));
}

static inline int evaluator_value(Evaluator *evaluator, const PatternBoard *patterns, int alpha, int beta)
{
    return evaluator->kind->value(evaluator->state, patterns, alpha, beta);
}

static inline void evaluator_order(const Evaluator *evaluator, const PatternBoard *patterns, ScoredCell *cells,
                                   unsigned count)
{
    if (evaluator->kind->order != NULL)
        evaluator->kind->order(evaluator->state, patterns, cells, count);
    else
        for (unsigned i = 0; i < count; i++)
            cells[i].score = pattern_board_order(patterns, cells[i].cell);
}
