#include "frontends/analyze.h"

#include "analysis/lines.h"
#include "base/clock.h"
#include "frontends/interrupt.h"
#include "match/referee.h"
#include "search/exact.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLE_BYTES = 64 << 20,
    STOP_NODES = 20000, // a cell that may stop a threat is given up after so many; most need far fewer
    LINES_USUAL = 3,
};

static const double usual_seconds = 5;

// Shares of the time after which the searches end, so that each has some.
static const double own_share = 0.5, threat_share = 0.75, stops_share = 1;

static bool is_stopped(void)
{
    return atomic_load_explicit(interrupt_flag(), memory_order_relaxed);
}

// --- Forced wins ---

// With --nodes alone there is no clock, so that the same call finds the same.
static double deadline_after(const Analysis *analysis, double share)
{
    const Budget *budget = &analysis->args->budget;
    if (budget->seconds <= 0 && budget->nodes > 0)
        return 0;
    return analysis->began + share * (budget->seconds > 0 ? budget->seconds : usual_seconds);
}

// --depth counts stones; a win in n turns has n of the attacker and n - 1 answers between them.
static unsigned turns_within(const Board *board, unsigned depth)
{
    unsigned left = board_stones_left(board), both = 2u * board->rules.p;
    return depth == 0 ? 0 : depth <= left ? 1 : 1 + (depth - left) / both;
}

static DoubleThreatLimits limits_of(const Analysis *analysis, const Board *board, double share)
{
    const Budget *budget = &analysis->args->budget;
    return (DoubleThreatLimits){.deadline = deadline_after(analysis, share),
                                .nodes = budget->nodes,
                                .turns = turns_within(board, budget->depth),
                                .stop = interrupt_flag()};
}

// A win is written down at once, as the search forgets it with the next one.
static Status find_forced(Analysis *analysis, DoubleThreat *search, const Board *board, double share,
                          ForcedView *forced, Error *error)
{
    DoubleThreatLimits limits = limits_of(analysis, board, share);
    limits.singles = analysis->args->singles;
    forced->is_searched = board_stones_left(board) <= WINDOW_TALLY_P_MAX;
    forced->side = board_side(board);
    if (!forced->is_searched)
        return STATUS_OK;
    double_threat_run(search, board, &limits, &forced->result);
    return analyze_is_won(forced) ? win_tree_make(&forced->tree, search, &forced->result, error) : STATUS_OK;
}

// The position if the side to move passed the rest of its turn.
static void pass(Board *board)
{
    (void)board_set_turn(board, side_other(board_side(board)), board->rules.p);
}

static void mark(bool marks[RULES_CELLS_MAX], const CellSet *cells)
{
    for (unsigned i = 0; i < cell_set_count(cells); i++)
        marks[cells->cell[i]] = true;
}

// Empty cells, those first that the win would take or that answer it: of these some will stop it.
static unsigned cells_in_order(const Board *board, const WinTree *tree, Cell cells[RULES_CELLS_MAX])
{
    Cell legal[RULES_CELLS_MAX];
    bool is_first[RULES_CELLS_MAX] = {0};
    for (unsigned i = 0; i < tree->count; i++) {
        mark(is_first, &tree->nodes[i].turn);
        mark(is_first, &tree->nodes[i].answered);
    }
    unsigned total = board_legal_cells(board, legal), count = 0;
    for (int first = 1; first >= 0; first--)
        for (unsigned i = 0; i < total; i++)
            if (is_first[legal[i]] == (first != 0))
                cells[count++] = legal[i];
    return count;
}

// Whether the other side still wins after this stone and no other.
static DoubleThreatVerdict after_stone(DoubleThreat *search, const Board *board, Cell cell,
                                       const DoubleThreatLimits *limits, uint64_t *nodes)
{
    Board next;
    board_copy(&next, board);
    Side other = side_other(board_side(board));
    (void)board_play(&next, cell);
    (void)board_set_turn(&next, other, next.rules.p);
    if (board_is_over(&next))
        return DOUBLE_THREAT_NONE;
    DoubleThreatResult result;
    double_threat_run(search, &next, limits, &result);
    *nodes += result.nodes;
    return result.verdict;
}

