// Benchmarks of paper 000: the agent `sequences`, random games of the agent `montecarlo`, and the search with ratings.
#include "bench/papers/bench_papers.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/naive_board.h"
#include "threats/near.h"

#include <stdlib.h>

// --- Sequences ---

// A turn begins with 41 stones on the board.
enum { BOARDS = 16, STONES = 41, TURNS = 20 };

typedef struct {
    Game boards[BOARDS];
    unsigned board; // the one of this slice
    Agent fast, plain;
    Rng rng;
    Decision decision;
} SequencesBench;

static void choose_turn(SequencesBench *work, Agent *agent)
{
    AgentTask task = {.rng = &work->rng};
    agent_decide(agent, &work->boards[work->board], &task, &work->decision);
}

static uint64_t choose_by_rescan(void *context)
{
    SequencesBench *work = context;
    work->board = (work->board + 1) % BOARDS;
    choose_turn(work, &work->plain);
    return 1;
}

// Uses the board of the plain version. Several turns, since one is too short to measure; each begins with one stone to
// be taken back.
static uint64_t choose_by_stones(void *context)
{
    SequencesBench *work = context;
    for (int i = 0; i < TURNS; i++)
        choose_turn(work, &work->fast);
    return TURNS;
}

unsigned bench_sequences(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const BoardsBench bench = {
        .game = "connect6",
        .agent = "sequences",
        .stones = STONES,
        .count = BOARDS,
        .fast = choose_by_stones,
        .plain = choose_by_rescan,
        .results = {{"sequences/turn", 0, "turns/s", "turns of Connect6 chosen with 41 stones on the board"},
                    {"sequences/turn/rescan", 0, "x", "times the speed of rescanning all windows"}}};
    Rules rules = bench_rules(bench.game);
    SequencesBench *work = memory_new(1, sizeof *work);
    unsigned count = 0;
    if (agent_open(&work->fast, span_of("sequences"), &rules, NULL) == STATUS_OK &&
        agent_open(&work->plain, span_of("sequences:update=rescan"), &rules, NULL) == STATUS_OK)
        count = bench_boards(&bench, work, seconds, stop, results);
    agent_close(&work->fast);
    agent_close(&work->plain);
    free(work);
    return count;
}

// --- Monte Carlo ---

typedef struct {
    Rules rules;
    Agent agent;
    Rng rng;
    Game game;
    Decision decision;
    NaiveBoard naive;
    uint64_t sink; // uses all results, so that the compiler keeps the work
    double seconds;
    const atomic_bool *stop;
} MonteCarloBench;

// --- Random games ---

// A turn on the empty board without prior results; every cell is a candidate.
static uint64_t games_of_agent(void *context)
{
    MonteCarloBench *work = context;
    AgentTask task = {.rng = &work->rng};
    agent_new_game(&work->agent);
    agent_decide(&work->agent, &work->game, &task, &work->decision);
    return work->decision.nodes;
}

static uint64_t naive_game(void *context)
{
    MonteCarloBench *work = context;
    NaiveBoard *board = &work->naive;
    naive_init(board, &work->rules);
    while (!naive_is_over(board)) {
        int column = (int)rng_below(&work->rng, work->rules.width),
            row = (int)rng_below(&work->rng, work->rules.height);
        if (naive_is_legal(board, column, row))
            naive_play(board, column, row);
    }
    work->sink += (uint64_t)naive_winner(board);
    return 1;
}

// --- The search ---

static uint64_t nodes_of_search(void *context)
{
    MonteCarloBench *work = context;
    AgentTask task = {.rng = &work->rng};
    agent_decide(&work->agent, &work->game, &task, &work->decision);
    return work->decision.nodes;
}

// The same agent without search, to measure the cost of a rating.
static uint64_t nodes_of_ratings(void *context)
{
    enum { RATINGS = 100 };
    MonteCarloBench *work = context;
    for (int i = 0; i < RATINGS; i++) {
        agent_rate(&work->agent, &work->game);
        work->sink += work->agent.ratings->count;
    }
    return RATINGS;
}

