// An oracle for certificates of small games: the value by the rules alone; each position is searched once.
#pragma once

#include "solver/proof/certificate.h"

typedef struct {
    uint64_t *keys;    // of positions that have been looked at; 0: none
    int8_t *values;    // -1, 0, 1 for the side to move
    size_t size;       // a power of two
    unsigned asked;    // how often the oracle was
    unsigned fails_at; // that question it cannot answer; 0: it can answer all
} ValueOracle;

void value_oracle_open(ValueOracle *oracle, unsigned size_log);
void value_oracle_close(ValueOracle *oracle);

// 1, 0 or -1 for the side to move. The board is the same afterwards.
int value_oracle_value(ValueOracle *oracle, Board *board);

// CertificateOracle.answer, with a ValueOracle as its context: all stones that keep the claim, and where none does, all
// that are legal.
Status value_oracle_answer(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                           Error *error);
