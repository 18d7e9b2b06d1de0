// krow verify: check a proof by the rules alone.
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "game/fen.h"
#include "solver/proof/certificate.h"
#include "view/json_view.h"

#include <errno.h>
#include <string.h>

enum { VERIFY_PROGRESS_SECONDS = 5 };

static void show_progress(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count)
{
    double *reported = context, now = clock_seconds();
    if (now < *reported + VERIFY_PROGRESS_SECONDS)
        return;
    *reported = now;
    char answers[32], layer[32], of[32];
    if (stones == 0 && so_far->replies > 0) {
        (void)fprintf(stderr, "%s: %s answers checked; %s of %s replies to the first stone\n",
                      certificate_claim_text(so_far->claim), view_number(so_far->answers, answers),
                      view_number(done, layer), view_number(count, of));
        return;
    }
    (void)fprintf(stderr, "%s: %s answers checked; after %u stones %s of %s positions\n",
                  certificate_claim_text(so_far->claim), view_number(so_far->answers, answers), stones,
                  view_number(done, layer), view_number(count, of));
}

// The value of the game that all claims together prove, or NULL.
static const char *value_of(const CertificateReport *report)
{
    for (unsigned i = 0; i < report->claim_count; i++)
        if (report->claims[i].claim.wins)
            return side_name(report->claims[i].claim.side);
    return report->claim_count == 2 ? "draw" : NULL;
}

static json_t *claims_json(const CertificateReport *report)
{
    json_t *claims = json_array();
    for (unsigned i = 0; i < report->claim_count; i++) {
        const CertificateFacts *facts = &report->claims[i];
        (void)json_array_append_new(
            claims, json_pack("{s:s, s:s, s:b, s:I, s:I, s:I, s:i}", "claim", certificate_claim_text(facts->claim),
                              "side", side_name(facts->claim.side), "wins", facts->claim.wins, "answers",
                              (json_int_t)facts->answers, "positions", (json_int_t)facts->positions, "replies",
                              (json_int_t)facts->replies, "depth", (int)facts->depth));
    }
    return claims;
}

// For a refused file, has its header, if that could be read, and the reason.
static json_t *to_json(const CertificateReport *report, double seconds, const Error *refusal)
{
    const CertificateFacts *a = &report->claims[0], *b = &report->claims[1];
    Text fen = {0};
    bool has_header = report->claim_count > 0;
    if (has_header)
        fen_write(&report->start, &fen);
    json_t *object = json_pack(
        "{s:o, s:s?, s:b, s:o*, s:s?, s:o, s:I, s:I, s:i, s:f}", "game",
        has_header ? view_rules(&report->start.rules) : json_null(), "start", fen.data, "ok", refusal == NULL, "error",
        refusal != NULL ? json_string(refusal->text) : json_null(), "value", refusal == NULL ? value_of(report) : NULL,
        "claims", claims_json(report), "positions", (json_int_t)a->positions + (json_int_t)b->positions, "bytes",
        (json_int_t)report->bytes, "depth", (int)(a->depth > b->depth ? a->depth : b->depth), "ms", seconds * 1000);
    text_close(&fen);
    return object;
}

static bool is_usual_start(const Board *start)
{
    Board empty;
    board_init(&empty, &start->rules);
    return start->state.turn == empty.state.turn;
}

static void print_start(const CertificateReport *report)
{
    char rules[RULES_TEXT_SIZE];
    Text fen = {0};
    rules_format(&report->start.rules, rules);
    fen_write(&report->start, &fen);
    (void)printf("%s, from %s\n", rules, is_usual_start(&report->start) ? "the empty board" : fen.data);
    text_close(&fen);
}

static void print_report(const CertificateReport *report)
{
    print_start(report);
    for (unsigned i = 0; i < report->claim_count; i++) {
        const CertificateFacts *facts = &report->claims[i];
        char answers[32], positions[32], replies[32];
        (void)printf("%s: proved. %s answer%s, %s position%s, ", certificate_claim_text(facts->claim),
                     view_number(facts->answers, answers), view_plural(facts->answers),
                     view_number(facts->positions, positions), view_plural(facts->positions));
        if (facts->replies > 0)
            (void)printf("%s repl%s checked, ", view_number(facts->replies, replies),
                         facts->replies == 1 ? "y" : "ies");
        (void)printf("the longest line has %u stone%s\n", facts->depth, view_plural(facts->depth));
    }
    if (report->claim_count == 2 && !report->claims[0].claim.wins && !report->claims[1].claim.wins)
        (void)printf("The value is a draw.\n");
    char bytes[32];
    (void)printf("%s bytes\n", view_number(report->bytes, bytes));
}

static size_t read_file(void *context, char *to, size_t want)
{
    return fread(to, 1, want, context);
}

// A file, or the standard input.
static Status verify_file(const char *path, const CertificateOptions *options, CertificateReport *report, Error *error)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
    *report = (CertificateReport){0};
    if (file == NULL)
        return error_set(error, STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    CertificateInput input = {.context = file, .read = read_file};
    Status status = certificate_verify_stream(&input, options, report, error);
    if (ferror(file) != 0)
        status = error_set(error, STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    if (file != stdin)
        (void)fclose(file);
    return status;
}

static Status run(const void *given, Error *error)
{
    const CommandLine *args = given;
    CertificateReport report;
    double reported = clock_seconds(), begin = reported;
    CertificateOptions options = {.stop = interrupt_catch()};
    if (!args->quiet) {
        options.progress = show_progress;
        options.context = &reported;
    }
    Status status = verify_file(args->words[0], &options, &report, error);
    double seconds = clock_seconds() - begin;
    if (args->json && (status == STATUS_OK || status == STATUS_BAD_INPUT)) {
        Status printed = output_json(to_json(&report, seconds, status == STATUS_OK ? NULL : error), NULL);
        status = status == STATUS_OK ? printed : status;
    } else if (status == STATUS_OK) {
        print_report(&report);
        if (!args->quiet)
            (void)fprintf(stderr, "%.2f s\n", seconds);
    }
    if (status == STATUS_BAD_INPUT)
        error_prefix(error, "'%s' is refused: ", args->words[0]);
    return status;
}

static const CliOption options[] = {OPTION_JSON, OPTION_QUIET, CLI_END(CommandLine)};

const Command command_verify = {
    .name = "verify",
    .words = "FILE",
    .summary = "Check a proof by the rules alone",
    .about = "Plays every reply of the opponent against the answers in FILE (- for standard input) and checks that "
             "each line ends as claimed, by the rules alone. A file that is damaged, incomplete or wrong is refused "
             "with the place and the stones that lead there; the exit status is then 2. The format is described in "
             "docs/proofs.md.\n\nExample:\n  krow verify connect4.proof",
    .options = options,
    .run = run,
};
