// Puzzles with wins by threats: one turn wins, and the opponent would win if the side to move passed. Every other turn
// must be known to fail.
//
// With several stones per turn the opponent must even threaten rows that only all stones of the turn together can stop:
// then every turn except a few loses at once, and these few are examined.
#include "base/memory.h"
#include "lab/puzzles/puzzle_judge_internal.h"
#include "threats/threats.h"

#include <stdlib.h>

enum {
    THREAT_NODES = 3000, // of a search for a win by threats; they take longer with several stones per turn
    THREAT_NODES_TURN = 1000,
    TURNS_LEAST = 3, // turns to choose from: fewer make no puzzle
    TURNS_MAX = RULES_CELLS_MAX,
    TARGETS_MAX = 512,
};

// --- One turn ---

static bool wins_by_threats(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort,
                            DoubleThreatResult *result)
{
    uint64_t nodes = board->rules.p > 1 ? THREAT_NODES_TURN : THREAT_NODES, more = effort->nodes / PUZZLE_NODES;
    Limits limits = {.nodes = more > 1 ? nodes * more : nodes, .stop = effort->stop};
    double_threat_run(judge->threats, board, &limits, result);
    return result->verdict == DOUBLE_THREAT_WON;
}

static void add_stones(PuzzleOutcome *outcome, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count && outcome->count < PUZZLE_LINE_MAX; i++)
        outcome->line[outcome->count++] = cells[i];
}

// The line of a win that was found last. It has no free stones, since the search was without single threats.
static void add_win(PuzzleJudge *judge, const DoubleThreatResult *result, PuzzleOutcome *outcome)
{
    CellSet line[2 * DOUBLE_THREAT_TURNS_MAX];
    unsigned count = double_threat_line(judge->threats, result, line);
    for (unsigned i = 0; i < count; i++)
        add_stones(outcome, line[i].cell, cell_set_count(&line[i]));
}

// After a turn whose threats need all stones of the opponent: whether the side wins by threats after every answer. The
// line is the answer after which it does not, or one of those that lose.
static bool wins_against_answers(PuzzleJudge *judge, const Board *after, const ThreatAnswers *answers,
                                 const PuzzleEffort *effort, PuzzleOutcome *outcome)
{
    bool wins = true;
    for (unsigned i = 0; i < answers->count && wins; i++) {
        Board next;
        DoubleThreatResult result;
        PuzzleTurn answer = puzzle_turn_of(answers->cells + (size_t)i * answers->size, answers->size);
        puzzle_play(after, &answer, &next);
        wins = !board_is_over(&next) && wins_by_threats(judge, &next, effort, &result);
        if (i > 0 && wins)
            continue;
        outcome->count = 0;
        add_stones(outcome, answer.cells, answer.count);
        if (wins)
            add_win(judge, &result, outcome);
    }
    return wins && !answers->is_truncated;
}

// Whether a turn that makes enough threats wins.
static bool wins_by_force(PuzzleJudge *judge, const Board *after, Side side, const PuzzleEffort *effort,
                          PuzzleOutcome *outcome)
{
    ThreatAnswers answers = {0};
    unsigned p = after->rules.p, need = threats_exact(after, side).count;
    if (need < p)
        return false;
    bool wins = need > p;
    if (!wins) {
        threats_answers(after, side, &answers);
        wins = wins_against_answers(judge, after, &answers, effort, outcome);
        threats_answers_close(&answers);
    }
    return wins;
}

// The engine's opinion, for turns that do not win by threats alone.
static void ask_engine(PuzzleJudge *judge, const Board *after, const PuzzleEffort *effort, PuzzleOutcome *outcome)
{
    outcome->verdict = PUZZLE_TURN_FAILS;
    if (judge->search == NULL)
        return;
    SearchLimits limits = {.limits = {.nodes = effort->nodes, .stop = effort->stop}, .lines = 1};
    search_run(judge->search, after, &limits, &judge->report);
    if (judge->report.line_count == 0)
        return;
    const SearchLine *line = &judge->report.lines[0];
    if (line->score >= SEARCH_PROVEN)
        outcome->verdict = PUZZLE_TURN_LOSES;
    else if (line->score <= -SEARCH_PROVEN)
        outcome->verdict = PUZZLE_TURN_WINS;
    outcome->count = 0;
    add_stones(outcome, line->pv, line->pv_count);
}

void puzzle_threats_turn(PuzzleJudge *judge, const Board *after, Side side, const PuzzleEffort *effort,
                         PuzzleOutcome *outcome)
{
    DoubleThreatResult result;
    // 1. The opponent wins by threats.
    if (wins_by_threats(judge, after, effort, &result)) {
        outcome->verdict = PUZZLE_TURN_LOSES;
        add_win(judge, &result, outcome);
        return;
    }
    // 2. The turn wins by threats.
    if (wins_by_force(judge, after, side, effort, outcome)) {
        outcome->verdict = PUZZLE_TURN_WINS;
        return;
    }
    // 3. Anything else.
    ask_engine(judge, after, effort, outcome);
}

