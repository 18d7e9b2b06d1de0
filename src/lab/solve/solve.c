// The exact value of a position and of its cells.
#include "lab/solve/solve.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "match/outcome.h"
#include "view/json_view.h"

#include <stdlib.h>

Status solve_open(const SolveOptions *options, const Rules *rules, Exact **exact, Error *error)
{
    ExactOptions how = {.megabytes = options->memory, .threads = options->threads};
    return exact_open(exact, &how, rules, error);
}

typedef struct {
    Reporter *reporter;
    double begun; // clock_seconds
} Watch;

static void show(void *context, const ExactResult *so_far)
{
    const Watch *watch = context;
    char nodes[32];
    reporter_show(watch->reporter, "value from %d to %d, %s positions, %.0f s", so_far->low, so_far->high,
                  view_number(so_far->nodes, nodes), clock_seconds() - watch->begun);
}

// The result of a finished game for the side that would be to move; as a score it is that of the winning stone.
static ExactResult result_of_end(const Board *board, bool has_scores)
{
    Winner winner = board_winner(board);
    int worth = has_scores ? (int)(board->cells - board_count(board) + 2) / 2 : 1;
    int value = winner == WINNER_NONE ? 0 : winner == (Winner)(board_side(board) + 1) ? worth : -worth;
    return (ExactResult){.low = value, .high = value};
}

// By column, since with gravity each column has one cell.
static int compare_columns(const void *a, const void *b)
{
    return (int)cell_column(((const ExactCell *)a)->cell) - (int)cell_column(((const ExactCell *)b)->cell);
}

Status solve_run(Solving *solving, Exact *exact, const SolveOptions *options, const Game *game, Error *error)
{
    const Board *board = &game->board;
    *solving = (Solving){
        .game = game,
        .has_scores = !options->weak && exact_has_scores(&board->rules),
    };
    if (board_is_over(board)) {
        solving->result = result_of_end(board, solving->has_scores);
        return STATUS_OK;
    }
    Watch watch = {.reporter = options->reporter, .begun = clock_seconds()};
    Limits limits = {
        .deadline = options->budget.seconds > 0 ? watch.begun + options->budget.seconds : 0,
        .nodes = options->budget.nodes,
        .stop = options->stop,
    };
    exact_watch(exact, (ExactWatch){.progress = options->reporter == NULL ? NULL : show, .context = &watch});
    ExactQuery query = {.board = board, .aim = options->weak ? EXACT_VALUE : EXACT_SCORE, .limits = &limits};
    Status status = exact_run(exact, &query, &solving->result, error);
    solving->nodes = solving->result.nodes;
    if (status == STATUS_OK) {
        if (limits.nodes > 0)
            limits.nodes = limits.nodes > solving->nodes ? limits.nodes - solving->nodes : 1;
        query.known = &solving->result;
        status = exact_cells(exact, &query, &solving->cells, error);
        solving->nodes += solving->cells.nodes;
    }
    if (board->rules.gravity)
        qsort(solving->cells.list, solving->cells.count, sizeof solving->cells.list[0], compare_columns);
    exact_watch(exact, (ExactWatch){0});
    reporter_end(options->reporter);
    solving->seconds = clock_seconds() - watch.begun;
    solving->interrupted = options->stop != NULL && atomic_load(options->stop);
    return status;
}

bool solve_is_best(const Solving *solving, unsigned cell)
{
    return exact_is_known(&solving->result) && solving->cells.list[cell].low == solving->result.low;
}

// "first", "second", "draw" or "unknown".
static const char *solve_value(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    if (result->low > 0)
        return side_name(side);
    if (result->high < 0)
        return side_name(side_other(side));
    return exact_is_known(result) ? result_name(RESULT_DRAW) : "unknown";
}

static void add_cells(const Solving *solving, Text *text)
{
    text_add(text, solving->has_scores ? "\nScores:" : "\nBest:");
    for (unsigned i = 0; i < solving->cells.count; i++) {
        if (!solving->has_scores && !solve_is_best(solving, i))
            continue;
        char name[CELL_TEXT_SIZE];
        cell_format(solving->cells.list[i].cell, name);
        text_add(text, " %s", name);
        if (solving->has_scores)
            text_add(text, " %+d", solving->cells.list[i].low);
    }
    if (solving->has_scores)
        text_add(text, "\nPositive scores win, negative scores lose; a larger absolute value means sooner.");
}

static void add_value(const Solving *solving, Text *text)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    if (result->low == 0) {
        text_add(text, "With perfect play the game is a draw.");
        return;
    }
    text_add(text, "With perfect play %c wins", side_letter(result->low > 0 ? side : side_other(side)));
    if (solving->has_scores)
        text_add(text, " in %u stones", exact_distance(&solving->game->board, result->low));
    text_add(text, ".");
}

Status solve_report(const Game *game, double seconds, const atomic_bool *stop, Text *text, Error *error)
{
    assert(!game_is_over(game));
    Exact *exact = NULL;
    Solving *solving = memory_new(1, sizeof *solving);
    SolveOptions one = {.budget = {.seconds = seconds}, .stop = stop};
    ExactOptions options = {.openings = true};
    Status status = exact_open(&exact, &options, &game->board.rules, error);
    if (status == STATUS_OK)
        status = solve_run(solving, exact, &one, game, error);
    if (status == STATUS_OK && exact_is_known(&solving->result)) {
        add_value(solving, text);
        add_cells(solving, text);
    } else if (status == STATUS_OK) {
        text_add(text, "The exact value was not found in %g seconds.", seconds);
    }
    exact_close(exact);
    free(solving);
    return status;
}

static json_t *bound(bool known, int value)
{
    return known ? json_integer(value) : json_null();
}

// The results that are excluded: sides that do not win, and "draw".
static json_t *ruled_out(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    json_t *list = json_array();
    if (result->high <= 0)
        (void)json_array_append_new(list, json_string(side_name(side)));
    if (result->low >= 0)
        (void)json_array_append_new(list, json_string(side_name(side_other(side))));
    if (result->low > 0 || result->high < 0)
        (void)json_array_append_new(list, json_string(result_name(RESULT_DRAW)));
    return list;
}

json_t *solve_json(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    json_t *best = json_array(), *cells = json_array();
    for (unsigned i = 0; i < solving->cells.count; i++) {
        const ExactCell *cell = &solving->cells.list[i];
        char name[CELL_TEXT_SIZE];
        cell_format(cell->cell, name);
        if (solve_is_best(solving, i))
            (void)json_array_append_new(best, json_string(name));
        (void)json_array_append_new(cells, json_pack("{s:s, s:o, s:i, s:i}", "cell", name, "score",
                                                     bound(cell->low == cell->high, cell->low), "low", cell->low,
                                                     "high", cell->high));
    }
    json_t *object = view_position(solving->game);
    bool has_distance =
        solving->has_scores && exact_is_known(result) && result->low != 0 && !board_is_over(&solving->game->board);
    json_t *more =
        json_pack("{s:s, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:I, s:f, s:b}", "value", solve_value(solving),
                  "score", bound(exact_is_known(result), result->low), "low", result->low, "high", result->high, "weak",
                  (int)!solving->has_scores, "distance",
                  has_distance ? json_integer(exact_distance(&solving->game->board, result->low)) : json_null(),
                  "ruled_out", ruled_out(solving), "best", best, "cells", cells, "nodes", (json_int_t)solving->nodes,
                  "ms", solving->seconds * 1000, "interrupted", (int)solving->interrupted);
    (void)json_object_update_new(object, more);
    return object;
}
