// What the parts of certificates share: the walk through the layers, the file as text and bits, and pairings.
#pragma once

#include "game/position_set.h"
#include "solver/proof/certificate.h"

// --- The walk: certificate_walk.c ---

// All positions of a strategy with equally many stones, and the next ones as they are found.
//
// Positions are listed only where there is something to do. Not listed, as they need no answer: ends of the game, those
// in which the side completes a row with its next stone, and under a claim not to lose those in which the opponent has
// no room for a row left.
typedef struct {
    PositionView view; // the position examined
    CertificateClaim claim;
    CertificateOptions options;
    CertificateFacts facts;
    Board start;
    unsigned layer;                       // stones since the start
    uint64_t turn, next_turn;             // turn of the boards of this layer and of the next
    PositionSet now, next;                // this layer and the next
    uint64_t next_limit;                  // more positions than that in the next layer are refused
    uint64_t line_cells[BOARD_LINES_MAX]; // cells of each line, as bits
    // With `keeps` the layers before and their answers are kept, so that a line of play can be reported.
    bool keeps;
    PositionSet *kept;   // `layer` of them
    Cell **kept_answers; // `layer` and one: in the order of positions, NULL for layers of the opponent
    uint64_t kept_bytes;
    // The position at which something went wrong, if `has_fault`.
    bool has_fault;
    unsigned fault_layer;
    uint64_t fault_key[POSITION_WORDS_MAX];
} CertificateWalk;

// A walk from a position; options may be NULL.
CertificateWalk *walk_open(const Board *start, CertificateClaim claim, const CertificateOptions *options, bool keeps);
void walk_close(CertificateWalk *walk); // NULL is fine

// Lists the start as the first layer, if it needs an answer.
Status walk_begin(CertificateWalk *walk, Error *error);

// Whether positions are left, whose turn it is in them, and who moves in the next layer.
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

// Loads all positions of the layer one after another and does something with each, until that fails. Reports progress
// now and then, and checks the stop flag.
typedef Status WalkStep(CertificateWalk *walk, void *context, size_t i, Error *error);
Status walk_each(CertificateWalk *walk, WalkStep *step, void *context, Error *error);

// Every reply of the opponent, in all positions of the layer.
Status walk_expand(CertificateWalk *walk, Error *error);

// An answer to the position in the view: a legal cell. `ends`: what follows is proved in another way.
Status walk_answer(CertificateWalk *walk, size_t i, Cell cell, bool ends, Error *error);

// The key of what an answer leads to, unless that need not be listed; how many replies to it would be listed.
bool walk_child(CertificateWalk *walk, Cell cell, uint64_t *key);
unsigned walk_replies(CertificateWalk *walk, Cell cell);

// The next layer becomes this one.
Status walk_advance(CertificateWalk *walk, Error *error);

// Remembers the position in the view as the one with the fault, which is reported in words.
Status walk_fault(CertificateWalk *walk, Status status, Error *error, const char *words);

Status walk_no_memory(Error *error);

// --- One layer of answers out of the body: certificate_verify.c ---

typedef struct BitReader BitReader;
Status walk_read_layer(CertificateWalk *walk, BitReader *reader, Error *error);

// The stones that lead to the fault of a walk, in front of the error; certificate_trace.c. `reader` stands where the
// answers of the claim begin.
void walk_report_line(const CertificateWalk *fault, BitReader reader, Error *error);

// --- Pairings: certificate_pairing.c ---

// Whether every window of k cells without a stone of the side has both cells of one of the pairs (two cells each),
// which are disjoint and empty. NULL, or what is wrong.
const char *pairing_fault(const CertificateWalk *walk, const Board *board, const Cell *pairs, unsigned count);

// Whether the opponent has no window without a stone of the side left.
bool pairing_is_needless(const CertificateWalk *walk, const Board *board);

// --- The file: certificate_file.c ---

// The header, read or to be written.
typedef struct {
    Game start;
    CertificateClaim claims[CERTIFICATE_CLAIMS_MAX];
    unsigned claim_count;
    uint64_t body;      // bytes of the body without checksums
    size_t head_length; // where the body begins
} CertificateHead;

Status certificate_read_head(Span file, CertificateHead *head, Error *error);

// Checks length and checksums of the body, and takes the checksums out: `body` gets the bytes alone.
Status certificate_read_body(Span file, const CertificateHead *head, Text *body, Error *error);

// Where a byte of the body stands in the file.
uint64_t certificate_file_offset(const CertificateHead *head, uint64_t at);

// Puts the file together.
void certificate_write_file(const Board *start, const CertificateClaim *claims, unsigned claim_count, Span body,
                            Text *file);

// Bits of the body, the lowest of a byte first.
struct BitReader {
    Span body;
    size_t at;    // next byte
    unsigned bit; // bits taken of it
};

typedef struct {
    Text *body;
    unsigned byte, bit; // begun and not yet in the body
} BitWriter;

// Bits that the numbers 0 to `most` need.
static inline unsigned bits_for(uint64_t most)
{
    return 64 - bits_leading_zeros(most);
}

bool bits_read(BitReader *reader, unsigned count, uint64_t *number); // false at the end of the body
bool bits_read_end(BitReader *reader);                               // to the next whole byte; false: not zeros
bool bits_read_count(BitReader *reader, uint64_t *number);           // seven bits a byte, the lowest first
void bits_write(BitWriter *writer, unsigned count, uint64_t number);
void bits_write_end(BitWriter *writer);
void bits_write_count(BitWriter *writer, uint64_t number);
