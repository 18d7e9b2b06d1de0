// Wins by fours and threes: the search over several layers of threats that Kulev and Wu propose (section 4.5), for
// games with one stone per turn and no gravity.
//
// Here a three is a stone after which the attacker would win by forcing sequences alone (papers/connect5/forcing.h) if
// the defender passed. With five in a row this includes open threes and much else. The defender has several replies,
// among them his own fours. Which replies must be examined follows from the sequence that would win, with moves m1 … mn
// and answers r1 … rn:
//
// - its cells, and those of the threats that its last move makes: any other stone leaves its fours unchanged;
// - at each step, with m1 … mi and the answers before mi on the board, the empty cells of windows in which the defender
//   lacks two stones: without a stone in one of these he cannot complete a row after mi, so that ri stays his only
//   answer. At the first step these are the cells where he makes a four before he answers the three.
//
// Against any other reply the same sequence wins. After each reply to examine the attacker must win again in the same
// way. If the reply is a four, he must answer it first; the effect of that stone counts like any other.
//
// The search is sound: a claimed win is a win by the rules. It is not complete: forcing sequences and replies are
// capped, and only stones in windows that lack three are tried as threes.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "game/board.h"

enum { THREES_MAX = 16 };

typedef struct {
    bool won;        // otherwise nothing is known
    Cell move;       // won: the first stone
    unsigned stones; // won: at most so many stones of both sides until the row is complete
    unsigned threes; // won: the depth of the win
    uint64_t nodes;
} ThreesResult;

typedef struct Threes Threes;

// Whether the search supports these rules: one stone per turn, no gravity.
bool threes_suits(const Rules *rules);

// Allocates all memory for searches with these rules, which must be supported.
Status threes_open(Threes **search, const Rules *rules, size_t table_bytes, Error *error);

// Searches for a win of the side to move in a game that is not over. A node is one search for forcing sequences. Depth
// is counted in threes: moves of the attacker before the last forcing sequence, except answers to fours; at most
// THREES_MAX.
void threes_run(Threes *search, const Board *board, const Limits *limits, ThreesResult *result);

void threes_close(Threes *search); // NULL is fine
