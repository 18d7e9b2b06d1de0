// Benchmarks of paper 003: the potential of cells; winning patterns, finding the ones a stone completes and proving
// one.
#include "bench/papers/bench_papers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bench/common/boards.h"
#include "papers/patterns/pattern_index.h"
#include "papers/patterns/pattern_proof.h"
#include "papers/patterns/potential.h"

#include <stdlib.h>

enum {
    SIDE = 15,
    LENGTH = 5,
    PATTERNS = 700,
    BOARDS = 16,
    STONES = 40,
    POTENTIAL_ROUNDS = 10,
    PATTERN_ROUNDS = 20,
    PROOF_NODES = 5000,
    TRIES = 1000000, // random patterns, at most
    CELLS_LEAST = 6,
    CELLS_MOST = 20,
};

// --- Potential, cell by cell ---

// Whether a stone of a side stands at a place, which may be beyond the edge.
static bool has_stone(const Board *board, int x, int y, Side side)
{
    return rules_have_cell(&board->rules, x, y) && board_stone(board, cell_at((unsigned)x, (unsigned)y)) == (Stone)side;
}

// The stones of a side in one window, given by its first cell and its direction; -1 when it cannot become a row.
static int window_stones(const Board *board, int x, int y, const int step[2], Side side)
{
    int k = board->rules.k, end_x = x + (k - 1) * step[0], end_y = y + (k - 1) * step[1];
    int stones = 0;
    if (x < 0 || y < 0 || y >= board->rules.height || end_x >= board->rules.width || end_y < 0 ||
        end_y >= board->rules.height)
        return -1;
    if (board->rules.exact &&
        (has_stone(board, x - step[0], y - step[1], side) || has_stone(board, end_x + step[0], end_y + step[1], side)))
        return -1;
    for (int i = 0; i < k; i++) {
        if (has_stone(board, x + i * step[0], y + i * step[1], side_other(side)))
            return -1;
        stones += has_stone(board, x + i * step[0], y + i * step[1], side);
    }
    return stones;
}

double bench_potential_plain(const Board *board, Cell cell, Side side, const double power[RULES_SIDE_MAX + 1])
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    double sum = 0;
    for (int direction = 0; direction < 4; direction++)
        for (int back = 0; back < board->rules.k; back++) {
            const int *step = steps[direction];
            int stones = window_stones(board, x - back * step[0], y - back * step[1], step, side);
            sum += stones >= 0 ? power[stones] : 0;
        }
    return sum;
}

// --- The benchmark of potential ---

typedef struct {
    Game boards[BOARDS];
    Potential *potential;
    double power[RULES_SIDE_MAX + 1];
    double sum;    // so that no work is left out
    unsigned next; // board of the plain version
} PotentialBench;

// A stone on every empty cell of every board.
static uint64_t follow(void *context)
{
    PotentialBench *work = context;
    uint64_t stones = 0;
    for (int round = 0; round < POTENTIAL_ROUNDS; round++)
        for (int i = 0; i < BOARDS; i++) {
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&work->boards[i].board, cells);
            potential_set(work->potential, &work->boards[i].board);
            for (unsigned j = 0; j < count; j++) {
                BoardState before = potential_play(work->potential, cells[j]);
                work->sum += potential_sum(work->potential, cells[j == 0]);
                potential_undo(work->potential, cells[j], before);
            }
            stones += count;
        }
    return stones;
}

// One stone on one board: all values of its empty cells.
static uint64_t add_up(void *context)
{
    PotentialBench *work = context;
    Board *board = &work->boards[work->next++ % BOARDS].board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    BoardState before = board_play(board, cells[work->next % count]);
    for (unsigned i = 0; i < count; i++)
        if (board_stone(board, cells[i]) == STONE_NONE)
            work->sum += bench_potential_plain(board, cells[i], SIDE_FIRST, work->power) +
                         bench_potential_plain(board, cells[i], SIDE_SECOND, work->power);
    board_undo(board, cells[work->next % count], before);
    return 1;
}

