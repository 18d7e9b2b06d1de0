// A small curve for a terminal, drawn with the dots of braille letters: two columns and four rows of dots each.
#pragma once

#include "base/text.h"

typedef struct {
    unsigned columns, rows; // in letters
    unsigned total;         // values across the whole width
    double max;             // value of the upper edge, above 0; the lower edge is 0
    double (*value)(const void *context, unsigned i);
    const void *context;
    unsigned count; // values so far
} TextCurve;

// One row of letters, the uppermost being 0, without a line end.
void text_curve_row(const TextCurve *curve, unsigned row, Text *text);