static Status find_stops(Analysis *analysis, DoubleThreat *search, Error *error)
{
    const Board *board = &analysis->game->board;
    StopsView *stops = &analysis->stops;
    DoubleThreatLimits limits = limits_of(analysis, board, stops_share);
    uint64_t most = limits.nodes > 0 ? limits.nodes : UINT64_MAX, nodes = 0;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = cells_in_order(board, &analysis->threat.tree, cells);
    stops->cells = malloc(count * sizeof stops->cells[0]);
    if (stops->cells == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for cells");
    stops->is_searched = true;
    for (unsigned i = 0; i < count; i++) {
        bool is_out = nodes >= most || is_stopped() || (limits.deadline > 0 && clock_seconds() >= limits.deadline);
        limits.nodes = most - nodes < STOP_NODES ? most - nodes : STOP_NODES;
        DoubleThreatVerdict verdict =
            is_out ? DOUBLE_THREAT_LIMIT : after_stone(search, board, cells[i], &limits, &nodes);
        stops->tried += !is_out;
        stops->undecided += verdict == DOUBLE_THREAT_LIMIT;
        if (verdict == DOUBLE_THREAT_NONE)
            stops->cells[stops->count++] = cells[i];
    }
    qsort(stops->cells, stops->count, sizeof stops->cells[0], cell_compare);
    return STATUS_OK;
}

// Whether stones that stop the threat are asked for. Not where the game is decided; nor where it has turns that leave
// free stones, as no search says that there is surely no win of that kind.
static bool wants_stops(const Analysis *analysis)
{
    return !analysis->is_lost && !analyze_is_won(&analysis->own) && analyze_is_won(&analysis->threat) &&
           analysis->threat.result.singles == 0;
}

static Status find_wins(Analysis *analysis, DoubleThreat *search, Error *error)
{
    Board passed;
    board_copy(&passed, &analysis->game->board);
    pass(&passed);
    Status status = find_forced(analysis, search, &analysis->game->board, own_share, &analysis->own, error);
    if (status == STATUS_OK)
        status = find_forced(analysis, search, &passed, threat_share, &analysis->threat, error);
    if (status == STATUS_OK && wants_stops(analysis))
        status = find_stops(analysis, search, error);
    return status;
}

static Status search_wins(Analysis *analysis, Error *error)
{
    const Rules *rules = &analysis->game->board.rules;
    if (!double_threat_suits(rules))
        return STATUS_OK;
    DoubleThreat *search = NULL;
    Status status = double_threat_open(&search, rules, TABLE_BYTES, error);
    if (status == STATUS_OK)
        status = find_wins(analysis, search, error);
    double_threat_close(search);
    return status;
}

unsigned analyze_line(const ForcedView *forced, Cell stones[2 * DOUBLE_THREAT_TURNS_MAX * WINDOW_TALLY_P_MAX])
{
    unsigned line[DOUBLE_THREAT_TURNS_MAX], count = 0;
    unsigned turns = win_tree_line(&forced->tree, line);
    for (unsigned i = 0; i < turns && forced->tree.nodes[line[i]].free == 0; i++) {
        const WinNode *node = &forced->tree.nodes[line[i]];
        for (unsigned j = 0; j < cell_set_count(&node->answered); j++)
            stones[count++] = node->answered.cell[j];
        for (unsigned j = 0; j < cell_set_count(&node->turn); j++)
            stones[count++] = node->turn.cell[j];
    }
    return count;
}

// --- Lines ---

static bool is_same_turn(const LineView *line, const Cell *stones, unsigned count)
{
    unsigned same = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < line->count; j++)
            same += stones[i] == line->stones[j];
    return count == line->count && same == count;
}

// Adds a line unless its turn is there already. What it owns is copied.
static Status add_line(Analysis *analysis, const LineView *line, Error *error)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        if (is_same_turn(&analysis->lines[i], line->stones, line->count))
            return STATUS_OK;
    LineView *lines = realloc(analysis->lines, (analysis->line_count + 1) * sizeof lines[0]);
    Cell *cells = malloc((line->count + line->pv_count) * sizeof cells[0]);
    analysis->lines = lines != NULL ? lines : analysis->lines;
    if (lines == NULL || cells == NULL) {
        free(cells);
        return error_set(error, STATUS_NO_MEMORY, "no memory for lines");
    }
    LineView *added = &lines[analysis->line_count++];
    *added = *line;
    added->proven = analysis->is_lost ? PROVEN_LOSS : line->proven;
    added->stones = cells;
    added->pv = cells + line->count;
    memcpy(added->stones, line->stones, line->count * sizeof cells[0]);
    memcpy(added->pv, line->pv, line->pv_count * sizeof cells[0]);
    return STATUS_OK;
}

// The forced win. Its score is that of a win under a search, which no agent's own score reaches.
static Status add_forced(Analysis *analysis, Error *error)
{
    const ForcedView *own = &analysis->own;
    if (!analyze_is_won(own))
        return STATUS_OK;
    Cell pv[2 * DOUBLE_THREAT_TURNS_MAX * WINDOW_TALLY_P_MAX];
    CellSet turn = own->result.turn;
    LineView line = {.score = MINIMAX_WIN, .proven = PROVEN_WIN, .distance = -1, .stones = turn.cell};
    line.count = cell_set_count(&turn);
    line.pv = own->tree.is_whole ? pv : turn.cell;
    line.pv_count = own->tree.is_whole ? analyze_line(own, pv) : line.count;
    if (own->tree.is_whole) {
        line.distance = (int)own->tree.nodes[0].distance;
        line.depth = (unsigned)line.distance;
        line.score -= line.distance * MINIMAX_STONE;
    }
    return add_line(analysis, &line, error);
}

