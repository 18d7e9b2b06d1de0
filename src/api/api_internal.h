// Shared by the files of the public library: the opaque types, and conversions between public and internal types.
#pragma once

#include "agents/agent.h"
#include "game/game.h"

#include <krow/krow.h>

struct KrowGame {
    Game game;
};

// Fills the public error, which may be NULL, from an internal one, and returns its status.
KrowStatus api_error(KrowError *to, const Error *from);

// The same for a failure found in the library itself.
KrowStatus api_refuse(KrowError *error, KrowStatus status, const char *text);

// Converts and checks rules.
Status api_rules(const KrowRules *from, Rules *to, Error *error);
void api_rules_out(const Rules *from, KrowRules *to);

// KROW_BAD_INPUT if the game is over or has other rules than these.
KrowStatus api_check_game(const KrowGame *game, const Rules *rules, KrowError *error);

// Copies at most `capacity` cells and returns `count`.
size_t api_cells(const Cell *from, size_t count, KrowCell *cells, size_t capacity);

// The moment (clock_seconds) at which the time of these limits is over; 0 is no limit.
double api_deadline(const KrowLimits *limits);

// Hands a text over as snprintf does, and releases it.
size_t api_give_text(Text *from, char *text, size_t size);
