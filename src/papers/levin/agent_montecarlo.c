// The agent Monte Carlo of Levin et al. §3.3: plays the candidate cell after which the most random games are won. The
// reasoning of the paper is that stronger moves win more random games.
//
// Where the paper is silent:
// - Candidates are the `candidates` best cells of another agent, `rater`; equals at random. The README of the authors'
//   program says that Sequences chooses them. With candidates=0 all cells are candidates.
// - `reach` leaves only cells within that many steps of a stone, in eight directions: random games hardly distinguish
//   cells far from all stones. On an empty board these are the cells nearest to the centre.
// - The stones of a turn are chosen one after the other, as by all agents of the paper: random games after the first
//   stone of two begin with a random second one. Pairs would be tens of thousands of candidates.
// - A draw counts as half a won game. Equals are chosen at random.
// - A stone that wins is played without random games. A row that needs several stones of the turn is found by random
//   games only with luck; `finish` completes it first.
// - Random opponents seldom punish a threat, so random games undervalue stopping it. While the opponent could complete
//   a row in one turn, `block` leaves only cells in the way as candidates; on connect6 this won 31 of 40 games against
//   block=0. finish=0,block=0 is the agent as the paper describes it.
//
// §6 suggests caching the results of random games: `cache` megabytes keep them for one game. papers/levin/samples.h
// explains why this saves little. Every turn counts `playouts`, and results `reused` from the cache.
//
// Without a search the agent decides turns itself, within a budget. Under a search it rates positions: a candidate has
// the utility (share of games won) - (share lost). The random numbers of a rating come from the seed of the turn and
// the key of the position, and the cache is not used, so a rating does not depend on the order of the search. Limits
// are checked between ratings; each plays `candidates` times `playouts` games, so use fewer than by default.
#include "agents/agent.h"
#include "base/clock.h"
#include "papers/levin/montecarlo.h"
#include "threats/centre.h"
#include "threats/immediate.h"
#include "threats/near.h"

#include <math.h>

// Random games played, and results of earlier ones taken from the cache.
enum { COUNT_PLAYED, COUNT_REUSED };

typedef struct {
    unsigned reach, candidates, playouts;
    bool finish, block;
    Samples samples; // without entries: none are kept
    WindowList windows;
    FinishCells finishing; // how many rows a cell helps to finish
    Agent rater;           // chooses candidates
    Candidate list[RULES_CELLS_MAX];
    double utility[RULES_CELLS_MAX]; // of cells, by the rater
    Game game;                       // the current turn
    double deadline;                 // of the turn
    uint64_t seed;                   // of ratings
} MonteCarlo;

static Status open_rater(MonteCarlo *agent, const AgentConfig *config, Error *error)
{
    const char *text = options_text(&config->options, "rater");
    Status status = agent_open_inner(&agent->rater, text, config, error);
    if (status == STATUS_OK && agent->rater.kind->rate == NULL)
        return error_set(error, STATUS_BAD_INPUT, "option 'rater': '%s' does not rate cells", text);
    if (status == STATUS_OK && agent->rater.search != NULL)
        return error_set(error, STATUS_BAD_INPUT, "option 'rater': '%s' is asked without a search; leave out depth",
                         text);
    return status;
}

static Status open(void *state, const AgentConfig *config, Error *error)
{
    MonteCarlo *agent = state;
    agent->reach = (unsigned)options_int(&config->options, "reach");
    agent->candidates = (unsigned)options_int(&config->options, "candidates");
    agent->playouts = (unsigned)options_int(&config->options, "playouts");
    agent->finish = options_bool(&config->options, "finish");
    agent->block = options_bool(&config->options, "block");
    size_t cache = (size_t)options_int(&config->options, "cache") << 20;
    immediate_windows(&config->rules, &agent->windows);
    Status status = open_rater(agent, config, error);
    return status == STATUS_OK && cache > 0 ? samples_open(&agent->samples, cache, error) : status;
}

// Nothing is kept for the next game, so that a game depends only on its own seed.
static void new_game(void *state)
{
    MonteCarlo *agent = state;
    samples_clear(&agent->samples);
    agent_new_game(&agent->rater);
}

static void close(void *state)
{
    MonteCarlo *agent = state;
    samples_close(&agent->samples);
    agent_close(&agent->rater);
}

