#include "bench/proof.h"

#include "analysis/lines.h"
#include "analysis/threats.h"

typedef struct {
    const Board *root;
    unsigned turns; // of the claim
    bool every_reply;
    Side attacker;
    uint64_t expected, seen; // sums of keys
    unsigned holding;        // replies to this turn that hold
    Proof *proof;
} Check;

static void find_fault(Check *check, const char *fault)
{
    if (check->proof->fault == NULL)
        check->proof->fault = fault;
}

static void note_holding(Check *check, const Board *board)
{
    check->expected += board_key(board);
    check->holding++;
}

// The defender has replied.
static void look_at_reply(Check *check, const Board *board)
{
    check->proof->replies++;
    if (board_winner(board) != WINNER_NONE)
        find_fault(check, "the defender completes a row");
    else if (!lines_can_complete(board, check->attacker, board_stones_left(board)))
        note_holding(check, board);
}

// All sets of cells from this one on, in the order of their numbers.
static void try_replies(Check *check, Board *board, Cell from)
{
    if (board_is_over(board) || board_side(board) == check->attacker) {
        look_at_reply(check, board);
        return;
    }
    for (Cell cell = from; cell < RULES_CELLS_MAX; cell++)
        if (board_is_legal(board, cell)) {
            BoardState before = board_play(board, cell);
            try_replies(check, board, (Cell)(cell + 1));
            board_undo(board, cell, before);
        }
}

static void try_answers(Check *check, const Board *board)
{
    ThreatAnswers answers;
    if (lines_can_complete(board, side_other(check->attacker), board_stones_left(board)))
        find_fault(check, "the defender can complete a row");
    if (threats_answers(board, check->attacker, &answers, NULL) != STATUS_OK || answers.is_truncated ||
        answers.exact.is_uncertain)
        find_fault(check, "the answers cannot be listed");
    else if (answers.exact.count < board->rules.p)
        find_fault(check, "the defender keeps a stone");
    for (unsigned i = 0; i < answers.count; i++) {
        Board next = *board;
        for (unsigned j = 0; j < answers.size; j++)
            (void)board_play(&next, answers.cells[i * answers.size + j]);
        look_at_reply(check, &next);
    }
    threats_answers_close(&answers);
}

// Plays the turn that is shown; false when the rules do not allow it, or when it completes a row.
static bool play_turn(Check *check, const DoubleThreatStep *step, Board *board)
{
    unsigned count = cell_set_count(&step->turn);
    for (unsigned i = 0; i < count; i++) {
        if (!board_is_legal(board, step->turn.cell[i]) || board_side(board) != check->attacker) {
            find_fault(check, "a turn is illegal");
            return false;
        }
        (void)board_play(board, step->turn.cell[i]);
    }
    if (board_winner(board) != WINNER_NONE && step->answer_count > 0)
        find_fault(check, "a complete row has answers");
    if (board_winner(board) == WINNER_NONE && (count == 0 || board_side(board) == check->attacker))
        find_fault(check, "a turn is too short");
    return board_winner(board) == WINNER_NONE;
}

static bool visit(void *context, const DoubleThreatStep *step)
{
    Check *check = context;
    Board board = *step->board;
    // 1. The position: the one that was asked for, or one that an answer has led to.
    check->proof->positions++;
    if (step->level == 0 && board_key(&board) != board_key(check->root))
        find_fault(check, "the tree begins elsewhere");
    if (step->level > 0)
        check->seen += board_key(&board);
    if (step->level + step->turns > check->turns)
        find_fault(check, "a win takes more turns than was said");
    if (board_side(&board) != check->attacker)
        find_fault(check, "the other side is to move");
    // 2. The turn, and what holds against it.
    if (check->proof->fault != NULL || !play_turn(check, step, &board))
        return check->proof->fault == NULL;
    check->holding = 0;
    if (check->every_reply)
        try_replies(check, &board, 0);
    else
        try_answers(check, &board);
    if (check->holding != step->answer_count)
        find_fault(check, "the answers are not those that hold");
    return check->proof->fault == NULL;
}

void proof_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply,
                 Proof *proof)
{
    *proof = (Proof){0};
    Check check = {.root = board,
                   .turns = result->turns,
                   .every_reply = every_reply,
                   .attacker = board_side(board),
                   .proof = proof};
    if (!double_threat_walk(search, result, visit, &check))
        find_fault(&check, "the walk ended early");
    if (check.seen != check.expected)
        find_fault(&check, "an answer has no position in the tree");
}
