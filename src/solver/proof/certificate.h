// Certificates: proofs of what a side can reach from a position, which anyone can check by the rules alone. The format
// is described in docs/proofs.md; in short:
//
// A certificate is a strategy of one side, one answer to everything the other may do. Positions are not written down.
// They are met layer by layer, all with one stone more than those before, in an order that follows from the rules; a
// position that can be reached in several ways, or that is a symmetric picture of another, is met once. So the file is
// little more than the answers, a few bits each. Where the side can complete a row with the next stone, or where it is
// enough not to lose and the opponent has no room for a row left, nothing is written either.
//
// Stones only come and never go, so a strategy that has an answer everywhere and never meets a lost end is a proof. The
// files of this subject include nothing but base and rules: no search has a hand in the check.
#pragma once

#include "game/board.h"

#include <stdatomic.h>

enum { CERTIFICATE_CLAIMS_MAX = 2 };

typedef struct {
    Side side;
    bool wins; // false: it does not lose
} CertificateClaim;

// What was found out about one claim.
typedef struct {
    CertificateClaim claim;
    uint64_t answers;   // positions with an answer in the file
    uint64_t positions; // all positions met, those of the opponent included, symmetric ones counted once
    unsigned depth;     // stones of the longest line, from the start to its end
} CertificateFacts;

typedef struct {
    Board start;
    unsigned claim_count;
    CertificateFacts claims[CERTIFICATE_CLAIMS_MAX];
    uint64_t bytes; // of the whole file
} CertificateReport;

// What the work may cost, and who receives progress.
typedef struct {
    uint64_t memory;         // bytes for positions; 0 is CERTIFICATE_MEMORY
    const atomic_bool *stop; // NULL: it is not stopped
    // Called for at the beginning of each layer and now and then in it. `done` of `count` positions of the layer.
    void (*progress)(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count);
    void *context; // of progress
} CertificateOptions;

#define CERTIFICATE_MEMORY (UINT64_C(4) << 30)

// "first wins", "second does not lose".
const char *certificate_claim_text(CertificateClaim claim);

// Checks a file. What is wrong with it is reported with the byte and, where it has to do with a position, the stones
// that lead there; the report then has what was known until then. `options` may be NULL.
Status certificate_verify(Span file, const CertificateOptions *options, CertificateReport *report, Error *error);

// --- Making one ---

// Stones that keep a claim, the best first. The writer takes one that leads to a position it has anyway, or else one
// that leaves the opponent few replies, and the earlier of equal ones.
//
// If `pair_count` is not 0, the first stone is played, and from there on a pairing keeps the claim: disjoint pairs of
// empty cells such that every row of k cells the opponent could still fill has both cells of a pair. That is for claims
// not to lose, without gravity and where a turn is one stone; it spares all positions below.
typedef struct {
    unsigned count, pair_count;
    Cell cells[RULES_CELLS_MAX];
    Cell pairs[RULES_CELLS_MAX]; // two cells each, one pair after another
} CertificateAnswers;

// Who knows the answers. It is asked for positions in which the side of the claim is to move, each at most once and
// never for one with a win by the next stone; many are symmetric pictures of those that can be reached.
typedef struct {
    void *context;
    // Anything but STATUS_OK ends the work: an oracle that does not know says so in the error.
    Status (*answer)(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                     Error *error);
} CertificateOracle;

// Whether a pairing may be the answer in this position.
bool certificate_takes_pairing(const Board *board, CertificateClaim claim);

// What a certificate is to prove, and how.
typedef struct {
    const Board *start;
    const CertificateClaim *claims;
    unsigned claim_count;
    const CertificateOracle *oracle;
    const CertificateOptions *options; // NULL: the defaults
} CertificateTask;

// Makes the whole file in memory; file_write (base/file.h) then puts it in its place. A stone of the oracle that does
// not keep the claim is noticed here, or by a later reply that breaks it: STATUS_FAILED, and the error has the line of
// play. Claims of both sides make one file: that neither loses proves a draw.
Status certificate_write(const CertificateTask *task, Text *file, CertificateReport *report, Error *error);
