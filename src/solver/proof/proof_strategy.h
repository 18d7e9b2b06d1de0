// Answers of an exact solver for certificates (solver/proof/certificate.h): stones that keep the claim.
#pragma once

#include "solver/exact.h"
#include "solver/proof/certificate.h"

typedef struct {
    Exact *exact;
    const atomic_bool *stop; // NULL: never stopped
    uint64_t asked, nodes;   // positions asked about, and nodes used
    ExactCells cells;
} Strategy;

// The oracle of a strategy, which must outlive it.
CertificateOracle strategy_oracle(Strategy *strategy);

// The claims that prove a known value for the side to move: one side wins, or neither loses. Returns their number.
unsigned strategy_claims(const Board *board, const ExactResult *value, CertificateClaim claims[CERTIFICATE_CLAIMS_MAX]);
