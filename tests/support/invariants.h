// Recomputes all properties of a board from the cells of a naive board and compares them. Used by random tests and by
// the fuzzer, so it needs no test library.
#pragma once

#include "bench/common/naive_board.h"
#include "game/board.h"

// STATUS_FAILED and the first difference in words, if there is one.
Status invariants_check(const Board *board, const NaiveBoard *naive, Error *error);

// The board as text, for messages about a difference.
void invariants_draw(const Board *board, const NaiveBoard *naive, Text *text);
