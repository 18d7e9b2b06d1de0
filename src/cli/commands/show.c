// krow show: draw a position.
#include "cli/commands.h"
#include "cli/output/draw.h"
#include "game/diagram.h"
#include "view/json_view.h"

typedef struct {
    CommandLine line;
    bool diagram;
} ShowArgs;

static void show_diagram(const Game *game)
{
    Text text = {0};
    diagram_write(&game->board, &text);
    (void)fputs(text.data, stdout);
    text_close(&text);
}

static Status run(const void *options, Error *error)
{
    const ShowArgs *args = options;
    Game game;
    Status status = line_position(&args->line, &game, error);
    if (status != STATUS_OK)
        return status;
    if (args->line.json)
        return output_json(view_position(&game), error);
    if (args->diagram) {
        show_diagram(&game);
        return STATUS_OK;
    }
    draw_board(&game, draw_style(), stdout);
    draw_state(&game, stdout);
    return STATUS_OK;
}

static const CliOption options[] = {
    OPTION_BOARD,
    CLI_OPTION(ShowArgs, diagram, "diagram", CLI_FLAG, NULL, "Print the diagram that --board reads"),
    OPTION_JSON,
    CLI_END(ShowArgs),
};

const Command command_show = {
    .name = "show",
    .words = "GAME [MOVES...]",
    .summary = "Draw a position",
    .about = "X plays first, O second; the stones of the last turn stand in parentheses.\n\nExamples:\n  krow show "
             "connect4 4453\n  krow show connect6 'j10 k10 k11'\n  krow show tictactoe --board -",
    .options = options,
    .run = run,
};
