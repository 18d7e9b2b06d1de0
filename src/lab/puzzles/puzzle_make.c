// Makes puzzles from games.
#include "lab/puzzles/puzzle_make.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "game/fen.h"
#include "lab/puzzles/puzzle_check.h"
#include "lab/puzzles/puzzle_grade.h"

#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 32,             // games between two calls of `keep`
    FRUITLESS_MAX = 200000, // games without a puzzle before giving up
    RANDOM_TURNS = 3,       // at most, at the beginning of a game
};

// Players of games: fast, with errors, but they complete rows and never lose at once. So both sides attack, and attacks
// cross.
static const char *const player_names[] = {"level:slip=0.05,thinker=sequences", "level:slip=0.2,thinker=sequences",
                                           "level:slip=0.4,thinker=sequences"};
enum { PLAYERS = sizeof player_names / sizeof player_names[0] };

// One per thread.
typedef struct {
    PuzzleJudge *judge;
    PuzzleGrader grader;
    Agent players[PLAYERS];
} Worker;

// The puzzles of one game: at most one for each side, since the next turn of an attack is the same puzzle.
typedef struct {
    unsigned count;
    Puzzle puzzles[2];
    uint64_t keys[2]; // of the canonical positions
} Found;

typedef struct {
    Puzzles *puzzles;
    const PuzzleRecipe *recipe;
    PuzzleEffort effort;
    Worker *workers;
    uint64_t first; // game of the batch
    Found found[BATCH];
    size_t key_capacity, key_count;
    uint64_t *keys; // of all puzzles of the collection
} Making;

// --- Games ---

// A random stone near the middle of the board.
static Cell random_cell(const Board *board, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX], near[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells), near_count = 0;
    int width = board->rules.width, height = board->rules.gravity ? 0 : board->rules.height;
    for (unsigned i = 0; i < count; i++) {
        int x = 2 * (int)cell_column(cells[i]) + 1 - width;
        int y = height == 0 ? 0 : 2 * (int)cell_row(cells[i]) + 1 - height;
        if (abs(x) <= width / 2 && abs(y) <= height / 2)
            near[near_count++] = cells[i];
    }
    return near_count > 0 ? near[rng_below(rng, near_count)] : cells[rng_below(rng, count)];
}

static void begin_at_random(Game *game, Rng *rng)
{
    unsigned turns = 1 + rng_below(rng, RANDOM_TURNS);
    for (unsigned i = 0; i < turns; i++)
        for (unsigned left = board_stones_left(&game->board); left > 0 && !game_is_over(game); left--)
            game_play(game, random_cell(&game->board, rng));
}

// A game between two players.
static void play_game(Worker *worker, const Making *making, uint64_t number, Game *game)
{
    Rng rng = rng_make(rng_derive(making->puzzles->seed, number));
    Agent *players[2] = {&worker->players[rng_below(&rng, PLAYERS)], &worker->players[rng_below(&rng, PLAYERS)]};
    game_init(game, &making->puzzles->rules);
    begin_at_random(game, &rng);
    while (!game_is_over(game) && !stop_is_raised(making->recipe->stop)) {
        PuzzleTurn turn = puzzle_agent_turn(players[board_side(&game->board)], game, &rng, making->recipe->stop);
        if (turn.count == 0)
            return;
        for (unsigned i = 0; i < turn.count && !game_is_over(game); i++)
            game_play(game, turn.cells[i]);
    }
}

static bool given_game(const Making *making, uint64_t number, Game *game)
{
    game_init(game, &making->puzzles->rules);
    return opening_play(&making->recipe->given->list[number], game, NULL) == STATUS_OK;
}

// --- Positions ---

// The fewest turns of a win.
static unsigned least_turns(const Making *making)
{
    unsigned least = making->recipe->least_turns;
    return least > 0 ? least : making->puzzles->rules.p > 1 ? 2 : 3;
}

// Wins in the fewest turns are by far the most frequent: they may be half of a collection.
static bool has_room(const Making *making, unsigned turns)
{
    const Puzzles *puzzles = making->puzzles;
    unsigned least = least_turns(making), count = 0;
    if (turns != least)
        return true;
    for (unsigned i = 0; i < puzzles->count; i++)
        count += puzzles->list[i].turns == least;
    return 2 * count < making->recipe->count;
}

static bool is_wanted(const Making *making, const PuzzleFinding *finding)
{
    return finding->is_puzzle && (finding->turns == 0 || finding->turns >= least_turns(making)) &&
           has_room(making, finding->turns);
}

