// Proofs in files of puzzles: compressed by zlib, and written in base64 (RFC 4648).
#pragma once

#include "base/status.h"
#include "base/text.h"

// The largest proof that is unpacked, and the longest line of base64.
enum { PUZZLE_PROOF_MAX = 1 << 20, PUZZLE_PACKED_LINE = 112 };

// Adds lines that begin with `word`.
void puzzle_pack(const char *word, Span bytes, Text *text);

// The bytes of the base64 text of all lines together.
Status puzzle_unpack(Span packed, Text *bytes, Error *error);
