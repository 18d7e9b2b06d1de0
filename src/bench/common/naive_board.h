// The rules written down a second time, as plainly as possible: an array of cells, every question answered by looking
// at the whole board. Tests compare the fast board with it, and benchmarks measure how much faster that one is. It
// shares nothing with game/board.h but the Rules themselves, and must stay that way.
#pragma once

#include "game/rules.h"

typedef struct {
    Rules rules;
    char cell[RULES_SIDE_MAX][RULES_SIDE_MAX];         // [column][row]: '.', 'X' or 'O'
    int stones;                                        // played so far
    int column[RULES_CELLS_MAX], row[RULES_CELLS_MAX]; // where, in order
} NaiveBoard;

void naive_init(NaiveBoard *board, const Rules *rules);

bool naive_is_legal(const NaiveBoard *board, int column, int row);
void naive_play(NaiveBoard *board, int column, int row);
void naive_undo(NaiveBoard *board);

// 'X' or 'O': who places stone number n of a game, counted from 0; found by dealing the stones out turn by turn.
char naive_side(const Rules *rules, int n);

// Stones left in the turn in which stone number n falls, itself included.
int naive_left(const Rules *rules, int n);

// 'X' or 'O' when that side has a winning row, '.' otherwise; found by looking at every cell in every direction.
char naive_winner(const NaiveBoard *board);
bool naive_is_over(const NaiveBoard *board);

// Sequences of exactly `depth` stones from here.
uint64_t naive_perft(NaiveBoard *board, int depth);
