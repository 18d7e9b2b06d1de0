// Threats: windows of k cells that a side can complete in one turn of p stones. Exact for all rules.
#ifndef KROW_THREATS_H
#define KROW_THREATS_H

#include <krow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

// k consecutive cells of a line, in reading order.
typedef struct {
    uint16_t count; // k
    KrowCell cells[KROW_SIDE_MAX];
    uint64_t empty; // bit i is set if cells[i] is empty
} KrowWindow;

// All windows that `side` can complete in its next turn; returns their number and writes at most `capacity` of them.
KROW_API size_t krow_threat_windows(const KrowGame *game, KrowSide side, KrowWindow *windows, size_t capacity);

// The cells on which a stone of the side to move starts to complete a row within this turn: one of the windows that
// need the fewest stones. `needed` (may be NULL) receives this number of stones, 0 if no win is possible now.
KROW_API size_t krow_immediate_wins(const KrowGame *game, KrowCell *cells, size_t capacity, unsigned *needed);

// The defence against the threats of a side.
typedef struct {
    unsigned stones_needed; // fewest stones that stop all threats, counted up to p + 1: no turn stops them. With
                            // gravity stones that have to be placed below are included
    bool is_uncertain;      // the count was too large to complete: at least `stones_needed`
    unsigned answer_count;  // smallest answers found, each of `stones_needed` cells
    bool is_truncated;      // more answers exist
} KrowDefence;

// Counts the stones that the opponent of `side` needs, and lists the smallest answers one after another in `cells`:
// answer i starts at i * stones_needed. Whole answers only are written, at most `capacity` cells; NULL with capacity 0
// is allowed. The stones of an answer can be played in the order listed. No answers are listed if no turn stops all
// threats.
KROW_API KrowStatus krow_threat_defence(const KrowGame *game, KrowSide side, KrowDefence *defence, KrowCell *cells,
                                        size_t capacity, KrowError *error);

#ifdef __cplusplus
}
#endif

#endif
