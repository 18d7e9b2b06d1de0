// The positions on which the experiments of Kulev and Wu (section 5) are run again, as texts of stones on 13x13:k=5.
//
// Theirs are lost; these were made as they tell, by `krow openings` with the seeds in connect5_positions.c: a searcher
// of depth 1 plays itself with heavy randomization, random positions are taken from its games, and those with an
// immediate or short forced win are dropped. What the paper leaves open: 19 stones in 20 are drawn by lot, and a win
// is short that alpha-beta to depth 3 sees. They are kept and not made anew, so that figures stay comparable when a
// search changes.
#pragma once

#define CONNECT5_GAME "13x13:k=5"

enum { CONNECT5_TESTS = 100, CONNECT5_STARTS = 50 };

extern const char *const connect5_tests[CONNECT5_TESTS];   // for speed and nodes
extern const char *const connect5_starts[CONNECT5_STARTS]; // for tournaments: at most 20 stones
