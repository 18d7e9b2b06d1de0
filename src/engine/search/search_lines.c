// The order of the lines of a search.
#include "engine/search/search.h"

// Whether two turns place the same stones, in any order.
static bool is_same_turn(const SearchTurn *a, const SearchTurn *b)
{
    unsigned same = 0;
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned j = 0; j < b->count; j++)
            same += a->stones[i] == b->stones[j];
    return a->count == b->count && same == a->count;
}

// Whether one of the first lines has this turn.
static bool has_turn(const SearchInfo *report, unsigned count, const SearchTurn *turn)
{
    for (unsigned i = 0; i < count; i++)
        if (is_same_turn(&report->lines[i].turn, turn))
            return true;
    return false;
}

// Whether a line comes before another one. Lines of an unfinished depth come first: they are the best turns there,
// whatever the scores of other lines at lower depths.
static bool is_before(const SearchLine *a, const SearchLine *b)
{
    bool is_won = a->score >= SEARCH_PROVEN || b->score >= SEARCH_PROVEN;
    return is_won || a->depth == b->depth ? a->score > b->score : a->depth > b->depth;
}

void search_sort_lines(SearchInfo *report)
{
    unsigned count = 0;
    for (unsigned i = 0; i < report->line_count; i++) {
        SearchLine line = report->lines[i];
        if (line.depth == 0 ||
            has_turn(report, count, &line.turn)) // depth 0: an arbitrary turn of a search that did not begin
            continue;
        unsigned at = count++;
        for (; at > 0 && is_before(&line, &report->lines[at - 1]); at--)
            report->lines[at] = report->lines[at - 1];
        report->lines[at] = line;
    }
    report->line_count = count;
    for (unsigned i = 1; i < count; i++)
        if (report->lines[i].score > report->lines[i - 1].score)
            report->lines[i].score = report->lines[i - 1].score;
}
