// Turns and cells of krow analyze from agents and from the exact solver.
#include "analysis/analyze_parts.h"
#include "base/memory.h"

#include "match/referee.h"
#include "solver/exact.h"

#include <stdlib.h>
#include <string.h>

enum { EXACT_EMPTY = 25 }; // cells of a small game; with more the solver rarely ends within seconds

static const double exact_share = 0.5; // of the time

// --- Lines ---

bool analyze_same_turn(const Cell *a, unsigned a_count, const Cell *b, unsigned b_count)
{
    unsigned same = 0;
    for (unsigned i = 0; i < a_count; i++)
        for (unsigned j = 0; j < b_count; j++)
            same += a[i] == b[j];
    return a_count == b_count && same == a_count;
}

void analyze_add_line(Analysis *analysis, const LineView *line)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        if (analyze_same_turn(analysis->lines[i].stones, analysis->lines[i].count, line->stones, line->count))
            return;
    Cell *cells = memory_new(line->count + line->pv_count, sizeof cells[0]);
    analysis->lines = memory_resize(analysis->lines, analysis->line_count + 1, sizeof analysis->lines[0]);
    LineView *added = &analysis->lines[analysis->line_count++];
    *added = *line;
    added->proven = analysis->is_lost ? PROVEN_LOSS : line->proven;
    added->chance = analysis->is_lost && line->chance >= 0 ? 0 : line->chance;
    added->stones = cells;
    added->pv = cells + line->count;
    memcpy(added->stones, line->stones, line->count * sizeof cells[0]);
    memcpy(added->pv, line->pv, line->pv_count * sizeof cells[0]);
}

// The score of a win in that many stones, -1 being an unknown number. No agent's own score reaches it.
static double score_of_win(const Analysis *analysis, int distance)
{
    if (analysis->thinks)
        return (distance >= 0 ? SEARCH_WIN - distance : SEARCH_PROVEN) / ANALYZE_UNIT;
    return distance >= 0 ? MINIMAX_WIN - distance * MINIMAX_STONE : MINIMAX_WIN;
}

void analyze_add_forced(Analysis *analysis)
{
    const ForcedView *own = &analysis->own;
    if (!analyze_is_won(own))
        return;
    Cell pv[2 * DOUBLE_THREAT_TURNS_MAX * WINDOW_TALLY_P_MAX];
    CellSet turn = own->result.turn;
    LineView line = {.chance = 1, .proven = PROVEN_WIN, .distance = -1, .stones = turn.cell};
    line.count = cell_set_count(&turn);
    line.pv = own->tree.is_whole ? pv : turn.cell;
    line.pv_count = own->tree.is_whole ? analyze_line(own, pv) : line.count;
    if (own->tree.is_whole) {
        line.distance = (int)own->tree.nodes[0].distance;
        line.depth = (unsigned)line.distance;
    }
    line.score = score_of_win(analysis, line.distance);
    analyze_add_line(analysis, &line);
}

static Status add_decision(Analysis *analysis, Agent *agent, Error *error)
{
    Decision decision = {0};
    Rng rng = rng_make(analysis->options.seed);
    AgentTask task = {.budget = analysis->options.budget, .rng = &rng, .stop = analysis->options.stop};
    Status status = referee_ask(agent, analysis->game, &task, &decision, error);
    if (status != STATUS_OK)
        return status;
    bool has_line = decision.line_count > 0;
    LineView line = {.by = agent->kind->name,
                     .chance = -1,
                     .score = decision.score,
                     .proven = decision.proven,
                     .distance = decision.distance,
                     .depth = decision.depth,
                     .count = decision.count,
                     .stones = decision.stones,
                     .pv_count = has_line ? decision.line_count : decision.count,
                     .pv = has_line ? decision.line : decision.stones};
    analyze_add_line(analysis, &line);
    return STATUS_OK;
}

static RatedCell best_of(const Ratings *ratings)
{
    RatedCell best = ratings->cells[0];
    for (unsigned i = 1; i < ratings->count; i++)
        if (ratings->cells[i].utility > best.utility)
            best = ratings->cells[i];
    return best;
}

