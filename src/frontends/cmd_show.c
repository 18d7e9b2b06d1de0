// krow show: draw a position.
#include "frontends/commands.h"
#include "frontends/draw.h"
#include "frontends/output.h"
#include "rules/diagram.h"

#include <limits.h>

static Status show_diagram(const Game *game, Error *error)
{
    Text text = {0};
    diagram_write(&game->board, &text);
    Status status = text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the diagram") : STATUS_OK;
    if (status == STATUS_OK)
        (void)fputs(text.data, stdout);
    text_close(&text);
    return status;
}

static Status run(const Args *args, Error *error)
{
    Game game;
    Status status = args_position(args, &game, error);
    if (status != STATUS_OK)
        return status;
    if (args->json)
        return output_json(output_position(&game), error);
    if (args->diagram)
        return show_diagram(&game, error);
    draw_board(&game, draw_style(), stdout);
    draw_state(&game, stdout);
    return STATUS_OK;
}

static const struct argp_option options[] = {OPTION_BOARD, OPTION_DIAGRAM, OPTION_JSON, {0}};

const Command command_show = {
    .name = "show",
    .words = "GAME [MOVES...]",
    .summary = "Draw a position",
    .about =
        "X plays first, O second; the stones of the last turn stand in parentheses.\n\n"
        "Examples:\n  krow show connect4 4453\n  krow show connect6 'j10 k10 k11'\n  krow show tictactoe --board -",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
