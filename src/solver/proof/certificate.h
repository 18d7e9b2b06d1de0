// Certificates: proofs of what a side can achieve from a position, which anyone can check by the rules alone.
// docs/proofs.md describes the format; in short:
//
// A certificate is a strategy of one side: one answer to everything the opponent may do. Positions are not stored. They
// are visited layer by layer, each with one stone more than the one before, in an order that follows from the rules; a
// position that is reached in several ways, or as a symmetric image of another, is visited once. So the file holds
// little more than the answers, a few bits each. There is no answer if the side can complete a row with the next stone,
// or if it only has to avoid losing and the opponent has no room for a row. In version 2 of the format there is no
// answer either if the side can complete a row with the stones left in its turn.
//
// Stones are never removed, so a strategy that has an answer everywhere and never meets a lost end is a proof. The
// verifier includes only base and game, so it shares nothing with any search.
#pragma once

#include "game/board.h"
#include "solver/tree/tree_check.h"

#include <stdatomic.h>

enum { CERTIFICATE_CLAIMS_MAX = 2 };

// Versions of the format. Versions 2 and 3 are for games without gravity. Version 2 makes proofs of wins by threats far
// smaller if turns have several stones. Version 3 is a tree with default answers, for wins on large boards
// (solver/tree/tree_check.h).
typedef enum { CERTIFICATE_STONES = 1, CERTIFICATE_TURNS = 2, CERTIFICATE_TREE = 3 } CertificateVersion;

typedef struct {
    Side side;
    bool wins; // false: it does not lose
} CertificateClaim;

// Facts about one claim.
typedef struct {
    CertificateClaim claim;
    uint64_t answers;   // positions with an answer in the file
    uint64_t positions; // all positions visited, including those of the opponent; symmetric ones count once
    uint64_t replies;   // version 3: turns of the opponent, each with its answer or the default; else 0
    unsigned depth;     // stones of the longest line, from the start to its end
} CertificateFacts;

typedef struct {
    Board start;
    CertificateVersion version;
    unsigned claim_count;
    CertificateFacts claims[CERTIFICATE_CLAIMS_MAX];
    uint64_t bytes; // of the whole file
} CertificateReport;

// Limits, and the receiver of progress.
typedef struct {
    uint64_t memory;         // bytes for positions; 0 means CERTIFICATE_MEMORY
    const atomic_bool *stop; // NULL: never stopped
    // Called at the beginning of each layer and regularly within it: `done` of `count` positions. For a tree `stones`
    // is 0, and these are the replies to the first turn.
    void (*progress)(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count);
    void *context; // of progress
} CertificateOptions;

#define CERTIFICATE_MEMORY (UINT64_C(4) << 30)

// "first wins", "second does not lose".
const char *certificate_claim_text(CertificateClaim claim);

// Verifies a file. An error gives the byte and, if it concerns a position, the stones that lead there; the report then
// has the facts found before the error. `options` may be NULL.
Status certificate_verify(Span file, const CertificateOptions *options, CertificateReport *report, Error *error);

// The same, read from the beginning to the end in pieces. The memory for a tree does not depend on the file's size;
// other files may have up to CERTIFICATE_FILE_MAX bytes.
typedef struct {
    void *context;
    size_t (*read)(void *context, char *to, size_t want); // at least one byte, or 0 at the end
} CertificateInput;

enum { CERTIFICATE_FILE_MAX = 1 << 30 };

Status certificate_verify_stream(const CertificateInput *input, const CertificateOptions *options,
                                 CertificateReport *report, Error *error);

// The tree of a proof of version 3, which is verified.
Status certificate_read_tree(const CertificateInput *input, const CertificateOptions *options, TreeWords *words,
                             CertificateReport *report, Error *error);

// Stones that keep a claim, best first. The writer takes one whose position is needed anyway, or else one that leaves
// the opponent few replies; of equal ones, the first.
//
// If `pair_count` is not 0, the first stone is played, and then a pairing keeps the claim: disjoint pairs of empty
// cells such that every row of k cells that the opponent could still fill contains a pair. Only for claims not to lose,
// without gravity and with one stone per turn; it makes all positions below unnecessary.
typedef struct {
    unsigned count, pair_count;
    Cell cells[RULES_CELLS_MAX];
    Cell pairs[RULES_CELLS_MAX]; // two cells each, one pair after another
} CertificateAnswers;

// The source of answers. It is called for positions in which the side of the claim is to move, at most once each, never
// for one with a win by the next stone; many are symmetric images of reachable positions.
typedef struct {
    void *context;
    // Anything but STATUS_OK ends the writing; the error gives the reason.
    Status (*answer)(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                     Error *error);
} CertificateOracle;

// Whether a pairing is allowed as an answer in this position.
bool certificate_takes_pairing(const Board *board, CertificateClaim claim);

// The claims of a certificate and how to write it.
typedef struct {
    const Board *start;
    const CertificateClaim *claims;
    unsigned claim_count;
    const CertificateOracle *oracle;
    const CertificateOptions *options; // NULL: the defaults
    CertificateVersion version;        // 0: CERTIFICATE_STONES
} CertificateTask;

// Builds the whole file in memory; the caller writes it with file_write (base/file.h). If a stone of the oracle does
// not keep the claim, this or a later reply reveals it: STATUS_FAILED, and the error has the line of play. Claims of
// both sides make one file: that neither loses proves a draw.
Status certificate_write(const CertificateTask *task, Text *file, CertificateReport *report, Error *error);

// Writes a proof of version 3 that the owner wins. The tree is checked at the same time; if it is wrong the result is
// STATUS_FAILED, and the error has the line of play.
Status certificate_write_tree(const Board *start, Side owner, const TreeSource *from, const atomic_bool *stop,
                              Text *file, Error *error);
