// Forcing sequences: the threat search of Kulev and Wu (section 4.2), for every game of one stone a turn.
//
// The side to move is the attacker. A threat of a side is a cell on which its next stone completes a row; a forcing
// move makes one, which the defender can only meet on that very cell; a forcing sequence is a number of forcing moves
// with the answers to them. A list of such sequences grows until one ends in two threats at once, which is a win, until
// nothing new is found, or until the list is full:
//
// - all forcing moves of the position are its first sequences;
// - chaining adds a forcing move that depends on the last move of a sequence: that move is part of the four;
// - merging puts two sequences one after another whose last moves are on one line, fewer than k cells apart, if no cell
//   is in both and the answers together give the defender neither a row nor a threat.
//
// If the attacker threatens already, he wins with one stone; else, if the defender does, nothing is concluded, also
// where the stone that meets his threat would be forcing. Sound: a win that is claimed is a win by the rules. Not
// complete, as section 4.5 says: the list is capped, and a move that needs two earlier ones is found only when these
// are last moves of sequences without a cell in common.
//
// Where the paper is silent:
// - The first sequences stand in the order of lines (game/board.h) and of cells along a line, both moves of a pair of
//   cells one after the other; that is also the order in the example of section 4.3.
// - Chaining continues until no sequence is left that has not been chained, those it finds included. Then all pairs of
//   the list that are new are merged, in the order of the list, those it finds not included; then chaining comes again.
// - Two sequences are merged once, the earlier one first, as the example lists AC and not CA; the other way round only
//   if the first does not hold. The paper looks at the answers together at the end. That is not enough: on the way the
//   defender may have a threat that a later move fills. So a merged sequence is played move by move: after every answer
//   the defender has no threat, or one that the very next move fills; every move makes the threat that it made in its
//   part. If it makes two, that is a win too.
// - A merged sequence is chained by moves whose four has the last move of one part and any of the other; all others
//   have been chained from a part.
// - If one of the moves that chain a sequence wins, the others are not listed.
// - A sequence with the same stones as one of the list is not listed again. One after which the defender threatens is
//   listed, and may be merged with one that meets the threat, but not chained.
// - The cap is the number of sequences in the list; the one that wins is not counted.
// - Sequences of more than FORCING_STEPS_MAX moves are not made.
//
// Gravity: a threat is a cell that can be played now. A stone opens the cell above it: if that is a threat of the
// defender, a move is not forcing; if an answer opens a threat of the attacker, he has won. A move depends on the last
// one also if its four has a cell that the last move or the answer has opened.
#pragma once

#include "game/board.h"

enum { FORCING_STEPS_MAX = 32 };

typedef struct Forcing Forcing;

typedef struct {
    bool won;           // the side to move wins by forcing moves alone
    Cell move;          // won: its first stone
    unsigned stones;    // won: of both sides until the row is complete, by the sequence that was found
    unsigned sequences; // forcing sequences that were listed
} ForcingResult;

// Whether positions of these rules can be searched: one stone a turn.
bool forcing_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit, and lists up to sequences_max.
Forcing *forcing_open(const Rules *rules, unsigned sequences_max);

// Looks for a win of the side to move in a game that is not over, with at most `cap` sequences, sequences_max or fewer.
// In a first turn of several stones only a row that one stone completes is seen.
void forcing_run(Forcing *search, const Board *board, unsigned cap, ForcingResult *result);

typedef struct {
    Cell move, answer;
} ForcingStep;

// A sequence of the last run, from 0; the one that won stands after those of the list, if it took any move to force
// it. Its last answer is one of those that do not help.
const ForcingStep *forcing_sequence(const Forcing *search, unsigned index, unsigned *length);

void forcing_close(Forcing *search); // NULL is fine
