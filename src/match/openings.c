// Lists of openings, and random openings that are distinct under symmetry.
#include "match/openings.h"

#include "base/memory.h"
#include "engine/search/search.h"
#include "game/symmetry.h"
#include "threats/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tries without a new opening after which generation fails.
enum { OPENING_TRIES = 50000, BALANCED_TRIES = 2000 };

// A search of so many positions takes some 5 ms; one candidate in two to five is balanced.
enum { BALANCED_NODES = 3000, CANDIDATES_LEAST = 200, CANDIDATES_PER_OPENING = 20 };

void openings_add(Openings *openings, const Cell *stones, unsigned count)
{
    openings->list = array_grow(openings->list, &openings->capacity, openings->count + 1, sizeof *openings->list);
    Cell *copy = memory_new(count + 1, sizeof *copy);
    if (count > 0)
        memcpy(copy, stones, count * sizeof *copy);
    openings->list[openings->count++] = (Opening){count, copy};
}

void openings_close(Openings *openings)
{
    for (unsigned i = 0; i < openings->count; i++)
        free(openings->list[i].stones);
    free(openings->list);
    *openings = (Openings){0};
}

Status opening_play(const Opening *opening, Game *game, Error *error)
{
    for (unsigned i = 0; i < opening->count; i++) {
        Status status = game_try(game, opening->stones[i], error);
        if (status != STATUS_OK) {
            error_prefix(error, "stone %u of the opening: ", i + 1);
            return status;
        }
    }
    if (game_is_over(game))
        return error_set(error, STATUS_BAD_INPUT, "the opening ends the game");
    return STATUS_OK;
}

OpeningRecipe opening_recipe(const Rules *rules, uint64_t seed)
{
    unsigned turns = rules_cells(rules) / (4u * rules->p);
    return (OpeningRecipe){
        .agent = "adjacent",
        .chance = 0.5,
        .min_turns = 1,
        .max_turns = turns < 1    ? 1
                     : turns > 10 ? 10
                                  : turns,
        .seed = seed,
    };
}

OpeningRecipe opening_recipe_balanced(const Rules *rules, uint64_t seed, unsigned wanted)
{
    OpeningRecipe recipe = opening_recipe(rules, seed);
    recipe.agent = "adjacent:reach=2";
    recipe.chance = 0;
    recipe.max_turns = recipe.max_turns < 8 ? recipe.max_turns : 8;
    recipe.min_turns = recipe.max_turns < 3 ? recipe.max_turns : 3;
    recipe.balanced = BALANCED_NODES;
    recipe.candidates = CANDIDATES_LEAST + CANDIDATES_PER_OPENING * wanted;
    return recipe;
}

typedef struct {
    const OpeningRecipe *recipe;
    Agent agent;
    Rng rng;
    uint64_t *seen; // canonical keys of the positions that were considered, open addressing, 0 is free
    size_t seen_size, seen_count;
    Decision *decision;
    Agent search; // finds forced wins; closed if not needed
    Agent judge;  // evaluates balance; closed if not needed
    unsigned judged;
} Maker;

static size_t place_of(const Maker *maker, uint64_t key)
{
    size_t at = key & (maker->seen_size - 1);
    while (maker->seen[at] != 0 && maker->seen[at] != key)
        at = (at + 1) & (maker->seen_size - 1);
    return at;
}

static void grow(Maker *maker)
{
    uint64_t *old = maker->seen;
    size_t old_size = maker->seen_size;
    maker->seen_size = old_size > 0 ? 2 * old_size : 1024;
    maker->seen = memory_new(maker->seen_size, sizeof *maker->seen);
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != 0)
            maker->seen[place_of(maker, old[i])] = old[i];
    free(old);
}

// Adds a key to the set; false if it is present. The set is at most half full.
static bool remember(Maker *maker, uint64_t key)
{
    key = key != 0 ? key : 1;
    if (2 * (maker->seen_count + 1) > maker->seen_size)
        grow(maker);
    size_t at = place_of(maker, key);
    bool is_new = maker->seen[at] == 0;
    maker->seen[at] = key;
    maker->seen_count += is_new;
    return is_new;
}

// Plays one turn of the agent, with some stones at random instead. False if the game is over.
static bool play_turn(Maker *maker, Game *game)
{
    Side side = board_side(&game->board);
    while (!game_is_over(game) && board_side(&game->board) == side) {
        bool is_random = rng_below(&maker->rng, 1000000) < maker->recipe->chance * 1000000;
        Cell cell = CELL_NONE;
        if (is_random) {
            Cell cells[RULES_CELLS_MAX];
            cell = cells[rng_below(&maker->rng, board_legal_cells(&game->board, cells))];
        } else {
            AgentTask task = {.budget = {.depth = 1, .nodes = 1000}, .rng = &maker->rng, .stop = maker->recipe->stop};
            agent_decide(&maker->agent, game, &task, maker->decision);
            if (maker->decision->fault != FAULT_NONE || maker->decision->count == 0)
                return false;
            cell = maker->decision->stones[0];
        }
        if (game_try(game, cell, NULL) != STATUS_OK)
            return false;
    }
    return !game_is_over(game);
}

// Whether neither side can complete a row in its next turn, so neither has a threat.
static bool is_quiet(const Board *board)
{
    Side mover = board_side(board);
    return !lines_can_complete(board, mover, board_stones_left(board)) &&
           !lines_can_complete(board, side_other(mover), board->rules.p) && !lines_are_dead(board);
}

