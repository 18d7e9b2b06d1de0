// Shared by the files of the df-pn solver. A position is two words of cells, numbered row by row without gaps, so that
// all windows of a direction are shifts of each other and are examined together.
//
// A cell whose bits are set in both words is a wall: it belongs to neither side and cannot be played. Before the
// search, a position is reduced to a form that many positions share:
// - Without `exact`, a stone in no open window of its own side becomes a wall: it only closes windows of the other
//   side. With `exact` it also matters to its own side.
// - Without gravity and `exact`, an empty cell in no open window of either side becomes a wall. An extra stone never
//   harms there, so no side needs to use such a cell: a game with no other cells left is drawn.
// - One of the symmetric positions is used.
#pragma once

#include "game/symmetry.h"
#include "solver/dfpn/dfpn.h"

enum {
    SOLVER_CELLS = 64,
    SOLVER_DIRECTIONS = 4,
    SOLVER_INFINITE = 1u << 30, // proof number of a decided position
};

typedef struct {
    uint64_t stones[2];
    uint16_t left; // stones of the side to move in this turn
    uint8_t side;
} SolverPosition;

// The windows of one direction, by the numbers of their first cells.
typedef struct {
    unsigned step;              // from a cell to the next one
    uint64_t starts;            // first cells of all windows
    uint64_t before, after;     // windows with a board cell before the first, after the last cell
    uint64_t pattern;           // cells of a window that starts in cell 0
    unsigned length;            // windows of the longest line
    uint8_t line[SOLVER_CELLS]; // by window: the number of its line modulo 64
} SolverDirection;

typedef struct {
    Rules rules;
    unsigned cells, k, p, levels; // levels: how many lacking stones are distinguished
    unsigned directions;
    SolverDirection direction[SOLVER_DIRECTIONS];
    uint64_t all, bottom;
    uint64_t weight[SOLVER_CELLS + 2]; // weight of a window in the danger sum, by the stones it lacks
    uint64_t danger_one;               // the number 1 in the units of the danger sum
    unsigned symmetries;
    uint64_t image[SYMMETRY_MAX][SOLVER_CELLS / 8][256];
} SolverLines;

// The windows that one side can still complete.
typedef struct {
    uint64_t open[SOLVER_DIRECTIONS]; // windows without stones of the other side
    uint64_t live;                    // the cells of all of them
    unsigned lacks;                   // fewest stones that a window lacks; UINT32_MAX: no window
    uint64_t completing;              // empty cells of windows that lack one stone
    uint64_t nearest;                 // empty cells of one window that lacks the fewest
    uint64_t danger;                  // sum of the weights
} SolverLook;

typedef struct {
    SolverLook of[2];
} SolverView;

void solver_lines_init(SolverLines *lines, const Rules *rules);
void solver_lines_view(const SolverLines *lines, const SolverPosition *position, SolverView *view);

// The common cells of all windows of a side that lack at most `lacks` stones; at least one must exist.
uint64_t solver_lines_common(const SolverLines *lines, const SolverPosition *position, const SolverLook *look,
                             unsigned lacks);

// The reduced form of a position; `view` is that of the position.
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

// Whether the next two functions apply: not with gravity, where cells cannot be chosen, nor if `side` has more stones
// to place than other turns have.
static inline bool solver_can_be_held(const SolverLines *lines, const SolverPosition *position, unsigned side)
{
    return !lines->rules.gravity && (position->side != side || position->left <= lines->p);
}

// Proves by the danger sum that `side` cannot win. Requires solver_can_be_held; a yes is sound.
bool solver_danger_holds(const SolverLines *lines, const SolverPosition *position, unsigned side,
                         const SolverLook *look);

// Proves it by disjoint blocks of p + 1 cells, one in each open window (pairs for p = 1). A turn fills at most p cells
// of them, so no block is full, and a stone on each touched block closes its windows. Requires solver_can_be_held; a
// yes is sound, a no may be wrong.
bool solver_pairing_holds(const SolverLines *lines, uint64_t empty, const SolverLook *look);

// --- Table ---

typedef struct {
    uint64_t stones[2];
    uint32_t proof, disproof;
    uint32_t work; // nodes spent below
    uint16_t left;
    uint8_t question; // 1: used; 2: side to move; 4: the attacker
    uint8_t spare;
} SolverEntry;

enum { SOLVER_BUCKET = 2 }; // one cache line

typedef struct {
    void *memory;
    SolverEntry *entries; // within `memory`, aligned to a cache line
    uint64_t mask;        // number of buckets, a power of two, less 1
} SolverTable;

Status solver_table_open(SolverTable *table, size_t bytes, Error *error);
void solver_table_close(SolverTable *table);
void solver_table_clear(SolverTable *table);
void solver_table_prefetch(const SolverTable *table, const SolverPosition *position, unsigned attacker);
const SolverEntry *solver_table_find(const SolverTable *table, const SolverPosition *position, unsigned attacker);
// --- Search ---

typedef struct {
    SolverPosition position; // in reduced form
    uint32_t proof, disproof;
    uint64_t danger; // of the attacker
    uint8_t cell;    // the stone that led here, numbered as in the parent; for the root, the one to play
} SolverChild;

// Stores the result of a node, with `work` nodes spent below it.
void solver_table_put(SolverTable *table, const SolverChild *node, unsigned attacker, uint64_t work);

struct Dfpn {
    SolverLines lines;
    SolverTable table;
    Limits limits;
    ExactWatch watch;
    unsigned attacker; // the side of the question: does it win?
    uint64_t nodes, budget;
    bool out;                                             // the budget or a limit has ended the search
    uint64_t reported;                                    // nodes at the last report
    SolverChild children[SOLVER_CELLS + 1][SOLVER_CELLS]; // by depth
};

// Searches whether `attacker` wins, until this is known, `budget` nodes were visited in total or a limit is reached.
// The position of `root` is that on the board, and its side to move cannot complete a row. Sets the numbers of `root`
// (0: proved) and, if the side to move succeeds, a cell that keeps the result.
void solver_search(Dfpn *solver, unsigned attacker, uint64_t budget, SolverChild *root);

// The first stone of a row that is completed in this turn; false if there is none (with gravity: if it takes more than
// one stone).
bool solver_completing_cell(const SolverLines *lines, const SolverPosition *position, unsigned *cell);
