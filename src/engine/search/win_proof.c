// Turns a proven win of the engine into a tree of turns and answers that can be checked without the search.
#include "engine/search/win_proof.h"

#include "threats/lines.h"
#include "threats/windows.h"

#include <string.h>

enum {
    FOURS_NODES = 1000,  // for one VCF: nearly all need a handful
    THINK_NODES = 20000, // for one stone of the attacker: the search finds its proven wins again at once
};

typedef struct {
    WinTree *tree;
    const WinProofOptions *options;
    uint64_t nodes;
    SearchInfo report; // working memory
} WinProof;

// The answer that led to a position.
typedef struct {
    unsigned level;
    CellSet answered;
    unsigned free;
} Origin;

// A VCF, in which every turn has at most one answer.
typedef struct {
    unsigned count;
    WinNode nodes[DOUBLE_THREAT_TURNS_MAX];
} FoursWin;

bool win_proof_suits(const Rules *rules)
{
    return rules->p == 1 && rules->q == 1 && search_suits(rules);
}

static bool is_out(const WinProof *proof)
{
    const WinProofOptions *options = proof->options;
    return (options->positions > 0 && proof->tree->count >= options->positions) ||
           limits_reached_every(&options->limits, proof->nodes, 1);
}

// Marks the last stone of the attacker: it completes a row, or nothing stops the next one from doing so.
static void set_end(WinNode *node, bool is_row)
{
    node->end = is_row ? WIN_ROW : WIN_UNSTOPPABLE;
    node->turns = is_row ? 1 : 2;
    node->distance = is_row ? 1 : 3;
}

// --- Fours ---

static bool visit(void *context, const DoubleThreatStep *step)
{
    FoursWin *fours = context;
    assert(fours->count < DOUBLE_THREAT_TURNS_MAX && step->answer_count <= 1);
    WinNode *node = &fours->nodes[fours->count++];
    *node = (WinNode){.level = step->level, .answered = step->answered, .turn = step->turn, .size = 1};
    if (step->answer_count > 0)
        return true;
    Board board;
    board_copy(&board, step->board);
    (void)board_play(&board, step->turn.cell[0]);
    set_end(node, board_winner(&board) != WINNER_NONE);
    return true;
}

static bool find_fours(WinProof *proof, const Board *board, FoursWin *fours)
{
    fours->count = 0;
    DoubleThreat *search = proof->options->fours;
    if (search == NULL)
        return false;
    Limits limits = {.nodes = FOURS_NODES, .stop = proof->options->limits.stop};
    DoubleThreatResult result;
    double_threat_run(search, board, &limits, &result);
    return result.verdict == DOUBLE_THREAT_WON && double_threat_walk(search, &result, visit, fours);
}

// Appends a VCF to the tree.
static bool add_fours(WinProof *proof, const FoursWin *fours, const Origin *origin)
{
    unsigned begin = proof->tree->count;
    if (origin->level + fours->count > DOUBLE_THREAT_TURNS_MAX)
        return false;
    for (unsigned i = 0; i < fours->count; i++) {
        WinNode node = fours->nodes[i];
        node.level += origin->level;
        if (i == 0) {
            node.answered = origin->answered;
            node.free = origin->free;
        }
        if (win_tree_add(proof->tree, &node) == NULL)
            return false;
    }
    for (unsigned i = proof->tree->count; i-- > begin;)
        win_tree_sum_up(proof->tree, i);
    return true;
}

// --- Which replies matter ---

// Marks the empty cells of windows in which a side lacks at most that many stones and the other has none. Under `exact`
// some of these are no threats; extra cells do no harm.
static void mark_windows(const Board *board, Side side, unsigned lacks, bool *marks)
{
    Window windows[WINDOWS_MAX];
    unsigned count = windows_all(board, windows);
    for (unsigned i = 0; i < count; i++) {
        uint64_t empty = window_empty(board, windows[i]);
        if ((board->line[windows[i].line][side_other(side)] & window_bits(board, windows[i])) != 0 ||
            bits_count(empty) > lacks)
            continue;
        for (; empty != 0; empty &= empty - 1)
            marks[lines_cell(board, windows[i].line, bits_lowest(empty))] = true;
    }
}

