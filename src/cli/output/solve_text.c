// Prints the exact values of a position.
#include "cli/output/solve_text.h"

#include "cli/output/draw.h"
#include "game/notation.h"
#include "view/json_view.h"

static void print_won(const Solving *solving, Side winner)
{
    const ExactResult *result = &solving->result;
    (void)printf("%c wins", side_letter(winner));
    if (solving->has_scores && exact_is_known(result)) {
        unsigned stones = exact_distance(&solving->game->board, result->low);
        (void)printf(" in %u stone%s: score %d.\n", stones, view_plural(stones), result->low);
    } else if (solving->has_scores) {
        (void)printf("; the score is between %d and %d.\n", result->low, result->high);
    } else {
        (void)printf(".\n");
    }
}

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
        if (solve_is_best(solving, i)) {
            (void)printf("%s %s", any ? "" : "best:", name);
            any = true;
        }
    }
    if (any)
        (void)printf("\n");
}

void solve_print(const Solving *solving)
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
    (void)printf("%s positions, %.3f s\n", view_number(solving->nodes, nodes), solving->seconds);
}
