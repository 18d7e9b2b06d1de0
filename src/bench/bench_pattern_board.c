// Benchmark of the engine's pattern board: incremental updates against a computation from scratch.
#include "bench/bench_parts.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "engine/eval/pattern_board.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOARDS = 16, ROUNDS = 4 };

typedef struct {
    Game boards[BOARDS];
    PatternTables *tables;
    PatternBoard patterns;
    int64_t sum;   // uses all results, so that the compiler keeps the work
    unsigned next; // the board for the plain version
} PatternBoardBench;

// Whether a stone is near enough for a cell to matter: within two lines.
static bool is_near(const Board *board, Cell cell)
{
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    for (int i = x - 2; i <= x + 2; i++)
        for (int j = y - 2; j <= y + 2; j++)
            if (rules_have_cell(&board->rules, i, j) &&
                board_stone(board, cell_at((unsigned)i, (unsigned)j)) != STONE_NONE)
                return true;
    return false;
}

static unsigned find_cells(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    unsigned count = board_legal_cells(board, cells), kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (is_near(board, cells[i]))
            cells[kept++] = cells[i];
    return kept;
}

// Plays and takes back two stones: pairs of neighbours in the order of cells.
static uint64_t follow_board(PatternBoardBench *work, const Cell *cells, unsigned count)
{
    PatternBoard *patterns = &work->patterns;
    uint64_t stones = 0;
    for (unsigned i = 0; i < count; i++, stones++) {
        pattern_board_play(patterns, cells[i]);
        Cell other = cells[(i + 1) % count];
        if (!patterns->state.won && other != cells[i]) {
            pattern_board_play(patterns, other);
            work->sum += pattern_board_value(patterns);
            pattern_board_undo(patterns);
            stones++;
        }
        pattern_board_undo(patterns);
    }
    return stones;
}

static uint64_t follow(void *context)
{
    PatternBoardBench *work = context;
    uint64_t stones = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = find_cells(&work->boards[i].board, cells);
        pattern_board_set(&work->patterns, &work->boards[i].board);
        for (unsigned round = 0; round < ROUNDS; round++)
            stones += follow_board(work, cells, count);
    }
    return stones;
}

static uint64_t find_from_scratch(void *context)
{
    PatternBoardBench *work = context;
    Board *board = &work->boards[work->next++ % BOARDS].board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = find_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        pattern_board_set(&work->patterns, board);
        work->sum += pattern_board_value(&work->patterns);
        board_undo(board, cells[i], before);
    }
    return count;
}

static unsigned measure(const char *game, unsigned stones, double seconds, const atomic_bool *stop,
                        BenchResult *results)
{
    // `adjacent` keeps its stones together, as good players do.
    BoardsBench bench = {
        .game = game,
        .agent = "adjacent",
        .stones = stones,
        .count = BOARDS,
        .fast = follow,
        .plain = find_from_scratch,
        .results = {
            {"", 0, "stones/s", "played and taken back with the line patterns of all cells, in the middle of games"},
            {"", 0, "x", "times the speed of finding all line patterns from scratch"}}};
    Rules rules = bench_rules(game);
    PatternBoardBench *work = memory_new(1, sizeof *work);
    unsigned count = 0;
    (void)snprintf(bench.results[0].name, sizeof bench.results[0].name, "field/%s", game);
    (void)snprintf(bench.results[1].name, sizeof bench.results[1].name, "field/%s/plain", game);
    if (pattern_tables_open(&work->tables, &rules, NULL, NULL) == STATUS_OK) {
        pattern_board_open(&work->patterns, work->tables, &rules);
        count = bench_boards(&bench, work, seconds, stop, results);
    }
    pattern_board_close(&work->patterns);
    pattern_tables_close(work->tables);
    free(work);
    return count;
}

unsigned bench_pattern_board(double seconds, const atomic_bool *stop, BenchResult *results)
{
    return measure("gomoku", 30, seconds, stop, results) > 0 && measure("connect6", 41, seconds, stop, results + 2) > 0
               ? 4
               : 0;
}
