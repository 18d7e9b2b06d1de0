// Benchmarks of paper 001: the influence evaluation by line tables, and the accuracy of the threat table.
#include "bench/papers/bench_papers.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "papers/kagami/line_keys_agreement.h"

#include <stdio.h>
#include <stdlib.h>

// Walks along a direction; true if an opposing stone ended the walk.
static bool walk(const Board *board, Cell from, const int step[2], Side side, unsigned *power)
{
    unsigned k = board->rules.k;
    int x = (int)cell_column(from), y = (int)cell_row(from);
    for (unsigned distance = 1; distance < k; distance++) {
        x += step[0];
        y += step[1];
        if (!rules_have_cell(&board->rules, x, y))
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

// A turn begins with 61 stones on the board.
enum { BOARDS = 16, STONES = 61, TURNS = 10 };

typedef struct {
    Game boards[BOARDS];
    double sum; // uses all results, so that the compiler keeps the work
} InfluenceBench;

typedef Influence Evaluation(const Board *board, Cell cell, Side side);

// Finds and ranks all candidates of a turn.
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

// The same boards for both versions; several turns, since one is too short to measure.
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

unsigned bench_influence(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const BoardsBench bench = {
        .game = "connect6",
        .agent = "defence",
        .stones = STONES,
        .count = BOARDS,
        .is_time = true,
        .fast = rank_by_lines,
        .plain = rank_by_cells,
        .results = {{"influence/turn", 0, "us", "all candidate half-moves ranked, Connect6, 61 stones on the board"},
                    {"influence/turn/plain", 0, "x", "times the speed cell by cell"}}};
    InfluenceBench *work = memory_new(1, sizeof *work);
    unsigned count = bench_boards(&bench, work, seconds, stop, results);
    free(work);
    return count;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

unsigned bench_line_keys(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const char *const names[LINE_CASES] = {"apart", "opposed", "near", "middle", "far"};
    LineKeysAgreement cases[LINE_CASES], all = {0};
    const LineKeysSample sample = {.boards = 2000, .turns = 200};
    Rules rules = bench_rules("connect6");
    (void)seconds;
    if (stop_is_raised(stop) || line_keys_agree(&rules, &sample, cases, NULL) != STATUS_OK)
        return 0;
    for (unsigned i = 0; i < LINE_CASES; i++) {
        results[i] = (BenchResult){.value = percent(line_keys_same(&cases[i]), cases[i].turns),
                                   .unit = "%",
                                   .about = "turns whose threats by the table are the exact number"};
        (void)snprintf(results[i].name, sizeof results[i].name, "pattern/%s", names[i]);
        line_keys_add(&all, &cases[i]);
    }
    results[LINE_CASES] = (BenchResult){.name = "pattern/kind",
                                        .value = percent(line_keys_same_kind(&all), all.turns),
                                        .unit = "%",
                                        .about = "turns rightly taken for less than two, two or more threats"};
    results[LINE_CASES + 1] = (BenchResult){.name = "pattern/too_high",
                                            .value = percent(line_keys_too_high(&all), all.turns),
                                            .unit = "%",
                                            .about = "turns taken for more than they are"};
    return LINE_CASES + 2;
}
