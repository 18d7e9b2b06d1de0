// What a build of krow plays, as a text: two builds with the same text play the same games with the same budgets.
#pragma once

#include "game/rules.h"

enum { BUILD_IDENTITY_SIZE = 96 };

// The signature of `krow bench`, which takes seconds to compute: it is kept in the state folder with a checksum of the
// program, and computed again when the program is another one.
uint64_t build_signature(void);

// Whether the build with this signature is the one that a job is for, by such a text.
Status build_check(uint64_t signature, const Rules *rules, const char *wanted, Error *error);

// Version, signature, and a checksum of the weights for games of these rules.
void build_identity(uint64_t signature, const Rules *rules, char text[BUILD_IDENTITY_SIZE]);
