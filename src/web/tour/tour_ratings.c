// What an agent sees: the ratings that an agent gives to the cells of any position.
#include "base/memory.h"
#include "game/diagram.h"
#include "game/notation.h"
#include "view/json_view.h"
#include "view/ratings_view.h"
#include "web/tour/tour_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARD_MAX = 20000, LABEL_MAX = 4, LISTED = 5 };

// A rated cell and its rank: 1 is the best; equal ratings share a rank.
typedef struct {
    RatedCell rated;
    unsigned rank;
} RankedCell;

static int compare(const void *a, const void *b)
{
    double one = ((const RankedCell *)a)->rated.utility, other = ((const RankedCell *)b)->rated.utility;
    return one < other ? 1 : one > other ? -1 : 0;
}

// Sorts by rating, the best first. Returns the last rank.
static unsigned rank_cells(const Ratings *ratings, RankedCell *cells)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < ratings->count; i++)
        cells[i] = (RankedCell){ratings->cells[i], 0};
    qsort(cells, ratings->count, sizeof *cells, compare);
    for (unsigned i = 0; i < ratings->count; i++) {
        rank += i == 0 || cells[i].rated.utility < cells[i - 1].rated.utility;
        cells[i].rank = rank;
    }
    return rank;
}

// Whether all ratings are short enough to stand on the board; otherwise ranks do.
static bool are_short(const Ratings *ratings)
{
    char text[RATING_SIZE];
    for (unsigned i = 0; i < ratings->count; i++)
        if (strlen(view_rating(ratings->cells[i].utility, text)) > LABEL_MAX)
            return false;
    return true;
}

static void mark_cells(const RankedCell *cells, unsigned count, bool by_rating, unsigned last, TourPicture *picture)
{
    for (unsigned i = 0; i < count; i++) {
        char label[RATING_SIZE];
        if (by_rating)
            (void)view_rating(cells[i].rated.utility, label);
        else
            (void)snprintf(label, sizeof label, "%u", cells[i].rank);
        double shade = last > 1 ? (double)(last - cells[i].rank) / (last - 1) : 1;
        tour_mark(picture, &(TourMark){.kind = "score",
                                       .cells = &cells[i].rated.cell,
                                       .count = 1,
                                       .label = label,
                                       .value = shade,
                                       .hidden = cells[i].rank > 1});
    }
}

static void list_cells(const RankedCell *cells, unsigned count, TourPicture *picture)
{
    char name[CELL_TEXT_SIZE], rating[RATING_SIZE];
    for (unsigned i = 0; i < count; i++) {
        if (i >= LISTED && i + 1 < count)
            continue;
        cell_format(cells[i].rated.cell, name);
        tour_fact(picture, name, json_string(view_rating(cells[i].rated.utility, rating)),
                  i >= LISTED          ? "the lowest rating"
                  : cells[i].rank == 1 ? "the best rating"
                                       : "rank %u",
                  cells[i].rank);
    }
}

static void describe(const Agent *agent, bool by_rating, TourPicture *picture)
{
    const Board *board = picture->board;
    text_add(&picture->caption,
             "%s rates %u cells for the next stone of %s. The numbers are %s. A darker cell is rated higher.",
             agent->kind->name, agent->ratings->count, web_side_name(&board->rules, board_side(board)),
             by_rating ? "ratings in the agent's own unit; higher is better"
                       : "ranks: 1 is the best cell, and equal ratings have equal ranks");
}

static Status look_at_ratings(const AgentKind *kind, TourPicture *picture)
{
    Agent agent;
    Status status = view_rate(span_of(kind->name), picture->game, &(AgentHost){0}, &agent, picture->error);
    if (status == STATUS_OK) {
        const Ratings *ratings = agent.ratings;
        RankedCell *cells = memory_new((size_t)ratings->count + 1, sizeof *cells);
        unsigned last = rank_cells(ratings, cells);
        bool by_rating = are_short(ratings);
        mark_cells(cells, ratings->count, by_rating, last, picture);
        list_cells(cells, ratings->count, picture);
        describe(&agent, by_rating, picture);
        free(cells);
    }
    agent_close(&agent);
    return status;
}

// The agents that rate cells under these rules.
static json_t *raters_json(const Rules *rules)
{
    json_t *list = json_array();
    for (int i = 0; i < agent_kind_count; i++) {
        const AgentKind *kind = agent_kinds[i];
        if (kind->rate != NULL && agent_plays_alone(kind, rules))
            (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", kind->name, "summary", kind->summary,
                                                        "source", kind->source));
    }
    return list;
}

static Status draw(const AgentKind *kind, const Game *game, WebCall *call)
{
    TourPicture picture = {
        .game = game, .board = &game->board, .error = call->error, .marks = json_array(), .facts = json_array()};
    Status status = STATUS_OK;
    if (board_is_over(&game->board))
        text_add(&picture.caption, "The game is over: there is nothing left to rate.");
    else
        status = look_at_ratings(kind, &picture);
    if (status == STATUS_OK)
        call->reply->json =
            json_pack("{s:s, s:s, s:o, s:o, s:s, s:i, s:O, s:O, s:o, s:{s:[s,s,s], s:b}}", "agent", kind->name,
                      "caption", picture.caption.data, "game", view_rules(&game->board.rules), "rows",
                      view_rows(&game->board), "turn", side_name(board_side(&game->board)), "stones_left",
                      (int)board_stones_left(&game->board), "marks", picture.marks, "facts", picture.facts, "agents",
                      raters_json(&game->board.rules), "try", "stones", "X", "O", ".", "cell", false);
    json_decref(picture.marks);
    json_decref(picture.facts);
    text_close(&picture.caption);
    return status;
}

Status web_tour_ratings(WebCall *call)
{
    const char *text = web_field_text(call, "game", 200), *board = web_field_text(call, "board", BOARD_MAX);
    const char *name = web_field_text(call, "agent", 64);
    web_field_need(call, "game");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Rules rules;
    Game game;
    Status status = web_blame(call, "game", rules_parse(span_of(text), &rules, call->error));
    if (status != STATUS_OK)
        return status;
    game_init(&game, &rules);
    if (board != NULL)
        status = web_blame(call, "board", diagram_read(span_of(board), &rules, &game, call->error));
    if (status != STATUS_OK)
        return status;
    // Only names: an agent with options could be expensive, or start a program.
    const AgentKind *kind = agent_find(span_of(name != NULL ? name : "sequences"));
    if (kind == NULL || kind->rate == NULL || !agent_plays_alone(kind, &rules))
        return web_fail(call, 400, "agent", "This agent does not rate cells in this game.");
    return draw(kind, &game, call);
}
