// The opening rule swap2. The first player puts three stones: black, white, black. The second takes white and plays on,
// takes black, or puts two more stones (white, black) and lets the first choose. White is to move then.
//
// krow's own three stones lie on the edge, where rows have little room: openings in the centre are a win for black.
//
// To choose, krow compares the agent's score of white, to move now, with its score of black after white's best stone.
// A proven result decides at once, and so does a clear difference. If three stones are balanced, neither colour has an
// advantage by choosing it, and the first player has prepared the opening: krow puts two more stones, the pair among
// some random ones with the score of white nearest to 0. Without scores it takes black, which has one stone more.
#include "protocols/gomocup.h"

#include <math.h>
#include <stdlib.h>

// Largest score of a balanced position, in the agent's unit. The engine's score of 0.4 is a chance of 55 %
// (match/openings.c).
#define BALANCED 0.4

enum {
    PAIRS = 8, // of stones to compare
    REACH = 3, // of a new stone from another one, in rows and columns
};

// Steps from the middle of an edge: along it, and away from it.
typedef struct {
    int along, away;
} EdgeStep;

static const EdgeStep openings[][3] = {
    {{0, 0}, {2, 0}, {-1, 1}},
    {{-1, 0}, {0, 1}, {2, 0}},
    {{-2, 0}, {1, 1}, {1, 0}},
};

// One of the openings on one of the four edges, mirrored or not, at random.
static void put_three(Gomocup *gomocup, Engine *engine)
{
    const EdgeStep *opening = openings[rng_below(&engine->rng, sizeof openings / sizeof openings[0])];
    unsigned symmetry = rng_below(&engine->rng, 8);
    char text[3][16];
    for (unsigned i = 0; i < 3; i++) {
        bool turned = symmetry & 1, far = symmetry & 2, mirrored = symmetry & 4;
        int length = turned ? gomocup->height : gomocup->width, depth = turned ? gomocup->width : gomocup->height;
        int along = length / 2 + (mirrored ? -opening[i].along : opening[i].along);
        int away = far ? depth - 1 - opening[i].away : opening[i].away;
        Cell cell = turned ? cell_at((unsigned)away, (unsigned)along) : cell_at((unsigned)along, (unsigned)away);
        gomocup_add(gomocup, cell, i % 2 == 0);
        gomocup_format(gomocup, cell, text[i]);
    }
    engine_say(engine, "%s %s %s", text[0], text[1], text[2]);
}

// Assigns the stones: black's are the first, third and fifth.
static void take_colour(Gomocup *gomocup, bool black)
{
    for (unsigned i = 0; i < gomocup->count; i++)
        gomocup->stones[i].own = (i % 2 == 0) == black;
}

// --- Two more stones ---

static bool is_near(const Game *game, Cell cell)
{
    for (unsigned i = 0; i < game->played; i++) {
        int columns = (int)cell_column(cell) - (int)cell_column(game->stones[i]);
        int rows = (int)cell_row(cell) - (int)cell_row(game->stones[i]);
        if (abs(columns) <= REACH && abs(rows) <= REACH)
            return true;
    }
    return false;
}

// Plays a random stone near another one.
static void play_near(Game *game, Rng *rng)
{
    Cell legal[RULES_CELLS_MAX], chosen = CELL_NONE;
    unsigned count = board_legal_cells(&game->board, legal), found = 0;
    for (unsigned i = 0; i < count; i++)
        if (is_near(game, legal[i]) && rng_below(rng, ++found) == 0)
            chosen = legal[i];
    game_play(game, chosen);
}

