#include "frontends/solving.h"

#include "base/clock.h"
#include "frontends/draw.h"
#include "frontends/interrupt.h"
#include "frontends/output.h"
#include "rules/notation.h"

#include <stdlib.h>
#include <unistd.h>

Status solving_open(const Args *args, const Rules *rules, Exact **exact, Error *error)
{
    ExactOptions options = {.megabytes = args->memory, .threads = args->threads};
    return exact_open(exact, &options, rules, error);
}

// --- Progress ---

// Seconds between two lines, on a terminal and in a log.
static const double renew_terminal = 0.2, renew_log = 15;

typedef struct {
    bool is_terminal, has_line;
    double begun, shown;
} Watch;

static void show(void *context, const ExactResult *so_far)
{
    Watch *watch = context;
    double now = clock_seconds(), wait = watch->is_terminal ? renew_terminal : renew_log;
    if (now - watch->shown < wait)
        return;
    watch->shown = now;
    watch->has_line = watch->is_terminal;
    char nodes[32];
    (void)fprintf(stderr, "%svalue from %d to %d, %s positions, %.0f s%s", watch->is_terminal ? "\r" : "", so_far->low,
                  so_far->high, output_number(so_far->nodes, nodes), now - watch->begun,
                  watch->is_terminal ? "\033[K" : "\n");
    (void)fflush(stderr);
}

// --- One position ---

// What a game that is over came to, for the side that would be to move; as a score it is that of the stone that won.
static ExactResult result_of_end(const Board *board, bool has_scores)
{
    Winner winner = board_winner(board);
    int worth = has_scores ? (int)(board->cells - board_count(board) + 2) / 2 : 1;
    int value = winner == WINNER_NONE ? 0 : winner == (Winner)(board_side(board) + 1) ? worth : -worth;
    return (ExactResult){.low = value, .high = value};
}

static ExactLimits limits_left(const ExactLimits *limits, uint64_t used)
{
    ExactLimits left = *limits;
    left.nodes = limits->nodes == 0 ? 0 : limits->nodes > used ? limits->nodes - used : 1;
    return left;
}

// Columns from left to right, as people read them: where stones fall there is one cell of each.
static int compare_columns(const void *a, const void *b)
{
    return (int)cell_column(((const ExactCell *)a)->cell) - (int)cell_column(((const ExactCell *)b)->cell);
}

Status solving_run(Solving *solving, Exact *exact, const Args *args, const Game *game, Error *error)
{
    const Board *board = &game->board;
    *solving = (Solving){
        .game = game,
        .has_scores = !args->weak && exact_has_scores(&board->rules),
    };
    if (board_is_over(board)) {
        solving->result = result_of_end(board, solving->has_scores);
        return STATUS_OK;
    }
    interrupt_catch();
    Watch watch = {.is_terminal = isatty(STDERR_FILENO) != 0, .begun = clock_seconds(), .shown = clock_seconds()};
    ExactLimits limits = {
        .deadline = args->budget.seconds > 0 ? watch.begun + args->budget.seconds : 0,
        .nodes = args->budget.nodes,
        .stop = interrupt_flag(),
        .progress = args->quiet ? NULL : show,
        .context = &watch,
    };
    ExactAim aim = args->weak ? EXACT_VALUE : EXACT_SCORE;
    Status status = exact_run(exact, board, aim, &limits, &solving->result, error);
    solving->nodes = solving->result.nodes;
    if (status == STATUS_OK) {
        ExactLimits left = limits_left(&limits, solving->nodes);
        status = exact_cells(exact, board, aim, &solving->result, &left, &solving->cells, error);
        solving->nodes += solving->cells.nodes;
    }
    if (board->rules.gravity)
        qsort(solving->cells.list, solving->cells.count, sizeof solving->cells.list[0], compare_columns);
    if (watch.has_line)
        (void)fprintf(stderr, "\r\033[K");
    solving->seconds = clock_seconds() - watch.begun;
    solving->interrupted = interrupt_take();
    return status;
}

bool solving_is_best(const Solving *solving, unsigned cell)
{
    return exact_is_known(&solving->result) && solving->cells.list[cell].low == solving->result.low;
}

const char *solving_value(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    if (result->low > 0)
        return side_name(side);
    if (result->high < 0)
        return side_name(side_other(side));
    return exact_is_known(result) ? "draw" : "unknown";
}

// --- Text ---

static void print_won(const Solving *solving, Side winner)
{
    const ExactResult *result = &solving->result;
    (void)printf("%c wins", side_letter(winner));
    if (solving->has_scores && exact_is_known(result)) {
        unsigned stones = exact_distance(&solving->game->board, result->low);
        (void)printf(" in %u stone%s: score %d.\n", stones, output_plural(stones), result->low);
    } else if (solving->has_scores) {
        (void)printf("; the score is between %d and %d.\n", result->low, result->high);
    } else {
        (void)printf(".\n");
    }
}

// What is known of an unfinished search.
static void print_unknown(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    char mover = side_letter(board_side(&solving->game->board));
    char other = side_letter(side_other(board_side(&solving->game->board)));
    (void)printf("The value is not known");
    if (result->high <= 0)
        (void)printf(", but %c does not win", mover);
    if (result->low >= 0)
        (void)printf(", but %c does not win", other);
    if (solving->has_scores)
        (void)printf("; the score is between %d and %d", result->low, result->high);
    (void)printf(".\n");
}

