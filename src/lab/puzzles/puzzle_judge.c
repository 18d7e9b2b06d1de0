// The judge of possible puzzles: opens the searches and chooses the way.
#include "lab/puzzles/puzzle_judge_internal.h"

#include "base/memory.h"
#include "threats/lines.h"
#include "threats/threats.h"

#include <limits.h>
#include <stdlib.h>

enum { EXACT_TABLE_MEGABYTES = 8, THREATS_TABLE_BYTES = 4 << 20, ENGINE_MEGABYTES = 4 };

static Status open_searches(PuzzleJudge *judge, const Rules *rules, Error *error)
{
    ExactOptions exact = {.megabytes = EXACT_TABLE_MEGABYTES};
    SearchOptions search = {.megabytes = ENGINE_MEGABYTES};
    Status status = STATUS_OK;
    if (exact_check(rules, NULL) == STATUS_OK)
        status = exact_open(&judge->exact, &exact, rules, error);
    if (status == STATUS_OK && double_threat_suits(rules) && search_suits(rules)) {
        status = double_threat_open(&judge->threats, rules, THREATS_TABLE_BYTES, error);
        if (status == STATUS_OK)
            status = search_open(&judge->search, &search, rules, error);
    }
    return status;
}

Status puzzle_judge_open(PuzzleJudge **judge, const Rules *rules, Error *error)
{
    *judge = NULL;
    PuzzleJudge *opened = memory_new(1, sizeof *opened);
    opened->rules = *rules;
    Status status = rules->p <= PUZZLE_STONES_MAX && rules->q <= RULES_CELLS_MAX
                        ? open_searches(opened, rules, error)
                        : error_set(error, STATUS_FAILED, "puzzles need turns of at most %d stones", PUZZLE_STONES_MAX);
    if (status == STATUS_OK && opened->exact == NULL && opened->threats == NULL)
        status = error_set(error, STATUS_FAILED,
                           "neither a solver nor a search for wins by threats supports this game: the board has more "
                           "than 64 cells, with gravity or with more than %d stones per turn",
                           WINDOW_TALLY_P_MAX);
    if (status == STATUS_OK)
        *judge = opened;
    else
        puzzle_judge_close(opened);
    return status;
}

void puzzle_judge_close(PuzzleJudge *judge)
{
    if (judge == NULL)
        return;
    exact_close(judge->exact);
    double_threat_close(judge->threats);
    search_close(judge->search);
    free(judge);
}

Status puzzle_judge_clear(PuzzleJudge *judge, Error *error)
{
    exact_clear(judge->exact);
    if (judge->threats == NULL)
        return STATUS_OK;
    search_new_game(judge->search);
    double_threat_close(judge->threats);
    judge->threats = NULL;
    return double_threat_open(&judge->threats, &judge->rules, THREATS_TABLE_BYTES, error);
}

void puzzle_play(const Board *board, const PuzzleTurn *turn, Board *after)
{
    board_copy(after, board);
    // With gravity a stone may lie on another one of the turn, which then has a lower row and comes first.
    for (unsigned i = 0; i < turn->count && !board_is_over(after); i++)
        (void)board_play(after, turn->cells[i]);
}

void puzzle_judge_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, PuzzleFinding *finding)
{
    *finding = (PuzzleFinding){0};
    Side side = board_side(board);
    if (board_stones_left(board) > PUZZLE_STONES_MAX)
        finding->reason = "the turn has too many stones";
    else if (lines_can_complete(board, side, board_stones_left(board)))
        finding->reason = "the side to move completes a row";
    else if (board->rules.p == 1 && lines_can_complete(board, side_other(side), 1))
        finding->reason = "the side to move must stop a row";
    else if (puzzle_exact_position(judge, board, effort, finding))
        return;
    else if (judge->threats != NULL)
        puzzle_threats_position(judge, board, effort, finding);
    else
        finding->reason = "the solver does not know the value";
}

static void judge_end(const Board *after, Side side, PuzzleOutcome *outcome)
{
    Winner winner = board_winner(after);
    bool is_own = winner == (side == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    outcome->is_exact = true;
    outcome->verdict = winner == WINNER_NONE ? PUZZLE_TURN_DRAWS : is_own ? PUZZLE_TURN_WINS : PUZZLE_TURN_LOSES;
}

// An empty cell of the winner's threats: for the winner one of the window that needs the fewest stones, for the other
// side the one in the most windows. CELL_NONE: there is no threat.
static Cell end_cell(const Board *board, Side winner)
{
    Window windows[WINDOWS_MAX];
    unsigned count = threats_windows(board, winner, windows), least = UINT_MAX, most = 0;
    uint16_t in_windows[RULES_CELLS_MAX] = {0};
    Cell best = CELL_NONE;
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned size = window_cells(board, windows[i].line, window_empty(board, windows[i]), cells);
        if (board_side(board) == winner && size < least) {
            least = size;
            best = cells[0];
        }
        for (unsigned j = 0; j < size && board_side(board) != winner; j++)
            if (++in_windows[cells[j]] > most) {
                most = in_windows[cells[j]];
                best = cells[j];
            }
    }
    return best;
}

// Continues a line until the row is complete: a search for a win ends as soon as its threats cannot be stopped.
static void play_to_the_end(const Board *after, Side winner, PuzzleOutcome *outcome)
{
    Board board;
    board_copy(&board, after);
    for (unsigned i = 0; i < outcome->count && !board_is_over(&board); i++)
        (void)board_play(&board, outcome->line[i]);
    while (!board_is_over(&board) && outcome->count < PUZZLE_LINE_MAX) {
        Cell cell = end_cell(&board, winner);
        if (cell == CELL_NONE)
            return;
        outcome->line[outcome->count++] = cell;
        (void)board_play(&board, cell);
    }
}

void puzzle_judge_turn(PuzzleJudge *judge, const Board *board, const PuzzleTurn *turn, const PuzzleEffort *effort,
                       PuzzleOutcome *outcome)
{
    Board after;
    Side side = board_side(board);
    *outcome = (PuzzleOutcome){.verdict = PUZZLE_TURN_FAILS};
    puzzle_play(board, turn, &after);
    if (board_is_over(&after)) {
        judge_end(&after, side, outcome);
    } else if (!puzzle_exact_turn(judge, &after, side, effort, outcome) && judge->threats != NULL) {
        puzzle_threats_turn(judge, &after, side, effort, outcome);
        if (outcome->verdict == PUZZLE_TURN_WINS || outcome->verdict == PUZZLE_TURN_LOSES)
            play_to_the_end(&after, outcome->verdict == PUZZLE_TURN_WINS ? side : side_other(side), outcome);
    }
}
