// Shared by the parts of trap_engine.c: its state, its input and board, and what it does wrong at every move.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TRAP_SIDE_MAX = 64, TRAP_LINE_SIZE = 65536 };

typedef struct {
    const char *trap;
    int width, height, per_turn, left; // stones of a turn, and those left in the current one
    bool gravity, in_list, is_swap2;
    bool taken[TRAP_SIDE_MAX][TRAP_SIDE_MAX]; // by column and row from the top
    int placed, moves;
    double limit; // of a turn, seconds
    char input[TRAP_LINE_SIZE];
    size_t length;
} TrapEngine;

bool is_trap(const TrapEngine *my, const char *trap);
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void rest(double seconds);
_Noreturn void hang(void);

// The next line without its line end; false at the end of the input.
bool next_line(TrapEngine *my, char line[TRAP_LINE_SIZE]);

void clear_board(TrapEngine *my, int left);
void find_free(const TrapEngine *my, int *x, int *y);
bool place(TrapEngine *my, int x, int y); // false: not a free cell
bool is_long_search(const TrapEngine *my);
void misbehave(TrapEngine *my);       // before a move
void misbehave_after(TrapEngine *my); // after it

void hear_gomocup(TrapEngine *my, const char *line);
void hear_ugi(TrapEngine *my, const char *line);
