// Cross tables: tables whose rows are all pairs of several players.
#include "papers/experiment/paper.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = " against ";

static unsigned add_player(PaperCross *cross, Span name)
{
    unsigned i = 0;
    while (i < cross->count && !span_is(name, cross->players[i]))
        i++;
    if (i == cross->count && i < PAPER_AGENTS_MAX)
        cross->players[cross->count++] = memory_copy(name.at, name.length);
    return i;
}

// The players of a row "A against B", added if necessary; false for other rows.
static bool find_players(PaperCross *cross, const char *label, unsigned pair[2])
{
    const char *at = strstr(label, between);
    if (at == NULL)
        return false;
    pair[0] = add_player(cross, (Span){label, (size_t)(at - label)});
    pair[1] = add_player(cross, span_of(at + strlen(between)));
    return pair[0] != pair[1] && pair[0] < PAPER_AGENTS_MAX && pair[1] < PAPER_AGENTS_MAX;
}

static void set_cell(PaperCrossCell *cell, const char *unit, double value, bool is_turned)
{
    if (strcmp(unit, "score") == 0)
        cell->score = is_turned ? 1 - value : value;
    else if (strcmp(unit, "draws") == 0)
        cell->draws = value;
    else if (strcmp(unit, is_turned ? "losses" : "wins") == 0)
        cell->wins = value;
    else if (strcmp(unit, is_turned ? "wins" : "losses") == 0)
        cell->losses = value;
}

static void set_games(PaperCrossCell *cell, Tally games, bool is_turned)
{
    double all = tally_games(games);
    if (all == 0)
        return;
    *cell = (PaperCrossCell){.score = is_turned ? 1 - tally_score(games) : tally_score(games),
                             .wins = (is_turned ? games.losses : games.wins) / all,
                             .losses = (is_turned ? games.wins : games.losses) / all,
                             .draws = games.draws / all};
}

static void add_row(PaperCross *cross, const PaperFigure *figure)
{
    unsigned pair[2];
    if (!find_players(cross, figure->label, pair))
        return;
    for (unsigned turned = 0; turned < 2; turned++) {
        unsigned at = pair[turned] * PAPER_AGENTS_MAX + pair[1 - turned];
        cross->is_paired[at] = true;
        set_cell(&cross->published[at], figure->unit, figure->published, turned == 1);
        if (figure->has_games)
            set_games(&cross->measured[at], figure->games, turned == 1);
    }
}

// Whether every player meets every other one.
static bool is_complete(const PaperCross *cross)
{
    for (unsigned i = 0; i < cross->count; i++)
        for (unsigned j = 0; j < cross->count; j++)
            if (i != j && !cross->is_paired[i * PAPER_AGENTS_MAX + j])
                return false;
    return cross->count >= 3;
}

bool paper_cross(const PaperFigures *figures, PaperCross *cross)
{
    static const PaperCrossCell unknown = {NAN, NAN, NAN, NAN};
    *cross = (PaperCross){0};
    for (unsigned i = 0; i < PAPER_AGENTS_MAX * PAPER_AGENTS_MAX; i++)
        cross->published[i] = cross->measured[i] = unknown;
    for (unsigned i = 0; i < figures->count; i++)
        add_row(cross, &figures->list[i]);
    for (unsigned i = 0; i < cross->count * PAPER_AGENTS_MAX; i++)
        cross->has_published = cross->has_published || paper_cross_is_known(&cross->published[i]);
    if (is_complete(cross))
        return true;
    paper_close_cross(cross);
    return false;
}

void paper_close_cross(PaperCross *cross)
{
    for (unsigned i = 0; i < cross->count; i++)
        free(cross->players[i]);
    cross->count = 0;
}

bool paper_cross_is_known(const PaperCrossCell *cell)
{
    return !isnan(cell->wins) || !isnan(cell->score);
}

const char *paper_cross_text(const PaperCrossCell *cell, char text[PAPER_CROSS_SIZE])
{
    if (!isnan(cell->wins))
        (void)snprintf(text, PAPER_CROSS_SIZE, "%.0f-%.0f-%.0f", 100 * cell->wins, 100 * cell->losses,
                       100 * cell->draws);
    else if (!isnan(cell->score))
        (void)snprintf(text, PAPER_CROSS_SIZE, "%.1f", 100 * cell->score);
    else
        (void)snprintf(text, PAPER_CROSS_SIZE, "-");
    return text;
}
