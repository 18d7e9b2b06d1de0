// Certificates of version 3: trees with default answers, read block by block.
#include "base/checksum.h"
#include "base/memory.h"
#include "solver/proof/certificate_internal.h"
#include "solver/tree/tree_check.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_BYTES = 8192 }; // more than any header has

// The body as a stream of bits.
typedef struct {
    const CertificateInput *input;
    CertificateHead head;
    char ahead[HEAD_BYTES]; // read with the header
    size_t ahead_at, ahead_length;
    char block[CERTIFICATE_BLOCK + CERTIFICATE_SUM];
    BitReader bits;   // of the block
    uint64_t done;    // bytes of the body before the block
    uint64_t read;    // bytes of the file
    TreeWords *words; // receives the tree; or NULL
    Status status;    // why the body ended early
    Error *error;
} Stream;

static size_t read_bytes(Stream *stream, char *to, size_t want)
{
    size_t have = stream->ahead_length - stream->ahead_at, got = have < want ? have : want;
    memcpy(to, stream->ahead + stream->ahead_at, got);
    stream->ahead_at += got;
    while (got < want) {
        size_t more = stream->input->read(stream->input->context, to + got, want - got);
        if (more == 0)
            break;
        got += more;
    }
    stream->read += got;
    return got;
}

static bool fails(Stream *stream, const char *what)
{
    stream->status =
        error_set(stream->error, STATUS_BAD_INPUT, "byte %llu: %s", (unsigned long long)stream->read, what);
    return false;
}

static bool next_block(Stream *stream)
{
    stream->done += stream->bits.body.length;
    uint64_t left = stream->head.body - stream->done, from = stream->read;
    size_t length = left < CERTIFICATE_BLOCK ? (size_t)left : CERTIFICATE_BLOCK;
    if (length == 0)
        return fails(stream, "the answers end here");
    if (read_bytes(stream, stream->block, length + CERTIFICATE_SUM) < length + CERTIFICATE_SUM)
        return fails(stream, "the file ends too early");
    if (!certificate_sum_is_right((Span){stream->block, length}, stream->block + length)) {
        stream->status =
            error_set(stream->error, STATUS_BAD_INPUT, "bytes %llu to %llu: damaged: the checksum does not match",
                      (unsigned long long)from, (unsigned long long)stream->read - 1);
        return false;
    }
    stream->bits = (BitReader){.body = {stream->block, length}};
    return true;
}

// A number may lie in two blocks.
static bool take_bits(Stream *stream, unsigned count, uint64_t *number)
{
    *number = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t bit = 0;
        if (!bits_read(&stream->bits, 1, &bit) && (!next_block(stream) || !bits_read(&stream->bits, 1, &bit)))
            return false;
        *number |= bit << i;
    }
    return true;
}

static bool read_answer(void *context, const TreeBoard *board, unsigned *cell)
{
    Stream *stream = context;
    unsigned empty = board->cell_count - board->stones;
    uint64_t number = 0;
    if (!take_bits(stream, bits_for(empty - 1), &number))
        return false;
    *cell = tree_board_empty_cell(board, (unsigned)number);
    if (stream->words != NULL)
        tree_words_add(stream->words, *cell);
    return true;
}

static bool read_replies(void *context, TreeReplies *replies)
{
    Stream *stream = context;
    uint64_t bit = 0;
    if (!take_bits(stream, 1, &bit))
        return false;
    *replies = bit != 0 ? TREE_DEFAULT_REPLY : TREE_ALL_REPLIES;
    if (stream->words != NULL)
        tree_words_add(stream->words, bit != 0 ? TREE_WORD_DEFAULT : TREE_WORD_ALL);
    return true;
}

// After the last answer: only zero bits up to the end of the byte.
static bool at_end(Stream *stream)
{
    char byte;
    if (!bits_read_end(&stream->bits))
        return fails(stream, "the bits after the last answer are not 0");
    if (stream->done + stream->bits.at != stream->head.body)
        return fails(stream, "more answers than the tree needs");
    return read_bytes(stream, &byte, 1) == 0 || fails(stream, "the file has more bytes than its header states");
}

typedef struct {
    const CertificateOptions *options;
    CertificateFacts facts;
} TreeProgress;