// The turn that begins with a rated cell and continues with the best rated ones.
static void add_rated(Analysis *analysis, Agent *agent, RatedCell first)
{
    Game after;
    game_copy(&after, analysis->game);
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0, left = board_stones_left(&after.board);
    for (Cell cell = first.cell; count < left; cell = best_of(agent->ratings).cell) {
        stones[count++] = cell;
        game_play(&after, cell);
        if (count == left || game_is_over(&after))
            break;
        agent_rate(agent, &after);
    }
    LineView line = {.by = agent->kind->name,
                     .chance = -1,
                     .score = first.utility,
                     .distance = -1,
                     .depth = 1,
                     .count = count,
                     .stones = stones,
                     .pv_count = count,
                     .pv = stones};
    analyze_add_line(analysis, &line);
}

// --- Agents ---

int analyze_compare_rated(const void *a, const void *b)
{
    const RatedCell *x = a, *y = b;
    if (x->utility != y->utility)
        return x->utility < y->utility ? 1 : -1;
    return (int)x->cell - (int)y->cell;
}

bool analyze_begins_line(const Analysis *analysis, Cell cell)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        if (analysis->lines[i].stones[0] == cell)
            return true;
    return false;
}

// Adds the cells in the order of their ratings, and turns that begin with the best ones.
static void rate(Analysis *analysis, Agent *agent)
{
    unsigned wanted = analyze_lines_wanted(analysis);
    agent_rate(agent, analysis->game);
    unsigned count = agent->ratings->count;
    analysis->cells = memory_new(count, sizeof analysis->cells[0]);
    memcpy(analysis->cells, agent->ratings->cells, count * sizeof analysis->cells[0]);
    qsort(analysis->cells, count, sizeof analysis->cells[0], analyze_compare_rated);
    analysis->cell_count = count;
    analysis->rater = agent->kind->name;
    for (unsigned i = 0; i < count && !analyze_is_stopped(analysis) && analysis->line_count < wanted; i++)
        if (!analyze_begins_line(analysis, analysis->cells[i].cell))
            add_rated(analysis, agent, analysis->cells[i]);
}

// The rater if the chosen agent does not rate cells: the strongest agent that does.
static Status rate_by_another(Analysis *analysis, Error *error)
{
    const Rules *rules = &analysis->game->board.rules;
    int best = agent_kind_count - 1;
    while (best > 0 && (agent_kinds[best]->rate == NULL || !agent_plays_alone(agent_kinds[best], rules)))
        best--;
    Agent agent;
    Status status = agent_open_with(&agent, span_of(agent_kinds[best]->name), rules, analysis->options.host, error);
    if (status != STATUS_OK)
        return status;
    rate(analysis, &agent);
    agent_close(&agent);
    return STATUS_OK;
}

// --- Exact values ---

// The engine's line that begins with a stone and does not contradict the value; NULL: none.
static SearchLine *line_of(SearchInfo *report, const ExactCell *cell)
{
    for (unsigned i = 0; i < report->line_count; i++) {
        SearchLine *line = &report->lines[i];
        int sign = search_distance(line->score) < 0 ? 0 : line->score > 0 ? 1 : -1;
        if (line->turn.stones[0] == cell->cell && sign == (cell->low > 0) - (cell->low < 0))
            return line;
    }
    return NULL;
}

// Adds a stone with its exact value and the engine's continuation.
static LineView exact_line(const Board *board, ExactCell *cell, SearchInfo *report)
{
    SearchLine *line = line_of(report, cell);
    int score = cell->low, distance = -1;
    if (score != 0 && exact_has_scores(&board->rules))
        distance = (int)exact_distance(board, score);
    else if (score != 0 && line != NULL)
        distance = search_distance(line->score);
    return (LineView){
        .by = "exact",
        .score = score,
        .chance = ((score > 0) - (score < 0) + 1) / 2.0,
        .proven = score > 0   ? PROVEN_WIN
                  : score < 0 ? PROVEN_LOSS
                              : PROVEN_DRAW,
        .distance = distance,
        .count = 1,
        .stones = &cell->cell,
        .pv_count = line != NULL ? line->pv_count : 1,
        .pv = line != NULL ? line->pv : &cell->cell,
    };
}