unsigned bench_potential(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const BoardsBench bench = {
        .game = "gomoku",
        .agent = "constant",
        .stones = STONES,
        .count = BOARDS,
        .fast = follow,
        .plain = add_up,
        .results = {
            {"potential/stone", 0, "stones/s", "played and taken back with the values of all cells, Gomoku, 40 stones"},
            {"potential/stone/plain", 0, "x", "times the speed of adding all up from scratch"}}};
    Rules rules = bench_rules(bench.game);
    PotentialBench *work = memory_new(1, sizeof *work);
    work->power[0] = 1;
    for (unsigned n = 1; n <= rules.k; n++)
        work->power[n] = POTENTIAL_BASE * work->power[n - 1];
    work->potential = potential_open(&rules, POTENTIAL_BASE);
    unsigned count = bench_boards(&bench, work, seconds, stop, results);
    potential_close(work->potential);
    free(work);
    return count;
}

// --- Random patterns ---

typedef struct {
    uint64_t own[SIDE], empty[SIDE];
} Cells;

static bool has_cell(const Cells *cells, int x, int y)
{
    return ((cells->own[y] | cells->empty[y]) >> x & 1) != 0;
}

// A row somewhere on the board; false if it does not fit or does not meet the cells there are.
static bool add_row(Cells *cells, Rng *rng)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const int *step = steps[rng_below(rng, 4)];
    int x = (int)rng_below(rng, SIDE), y = (int)rng_below(rng, SIDE);
    int end_x = x + (LENGTH - 1) * step[0], end_y = y + (LENGTH - 1) * step[1];
    bool meets = false;
    if (end_x >= SIDE || end_y < 0 || end_y >= SIDE)
        return false;
    for (int i = 0; i < LENGTH; i++)
        meets |= has_cell(cells, x + i * step[0], y + i * step[1]);
    for (int i = 0; i < LENGTH && meets; i++) {
        int column = x + i * step[0], row = y + i * step[1];
        if (!has_cell(cells, column, row))
            *(rng_below(rng, 2) ? &cells->own[row] : &cells->empty[row]) |= UINT64_C(1) << column;
    }
    return meets;
}

// From one cell on, some rows that meet. False when it is too small or too large.
static bool random_pattern(const Rules *rules, Rng *rng, Pattern *pattern)
{
    Cells cells = {{0}, {0}};
    Board board;
    PatternCells all = {{0}};
    cells.own[SIDE / 2] = 1 << SIDE / 2;
    for (unsigned rows = 2 + rng_below(rng, 4); rows > 0;)
        rows -= add_row(&cells, rng);
    board_init(&board, rules);
    for (unsigned row = 0; row < SIDE; row++) {
        all.rows[row] = cells.own[row] | cells.empty[row];
        for (uint64_t left = cells.own[row]; left != 0; left &= left - 1)
            board_put(&board, cell_at(bits_lowest(left), row), SIDE_FIRST);
    }
    return pattern_of_cells(&board, SIDE_FIRST, &all, 1, pattern) && pattern->count >= CELLS_LEAST &&
           pattern->count <= CELLS_MOST;
}

// Whether it is won, but not yet.
static bool is_proved(PatternProof *proof, const Pattern *pattern)
{
    PatternProofResult result = pattern_proof_run(proof, pattern, &(Limits){.nodes = PROOF_NODES});
    return result.verdict == PATTERN_PROVED && result.moves > 0;
}

// Fills an index with proved patterns of Gomoku, of which none is part of another: random stones and empty cells on
// rows that meet. False when `stop` is raised.
static bool make_patterns(PatternIndex *index, const atomic_bool *stop)
{
    Rules rules = {.width = SIDE, .height = SIDE, .k = LENGTH, .p = 1, .q = 1};
    Rng rng = rng_make(1);
    PatternProof *proof = pattern_proof_open(&rules);
    bool done = true;
    for (unsigned i = 0; i < TRIES && done && pattern_index_count(index) < PATTERNS; i++) {
        Pattern pattern;
        if (random_pattern(&rules, &rng, &pattern) && !pattern_index_has_part(index, &pattern) &&
            is_proved(proof, &pattern))
            pattern_index_add(index, &pattern);
        done = !stop_is_raised(stop);
    }
    pattern_proof_close(proof);
    return done && pattern_index_count(index) == PATTERNS;
}

// --- Patterns, plainly ---