static void take_facts(CertificateFacts *facts, const TreeFacts *tree)
{
    facts->answers = tree->answers;
    facts->positions = tree->positions;
    facts->replies = tree->replies;
    facts->depth = tree->depth;
}

static void show_progress(void *context, const TreeFacts *so_far, unsigned done, unsigned of)
{
    TreeProgress *progress = context;
    take_facts(&progress->facts, so_far);
    progress->options->progress(progress->options->context, &progress->facts, 0, done, of);
}

static Status tree_fault(Stream *stream, const TreeCheck *check)
{
    Text line = {0};
    if (stream->status != STATUS_OK)
        return stream->status;
    const char *fault = tree_check_fault(check, &line);
    uint64_t at = certificate_file_offset(&stream->head, stream->done + stream->bits.at);
    Status status = fault == NULL ? error_set(stream->error, STATUS_INTERRUPTED, "interrupted")
                                  : error_set(stream->error, STATUS_BAD_INPUT, "byte %llu: after %.300s: %s",
                                              (unsigned long long)at, line.length > 0 ? line.data : "no stone", fault);
    text_close(&line);
    return status;
}

static Status verify_tree(Stream *stream, const CertificateOptions *options, CertificateReport *report, Error *error)
{
    const Board *start = &stream->head.start.board;
    Side owner = stream->head.claims[0].side;
    TreeProgress progress = {options, {.claim = stream->head.claims[0]}};
    TreeWatch watch = {
        .stop = options->stop, .progress = options->progress != NULL ? show_progress : NULL, .context = &progress};
    TreeSource source = {.context = stream, .answer = read_answer, .replies = read_replies};
    TreeTurn turn = {board_side(start) == owner ? TREE_OWNER : TREE_OPPONENT, (unsigned)(start->state.turn & 0xffff)};
    TreeBoard board;
    TreeFacts facts = {0};
    if (board_is_over(start))
        return error_set(error, STATUS_BAD_INPUT, "the game is over at the start");
    tree_board_open(&board, &start->rules);
    tree_board_set(&board, start, owner);
    TreeCheck *check = tree_check_open(&board);
    bool holds = tree_check_run(check, turn, &source, &watch, &facts, 0, NULL) && at_end(stream);
    Status status = holds ? STATUS_OK : tree_fault(stream, check);
    take_facts(&report->claims[0], &facts);
    tree_check_close(check);
    tree_board_close(&board);
    return status;
}

static Status verify_other(Stream *stream, const CertificateOptions *options, CertificateReport *report, Error *error)
{
    Text file = {0};
    Status status = STATUS_OK;
    size_t got;
    do {
        got = text_reserve(&file, CERTIFICATE_BLOCK) ? read_bytes(stream, stream->block, CERTIFICATE_BLOCK) : 0;
        text_add_span(&file, (Span){stream->block, got});
    } while (got > 0 && file.length <= CERTIFICATE_FILE_MAX);
    if (file.length > CERTIFICATE_FILE_MAX)
        status = error_set(error, STATUS_BAD_INPUT, "the file has more than %d bytes", CERTIFICATE_FILE_MAX);
    else
        status = certificate_verify((Span){file.data, file.length}, options, report, error);
    text_close(&file);
    return status;
}

// Fills what the header tells.
static Status begin_tree(Stream *stream, CertificateReport *report, Error *error)
{
    Status status = certificate_read_head((Span){stream->ahead, stream->ahead_length}, &stream->head, error);
    if (status != STATUS_OK)
        return status;
    stream->ahead_at = stream->read = stream->head.head_length;
    board_copy(&report->start, &stream->head.start.board);
    report->version = stream->head.version;
    report->claim_count = 1;
    report->claims[0].claim = stream->head.claims[0];
    return STATUS_OK;
}

