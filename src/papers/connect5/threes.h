// Winning by fours and threes: the search over several layers of threats that Kulev and Wu wish for (section 4.5), for
// games of one stone a turn without gravity.
//
// A three, here, is a stone after which the attacker would win by forcing sequences alone (papers/connect5/forcing.h)
// if the defender passed; where five win that is an open three, and much else. The defender has several replies to it,
// fours of his own among them. Which have to be examined is read off the sequence that would win, with moves m1 … mn
// and answers r1 … rn:
//
// - its cells, and those of the threats that its last move makes: any other stone leaves its fours as they are;
// - at each step, with m1 … mi and the answers before mi on the board, the empty cells of windows in which the defender
//   lacks two stones: without a stone in one of these he has nothing to complete after mi, so that ri stays his only
//   answer. At the first step these are the cells where he makes a four before he meets the three.
//
// Against a reply elsewhere the same sequence wins. After each of the others the attacker must win again, in the same
// way; if the reply is a four, he has to meet it first, and what that stone makes counts like any other.
//
// Sound: a win that is claimed is a win by the rules. Not complete: forcing sequences are capped, as are the replies
// that are examined, and only stones in windows that lack three are tried as threes.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "game/board.h"

enum { THREES_MAX = 16 };

typedef struct {
    bool won;        // otherwise nothing is known
    Cell move;       // won: the first stone
    unsigned stones; // won: of both sides until the row is complete, at most, by the tree that was found
    unsigned threes; // won: the depth of the win
    uint64_t nodes;
} ThreesResult;

typedef struct Threes Threes;

// Whether positions of these rules can be searched: one stone a turn, no gravity.
bool threes_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit.
Status threes_open(Threes **search, const Rules *rules, size_t table_bytes, Error *error);

// Searches for a win of the side to move in a game that is not over. A node is a forcing sequence searched. The depth
// is counted in threes: moves of the attacker before the last forcing sequence, without those that meet fours; at most
// THREES_MAX.
void threes_run(Threes *search, const Board *board, const Limits *limits, ThreesResult *result);

void threes_close(Threes *search); // NULL is fine
