#include "bench/bench.h"

#include "agents/agent.h"
#include "base/clock.h"
#include "bench/bench_alphabeta.h"
#include "bench/bench_book.h"
#include "bench/bench_field.h"
#include "bench/bench_forcing.h"
#include "bench/bench_influence.h"
#include "bench/bench_line_keys.h"
#include "bench/bench_montecarlo.h"
#include "bench/bench_patterns.h"
#include "bench/bench_potential.h"
#include "bench/bench_sequences.h"
#include "bench/bench_solve.h"
#include "bench/bench_thinker.h"
#include "bench/naive_board.h"
#include "bench/slices.h"
#include "match/referee.h"
#include "match/runner.h"
#include "rules/perft.h"
#include "search/playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Work: each function does a slice and returns how many stones or leaves it came to ---

typedef struct {
    const Rules *rules;
    unsigned depth;       // of perft
    unsigned naive_depth; // a depth the naive board can do in a slice
    Rng rng;
    uint64_t sink; // results go here, so that no work can be left out
    Board start, board;
    NaiveBoard naive;
} Work;

static uint64_t random_games(void *context)
{
    Work *work = context;
    uint64_t stones = 0;
    while (stones < 200000) {
        board_copy(&work->board, &work->start);
        work->sink += (uint64_t)playout_random(&work->board, &work->rng, &stones) + board_key(&work->board);
    }
    return stones;
}

static uint64_t naive_random_game(void *context)
{
    Work *work = context;
    NaiveBoard *board = &work->naive;
    naive_init(board, work->rules);
    while (!naive_is_over(board)) {
        int column = 0, row = 0;
        do {
            column = (int)rng_below(&work->rng, work->rules->width);
            row = (int)rng_below(&work->rng, work->rules->height);
            while (work->rules->gravity && row > 0 && board->cell[column][row - 1] == '.')
                row--;
            while (work->rules->gravity && row + 1 < work->rules->height && board->cell[column][row] != '.')
                row++;
        } while (board->cell[column][row] != '.');
        naive_play(board, column, row);
    }
    work->sink += (uint64_t)naive_winner(board);
    return (uint64_t)board->stones;
}

static uint64_t perft_leaves(void *context)
{
    Work *work = context;
    Perft perft;
    board_copy(&work->board, &work->start);
    (void)perft_run(&work->board, work->depth, NULL, &perft);
    work->sink += perft.key_sum;
    return perft.counts[work->depth];
}

static uint64_t naive_perft_leaves(void *context)
{
    Work *work = context;
    naive_init(&work->naive, work->rules);
    return naive_perft(&work->naive, (int)work->naive_depth);
}

// --- Measuring ---

static const struct {
    const char *name, *game;
    unsigned depth, naive_depth; // 0: random games
} benchmarks[] = {
    {"random/gomoku", "gomoku", 0, 0},     {"random/connect6", "connect6", 0, 0},
    {"random/connect4", "connect4", 0, 0}, {"perft/connect4/9", "connect4", 9, 5},
    {"perft/gomoku/3", "gomoku", 3, 1},
};

// --- The runner: what a turn costs besides the agent's own time ---

typedef struct {
    uint64_t turns;
    double seconds; // inside agents
} TurnCosts;

static bool add_costs(void *context, const Duel *duel)
{
    TurnCosts *costs = context;
    costs->turns += duel->turns[0] + duel->turns[1];
    costs->seconds += duel->seconds[0] + duel->seconds[1];
    return false;
}

// Microseconds a turn, the median over some matches.
static double measure_runner(double seconds, const atomic_bool *stop)
{
    static const char *const agents[] = {"random", "random"};
    static _Thread_local double costs_of[SLICES_MAX];
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, 50, 0}, .jobs = 1, .stop = stop};
    (void)rules_parse(span_of("gomoku"), &config.rules, NULL);
    unsigned count = 0;
    double end = clock_seconds() + seconds;
    while (count < SLICES_MAX && (count < 3 || clock_seconds() < end)) {
        TurnCosts costs = {0};
        RunnerSink sink = {.context = &costs, .published = add_costs};
        double begin = clock_seconds();
        if (runner_run(&config, &sink, NULL) != STATUS_OK || costs.turns == 0)
            break;
        costs_of[count++] = (clock_seconds() - begin - costs.seconds) * 1e6 / (double)costs.turns;
    }
    return slices_median(costs_of, count);
}

