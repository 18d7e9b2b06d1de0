// A second implementation of the rules, as plain as possible: an array of cells, every question answered from the whole
// board. Tests compare the fast board with it, and benchmarks measure the ratio. It must share nothing with
// game/board.h but the Rules.
#pragma once

#include "game/rules.h"

typedef struct {
    Rules rules;
    char cell[RULES_SIDE_MAX][RULES_SIDE_MAX];         // [column][row]: '.', 'X' or 'O'
    int stones;                                        // played so far
    int column[RULES_CELLS_MAX], row[RULES_CELLS_MAX]; // their cells, in order
} NaiveBoard;

void naive_init(NaiveBoard *board, const Rules *rules);

bool naive_is_legal(const NaiveBoard *board, int column, int row);
void naive_play(NaiveBoard *board, int column, int row);
void naive_undo(NaiveBoard *board);

// 'X' or 'O': the side that places stone n of a game, counted from 0; found by dealing out all turns.
char naive_side(const Rules *rules, int n);

// The stones left in the turn of stone n, including it.
int naive_left(const Rules *rules, int n);

// 'X' or 'O' if that side has a winning row, '.' otherwise; checks every cell in every direction.
char naive_winner(const NaiveBoard *board);
bool naive_is_over(const NaiveBoard *board);

// Sequences of exactly `depth` stones from here.
uint64_t naive_perft(NaiveBoard *board, int depth);