bool analyze_are_known(const ExactCells *cells)
{
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].low != cells->list[i].high)
            return false;
    return cells->count > 0;
}

static unsigned rank_of(const SearchInfo *report, Cell cell)
{
    unsigned rank = 0;
    while (rank < report->line_count && report->lines[rank].turn.stones[0] != cell)
        rank++;
    return rank;
}

// Orders by value. If values only say who wins, equal ones have the order of the engine.
static void sort_exact(ExactCells *cells, const SearchInfo *report, bool by_rank)
{
    for (unsigned i = 1; i < cells->count; i++) {
        ExactCell cell = cells->list[i];
        unsigned at = i, rank = by_rank ? rank_of(report, cell.cell) : 0;
        while (at > 0 && (cells->list[at - 1].low < cell.low || (cells->list[at - 1].low == cell.low && by_rank &&
                                                                 rank_of(report, cells->list[at - 1].cell) > rank))) {
            cells->list[at] = cells->list[at - 1];
            at--;
        }
        cells->list[at] = cell;
    }
}

void analyze_take_exact(Analysis *analysis, ExactCells *cells, SearchInfo *report)
{
    const Board *board = &analysis->game->board;
    unsigned wanted = analyze_lines_wanted(analysis);
    sort_exact(cells, report, !exact_has_scores(&board->rules));
    analysis->cells = memory_new(cells->count, sizeof analysis->cells[0]);
    analysis->cell_count = cells->count;
    analysis->agent = analysis->rater = "exact";
    for (unsigned i = 0; i < cells->count; i++) {
        analysis->cells[i] = (RatedCell){cells->list[i].cell, cells->list[i].low};
        LineView line = exact_line(board, &cells->list[i], report);
        if (analysis->line_count < wanted)
            analyze_add_line(analysis, &line);
    }
}

// Used in gravity games with one stone per turn, and in small games with one stone per turn without a win by threats,
// which is more informative.
bool analyze_may_be_exact(const Analysis *analysis)
{
    const Board *board = &analysis->game->board;
    const Rules *rules = &board->rules;
    unsigned empty = board->cells - board_count(board);
    return exact_has_scores(rules) || (!analyze_is_won(&analysis->own) && rules->p == 1 && rules->q == 1 &&
                                       empty <= EXACT_EMPTY && exact_check(rules, NULL) == STATUS_OK);
}

Status analyze_exactly(const Analysis *analysis, ExactCells *cells, bool *found, Error *error)
{
    const Board *board = &analysis->game->board;
    ExactOptions options = {.openings = true, .megabytes = analysis->options.tables};
    Limits limits = {
        .deadline = analyze_deadline(analysis, exact_share),
        .nodes = analysis->options.budget.nodes,
        .stop = analysis->options.stop,
    };
    *found = false;
    if (!analyze_may_be_exact(analysis))
        return STATUS_OK;
    Exact *exact = NULL;
    Status status = exact_open(&exact, &options, &board->rules, error);
    if (status == STATUS_OK)
        status = exact_cells(exact, &(ExactQuery){board, EXACT_SCORE, &limits, NULL}, cells, error);
    *found = status == STATUS_OK && analyze_are_known(cells);
    exact_close(exact);
    return status;
}

Status analyze_ask(Analysis *analysis, Agent *agent, Error *error)
{
    unsigned wanted = analyze_lines_wanted(analysis);
    analysis->agent = agent->kind->name;
    analyze_add_forced(analysis);
    Status status = analysis->line_count < wanted ? add_decision(analysis, agent, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    // Ratings of an agent that also decides have no budget.
    if (agent->kind->rate == NULL || agent->kind->decide != NULL)
        return rate_by_another(analysis, error);
    rate(analysis, agent);
    return STATUS_OK;
}