// Whether the first `count` levels together, and the last of them alone, solve it no more often than allowed.
static bool is_hard_enough(const Making *making, const Puzzle *puzzle)
{
    unsigned solved = 0, tried = 0, count = puzzle->level_count > 3 ? 3 : 1;
    double most = making->recipe->most_easy > 0 ? making->recipe->most_easy : 0.5;
    for (unsigned i = 0; i < count; i++) {
        solved += puzzle->levels[i].solved;
        tried += puzzle->levels[i].tried;
    }
    const PuzzleLevel *last = &puzzle->levels[count - 1];
    return solved <= most * tried && last->solved <= most * last->tried;
}

static PuzzleTurn last_turn(const Game *game)
{
    unsigned count = game_last_turn(game);
    return puzzle_turn_of(game->stones + game->played - count, count < PUZZLE_STONES_MAX ? count : PUZZLE_STONES_MAX);
}

// Whether a puzzle passes the check of `krow puzzles verify`, which searches more than the making.
static bool passes(Worker *worker, const Making *making, const Puzzle *puzzle)
{
    PuzzleEffort more = making->effort;
    more.nodes *= PUZZLE_CHECK_NODES / PUZZLE_NODES;
    PuzzleCheck check;
    return puzzle_check(worker->judge, making->puzzles, puzzle, &more, &check, NULL) == STATUS_OK;
}

// Proves, checks and grades a position; false if it cannot be proved, does not pass or is too easy.
static bool finish(Worker *worker, const Making *making, const Game *game, const PuzzleFinding *finding, Puzzle *puzzle)
{
    const atomic_bool *stop = making->recipe->stop;
    Text proof = {0}, start = {0};
    fen_write(&game->board, &start);
    *puzzle = (Puzzle){.start = start.data,
                       .goal = finding->goal,
                       .solution = finding->solution,
                       .turns = finding->turns,
                       .last = last_turn(game)};
    bool is_good = puzzle_judge_prove(worker->judge, &game->board, finding, stop, &proof, NULL) == STATUS_OK;
    puzzle->proof = proof.data;
    puzzle->proof_length = proof.length;
    is_good = is_good && passes(worker, making, puzzle);
    if (is_good)
        puzzle_grade(&worker->grader, game, puzzle, stop);
    is_good = is_good && is_hard_enough(making, puzzle);
    if (!is_good)
        puzzle_close(puzzle);
    return is_good;
}

static void try_position(Worker *worker, const Making *making, const Game *game, bool has[2], Found *found)
{
    Side side = board_side(&game->board);
    PuzzleFinding finding;
    if (has[side])
        return;
    puzzle_judge_position(worker->judge, &game->board, &making->effort, &finding);
    if (!is_wanted(making, &finding) || !finish(worker, making, game, &finding, &found->puzzles[found->count]))
        return;
    found->keys[found->count++] = puzzle_key(&game->board);
    has[side] = true;
}

// Examines every position of a game at the beginning of a turn.
static bool examine(void *context, unsigned thread, uint64_t item)
{
    Making *making = context;
    Worker *worker = &making->workers[thread];
    Found *found = &making->found[item];
    const Openings *given = making->recipe->given;
    uint64_t number = making->first + item;
    Game *whole = memory_new(1, sizeof *whole), *game = memory_new(1, sizeof *game);
    bool has[2] = {false, false}, is_good = puzzle_judge_clear(worker->judge, NULL) == STATUS_OK;
    *found = (Found){0};
    if (given != NULL && given->count > 0)
        is_good = is_good && number < given->count && given_game(making, number, whole);
    else if (is_good)
        play_game(worker, making, number, whole);
    game_init(game, &making->puzzles->rules);
    for (unsigned i = 0; is_good && i < whole->played && !stop_is_raised(making->recipe->stop); i++) {
        game_play(game, whole->stones[i]);
        bool begins = !game_is_over(game) && board_stones_left(&game->board) == game->board.rules.p;
        if (begins && i + 1 >= game->board.rules.k)
            try_position(worker, making, game, has, found);
    }
    free(whole);
    free(game);
    return !stop_is_raised(making->recipe->stop);
}

// --- The collection ---

static bool is_known(const Making *making, uint64_t key)
{
    for (size_t i = 0; i < making->key_count; i++)
        if (making->keys[i] == key)
            return true;
    return false;
}

static void note_key(Making *making, uint64_t key)
{
    making->keys = array_grow(making->keys, &making->key_capacity, making->key_count + 1, sizeof making->keys[0]);
    making->keys[making->key_count++] = key;
}

