#include "frontends/threats_view.h"

#include "rules/notation.h"

#include <stdlib.h>

Status threats_view_find(ThreatsView *threats, const Board *board, Side side, Error *error)
{
    *threats = (ThreatsView){.board = board, .side = side};
    threats->windows = malloc(WINDOWS_MAX * sizeof threats->windows[0]);
    if (threats->windows == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for windows");
    threats->window_count = threats_windows(board, side, threats->windows);
    threats->sliding = threats_sliding(board, side);
    threats->marked = threats_marked(board, side);
    threats->in_play = threats_in_play(board, side);
    return threats_answers(board, side, &threats->answers, error);
}

void threats_view_close(ThreatsView *threats)
{
    free(threats->windows);
    threats_answers_close(&threats->answers);
    *threats = (ThreatsView){0};
}

// --- JSON ---

json_t *threats_view_json(const ThreatsView *threats)
{
    const ThreatAnswers *answers = &threats->answers;
    json_t *windows = json_array(), *sets = json_array();
    for (unsigned i = 0; i < threats->window_count; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        unsigned count = window_cells(threats->board, window.line, window_bits(threats->board, window), cells);
        (void)json_array_append_new(windows, output_cells(cells, count));
    }
    for (unsigned i = 0; i < answers->count; i++)
        (void)json_array_append_new(sets, output_cells(answers->cells + (size_t)i * answers->size, answers->size));
    return json_pack("{s:i, s:i, s:i, s:b, s:i, s:b, s:o, s:o, s:b}", "sliding", (int)threats->sliding, "marked",
                     (int)threats->marked, "exact", (int)answers->exact.count, "uncertain", answers->exact.is_uncertain,
                     "in_play", (int)threats->in_play.count, "in_play_uncertain", threats->in_play.is_uncertain,
                     "windows", windows, "answers", sets, "truncated", answers->is_truncated);
}

// --- For people ---

static void print_cells(const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)printf(" %s", name);
    }
    (void)printf("\n");
}

static const char *count_words(const Board *board, ExactThreats exact, char words[64])
{
    if (exact.count > board->rules.p)
        (void)snprintf(words, 64, "more than %u", (unsigned)board->rules.p);
    else
        (void)snprintf(words, 64, "%s%u", exact.is_uncertain ? "at least " : "", exact.count);
    return words;
}

static void print_answers(const ThreatsView *threats, unsigned most)
{
    const ThreatAnswers *answers = &threats->answers;
    const char *other = side_name(side_other(threats->side));
    char words[64];
    if (answers->exact.count > threats->board->rules.p)
        (void)printf("  no turn of %s stops them all\n", other);
    else if (answers->count > 0)
        (void)printf("  %s stops them all with%s\n", other, answers->count > 1 ? " one of" : "");
    for (unsigned i = 0; i < answers->count && i < most; i++) {
        (void)printf("   ");
        print_cells(answers->cells + (size_t)i * answers->size, answers->size);
    }
    if (answers->is_truncated || answers->count > most)
        (void)printf("    and more\n");
    if (threats->board->rules.gravity &&
        (threats->in_play.count != answers->exact.count || threats->in_play.is_uncertain))
        (void)printf("  as stones fall it takes %s: cells below must be filled, and a stone may open the cell above\n",
                     count_words(threats->board, threats->in_play, words));
}

void threats_view_print(const ThreatsView *threats, unsigned most)
{
    char words[64];
    (void)printf("%s (%c): sliding %u, marked %u, exact %s\n", side_name(threats->side), side_letter(threats->side),
                 threats->sliding, threats->marked, count_words(threats->board, threats->answers.exact, words));
    if (threats->window_count > 0)
        (void)printf("  windows it could complete in a turn\n");
    for (unsigned i = 0; i < threats->window_count && i < most; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        (void)printf("   ");
        print_cells(cells, window_cells(threats->board, window.line, window_bits(threats->board, window), cells));
    }
    if (threats->window_count > most)
        (void)printf("    and %u more\n", threats->window_count - most);
    if (threats->window_count > 0)
        print_answers(threats, most);
}
