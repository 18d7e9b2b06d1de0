// Exact values of positions: the result with best play of both sides. Every Connect Four position can be solved, and
// positions of other rules on small boards.
#ifndef KROW_EXACT_H
#define KROW_EXACT_H

#include <krow/agent.h>

#ifdef __cplusplus
extern "C" {
#endif

// A solver for certain rules. It keeps its search results until it is closed.
typedef struct KrowExact KrowExact;

// Bounds of a value, seen from the side to move: above 0 is a win, 0 a draw, below 0 a loss. They are equal when the
// value is known. With krow_exact_has_scores the number says how soon: a win with the last stone of the board is 1, one
// own stone earlier 2, and so on.
typedef struct {
    int low, high;
    uint64_t nodes; // positions searched
    KrowCell best;  // a stone that reaches `low`, or KROW_CELL_NONE if the solver does not report one
} KrowValue;

// The bounds for one legal cell, seen from the side that plays there.
typedef struct {
    KrowCell cell;
    int low, high;
} KrowCellValue;

// Whether a solver exists for these rules; the error states why not. Large boards may still take too long.
KROW_API KrowStatus krow_exact_check(const KrowRules *rules, KrowError *error);

// Whether values of these rules are scores. Otherwise they are 1, 0 or -1.
KROW_API bool krow_exact_has_scores(const KrowRules *rules);

// Opens a solver with a transposition table of this size; 0 is the default, 128 MB. NULL on an error. Close it with
// krow_exact_close.
KROW_API KrowExact *krow_exact_open(const KrowRules *rules, size_t megabytes, KrowError *error);
KROW_API void krow_exact_close(KrowExact *exact); // NULL is allowed

// The value of a position, or the bounds that the limits allow; `limits` may be NULL, and its depth is ignored.
KROW_API KrowStatus krow_exact_value(KrowExact *exact, const KrowGame *game, const KrowLimits *limits, KrowValue *value,
                                     KrowError *error);

// The value of every legal cell, row by row from a1. Writes at most `capacity` of them; `count` receives the number of
// legal cells. The limits apply to all cells together.
KROW_API KrowStatus krow_exact_cells(KrowExact *exact, const KrowGame *game, const KrowLimits *limits,
                                     KrowCellValue *cells, size_t capacity, size_t *count, KrowError *error);

// Raises or lowers the stop flag, as krow_agent_stop does.
KROW_API void krow_exact_stop(KrowExact *exact, bool stop);

#ifdef __cplusplus
}
#endif

#endif
