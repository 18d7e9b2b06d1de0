// Functional signatures: numbers that change only when the behaviour of krow changes, independent of the machine, the
// compiler and the time.
#pragma once

#include <stdint.h>

// The engine: turns, scores and nodes of self-play games in several rule families with node budgets.
// tests/match/test_signature.c has the expected value.
uint64_t signature_engine(void);

// The whole build: rules, boards, all agents, and the engine.
uint64_t signature_build(void);
