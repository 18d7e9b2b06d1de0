// Draws a curve for a terminal with the dots of braille letters.
#include "view/text_curve.h"

#include <assert.h>
#include <math.h>

// Bits of the dots in the code of a braille letter (U+2800 and on), the uppermost row first.
static const uint8_t dots[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// The row of dots of a value, counted from above.
static unsigned dot_row(const TextCurve *curve, double value)
{
    unsigned last = 4 * curve->rows - 1;
    double share = fmin(fmax(value / curve->max, 0), 1);
    return last - (unsigned)lround(share * last);
}

static void add_letter(uint8_t bits, Text *text)
{
    const char letter[] = {'\xe2', (char)(0xa0 | bits >> 6), (char)(0x80 | (bits & 0x3f))};
    text_add_span(text, (Span){letter, sizeof letter});
}

void text_curve_row(const TextCurve *curve, unsigned row, Text *text)
{
    assert(curve->total > 0 && curve->max > 0 && row < curve->rows);
    unsigned width = 2 * curve->columns, before = 0;
    uint8_t bits = 0;
    for (unsigned x = 0; x < width; x++) {
        // The last value at or before this column of dots.
        uint64_t reached = ((uint64_t)(x + 1) * curve->total + width - 1) / width;
        bool is_there = reached <= curve->count;
        unsigned now = is_there ? dot_row(curve, curve->value(curve->context, (unsigned)reached - 1)) : 0;
        // Fills steep parts, so that the curve stays connected.
        unsigned from = x == 0 ? now : before, upper = now < from ? now : from, lower = now < from ? from : now;
        for (unsigned y = 0; y < 4 && is_there; y++)
            if (4 * row + y == now || (4 * row + y > upper && 4 * row + y < lower))
                bits |= dots[y][x % 2];
        before = now;
        if (x % 2 == 1) {
            add_letter(bits, text);
            bits = 0;
        }
    }
}