// Finds the most balanced pair; `found` is false if one side wins after each of them.
static Status find_pair(Gomocup *gomocup, Engine *engine, const Game *game, Cell pair[2], bool *found, Error *error)
{
    double least = INFINITY;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < PAIRS && status == STATUS_OK; i++) {
        Game next;
        game_copy(&next, game);
        play_near(&next, &engine->rng);
        play_near(&next, &engine->rng);
        if (game_is_over(&next))
            continue;
        status = gomocup_think(gomocup, engine, &next, &(GomocupSearch){.share = 0.5 / PAIRS}, error);
        const Decision *white = &engine->decision;
        bool is_decided = white->proven == PROVEN_WIN || white->proven == PROVEN_LOSS;
        if (status != STATUS_OK || is_decided || fabs(white->score) >= least)
            continue;
        least = fabs(white->score);
        pair[0] = next.stones[next.played - 2];
        pair[1] = next.stones[next.played - 1];
    }
    *found = isfinite(least);
    return status;
}

static void put_pair(Gomocup *gomocup, Engine *engine, const Cell pair[2])
{
    char text[2][16];
    for (unsigned i = 0; i < 2; i++) {
        gomocup_add(gomocup, pair[i], false);
        gomocup_format(gomocup, pair[i], text[i]);
    }
    // Black until BOARD states otherwise.
    take_colour(gomocup, true);
    engine_say(engine, "%s %s", text[0], text[1]);
}

// --- A colour ---

// What the agent knows about white, to move.
typedef struct {
    Cell stone;
    bool is_decided, is_unscored;
    double advantage; // over black, infinite if decided
} White;

// Judges white to move with this share of the time for each of two searches.
static Status judge(Gomocup *gomocup, Engine *engine, Game *game, double share, White *white, Error *error)
{
    const Decision *decision = &engine->decision;
    const GomocupSearch how = {.share = share};
    Status status = gomocup_think(gomocup, engine, game, &how, error);
    if (status != STATUS_OK)
        return status;
    *white = (White){.stone = decision->stones[0], .is_unscored = decision->unscored};
    double score = decision->score;
    Proven proven = decision->proven;
    game_play(game, white->stone);
    bool is_open = proven != PROVEN_WIN && proven != PROVEN_LOSS && !game_is_over(game);
    if (is_open) {
        status = gomocup_think(gomocup, engine, game, &how, error);
        proven = proven_reversed(decision->proven);
        white->advantage = (score - decision->score) / 2;
    }
    white->is_decided = proven == PROVEN_WIN || proven == PROVEN_LOSS;
    if (white->is_decided)
        white->advantage = proven == PROVEN_WIN ? INFINITY : -INFINITY;
    (void)game_undo(game);
    return status;
}

static void play_colour(Gomocup *gomocup, Engine *engine, const White *white)
{
    if (white->is_unscored || white->advantage <= 0) {
        take_colour(gomocup, true);
        engine_say(engine, "SWAP");
        return;
    }
    char text[16];
    gomocup_format(gomocup, white->stone, text);
    gomocup_add(gomocup, white->stone, true);
    engine_say(engine, "%s", text);
}

static Status choose(Gomocup *gomocup, Engine *engine, Error *error)
{
    take_colour(gomocup, false);
    bool may_put = gomocup->count == 3, found = false;
    Game game;
    White white;
    Cell pair[2] = {CELL_NONE, CELL_NONE};
    Status status = gomocup_position(gomocup, true, &game, error);
    if (status == STATUS_OK)
        status = judge(gomocup, engine, &game, may_put ? 0.25 : 0.5, &white, error);
    if (status != STATUS_OK)
        return status;
    if (may_put && !white.is_unscored && fabs(white.advantage) <= BALANCED)
        status = find_pair(gomocup, engine, &game, pair, &found, error);
    if (status != STATUS_OK)
        return status;
    if (found)
        put_pair(gomocup, engine, pair);
    else
        play_colour(gomocup, engine, &white);
    return STATUS_OK;
}

void gomocup_swap2(Gomocup *gomocup, Engine *engine)
{
    Error error = {0};
    if (gomocup->count == 0)
        put_three(gomocup, engine);
    else if (gomocup->count != 3 && gomocup->count != 5)
        engine_say(engine, "ERROR SWAP2BOARD takes 0, 3 or 5 stones, not %u", gomocup->count);
    else if (choose(gomocup, engine, &error) != STATUS_OK)
        engine_say(engine, "ERROR SWAP2BOARD: %s", error.text);
}
