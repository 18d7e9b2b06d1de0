// Benchmark of the influence evaluation: line tables against a walk from cell to cell.
#include "bench/papers/bench_influence.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"

#include <stdlib.h>

// --- Cell by cell ---

// One way along a direction; true if an opposing stone ended it.
static bool walk(const Board *board, Cell from, const int step[2], Side side, unsigned *power)
{
    unsigned k = board->rules.k;
    int x = (int)cell_column(from), y = (int)cell_row(from);
    for (unsigned distance = 1; distance < k; distance++) {
        x += step[0];
        y += step[1];
        if (x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height)
            return false;
        Stone stone = board_stone(board, cell_at((unsigned)x, (unsigned)y));
        if (stone == (Stone)side_other(side))
            return true;
        *power += stone == STONE_NONE ? 1 : 2 * k + 1 - distance;
    }
    return false;
}

Influence bench_influence_plain(const Board *board, Cell cell, Side side)
{
    static const int steps[INFLUENCE_DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    Influence influence = {.open = 0};
    for (int i = 0; i < INFLUENCE_DIRECTIONS; i++) {
        const int back[2] = {-steps[i][0], -steps[i][1]};
        unsigned power = 0;
        bool met = walk(board, cell, steps[i], side, &power);
        met |= walk(board, cell, back, side, &power);
        influence.power[i] = (uint16_t)power;
        influence.open = (uint8_t)(influence.open + !met);
    }
    return influence;
}

// --- The benchmark ---

enum { BOARDS = 16, STONES = 61, TURNS = 10 };

typedef struct {
    Agent agent;
    double sum; // so that no work is left out
    Game boards[BOARDS];
} InfluenceBench;

typedef Influence Evaluation(const Board *board, Cell cell, Side side);

// All candidates of a turn, found and ranked.
static void rank_candidates(InfluenceBench *work, const Game *game, Evaluation *evaluate)
{
    const Board *board = &game->board;
    Side opponent = side_other(board_side(board));
    uint64_t rows[RULES_SIDE_MAX];
    (void)influence_candidates(game, INFLUENCE_REACH, rows);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = rows[row]; cells != 0; cells &= cells - 1) {
            Influence influence = evaluate(board, cell_at(bits_lowest(cells), row), opponent);
            work->sum += influence_rank(&influence, board->rules.k);
        }
}

// The same boards for both: many turns, as one is too short for the clock.
static uint64_t rank_boards(InfluenceBench *work, Evaluation *evaluate)
{
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j < BOARDS; j++)
            rank_candidates(work, &work->boards[j], evaluate);
    return (uint64_t)TURNS * BOARDS;
}

static uint64_t rank_by_lines(void *context)
{
    return rank_boards(context, influence_of);
}

static uint64_t rank_by_cells(void *context)
{
    return rank_boards(context, bench_influence_plain);
}

unsigned bench_influence(double seconds, const atomic_bool *stop, BenchResult results[BENCH_INFLUENCE_RESULTS])
{
    Rules rules;
    InfluenceBench *work = memory_new(1, sizeof *work);
    SliceMedians turns = {0};
    (void)rules_parse(span_of("connect6"), &rules, NULL);
    if (agent_open(&work->agent, span_of("defence"), &rules, NULL) == STATUS_OK &&
        boards_play(&work->agent, &rules, STONES, work->boards, BOARDS))
        turns = slices_measure(seconds, stop, work, rank_by_lines, rank_by_cells);
    agent_close(&work->agent);
    free(work);
    results[0] = (BenchResult){.name = "influence/turn",
                               .unit = "us",
                               .about = "all candidate half-moves ranked, Connect6, 61 stones on the board"};
    results[1] = (BenchResult){.name = "influence/turn/plain", .unit = "x", .about = "times the speed cell by cell"};
    results[0].value = turns.speed > 0 ? 1e6 / turns.speed : 0;
    results[1].value = turns.ratio;
    return turns.speed > 0 && (stop == NULL || !atomic_load(stop)) ? BENCH_INFLUENCE_RESULTS : 0;
}