static void print_value(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    if (result->low > 0 || result->high < 0)
        print_won(solving, result->low > 0 ? side : side_other(side));
    else if (exact_is_known(result))
        (void)printf("A draw.\n");
    else
        print_unknown(solving);
}

static void print_cell(const ExactCell *cell)
{
    char name[CELL_TEXT_SIZE];
    cell_format(cell->cell, name);
    if (cell->low == cell->high)
        (void)printf("  %s %d", name, cell->low);
    else
        (void)printf("  %s %d to %d", name, cell->low, cell->high);
}

static void print_best(const Solving *solving)
{
    bool any = false;
    for (unsigned i = 0; i < solving->cells.count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(solving->cells.list[i].cell, name);
        if (solving_is_best(solving, i)) {
            (void)printf("%s %s", any ? "" : "best:", name);
            any = true;
        }
    }
    if (any)
        (void)printf("\n");
}

void solving_print(const Solving *solving)
{
    draw_board(solving->game, draw_style(), stdout);
    draw_state(solving->game, stdout);
    if (board_is_over(&solving->game->board))
        return;
    print_value(solving);
    print_best(solving);
    if (exact_has_scores(&solving->game->board.rules)) {
        (void)printf("cells:");
        for (unsigned i = 0; i < solving->cells.count; i++)
            print_cell(&solving->cells.list[i]);
        (void)printf("\n");
    }
    char nodes[32];
    (void)printf("%s positions, %.3f s\n", output_number(solving->nodes, nodes), solving->seconds);
}

// --- For players ---

static void add_cell(const ExactCell *cell, bool scores, Text *text)
{
    char name[CELL_TEXT_SIZE];
    cell_format(cell->cell, name);
    text_add(text, "%s", name);
    if (scores)
        text_add(text, " %+d", cell->low);
}

static void say_cells(const Solving *solving, Text *text)
{
    text_add(text, solving->has_scores ? "\nScores:" : "\nBest:");
    for (unsigned i = 0; i < solving->cells.count; i++) {
        if (!solving->has_scores && !solving_is_best(solving, i))
            continue;
        text_add(text, " ");
        add_cell(&solving->cells.list[i], solving->has_scores, text);
    }
    if (solving->has_scores)
        text_add(text, "\nAbove 0 wins, below 0 loses, and the sooner the further from 0.");
}

static void say_value(const Solving *solving, Text *text)
{
    const ExactResult *result = &solving->result;
    Side side = board_side(&solving->game->board);
    if (result->low == 0) {
        text_add(text, "With best play it is a draw.");
        return;
    }
    text_add(text, "With best play %c wins", side_letter(result->low > 0 ? side : side_other(side)));
    if (solving->has_scores)
        text_add(text, " in %u stones", exact_distance(&solving->game->board, result->low));
    text_add(text, ".");
}

Status solving_say(const Game *game, double seconds, Text *text, Error *error)
{
    assert(!game_is_over(game));
    Exact *exact = NULL;
    Solving *solving = malloc(sizeof *solving);
    Args args = {.budget = {.seconds = seconds}, .quiet = true};
    ExactOptions options = {.openings = true};
    if (solving == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a solver");
    Status status = exact_open(&exact, &options, &game->board.rules, error);
    if (status == STATUS_OK)
        status = solving_run(solving, exact, &args, game, error);
    if (status == STATUS_OK && exact_is_known(&solving->result)) {
        say_value(solving, text);
        say_cells(solving, text);
    } else if (status == STATUS_OK) {
        text_add(text, "The exact value was not found in %g seconds.", seconds);
    }
    exact_close(exact);
    free(solving);
    return status;
}

// --- JSON ---

static json_t *bound(bool known, int value)
{
    return known ? json_integer(value) : json_null();
}

// Who surely does not win, and "draw" where it is surely none.
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
        (void)json_array_append_new(list, json_string("draw"));
    return list;
}

json_t *solving_json(const Solving *solving)
{
    const ExactResult *result = &solving->result;
    json_t *best = json_array(), *cells = json_array();
    for (unsigned i = 0; i < solving->cells.count; i++) {
        const ExactCell *cell = &solving->cells.list[i];
        char name[CELL_TEXT_SIZE];
        cell_format(cell->cell, name);
        if (solving_is_best(solving, i))
            (void)json_array_append_new(best, json_string(name));
        (void)json_array_append_new(cells, json_pack("{s:s, s:o, s:i, s:i}", "cell", name, "score",
                                                     bound(cell->low == cell->high, cell->low), "low", cell->low,
                                                     "high", cell->high));
    }
    json_t *object = output_position(solving->game);
    bool has_distance =
        solving->has_scores && exact_is_known(result) && result->low != 0 && !board_is_over(&solving->game->board);
    json_t *more =
        json_pack("{s:s, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:I, s:f, s:b}", "value", solving_value(solving),
                  "score", bound(exact_is_known(result), result->low), "low", result->low, "high", result->high, "weak",
                  (int)!solving->has_scores, "distance",
                  has_distance ? json_integer(exact_distance(&solving->game->board, result->low)) : json_null(),
                  "ruled_out", ruled_out(solving), "best", best, "cells", cells, "nodes", (json_int_t)solving->nodes,
                  "ms", solving->seconds * 1000, "interrupted", (int)solving->interrupted);
    (void)json_object_update(object, more);
    json_decref(more);
    return object;
}
