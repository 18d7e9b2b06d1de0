// Reading and writing certificate files.
#include "base/checksum.h"
#include "game/fen.h"
#include "solver/proof/certificate_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *const magics[] = {[CERTIFICATE_STONES] = "krow proof 1\n",
                                     [CERTIFICATE_TURNS] = "krow proof 2\n",
                                     [CERTIFICATE_TREE] = "krow proof 3\n"};

// --- The header ---

static const struct {
    const char *text;
    CertificateClaim claim;
} claim_texts[] = {
    {"first wins", {SIDE_FIRST, true}},
    {"second wins", {SIDE_SECOND, true}},
    {"first does not lose", {SIDE_FIRST, false}},
    {"second does not lose", {SIDE_SECOND, false}},
};

const char *certificate_claim_text(CertificateClaim claim)
{
    unsigned i = 0;
    while (claim_texts[i].claim.side != claim.side || claim_texts[i].claim.wins != claim.wins)
        i++;
    return claim_texts[i].text;
}

static Status bad(Error *error, uint64_t at, const char *what)
{
    return error_set(error, STATUS_BAD_INPUT, "byte %llu: %s", (unsigned long long)at, what);
}

// Reads a header line that begins with `word` and a blank; `value` is the rest.
static Status read_line(Span file, size_t *at, const char *word, Span *value, Error *error)
{
    Span rest = {file.at + *at, file.length - *at};
    const char *end = memchr(rest.at, '\n', rest.length < 65536 ? rest.length : 65536);
    size_t length = strlen(word);
    if (end == NULL || (size_t)(end - rest.at) <= length || memcmp(rest.at, word, length) != 0 ||
        rest.at[length] != ' ')
        return error_set(error, STATUS_BAD_INPUT, "byte %zu: the header has no line '%s …' here", *at, word);
    *value = (Span){rest.at + length + 1, (size_t)(end - rest.at) - length - 1};
    *at += (size_t)(end - rest.at) + 1;
    return STATUS_OK;
}

static bool begins_with(Span file, size_t at, const char *text)
{
    size_t length = strlen(text);
    return file.length - at >= length && memcmp(file.at + at, text, length) == 0;
}

// Reads one or two claims, about different sides.
static Status read_claims(Span file, size_t *at, CertificateHead *head, Error *error)
{
    for (head->claim_count = 0; head->claim_count == 0 || begins_with(file, *at, "claim ");) {
        Span value = {0};
        size_t before = *at, i = 0, count = sizeof claim_texts / sizeof claim_texts[0];
        Status status = read_line(file, at, "claim", &value, error);
        if (status != STATUS_OK)
            return status;
        while (i < count && !span_is(value, claim_texts[i].text))
            i++;
        if (i == count || head->claim_count == CERTIFICATE_CLAIMS_MAX)
            return bad(error, before, "invalid claim, or too many claims");
        head->claims[head->claim_count++] = claim_texts[i].claim;
    }
    if (head->claim_count == 2 && head->claims[0].side == head->claims[1].side)
        return bad(error, *at, "both claims are about the same side");
    return STATUS_OK;
}

static void write_head(const CertificateTask *task, uint64_t body, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&task->start->rules, game);
    text_add(text, "%sgame %s\nstart ", magics[task->version], game);
    fen_write(task->start, text);
    for (unsigned i = 0; i < task->claim_count; i++)
        text_add(text, "\nclaim %s", certificate_claim_text(task->claims[i]));
    text_add(text, "\nbody %llu\n", (unsigned long long)body);
    text_add(text, "check %08" PRIx32 "\n", checksum_crc32((Span){text->data, text->length}));
}

// The parser is tolerant, so the header is compared with what would be written, including its checksum.
static Status compare_head(Span file, CertificateHead *head, Error *error)
{
    Text text = {0};
    CertificateTask task = {.start = &head->start.board,
                            .claims = head->claims,
                            .claim_count = head->claim_count,
                            .version = head->version};
    write_head(&task, head->body, &text);
    size_t at = 0;
    while (at < text.length && at < file.length && text.data[at] == file.at[at])
        at++;
    head->head_length = text.length;
    Status status = at == text.length ? STATUS_OK : bad(error, at, "the header is damaged");
    text_close(&text);
    return status;
}

static Status read_rules(Span file, size_t *at, CertificateHead *head, Error *error)
{
    Span game = {0}, start = {0};
    Rules rules = {0};
    size_t before = *at;
    Status status = read_line(file, at, "game", &game, error);
    if (status != STATUS_OK)
        return status;
    status = rules_parse(game, &rules, error);
    if (status == STATUS_OK) {
        before = *at;
        status = read_line(file, at, "start", &start, error);
        if (status != STATUS_OK)
            return status;
        status = fen_read(start, &rules, &head->start, error);
    }
    if (status != STATUS_OK)
        error_prefix(error, "byte %zu: ", before);
    return status;
}

bool certificate_is_tree(Span file)
{
    return begins_with(file, 0, magics[CERTIFICATE_TREE]);
}

