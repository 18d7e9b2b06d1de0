// Prints the threats of one side.
#include "cli/output/threats_text.h"

#include "cli/output/output.h"

#include <stdio.h>

static void print_cells(const Cell *cells, unsigned count)
{
    (void)printf("    ");
    output_print_cells(cells, count, stdout);
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
    if (answers->size > threats->board->rules.p)
        (void)printf("  no turn of %s stops them all\n", other);
    else if (answers->count > 0)
        (void)printf("  %s stops them all with%s\n", other, answers->count > 1 ? " one of" : "");
    for (unsigned i = 0; i < answers->count && i < most; i++)
        print_cells(answers->cells + (size_t)i * answers->size, answers->size);
    if (answers->is_truncated || answers->count > most)
        (void)printf("    and more\n");
    if (threats->board->rules.gravity &&
        (threats->in_play.count != answers->exact.count || threats->in_play.is_uncertain))
        (void)printf("  as stones fall it takes %s: cells below must be filled, and a stone may open the cell above\n",
                     count_words(threats->board, threats->in_play, words));
}

// Threes and fours.
static void print_rows(const ThreatsView *threats, unsigned most)
{
    const Board *board = threats->board;
    for (unsigned i = 0; i < threats->rows.count && i < most; i++) {
        const RowThreat *row = &threats->rows.row[i];
        Cell cells[RULES_SIDE_MAX];
        Text name = {0}, words = {0};
        threats_view_row_name(&board->rules, row, &name);
        threats_view_row_words(board, row, &words);
        (void)printf("  %s ", name.data);
        output_print_cells(cells, window_cells(board, row->line, row->stones, cells), stdout);
        (void)printf(": %s\n", words.data);
        text_close(&name);
        text_close(&words);
    }
    if (threats->rows.count > most)
        (void)printf("  and %u more\n", threats->rows.count - most);
}

void threats_print(const ThreatsView *threats, unsigned most)
{
    char words[64];
    (void)printf("%s (%c): sliding %u, marked %u, exact %s\n", side_name(threats->side), side_letter(threats->side),
                 threats->sliding, threats->marked, count_words(threats->board, threats->answers.exact, words));
    print_rows(threats, most);
    if (threats->window_count > 0)
        (void)printf("  windows it could complete in a turn\n");
    for (unsigned i = 0; i < threats->window_count && i < most; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        print_cells(cells, window_cells(threats->board, window.line, window_bits(threats->board, window), cells));
    }
    if (threats->window_count > most)
        (void)printf("    and %u more\n", threats->window_count - most);
    if (threats->window_count > 0)
        print_answers(threats, most);
}
