// Games of the engine against itself: openings, turns and results.
#include "engine/train/self_play.h"

#include "base/memory.h"
#include "game/game.h"

#include <stdlib.h>

enum {
    MEGABYTES = 4,    // of the transposition table
    BALANCE = 300,    // an opening is undecided up to this score: 82 % for one side
    TRIES = 10,       // openings before one is used whatever its score
    NEAR_SINGLE = 2,  // distance of a random stone from another one, with one stone per turn
    NEAR_TURNS = 3,   // and with several
    VARIED_LINES = 6, // turns to choose from for a varied one
    VARIED_SHARE = 3, // of the positions of another turn are searched for them
};

struct SelfPlay {
    SelfPlayOptions options;
    Search *searches[RULES_SIDE_MAX + 1]; // by side of square boards; 0: the board of the rules
    Game game;
    SearchInfo info;
};

Status self_play_check(const SelfPlayOptions *options, Error *error)
{
    if (!search_suits(&options->rules))
        return error_set(error, STATUS_BAD_INPUT, "the engine searches at most %d stones per turn", SEARCH_TURN_MAX);
    Rules rules = options->rules;
    if (options->largest > 0)
        rules.width = rules.height = (uint8_t)options->largest;
    return rules_check(&rules, error);
}

SelfPlay *self_play_open(const SelfPlayOptions *options)
{
    SelfPlay *player = memory_new(1, sizeof *player);
    player->options = *options;
    return player;
}

void self_play_close(SelfPlay *player)
{
    for (unsigned i = 0; player != NULL && i <= RULES_SIDE_MAX; i++)
        search_close(player->searches[i]);
    free(player);
}

// --- Openings ---

static bool is_near(const Board *board, Cell cell, int near)
{
    for (int row = (int)cell_row(cell) - near; row <= (int)cell_row(cell) + near; row++)
        for (int column = (int)cell_column(cell) - near; column <= (int)cell_column(cell) + near; column++)
            if (rules_have_cell(&board->rules, column, row) &&
                board_stone(board, cell_at((unsigned)column, (unsigned)row)) != STONE_NONE)
                return true;
    return false;
}

// The middle half of the board in both directions.
static bool is_central(const Rules *rules, Cell cell)
{
    unsigned column = 4 * cell_column(cell) + 2, row = 4 * cell_row(cell) + 2;
    return column >= rules->width && column <= 3u * rules->width && row >= rules->height && row <= 3u * rules->height;
}

static Cell random_stone(const Board *board, Rng *rng)
{
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, legal), kept = 0;
    int near = board->rules.p == 1 ? NEAR_SINGLE : NEAR_TURNS;
    for (unsigned i = 0; i < count && !board->rules.gravity; i++)
        if (board_count(board) == 0 ? is_central(&board->rules, legal[i]) : is_near(board, legal[i], near))
            legal[kept++] = legal[i];
    return legal[rng_below(rng, kept > 0 ? kept : count)];
}

// Up to six random stones, or whole turns. False if the game ended.
static bool make_opening(Game *game, const Rules *rules, Rng *rng)
{
    unsigned stones = rules->p == 1 ? 1 + rng_below(rng, 6) : rules->q + rules->p * rng_below(rng, 3);
    game_init(game, rules);
    while (stones-- > 0 && !game_is_over(game))
        game_play(game, random_stone(&game->board, rng));
    return !game_is_over(game);
}

// --- Games ---

static Status open_search(SelfPlay *player, unsigned side, const Rules *rules, Error *error)
{
    SearchOptions options = {.megabytes = MEGABYTES, .network = player->options.network};
    return player->searches[side] != NULL ? STATUS_OK : search_open(&player->searches[side], &options, rules, error);
}

static void think(SelfPlay *player, Search *search, unsigned lines, Rng *rng, const atomic_bool *stop)
{
    uint64_t nodes = player->options.nodes / (lines > 1 ? VARIED_SHARE : 1);
    SearchLimits limits = {.limits.stop = stop, .lines = lines};
    limits.limits.nodes = nodes - nodes / 4 + rng_below(rng, (uint32_t)(nodes / 2 + 1));
    search_run(search, &player->game.board, &limits, &player->info);
}

