// The two decisions that define the rules: where a stone may be placed, and which rows win. Everything that plays,
// searches or counts calls this header; a further rule such as renju or caro is added here.
//
// A row is a run of stones of one side in neighbouring cells of a line, with none of its stones beyond either end. A
// window is k neighbouring cells of a line. In words of a line a window is given by its k bits, or by its lowest bit if
// many are handled at once.
#pragma once

#include "base/bits.h"
#include "game/rules.h"

// The cells of a row of the board on which a stone may be placed, as bits: `empty` are the empty cells of this row,
// `occupied_below` the stones in the row below (all bits set for the bottom row).
static inline uint64_t rule_legal_row(const Rules *rules, uint64_t empty, uint64_t occupied_below)
{
    return rules->gravity ? empty & occupied_below : empty;
}

// Whether a row of this length wins.
static inline bool row_wins(const Rules *rules, unsigned length)
{
    return rules->exact ? length == rules->k : length >= rules->k;
}

// Whether rows can be too long to win. Only then do stones beside a window matter.
static inline bool row_has_limit(const Rules *rules)
{
    return rules->exact;
}

// The distance up to which stones of a line decide about rows through a cell.
static inline unsigned row_reach(const Rules *rules)
{
    return row_has_limit(rules) ? rules->k : rules->k - 1u;
}

// Whether k stones win when the side does or does not have further stones beside them.
static inline bool row_wins_beside(const Rules *rules, bool has_beside)
{
    return !row_has_limit(rules) || !has_beside;
}

// Whether a window that a side has filled is a winning row. `own` are its stones in the line.
static inline bool row_window_wins(const Rules *rules, uint64_t own, uint64_t window)
{
    return row_wins_beside(rules, (own & ~window & (window << 1 | window >> 1)) != 0);
}

// Windows, by their lowest bits, that have a stone of `own` beside them. A macro, for words and vectors of words.
#define ROW_STARTS_BESIDE(own, k) ((own) << 1 | (own) >> 1 >> ((k)-1))

// Those of the windows `starts`, by their lowest bits, that are winning rows once the side has filled them.
static inline uint64_t row_starts_winning(const Rules *rules, uint64_t own, uint64_t starts)
{
    return row_has_limit(rules) ? starts & ~ROW_STARTS_BESIDE(own, rules->k) : starts;
}