// Rates cells near stones with fixed utilities, and boards with arbitrary values.
static void rate_by_key(void *context, const Game *game, Ratings *ratings)
{
    (void)context;
    const Board *board = &game->board;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = board_legal_row(board, row) & near_stones_row(board, row, 1); cells != 0;
             cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            ratings->cells[ratings->count++] = (RatedCell){cell, (double)(rng_derive(1, cell) >> 40)};
        }
    ratings->value = (double)(rng_derive(board_key(board), CELL_NONE) >> 40) - 0x1p23;
}

static uint64_t count_nodes(const MonteCarloBench *work, bool unmarked)
{
    MinimaxOptions options = {.depth = 4, .width = 8, .unmarked = unmarked};
    Limits limits = {0};
    Rater rater = {rate_by_key, NULL};
    Rng rng = rng_make(1);
    Minimax *search = NULL;
    NegamaxResult result = {0};
    if (minimax_open(&search, &options, &work->rules, NULL) == STATUS_OK)
        result = minimax_run(search, &work->game, &rater, &limits, &rng);
    minimax_close(search);
    return result.nodes;
}

// The ratio of nodes without marks to nodes with marks. Independent of the clock and the machine.
static double nodes_without_marks(const MonteCarloBench *work)
{
    uint64_t marked = count_nodes(work, false), unmarked = count_nodes(work, true);
    return marked > 0 ? (double)unmarked / (double)marked : 0;
}

// --- All of these ---

// Plays a game of `adjacent` against itself up to a number of stones.
static void play_some(MonteCarloBench *work, unsigned stones)
{
    Agent agent;
    if (agent_open(&agent, span_of("adjacent"), &work->rules, NULL) != STATUS_OK)
        return;
    AgentTask task = {.rng = &work->rng};
    while (work->game.played < stones && !game_is_over(&work->game)) {
        agent_decide(&agent, &work->game, &task, &work->decision);
        for (unsigned i = 0; i < work->decision.count; i++)
            game_play(&work->game, work->decision.stones[i]);
    }
    agent_close(&agent);
}

static void measure(MonteCarloBench *work, const char *agent, SliceWork *fast, SliceWork *plain, BenchResult pair[2])
{
    SliceMedians found = {0};
    if (agent_open(&work->agent, span_of(agent), &work->rules, NULL) == STATUS_OK)
        found = slices_measure(work->seconds, work->stop, work, fast, plain);
    pair[0].value = found.speed;
    pair[1].value = found.ratio;
    agent_close(&work->agent);
}

unsigned bench_montecarlo(double seconds, const atomic_bool *stop, BenchResult *results)
{
    enum { RESULTS = 5 };
    static const BenchResult all[RESULTS] = {
        {"montecarlo/games", 0, "games/s", "random games of Connect6 from the empty board"},
        {"montecarlo/games/naive", 0, "x", "times the speed of the naive board"},
        {"search/adjacent", 0, "nodes/s", "Connect6, 21 stones on the board, depth 4, width 8"},
        {"search/adjacent/rate", 0, "x", "times the speed of rating every node once, and no more"},
        {"search/marks", 0, "x", "times as many nodes without marks for sets of stones"}};
    MonteCarloBench *work = memory_new(1, sizeof *work);
    work->seconds = seconds;
    work->stop = stop;
    for (int i = 0; i < RESULTS; i++)
        results[i] = all[i];
    work->rules = bench_rules("connect6");
    work->rng = rng_make(1);
    game_init(&work->game, &work->rules);
    measure(work, "montecarlo:candidates=0,playouts=3", games_of_agent, naive_game, results);
    work->rng = rng_make(1); // the number of slices must not change the board
    play_some(work, 21);
    measure(work, "adjacent:depth=4,width=8", nodes_of_search, nodes_of_ratings, results + 2);
    results[4].value = nodes_without_marks(work);
    free(work);
    return stop_is_raised(stop) ? 0 : RESULTS;
}
