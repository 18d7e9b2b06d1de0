// krow threats: the threats of both sides, counted three ways.
#include "cli/commands.h"
#include "cli/output/draw.h"
#include "cli/output/threats_text.h"
#include "view/json_view.h"

#include <limits.h>

static Status report(const CommandLine *args, const Game *game, const ThreatsView threats[2], Error *error)
{
    if (args->json) {
        json_t *object = view_position(game);
        (void)json_object_set_new(object, "first", threats_view_json(&threats[SIDE_FIRST]));
        (void)json_object_set_new(object, "second", threats_view_json(&threats[SIDE_SECOND]));
        return output_json(object, error);
    }
    draw_board(game, draw_style(), stdout);
    draw_state(game, stdout);
    threats_print(&threats[SIDE_FIRST], UINT_MAX);
    threats_print(&threats[SIDE_SECOND], UINT_MAX);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const CommandLine *args = options;
    Game game;
    ThreatsView threats[2] = {0};
    Status status = line_position(args, &game, error);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        threats_view_find(&threats[side], &game.board, (Side)side);
    if (status == STATUS_OK)
        status = report(args, &game, threats, error);
    threats_view_close(&threats[SIDE_FIRST]);
    threats_view_close(&threats[SIDE_SECOND]);
    return status;
}

static const CliOption options[] = {OPTION_BOARD, OPTION_JSON, CLI_END(CommandLine)};

const Command command_threats = {
    .name = "threats",
    .words = "GAME [MOVES...]",
    .summary = "Count the threats of both sides",
    .about =
        "A threat is a window of k cells that a side can complete in its next turn. Counts the stones that the "
        "other side needs to stop all threats: sliding (Wu and Huang), marked (Levin et al., section 2.2) and "
        "exact, with all smallest answers. With one stone per turn it also lists open, closed and split threes "
        "and fours (rows of k-2 and k-1 stones).\n\nExamples:\n  krow threats gomoku 'h8 a1 h9 a3 h10'\n  krow threats "
        "connect6 --board -",
    .options = options,
    .run = run,
};