Status certificate_read_head(Span file, CertificateHead *head, Error *error)
{
    Span value = {0};
    int64_t number = 0;
    head->version = begins_with(file, 0, magics[CERTIFICATE_TURNS]) ? CERTIFICATE_TURNS
                    : certificate_is_tree(file)                     ? CERTIFICATE_TREE
                                                                    : CERTIFICATE_STONES;
    const char *magic = magics[head->version];
    size_t at = strlen(magic);
    if (!begins_with(file, 0, magic))
        return error_set(error, STATUS_BAD_INPUT,
                         "byte 0: not a proof by krow: the first line is not 'krow proof 1', 'krow proof 2' or 'krow "
                         "proof 3'");
    Status status = read_rules(file, &at, head, error);
    if (status == STATUS_OK && head->version != CERTIFICATE_STONES && head->start.board.rules.gravity)
        status = error_set(error, STATUS_BAD_INPUT, "byte %zu: version %u of proofs is for games without gravity", at,
                           (unsigned)head->version);
    if (status == STATUS_OK)
        status = read_claims(file, &at, head, error);
    if (status == STATUS_OK && head->version == CERTIFICATE_TREE && (head->claim_count > 1 || !head->claims[0].wins))
        status = bad(error, at, "version 3 of proofs has one claim, that a side wins");
    size_t before = at;
    if (status == STATUS_OK)
        status = read_line(file, &at, "body", &value, error);
    if (status == STATUS_OK && !span_to_int(value, 0, INT64_MAX, &number))
        status = bad(error, before, "the length of the body is not a number");
    head->body = (uint64_t)number;
    return status == STATUS_OK ? compare_head(file, head, error) : status;
}

// --- The body ---

uint64_t certificate_file_offset(const CertificateHead *head, uint64_t at)
{
    return head->head_length + at + at / CERTIFICATE_BLOCK * CERTIFICATE_SUM;
}

static void put_sum(uint32_t sum, char bytes[CERTIFICATE_SUM])
{
    for (unsigned i = 0; i < CERTIFICATE_SUM; i++)
        bytes[i] = (char)(sum >> 8 * i & 0xff);
}

bool certificate_sum_is_right(Span block, const char *sum)
{
    char right[CERTIFICATE_SUM];
    put_sum(checksum_crc32(block), right);
    return memcmp(sum, right, CERTIFICATE_SUM) == 0;
}

static Status check_length(Span file, const CertificateHead *head, Error *error)
{
    uint64_t has = file.length - head->head_length,
             blocks = head->body / CERTIFICATE_BLOCK + (head->body % CERTIFICATE_BLOCK != 0);
    if (head->body > has || blocks * CERTIFICATE_SUM != has - head->body)
        return error_set(error, STATUS_BAD_INPUT,
                         "byte %zu: the file ends here, which is too %s for a body of %llu bytes", file.length,
                         head->body + blocks * CERTIFICATE_SUM > has ? "early" : "late",
                         (unsigned long long)head->body);
    return STATUS_OK;
}

Status certificate_read_body(Span file, const CertificateHead *head, Text *body, Error *error)
{
    Status status = check_length(file, head, error);
    Span rest = {file.at + head->head_length, file.length - head->head_length};
    while (status == STATUS_OK && rest.length > 0) {
        size_t length =
            rest.length - CERTIFICATE_SUM < CERTIFICATE_BLOCK ? rest.length - CERTIFICATE_SUM : CERTIFICATE_BLOCK;
        if (!certificate_sum_is_right((Span){rest.at, length}, rest.at + length))
            return error_set(error, STATUS_BAD_INPUT, "bytes %zu to %zu: damaged: the checksum does not match",
                             (size_t)(rest.at - file.at), (size_t)(rest.at - file.at) + length + CERTIFICATE_SUM - 1);
        text_add_span(body, (Span){rest.at, length});
        rest = (Span){rest.at + length + CERTIFICATE_SUM, rest.length - length - CERTIFICATE_SUM};
    }
    return status;
}

void certificate_write_file(const CertificateTask *task, Span body, Text *file)
{
    write_head(task, body.length, file);
    while (body.length > 0) {
        Span block = {body.at, body.length < CERTIFICATE_BLOCK ? body.length : CERTIFICATE_BLOCK};
        char sum[CERTIFICATE_SUM];
        put_sum(checksum_crc32(block), sum);
        text_add_span(file, block);
        text_add_span(file, (Span){sum, CERTIFICATE_SUM});
        body = (Span){body.at + block.length, body.length - block.length};
    }
}

// --- Bits ---

bool bits_read(BitReader *reader, unsigned count, uint64_t *number)
{
    *number = 0;
    for (unsigned done = 0; done < count;) {
        if (reader->at == reader->body.length)
            return false;
        unsigned take = count - done < 8 - reader->bit ? count - done : 8 - reader->bit;
        uint64_t bits = (unsigned char)reader->body.at[reader->at] >> reader->bit & bits_low(take);
        *number |= bits << done;
        done += take;
        reader->bit += take;
        reader->at += reader->bit / 8;
        reader->bit %= 8;
    }
    return true;
}

bool bits_read_end(BitReader *reader)
{
    uint64_t rest = 0;
    return reader->bit == 0 || (bits_read(reader, 8 - reader->bit, &rest) && rest == 0);
}

bool bits_read_count(BitReader *reader, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        uint64_t byte = 0;
        if (!bits_read(reader, 8, &byte))
            return false;
        *number |= (byte & 127) << shift;
        if (byte < 128)
            return shift == 0 || byte > 0; // only the shortest form is valid
    }
    return false;
}

void bits_write(BitWriter *writer, unsigned count, uint64_t number)
{
    for (unsigned i = 0; i < count; i++) {
        writer->byte |= (unsigned)(number >> i & 1) << writer->bit;
        if (++writer->bit == 8)
            bits_write_end(writer);
    }
}

void bits_write_end(BitWriter *writer)
{
    char byte = (char)writer->byte;
    if (writer->bit > 0)
        text_add_span(writer->body, (Span){&byte, 1});
    writer->byte = writer->bit = 0;
}

void bits_write_count(BitWriter *writer, uint64_t number)
{
    for (; number > 127; number >>= 7)
        bits_write(writer, 8, (number & 127) | 128);
    bits_write(writer, 8, number);
}
