// Writes the proof of a value to a file.
#include "base/file.h"
#include "base/memory.h"
#include "lab/solve/solve.h"
#include "solver/proof/proof_strategy.h"
#include "view/json_view.h"

#include <stdlib.h>

static void show(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count)
{
    char first[32], second[32], third[32];
    reporter_show(context, "proof that %s: %u stones from the start, %s of %s positions there, %s in all",
                  certificate_claim_text(so_far->claim), stones, view_number(done, first), view_number(count, second),
                  view_number(so_far->positions, third));
}

static void note_size(Reporter *reporter, const CertificateReport *report, const char *path)
{
    char bytes[32], positions[32];
    uint64_t count = 0;
    for (unsigned i = 0; i < report->claim_count; i++)
        count += report->claims[i].positions;
    reporter_note(reporter, "%s: %s bytes, %s positions; 'krow verify %s' checks it", path,
                  view_number(report->bytes, bytes), view_number(count, positions), path);
}

static Status write_proof(const Solving *solving, Strategy *strategy, const SolveOptions *options, Error *error)
{
    const Board *board = &solving->game->board;
    CertificateClaim claims[CERTIFICATE_CLAIMS_MAX];
    unsigned count = strategy_claims(board, &solving->result, claims);
    CertificateOptions how = {
        .stop = options->stop,
        .progress = options->reporter == NULL ? NULL : show,
        .context = options->reporter,
    };
    CertificateOracle oracle = strategy_oracle(strategy);
    CertificateReport report;
    Text file = {0};
    CertificateTask task = {board, claims, count, &oracle, &how, CERTIFICATE_STONES};
    Status status = certificate_write(&task, &file, &report, error);
    reporter_end(options->reporter);
    if (status == STATUS_OK)
        status = file_write(options->proof, (Span){file.data, file.length}, error);
    if (status == STATUS_OK)
        note_size(options->reporter, &report, options->proof);
    text_close(&file);
    return status;
}

Status solve_prove(const Solving *solving, Exact *exact, const SolveOptions *options, Error *error)
{
    if (board_is_over(&solving->game->board))
        return error_set(error, STATUS_BAD_INPUT, "--proof: the game is over");
    if (!exact_is_known(&solving->result))
        return error_set(error, STATUS_FAILED, "--proof: no proof was written, since the value is not known");
    Strategy *strategy = memory_new(1, sizeof *strategy);
    strategy->exact = exact;
    strategy->stop = options->stop;
    Status status = write_proof(solving, strategy, options, error);
    free(strategy);
    return status;
}
