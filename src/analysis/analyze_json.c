// krow analyze as JSON; docs/analyze.md describes the fields.
#include "agents/agent.h"
#include "analysis/analyze_parts.h"
#include "base/clock.h"
#include "game/notation.h"

#include <math.h>

// JSON has no infinite numbers.
static json_t *score_of(const Analysis *analysis, double score)
{
    double seen = analyze_is_reversed(analysis) ? 0 - score : score; // never -0
    return isfinite(seen) ? json_real(seen) : json_null();
}

static json_t *cells_of(const CellSet *set)
{
    return view_cells(set->cell, cell_set_count(set));
}

static json_t *node_of(const WinTree *tree, unsigned at)
{
    static const char *const ends[] = {NULL, "row", "unstoppable"};
    const WinNode *node = &tree->nodes[at];
    json_t *answers = json_array();
    unsigned next = at + 1;
    for (unsigned i = 0; i < node->answers; i++, next += tree->nodes[next].size)
        (void)json_array_append_new(answers,
                                    json_pack("{s:o, s:i, s:o}", "answer", cells_of(&tree->nodes[next].answered),
                                              "free", (int)tree->nodes[next].free, "then", node_of(tree, next)));
    return json_pack("{s:i, s:i, s:o, s:o, s:s?}", "turns", (int)node->turns, "distance", (int)node->distance, "turn",
                     cells_of(&node->turn), "answers", answers, "ends", ends[node->end]);
}

json_t *analyze_forced_json(const ForcedView *forced)
{
    return forced->tree.count > 0 ? node_of(&forced->tree, 0) : json_null();
}

static const char *verdict_of(const ForcedView *forced)
{
    static const char *const words[] = {"won", "none", "limit"};
    return forced->is_searched ? words[forced->result.verdict] : NULL;
}

static json_t *threatens_of(const Analysis *analysis)
{
    const ForcedView *threat = &analysis->threat;
    const StopsView *stops = &analysis->stops;
    return json_pack(
        "{s:s, s:b, s:s?, s:i, s:o, s:o, s:i, s:b}", "side", side_name(side_other(board_side(&analysis->game->board))),
        "searched", threat->is_searched, "verdict", verdict_of(threat), "turns", (int)threat->result.turns, "forced",
        analyze_forced_json(threat), "stops", stops->is_searched ? view_cells(stops->cells, stops->count) : json_null(),
        "stops_undecided", (int)stops->undecided, "unstoppable", analysis->is_lost);
}

static json_t *line_of(const Analysis *analysis, const LineView *line)
{
    bool is_reversed = analyze_is_reversed(analysis);
    double chance = is_reversed ? 1 - line->chance : line->chance;
    return json_pack("{s:o, s:o, s:o, s:s?, s:o, s:i, s:o, s:s}", "stones", view_cells(line->stones, line->count),
                     "score", score_of(analysis, line->score), "chance",
                     line->chance < 0 ? json_null() : json_real(chance), "proven",
                     proven_name(is_reversed ? proven_reversed(line->proven) : line->proven), "distance",
                     line->distance >= 0 ? json_integer(line->distance) : json_null(), "depth", (int)line->depth, "pv",
                     view_cells(line->pv, line->pv_count), "by", line->by != NULL ? line->by : "forced");
}

json_t *analyze_lines_json(const Analysis *analysis)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < analysis->line_count; i++)
        (void)json_array_append_new(list, line_of(analysis, &analysis->lines[i]));
    return list;
}

json_t *analyze_cells_json(const Analysis *analysis)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < analysis->cell_count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(analysis->cells[i].cell, name);
        (void)json_object_set_new(object, name, score_of(analysis, analysis->cells[i].utility));
    }
    return object;
}

static Side view_of(const Analysis *analysis)
{
    return analysis->options.first_view ? SIDE_FIRST : board_side(&analysis->game->board);
}

json_t *analyze_report_json(const Analysis *analysis, const SearchInfo *report)
{
    SearchInfo known = *report;
    const Board *board = &analysis->game->board;
    double seconds = clock_seconds() - analysis->began;
    json_t *list = json_array();
    for (unsigned i = 0; i < known.line_count; i++) {
        LineView line = analyze_view_of(analysis, &known.lines[i]);
        (void)json_array_append_new(list, line_of(analysis, &line));
    }
    return json_pack("{s:b, s:o, s:i, s:i, s:s, s:I, s:f}", "complete", false, "lines", list, "depth",
                     (int)analyze_stones_of(board, known.depth), "deepest",
                     (int)analyze_stones_of(board, known.deepest), "view", side_name(view_of(analysis)), "nodes",
                     (json_int_t)known.nodes, "ms", seconds * 1000);
}

static const char *forced_by(const ForcedView *forced)
{
    return !analyze_is_won(forced) ? NULL : forced->is_engine ? "engine" : "threats";
}

json_t *analyze_json(const Analysis *analysis)
{
    const ForcedView *own = &analysis->own;
    uint64_t nodes = own->result.nodes + analysis->threat.result.nodes + analysis->thought;
    json_t *object = view_position(analysis->game);
    json_t *more = json_pack(
        "{s:o, s:o, s:b, s:s?, s:i, s:s?, s:o, s:{s:o, s:o}, s:o, s:s, s:s?, s:s, s:i, s:i, s:I, s:f, s:I, s:b}",
        "lines", analyze_lines_json(analysis), "forced", analyze_forced_json(own), "forced_searched", own->is_searched,
        "forced_verdict", verdict_of(own), "forced_turns", (int)own->result.turns, "forced_by", forced_by(own),
        "threatens", threatens_of(analysis), "threats", "first", threats_view_json(&analysis->threats[SIDE_FIRST]),
        "second", threats_view_json(&analysis->threats[SIDE_SECOND]), "cells", analyze_cells_json(analysis), "agent",
        analysis->agent, "cells_agent", analysis->rater, "view", side_name(view_of(analysis)), "depth",
        (int)analysis->depth, "deepest", (int)analysis->deepest, "nodes", (json_int_t)nodes, "ms",
        analysis->seconds * 1000, "seed", (json_int_t)analysis->options.seed, "complete", true);
    (void)json_object_update_new(object, more);
    return object;
}
