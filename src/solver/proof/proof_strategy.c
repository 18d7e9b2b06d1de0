// A strategy that follows the exact solver.
#include "solver/proof/proof_strategy.h"

unsigned strategy_claims(const Board *board, const ExactResult *value, CertificateClaim claims[CERTIFICATE_CLAIMS_MAX])
{
    assert(exact_is_known(value));
    Side side = board_side(board);
    if (value->low == 0) {
        claims[0] = (CertificateClaim){SIDE_FIRST, false};
        claims[1] = (CertificateClaim){SIDE_SECOND, false};
        return 2;
    }
    claims[0] = (CertificateClaim){value->low > 0 ? side : side_other(side), true};
    return 1;
}

static Status do_not_know(const Strategy *strategy, Error *error)
{
    bool stopped = stop_is_raised(strategy->stop);
    return stopped ? error_set(error, STATUS_INTERRUPTED, "interrupted")
                   : error_set(error, STATUS_FAILED, "the solver finds no stone that keeps the claim");
}

static Status answer(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                     Error *error)
{
    Strategy *strategy = context;
    Limits limits = {.stop = strategy->stop};
    ExactResult value;
    answers->count = answers->pair_count = 0;
    ExactQuery query = {.board = board, .aim = EXACT_VALUE, .limits = &limits};
    Status status = exact_run(strategy->exact, &query, &value, error);
    if (status == STATUS_OK && (!exact_is_known(&value) || value.low < (claim.wins ? 1 : 0)))
        return do_not_know(strategy, error);
    strategy->asked++;
    strategy->nodes += value.nodes;
    // One stone is enough. All stones that keep the value make a smaller certificate, if they are cheap to find.
    if (status == STATUS_OK && value.has_best) {
        answers->cells[answers->count++] = value.best;
        return STATUS_OK;
    }
    query.known = &value;
    if (status == STATUS_OK)
        status = exact_cells(strategy->exact, &query, &strategy->cells, error);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < strategy->cells.count; i++)
        if (strategy->cells.list[i].low >= value.low)
            answers->cells[answers->count++] = strategy->cells.list[i].cell;
    strategy->nodes += strategy->cells.nodes;
    return answers->count > 0 ? STATUS_OK : do_not_know(strategy, error);
}

CertificateOracle strategy_oracle(Strategy *strategy)
{
    return (CertificateOracle){.context = strategy, .answer = answer};
}
