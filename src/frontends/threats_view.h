// The threats of one side as `krow threats` tells them, in words and as JSON.
#pragma once

#include "analysis/threats.h"
#include "frontends/output.h"

typedef struct {
    const Board *board;
    Side side;
    unsigned sliding, marked, window_count;
    Window *windows; // owned
    ThreatAnswers answers;
    ExactThreats in_play;
} ThreatsView;

Status threats_view_find(ThreatsView *threats, const Board *board, Side side, Error *error);
json_t *threats_view_json(const ThreatsView *threats);
void threats_view_print(const ThreatsView *threats, unsigned most); // of windows and of answers
void threats_view_close(ThreatsView *threats);                      // safe on a zeroed one
