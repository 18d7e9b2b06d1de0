// Writing a certificate from a strategy.
#include "base/memory.h"
#include "solver/proof/certificate_internal.h"

#include <stdlib.h>
#include <string.h>

// The answers that the oracle offers for a layer, and the chosen ones. All positions of a layer are asked before any
// answer is chosen: positions without a choice determine some of the next layer, and the others prefer those.
typedef struct {
    Cell *cells; // of all positions in order; a pairing follows its stone
    size_t count, capacity;
    size_t *begin; // index of each position in `cells`, and the end
    bool *pairing; // whether the answer is a stone and a pairing
    Cell *chosen;
    PositionSet planned; // certain positions of the next layer
} Offers;

typedef struct {
    const CertificateTask *task;
    CertificateWalk *walk;
    BitWriter bits;
    Offers offers;
    CertificateAnswers answers;
} Writing;

// --- Asking ---

static bool offer_cells(Offers *offers, const Cell *cells, size_t count)
{
    Cell *more = array_try_grow(offers->cells, &offers->capacity, offers->count + count, sizeof *more);
    if (more == NULL)
        return false;
    offers->cells = more;
    memcpy(offers->cells + offers->count, cells, count * sizeof *cells);
    offers->count += count;
    return true;
}

static void close_offers(Offers *offers)
{
    free(offers->cells);
    free(offers->begin);
    free(offers->pairing);
    free(offers->chosen);
    position_set_close(&offers->planned);
    *offers = (Offers){0};
}

static Status open_offers(Offers *offers, const CertificateWalk *walk, Error *error)
{
    size_t count = walk->now.count;
    *offers = (Offers){.planned = {.words = walk->view.words}};
    offers->begin = malloc((count + 1) * sizeof *offers->begin);
    offers->pairing = calloc(count, sizeof *offers->pairing);
    offers->chosen = malloc(count * sizeof *offers->chosen);
    bool failed = offers->begin == NULL || offers->pairing == NULL || offers->chosen == NULL;
    return failed ? walk_no_memory(error) : STATUS_OK;
}

// The fault in the answers of an oracle, or NULL.
static const char *answers_fault(const CertificateWalk *walk, const CertificateAnswers *answers)
{
    if (answers->count == 0)
        return "no answer is known";
    for (unsigned i = 0; i < answers->count; i++)
        if (!board_is_legal(&walk->view.board, answers->cells[i]))
            return "an answer is not a legal stone";
    if (answers->pair_count > 0 && !certificate_takes_pairing(&walk->view.board, walk->claim))
        return "a pairing is not allowed here";
    return NULL;
}

static Status ask(CertificateWalk *walk, void *context, size_t i, Error *error)
{
    Writing *writing = context;
    CertificateAnswers *answers = &writing->answers;
    Offers *offers = &writing->offers;
    answers->count = answers->pair_count = 0;
    const CertificateOracle *oracle = writing->task->oracle;
    Status status = oracle->answer(oracle->context, &walk->view.board, walk->claim, answers, error);
    if (status != STATUS_OK) {
        (void)walk_fault(walk, status, NULL, ""); // the oracle has set the error
        return status;
    }
    const char *fault = answers_fault(walk, answers);
    if (fault != NULL)
        return walk_fault(walk, STATUS_FAILED, error, fault);
    offers->begin[i] = offers->count;
    offers->pairing[i] = answers->pair_count > 0;
    bool stored = offer_cells(offers, answers->cells, offers->pairing[i] ? 1 : answers->count) &&
                  offer_cells(offers, answers->pairs, 2 * (size_t)answers->pair_count);
    offers->begin[i + 1] = offers->count;
    return stored ? STATUS_OK : walk_no_memory(error);
}

// --- Choosing ---

static bool has_choice(const Offers *offers, size_t i)
{
    return !offers->pairing[i] && offers->begin[i + 1] - offers->begin[i] > 1;
}

static Status plan(Writing *writing, size_t i, Cell cell, Error *error)
{
    CertificateWalk *walk = writing->walk;
    uint64_t key[POSITION_WORDS_MAX];
    writing->offers.chosen[i] = cell;
    if (writing->offers.pairing[i] || !walk_child(walk, cell, key))
        return STATUS_OK;
    return position_set_add(&writing->offers.planned, key, walk->options.memory) ? STATUS_OK : walk_no_memory(error);
}

// A stone whose position is certain or needs no answer; else the one with the fewest replies.
static Cell choose(Writing *writing, size_t i)
{
    const Offers *offers = &writing->offers;
    const Cell *cells = offers->cells + offers->begin[i];
    size_t count = offers->begin[i + 1] - offers->begin[i];
    uint64_t key[POSITION_WORDS_MAX];
    for (size_t j = 0; j < count; j++)
        if (!walk_child(writing->walk, cells[j], key) || position_set_has(&offers->planned, key))
            return cells[j];
    unsigned least = walk_replies(writing->walk, cells[0]);
    size_t best = 0;
    for (size_t j = 1; j < count; j++) {
        unsigned replies = walk_replies(writing->walk, cells[j]);
        if (replies < least) {
            least = replies;
            best = j;
        }
    }
    return cells[best];
}

static Status choose_all(Writing *writing, bool choices, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < writing->walk->now.count && status == STATUS_OK; i++) {
        if (has_choice(&writing->offers, i) != choices)
            continue;
        walk_load(writing->walk, i);
        Cell first = writing->offers.cells[writing->offers.begin[i]];
        status = plan(writing, i, choices ? choose(writing, i) : first, error);
    }
    return status;
}