// --- All turns ---

typedef struct {
    PuzzleJudge *judge;
    const Board *board;
    const PuzzleEffort *effort;
    PuzzleFinding *finding;
    CellSet targets[TARGETS_MAX]; // rows that the opponent could complete next
    unsigned target_count;
    CellSet turns[TURNS_MAX]; // to examine; any other turn loses at once
    unsigned turn_count;
} Trial;

// Rows of the opponent that a turn must stop, or it loses at once.
static bool find_targets(Trial *trial)
{
    Window windows[WINDOWS_MAX];
    const Board *board = trial->board;
    unsigned count = threats_windows(board, side_other(board_side(board)), windows);
    if (count > TARGETS_MAX)
        return false;
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        CellSet target = cell_set_none;
        unsigned size = window_cells(board, windows[i].line, window_empty(board, windows[i]), cells);
        for (unsigned j = 0; j < size; j++)
            target = cell_set_with(&target, cells[j]);
        trial->targets[i] = target;
    }
    trial->target_count = count;
    return true;
}

static void try_turn(Trial *trial, const PuzzleTurn *turn)
{
    PuzzleFinding *finding = trial->finding;
    PuzzleOutcome outcome = {0};
    if (puzzle_turns_equal(turn, &finding->solution))
        return;
    puzzle_judge_turn(trial->judge, trial->board, turn, trial->effort, &outcome);
    if (outcome.verdict == PUZZLE_TURN_LOSES || outcome.verdict == PUZZLE_TURN_DRAWS) {
        finding->lost++;
        return;
    }
    finding->is_open = outcome.verdict == PUZZLE_TURN_FAILS;
    finding->reason = finding->is_open ? "another turn is not known to fail" : "there is a second solution";
    finding->other = *turn;
}

// The turns that do not lose at once. With one stone per turn the opponent has no row to stop, so these are all cells;
// else the sets of cells that stop all rows of the opponent.
static void list_turns(Trial *trial)
{
    Cell cells[RULES_CELLS_MAX];
    const Board *board = trial->board;
    if (board->rules.p > 1) {
        unsigned p = board->rules.p;
        trial->turn_count = targets_answers(trial->targets, trial->target_count, p, p, trial->turns, TURNS_MAX);
        return;
    }
    trial->turn_count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < trial->turn_count; i++)
        trial->turns[i] = cell_set_with(&cell_set_none, cells[i]);
}

static void try_all(Trial *trial)
{
    PuzzleFinding *finding = trial->finding;
    for (unsigned i = 0; i < trial->turn_count && finding->reason == NULL; i++) {
        PuzzleTurn turn = puzzle_turn_of(trial->turns[i].cell, cell_set_count(&trial->turns[i]));
        if (stop_is_raised(trial->effort->stop))
            finding->reason = "interrupted";
        else
            try_turn(trial, &turn);
    }
}

// --- Positions ---

// The conditions for a puzzle, the cheapest first: not too many or too few turns, a win by threats that takes more than
// this turn, and an opponent who would win after a pass.
static const char *refusal(Trial *trial)
{
    const Board *board = trial->board;
    DoubleThreatResult result, threat;
    Board passed;
    unsigned stones = board_stones_left(board);
    if (stones != board->rules.p || stones > WINDOW_TALLY_P_MAX)
        return "the turn has begun";
    if (!find_targets(trial))
        return "the opponent has too many threats";
    // If fewer than all stones stop the opponent's rows, the others are free: there are too many turns to examine.
    if (stones > 1 && targets_least(trial->targets, trial->target_count, stones) != stones)
        return "the side to move need not use all stones to stop rows";
    list_turns(trial);
    if (trial->turn_count < TURNS_LEAST)
        return "there are too few turns to choose from";
    if (trial->turn_count > TURNS_MAX)
        return "there are too many turns to examine";
    if (!wins_by_threats(trial->judge, board, trial->effort, &result))
        return "the side to move has no win by threats";
    if (result.turns < 2 || cell_set_count(&result.turn) != stones)
        return "the side to move completes a row";
    puzzle_pass(board, &passed);
    if (trial->target_count == 0 && !wins_by_threats(trial->judge, &passed, trial->effort, &threat))
        return "the opponent does not threaten to win";
    trial->finding->goal = PUZZLE_WIN;
    trial->finding->solution = puzzle_turn_of(result.turn.cell, stones);
    trial->finding->turns = result.turns;
    return NULL;
}

void puzzle_threats_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, PuzzleFinding *finding)
{
    Trial *trial = memory_new(1, sizeof *trial);
    trial->judge = judge;
    trial->board = board;
    trial->effort = effort;
    trial->finding = finding;
    finding->reason = refusal(trial);
    if (finding->reason == NULL)
        try_all(trial);
    finding->is_puzzle = finding->reason == NULL;
    free(trial);
}