static Status add_decision(Analysis *analysis, Agent *agent, Decision *decision, Error *error)
{
    Rng rng = rng_make(analysis->seed);
    AgentTask task = {.budget = analysis->args->budget, .rng = &rng, .stop = interrupt_flag()};
    agent_decide(agent, analysis->game, &task, decision);
    Game after;
    game_copy(&after, analysis->game);
    if (referee_play(&after, decision, error) != STATUS_OK) {
        error_prefix(error, "agent '%s'%s: ", agent->kind->name, decision->fault ? "" : " broke the rules");
        return STATUS_FAILED;
    }
    bool has_line = decision->line_count > 0;
    LineView line = {.by = agent->kind->name,
                     .score = decision->score,
                     .proven = decision->proven,
                     .distance = decision->distance,
                     .depth = decision->depth,
                     .count = decision->count,
                     .stones = decision->stones,
                     .pv_count = has_line ? decision->line_count : decision->count,
                     .pv = has_line ? decision->line : decision->stones};
    return add_line(analysis, &line, error);
}

static RatedCell best_of(const Ratings *ratings)
{
    RatedCell best = ratings->cells[0];
    for (unsigned i = 1; i < ratings->count; i++)
        if (ratings->cells[i].utility > best.utility)
            best = ratings->cells[i];
    return best;
}

// The turn that begins with a rated cell and goes on with the best rated ones.
static Status add_rated(Analysis *analysis, Agent *agent, RatedCell first, Error *error)
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
                     .score = first.utility,
                     .distance = -1,
                     .depth = 1,
                     .count = count,
                     .stones = stones,
                     .pv_count = count,
                     .pv = stones};
    return add_line(analysis, &line, error);
}

// --- Agents ---

static int compare_rated(const void *a, const void *b)
{
    const RatedCell *x = a, *y = b;
    if (x->utility != y->utility)
        return x->utility < y->utility ? 1 : -1;
    return (int)x->cell - (int)y->cell;
}

static bool begins_a_line(const Analysis *analysis, Cell cell)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        if (analysis->lines[i].stones[0] == cell)
            return true;
    return false;
}

// Cells in the order of their ratings, and turns that begin with the best of them.
static Status rate(Analysis *analysis, Agent *agent, Error *error)
{
    unsigned wanted = analysis->args->lines > 0 ? analysis->args->lines : LINES_USUAL;
    agent_rate(agent, analysis->game);
    unsigned count = agent->ratings->count;
    analysis->cells = malloc((count + 1) * sizeof analysis->cells[0]);
    if (analysis->cells == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for cells");
    memcpy(analysis->cells, agent->ratings->cells, count * sizeof analysis->cells[0]);
    qsort(analysis->cells, count, sizeof analysis->cells[0], compare_rated);
    analysis->cell_count = count;
    analysis->rater = agent->kind->name;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < count && status == STATUS_OK && !is_stopped() && analysis->line_count < wanted; i++)
        if (!begins_a_line(analysis, analysis->cells[i].cell))
            status = add_rated(analysis, agent, analysis->cells[i], error);
    return status;
}

// Where the agent asked for does not rate cells, the strongest that does.
static Status rate_by_another(Analysis *analysis, Error *error)
{
    const Rules *rules = &analysis->game->board.rules;
    int best = agent_kind_count - 1;
    while (best > 0 && (agent_kinds[best]->rate == NULL || !agent_plays_alone(agent_kinds[best], rules)))
        best--;
    Agent agent;
    Status status = agent_open_with(&agent, span_of(agent_kinds[best]->name), rules, &analysis->args->host, error);
    if (status != STATUS_OK)
        return status;
    status = rate(analysis, &agent, error);
    agent_close(&agent);
    return status;
}

// --- Exact values ---

static LineView exact_line(const Board *board, const ExactCell *cell, Cell *stone)
{
    *stone = cell->cell;
    int score = cell->low;
    return (LineView){
        .by = "exact",
        .score = score,
        .proven = score > 0   ? PROVEN_WIN
                  : score < 0 ? PROVEN_LOSS
                              : PROVEN_DRAW,
        .distance = score != 0 ? (int)exact_distance(board, score) : -1,
        .count = 1,
        .stones = stone,
        .pv_count = 1,
        .pv = stone,
    };
}

