// The proof of a value, written to a file.
#include "base/clock.h"
#include "base/file.h"
#include "frontends/interrupt.h"
#include "frontends/output.h"
#include "frontends/solving.h"
#include "search/strategy.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct {
    bool is_terminal, has_line;
    double shown;
} Watch;

static void show(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count)
{
    Watch *watch = context;
    double now = clock_seconds();
    if (now - watch->shown < (watch->is_terminal ? 0.2 : 15))
        return;
    watch->shown = now;
    watch->has_line = watch->is_terminal;
    char first[32], second[32], third[32];
    (void)fprintf(stderr, "%sproof that %s: %u stones from the start, %s of %s positions there, %s in all%s",
                  watch->is_terminal ? "\r" : "", certificate_claim_text(so_far->claim), stones,
                  output_number(done, first), output_number(count, second), output_number(so_far->positions, third),
                  watch->is_terminal ? "\033[K" : "\n");
    (void)fflush(stderr);
}

static void tell(const CertificateReport *report, const char *path)
{
    char bytes[32], positions[32];
    uint64_t count = 0;
    for (unsigned i = 0; i < report->claim_count; i++)
        count += report->claims[i].positions;
    (void)fprintf(stderr, "%s: %s bytes, %s positions; 'krow verify %s' checks it\n", path,
                  output_number(report->bytes, bytes), output_number(count, positions), path);
}

static Status write_proof(const Solving *solving, Strategy *strategy, const Args *args, Error *error)
{
    const Board *board = &solving->game->board;
    CertificateClaim claims[CERTIFICATE_CLAIMS_MAX];
    unsigned count = strategy_claims(board, &solving->result, claims);
    Watch watch = {.is_terminal = isatty(STDERR_FILENO) != 0, .shown = clock_seconds()};
    CertificateOptions options = {
        .stop = interrupt_flag(),
        .progress = args->quiet ? NULL : show,
        .context = &watch,
    };
    CertificateOracle oracle = strategy_oracle(strategy);
    CertificateReport report;
    Text file = {0};
    Status status = certificate_write(board, claims, count, &oracle, &options, &file, &report, error);
    if (watch.has_line)
        (void)fprintf(stderr, "\r\033[K");
    if (status == STATUS_OK)
        status = file_write(args->proof, (Span){file.data, file.length}, error);
    if (status == STATUS_OK && !args->quiet)
        tell(&report, args->proof);
    text_close(&file);
    return status;
}

Status solving_prove(const Solving *solving, Exact *exact, const Args *args, Error *error)
{
    if (board_is_over(&solving->game->board))
        return error_set(error, STATUS_BAD_INPUT, "--proof: the game is over, there is nothing to prove");
    if (!exact_is_known(&solving->result))
        return error_set(error, STATUS_FAILED, "--proof: the value is not known, so there is no proof of it");
    Strategy *strategy = calloc(1, sizeof *strategy);
    if (strategy == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a proof");
    strategy->exact = exact;
    strategy->stop = interrupt_flag();
    Status status = write_proof(solving, strategy, args, error);
    free(strategy);
    return status;
}