// --- Writing ---

static unsigned number_of(const Cell *cells, Cell cell)
{
    unsigned i = 0;
    while (cells[i] != cell)
        i++;
    return i;
}

// Writes a stone and a pairing, checked as by the verifier.
static Status write_pairing(Writing *writing, size_t i, const Cell *legal, unsigned count, Error *error)
{
    const Offers *offers = &writing->offers;
    const Cell *cells = offers->cells + offers->begin[i];
    unsigned pairs = (unsigned)(offers->begin[i + 1] - offers->begin[i]) / 2;
    Board *board = &writing->walk->view.board;
    BoardState before = board_play(board, cells[0]);
    const char *fault = pairing_fault(writing->walk, board, cells + 1, pairs);
    board_undo(board, cells[0], before);
    if (fault != NULL)
        return walk_fault(writing->walk, STATUS_FAILED, error, fault);
    bits_write(&writing->bits, bits_for(count), count);
    bits_write(&writing->bits, bits_for(count - 1), number_of(legal, cells[0]));
    bits_write(&writing->bits, bits_for(count / 2), pairs);
    for (unsigned j = 1; j <= 2 * pairs; j++)
        bits_write(&writing->bits, bits_for(count - 1), number_of(legal, cells[j]));
    return STATUS_OK;
}

static Status write_answer(Writing *writing, size_t i, Error *error)
{
    CertificateWalk *walk = writing->walk;
    Cell legal[RULES_CELLS_MAX], chosen = writing->offers.chosen[i];
    bool pairing = writing->offers.pairing[i];
    walk_load(walk, i);
    unsigned count = board_legal_cells(&walk->view.board, legal);
    bool takes = certificate_takes_pairing(&walk->view.board, walk->claim);
    Status status = pairing ? write_pairing(writing, i, legal, count, error) : STATUS_OK;
    if (!pairing)
        bits_write(&writing->bits, bits_for(takes ? count : count - 1), number_of(legal, chosen));
    return status == STATUS_OK ? walk_answer(walk, i, chosen, pairing, error) : status;
}

static Status write_layer(Writing *writing, Error *error)
{
    Status status = open_offers(&writing->offers, writing->walk, error);
    if (status == STATUS_OK)
        status = walk_each(writing->walk, ask, writing, error);
    // Positions without a choice come first.
    if (status == STATUS_OK)
        status = choose_all(writing, false, error);
    if (status == STATUS_OK)
        status = choose_all(writing, true, error);
    // Write the answers in the order of the positions.
    if (status == STATUS_OK)
        bits_write_count(&writing->bits, writing->walk->now.count);
    for (size_t i = 0; i < writing->walk->now.count && status == STATUS_OK; i++)
        status = write_answer(writing, i, error);
    bits_write_end(&writing->bits);
    close_offers(&writing->offers);
    return status;
}

static Status write_layers(Writing *writing, Error *error)
{
    CertificateWalk *walk = writing->walk;
    Status status = STATUS_OK;
    while (walk_has_layer(walk) && status == STATUS_OK) {
        status = walk_is_own(walk) ? write_layer(writing, error) : walk_expand(walk, error);
        if (status == STATUS_OK)
            status = walk_advance(walk, error);
    }
    return status;
}

static Status write_claim(Writing *writing, CertificateClaim claim, CertificateFacts *facts, Error *error)
{
    const CertificateTask *task = writing->task;
    BitReader begin = {.at = writing->bits.body->length};
    writing->walk = walk_open(&(WalkTask){task->start, claim, task->version, task->options}, false);
    Status status = walk_begin(writing->walk, error);
    if (status == STATUS_OK)
        status = write_layers(writing, error);
    *facts = writing->walk->facts;
    if (status == STATUS_FAILED || status == STATUS_BAD_INPUT) {
        // The answers written so far give the line of play. For the caller this is a failure, not a bad input.
        begin.body = (Span){writing->bits.body->data, writing->bits.body->length};
        walk_report_line(writing->walk, begin, error);
        error_prefix(error, "%s: ", certificate_claim_text(claim));
        if (error != NULL)
            error->status = STATUS_FAILED;
        status = STATUS_FAILED;
    }
    walk_close(writing->walk);
    writing->walk = NULL;
    return status;
}

Status certificate_write(const CertificateTask *task, Text *file, CertificateReport *report, Error *error)
{
    CertificateTask known = *task;
    known.version = task->version == 0 ? CERTIFICATE_STONES : task->version;
    assert(task->claim_count >= 1 && task->claim_count <= CERTIFICATE_CLAIMS_MAX);
    assert(task->claim_count == 1 || task->claims[0].side != task->claims[1].side);
    assert(known.version == CERTIFICATE_STONES || !task->start->rules.gravity);
    Text body = {0};
    Writing *writing = memory_new(1, sizeof *writing);
    *report = (CertificateReport){.start = *task->start, .version = known.version, .claim_count = task->claim_count};
    writing->task = &known;
    writing->bits.body = &body;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < task->claim_count && status == STATUS_OK; i++)
        status = write_claim(writing, task->claims[i], &report->claims[i], error);
    if (status == STATUS_OK)
        certificate_write_file(&known, (Span){body.data, body.length}, file);
    report->bytes = file->length;
    text_close(&body);
    free(writing);
    return status;
}
