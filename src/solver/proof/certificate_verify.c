// The verifier's interface: a certificate checked against its claim.
#include "base/memory.h"
#include "solver/proof/certificate_internal.h"

#include <stdlib.h>

// --- Answers ---

typedef struct {
    BitReader *reader;
    Cell cells[RULES_CELLS_MAX]; // legal ones
    unsigned count;
    Cell pairs[RULES_CELLS_MAX]; // two cells each
    unsigned pair_count;
} Answering;

static Status ends_early(CertificateWalk *walk, Error *error)
{
    return walk_fault(walk, STATUS_BAD_INPUT, error, "the answers end here");
}

// A cell by its number among the legal ones.
static Status read_cell(CertificateWalk *walk, const Answering *answering, Cell *cell, Error *error)
{
    uint64_t number = 0;
    if (!bits_read(answering->reader, bits_for(answering->count - 1), &number))
        return ends_early(walk, error);
    if (number >= answering->count)
        return walk_fault(walk, STATUS_BAD_INPUT, error, "the answer is not a legal stone");
    *cell = answering->cells[number];
    return STATUS_OK;
}

static Status read_pairs(CertificateWalk *walk, Answering *answering, Error *error)
{
    uint64_t count = 0;
    if (!bits_read(answering->reader, bits_for(answering->count / 2), &count))
        return ends_early(walk, error);
    if (count > answering->count / 2)
        return walk_fault(walk, STATUS_BAD_INPUT, error, "more pairs than there are cells");
    answering->pair_count = (unsigned)count;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 2 * count && status == STATUS_OK; i++)
        status = read_cell(walk, answering, &answering->pairs[i], error);
    return status;
}

// A stone and a pairing that keeps the claim from there on.
static Status read_pairing(CertificateWalk *walk, Answering *answering, size_t i, Error *error)
{
    Board *board = &walk->view.board;
    Cell cell = CELL_NONE;
    Status status = read_cell(walk, answering, &cell, error);
    if (status == STATUS_OK)
        status = read_pairs(walk, answering, error);
    if (status != STATUS_OK)
        return status;
    BoardState before = board_play(board, cell);
    const char *fault = pairing_fault(walk, board, answering->pairs, answering->pair_count);
    board_undo(board, cell, before);
    if (fault != NULL)
        return walk_fault(walk, STATUS_BAD_INPUT, error, fault);
    return walk_answer(walk, i, cell, true, error);
}

static Status read_answer(CertificateWalk *walk, void *context, size_t i, Error *error)
{
    Answering *answering = context;
    const Board *board = &walk->view.board;
    uint64_t number = 0;
    answering->count = board_legal_cells(board, answering->cells);
    bool takes_pairing = certificate_takes_pairing(board, walk->claim);
    if (!bits_read(answering->reader, bits_for(takes_pairing ? answering->count : answering->count - 1), &number))
        return ends_early(walk, error);
    if (takes_pairing && number == answering->count)
        return read_pairing(walk, answering, i, error);
    if (number >= answering->count)
        return walk_fault(walk, STATUS_BAD_INPUT, error, "the answer is not a legal stone");
    return walk_answer(walk, i, answering->cells[number], false, error);
}

// Reads the number of answers, then the answers.
Status walk_read_layer(CertificateWalk *walk, BitReader *reader, Error *error)
{
    uint64_t count = 0;
    walk_load(walk, 0);
    if (!bits_read_count(reader, &count))
        return ends_early(walk, error);
    if (count != walk->now.count)
        return error_set(error, STATUS_BAD_INPUT,
                         "%zu positions with %u stones more need an answer, but there are %llu", walk->now.count,
                         walk->layer, (unsigned long long)count);
    Answering *answering = memory_new(1, sizeof *answering);
    answering->reader = reader;
    Status status = walk_each(walk, read_answer, answering, error);
    free(answering);
    if (status == STATUS_OK && !bits_read_end(reader))
        return error_set(error, STATUS_BAD_INPUT, "the bits that fill the last byte of a layer are not 0");
    return status;
}

// --- A claim ---

// The file gives the number of positions with an answer that follow; further positions are refused before they take
// memory.
static void limit_next(CertificateWalk *walk, BitReader reader)
{
    uint64_t count = 0;
    if (walk_next_is_own(walk))
        walk->next_limit = bits_read_count(&reader, &count) ? count : 0;
}

static Status verify_claim(CertificateWalk *walk, BitReader *reader, Error *error)
{
    Status status = STATUS_OK;
    while (walk_has_layer(walk) && status == STATUS_OK) {
        if (!walk_is_own(walk))
            limit_next(walk, *reader);
        status = walk_is_own(walk) ? walk_read_layer(walk, reader, error) : walk_expand(walk, error);
        if (status == STATUS_OK)
            status = walk_advance(walk, error);
    }
    return status;
}

// A certificate that is being verified.
typedef struct {
    const CertificateHead *head;
    const CertificateOptions *options;
    BitReader reader;
    CertificateReport *report;
} Verification;

static Status run_claim(Verification *verification, unsigned i, Error *error)
{
    const CertificateHead *head = verification->head;
    BitReader *reader = &verification->reader, begin = *reader;
    WalkTask task = {&head->start.board, head->claims[i], head->version, verification->options};
    CertificateWalk *walk = walk_open(&task, false);
    Status status = walk_begin(walk, error);
    if (status == STATUS_OK)
        status = verify_claim(walk, reader, error);
    verification->report->claims[i] = walk->facts;
    if (status == STATUS_BAD_INPUT) {
        walk_report_line(walk, begin, error);
        error_prefix(error, "byte %llu: %s: ", (unsigned long long)certificate_file_offset(head, reader->at),
                     certificate_claim_text(head->claims[i]));
    }
    walk_close(walk);
    return status;
}

static Status verify_body(Verification *verification, Error *error)
{
    const CertificateHead *head = verification->head;
    const BitReader *reader = &verification->reader;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < head->claim_count && status == STATUS_OK; i++)
        status = run_claim(verification, i, error);
    if (status == STATUS_OK && reader->at < reader->body.length)
        return error_set(error, STATUS_BAD_INPUT, "byte %llu: more answers than there are positions",
                         (unsigned long long)certificate_file_offset(head, reader->at));
    return status;
}

Status certificate_verify(Span file, const CertificateOptions *options, CertificateReport *report, Error *error)
{
    if (certificate_is_tree(file))
        return certificate_verify_tree(file, options, report, error);
    *report = (CertificateReport){.bytes = file.length};
    CertificateHead *head = memory_new(1, sizeof *head);
    Text body = {0};
    Status status = certificate_read_head(file, head, error);
    if (status == STATUS_OK) {
        report->start = head->start.board;
        report->version = head->version;
        report->claim_count = head->claim_count;
        for (unsigned i = 0; i < head->claim_count; i++)
            report->claims[i].claim = head->claims[i];
        status = certificate_read_body(file, head, &body, error);
    }
    if (status == STATUS_OK) {
        Verification verification = {head, options, {.body = {body.data, body.length}}, report};
        status = verify_body(&verification, error);
    }
    text_close(&body);
    free(head);
    return status;
}