static Status note_keys(Making *making, Error *error)
{
    Game *game = memory_new(1, sizeof *game);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < making->puzzles->count && status == STATUS_OK; i++) {
        status = puzzle_game(making->puzzles, &making->puzzles->list[i], game, error);
        if (status == STATUS_OK)
            note_key(making, puzzle_key(&game->board));
    }
    free(game);
    return status;
}

// Adds the puzzles of a batch in the order of its games, as many as are wanted; returns whether that was all.
static bool take_batch(Making *making, unsigned games)
{
    Puzzles *puzzles = making->puzzles;
    unsigned first = making->recipe->first > 0 ? making->recipe->first : 1;
    for (unsigned i = 0; i < games; i++) {
        Found *found = &making->found[i];
        bool goes_on = puzzles->count < making->recipe->count;
        puzzles->games += goes_on;
        for (unsigned j = 0; j < found->count; j++) {
            Puzzle *puzzle = &found->puzzles[j];
            if (puzzles->count >= making->recipe->count || is_known(making, found->keys[j]) ||
                !has_room(making, puzzle->turns)) {
                puzzle_close(puzzle);
                continue;
            }
            note_key(making, found->keys[j]);
            puzzle->number = puzzles->count > 0 ? puzzles->list[puzzles->count - 1].number + 1 : first;
            puzzles_add(puzzles, puzzle);
        }
    }
    return puzzles->count < making->recipe->count;
}

static void drop_batch(Making *making)
{
    for (unsigned i = 0; i < BATCH; i++)
        for (unsigned j = 0; j < making->found[i].count; j++)
            puzzle_close(&making->found[i].puzzles[j]);
}

// Plays batches until there are enough puzzles.
static Status make_batches(Making *making, Error *error)
{
    const PuzzleRecipe *recipe = making->recipe;
    Puzzles *puzzles = making->puzzles;
    uint64_t given = recipe->given != NULL ? recipe->given->count : 0, fruitless = 0;
    Status status = STATUS_OK;
    for (bool goes_on = puzzles->count < recipe->count; goes_on && status == STATUS_OK;) {
        unsigned before = puzzles->count, games = BATCH;
        making->first = puzzles->games;
        if (given > 0)
            games = making->first >= given          ? 0
                    : given - making->first < BATCH ? (unsigned)(given - making->first)
                                                    : BATCH;
        if (games == 0 || fruitless > FRUITLESS_MAX)
            return error_set(error, STATUS_FAILED, "only %u of %u puzzles were found in %llu games", puzzles->count,
                             recipe->count, (unsigned long long)puzzles->games);
        memset(making->found, 0, sizeof making->found);
        if (!parallel_for(recipe->jobs, games, examine, making) || stop_is_raised(recipe->stop)) {
            drop_batch(making);
            return error_set(error, STATUS_INTERRUPTED, "interrupted after %u puzzles", puzzles->count);
        }
        goes_on = take_batch(making, games);
        fruitless = puzzles->count > before ? 0 : fruitless + games;
        if (recipe->keep != NULL)
            status = recipe->keep(recipe->context, puzzles, error);
    }
    return status;
}

static Status open_worker(Worker *worker, const Rules *rules, Error *error)
{
    Status status = puzzle_judge_open(&worker->judge, rules, error);
    if (status == STATUS_OK)
        status = puzzle_grader_open(&worker->grader, rules, error);
    for (unsigned i = 0; i < PLAYERS && status == STATUS_OK; i++)
        status = agent_open(&worker->players[i], span_of(player_names[i]), rules, error);
    return status;
}

static void close_worker(Worker *worker)
{
    puzzle_judge_close(worker->judge);
    puzzle_grader_close(&worker->grader);
    for (unsigned i = 0; i < PLAYERS; i++)
        agent_close(&worker->players[i]);
}

Status puzzles_make(Puzzles *puzzles, const PuzzleRecipe *recipe, Error *error)
{
    Making *making = memory_new(1, sizeof *making);
    making->puzzles = puzzles;
    making->recipe = recipe;
    making->effort = (PuzzleEffort){.nodes = recipe->nodes > 0 ? recipe->nodes : PUZZLE_NODES, .stop = recipe->stop};
    making->workers = memory_new(recipe->jobs, sizeof making->workers[0]);
    Status status = note_keys(making, error);
    for (unsigned i = 0; i < recipe->jobs && status == STATUS_OK; i++)
        status = open_worker(&making->workers[i], &puzzles->rules, error);
    if (status == STATUS_OK)
        status = make_batches(making, error);
    for (unsigned i = 0; i < recipe->jobs; i++)
        close_worker(&making->workers[i]);
    free(making->workers);
    free(making->keys);
    free(making);
    return status;
}
