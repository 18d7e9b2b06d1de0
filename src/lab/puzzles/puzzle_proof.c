// Proofs of solutions: certificates whose answers come from the exact solver or the search for wins by threats.
#include "base/memory.h"
#include "lab/puzzles/puzzle_judge_internal.h"
#include "solver/proof/certificate.h"

#include <stdlib.h>

// Larger proofs make a collection too large to ship.
enum {
    PROOF_BYTES_MAX = 6000,
    PROOF_MEMORY = 8 << 20, // of positions
    ORACLE_NODES = 200000,
    ORACLE_SOLVER_NODES = 2000000,
};

typedef struct {
    PuzzleJudge *judge;
    const atomic_bool *stop;
} Oracle;

static Status not_found(const Oracle *oracle, Error *error)
{
    return stop_is_raised(oracle->stop) ? error_set(error, STATUS_INTERRUPTED, "interrupted")
                                        : error_set(error, STATUS_FAILED, "the win was not found again");
}

// The first stone of a turn that wins by threats.
static Status answer_by_threats(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                                Error *error)
{
    const Oracle *oracle = context;
    Limits limits = {.nodes = ORACLE_NODES, .stop = oracle->stop};
    DoubleThreatResult result;
    (void)claim;
    double_threat_run(oracle->judge->threats, board, &limits, &result);
    answers->pair_count = 0;
    answers->count = result.verdict == DOUBLE_THREAT_WON;
    answers->cells[0] = result.turn.cell[0];
    return answers->count > 0 ? STATUS_OK : not_found(oracle, error);
}

static Status write(const CertificateTask *task, Text *file, Error *error)
{
    CertificateReport *report = memory_new(1, sizeof *report);
    Status status = certificate_write(task, file, report, error);
    if (status == STATUS_OK && file->length > PROOF_BYTES_MAX)
        status = error_set(error, STATUS_FAILED, "the proof has %zu bytes, which are too many", file->length);
    free(report);
    return status;
}

// The stones that win soonest, so that the proof is short; in games without scores those that keep the value.
static Status answer_exactly(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                             Error *error)
{
    const Oracle *oracle = context;
    Limits limits = {.nodes = ORACLE_SOLVER_NODES, .stop = oracle->stop};
    ExactCells *cells = &oracle->judge->cells;
    answers->count = answers->pair_count = 0;
    int least = claim.wins ? 1 : 0;
    if (!exact_best(oracle->judge->exact, board, claim.wins ? EXACT_SCORE : EXACT_VALUE, &limits, cells))
        return not_found(oracle, error);
    for (unsigned i = 0; i < cells->count; i++)
        if (cells->list[i].low >= least)
            answers->cells[answers->count++] = cells->list[i].cell;
    return answers->count > 0 ? STATUS_OK : not_found(oracle, error);
}

Status puzzle_judge_prove(PuzzleJudge *judge, const Board *board, const PuzzleFinding *finding, const atomic_bool *stop,
                          Text *file, Error *error)
{
    Board after;
    puzzle_play(board, &finding->solution, &after);
    CertificateClaim claim = {board_side(board), finding->goal == PUZZLE_WIN};
    CertificateOptions options = {.memory = PROOF_MEMORY, .stop = stop};
    CertificateTask task = {.start = &after,
                            .claims = &claim,
                            .claim_count = 1,
                            .options = &options,
                            .version =
                                board->rules.p > 1 && !board->rules.gravity ? CERTIFICATE_TURNS : CERTIFICATE_STONES};
    Oracle source = {judge, stop};
    CertificateOracle oracle = {.context = &source, .answer = finding->is_exact ? answer_exactly : answer_by_threats};
    task.oracle = &oracle;
    return write(&task, file, error);
}
