// Joins proofs of the positions after each reply to a proof of the position before it.
#pragma once

#include "game/game.h"
#include "solver/proof/certificate.h"
#include "view/progress.h"

typedef struct {
    Side owner;
    const char *folder; // its files *.proof are the parts
    const char *proof;  // the file to write
    const atomic_bool *stop;
    Reporter *reporter;
} ProveJoinOptions;

// The opponent places the next stone of `game`, or the owner does, after whose stone there is a part for each reply. A
// part is needed for one of the replies that symmetries of the position map to each other: the one with the lowest
// cell. Verifies everything.
Status prove_join(const Game *game, const ProveJoinOptions *options, CertificateReport *report, Error *error);
