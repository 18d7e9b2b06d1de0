// Opening books: structure, codes of positions, and recommended moves (Levin et al., Analysis of Computational Agents
// for Connect-k Games, section 3.3). As in the paper, a move is the set of stones of a whole turn.
//
// A book knows positions at the start of turns by their depth, the turns played, and their code, a text of
// game/encoding.h. Its games begin with an empty board. Set-up positions are looked up if their stones and turn are
// those of such a game, and only in absolute books: a relative book must know which stones came first.
//
// Relative codes refer to the first stone; for q > 1 that is the lowest, then leftmost stone of the first turn, since
// the order within a turn does not matter. The same position after different first stones has different codes; the
// paper accepts that, and that positions near an edge equal those further away. A move off the board is then ignored.
// The first turn itself refers to its own stone, which is placed in the middle.
//
// A symmetric book uses the symmetric image of a position with the smallest lists; the turn is its smallest image under
// all symmetries that lead there. A move found this way may be the image of the move that was played, if both are
// equivalent.
#pragma once

#include "game/encoding.h"

enum { BOOK_NAME_SIZE = 64, BOOK_THRESHOLD = 4 };

typedef struct {
    char name[BOOK_NAME_SIZE];
    Rules rules;
    Encoding encoding;
    bool symmetric;
    unsigned turns; // maximum number of turns before a position
} BookSpec;

// Outcomes of the games that had a position, for the first player.
typedef struct {
    uint32_t wins, ties, losses;
} BookCounts;

// A position of a book, by the turns before it and its code (BookView).
typedef struct {
    const BookSpec *spec;
    unsigned depth;
    const char *code;
} BookKey;

// Receives the entries of a position: its own counts, if the book has it, then each turn played there by its name, with
// the counts of the position it leads to.
typedef struct {
    void *context;
    void (*position)(void *context, BookCounts counts); // NULL: not wanted
    void (*turn)(void *context, Span turn, BookCounts counts);
} BookSink;

// Whether a name is valid in the options of an agent: letters, digits, '-', '_' and '.', at most 63 characters.
bool book_name_is_good(Span name);

// The default encoding. The paper's reason for the relative one, "it doesn't really matter where player 1 plays their
// first piece", holds with q = 1, no gravity and room for a row on every side of the middle; else absolute.
Encoding book_usual_encoding(const Rules *rules);

// A position as a book represents it. Zeroed before its first use; reuse keeps its memory.
typedef struct {
    Encoding encoding;
    Rules rules;
    unsigned depth;
    Text code;
    unsigned frame_count; // symmetries that lead to the code, one without the option
    struct {
        Symmetry symmetry;
        Cell origin; // a cell of the image; CELL_NONE on the empty board
    } frames[SYMMETRY_MAX];
    StoneLists lists[2]; // working memory
} BookView;

void book_view_close(BookView *view);

// The number of turns before a position that a book may contain: false in the middle of a turn, after the end, and for
// set-up positions that no game from the empty board reaches.
bool book_depth(const Game *game, unsigned *depth);

// Computes the view of a position after `depth` turns, even at the end of a game. False if it has no code: see above.
bool book_view(BookView *view, const BookSpec *spec, const Game *game, unsigned depth);

// The name of a turn at this position: its ascending indices.
void book_write_turn(const BookView *view, const Cell *stones, unsigned count, Text *text);

// The stones of a turn by its name, in a playable order, cut at the end of the game. False if it is not a legal whole
// turn on this board, from which the view was made.
bool book_read_turn(const BookView *view, const Board *board, Span text, Cell stones[RULES_CELLS_MAX], unsigned *count);

// The share of wins among the games that this side won or lost: the paper's win to loss ratio, which is 1.0 for 1 win
// and 0 losses. Ties are ignored; only ties give one half.
double book_ratio(BookCounts counts, Side side);

typedef struct {
    BookCounts counts; // of the position after the move
    unsigned count;
    Cell stones[RULES_CELLS_MAX];
} BookMove;

typedef enum {
    BOOK_NOTHING,  // no recommendation
    BOOK_BY_RATIO, // observed often enough, with the best ratio
    BOOK_BY_WINS,  // observed rarely, with the most wins
} BookReason;

// Chooses among the moves of a position, added in any order:
//
// 1. Of the moves observed at least s times, the one with the highest ratio, if that is above one half. The paper does
//    not define ties: here, the one observed more often.
// 2. Else, of the moves observed fewer than s times, the one with the most wins; of equal ones, the one observed least.
//    The paper would accept a move without a win if there is no other; here that is no recommendation.
// 3. Else none. Remaining ties: the move whose stones come first on the board.
//
// A move is observed as often as games reached the position after it by any order: the paper uses "the win/tie/loss
// statistics for the children of that node". Ties count as observed.
typedef struct {
    Side side;
    unsigned threshold; // s
    unsigned moves;     // added so far
    BookMove often, rare;
} BookChoice;

void book_choice_begin(BookChoice *choice, Side side, unsigned threshold);
void book_choice_add(BookChoice *choice, BookCounts counts, const Cell *stones, unsigned count);
BookReason book_choice_end(const BookChoice *choice, const BookMove **move); // NULL: none
