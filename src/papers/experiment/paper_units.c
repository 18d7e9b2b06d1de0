// The units of figures: their meaning for legends, whether they are shares, and their values as text.
#include "papers/experiment/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *unit, *meaning;
    bool is_share;
} UnitMeaning;

static const UnitMeaning meanings[] = {
    {"wins", "share of games won by the first-named agent", true},
    {"draws", "share of games drawn", true},
    {"losses", "share of games lost by the first-named agent", true},
    {"score", "share of points: a win counts 1, a draw 1/2", true},
    {"as_first", "score in the games that the first-named agent began", true},
    {"as_second", "score in the games that the other agent began", true},
    {"recent", "score of the last 100 games", true},
    {"share", "share of all cases", true},
    {"turns", "mean length of a game in turns of both sides, including the opening", false},
    {"nodes", "mean number of positions visited per search or turn", false},
    {"ms", "mean time per search or turn in milliseconds", false},
    {"slowest", "longest turn in milliseconds", false},
    {"beyond", "mean number of stones by which a proven win exceeds the search depth", false},
    {"furthest", "largest number of stones by which a proven win exceeds the search depth", false},
    {"patterns", "patterns known at the end", false},
    {"versions", "patterns known at the end, with their rotations and reflections", false},
    {"refuted", "learned patterns that the proof refuted", false},
    {"undecided", "learned patterns that the proof could not decide", false},
    {"researches", "failed defensive turns that were searched again, per game", false},
    {"alternatives", "turns tried instead of failed ones, per game", false},
    {"elo", "rating above the last agent of the table, in Elo", false},
    {"detected/turns", "share of turns decided without a search", true},
    {"detected/turns@first", "the same in the games that the first-named agent began", true},
    {"detected/turns@second", "the same in the games that the other agent began", true},
    {"threes/turns", "share of turns decided by threes alone, without a search", true},
    {"blocks/turns", "share of turns that block a three, without a search", true},
    {"kept/turns", "share of turns that keep the value of the position (won, drawn or lost)", true},
    {"kept_score/turns", "share of turns that keep the value and win as soon, or lose as late, as possible", true},
    {"critical/turns", "share of turns in which some legal stone would change the value", true},
    {"kept/critical", "share of critical turns that keep the value", true},
    {"reused/playouts", "share of random games whose results came from the cache", true},
};

static const UnitMeaning *find(const char *unit)
{
    for (unsigned i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (strcmp(unit, meanings[i].unit) == 0)
            return &meanings[i];
    return NULL;
}

bool paper_begins_unit(const PaperFigures *figures, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (strcmp(figures->list[i].unit, figures->list[number].unit) == 0)
            return false;
    return true;
}

const char *paper_unit_meaning(const char *unit)
{
    const UnitMeaning *found = find(unit);
    if (found != NULL)
        return found->meaning;
    return strchr(unit, '/') != NULL ? "ratio of two counts of the first-named agent over all games"
                                     : "count of the first-named agent, mean per game";
}

void paper_add_legend(const PaperFigures *figures, const PaperLegendStyle *style, Text *text)
{
    for (unsigned i = 0; i < figures->count; i++) {
        const char *unit = figures->list[i].unit;
        if (paper_begins_unit(figures, i))
            text_add(text, "%s%s%s%s%s", style->before, unit, style->between, paper_unit_meaning(unit), style->after);
    }
}

bool paper_is_share(const char *unit)
{
    const UnitMeaning *found = find(unit);
    return strchr(unit, '/') != NULL || (found != NULL && found->is_share);
}

const char *paper_value_text(const char *unit, double value, char text[PAPER_VALUE_SIZE])
{
    if (!isfinite(value))
        (void)snprintf(text, PAPER_VALUE_SIZE, "-");
    else if (paper_is_share(unit))
        (void)snprintf(text, PAPER_VALUE_SIZE, "%.1f %%", 100 * value);
    else
        (void)snprintf(text, PAPER_VALUE_SIZE, fabs(value) < 1000 ? "%.4g" : "%.0f", value);
    return text;
}
