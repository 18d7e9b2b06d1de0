// Shared by the files of certificates: the walk through the layers, the file as text and bits, and pairings.
#pragma once

#include "game/position_set.h"
#include "solver/proof/certificate.h"

// The walk: all positions of a strategy with equally many stones, and the next layer.
//
// Only positions that need an answer are listed. Not listed are ends of the game, positions in which the side completes
// a row with its next stone, and under a claim not to lose those in which the opponent has no room for a row.
typedef struct {
    PositionView view; // the current position
    CertificateClaim claim;
    CertificateVersion version;
    CertificateOptions options;
    CertificateFacts facts;
    Board start;
    unsigned layer;                       // stones since the start
    uint64_t turn, next_turn;             // turn of the boards of this layer and of the next
    PositionSet now, next;                // this layer and the next
    uint64_t next_limit;                  // maximum number of positions in the next layer
    uint64_t line_cells[BOARD_LINES_MAX]; // cells of each line, as bits
    // With `keeps`, earlier layers and their answers are stored, so that a line of play can be reported.
    bool keeps;
    PositionSet *kept;   // `layer` entries
    Cell **kept_answers; // `layer` + 1 entries, in the order of positions; NULL for layers of the opponent
    uint64_t kept_bytes;
    // The position of the error, if `has_fault`.
    bool has_fault;
    unsigned fault_layer;
    uint64_t fault_key[POSITION_WORDS_MAX];
} CertificateWalk;

// What is to be proved in which way.
typedef struct {
    const Board *start;
    CertificateClaim claim;
    CertificateVersion version;
    const CertificateOptions *options; // NULL: the defaults
} WalkTask;

CertificateWalk *walk_open(const WalkTask *task, bool keeps);
void walk_close(CertificateWalk *walk); // NULL is fine

// Lists the start as the first layer, if it needs an answer.
Status walk_begin(CertificateWalk *walk, Error *error);

// Whether positions are left, and whose turn it is in this and the next layer.
static inline bool walk_has_layer(const CertificateWalk *walk)
{
    return walk->now.count > 0;
}

static inline bool walk_is_own(const CertificateWalk *walk)
{
    return (Side)(walk->turn >> 32 & 1) == walk->claim.side;
}

static inline bool walk_next_is_own(const CertificateWalk *walk)
{
    return (Side)(walk->next_turn >> 32 & 1) == walk->claim.side;
}

// Loads the i-th position of the layer into the view.
void walk_load(CertificateWalk *walk, size_t i);

// Loads all positions of the layer one after another and calls the step for each until one fails. Reports progress
// regularly and checks the stop flag.
typedef Status WalkStep(CertificateWalk *walk, void *context, size_t i, Error *error);
Status walk_each(CertificateWalk *walk, WalkStep *step, void *context, Error *error);

// Plays every reply of the opponent in all positions of the layer.
Status walk_expand(CertificateWalk *walk, Error *error);

// Plays an answer, a legal cell, in the current position. `ends`: what follows is proved by a pairing.
Status walk_answer(CertificateWalk *walk, size_t i, Cell cell, bool ends, Error *error);

// The key of the position after an answer (false if it need not be listed), and the number of replies to it that would
// be listed.
bool walk_child(CertificateWalk *walk, Cell cell, uint64_t *key);
unsigned walk_replies(CertificateWalk *walk, Cell cell);

// Makes the next layer the current one.
Status walk_advance(CertificateWalk *walk, Error *error);

// Records the current position as that of the error, and sets the error.
Status walk_fault(CertificateWalk *walk, Status status, Error *error, const char *words);

Status walk_no_memory(Error *error);

typedef struct BitReader BitReader;
Status walk_read_layer(CertificateWalk *walk, BitReader *reader, Error *error);

// Prefixes the error with the stones that lead to it (certificate_trace.c). `reader` is at the start of the claim's
// answers.
void walk_report_line(const CertificateWalk *fault, BitReader reader, Error *error);

// Checks that every window of k cells without a stone of the side contains one of the pairs (two cells each), which
// must be disjoint and empty. Returns NULL, or the fault.
const char *pairing_fault(const CertificateWalk *walk, const Board *board, const Cell *pairs, unsigned count);

// Whether every window of the opponent has a stone of the side.
bool pairing_is_needless(const CertificateWalk *walk, const Board *board);

enum { CERTIFICATE_BLOCK = 65536, CERTIFICATE_SUM = 4 }; // bytes of the body between two checksums, and of a checksum

// Whether the four bytes are the checksum of the block.
bool certificate_sum_is_right(Span block, const char *sum);

// Whether the file begins like one of version 3, and its verification.
bool certificate_is_tree(Span file);
Status certificate_verify_tree(Span file, const CertificateOptions *options, CertificateReport *report, Error *error);

// The header, read or to be written.
typedef struct {
    CertificateVersion version;
    Game start;
    CertificateClaim claims[CERTIFICATE_CLAIMS_MAX];
    unsigned claim_count;
    uint64_t body;      // bytes of the body without checksums
    size_t head_length; // where the body begins
} CertificateHead;

Status certificate_read_head(Span file, CertificateHead *head, Error *error);

// Checks the length and the checksums of the body and removes the checksums: `body` gets the data alone.
Status certificate_read_body(Span file, const CertificateHead *head, Text *body, Error *error);

// The file offset of a byte of the body.
uint64_t certificate_file_offset(const CertificateHead *head, uint64_t at);

// Assembles the file; of the task without the oracle.
void certificate_write_file(const CertificateTask *task, Span body, Text *file);

// Bits of the body, the lowest of a byte first.
struct BitReader {
    Span body;
    size_t at;    // next byte
    unsigned bit; // bits read of it
};

typedef struct {
    Text *body;
    unsigned byte, bit; // partial byte, not yet in the body
} BitWriter;

// The number of bits for the numbers 0 to `most`.
static inline unsigned bits_for(uint64_t most)
{
    return 64 - bits_leading_zeros(most);
}

bool bits_read(BitReader *reader, unsigned count, uint64_t *number); // false at the end of the body
bool bits_read_end(BitReader *reader);                     // skips to the next byte; false if the bits are not 0
bool bits_read_count(BitReader *reader, uint64_t *number); // seven bits per byte, lowest first
void bits_write(BitWriter *writer, unsigned count, uint64_t number);
void bits_write_end(BitWriter *writer);
void bits_write_count(BitWriter *writer, uint64_t number);
