// Answers out of an exact solver, for certificates (solver/proof/certificate.h): stones that keep what is claimed.
#pragma once

#include "solver/exact.h"
#include "solver/proof/certificate.h"

typedef struct {
    Exact *exact;
    const atomic_bool *stop; // NULL: it is not stopped
    uint64_t asked, nodes;   // positions asked about, and what that took
    ExactCells cells;
} Strategy;

// The oracle of a strategy, which must live as long as it is asked.
CertificateOracle strategy_oracle(Strategy *strategy);

// The claims that make up a value for the side to move, which must be known: one side wins, or neither loses. Returns
// how many.
unsigned strategy_claims(const Board *board, const ExactResult *value, CertificateClaim claims[CERTIFICATE_CLAIMS_MAX]);
