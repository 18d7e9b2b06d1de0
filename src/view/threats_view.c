// The threats of one side, and their JSON.
#include "view/threats_view.h"

#include "base/memory.h"
#include "game/notation.h"

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
    row_threats_find(board, side, &threats->rows);
}

void threats_view_close(ThreatsView *threats)
{
    free(threats->windows);
    threats_answers_close(&threats->answers);
    row_threats_close(&threats->rows);
    *threats = (ThreatsView){0};
}

// --- Threes and fours ---

void threats_view_row_name(const Rules *rules, const RowThreat *row, Text *text)
{
    text_add(text, "%s %s%s",
             row->is_open      ? "open"
             : row->is_waiting ? "waiting"
                               : "closed",
             row->is_split ? "split " : "", view_number_word(rules->k - row->lacks).text);
}

// "c3 or h8"
static void add_choice(const Board *board, const RowThreat *row, uint64_t bits, Text *text)
{
    Cell cells[RULES_SIDE_MAX];
    unsigned count = window_cells(board, row->line, bits, cells);
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        text_add(text, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", name);
    }
}

void threats_view_row_words(const Board *board, const RowThreat *row, Text *text)
{
    NumberWord next = view_number_word(board->rules.k - 1u);
    add_choice(board, row, row->next, text);
    if (row->lacks == 1) {
        text_add(text, "%s",
                 row->is_open      ? " completes the row, and no stone stops both."
                 : row->is_waiting ? " completes the row once the cells below are filled."
                                   : " completes the row.");
        return;
    }
    text_add(text, " makes %s %s", row->is_open ? "an open" : "a closed", next.text);
    if (row->stops != 0) {
        text_add(text, "; ");
        add_choice(board, row, row->stops, text);
        text_add(text, " stops it");
    }
    text_add(text, ".");
}

static json_t *row_cells(const Board *board, const RowThreat *row, uint64_t bits)
{
    Cell cells[RULES_SIDE_MAX];
    return view_cells(cells, window_cells(board, row->line, bits, cells));
}

static json_t *row_json(const Board *board, const RowThreat *row)
{
    Text name = {0}, words = {0};
    threats_view_row_name(&board->rules, row, &name);
    threats_view_row_words(board, row, &words);
    json_t *object =
        json_pack("{s:s, s:i, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:s}", "name", name.data, "lacks", (int)row->lacks,
                  "open", row->is_open, "split", row->is_split, "waiting", row->is_waiting, "stones",
                  row_cells(board, row, row->stones), "empty", row_cells(board, row, row->empty), "next",
                  row_cells(board, row, row->next), "stops", row_cells(board, row, row->stops), "words", words.data);
    text_close(&name);
    text_close(&words);
    return object;
}

static json_t *rows_json(const ThreatsView *threats)
{
    if (!row_threats_suit(&threats->board->rules))
        return json_null();
    json_t *list = json_array();
    for (unsigned i = 0; i < threats->rows.count; i++)
        (void)json_array_append_new(list, row_json(threats->board, &threats->rows.row[i]));
    return list;
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
    return json_pack("{s:i, s:i, s:i, s:b, s:i, s:b, s:o, s:o, s:b, s:o}", "sliding", (int)threats->sliding, "marked",
                     (int)threats->marked, "exact", (int)answers->exact.count, "uncertain", answers->exact.is_uncertain,
                     "in_play", (int)threats->in_play.count, "in_play_uncertain", threats->in_play.is_uncertain,
                     "windows", windows, "answers", sets, "truncated", answers->is_truncated, "rows",
                     rows_json(threats));
}
