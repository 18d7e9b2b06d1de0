// Prints an analysis, and its progress during the search.
#pragma once

#include "analysis/analyze_parts.h"

void analyze_print(const Analysis *analysis, bool quiet);

enum { ANALYZE_SCORE_SIZE = 48 };

// "win in 7", "+0.42, 60 %", or a number in the agent's unit, from the side of --view.
const char *analyze_score_text(const Analysis *analysis, const LineView *line, char text[ANALYZE_SCORE_SIZE]);

// Progress of a search.
typedef struct {
    bool streams, quiet;
    const Analysis *analysis;
    bool is_terminal;
    unsigned rows, columns; // of the terminal
    unsigned painted;       // rows of progress on it
    unsigned reported;      // depth of the last line in a log
    double shown;           // clock_seconds
} Live;

AnalyzeWatch live_watch(Live *live);
