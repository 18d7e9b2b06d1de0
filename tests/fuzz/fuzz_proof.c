// Proofs: arbitrary bytes as a file, and as answers in a file with a correct header and checksums, for some claim.
// Memory stays within its limit, refusals give a reason, and tic-tac-toe is not won.
#include "fuzz/fuzz.h"
#include "solver/proof/certificate_internal.h"

static void check(Span file)
{
    static CertificateReport report;
    const CertificateOptions options = {.memory = 1 << 16};
    Error error = {0};
    Status status = certificate_verify(file, &options, &report, &error);
    if (status == STATUS_BAD_INPUT)
        require_refusal(status, &error);
    else
        REQUIRE(status == STATUS_OK || status == STATUS_NO_MEMORY);
    if (status != STATUS_OK)
        return;
    Rules tictactoe = {0};
    REQUIRE(rules_parse(span_of("tictactoe"), &tictactoe, NULL) == STATUS_OK);
    if (rules_equal(&report.start.rules, &tictactoe) && board_count(&report.start) == 0)
        for (unsigned i = 0; i < report.claim_count; i++)
            REQUIRE(!report.claims[i].claim.wins);
}

FUZZ_TARGET(proof)
{
    Span body = {(const char *)data, size};
    check(body);
    static Board start;
    Rules rules = fuzz_rules(&body);
    unsigned kind = body.length > 0 ? (unsigned char)body.at[0] : 0;
    if (body.length > 0)
        body = (Span){body.at + 1, body.length - 1};
    board_init(&start, &rules);
    CertificateClaim claims[2] = {{(Side)(kind & 1), (kind & 2) != 0}, {(Side)(~kind & 1), (kind & 4) != 0}};
    Text file = {0};
    CertificateTask task = {.start = &start,
                            .claims = claims,
                            .claim_count = kind & 8 ? 2 : 1,
                            .version = kind & 16 ? CERTIFICATE_TURNS : CERTIFICATE_STONES};
    certificate_write_file(&task, body, &file);
    check((Span){file.data, file.length});
    text_close(&file);
    return 0;
}
