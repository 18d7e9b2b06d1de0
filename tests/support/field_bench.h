// A field with its tables, for the tests of it.
#pragma once

#include "analysis/field.h"

typedef struct {
    FieldTables *tables;
    Field field;
} FieldBench;

void field_bench_open(FieldBench *bench, const Rules *rules);
void field_bench_close(FieldBench *bench);

// Turns a board over to a side, with so many stones to place.
void give_turn(Board *board, Side side, unsigned left);
