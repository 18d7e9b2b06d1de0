// What the files of the solver share. A position is two words of cells, numbered row by row without gaps, so that every
// window is a shift of every other one in its direction, and all windows are examined together.
//
// A cell whose bits are set in both words is a wall: it belongs to no side and cannot be played. Before it is searched,
// a position is brought to a form that many positions share:
//   - Unless the rules say `exact`, where a stone also stands in the way of its own side, a stone that is in no open
//     window of its own side is a wall: all it does is to close windows of the other.
//   - Without gravity and `exact`, an empty cell in no open window of either side is a wall too. A stone more never
//     harms there, so that no side wants to spend one on a useless cell, and none has to: a game in which no
//     other cells are left is drawn.
//   - Of symmetric positions one is taken.
#pragma once

#include "game/symmetry.h"
#include "solver/dfpn/dfpn.h"

enum {
    SOLVER_CELLS = 64,
    SOLVER_DIRECTIONS = 4,
    SOLVER_INFINITE = 1u << 30, // proof number of what is decided
};

typedef struct {
    uint64_t stones[2];
    uint16_t left; // stones of the side to move in this turn
    uint8_t side;
} SolverPosition;

// The windows of one direction, by the numbers of their first cells.
typedef struct {
    unsigned step;              // from a cell to the next one
    uint64_t starts;            // all windows
    uint64_t before, after;     // those with a cell of the board before the first, after the last one
    uint64_t pattern;           // the cells of a window that starts in cell 0
    unsigned length;            // windows of the longest line
    uint8_t line[SOLVER_CELLS]; // by window: the number of its line, the last six bits of it
} SolverDirection;

typedef struct {
    Rules rules;
    unsigned cells, k, p, levels; // levels: how many lacking stones are distinguished
    unsigned directions;
    SolverDirection direction[SOLVER_DIRECTIONS];
    uint64_t all, bottom;
    uint64_t weight[SOLVER_CELLS + 2]; // of a window that lacks that many stones, in the sum called danger
    uint64_t danger_one;               // what stands for 1 in it
    unsigned symmetries;
    uint64_t image[SYMMETRY_MAX][SOLVER_CELLS / 8][256];
} SolverLines;

// What one side can still complete.
typedef struct {
    uint64_t open[SOLVER_DIRECTIONS]; // windows without stones of the other side
    uint64_t live;                    // the cells of all of them
    unsigned lacks;                   // stones of the one that lacks the fewest; UINT32_MAX for none
    uint64_t completing;              // empty cells of windows that lack one stone
    uint64_t nearest;                 // empty cells of one window that lacks the fewest
    uint64_t danger;                  // sum of the weights
} SolverLook;

typedef struct {
    SolverLook of[2];
} SolverView;

void solver_lines_init(SolverLines *lines, const Rules *rules);
void solver_lines_view(const SolverLines *lines, const SolverPosition *position, SolverView *view);

// The cells that all windows of a side have in common that lack at most `lacks` stones; there must be one.
uint64_t solver_lines_common(const SolverLines *lines, const SolverPosition *position, const SolverLook *look,
                             unsigned lacks);

// The form that is searched; `view` is that of the position.
void solver_lines_reduce(const SolverLines *lines, const SolverView *view, SolverPosition *position);

static inline uint64_t solver_empty(const SolverLines *lines, const SolverPosition *position)
{
    return lines->all & ~(position->stones[0] | position->stones[1]);
}

// The cells on which a stone may be placed.
static inline uint64_t solver_legal(const SolverLines *lines, const SolverPosition *position)
{
    uint64_t empty = solver_empty(lines, position);
    return lines->rules.gravity ? empty & (lines->bottom | ~empty << (lines->rules.width - 1) << 1) : empty;
}

// --- Sides that cannot win ---

// Whether `side` can be kept from winning, from this position on, by the other side's closing its windows, as the next
// two know it: not with gravity, where cells cannot be chosen, nor if he has more stones to place than other turns
// have.
static inline bool solver_can_be_held(const SolverLines *lines, const SolverPosition *position, unsigned side)
{
    return !lines->rules.gravity && (position->side != side || position->left <= lines->p);
}

// By the sum of all windows that is called danger. It must be able to be held; a yes is sound.
bool solver_danger_holds(const SolverLines *lines, const SolverPosition *position, unsigned side,
                         const SolverLook *look);

// By blocks of p + 1 cells, none in two of them, so that each open window has one: pairs, for p = 1. Whatever is played
// on up to p of them in a turn, none is full, and a stone on each of them closes its windows. It must be able to be
// held; a yes is sound, a no may be wrong.
bool solver_pairing_holds(const SolverLines *lines, uint64_t empty, const SolverLook *look);

// --- Table ---

typedef struct {
    uint64_t stones[2];
    uint32_t proof, disproof;
    uint32_t work; // nodes spent below
    uint16_t left;
    uint8_t question; // 1: is used; 2: side to move; 4: the side that is asked for
    uint8_t spare;
} SolverEntry;

enum { SOLVER_BUCKET = 2 }; // a line of the cache

typedef struct {
    void *memory;
    SolverEntry *entries; // within it, from the beginning of a line of the cache
    uint64_t mask;        // number of buckets, a power of two, less 1
} SolverTable;

Status solver_table_open(SolverTable *table, size_t bytes, Error *error);
void solver_table_close(SolverTable *table);
void solver_table_clear(SolverTable *table);
void solver_table_prefetch(const SolverTable *table, const SolverPosition *position, unsigned attacker);
const SolverEntry *solver_table_find(const SolverTable *table, const SolverPosition *position, unsigned attacker);
// --- Search ---

typedef struct {
    SolverPosition position; // in the form that is searched
    uint32_t proof, disproof;
    uint64_t danger; // of the attacker
    uint8_t cell;    // the stone that led here, as a number in the position before; of the root: the one to play
} SolverChild;

// Enters what was found out about a node, with `work` nodes spent below it.
void solver_table_put(SolverTable *table, const SolverChild *node, unsigned attacker, uint64_t work);

struct Dfpn {
    SolverLines lines;
    SolverTable table;
    Limits limits;
    ExactWatch watch;
    unsigned attacker; // the side that is asked for: does it win
    uint64_t nodes, budget;
    bool out;                                             // the budget or a limit has ended the search
    uint64_t reported;                                    // nodes at the last report
    SolverChild children[SOLVER_CELLS + 1][SOLVER_CELLS]; // by depth
};

// Asks whether `attacker` wins, until it is known, `budget` nodes were visited in all or a limit ends it. The position
// of `root`, in which the side to move cannot complete a row, is as it is on the board. Fills the numbers of `root`, 0
// for what is proved, and a cell to play: if the side to move succeeds (a yes to the attacker, a no to the other), one
// that keeps it so.
void solver_search(Dfpn *solver, unsigned attacker, uint64_t budget, SolverChild *root);

// The first of the stones that complete a row in this turn; false when none do (with gravity: when it takes more than
// one).
bool solver_completing_cell(const SolverLines *lines, const SolverPosition *position, unsigned *cell);
