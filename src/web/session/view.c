// Evaluations for the page.
#include "web/session/view.h"

#include "agents/agent.h"

#include <stdio.h>

static const char *standing(double chance)
{
    static const struct {
        double least;
        const char *words;
    } steps[] = {{0.9, "is close to winning"}, {0.72, "is clearly better"}, {0.57, "is slightly better"}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (chance >= steps[i].least)
            return steps[i].words;
    return NULL;
}

// "Black wins, proven", "White is clearly better".
static void view_verdict(const Rules *rules, Side mover, const WebEval *eval, char text[96])
{
    enum { SIZE = 96 };
    bool is_first = eval->chance_first >= 0.5;
    const char *winner = web_side_name(rules, eval->proven == PROVEN_WIN ? mover : side_other(mover));
    const char *words = standing(is_first ? eval->chance_first : 1 - eval->chance_first);
    if (!eval->is_known)
        (void)snprintf(text, SIZE, "No evaluation yet");
    else if (eval->proven == PROVEN_DRAW)
        (void)snprintf(text, SIZE, "A draw, proven");
    else if (eval->proven != PROVEN_NOTHING)
        (void)snprintf(text, SIZE, "%s wins, proven", winner);
    else if (words == NULL)
        (void)snprintf(text, SIZE, "Even");
    else
        (void)snprintf(text, SIZE, "%s %s", web_side_name(rules, is_first ? SIDE_FIRST : SIDE_SECOND), words);
}

json_t *web_view_json(const Analysis *analysis, bool cells, bool exact)
{
    WebEval eval = eval_of_analysis(analysis);
    char verdict[96];
    view_verdict(&analysis->game->board.rules, board_side(&analysis->game->board), &eval, verdict);
    json_t *object =
        json_pack("{s:o, s:s, s:s?, s:o, s:o, s:b}", "chance_first",
                  eval.is_known ? json_real(eval.chance_first) : json_null(), "verdict", verdict, "proven",
                  proven_name(eval.proven), "distance", eval.distance >= 0 ? json_integer(eval.distance) : json_null(),
                  "lines", analyze_lines_json(analysis), "exact", exact);
    if (cells)
        (void)json_object_set_new(object, "cells", analyze_cells_json(analysis));
    return object;
}