// --- Rows that the turn can complete ---

// A stone that begins to complete a row with up to that many stones: the one in most of these rows. False if there is
// none.
static bool find_finish(MonteCarlo *agent, const Board *board, unsigned stones, Cell *finish)
{
    if (immediate_cells(board, &agent->windows, board_side(board), stones, agent->finishing) == 0)
        return false;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    *finish = cells[0];
    for (unsigned i = 1; i < count; i++)
        if (agent->finishing[cells[i]] > agent->finishing[*finish])
            *finish = cells[i];
    return true;
}

// --- Candidates ---

// Lists the cells that are near a stone.
static unsigned take_near(MonteCarlo *agent, const Board *board, const Cell *cells, unsigned legal)
{
    unsigned count = 0;
    for (unsigned i = 0; i < legal; i++) {
        uint64_t near = near_stones_row(board, cell_row(cells[i]), agent->reach);
        if (agent->reach == 0 || (near >> cell_column(cells[i]) & 1) != 0)
            agent->list[count++].cell = cells[i];
    }
    return count;
}

// The rater's utility of each cell; cells that it does not list come last.
static void ask_rater(MonteCarlo *agent)
{
    for (unsigned i = 0; i < RULES_CELLS_MAX; i++)
        agent->utility[i] = -INFINITY;
    agent_rate(&agent->rater, &agent->game);
    const Ratings *ratings = agent->rater.ratings;
    for (unsigned i = 0; i < ratings->count; i++)
        agent->utility[ratings->cells[i].cell] = ratings->cells[i].utility;
}

// Moves the best candidates to the front.
static unsigned keep_best(MonteCarlo *agent, unsigned count)
{
    Candidate *list = agent->list;
    if (agent->candidates == 0 || agent->candidates >= count)
        return count;
    ask_rater(agent);
    for (unsigned i = 0; i < agent->candidates; i++) {
        unsigned best = i;
        for (unsigned j = i + 1; j < count; j++)
            if (agent->utility[list[j].cell] > agent->utility[list[best].cell])
                best = j;
        Candidate swapped = list[i];
        list[i] = list[best];
        list[best] = swapped;
    }
    return agent->candidates;
}

// Lists the cells in the way of the rows that the opponent could complete in its next turn.
static unsigned take_blocks(MonteCarlo *agent, const Board *board, const Cell *cells, unsigned legal)
{
    unsigned count = 0;
    if (!agent->block || immediate_blocks(board, &agent->windows, side_other(board_side(board)), agent->finishing) == 0)
        return 0;
    for (unsigned i = 0; i < legal; i++)
        if (agent->finishing[cells[i]] > 0)
            agent->list[count++].cell = cells[i];
    return count;
}

static unsigned list_candidates(MonteCarlo *agent, const Board *board, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned legal = board_legal_cells(board, cells), count = take_blocks(agent, board, cells, legal);
    if (count == 0)
        count = take_near(agent, board, cells, legal);
    if (board_count(board) == 0 && count == 0)
        legal = centre_cells(board, cells);
    if (count == 0)
        for (; count < legal; count++)
            agent->list[count].cell = cells[count];
    // In a random order, so that a budget that ends early favours no part of the board.
    rng_shuffle(rng, agent->list, count, sizeof agent->list[0]);
    return keep_best(agent, count);
}

// --- A turn ---

// Shares the rest of the turn's budget among the rest of its stones.
static Limits limits_of(const AgentTask *task, double deadline, uint64_t games, unsigned stones)
{
    assert(stones > 0);
    Limits limits = {.stop = task->stop};
    uint64_t most = task->budget.nodes;
    if (most > 0)
        limits.nodes = most > games + stones ? (most - games) / stones : 1;
    if (deadline > 0) {
        double now = clock_seconds();
        limits.deadline = now + (deadline - now) / stones;
    }
    return limits;
}

// The first one of the best candidates, which are in random order.
static const Candidate *best_of(const Candidate *list, unsigned count, Side side)
{
    const Candidate *best = &list[0];
    for (unsigned i = 1; i < count; i++)
        if (montecarlo_share(&list[i], side) > montecarlo_share(best, side))
            best = &list[i];
    return best;
}