static int compare_exact(const void *a, const void *b)
{
    const ExactCell *x = a, *y = b;
    return x->low != y->low ? (x->low < y->low) - (x->low > y->low) : (int)x->cell - (int)y->cell;
}

static bool are_known(const ExactCells *cells)
{
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].low != cells->list[i].high)
            return false;
    return cells->count > 0;
}

// Takes over the scores of all cells, and the best of them as turns.
static Status take_exact(Analysis *analysis, ExactCells *cells, Error *error)
{
    unsigned wanted = analysis->args->lines > 0 ? analysis->args->lines : LINES_USUAL;
    qsort(cells->list, cells->count, sizeof cells->list[0], compare_exact);
    analysis->cells = malloc(cells->count * sizeof analysis->cells[0]);
    if (analysis->cells == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for cells");
    analysis->cell_count = cells->count;
    analysis->agent = analysis->rater = "exact";
    Status status = STATUS_OK;
    for (unsigned i = 0; i < cells->count && status == STATUS_OK; i++) {
        analysis->cells[i] = (RatedCell){cells->list[i].cell, cells->list[i].low};
        Cell stone;
        LineView line = exact_line(&analysis->game->board, &cells->list[i], &stone);
        if (analysis->line_count < wanted)
            status = add_line(analysis, &line, error);
    }
    return status;
}

// Where stones fall one a turn every cell has an exact score, if there is time to find them all. `*found` tells.
static Status rate_exactly(Analysis *analysis, bool *found, Error *error)
{
    const Board *board = &analysis->game->board;
    ExactOptions options = {.openings = true};
    ExactLimits limits = {
        .deadline = deadline_after(analysis, 1),
        .nodes = analysis->args->budget.nodes,
        .stop = interrupt_flag(),
    };
    Exact *exact = NULL;
    ExactCells *cells = calloc(1, sizeof *cells);
    if (cells == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for cells");
    Status status = exact_open(&exact, &options, &board->rules, error);
    if (status == STATUS_OK)
        status = exact_cells(exact, board, EXACT_SCORE, NULL, &limits, cells, error);
    *found = status == STATUS_OK && are_known(cells);
    if (*found)
        status = take_exact(analysis, cells, error);
    exact_close(exact);
    free(cells);
    return status;
}

static Status ask(Analysis *analysis, Agent *agent, Error *error)
{
    bool found = false;
    if (analysis->args->agent == NULL && exact_has_scores(&analysis->game->board.rules)) {
        Status status = rate_exactly(analysis, &found, error);
        if (status != STATUS_OK || found)
            return status;
    }
    unsigned wanted = analysis->args->lines > 0 ? analysis->args->lines : LINES_USUAL;
    Decision *decision = malloc(sizeof *decision);
    if (decision == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a decision");
    analysis->agent = agent->kind->name;
    Status status = add_forced(analysis, error);
    if (status == STATUS_OK && analysis->line_count < wanted)
        status = add_decision(analysis, agent, decision, error);
    free(decision);
    if (status != STATUS_OK)
        return status;
    return agent->kind->rate != NULL ? rate(analysis, agent, error) : rate_by_another(analysis, error);
}

// --- All of it ---

// Whatever the side to move does in this turn, the other one completes a row in the next.
static bool is_lost(const Analysis *analysis)
{
    const Board *board = &analysis->game->board;
    Side side = board_side(board);
    const ThreatsView *other = &analysis->threats[side_other(side)];
    ExactThreats needed = board->rules.gravity ? other->in_play : other->answers.exact;
    unsigned left = board_stones_left(board);
    return !needed.is_uncertain && needed.count > left && !lines_can_complete(board, side, left);
}

static Status look(Analysis *analysis, Agent *agent, Error *error)
{
    Status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = threats_view_find(&analysis->threats[side], &analysis->game->board, (Side)side, error);
    if (status == STATUS_OK) {
        analysis->is_lost = is_lost(analysis);
        status = search_wins(analysis, error);
    }
    if (status == STATUS_OK)
        status = ask(analysis, agent, error);
    return status;
}

// The agent is opened first: a wrong name should not be told after seconds of thought.
Status analyze(Analysis *analysis, const Args *args, const Game *game, Error *error)
{
    const Rules *rules = &game->board.rules;
    const char *name = args->agent != NULL ? args->agent : agent_best(rules)->name;
    *analysis = (Analysis){.args = args, .game = game, .began = clock_seconds(), .seed = args_seed(args)};
    Agent agent;
    Status status = agent_open_with(&agent, span_of(name), rules, &args->host, error);
    if (status != STATUS_OK)
        return status;
    interrupt_catch();
    status = look(analysis, &agent, error);
    agent_close(&agent);
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
