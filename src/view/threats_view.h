// The threats of one side and their JSON.
#pragma once

#include "threats/row_threats.h"
#include "threats/threats.h"
#include "view/json_view.h"

typedef struct {
    const Board *board;
    Side side;
    unsigned sliding, marked, window_count;
    Window *windows; // owned
    ThreatAnswers answers;
    ExactThreats in_play;
    RowThreats rows; // threes and fours; none if the rules have more than one stone per turn
} ThreatsView;

void threats_view_find(ThreatsView *threats, const Board *board, Side side);
json_t *threats_view_json(const ThreatsView *threats);

// Adds the name of a row, such as "open three" or "closed split four".
void threats_view_row_name(const Rules *rules, const RowThreat *row, Text *text);

// Adds a sentence on what the cells of a row do.
void threats_view_row_words(const Board *board, const RowThreat *row, Text *text);

void threats_view_close(ThreatsView *threats); // safe on a zeroed one
