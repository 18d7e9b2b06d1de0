// Puzzles with exact values: the turns that keep the value of a position.
#include "lab/puzzles/puzzle_judge_internal.h"

// The solver's nodes for one query: enough for most positions near the end of a game; others are no puzzles.
enum { EXACT_NODES_MAX = 100000, EXACT_EMPTY_MAX = 28, DFPN_NODES_MAX = 20000, DFPN_EMPTY_MAX = 26 };

// --- Which turns keep the value ---

typedef struct {
    PuzzleJudge *judge;
    const Limits *limits;
    Side side;
    PuzzleTurn turn;  // so far
    PuzzleTurn first; // that keeps the value
    unsigned found;   // different ones, at most 2
    PuzzleTurn second;
    bool is_known; // false: the solver did not know enough
} Keeping;

static void take_turn(Keeping *keeping)
{
    PuzzleTurn turn = puzzle_turn_of(keeping->turn.cells, keeping->turn.count);
    if (keeping->found == 0) {
        keeping->first = turn;
        keeping->found = 1;
    } else if (!puzzle_turns_equal(&turn, &keeping->first)) {
        keeping->second = turn;
        keeping->found = 2;
    }
}

static void keep_from(Keeping *keeping, const Board *board, const ExactResult *known);

static void keep_stone(Keeping *keeping, const Board *board, Cell cell, const ExactResult *known)
{
    Board next;
    board_copy(&next, board);
    (void)board_play(&next, cell);
    keeping->turn.cells[keeping->turn.count++] = cell;
    if (board_is_over(&next) || board_side(&next) != keeping->side)
        take_turn(keeping);
    else
        keep_from(keeping, &next, known);
    keeping->turn.count--;
}

// Adds the turns that continue in this way and keep the value.
static void keep_from(Keeping *keeping, const Board *board, const ExactResult *known)
{
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = keeping->limits, .known = known};
    ExactCells *cells = &keeping->judge->cells;
    Cell keeps[RULES_CELLS_MAX];
    unsigned count = 0;
    if (exact_cells(keeping->judge->exact, &query, cells, NULL) != STATUS_OK) {
        keeping->is_known = false;
        return;
    }
    for (unsigned i = 0; i < cells->count; i++) {
        if (cells->list[i].low >= known->low)
            keeps[count++] = cells->list[i].cell;
        else if (cells->list[i].high >= known->low)
            keeping->is_known = false;
    }
    for (unsigned i = 0; i < count && keeping->is_known && keeping->found < 2; i++)
        keep_stone(keeping, board, keeps[i], known);
}

// --- Positions ---

static bool falls(const Rules *rules)
{
    return exact_has_scores(rules);
}

static Limits limits_of(const PuzzleJudge *judge, const PuzzleEffort *effort)
{
    return (Limits){.nodes = falls(&judge->rules) ? EXACT_NODES_MAX : DFPN_NODES_MAX, .stop = effort->stop};
}

// The value of a position as -1, 0 or 1; false if it is unknown.
static bool value_of(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, ExactResult *result)
{
    Limits limits = limits_of(judge, effort);
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = &limits};
    *result = (ExactResult){0};
    unsigned empty = board->cells - board_count(board);
    bool is_near = empty <= (falls(&judge->rules) ? (unsigned)EXACT_EMPTY_MAX : (unsigned)DFPN_EMPTY_MAX);
    return is_near && exact_run(judge->exact, &query, result, NULL) == STATUS_OK && exact_is_known(result);
}

// Turns of the side to move until it wins, or 0.
static unsigned turns_to_win(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort)
{
    Limits limits = limits_of(judge, effort);
    ExactQuery query = {.board = board, .aim = EXACT_SCORE, .limits = &limits};
    ExactResult result = {0};
    if (!falls(&judge->rules) || exact_run(judge->exact, &query, &result, NULL) != STATUS_OK ||
        !exact_is_known(&result) || result.low <= 0)
        return 0;
    return (exact_distance(board, result.low) + 1) / 2;
}

bool puzzle_exact_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, PuzzleFinding *finding)
{
    ExactResult value;
    Limits limits = limits_of(judge, effort);
    Keeping keeping = {.judge = judge, .limits = &limits, .side = board_side(board), .is_known = true};
    if (judge->exact == NULL || !value_of(judge, board, effort, &value))
        return false;
    finding->is_exact = true;
    finding->goal = value.low > 0 ? PUZZLE_WIN : PUZZLE_SAVE;
    if (value.low < 0) {
        finding->reason = "the side to move loses";
        return true;
    }
    keep_from(&keeping, board, &value);
    if (!keeping.is_known) {
        finding->reason = "the solver does not know every turn";
    } else if (keeping.found > 1) {
        finding->reason = "there is a second solution";
        finding->other = keeping.second;
    } else {
        finding->is_puzzle = true;
        finding->turns = finding->goal == PUZZLE_WIN ? turns_to_win(judge, board, effort) : 0;
    }
    finding->solution = keeping.first;
    return true;
}

// --- Turns ---

// The cell that the side to move would choose: of those that keep the value the one that wins soonest or loses latest.
static Cell best_cell(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort)
{
    Limits limits = limits_of(judge, effort);
    ExactQuery query = {.board = board, .aim = falls(&judge->rules) ? EXACT_SCORE : EXACT_VALUE, .limits = &limits};
    ExactCells *cells = &judge->cells;
    if (exact_cells(judge->exact, &query, cells, NULL) != STATUS_OK || cells->count == 0)
        return CELL_NONE;
    unsigned best = 0;
    for (unsigned i = 1; i < cells->count; i++)
        if (cells->list[i].low > cells->list[best].low)
            best = i;
    return cells->list[best].cell;
}

bool puzzle_exact_turn(PuzzleJudge *judge, const Board *after, Side side, const PuzzleEffort *effort,
                       PuzzleOutcome *outcome)
{
    ExactResult value;
    if (judge->exact == NULL || !value_of(judge, after, effort, &value))
        return false;
    int own = board_side(after) == side ? value.low : -value.low;
    outcome->is_exact = true;
    outcome->verdict = own > 0 ? PUZZLE_TURN_WINS : own < 0 ? PUZZLE_TURN_LOSES : PUZZLE_TURN_DRAWS;
    Board board;
    board_copy(&board, after);
    while (own != 0 && !board_is_over(&board) && outcome->count < PUZZLE_LINE_MAX) {
        Cell cell = best_cell(judge, &board, effort);
        if (cell == CELL_NONE)
            break;
        outcome->line[outcome->count++] = cell;
        (void)board_play(&board, cell);
    }
    return true;
}
