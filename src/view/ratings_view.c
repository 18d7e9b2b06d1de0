// Views of an agent's ratings. They are the utilities of its rating function, without a search.
#include "view/ratings_view.h"

#include "game/notation.h"
#include "view/json_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_raters(const Rules *rules, Text *text)
{
    for (int i = 0; i < agent_kind_count; i++)
        if (agent_kinds[i]->rate != NULL && agent_plays_alone(agent_kinds[i], rules))
            text_add(text, "%s%s", text->length > 0 ? ", " : "", agent_kinds[i]->name);
}

Status view_rate(Span name, const Game *game, const AgentHost *host, Agent *agent, Error *error)
{
    const Rules *rules = &game->board.rules;
    *agent = (Agent){0};
    Status status = agent_open_with(agent, name, rules, host, error);
    if (status != STATUS_OK)
        return status;
    if (agent->kind->rate == NULL) {
        Text raters = {0};
        add_raters(rules, &raters);
        status = error_set(error, STATUS_BAD_INPUT, "the agent '%s' decides whole turns; agents that rate cells: %s",
                           agent->kind->name, raters.data);
        text_close(&raters);
        return status;
    }
    agent_rate(agent, game);
    return STATUS_OK;
}

bool view_is_best(const Ratings *ratings, double utility)
{
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].utility > utility)
            return false;
    return true;
}

const char *view_rating(double utility, char text[RATING_SIZE])
{
    double size = fabs(utility);
    bool is_plain = size == 0 || (size >= 0.01 && size < 99999.5);
    (void)snprintf(text, RATING_SIZE, !is_plain ? "%.1e" : size < 100 ? "%.3g" : "%.0f", utility);
    return text;
}

json_t *view_ratings(const Agent *agent, const Game *game)
{
    const Ratings *ratings = agent->ratings;
    json_t *list = json_array(), *best = json_array();
    for (unsigned i = 0; i < ratings->count; i++) {
        char cell[CELL_TEXT_SIZE];
        double utility = ratings->cells[i].utility;
        cell_format(ratings->cells[i].cell, cell);
        (void)json_array_append_new(list, json_pack("{s:s, s:o}", "cell", cell, "rating",
                                                    isfinite(utility) ? json_real(utility) : json_null()));
        if (view_is_best(ratings, utility))
            (void)json_array_append_new(best, json_string(cell));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "agent", agent->kind->name, "turn",
                     side_name(board_side(&game->board)), "value",
                     isfinite(ratings->value) ? json_real(ratings->value) : json_null(), "best", best, "ratings", list);
}

static const RatedCell *find(const Ratings *ratings, Cell cell)
{
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].cell == cell)
            return &ratings->cells[i];
    return NULL;
}

static void write_cell(const Agent *agent, const Board *board, Cell cell, char text[RATING_SIZE + 1])
{
    Stone stone = board_stone(board, cell);
    const RatedCell *rated = stone == STONE_NONE ? find(agent->ratings, cell) : NULL;
    char number[RATING_SIZE];
    if (rated != NULL)
        (void)snprintf(text, RATING_SIZE + 1, "%s%s", view_is_best(agent->ratings, rated->utility) ? "*" : "",
                       view_rating(rated->utility, number));
    else
        (void)snprintf(text, RATING_SIZE + 1, "%c", "XO."[stone]);
}

void view_add_ratings(const Agent *agent, const Game *game, Text *text)
{
    const Board *board = &game->board;
    char word[RATING_SIZE + 1];
    int width = 2;
    for (unsigned i = 0; i < agent->ratings->count; i++) {
        write_cell(agent, board, agent->ratings->cells[i].cell, word);
        width = (int)strlen(word) > width ? (int)strlen(word) : width;
    }
    for (unsigned row = board->rules.height; row-- > 0;) {
        text_add(text, "%2u", row + 1);
        for (unsigned column = 0; column < board->rules.width; column++) {
            write_cell(agent, board, cell_at(column, row), word);
            text_add(text, " %*s", width, word);
        }
        text_add(text, "\n");
    }
    text_add(text, "  ");
    for (unsigned column = 0; column < board->rules.width; column++) {
        char name[CELL_TEXT_SIZE];
        column_format(column, name);
        text_add(text, " %*s", width, name);
    }
    text_add(text, "\n");
}
