// The positions on which the experiments of Kulev and Wu (section 5) are run again, as texts of stones on 13x13:k=5.
//
// Theirs are lost; these were made as they tell, by `krow openings` with the seeds in connect5_positions.c: a searcher
// of depth 1 plays itself with heavy randomization, random positions are taken from its games, and those with an
// immediate or short forced win are dropped. What the paper leaves open: a coin decides for every stone whether it is
// chosen at random, one position is taken from each game, and a win or a loss is short that alpha-beta to depth 3 sees,
// with the paper's own search for forcing sequences (150 of them) at every node. They are kept and not made again, so
// that figures stay comparable when a search changes.
#pragma once

#define CONNECT5_GAME "13x13:k=5"

enum { CONNECT5_TESTS = 100, CONNECT5_STARTS = 50 };

extern const char *const connect5_tests[CONNECT5_TESTS];   // for speed and nodes
extern const char *const connect5_starts[CONNECT5_STARTS]; // for tournaments: at most 20 stones
