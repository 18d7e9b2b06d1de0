// Checks puzzles.
#include "lab/puzzles/puzzle_check.h"

#include "base/limits.h"
#include "base/memory.h"
#include "game/notation.h"
#include "solver/proof/certificate.h"

#include <stdlib.h>

// Whether the proof is about the position after the solution, and claims what the puzzle asks for.
static bool suits(const CertificateReport *report, const Board *board, const Puzzle *puzzle)
{
    Board after;
    puzzle_play(board, &puzzle->solution, &after);
    const CertificateClaim *claim = &report->claims[0].claim;
    return rules_equal(&report->start.rules, &after.rules) && board_key(&report->start) == board_key(&after) &&
           board_differences(&report->start, &after) == 0 && report->claim_count == 1 &&
           claim->side == board_side(board) && claim->wins == (puzzle->goal == PUZZLE_WIN);
}

static Status check_proof(const Board *board, const Puzzle *puzzle, const PuzzleEffort *effort, PuzzleCheck *check,
                          Error *error)
{
    CertificateOptions options = {.stop = effort->stop};
    CertificateReport *report = memory_new(1, sizeof *report);
    Status status = puzzle->proof_length == 0
                        ? error_set(error, STATUS_FAILED, "there is no proof")
                        : certificate_verify((Span){puzzle->proof, puzzle->proof_length}, &options, report, error);
    if (status == STATUS_OK && !suits(report, board, puzzle))
        status = error_set(error, STATUS_FAILED, "the proof is about something else than the solution");
    check->is_proved = status == STATUS_OK;
    check->answers = check->is_proved ? report->claims[0].answers : 0;
    free(report);
    return status == STATUS_BAD_INPUT ? STATUS_FAILED : status;
}

static Status other_turn(const char *words, const PuzzleTurn *turn, Error *error)
{
    Text text = {0};
    for (unsigned i = 0; i < turn->count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(turn->cells[i], name);
        text_add(&text, " %s", name);
    }
    Status status = error_set(error, STATUS_FAILED, "%s:%s", words, text.data);
    text_close(&text);
    return status;
}

static Status check_others(PuzzleJudge *judge, const Board *board, const Puzzle *puzzle, const PuzzleEffort *effort,
                           PuzzleCheck *check, Error *error)
{
    PuzzleFinding *finding = &check->finding;
    puzzle_judge_position(judge, board, effort, finding);
    if (stop_is_raised(effort->stop))
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (finding->solution.count > 0 && !puzzle_turns_equal(&finding->solution, &puzzle->solution))
        return other_turn("there is a second solution", &finding->solution, error);
    if (finding->other.count > 0)
        return other_turn(finding->reason, &finding->other, error);
    if (!finding->is_puzzle)
        return error_set(error, STATUS_FAILED, "%s", finding->reason);
    if (finding->goal != puzzle->goal)
        return error_set(error, STATUS_FAILED, "the solution %s",
                         finding->goal == PUZZLE_WIN ? "wins and does not only save" : "does not win");
    check->is_unique = true;
    return STATUS_OK;
}

Status puzzle_check(PuzzleJudge *judge, const Puzzles *puzzles, const Puzzle *puzzle, const PuzzleEffort *effort,
                    PuzzleCheck *check, Error *error)
{
    Game *game = memory_new(1, sizeof *game);
    *check = (PuzzleCheck){0};
    Status status = puzzle_game(puzzles, puzzle, game, error);
    if (status == STATUS_OK)
        status = puzzle_judge_clear(judge, error);
    if (status == STATUS_OK)
        status = check_proof(&game->board, puzzle, effort, check, error);
    if (status == STATUS_OK)
        status = check_others(judge, &game->board, puzzle, effort, check, error);
    free(game);
    return status;
}
