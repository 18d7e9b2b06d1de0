// Checks the winning tree of a double-threat search with the plain rules of the board.
#include "bench/positions/proof.h"

#include "threats/lines.h"
#include "threats/threats.h"

static void find_fault(Proof *proof, const char *fault)
{
    if (proof->fault == NULL)
        proof->fault = fault;
}

// The defender has replied.
static void look_at_reply(Proof *proof, const Board *board)
{
    proof->replies++;
    if (board_winner(board) != WINNER_NONE) {
        find_fault(proof, "the defender completes a row");
    } else if (!lines_can_complete(board, proof->attacker, board_stones_left(board))) {
        proof->expected += board_key(board);
        proof->holding++;
    }
}

// All sets of cells from this one on, in the order of their numbers.
static void try_replies(Proof *proof, Board *board, unsigned from)
{
    if (board_is_over(board) || board_side(board) == proof->attacker) {
        look_at_reply(proof, board);
        return;
    }
    for (unsigned cell = from; cell < RULES_CELLS_MAX; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            try_replies(proof, board, cell + 1);
            board_undo(board, (Cell)cell, before);
        }
}

static void try_answers(Proof *proof, const Board *board)
{
    ThreatAnswers answers;
    if (lines_can_complete(board, side_other(proof->attacker), board_stones_left(board)))
        find_fault(proof, "the defender can complete a row");
    threats_answers(board, proof->attacker, &answers);
    if (answers.is_truncated || answers.exact.is_uncertain)
        find_fault(proof, "the answers cannot be listed");
    else if (answers.exact.count < board->rules.p)
        find_fault(proof, "the defender keeps a stone");
    for (unsigned i = 0; i < answers.count; i++) {
        Board next = *board;
        for (unsigned j = 0; j < answers.size; j++)
            (void)board_play(&next, answers.cells[i * answers.size + j]);
        look_at_reply(proof, &next);
    }
    threats_answers_close(&answers);
}

// Plays the turn that is shown; false when the rules do not allow it, or when it completes a row.
static bool play_turn(Proof *proof, const DoubleThreatStep *step, Board *board)
{
    unsigned count = cell_set_count(&step->turn);
    for (unsigned i = 0; i < count; i++) {
        if (!board_is_legal(board, step->turn.cell[i]) || board_side(board) != proof->attacker) {
            find_fault(proof, "a turn is illegal");
            return false;
        }
        (void)board_play(board, step->turn.cell[i]);
    }
    if (board_winner(board) != WINNER_NONE && step->answer_count > 0)
        find_fault(proof, "a complete row has answers");
    if (board_winner(board) == WINNER_NONE && (count == 0 || board_side(board) == proof->attacker))
        find_fault(proof, "a turn is too short");
    return board_winner(board) == WINNER_NONE;
}

void proof_begin(Proof *proof, const Board *board, unsigned turns, bool every_reply)
{
    *proof = (Proof){.root = board, .turns = turns, .every_reply = every_reply, .attacker = board_side(board)};
}

bool proof_visit(void *context, const DoubleThreatStep *step)
{
    Proof *proof = context;
    Board board = *step->board;
    // 1. The position: the one that was asked for, or one that an answer has led to.
    proof->positions++;
    if (step->level == 0 && board_key(&board) != board_key(proof->root))
        find_fault(proof, "the tree begins elsewhere");
    if (step->level > 0)
        proof->seen += board_key(&board);
    if (step->level + step->turns > proof->turns)
        find_fault(proof, "a win takes more turns than was said");
    if (board_side(&board) != proof->attacker)
        find_fault(proof, "the other side is to move");
    // 2. The turn, and what holds against it.
    if (proof->fault != NULL || !play_turn(proof, step, &board))
        return proof->fault == NULL;
    proof->holding = 0;
    if (proof->every_reply)
        try_replies(proof, &board, 0);
    else
        try_answers(proof, &board);
    if (proof->holding != step->answer_count)
        find_fault(proof, "the answers are not those that hold");
    return proof->fault == NULL;
}

void proof_end(Proof *proof)
{
    if (proof->positions == 0)
        find_fault(proof, "there is no tree");
    if (proof->seen != proof->expected)
        find_fault(proof, "an answer has no position in the tree");
}

void proof_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply,
                 Proof *proof)
{
    proof_begin(proof, board, result->turns, every_reply);
    if (!double_threat_walk(search, result, proof_visit, proof))
        find_fault(proof, "the walk ended early");
    proof_end(proof);
}
