// Functional signatures: numbers that change when the behaviour of krow changes, and for no other reason. They do not
// depend on the machine, the compiler or the time.
#pragma once

#include <stdint.h>

// The engine alone: turns, scores and nodes of games in several rule families that the search plays against itself
// with node budgets. tests/match/test_signature.c has the recorded value.
uint64_t signature_engine(void);

// Everything: rules, boards, all agents, and the engine.
uint64_t signature_build(void);
