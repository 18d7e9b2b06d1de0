// The identity of a build as text: two builds with the same text play the same games with the same budgets.
#pragma once

#include "game/rules.h"

enum { BUILD_IDENTITY_SIZE = 96 };

// The signature of `krow bench`. It takes seconds to compute, so it is stored in the state folder with a checksum of
// the program, and computed again for another program.
uint64_t build_signature(void);

// STATUS_FAILED if the job's identity `wanted` differs from that of the build with this signature.
Status build_check(uint64_t signature, const Rules *rules, const char *wanted, Error *error);

// Version, signature, and a checksum of the weights for games of these rules.
void build_identity(uint64_t signature, const Rules *rules, char text[BUILD_IDENTITY_SIZE]);