static bool is_new(Maker *maker, const Board *board)
{
    Board canonical;
    (void)symmetry_canonical(board, &canonical);
    return remember(maker, board_key(&canonical));
}

// Whether a search finds no forced win of either side within the depth.
static bool is_undecided(Maker *maker, const Game *game)
{
    AgentTask task = {.budget = {.depth = maker->recipe->undecided}, .rng = &maker->rng, .stop = maker->recipe->stop};
    agent_decide(&maker->search, game, &task, maker->decision);
    return maker->decision->proven != PROVEN_WIN && maker->decision->proven != PROVEN_LOSS;
}

// Two units of the engine's score multiply the odds by e, so 0.8 is a chance of 60 %.
static bool is_balanced(Maker *maker, const Game *game)
{
    static const double most = 0.8;
    AgentTask task = {.budget = {.nodes = maker->recipe->balanced}, .rng = &maker->rng, .stop = maker->recipe->stop};
    maker->judged++;
    agent_new_game(&maker->judge);
    agent_decide(&maker->judge, game, &task, maker->decision);
    const Decision *decision = maker->decision;
    return decision->proven == PROVEN_DRAW || (decision->proven == PROVEN_NOTHING && fabs(decision->score) <= most);
}

// A uniformly random number of turns between the minimum and `most`.
static unsigned draw_turns(Maker *maker, unsigned most)
{
    unsigned least = maker->recipe->min_turns;
    return least + rng_below(&maker->rng, most - least + 1);
}

// Plays this number of turns; false if the game ends before.
static bool play_turns(Maker *maker, Game *game, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++)
        if (!play_turn(maker, game))
            return false;
    return true;
}

// Plays a whole game and goes back to one of its positions; false if no position has enough turns.
static bool play_whole(Maker *maker, Game *game)
{
    unsigned turns = 0, stones[RULES_CELLS_MAX + 1]; // stones[i]: on the board after i turns
    for (stones[0] = 0; play_turn(maker, game); stones[turns] = game->played)
        turns++;
    unsigned most = turns < maker->recipe->max_turns ? turns : maker->recipe->max_turns;
    if (most < maker->recipe->min_turns)
        return false;
    unsigned wanted = stones[draw_turns(maker, most)];
    while (game->played > wanted)
        (void)game_undo(game);
    return true;
}

static bool try_opening(Maker *maker, const Rules *rules, Game *game)
{
    const OpeningRecipe *recipe = maker->recipe;
    game_init(game, rules);
    bool wanted = recipe->undecided > 0 ? play_whole(maker, game) && is_undecided(maker, game)
                                        : play_turns(maker, game, draw_turns(maker, recipe->max_turns));
    return wanted && (recipe->keep_unquiet || is_quiet(&game->board)) && is_new(maker, &game->board) &&
           (recipe->balanced == 0 || is_balanced(maker, game));
}

static Status make(Maker *maker, const Rules *rules, unsigned wanted, Openings *openings, Error *error)
{
    Game game;
    const OpeningRecipe *recipe = maker->recipe;
    unsigned most = recipe->balanced > 0 ? BALANCED_TRIES : OPENING_TRIES, tries = most;
    while (openings->count < wanted) {
        if (recipe->stop != NULL && atomic_load(recipe->stop))
            return error_set(error, STATUS_FAILED, "interrupted after %u of %u openings", openings->count, wanted);
        if (tries-- == 0 || (recipe->candidates > 0 && maker->judged >= recipe->candidates))
            return error_set(error, STATUS_FAILED, "only %u of %u different openings were found; allow %s turns",
                             openings->count, wanted, recipe->balanced > 0 ? "other" : "more");
        if (!try_opening(maker, rules, &game))
            continue;
        tries = most;
        openings_add(openings, game.stones, game.played);
        if (recipe->progress != NULL)
            recipe->progress(recipe->context, openings->count);
    }
    return STATUS_OK;
}

static Status open_maker(Maker *maker, const Rules *rules, Error *error)
{
    static const char searcher[] = "alphabeta:eval=simple,order=history,threats=150";
    maker->decision = memory_new(1, sizeof *maker->decision);
    if (maker->recipe->balanced > 0) {
        if (!search_suits(rules))
            return error_set(error, STATUS_BAD_INPUT, "the engine supports at most %d stones per turn",
                             SEARCH_TURN_MAX);
        Status status = agent_open(
            &maker->judge,
            span_of(maker->recipe->candidates > 0 ? "engine:book=0,exact=0,memory=4" : "engine:book=0,memory=16"),
            rules, error);
        if (status != STATUS_OK)
            return status;
    }
    return maker->recipe->undecided > 0 ? agent_open(&maker->search, span_of(searcher), rules, error) : STATUS_OK;
}

Status openings_make(const OpeningRecipe *recipe, const Rules *rules, unsigned wanted, Openings *openings, Error *error)
{
    Maker maker = {.recipe = recipe, .rng = rng_make(recipe->seed)};
    Status status = agent_open(&maker.agent, span_of(recipe->agent != NULL ? recipe->agent : "adjacent"), rules, error);
    if (status != STATUS_OK)
        return status;
    status = open_maker(&maker, rules, error);
    if (status == STATUS_OK)
        status = make(&maker, rules, wanted, openings, error);
    agent_close(&maker.search);
    free(maker.seen);
    free(maker.decision);
    agent_close(&maker.judge);
    agent_close(&maker.agent);
    return status;
}
