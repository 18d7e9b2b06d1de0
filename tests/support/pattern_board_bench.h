// A pattern board with its tables, for its tests.
#pragma once

#include "engine/eval/pattern_board.h"

typedef struct {
    PatternTables *tables;
    PatternBoard patterns;
} PatternBoardBench;

void pattern_board_bench_open(PatternBoardBench *bench, const Rules *rules);
void pattern_board_bench_close(PatternBoardBench *bench);

// Turns a board over to a side, with that many stones to place.
void give_turn(Board *board, Side side, unsigned left);
