// Checks a tree proof: a strategy with which its owner wins, as a tree of answers with default answers
// (docs/proofs.md has the format, and the proof that the check is right).
//
// The tree is read once, in preorder, from a source. At each position of the opponent the strategy may have a default:
// how the owner wins if the opponent passes. The check computes the zone of that win, the cells whose stones could
// disturb it; only replies with a stone in the zone need an answer of their own.
//
// Zones. Level m of a cell: m stones or more of the opponent beyond those in the positions of the tree, all on cells of
// level m or less, can disturb the win. Let Z(m) be the cells of level m or less, and X additional stones of the
// opponent with fewer than m of them in Z(m), for every m >= 1. Then the owner wins with X on the board in the same
// way:
//
//   - The owner's cells have level 1, so X leaves them empty. So do the empty cells of the rows that it completes.
//   - The opponent, with s stones to place, completes a row only if the row has no stone of the owner, and c of its own
//     in the position of the tree, k - s - c or fewer missing. Empty cells of such a row have level k - s - c or less,
//     at least 1; to complete it with m stones of X would need m of them in Z(m).
//   - The opponent replies F, s stones. If a stone of F is in the zone of the default, this reply has an answer of its
//     own, and X does not disturb that one. Otherwise F has no stone in Z(s) of the default, and X and F together have
//     fewer than m stones in its Z(m): for m <= s because F has none, for m > s because X has fewer than m - s in it.
//     So the levels of a default, lowered by s but at least 1, are levels of this position.
//
// All levels of a position are the lowest of these and of the levels after the replies with answers of their own.
#pragma once

#include "base/limits.h"
#include "solver/tree/tree_board.h"

enum { TREE_NEVER = UINT8_MAX }; // the level of cells that never matter

typedef enum { TREE_ALL_REPLIES, TREE_DEFAULT_REPLY } TreeReplies;

// Where the tree comes from, in preorder. False ends the check; the source knows why.
typedef struct {
    void *context;
    bool (*answer)(void *context, const TreeBoard *board, unsigned *cell); // must be empty
    bool (*replies)(void *context, TreeReplies *replies);
} TreeSource;

typedef struct {
    uint64_t answers;   // of the owner, without those that complete a row
    uint64_t positions; // of the tree
    uint64_t replies;   // turns of the opponent, each with its answer or the default
    unsigned depth;     // stones of the longest line
} TreeFacts;

typedef struct {
    const atomic_bool *stop; // NULL: never stopped
    // Called now and then: the number of replies to the first turn that are proved, of how many.
    void (*progress)(void *context, const TreeFacts *so_far, unsigned done, unsigned of);
    void *context;
} TreeWatch;

typedef struct TreeCheck TreeCheck;

// Memory for checks on a board, which is borrowed. Grows with the depth of trees, not with their size.
TreeCheck *tree_check_open(TreeBoard *board);
void tree_check_close(TreeCheck *check); // NULL is fine

// Who places stones next, and how many.
typedef struct {
    TreeStone side;
    unsigned stones;
} TreeTurn;

// Checks the tree from the position on the board, in which no side has a row. On success `zone` (unless NULL) receives
// the levels of cells, exact up to `most` and not too low above. On failure the board is as before, and
// tree_check_fault has the reason.
bool tree_check_run(TreeCheck *check, TreeTurn turn, const TreeSource *source, const TreeWatch *watch, TreeFacts *facts,
                    unsigned most, uint8_t *zone);

// What was wrong, or NULL if the source or the watch ended the check; the stones that lead there are added to `line`.
const char *tree_check_fault(const TreeCheck *check, Text *line);

// Parts of the check, for programs that make trees. Each lowers levels of a zone: to those of another one; to those of
// a default that replaces a reply of this many stones; to those of the rows that the opponent could complete with up to
// `most` additional stones, when it has this many to place.
void tree_zone_add(const TreeBoard *board, uint8_t *restrict into, const uint8_t *restrict from);
void tree_zone_add_default(const TreeBoard *board, uint8_t *restrict into, const uint8_t *restrict from,
                           unsigned stones);
void tree_zone_add_rows(const TreeBoard *board, unsigned stones, unsigned most, uint8_t *zone);

// Whether a symmetry leaves the position on the board as it is; if so, whether a cell is the lowest of its images,
// which is the one that the tree has; and the levels of the other ones.
bool tree_check_is_symmetric(const TreeCheck *check);
bool tree_check_is_lowest(const TreeCheck *check, unsigned cell);
void tree_check_close_zone(const TreeCheck *check, uint8_t *zone);

// A tree in memory: a cell for each answer, and one of the following for each position of the opponent in which the
// owner does not threaten to complete a row.
enum { TREE_WORD_ALL = UINT16_MAX - 1, TREE_WORD_DEFAULT = UINT16_MAX };

typedef struct {
    uint16_t *words; // owned
    size_t count, capacity;
} TreeWords;

void tree_words_add(TreeWords *words, unsigned word);
void tree_words_append(TreeWords *words, const TreeWords *more);
void tree_words_close(TreeWords *words); // safe on a zeroed one

typedef struct {
    const TreeWords *words;
    size_t at;
} TreeWordsReader;

TreeSource tree_words_source(TreeWordsReader *reader);
