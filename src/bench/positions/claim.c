// Checks wins claimed by the threat-space search of Liu and Lin with the exact double-threat search.
#include "bench/positions/claim.h"

#include "threats/lines.h"
#include "threats/threats.h"

static Claim check_answer(DoubleThreat *exact, const Board *after, const Cell *cells, unsigned count,
                          const Limits *limits)
{
    Board board;
    DoubleThreatResult result;
    board_copy(&board, after);
    for (unsigned i = 0; i < count; i++)
        (void)board_play(&board, cells[i]);
    double_threat_run(exact, &board, limits, &result);
    return result.verdict == DOUBLE_THREAT_WON    ? CLAIM_HOLDS
           : result.verdict == DOUBLE_THREAT_NONE ? CLAIM_REFUTED
                                                  : CLAIM_OPEN;
}

static Claim check_answers(DoubleThreat *exact, const Board *after, const ThreatAnswers *answers, const Limits *limits)
{
    Claim worst = answers->is_truncated || answers->exact.is_uncertain ? CLAIM_OPEN : CLAIM_HOLDS;
    for (unsigned i = 0; i < answers->count; i++) {
        Claim claim = check_answer(exact, after, answers->cells + (size_t)i * answers->size, answers->size, limits);
        if (claim == CLAIM_REFUTED)
            return claim;
        worst = claim == CLAIM_OPEN ? claim : worst;
    }
    return worst;
}

Claim claim_check(DoubleThreat *exact, const Board *board, const CellSet *turn, const Limits *limits)
{
    Board after;
    Side attacker = board_side(board);
    board_copy(&after, board);
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++)
        (void)board_play(&after, turn->cell[i]);
    if (board_is_over(&after))
        return board_winner(&after) != WINNER_NONE ? CLAIM_HOLDS : CLAIM_REFUTED;
    if (lines_can_complete(&after, side_other(attacker), board_stones_left(&after)))
        return CLAIM_REFUTED;
    ThreatAnswers answers;
    threats_answers(&after, attacker, &answers);
    Claim claim = !answers.exact.is_uncertain && answers.exact.count < board->rules.p
                      ? CLAIM_REFUTED
                      : check_answers(exact, &after, &answers, limits);
    threats_answers_close(&answers);
    return claim;
}