static Status read_stream(const CertificateInput *input, const CertificateOptions *options, TreeWords *words,
                          CertificateReport *report, Error *error)
{
    static const CertificateOptions defaults;
    options = options != NULL ? options : &defaults;
    *report = (CertificateReport){0};
    Stream *stream = memory_new(1, sizeof *stream);
    stream->input = input;
    stream->error = error;
    stream->words = words;
    size_t length = read_bytes(stream, stream->block, HEAD_BYTES);
    memcpy(stream->ahead, stream->block, length);
    stream->ahead_length = length;
    stream->read = 0;
    Status status = STATUS_OK;
    if (certificate_is_tree((Span){stream->ahead, length})) {
        status = begin_tree(stream, report, error);
        if (status == STATUS_OK)
            status = verify_tree(stream, options, report, error);
        report->bytes = stream->read;
    } else if (words == NULL) {
        status = verify_other(stream, options, report, error);
    } else {
        status = error_set(error, STATUS_BAD_INPUT, "byte 0: not a proof of version 3");
    }
    free(stream);
    return status;
}

Status certificate_verify_stream(const CertificateInput *input, const CertificateOptions *options,
                                 CertificateReport *report, Error *error)
{
    return read_stream(input, options, NULL, report, error);
}

Status certificate_read_tree(const CertificateInput *input, const CertificateOptions *options, TreeWords *words,
                             CertificateReport *report, Error *error)
{
    return read_stream(input, options, words, report, error);
}

// --- From memory ---

static size_t read_span(void *context, char *to, size_t want)
{
    Span *rest = context;
    size_t got = rest->length < want ? rest->length : want;
    if (got > 0)
        memcpy(to, rest->at, got);
    *rest = (Span){rest->at + got, rest->length - got};
    return got;
}

Status certificate_verify_tree(Span file, const CertificateOptions *options, CertificateReport *report, Error *error)
{
    CertificateInput input = {.context = &file, .read = read_span};
    return certificate_verify_stream(&input, options, report, error);
}

// --- Writing ---

// A source that also writes what it reads.
typedef struct {
    const TreeSource *from;
    BitWriter writer;
} Recorder;

static bool record_answer(void *context, const TreeBoard *board, unsigned *cell)
{
    Recorder *recorder = context;
    if (!recorder->from->answer(recorder->from->context, board, cell))
        return false;
    if (*cell < board->cell_count && board->stone[*cell] == TREE_EMPTY)
        bits_write(&recorder->writer, bits_for(board->cell_count - board->stones - 1),
                   tree_board_empty_rank(board, *cell));
    return true;
}

static bool record_replies(void *context, TreeReplies *replies)
{
    Recorder *recorder = context;
    if (!recorder->from->replies(recorder->from->context, replies))
        return false;
    bits_write(&recorder->writer, 1, *replies == TREE_DEFAULT_REPLY);
    return true;
}

Status certificate_write_tree(const Board *start, Side owner, const TreeSource *from, const atomic_bool *stop,
                              Text *file, Error *error)
{
    Text body = {0}, line = {0};
    Recorder recorder = {from, {.body = &body}};
    TreeSource source = {.context = &recorder, .answer = record_answer, .replies = record_replies};
    TreeTurn turn = {board_side(start) == owner ? TREE_OWNER : TREE_OPPONENT, (unsigned)(start->state.turn & 0xffff)};
    TreeWatch watch = {.stop = stop};
    TreeBoard board;
    TreeFacts facts;
    tree_board_open(&board, &start->rules);
    tree_board_set(&board, start, owner);
    TreeCheck *check = tree_check_open(&board);
    Status status = STATUS_OK;
    if (!tree_check_run(check, turn, &source, &watch, &facts, 0, NULL)) {
        const char *fault = tree_check_fault(check, &line);
        status = stop_is_raised(stop)
                     ? error_set(error, STATUS_INTERRUPTED, "interrupted")
                     : error_set(error, STATUS_FAILED, "after %.300s: %s", line.length > 0 ? line.data : "no stone",
                                 fault != NULL ? fault : "the tree ends here");
    }
    bits_write_end(&recorder.writer);
    CertificateClaim claim = {owner, true};
    CertificateTask task = {.start = start, .claims = &claim, .claim_count = 1, .version = CERTIFICATE_TREE};
    if (status == STATUS_OK)
        certificate_write_file(&task, (Span){body.data, body.length}, file);
    text_close(&body);
    text_close(&line);
    tree_check_close(check);
    tree_board_close(&board);
    return status;
}
