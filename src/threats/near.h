// What is near: cells within some steps of a stone, steps in eight directions.
#pragma once

#include "game/board.h"

// The columns of a row that have a stone within `reach` steps, those of the stones included.
uint64_t near_stones_row(const Board *board, unsigned row, unsigned reach);
