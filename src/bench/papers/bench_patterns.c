// Benchmark of winning patterns: finding the ones a stone completes, and proving one.
#include "bench/papers/bench_patterns.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"
#include "papers/patterns/pattern_proof.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 15,
    LENGTH = 5,
    PATTERNS = 700,
    BOARDS = 16,
    STONES = 40,
    ROUNDS = 20,
    PROOF_NODES = 5000,
    TRIES = 1000000, // random patterns, at most
    CELLS_LEAST = 6,
    CELLS_MOST = 20,
};

static bool is_stopped(const atomic_bool *stop)
{
    return stop != NULL && atomic_load(stop);
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

bool bench_patterns_make(PatternIndex *index, unsigned count, uint64_t seed, const atomic_bool *stop)
{
    Rules rules = {.width = SIDE, .height = SIDE, .k = LENGTH, .p = 1, .q = 1};
    Rng rng = rng_make(seed);
    PatternProof *proof = pattern_proof_open(&rules);
    bool done = true;
    for (unsigned i = 0; i < TRIES && done && pattern_index_count(index) < count; i++) {
        Pattern pattern;
        if (random_pattern(&rules, &rng, &pattern) && !pattern_index_has_part(index, &pattern) &&
            is_proved(proof, &pattern))
            pattern_index_add(index, &pattern);
        done = !is_stopped(stop);
    }
    pattern_proof_close(proof);
    return done && pattern_index_count(index) == count;
}

// --- The plain version ---

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

// --- The benchmark ---

typedef struct {
    Agent agent;
    PatternIndex *index;
    PatternProof *proof;
    unsigned board; // the one of this slice
    unsigned count; // pictures of all patterns
    Pattern pictures[PATTERNS * PATTERN_VERSIONS_MAX];
    uint64_t sum; // so that no work is left out
    Game boards[BOARDS];
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
    for (unsigned i = 0; i < ROUNDS * BOARDS; i++) {
        const Board *board = &work->boards[i % BOARDS].board;
        for (unsigned j = 0; j < STONES; j++) {
            Cell cell = work->boards[i % BOARDS].stones[j];
            pattern_index_each(work->index, board, cell, (Side)board_stone(board, cell), count_match, &work->sum);
        }
    }
    return (uint64_t)ROUNDS * BOARDS * STONES;
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

// Seconds for the proof of one of the patterns, on average.
static double time_proofs(PatternsBench *work)
{
    double begin = clock_seconds();
    for (unsigned i = 0; i < PATTERNS; i++)
        work->sum += is_proved(work->proof, pattern_index_get(work->index, i));
    return (clock_seconds() - begin) / PATTERNS;
}

static bool open_work(PatternsBench *work, const Rules *rules, const atomic_bool *stop)
{
    work->index = pattern_index_open();
    work->proof = pattern_proof_open(rules);
    if (agent_open(&work->agent, span_of("windows"), rules, NULL) != STATUS_OK ||
        !boards_play(&work->agent, rules, STONES, work->boards, BOARDS) ||
        !bench_patterns_make(work->index, PATTERNS, 1, stop))
        return false;
    for (unsigned i = 0; i < PATTERNS; i++)
        work->count += pattern_versions(pattern_index_get(work->index, i), &work->pictures[work->count]);
    return true;
}

unsigned bench_patterns(double seconds, const atomic_bool *stop, BenchResult results[BENCH_PATTERNS_RESULTS])
{
    Rules rules = {.width = SIDE, .height = SIDE, .k = LENGTH, .p = 1, .q = 1};
    PatternsBench *work = memory_new(1, sizeof *work);
    SliceMedians stones = {0};
    double proof = 0;
    if (open_work(work, &rules, stop)) {
        proof = time_proofs(work);
        stones = slices_measure(seconds, stop, work, match_by_index, match_plainly);
    }
    agent_close(&work->agent);
    pattern_index_close(work->index);
    pattern_proof_close(work->proof);
    free(work);
    results[0] = (BenchResult){.name = "patterns/stone", .unit = "us"};
    results[0].about = "which of 700 winning patterns a stone completes, 40 stones on the board";
    results[1] = (BenchResult){.name = "patterns/stone/plain", .unit = "x", .value = stones.ratio};
    results[1].about = "times the speed with all pictures looked at";
    results[2] = (BenchResult){.name = "patterns/proof", .unit = "us", .value = 1e6 * proof};
    results[2].about = "the proof of one of them";
    results[0].value = stones.speed > 0 ? 1e6 / stones.speed : 0;
    return stones.speed > 0 && !is_stopped(stop) ? BENCH_PATTERNS_RESULTS : 0;
}
