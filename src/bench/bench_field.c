#include "bench/bench_field.h"

#include "analysis/field.h"
#include "bench/boards.h"
#include "bench/slices.h"

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
    FieldTables *tables;
    Field field;
    int64_t sum;   // so that no work is left out
    unsigned next; // the board that is looked at plainly
    Game boards[BOARDS];
} Work;

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
static uint64_t follow_board(Work *work, const Cell *cells, unsigned count)
{
    Field *field = &work->field;
    uint64_t stones = 0;
    for (unsigned i = 0; i < count; i++, stones++) {
        field_play(field, cells[i]);
        Cell other = cells[(i + 1) % count];
        if (!field->state.won && other != cells[i]) {
            field_play(field, other);
            work->sum += field_value(field);
            field_undo(field);
            stones++;
        }
        field_undo(field);
    }
    return stones;
}

static uint64_t follow(void *context)
{
    Work *work = context;
    uint64_t stones = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = find_cells(&work->boards[i].board, cells);
        field_set(&work->field, &work->boards[i].board);
        for (unsigned round = 0; round < ROUNDS; round++)
            stones += follow_board(work, cells, count);
    }
    return stones;
}

static uint64_t find_anew(void *context)
{
    Work *work = context;
    Board *board = &work->boards[work->next++ % BOARDS].board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = find_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        field_set(&work->field, board);
        work->sum += field_value(&work->field);
        board_undo(board, cells[i], before);
    }
    return count;
}

static bool prepare(Work *work, const Rules *rules, unsigned stones)
{
    return field_tables_open(&work->tables, rules, NULL, NULL) == STATUS_OK &&
           field_open(&work->field, work->tables, rules, NULL) == STATUS_OK &&
           agent_open(&work->agent, span_of("adjacent"), rules, NULL) == STATUS_OK &&
           boards_play(&work->agent, rules, stones, work->boards, BOARDS);
}

static bool measure(size_t game, double seconds, const atomic_bool *stop, BenchResult results[2])
{
    Rules rules;
    Work *work = calloc(1, sizeof *work);
    double speed = 0, ratio = 0;
    (void)rules_parse(span_of(games[game].game), &rules, NULL);
    if (work != NULL && prepare(work, &rules, games[game].stones))
        slices_measure(seconds, stop, work, follow, find_anew, &speed, &ratio);
    if (work != NULL) {
        agent_close(&work->agent);
        field_close(&work->field);
        field_tables_close(work->tables);
    }
    free(work);
    results[0] = (BenchResult){.value = speed,
                               .unit = "stones/s",
                               .about = "played and taken back with the shapes of all cells, in the middle of games"};
    results[1] = (BenchResult){.value = ratio, .unit = "x", .about = "times the speed of finding all shapes anew"};
    (void)snprintf(results[0].name, sizeof results[0].name, "%s", games[game].name);
    (void)snprintf(results[1].name, sizeof results[1].name, "%s", games[game].plain);
    return speed > 0 && (stop == NULL || !atomic_load(stop));
}

unsigned bench_field(double seconds, const atomic_bool *stop, BenchResult results[BENCH_FIELD_RESULTS])
{
    for (size_t i = 0; i < BENCH_FIELD_RESULTS / 2; i++)
        if (!measure(i, seconds, stop, &results[2 * i]))
            return 0;
    return BENCH_FIELD_RESULTS;
}