// Ends with the search of the first turn after the opening.
static void begin(SelfPlay *player, Search *search, const Rules *rules, Rng *rng, const atomic_bool *stop)
{
    for (unsigned tries = 1;; tries++) {
        if (!make_opening(&player->game, rules, rng)) {
            if (tries < TRIES)
                continue;
            game_init(&player->game, rules);
        }
        search_new_game(search);
        think(player, search, 1, rng, stop);
        if (tries >= TRIES || abs(player->info.lines[0].score) <= BALANCE || stop_is_raised(stop))
            return;
    }
}

// Plays one of the turns that the search has found; adds its stones and their score.
static void play_turn(SelfPlay *player, const SearchLine *line, int score, ScoredGame *game)
{
    for (unsigned i = 0; i < line->turn.count; i++) {
        game->scores[player->game.played] = (int16_t)score;
        game_play(&player->game, line->turn.stones[i]);
    }
}

// A turn at random, but not one that is known to lose.
static void vary_turn(SelfPlay *player, Search *search, Rng *rng, const atomic_bool *stop, ScoredGame *game)
{
    const SearchInfo *info = &player->info;
    unsigned count = 1;
    think(player, search, VARIED_LINES, rng, stop);
    while (count < info->line_count && search_distance(info->lines[count].score) < 0)
        count++;
    play_turn(player, &info->lines[rng_below(rng, count)], SCORED_NONE, game);
}

// Plays until the end, or until the result is proven.
static void play_turns(SelfPlay *player, Search *search, Rng *rng, const atomic_bool *stop, ScoredGame *game)
{
    unsigned varied = rng_below(rng, 2) == 0 ? player->options.varied : 0;
    while (!stop_is_raised(stop) && search_distance(player->info.lines[0].score) < 0) {
        if (varied > 0 && rng_below(rng, 100) < varied)
            vary_turn(player, search, rng, stop, game);
        else
            play_turn(player, &player->info.lines[0], player->info.lines[0].score, game);
        if (game_is_over(&player->game))
            break;
        think(player, search, 1, rng, stop);
    }
}

static void set_result(ScoredGame *game, const Game *played, const SearchLine *proven)
{
    Winner winner = board_winner(&played->board);
    if (!game_is_over(played)) {
        bool first_wins = (proven->score > 0) == (board_side(&played->board) == SIDE_FIRST);
        winner = first_wins ? WINNER_FIRST : WINNER_SECOND;
    }
    game->doubled = winner == WINNER_FIRST ? 2 : winner == WINNER_SECOND ? 0 : 1;
}

Status self_play_game(SelfPlay *player, uint64_t number, const atomic_bool *stop, ScoredGame *game, Error *error)
{
    const SelfPlayOptions *options = &player->options;
    Rng rng = rng_make(rng_derive(options->seed, number));
    Rules rules = options->rules;
    unsigned side = 0;
    if (options->largest > 0) {
        side = options->smallest + rng_below(&rng, options->largest - options->smallest + 1);
        rules.width = rules.height = (uint8_t)side;
    }
    Status status = open_search(player, side, &rules, error);
    if (status != STATUS_OK)
        return status;
    Search *search = player->searches[side];
    begin(player, search, &rules, &rng, stop);
    *game = (ScoredGame){.width = rules.width, .height = rules.height, .opening = player->game.played};
    for (unsigned i = 0; i < game->opening; i++)
        game->scores[i] = SCORED_NONE;
    play_turns(player, search, &rng, stop, game);
    if (stop_is_raised(stop))
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    game->count = player->game.played;
    for (unsigned i = 0; i < game->count; i++)
        game->stones[i] = player->game.stones[i];
    set_result(game, &player->game, &player->info.lines[0]);
    return STATUS_OK;
}
