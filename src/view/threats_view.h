// The threats of one side and their JSON.
#pragma once

#include "threats/threats.h"
#include "view/json_view.h"

typedef struct {
    const Board *board;
    Side side;
    unsigned sliding, marked, window_count;
    Window *windows; // owned
    ThreatAnswers answers;
    ExactThreats in_play;
} ThreatsView;

void threats_view_find(ThreatsView *threats, const Board *board, Side side);
json_t *threats_view_json(const ThreatsView *threats);
void threats_view_close(ThreatsView *threats); // safe on a zeroed one