unsigned bench_run(double seconds, const atomic_bool *stop, BenchResult results[BENCH_RESULTS_MAX],
                   BenchProgress progress, void *context)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        Rules rules;
        (void)rules_parse(span_of(benchmarks[i].game), &rules, NULL);
        Work *work = calloc(1, sizeof *work);
        if (work == NULL)
            break;
        work->rules = &rules;
        work->depth = benchmarks[i].depth;
        work->naive_depth = benchmarks[i].naive_depth;
        work->rng = rng_make(i);
        board_init(&work->start, &rules);
        bool is_perft = work->depth > 0;
        double speed = 0, ratio = 0;
        slices_measure(seconds, stop, work, is_perft ? perft_leaves : random_games,
                       is_perft ? naive_perft_leaves : naive_random_game, &speed, &ratio);
        free(work);
        if (stop != NULL && atomic_load(stop))
            break;
        BenchResult pair[2] = {
            {.value = speed,
             .unit = is_perft ? "leaves/s" : "stones/s",
             .about = is_perft ? "every leaf played, with key and win detection" : "random games to their end"},
            {.value = ratio, .unit = "x", .about = "times the speed of the naive board"},
        };
        (void)snprintf(pair[0].name, sizeof pair[0].name, "%s", benchmarks[i].name);
        (void)snprintf(pair[1].name, sizeof pair[1].name, "%s/naive", benchmarks[i].name);
        for (int j = 0; j < 2; j++) {
            results[count++] = pair[j];
            if (progress != NULL)
                progress(context, &pair[j]);
        }
    }
    if (stop != NULL && atomic_load(stop))
        return count;
    BenchResult others[3] = {
        {.name = "match/turn", .unit = "us", .about = "a turn in a match, besides the agent's own time"},
        {.name = "sequences/turn", .unit = "turns/s", .about = "turns of Connect6 chosen with 41 stones on the board"},
        {.name = "sequences/turn/rescan", .unit = "x", .about = "times the speed with all windows scanned anew"},
    };
    others[0].value = measure_runner(seconds, stop);
    bench_sequences(seconds, stop, &others[1].value, &others[2].value);
    for (int i = 0; i < 3; i++) {
        results[count++] = others[i];
        if (progress != NULL)
            progress(context, &others[i]);
    }
    unsigned (*const benchmarks_of[])(double, const atomic_bool *, BenchResult *) = {
        bench_montecarlo, bench_influence, bench_book,  bench_line_keys, bench_forcing, bench_alphabeta,
        bench_potential,  bench_patterns,  bench_solve, bench_field,     bench_thinker};
    for (unsigned i = 0; i < sizeof benchmarks_of / sizeof benchmarks_of[0]; i++)
        for (unsigned more = benchmarks_of[i](seconds, stop, results + count); more > 0; more--, count++)
            if (progress != NULL)
                progress(context, &results[count]);
    return count;
}

// --- The signature ---

static void mix(uint64_t *signature, uint64_t number)
{
    *signature = rng_derive(*signature, number);
}

static void sign_rules(uint64_t *signature, const Rules *rules, uint64_t seed)
{
    Board start, board;
    board_init(&start, rules);
    Perft perft;
    (void)perft_run(&start, rules_cells(rules) > 60 ? 2 : 4, NULL, &perft);
    for (int d = 1; d <= 4; d++) {
        mix(signature, perft.counts[d]);
        mix(signature, perft.wins[d]);
    }
    mix(signature, perft.key_sum);
    Rng rng = rng_make(seed);
    for (int i = 0; i < 20; i++) {
        board_copy(&board, &start);
        mix(signature, (uint64_t)playout_random(&board, &rng, NULL));
        mix(signature, board_key(&board));
    }
}

// One game of each agent against itself, under a small budget of nodes.
static void sign_agents(uint64_t *signature, const Rules *rules, uint64_t seed)
{
    Game *game = malloc(sizeof *game);
    Decision *decision = malloc(sizeof *decision);
    uint64_t played = 0; // agents so far, without those that need a command
    for (int i = 0; i < agent_kind_count && game != NULL && decision != NULL; i++) {
        Agent agent;
        if (!agent_plays_alone(agent_kinds[i], rules) ||
            agent_open(&agent, span_of(agent_kinds[i]->name), rules, NULL) != STATUS_OK)
            continue;
        Rng rng = rng_make(rng_derive(seed, played++));
        AgentTask task = {.budget = {.nodes = 2000}, .rng = &rng};
        game_init(game, rules);
        while (!game_is_over(game)) {
            agent_decide(&agent, game, &task, decision);
            if (referee_play(game, decision, NULL) != STATUS_OK)
                break;
        }
        mix(signature, board_key(&game->board));
        agent_close(&agent);
    }
    free(game);
    free(decision);
}

uint64_t bench_signature(void)
{
    static const char *const games[] = {
        "tictactoe",
        "connect4",
        "connect5",
        "gomoku",
        "standard",
        "connect6",
        "5x4:k=3,p=2,q=1",
        "6x5:k=4,p=3,q=2,gravity",
        "8x8:k=4,p=2,q=1,exact",
        "64x2:k=9,exact",
        "3x40:k=11,gravity",
    };
    uint64_t signature = 0;
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules;
        Status status = rules_parse(span_of(games[i]), &rules, NULL);
        assert(status == STATUS_OK);
        (void)status;
        sign_rules(&signature, &rules, i);
        sign_agents(&signature, &rules, i);
    }
    mix(&signature, bench_thinker_signature());
    return signature;
}
