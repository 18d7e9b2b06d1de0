// A small curve for a terminal, drawn with the dots of braille letters: two columns and four rows of dots each.
#pragma once

#include "base/text.h"

typedef struct {
    unsigned columns, rows; // in letters
    unsigned total;         // values that the whole width stands for
    double max;             // what the upper edge stands for, above 0; the lower edge is 0
    double (*value)(const void *context, unsigned i);
    const void *context;
    unsigned count; // values there are so far
} TextCurve;

// One row of letters, the uppermost being 0, without a line end.
void text_curve_row(const TextCurve *curve, unsigned row, Text *text);