// Marks the cells that may stop a VCF from a position with the attacker to move.
static void mark_fours(const Board *from, const FoursWin *fours, bool *marks)
{
    Board board;
    board_copy(&board, from);
    Side attacker = board_side(&board);
    for (unsigned i = 0; i < fours->count; i++) {
        const WinNode *node = &fours->nodes[i];
        if (i > 0) {
            marks[node->answered.cell[0]] = true;
            (void)board_play(&board, node->answered.cell[0]);
        }
        marks[node->turn.cell[0]] = true;
        (void)board_play(&board, node->turn.cell[0]);
        mark_windows(&board, side_other(attacker), 2, marks);
    }
    mark_windows(&board, attacker, 1, marks);
}

// --- The tree ---

static bool prove(WinProof *proof, const Board *board, const Origin *origin, Cell first);

static Cell think(WinProof *proof, const Board *board)
{
    const Limits *limits = &proof->options->limits;
    uint64_t left = limits->nodes > proof->nodes ? limits->nodes - proof->nodes : THINK_NODES;
    SearchLimits thinking = {.limits.deadline = limits->deadline,
                             .limits.nodes = left < THINK_NODES ? left : THINK_NODES,
                             .limits.stop = limits->stop};
    search_run(proof->options->search, board, &thinking, &proof->report);
    proof->nodes += proof->report.nodes;
    const SearchLine *line = &proof->report.lines[0];
    return line->score > 0 && search_distance(line->score) >= 0 ? line->turn.stones[0] : (Cell)CELL_NONE;
}

// Proves the answers among these cells after which the attacker cannot complete a row at once.
static bool prove_cells(WinProof *proof, const Board *board, unsigned level, const bool *marks)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    Side attacker = side_other(board_side(board));
    for (unsigned i = 0; i < count; i++) {
        if (marks != NULL && !marks[cells[i]])
            continue;
        Board after;
        board_copy(&after, board);
        (void)board_play(&after, cells[i]);
        if (board_is_over(&after))
            return false;
        Origin origin = {level, cell_set_with(&cell_set_none, cells[i]), 0};
        if (!lines_can_complete(&after, attacker, 1) && !prove(proof, &after, &origin, CELL_NONE))
            return false;
    }
    return true;
}

// Proves all answers to a turn; `board` has the defender to move.
static bool prove_answers(WinProof *proof, const Board *board, unsigned level)
{
    Side attacker = side_other(board_side(board));
    Board passed;
    FoursWin fours;
    board_copy(&passed, board);
    (void)board_set_turn(&passed, attacker, 1);
    if (lines_can_complete(board, attacker, 1) || !find_fours(proof, &passed, &fours))
        return prove_cells(proof, board, level, NULL);
    bool marks[RULES_CELLS_MAX] = {0};
    mark_fours(&passed, &fours, marks);
    Origin elsewhere = {level, cell_set_none, 1};
    return prove_cells(proof, board, level, marks) && add_fours(proof, &fours, &elsewhere);
}

// Proves a position with the attacker to move, who begins with `first` unless it is CELL_NONE. False if that failed.
static bool prove(WinProof *proof, const Board *board, const Origin *origin, Cell first)
{
    if (is_out(proof) || origin->level >= DOUBLE_THREAT_TURNS_MAX)
        return false;
    FoursWin fours;
    if (first == CELL_NONE && find_fours(proof, board, &fours))
        return add_fours(proof, &fours, origin);
    Cell cell = first != CELL_NONE ? first : think(proof, board);
    if (cell == CELL_NONE)
        return false;
    WinNode node = {.level = origin->level,
                    .answered = origin->answered,
                    .free = origin->free,
                    .turn = cell_set_with(&cell_set_none, cell),
                    .size = 1};
    unsigned at = proof->tree->count;
    if (win_tree_add(proof->tree, &node) == NULL)
        return false;
    Board after;
    board_copy(&after, board);
    (void)board_play(&after, cell);
    bool is_row = board_winner(&after) != WINNER_NONE;
    if (!is_row) {
        bool holds = board_is_over(&after) || lines_can_complete(&after, board_side(&after), 1);
        if (holds || !prove_answers(proof, &after, origin->level + 1))
            return false;
    }
    win_tree_sum_up(proof->tree, at);
    if (proof->tree->nodes[at].answers == 0)
        set_end(&proof->tree->nodes[at], is_row);
    return true;
}

void win_proof_make(WinTree *tree, const Board *board, Cell first, const WinProofOptions *options)
{
    assert(win_proof_suits(&board->rules));
    *tree = (WinTree){0};
    WinProof proof = {.tree = tree, .options = options};
    Origin origin = {0, cell_set_none, 0};
    tree->is_whole = prove(&proof, board, &origin, first);
    if (!tree->is_whole)
        tree->count = 0;
}
