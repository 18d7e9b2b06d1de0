// Opening books: what one is, how it sees a position, and which move it recommends (Levin et al., Analysis of
// Computational Agents for Connect-k Games, section 3.3). A move is here what the paper calls one: the stones of a
// whole turn, in any order.
//
// A book knows positions at the beginning of turns by their depth, the turns played, and their code, a text of
// game/encoding.h. Its games begin with an empty board; positions that were set up are looked up where their stones
// and turn are those of such a game, and only in absolute books: a relative one must know which stones came first.
//
// The first stone, to which relative codes refer, is for q > 1 the lowest and then leftmost of the first turn, since
// the order within a turn does not matter. The same position after different first stones has different codes; the
// paper accepts that, as well as that positions near an edge count as equal to those further away. A move that would
// fall off the board is then no move. The first turn itself refers to its own stone, which is put into the middle.
//
// A symmetric book takes of all symmetric pictures of a position the one with the smallest lists; the turn is the
// smallest picture of it under all symmetries that lead there. Seen from the real board a move found that way may be
// the picture of the move that was played, where both are the same.
#pragma once

#include "game/encoding.h"

enum { BOOK_NAME_SIZE = 64, BOOK_THRESHOLD = 4 };

typedef struct {
    char name[BOOK_NAME_SIZE];
    Rules rules;
    Encoding encoding;
    bool symmetric;
    unsigned turns; // positions after more turns are not in it
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

// Receives what a book says of one position: its own counts, if the book knows it at all, then each turn that was
// played there by its name, with the counts of the position it leads to.
typedef struct {
    void *context;
    void (*position)(void *context, BookCounts counts); // NULL: not wanted
    void (*turn)(void *context, Span turn, BookCounts counts);
} BookSink;

// Letters, digits, '-', '_' and '.', at most 63: a name can stand in the options of an agent.
bool book_name_is_good(Span name);

// The encoding the paper's reason speaks for, "it doesn't really matter where player 1 plays their first piece": with
// q = 1, no gravity and room for a row to every side of the middle, relative; else absolute.
Encoding book_usual_encoding(const Rules *rules);

// --- Positions ---

// How a book sees a position. Zeroed before its first use; then it can be used again, and keeps its memory.
typedef struct {
    Encoding encoding;
    Rules rules;
    unsigned depth;
    Text code;
    unsigned frame_count; // symmetries that lead to the code, one without the option
    struct {
        Symmetry symmetry;
        Cell origin; // a cell of the picture; CELL_NONE on the empty board
    } frames[SYMMETRY_MAX];
    StoneLists lists[2]; // work space
} BookView;

void book_view_close(BookView *view);

// The turns played before a position that a book may know: false in the middle of a turn, after the end, and where it
// was set up in a way that no game from the empty board has.
bool book_depth(const Game *game, unsigned *depth);

// Sees a position after `depth` turns, also the last one of a game. False where there is no code: see above.
bool book_view(BookView *view, const BookSpec *spec, const Game *game, unsigned depth);

// The name of a turn at this position: its indices, rising.
void book_write_turn(const BookView *view, const Cell *stones, unsigned count, Text *text);

// The stones of a turn by its name, in an order in which they can be played; cut where the game ends. False when it is
// no legal whole turn on this board, which is the one the view was made of.
bool book_read_turn(const BookView *view, const Board *board, Span text, Cell stones[RULES_CELLS_MAX], unsigned *count);

// --- Choice ---

// Of the games in which this side won or lost, the share it won: the paper's win to loss ratio, which calls 1 win and 0
// losses 1.0. Ties are left out; where there are only ties, a half.
double book_ratio(BookCounts counts, Side side);

typedef struct {
    BookCounts counts; // of the position the move leads to
    unsigned count;
    Cell stones[RULES_CELLS_MAX];
} BookMove;

typedef enum {
    BOOK_NOTHING,  // no recommendation
    BOOK_BY_RATIO, // seen often enough, and the best ratio of those
    BOOK_BY_WINS,  // seen rarely, and the most wins of those
} BookReason;

// The moves of a position are added in any order, then the best is asked for:
//
// 1. Of the moves observed at least s times, the one with the highest ratio. If that is better than a half, it is it.
//    The paper does not say which of equals: the one observed more often.
// 2. Else, of the moves observed fewer than s times, the one with the most wins, of equals the one observed least.
//    The paper would take a move without any win as well if there is no other; here that is no recommendation, since
//    nothing speaks for it.
// 3. Else none. Equals after all that: the one whose stones come first on the board.
//
// How often a move was observed is how many games had the position it leads to, whatever the way there: the paper takes
// "the win/tie/loss statistics for the children of that node". Ties count as observed.
typedef struct {
    Side side;
    unsigned threshold; // s
    unsigned moves;     // added so far
    BookMove often, rare;
} BookChoice;

void book_choice_begin(BookChoice *choice, Side side, unsigned threshold);
void book_choice_add(BookChoice *choice, BookCounts counts, const Cell *stones, unsigned count);
BookReason book_choice_end(const BookChoice *choice, const BookMove **move); // NULL for none