// Whether a picture lies on the board so that the stone is its cell `at`.
static bool lies_with(const Board *board, Cell cell, Side side, const Pattern *picture, const PatternCell *at)
{
    unsigned column = cell_column(cell) - at->column, row = cell_row(cell) - at->row;
    for (unsigned i = 0; i < picture->count; i++) {
        unsigned x = column + picture->cell[i].column, y = row + picture->cell[i].row;
        if (x >= board->rules.width || y >= board->rules.height)
            return false;
        Stone stone = cell_at(x, y) == cell ? (Stone)side : board_stone(board, cell_at(x, y));
        if (stone != (picture->cell[i].own ? (Stone)side : STONE_NONE))
            return false;
    }
    return true;
}

// How often a picture lies there with the stone on one of its own cells.
static unsigned count_picture(const Board *board, Cell cell, Side side, const Pattern *picture)
{
    unsigned found = 0, x = cell_column(cell), y = cell_row(cell);
    for (unsigned i = 0; i < picture->count; i++) {
        const PatternCell *at = &picture->cell[i];
        if (at->own && at->column <= x && at->row <= y)
            found += lies_with(board, cell, side, picture, at);
    }
    return found;
}

// --- The benchmark of patterns ---

typedef struct {
    Game boards[BOARDS];
    PatternIndex *index;
    PatternProof *proof;
    unsigned board; // the one of this slice
    unsigned count; // pictures of all patterns
    Pattern pictures[PATTERNS * PATTERN_VERSIONS_MAX];
    uint64_t sum; // so that no work is left out
} PatternsBench;

static bool count_match(void *context, const PatternMatch *match)
{
    *(uint64_t *)context += match->size;
    return true;
}

// Every stone of every board, as if it were the last one. Many rounds, as one is too short for the clock.
static uint64_t match_by_index(void *context)
{
    PatternsBench *work = context;
    for (unsigned i = 0; i < PATTERN_ROUNDS * BOARDS; i++) {
        const Board *board = &work->boards[i % BOARDS].board;
        for (unsigned j = 0; j < STONES; j++) {
            Cell cell = work->boards[i % BOARDS].stones[j];
            pattern_index_each(work->index, board, cell, (Side)board_stone(board, cell), count_match, &work->sum);
        }
    }
    return (uint64_t)PATTERN_ROUNDS * BOARDS * STONES;
}

// One board is enough for the clock.
static uint64_t match_plainly(void *context)
{
    PatternsBench *work = context;
    work->board = (work->board + 1) % BOARDS;
    const Board *board = &work->boards[work->board].board;
    for (unsigned j = 0; j < STONES; j++) {
        Cell cell = work->boards[work->board].stones[j];
        for (unsigned i = 0; i < work->count; i++)
            work->sum += count_picture(board, cell, (Side)board_stone(board, cell), &work->pictures[i]);
    }
    return STONES;
}

// Microseconds for the proof of one of the patterns, on average.
static double time_proofs(PatternsBench *work)
{
    double begin = clock_seconds();
    for (unsigned i = 0; i < PATTERNS; i++)
        work->sum += is_proved(work->proof, pattern_index_get(work->index, i));
    return 1e6 * (clock_seconds() - begin) / PATTERNS;
}

unsigned bench_patterns(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const BoardsBench bench = {
        .game = "gomoku",
        .agent = "windows",
        .stones = STONES,
        .count = BOARDS,
        .is_time = true,
        .fast = match_by_index,
        .plain = match_plainly,
        .results = {
            {"patterns/stone", 0, "us", "which of 700 winning patterns a stone completes, 40 stones on the board"},
            {"patterns/stone/plain", 0, "x", "times the speed with all pictures looked at"}}};
    Rules rules = bench_rules(bench.game);
    PatternsBench *work = memory_new(1, sizeof *work);
    unsigned count = 0;
    work->index = pattern_index_open();
    work->proof = pattern_proof_open(&rules);
    if (make_patterns(work->index, stop)) {
        for (unsigned i = 0; i < PATTERNS; i++)
            work->count += pattern_versions(pattern_index_get(work->index, i), &work->pictures[work->count]);
        results[2] = (BenchResult){.name = "patterns/proof", .unit = "us", .about = "the proof of one of them"};
        results[2].value = time_proofs(work);
        count = bench_boards(&bench, work, seconds, stop, results);
    }
    pattern_index_close(work->index);
    pattern_proof_close(work->proof);
    free(work);
    return count > 0 ? count + 1 : 0;
}
