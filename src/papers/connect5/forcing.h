// Forcing sequences: the threat search of Kulev and Wu (section 4.2), for every game with one stone per turn.
//
// The side to move is the attacker. A threat of a side is a cell on which its next stone completes a row. A forcing
// move makes one threat, so the defender must answer on that cell. A forcing sequence is a list of forcing moves with
// their answers. The search adds sequences to a list until one ends in two threats at once, which wins, until nothing
// new is found, or until the list is full:
//
// - The first sequences are all forcing moves of the position.
// - Chaining adds to a sequence a forcing move that depends on its last move: that move is part of the four.
// - Merging joins two sequences if their last moves are on one line, fewer than k cells apart, if they have no cell in
//   common, and if the answers together give the defender neither a row nor a threat.
//
// If the attacker has a threat already, he wins with one stone. Otherwise, if the defender has one, the search
// concludes nothing, even if the stone that meets it would be forcing. The search is sound: a claimed win is a win by
// the rules. It is not complete, as section 4.5 says: the list is capped, and a move that needs two earlier ones is
// found only if these are the last moves of sequences without a common cell.
//
// Where the paper is silent:
// - The first sequences are in the order of lines (game/board.h) and of cells along a line; the two moves of a pair of
//   cells are adjacent. This is also the order in the example of section 4.3.
// - Chaining continues, with the sequences that it adds, until every sequence has been chained. Then all new pairs of
//   the list are merged, without the sequences that merging adds; then chaining starts again.
// - Two sequences are merged once, the earlier one first, as the example lists AC and not CA; in the other order only
// if
//   the first order fails. The paper examines the answers together at the end, which is not enough: on the way the
//   defender may get a threat that a later move fills. So a merged sequence is played move by move. After every answer
//   the defender must have no threat, or one that the next move fills, and every move must make the threat that it made
//   in its own part. If it makes two, that is a win too.
// - A merged sequence is chained by moves whose four has the last move of one part and any move of the other; all other
//   moves have already been chained from a part.
// - If one of the moves that chain a sequence wins, the others are not listed.
// - A sequence with the same stones as a listed one is not listed again. A sequence after which the defender has a
//   threat is listed, and can be merged with one that meets the threat, but is not chained.
// - The cap is the number of sequences in the list, without the one that wins. docs/papers/002.md compares other ways
// to
//   count.
// - Sequences have at most FORCING_STEPS_MAX moves.
//
// Gravity: a threat is a cell that can be played now. A stone makes the cell above it playable. If that gives the
// defender a threat, the move is not forcing; if an answer gives the attacker a threat, he has won. A move also depends
// on the last one if its four has a cell that the last move or its answer made playable.
#pragma once

#include "game/board.h"

enum { FORCING_STEPS_MAX = 32 };

// The rules of the list. FORCING_DISTINCT is described above. FORCING_EVERY takes the text of section 4.2 literally:
// one round of chaining and one of merging alternate, a merged sequence is chained by every move that depends on its
// last one, and permutations of the same stones are listed each time.
typedef enum { FORCING_DISTINCT, FORCING_EVERY } ForcingListing;

typedef struct Forcing Forcing;

typedef struct {
    bool won;           // the side to move wins by forcing moves alone
    Cell move;          // won: its first stone
    unsigned stones;    // won: stones of both sides until the row of the winning sequence is complete
    unsigned sequences; // number of listed sequences
} ForcingResult;

// Whether the search supports these rules: one stone per turn.
bool forcing_suits(const Rules *rules);

// Allocates all memory for searches with these rules, which must be supported, and lists of up to sequences_max.
Forcing *forcing_open(const Rules *rules, unsigned sequences_max);

// Sets the rules of the list for later runs; FORCING_DISTINCT by default.
void forcing_set_listing(Forcing *search, ForcingListing listing);

// Searches for a win of the side to move in a game that is not over, with at most `cap` sequences, at most
// sequences_max. In a first turn of several stones it finds only a row that one stone completes.
void forcing_run(Forcing *search, const Board *board, unsigned cap, ForcingResult *result);

typedef struct {
    Cell move, answer;
} ForcingStep;

// A sequence of the last run, from 0. The winning one, if it has moves, follows those of the list; its last answer is
// one of several that do not help.
const ForcingStep *forcing_sequence(const Forcing *search, unsigned index, unsigned *length);

void forcing_close(Forcing *search); // NULL is fine
