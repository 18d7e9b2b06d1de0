// The board of the Gomocup protocol: cells, stones in any order, and the position they make.
#include "protocols/gomocup.h"

#include <math.h>
#include <stdio.h>

enum { RULE_EXACT = 1, RULE_CONTINUOUS = 2, RULE_RENJU = 4, RULE_CARO = 8 };

// The name of an unsupported rule, or NULL.
static const char *external_rule(int64_t rule)
{
    return rule & RULE_CONTINUOUS ? "2, a continuous game,"
           : rule & RULE_RENJU    ? "4, renju,"
           : rule & RULE_CARO     ? "8, caro,"
           : rule != (rule & 1)   ? "of a bit above 8"
                                  : NULL;
}

Status gomocup_check_rule(const Gomocup *gomocup, Error *error)
{
    const char *foreign = external_rule(gomocup->rule);
    if (foreign != NULL)
        return error_set(error, STATUS_BAD_INPUT,
                         "the rule %s is not supported; use 0 (five or more) or 1 (exactly five)", foreign);
    return STATUS_OK;
}

Status gomocup_check(const Gomocup *gomocup, Error *error)
{
    Status status = gomocup_check_rule(gomocup, error);
    if (status == STATUS_OK && !gomocup->started)
        status = error_set(error, STATUS_BAD_INPUT, "there is no board; send START first");
    return status;
}

Rules gomocup_rules(const Gomocup *gomocup)
{
    return (Rules){.width = gomocup->width,
                   .height = gomocup->height,
                   .k = 5,
                   .p = 1,
                   .q = 1,
                   .exact = (gomocup->rule & RULE_EXACT) != 0};
}

Status gomocup_cell(const Gomocup *gomocup, Span text, GomocupCell want, Cell *cell, Error *error)
{
    Span rest = text, first = {0};
    (void)span_next_part(&rest, ',', &first);
    int64_t x = 0, y = 0;
    if (!span_to_int(span_trim(first), 0, gomocup->width - 1, &x) ||
        !span_to_int(span_trim(rest), 0, gomocup->height - 1, &y))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a cell; X,Y go from 0,0 to %d,%d", SPAN_PRINT(text),
                         gomocup->width - 1, gomocup->height - 1);
    Cell found = cell_at((unsigned)x, (unsigned)(gomocup->height - 1 - y));
    bool taken = gomocup_find(gomocup, found) >= 0;
    if (taken != (want == CELL_TAKEN))
        return error_set(error, STATUS_BAD_INPUT, "%d,%d %s", (int)x, (int)y, taken ? "is taken" : "has no stone");
    *cell = found;
    return STATUS_OK;
}

void gomocup_format(const Gomocup *gomocup, Cell cell, char text[16])
{
    (void)snprintf(text, 16, "%u,%u", cell_column(cell), gomocup->height - 1u - cell_row(cell));
}

void gomocup_add(Gomocup *gomocup, Cell cell, bool own)
{
    gomocup->stones[gomocup->count++] = (GomocupStone){cell, own};
}

int gomocup_find(const Gomocup *gomocup, Cell cell)
{
    for (unsigned i = 0; i < gomocup->count; i++)
        if (gomocup->stones[i].cell == cell)
            return (int)i;
    return -1;
}

// Whether the stones alternate and the side to move is next.
static bool is_in_order(const Gomocup *gomocup, bool own)
{
    for (unsigned i = 0; i < gomocup->count; i++)
        if (gomocup->stones[i].own != (((gomocup->count - i) % 2 == 0) == own))
            return false;
    return true;
}

// A manager may send stones in any order, and boards that no game reaches. The side to move is the first player unless
// it has fewer stones.
static unsigned set_up(const Gomocup *gomocup, bool own, Board *board)
{
    unsigned counts[2] = {0};
    for (unsigned i = 0; i < gomocup->count; i++)
        counts[gomocup->stones[i].own == own ? 0 : 1]++;
    Side side = counts[0] >= counts[1] ? SIDE_FIRST : SIDE_SECOND;
    for (unsigned i = 0; i < gomocup->count; i++)
        board_put(board, gomocup->stones[i].cell, gomocup->stones[i].own == own ? side : side_other(side));
    return board_set_turn(board, side, 1);
}

Status gomocup_position(const Gomocup *gomocup, bool own, Game *game, Error *error)
{
    Rules rules = gomocup_rules(gomocup);
    game_init(game, &rules);
    if (is_in_order(gomocup, own)) {
        // game_try refuses stones after a complete row.
        Status status = STATUS_OK;
        for (unsigned i = 0; i < gomocup->count && status == STATUS_OK; i++)
            status = game_try(game, gomocup->stones[i].cell, error);
        if (status != STATUS_OK)
            return status;
    } else {
        Board board;
        board_init(&board, &rules);
        if (set_up(gomocup, own, &board) == 3)
            return error_set(error, STATUS_BAD_INPUT, "both sides have five in a row");
        game_init_from(game, &board);
    }
    if (!game_is_over(game))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "the game is over: %s",
                     board_winner(&game->board) != WINNER_NONE ? "there are five in a row" : "the board is full");
}

Status gomocup_think(Gomocup *gomocup, Engine *engine, const Game *game, const GomocupSearch *how, Error *error)
{
    const Board *board = &game->board;
    EngineTime time = {.turn = gomocup->turn, .left = gomocup->left, .overhead = engine->overhead};
    EngineSearch search = {
        .budget = engine->budget,
        .lines = how->lines,
        .report = how->reports ? gomocup_report : NULL,
        .context = gomocup,
    };
    Budget *budget = &search.budget;
    bool limited = budget->seconds > 0 || budget->nodes > 0 || budget->depth > 0 || gomocup->max_nodes > 0 ||
                   gomocup->max_depth > 0 || isfinite(gomocup->left);
    double seconds = engine_allot(&time, board);
    if (!gomocup->has_turn)
        seconds = fmin(seconds, budget->seconds > 0 ? budget->seconds : limited ? INFINITY : ENGINE_SECONDS_DEFAULT);
    budget->seconds = isfinite(seconds) ? seconds * how->share : 0;
    if (isfinite(gomocup->left))
        budget->clock[board_side(board)] = fmax(gomocup->left, ENGINE_SECONDS_AT_ONCE);
    if (gomocup->max_nodes > 0)
        budget->nodes = gomocup->max_nodes;
    if (budget->nodes > 0)
        budget->nodes = (uint64_t)fmax((double)budget->nodes * how->share, 1);
    if (gomocup->max_depth > 0)
        budget->depth = gomocup->max_depth;
    Status status = engine_think(engine, game, &search, error);
    // Managers send the time left before each turn; until then it is counted here.
    gomocup->left -= engine->seconds;
    return status;
}
