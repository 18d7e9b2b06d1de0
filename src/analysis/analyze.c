// Runs the parts of an analysis in order: threats, forced wins, then the search or the chosen agent.
#include "analysis/analyze_parts.h"

#include "base/clock.h"
#include "threats/lines.h"

#include <stdlib.h>

enum { LINES_USUAL = 3 };

static const double usual_seconds = 5;

bool analyze_is_stopped(const Analysis *analysis)
{
    const atomic_bool *stop = analysis->options.stop;
    return stop != NULL && atomic_load_explicit(stop, memory_order_relaxed);
}

double analyze_deadline(const Analysis *analysis, double share)
{
    const Budget *budget = &analysis->options.budget;
    if (budget->seconds <= 0 && budget->nodes > 0)
        return 0;
    return analysis->began + share * (budget->seconds > 0 ? budget->seconds : usual_seconds);
}

unsigned analyze_lines_wanted(const Analysis *analysis)
{
    return analysis->options.lines > 0 ? analysis->options.lines : LINES_USUAL;
}

// Whether the other side completes a row in its next turn, whatever the side to move plays.
static bool is_lost(const Analysis *analysis)
{
    const Board *board = &analysis->game->board;
    Side side = board_side(board);
    const ThreatsView *other = &analysis->threats[side_other(side)];
    ExactThreats needed = board->rules.gravity ? other->in_play : other->answers.exact;
    unsigned left = board_stones_left(board);
    return !needed.is_uncertain && needed.count > left && !lines_can_complete(board, side, left);
}

static Status look(Analysis *analysis, Error *error)
{
    for (int side = 0; side < 2; side++)
        threats_view_find(&analysis->threats[side], &analysis->game->board, (Side)side);
    analysis->is_lost = is_lost(analysis);
    return analyze_find_wins(analysis, error);
}

// The agent is opened first, so that a wrong name is reported before seconds of search.
static Status with_agent(Analysis *analysis, Error *error)
{
    const AnalyzeOptions *options = &analysis->options;
    const Rules *rules = &analysis->game->board.rules;
    const char *name = options->agent != NULL ? options->agent : agent_best(rules)->name;
    Agent agent;
    Status status = agent_open_with(&agent, span_of(name), rules, options->host, error);
    if (status != STATUS_OK)
        return status;
    status = look(analysis, error);
    if (status == STATUS_OK)
        status = analyze_ask(analysis, &agent, error);
    agent_close(&agent);
    return status;
}

static Status with_search(Analysis *analysis, Error *error)
{
    Search *search = NULL;
    Status status = analyze_open_search(analysis, &search, error);
    if (status == STATUS_OK)
        status = look(analysis, error);
    if (status == STATUS_OK)
        status = analyze_think(analysis, search, error);
    search_close(search);
    return status;
}

Status analyze(Analysis *analysis, const AnalyzeOptions *options, const Game *game, Error *error)
{
    *analysis = (Analysis){.options = *options, .game = game, .began = clock_seconds()};
    analysis->thinks = options->agent == NULL && search_suits(&game->board.rules);
    Status status = analysis->thinks ? with_search(analysis, error) : with_agent(analysis, error);
    analysis->seconds = clock_seconds() - analysis->began;
    return status;
}

void analyze_close(Analysis *analysis)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        free(analysis->lines[i].stones);
    free(analysis->lines);
    free(analysis->cells);
    free(analysis->stops.cells);
    win_tree_close(&analysis->own.tree);
    win_tree_close(&analysis->threat.tree);
    threats_view_close(&analysis->threats[SIDE_FIRST]);
    threats_view_close(&analysis->threats[SIDE_SECOND]);
}
