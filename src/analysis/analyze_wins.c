// Forced wins by threats and the stones that stop them, for krow analyze.
#include "analysis/analyze_parts.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
    TABLE_MEGABYTES = 64,
    STOP_NODES = 20000, // per cell that may stop a threat; most need far fewer
    SINGLES_NODES = 20000,
    PROOF_NODES = 1000000,
    PROOF_POSITIONS = 20000,
};

static size_t table_bytes(const Analysis *analysis)
{
    unsigned megabytes = analysis->options.tables;
    return (size_t)(megabytes > 0 ? megabytes : TABLE_MEGABYTES) << 20;
}

// Shares of the time at which the searches end; less if the engine searches afterwards.
static const double own_share[] = {0.5, 0.15}, threat_share[] = {0.75, 0.25}, stops_share[] = {1, 0.35};

// --depth counts stones; a win in n turns has n of the attacker and n - 1 answers between them.
static unsigned turns_within(const Board *board, unsigned depth)
{
    unsigned left = board_stones_left(board), both = 2u * board->rules.p;
    return depth == 0 ? 0 : depth <= left ? 1 : 1 + (depth - left) / both;
}

static Limits limits_of(const Analysis *analysis, const Board *board, double share)
{
    const Budget *budget = &analysis->options.budget;
    return (Limits){.deadline = analyze_deadline(analysis, share),
                    .nodes = budget->nodes,
                    .depth = turns_within(board, budget->depth),
                    .stop = analysis->options.stop};
}

// Builds the tree at once, since the next search overwrites the win.
static void find_forced(Analysis *analysis, DoubleThreat *search, const Board *board, double share, ForcedView *forced)
{
    Limits limits = limits_of(analysis, board, share);
    forced->is_searched = board_stones_left(board) <= WINDOW_TALLY_P_MAX;
    forced->side = board_side(board);
    if (!forced->is_searched)
        return;
    double_threat_run_with_singles(search, board, &limits, analysis->options.singles, &forced->result);
    if (analyze_is_won(forced))
        win_tree_make(&forced->tree, search, &forced->result);
}

static void mark(bool marks[RULES_CELLS_MAX], const CellSet *cells)
{
    for (unsigned i = 0; i < cell_set_count(cells); i++)
        marks[cells->cell[i]] = true;
}

// Empty cells, first those that the win uses or that answer it: only some of these stop it.
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

// Whether the other side still wins after this single stone.
static DoubleThreatVerdict after_stone(DoubleThreat *search, const Board *board, Cell cell, const Limits *limits,
                                       uint64_t *nodes)
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

static void find_stops(Analysis *analysis, DoubleThreat *search)
{
    const Board *board = &analysis->game->board;
    StopsView *stops = &analysis->stops;
    Limits limits = limits_of(analysis, board, stops_share[analysis->thinks]);
    uint64_t most = limits.nodes > 0 ? limits.nodes : UINT64_MAX, nodes = 0;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = cells_in_order(board, &analysis->threat.tree, cells);
    stops->cells = memory_new(count, sizeof stops->cells[0]);
    stops->is_searched = true;
    for (unsigned i = 0; i < count; i++) {
        bool is_out = nodes >= most || analyze_is_stopped(analysis) ||
                      (limits.deadline > 0 && clock_seconds() >= limits.deadline);
        limits.nodes = most - nodes < STOP_NODES ? most - nodes : STOP_NODES;
        DoubleThreatVerdict verdict =
            is_out ? DOUBLE_THREAT_LIMIT : after_stone(search, board, cells[i], &limits, &nodes);
        stops->tried += !is_out;
        stops->undecided += verdict == DOUBLE_THREAT_LIMIT;
        if (verdict == DOUBLE_THREAT_NONE)
            stops->cells[stops->count++] = cells[i];
    }
    qsort(stops->cells, stops->count, sizeof stops->cells[0], cell_compare);
}

// Whether to search for stones that stop the threat. Not in a decided game, nor for wins whose turns leave free stones,
// since no search disproves such wins.
static bool wants_stops(const Analysis *analysis)
{
    return !analysis->is_lost && !analyze_is_won(&analysis->own) && analyze_is_won(&analysis->threat) &&
           analysis->threat.result.singles == 0;
}

static void search_both(Analysis *analysis, DoubleThreat *search)
{
    Board passed; // the side to move passes the rest of its turn
    board_copy(&passed, &analysis->game->board);
    (void)board_set_turn(&passed, side_other(board_side(&passed)), passed.rules.p);
    find_forced(analysis, search, &analysis->game->board, own_share[analysis->thinks], &analysis->own);
    find_forced(analysis, search, &passed, threat_share[analysis->thinks], &analysis->threat);
    if (wants_stops(analysis))
        find_stops(analysis, search);
}

Status analyze_find_wins(Analysis *analysis, Error *error)
{
    const Rules *rules = &analysis->game->board.rules;
    if (!double_threat_suits(rules))
        return STATUS_OK;
    DoubleThreat *search = NULL;
    Status status = double_threat_open(&search, rules, table_bytes(analysis), error);
    if (status == STATUS_OK)
        search_both(analysis, search);
    double_threat_close(search);
    return status;
}

// --- Wins proven by the engine ---

// The tree of a win with several stones per turn; allows turns with free stones, few at first.
static void find_with_singles(Analysis *analysis, DoubleThreat *search)
{
    ForcedView *own = &analysis->own;
    for (unsigned singles = 1; singles <= 2 && own->tree.count == 0; singles++) {
        Limits limits = {.nodes = SINGLES_NODES, .stop = analysis->options.stop};
        limits.depth = turns_within(&analysis->game->board, analysis->options.budget.depth);
        DoubleThreatResult result;
        double_threat_run_with_singles(search, &analysis->game->board, &limits, singles, &result);
        if (result.verdict != DOUBLE_THREAT_WON)
            continue;
        own->result = result;
        win_tree_make(&own->tree, search, &result);
    }
}

// The tree of a win with one stone per turn.
static void write_down(Analysis *analysis, Search *search, DoubleThreat *threats, Cell first)
{
    ForcedView *own = &analysis->own;
    WinProofOptions options = {.search = search,
                               .fours = threats,
                               .limits = {.nodes = PROOF_NODES, .stop = analysis->options.stop},
                               .positions = PROOF_POSITIONS};
    win_proof_make(&own->tree, &analysis->game->board, first, &options);
    if (!own->tree.is_whole)
        return;
    const WinNode *root = &own->tree.nodes[0];
    own->is_searched = own->is_engine = true;
    own->side = board_side(&analysis->game->board);
    own->result = (DoubleThreatResult){
        .verdict = DOUBLE_THREAT_WON, .turns = root->turns, .turn = root->turn, .nodes = own->result.nodes};
}

Status analyze_write_down(Analysis *analysis, Search *search, const SearchTurn *turn, Error *error)
{
    const Board *board = &analysis->game->board;
    bool is_single = win_proof_suits(&board->rules), has_threats = double_threat_suits(&board->rules);
    if (analyze_is_won(&analysis->own) || (!is_single && !(has_threats && analysis->own.is_searched)))
        return STATUS_OK;
    DoubleThreat *threats = NULL;
    Status status = STATUS_OK;
    if (has_threats)
        status = double_threat_open(&threats, &board->rules, table_bytes(analysis), error);
    if (status == STATUS_OK && is_single)
        write_down(analysis, search, threats, turn->stones[0]);
    else if (status == STATUS_OK)
        find_with_singles(analysis, threats);
    double_threat_close(threats);
    return status;
}

// --- A line of play ---

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
