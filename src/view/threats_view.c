// The threats of one side, and their JSON.
#include "view/threats_view.h"

#include "base/memory.h"

#include <stdlib.h>

void threats_view_find(ThreatsView *threats, const Board *board, Side side)
{
    *threats = (ThreatsView){.board = board, .side = side};
    threats->windows = memory_new(WINDOWS_MAX, sizeof threats->windows[0]);
    threats->window_count = threats_windows(board, side, threats->windows);
    threats->sliding = threats_sliding(board, side);
    threats->marked = threats_marked(board, side);
    threats->in_play = threats_in_play(board, side);
    threats_answers(board, side, &threats->answers);
}

void threats_view_close(ThreatsView *threats)
{
    free(threats->windows);
    threats_answers_close(&threats->answers);
    *threats = (ThreatsView){0};
}

json_t *threats_view_json(const ThreatsView *threats)
{
    const ThreatAnswers *answers = &threats->answers;
    json_t *windows = json_array(), *sets = json_array();
    for (unsigned i = 0; i < threats->window_count; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        unsigned count = window_cells(threats->board, window.line, window_bits(threats->board, window), cells);
        (void)json_array_append_new(windows, view_cells(cells, count));
    }
    for (unsigned i = 0; i < answers->count; i++)
        (void)json_array_append_new(sets, view_cells(answers->cells + (size_t)i * answers->size, answers->size));
    return json_pack("{s:i, s:i, s:i, s:b, s:i, s:b, s:o, s:o, s:b}", "sliding", (int)threats->sliding, "marked",
                     (int)threats->marked, "exact", (int)answers->exact.count, "uncertain", answers->exact.is_uncertain,
                     "in_play", (int)threats->in_play.count, "in_play_uncertain", threats->in_play.is_uncertain,
                     "windows", windows, "answers", sets, "truncated", answers->is_truncated);
}
