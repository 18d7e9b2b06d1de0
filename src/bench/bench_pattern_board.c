// Benchmark of the engine's pattern board: incremental updates against a computation from scratch.
#include "bench/bench_parts.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"
#include "engine/eval/pattern_board.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOARDS = 16, ROUNDS = 4 };

// `adjacent` keeps its stones together, as good players do.
static const struct {
    const char *game, *name, *plain;
    unsigned stones;
} games[] = {
    {"gomoku", "field/gomoku", "field/gomoku/plain", 30},
    {"connect6", "field/connect6", "field/connect6/plain", 41},
};

typedef struct {
    Agent agent;
    PatternTables *tables;
    PatternBoard patterns;
    int64_t sum;   // so that no work is left out
    unsigned next; // the board that is looked at plainly
    Game boards[BOARDS];
} PatternBoardBench;

// Whether there is a stone near enough for a cell to matter: two lines away.
static bool is_near(const Board *board, Cell cell)
{
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    for (int i = x - 2; i <= x + 2; i++)
        for (int j = y - 2; j <= y + 2; j++)
            if (i >= 0 && j >= 0 && i < board->rules.width && j < board->rules.height &&
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

// Two stones one after another, both taken back: pairs of neighbours in the order of cells.
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

static uint64_t find_anew(void *context)
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

static bool prepare(PatternBoardBench *work, const Rules *rules, unsigned stones)
{
    if (pattern_tables_open(&work->tables, rules, NULL, NULL) != STATUS_OK)
        return false;
    pattern_board_open(&work->patterns, work->tables, rules);
    return agent_open(&work->agent, span_of("adjacent"), rules, NULL) == STATUS_OK &&
           boards_play(&work->agent, rules, stones, work->boards, BOARDS);
}

static bool measure(size_t game, double seconds, const atomic_bool *stop, BenchResult results[2])
{
    Rules rules;
    PatternBoardBench *work = memory_new(1, sizeof *work);
    SliceMedians found = {0};
    (void)rules_parse(span_of(games[game].game), &rules, NULL);
    if (prepare(work, &rules, games[game].stones))
        found = slices_measure(seconds, stop, work, follow, find_anew);
    agent_close(&work->agent);
    pattern_board_close(&work->patterns);
    pattern_tables_close(work->tables);
    free(work);
    results[0] = (BenchResult){.value = found.speed,
                               .unit = "stones/s",
                               .about = "played and taken back with the shapes of all cells, in the middle of games"};
    results[1] =
        (BenchResult){.value = found.ratio, .unit = "x", .about = "times the speed of finding all shapes anew"};
    (void)snprintf(results[0].name, sizeof results[0].name, "%s", games[game].name);
    (void)snprintf(results[1].name, sizeof results[1].name, "%s", games[game].plain);
    return found.speed > 0 && (stop == NULL || !atomic_load(stop));
}

unsigned bench_pattern_board(double seconds, const atomic_bool *stop, BenchResult results[BENCH_PATTERN_BOARD_RESULTS])
{
    for (size_t i = 0; i < BENCH_PATTERN_BOARD_RESULTS / 2; i++)
        if (!measure(i, seconds, stop, &results[2 * i]))
            return 0;
    return BENCH_PATTERN_BOARD_RESULTS;
}
