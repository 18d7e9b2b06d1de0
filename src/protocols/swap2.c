// The opening rule swap2. The first player puts three stones: black, white, black. The second takes white and plays on,
// takes black, or puts two more stones (white, black) and lets the first choose. White is to move then.
//
// krow's own three stones lie on the edge, where rows have little room: openings in the centre are a win for black. To
// choose, krow compares the agent's score of white, to move now, with its score of black after white's best stone, and
// takes the better side; a proven result decides at once. Without scores it takes black, which has one stone more. It
// never puts two more stones.
#include "protocols/gomocup.h"

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

// Whether the agent prefers white, to move; engine->decision holds white's stone before and after the call.
static Status prefers_white(Gomocup *gomocup, Engine *engine, Game *game, bool *white, Error *error)
{
    double score = engine->decision.score;
    Proven proven = engine->decision.proven;
    Cell stone = engine->decision.stones[0];
    *white = proven == PROVEN_WIN;
    if (proven == PROVEN_WIN || proven == PROVEN_LOSS)
        return STATUS_OK;
    game_play(game, stone);
    if (game_is_over(game))
        return STATUS_OK;
    Status status = gomocup_think(gomocup, engine, game, &(GomocupSearch){.share = 0.5}, error);
    const Decision *black = &engine->decision;
    *white = black->proven == PROVEN_LOSS || (black->proven != PROVEN_WIN && score > black->score);
    return status;
}

static Status choose(Gomocup *gomocup, Engine *engine, Error *error)
{
    take_colour(gomocup, false);
    Game game;
    bool white = false;
    Status status = gomocup_position(gomocup, true, &game, error);
    if (status == STATUS_OK)
        status = gomocup_think(gomocup, engine, &game, &(GomocupSearch){.share = 0.5}, error);
    if (status != STATUS_OK)
        return status;
    Cell stone = engine->decision.stones[0];
    status = prefers_white(gomocup, engine, &game, &white, error);
    if (status != STATUS_OK)
        return status;
    if (!white) {
        take_colour(gomocup, true);
        engine_say(engine, "SWAP");
        return STATUS_OK;
    }
    char text[16];
    gomocup_format(gomocup, stone, text);
    gomocup_add(gomocup, stone, true);
    engine_say(engine, "%s", text);
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