// Chooses the next stone; returns the share of games it wins.
static double choose(MonteCarlo *agent, const Board *board, const AgentTask *task, Decision *decision, Cell *stone)
{
    if (find_finish(agent, board, agent->finish ? board_stones_left(board) : 1, stone))
        return 1;
    unsigned count = list_candidates(agent, board, task->rng);
    *stone = agent->list[0].cell;
    if (count == 1)
        return 0.5;
    MonteCarloTask comparison = {
        .board = board,
        .candidates = agent->list,
        .count = count,
        .playouts = agent->playouts,
        .limits = limits_of(task, agent->deadline, decision->nodes, board_stones_left(board)),
        .samples = agent->samples.entries != NULL ? &agent->samples : NULL,
    };
    uint64_t played = montecarlo_compare(&comparison, task->rng), results = 0;
    for (unsigned i = 0; i < count; i++)
        results += agent->list[i].sample.games;
    decision->nodes += played;
    decision->count_list[COUNT_PLAYED].value += played;
    decision->count_list[COUNT_REUSED].value += results - played;
    const Candidate *best = best_of(agent->list, count, board_side(board));
    *stone = best->cell;
    double share = montecarlo_share(best, board_side(board));
    return share >= 0 ? share : 0.5;
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    MonteCarlo *agent = state;
    const Board *board = &agent->game.board;
    game_copy(&agent->game, game);
    Side side = board_side(board);
    agent->deadline = budget_deadline(&task->budget, board);
    decision->counts = 2;
    decision->count_list[COUNT_PLAYED].name = "playouts";
    decision->count_list[COUNT_REUSED].name = "reused";
    while (!board_is_over(board) && board_side(board) == side) {
        Cell stone = CELL_NONE;
        double share = choose(agent, board, task, decision, &stone);
        if (decision->count == 0)
            decision->score = share;
        decision->stones[decision->count++] = stone;
        game_play(&agent->game, stone);
    }
    decision->depth = 1;
    if (board_winner(board) != WINNER_NONE) {
        decision->proven = PROVEN_WIN;
        decision->distance = (int)decision->count;
    }
}

// --- Ratings for a search ---

static void set_seed(void *state, uint64_t seed)
{
    ((MonteCarlo *)state)->seed = seed;
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    MonteCarlo *agent = state;
    const Board *board = &agent->game.board;
    game_copy(&agent->game, game);
    Side side = board_side(board);
    Rng rng = rng_make(rng_derive(agent->seed, board_key(board)));
    Cell stone = CELL_NONE;
    if (find_finish(agent, board, agent->finish ? board_stones_left(board) : 1, &stone)) {
        ratings->cells[ratings->count++] = (RatedCell){stone, 1};
        return;
    }
    MonteCarloTask comparison = {
        .board = board,
        .candidates = agent->list,
        .count = list_candidates(agent, board, &rng),
        .playouts = agent->playouts,
    };
    (void)montecarlo_compare(&comparison, &rng);
    for (unsigned i = 0; i < comparison.count; i++) {
        double share = montecarlo_share(&agent->list[i], side);
        ratings->cells[ratings->count++] = (RatedCell){agent->list[i].cell, 2 * share - 1};
    }
}

static const AgentOption options[] = {
    {"candidates", OPTION_INT, "10", 0, RULES_CELLS_MAX, NULL, "number of cells to compare; 0: all"},
    {"rater", OPTION_INNER, "sequences", 0, 0, NULL, "agent that chooses them; its options are separated by +"},
    {"playouts", OPTION_INT, "1000", 1, 1000000, NULL, "random games for each of them"},
    {"reach", OPTION_INT, "0", 0, 63, NULL, "consider only cells within so many steps of a stone; 0: all"},
    {"finish", OPTION_BOOL, "1", 0, 1, NULL, "complete a row that the turn can complete, without random games"},
    {"block", OPTION_BOOL, "1", 0, 1, NULL, "if the opponent could complete a row, consider only cells in the way"},
    {"cache", OPTION_INT, "4", 0, 1024, NULL,
     "megabytes for results of random games during a game, which save at most a few percent; 0: none"},
    {0},
};

const AgentKind agent_montecarlo = {
    .name = "montecarlo",
    .summary = "plays the cell after which the most random games are won",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, sections 3.3 and 6",
    .options = options,
    .state_size = sizeof(MonteCarlo),
    .open = open,
    .rate = rate,
    .seed = set_seed,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
