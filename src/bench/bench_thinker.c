#include "bench/bench_thinker.h"

#include "base/rng.h"
#include "bench/boards.h"
#include "bench/slices.h"
#include "search/thinker.h"

#include <stdio.h>
#include <stdlib.h>

// --- Speed ---

enum { BOARDS = 16, NODES = 20000, MEGABYTES = 4 };

static const struct {
    const char *game, *name, *threads;
    unsigned stones;
} games[] = {
    {"gomoku", "thinker/gomoku", "thinker/gomoku/threads", 10},
    {"connect6", "thinker/connect6", "thinker/connect6/threads", 9},
};

typedef struct {
    Agent agent;
    Thinker *one, *two;
    unsigned next_one, next_two;
    Game boards[BOARDS];
} Work;

static uint64_t think(Thinker *thinker, const Board *board)
{
    ThinkerReport report;
    ThinkerLimits limits = {.nodes = NODES};
    thinker_new_game(thinker);
    thinker_run(thinker, board, &limits, &report);
    return report.nodes;
}

static uint64_t think_alone(void *context)
{
    Work *work = context;
    return think(work->one, &work->boards[work->next_one++ % BOARDS].board);
}

static uint64_t think_together(void *context)
{
    Work *work = context;
    return think(work->two, &work->boards[work->next_two++ % BOARDS].board);
}

static bool prepare(Work *work, const Rules *rules, unsigned stones)
{
    ThinkerOptions one = {.threads = 1, .megabytes = MEGABYTES}, two = {.threads = 2, .megabytes = MEGABYTES};
    return thinker_open(&work->one, &one, rules, NULL) == STATUS_OK &&
           thinker_open(&work->two, &two, rules, NULL) == STATUS_OK &&
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
        slices_measure(seconds, stop, work, think_alone, think_together, &speed, &ratio);
    if (work != NULL) {
        agent_close(&work->agent);
        thinker_close(work->one);
        thinker_close(work->two);
    }
    free(work);
    results[0] = (BenchResult){.value = speed, .unit = "nodes/s", .about = "of the engine, one thread"};
    results[1] = (BenchResult){
        .value = ratio > 0 ? 1 / ratio : 0, .unit = "x", .about = "times as many nodes a second with two threads"};
    (void)snprintf(results[0].name, sizeof results[0].name, "%s", games[game].name);
    (void)snprintf(results[1].name, sizeof results[1].name, "%s", games[game].threads);
    return speed > 0 && (stop == NULL || !atomic_load(stop));
}

unsigned bench_thinker(double seconds, const atomic_bool *stop, BenchResult results[BENCH_THINKER_RESULTS])
{
    for (size_t i = 0; i < BENCH_THINKER_RESULTS / 2; i++)
        if (!measure(i, seconds, stop, &results[2 * i]))
            return 0;
    return BENCH_THINKER_RESULTS;
}

// --- The signature ---

enum { OPENING_STONES = 3, TURNS = 8, TURN_NODES = 1500 };

// Both ways through the tree, every kind of shape table, and rules under which the board fills up.
static const char *const signed_games[] = {
    "gomoku",          "standard",          "connect6",        "9x7:k=5,p=1,q=1,gravity",
    "7x7:k=4,p=2,q=1", "19x19:k=7,p=3,q=1", "12x12:k=4,exact", "64x5:k=5,p=2,q=1",
    "16x16:k=12",      "5x5:k=4",
};

static void mix(uint64_t *signature, uint64_t number)
{
    *signature = rng_derive(*signature, number);
}

// A few stones in the middle of the board.
static void begin(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    for (unsigned i = 0; i < OPENING_STONES; i++) {
        unsigned column = rules->width / 2 - 1 + rng_below(rng, 3), row = rules->height / 2 - 1 + rng_below(rng, 3);
        while (rules->gravity && row > 0 && board_stone(board, cell_at(column, row - 1)) == STONE_NONE)
            row--;
        if (board_stone(board, cell_at(column, row)) == STONE_NONE)
            board_play(board, cell_at(column, row));
    }
}

static void sign_turn(uint64_t *signature, Thinker *thinker, Board *board)
{
    ThinkerReport report;
    ThinkerLimits limits = {.nodes = TURN_NODES, .lines = 2};
    thinker_run(thinker, board, &limits, &report);
    mix(signature, report.nodes);
    mix(signature, report.depth);
    for (unsigned i = 0; i < report.line_count; i++) {
        const ThinkerLine *line = &report.lines[i];
        mix(signature, (uint64_t)(int64_t)line->score);
        for (unsigned j = 0; j < line->turn.count; j++)
            mix(signature, line->turn.stones[j]);
    }
    for (unsigned j = 0; j < report.lines[0].turn.count && !board_is_over(board); j++)
        board_play(board, report.lines[0].turn.stones[j]);
}

uint64_t bench_thinker_signature(void)
{
    uint64_t signature = 0;
    for (unsigned i = 0; i < sizeof signed_games / sizeof signed_games[0]; i++) {
        Rules rules;
        Board board;
        Thinker *thinker = NULL;
        Rng rng = rng_make(i);
        ThinkerOptions options = {.threads = 1, .megabytes = 1};
        Status status = rules_parse(span_of(signed_games[i]), &rules, NULL);
        assert(status == STATUS_OK);
        if (status != STATUS_OK || thinker_open(&thinker, &options, &rules, NULL) != STATUS_OK)
            return 0;
        begin(&board, &rules, &rng);
        for (unsigned turn = 0; turn < TURNS && !board_is_over(&board); turn++)
            sign_turn(&signature, thinker, &board);
        thinker_close(thinker);
    }
    return signature;
}
