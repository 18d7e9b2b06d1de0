// Turns the effects of a turn into at most three sentences for players, the most important first.
#include "analysis/explain.h"

#include "analysis/effects.h"
#include "game/notation.h"
#include "threats/centre.h"
#include "threats/lines.h"
#include "view/json_view.h"

#include <stdlib.h>

enum { NAME_SIZE = 32 }; // of a side, with a suffix

typedef struct {
    const Board *board; // before the turn
    const Effects *effects;
    const Cell *stones;
    unsigned count;
    const char *own, *other; // what the sides are called
    const char *between;
    Text *text;
    unsigned said; // sentences
} Explanation;

// --- Words ---

// The name of that many stones of a row: a pair, a three.
static NumberWord row_noun(unsigned stones)
{
    return stones == 1 ? (NumberWord){"stone"} : stones == 2 ? (NumberWord){"pair"} : view_number_word(stones);
}

static unsigned stones_of(const EffectRow *row)
{
    return bits_count(row->stones);
}

// Begins a sentence; false after the maximum number.
static bool begin(Explanation *explanation)
{
    if (explanation->said == EXPLAIN_SENTENCES)
        return false;
    text_add(explanation->text, "%s", explanation->said > 0 ? explanation->between : "");
    explanation->said++;
    return true;
}

static void add_cell(Text *text, Cell cell)
{
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    text_add(text, "%s", name);
}

// The stones of a row: "a1 b1 c1"; of a long one only both ends.
static void add_stones(Explanation *explanation, const EffectRow *row)
{
    enum { ALL_NAMED = 8 };
    const Board *board = explanation->board;
    uint64_t bits = row->stones;
    if (bits_count(bits) > ALL_NAMED) {
        text_add(explanation->text, "from ");
        add_cell(explanation->text, lines_cell(board, row->line, bits_lowest(bits)));
        text_add(explanation->text, " to ");
        add_cell(explanation->text, lines_cell(board, row->line, 63 - bits_leading_zeros(bits)));
        return;
    }
    for (; bits != 0; bits &= bits - 1) {
        text_add(explanation->text, "%s", bits != row->stones ? " " : "");
        add_cell(explanation->text, lines_cell(board, row->line, bits_lowest(bits)));
    }
}

// The separator of the items of a list: "a, b and c".
static const char *list_gap(unsigned i, unsigned count)
{
    return i == 0 ? "" : i + 1 < count ? ", " : " and ";
}

// The first two rows, each after a word such as "O's three", and how many more there are.
static void add_rows(Explanation *explanation, const EffectRows *rows, const char *possessive)
{
    unsigned named = rows->count < 2 ? rows->count : 2, more = rows->count - named;
    unsigned items = named + (more > 0);
    for (unsigned i = 0; i < named; i++) {
        text_add(explanation->text, "%s%s%s ", list_gap(i, items), possessive, row_noun(stones_of(&rows->row[i])).text);
        add_stones(explanation, &rows->row[i]);
    }
    if (rows->is_cut)
        text_add(explanation->text, " and more");
    else if (more > 0)
        text_add(explanation->text, " and %s more", view_number_word(more).text);
}

static void add_cells(Explanation *explanation, const EffectCells *cells, const char *last_gap)
{
    enum { ALL_NAMED = 6 };
    unsigned named = cells->count < ALL_NAMED ? cells->count : ALL_NAMED;
    for (unsigned i = 0; i < named; i++) {
        bool is_last = i + 1 == cells->count;
        text_add(explanation->text, "%s", i == 0 ? "" : is_last ? last_gap : ", ");
        add_cell(explanation->text, cells->cell[i]);
    }
    text_add(explanation->text, "%s", cells->count > named ? " and more" : "");
}

static EffectCells empty_cells(const Explanation *explanation, const EffectRows *rows)
{
    EffectCells all = {0};
    for (unsigned i = 0; i < rows->count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned count = window_cells(explanation->board, rows->row[i].line, rows->row[i].empty, cells);
        for (unsigned j = 0; j < count; j++) {
            bool is_known = false;
            for (unsigned n = 0; n < all.count; n++)
                is_known |= all.cell[n] == cells[j];
            if (!is_known && all.count < EFFECTS_CELLS)
                all.cell[all.count++] = cells[j];
        }
    }
    qsort(all.cell, all.count, sizeof all.cell[0], cell_compare);
    return all;
}

static unsigned p_of(const Explanation *explanation)
{
    return explanation->board->rules.p;
}

static NumberWord k_word(const Explanation *explanation)
{
    return view_number_word(explanation->board->rules.k);
}

// If a turn has room for nearly a whole row, almost any stones begin one, so none are named.
static bool can_be_named(const Explanation *explanation, const EffectRows *rows)
{
    return rows->count > 0 && stones_of(&rows->row[0]) >= (p_of(explanation) == 1 ? 1 : 2);
}

// --- The end of the game ---

static void say_end(Explanation *explanation)
{
    const EffectRows *rows = &explanation->effects->completed;
    (void)begin(explanation);
    if (!explanation->effects->wins) {
        text_add(explanation->text, "Fills the board: the game is a draw.");
        return;
    }
    text_add(explanation->text, "Completes %s in a row, ", view_number_word(stones_of(&rows->row[0])).text);
    add_stones(explanation, &rows->row[0]);
    text_add(explanation->text, ", and wins.");
}

// --- Threats ---

static void say_miss(Explanation *explanation)
{
    if (explanation->effects->misses_win && begin(explanation))
        text_add(explanation->text, "Misses a win: %s could complete %s in this turn.", explanation->own,
                 k_word(explanation).text);
}

// Names the cells where the other side can win in its next turn.
static void add_remaining(Explanation *explanation)
{
    const EffectRows *rows = &explanation->effects->remaining;
    text_add(explanation->text, "%s can complete %s", explanation->other, k_word(explanation).text);
    if (p_of(explanation) == 1) {
        EffectCells cells = empty_cells(explanation, rows);
        text_add(explanation->text, " at ");
        add_cells(explanation, &cells, " or ");
    } else if (can_be_named(explanation, rows)) {
        text_add(explanation->text, " from the ");
        add_rows(explanation, &(EffectRows){.count = 1, .row = {rows->row[0]}}, "");
    }
    text_add(explanation->text, " next turn.");
}

static void say_danger(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    const EffectRows *stopped = &effects->stopped;
    if (effects->remaining.count > 0 && begin(explanation)) {
        if (effects->no_turn_helps)
            text_add(explanation->text, "No turn keeps %s from winning: ", explanation->other);
        else
            text_add(explanation->text, "Leaves %s a win: ", explanation->other);
        add_remaining(explanation);
        return;
    }
    if (stopped->count == 0 || !begin(explanation))
        return;
    if (!can_be_named(explanation, stopped)) {
        text_add(explanation->text, "Keeps %s from completing %s next turn.", explanation->other,
                 k_word(explanation).text);
        return;
    }
    char possessive[NAME_SIZE];
    (void)snprintf(possessive, sizeof possessive, "%s's ", explanation->other);
    text_add(explanation->text, "Blocks ");
    add_rows(explanation, stopped, possessive);
    text_add(explanation->text, ": %s could have won ", explanation->other);
    if (p_of(explanation) == 1) {
        EffectCells cells = empty_cells(explanation, stopped);
        text_add(explanation->text, "at ");
        add_cells(explanation, &cells, " or ");
        text_add(explanation->text, ".");
    } else
        text_add(explanation->text, "next turn.");
}

// One stone a turn: the cells that complete a row.
static void say_targets(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    const EffectCells *targets = &effects->targets;
    Text *text = explanation->text;
    if (targets->count == 1) {
        text_add(text, "Threatens to complete %s at ", k_word(explanation).text);
        add_cells(explanation, targets, "");
        if (effects->follow_ups.count > 0) {
            text_add(text, " and, if %s fills it, at ", explanation->other);
            add_cells(explanation, &effects->follow_ups, " or ");
        }
        text_add(text, "%s", effects->follow_ups.count > 0 ? ": that cannot be stopped." : ".");
        return;
    }
    text_add(text, "Makes %s threats at once, ", view_number_word(targets->count).text);
    add_cells(explanation, targets, " and ");
    text_add(text, ": %s can stop only one of them.", explanation->other);
}

// The stones that the other side needs: "one stone", "both stones" of two, "all three stones".
static void add_needed(Explanation *explanation)
{
    unsigned needed = explanation->effects->needed.count;
    const char *all = needed < p_of(explanation) ? "" : needed == 2 ? "both" : "all ";
    text_add(explanation->text, "%s%s stone%s", all, needed == 2 && all[0] != '\0' ? "" : view_number_word(needed).text,
             view_plural(needed));
}

// Several stones a turn: the rows, and how many stones it takes to stop them.
static void say_threat_rows(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    Text *text = explanation->text;
    bool is_too_much = effects->needed.count > p_of(explanation);
    text_add(text, "Threatens to complete %s", k_word(explanation).text);
    if (can_be_named(explanation, &effects->threats)) {
        text_add(text, " from ");
        add_rows(explanation, &effects->threats, "the ");
    }
    if (is_too_much)
        text_add(text, ": %s cannot stop it with %s stones.", explanation->other,
                 view_number_word(p_of(explanation)).text);
    else if (effects->needed.is_uncertain)
        text_add(text, ".");
    else {
        text_add(text, ": %s needs ", explanation->other);
        add_needed(explanation);
        text_add(text, " to stop it.");
    }
}

static void say_threats(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    if (effects->threats.count == 0 || effects->misses_win || !begin(explanation))
        return;
    if (p_of(explanation) == 1)
        say_targets(explanation);
    else
        say_threat_rows(explanation);
}

static void say_waiting(Explanation *explanation)
{
    const EffectRows *rows = &explanation->effects->waiting;
    if (rows->count == 0 || !begin(explanation))
        return;
    EffectCells cells = empty_cells(explanation, rows);
    text_add(explanation->text, "Prepares %s at ", k_word(explanation).text);
    add_cells(explanation, &cells, " and ");
    if (cells.count > 1) {
        text_add(explanation->text, ", to be completed once the cells below are filled.");
        return;
    }
    text_add(explanation->text, ", to be completed once ");
    add_cell(explanation->text, cell_at(cell_column(cells.cell[0]), cell_row(cells.cell[0]) - 1));
    text_add(explanation->text, " is filled.");
}

// --- Proven results ---

// Adds nothing that the sentences on threats already state.
static void say_proof(Explanation *explanation, const Decision *decision)
{
    const Effects *effects = explanation->effects;
    bool is_won = effects->needed.count > p_of(explanation);
    if (decision->proven == PROVEN_WIN && !is_won && begin(explanation)) {
        text_add(explanation->text, "Wins by force");
        if (decision->distance > 0)
            text_add(explanation->text, ", within %d stone%s of both sides", decision->distance,
                     view_plural((uint64_t)decision->distance));
        text_add(explanation->text, ".");
    } else if (decision->proven == PROVEN_LOSS && begin(explanation))
        text_add(explanation->text, "%s can win by force whatever %s plays.", explanation->other, explanation->own);
    else if (decision->proven == PROVEN_DRAW && begin(explanation))
        text_add(explanation->text, "With best play of both sides the game is a draw.");
}

// --- Further ahead ---

static void say_open_rows(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    const EffectRows *opened = &effects->opened, *closed = &effects->closed;
    Text *text = explanation->text;
    if (closed->count > 0 && effects->stopped.count == 0 && begin(explanation)) {
        char possessive[NAME_SIZE];
        (void)snprintf(possessive, sizeof possessive, "%s's open ", explanation->other);
        text_add(text, "Blocks ");
        add_rows(explanation, closed, possessive);
        text_add(text, "%s.", effects->denies_fork ? ", before it becomes two threats at once" : "");
    } else if (effects->denies_fork && begin(explanation))
        text_add(text, "Keeps %s from making two threats at once there.", explanation->other);
    if (opened->count > 0 && effects->needed.count <= p_of(explanation) && begin(explanation)) {
        text_add(text, "Makes ");
        add_rows(explanation, opened, "an open ");
        text_add(text, "%s one more stone turns into two threats at once.",
                 opened->count > 1 ? ", each of which" : ", which");
    }
}

// In gravity games a stone may support the other side's next stone.
static void say_traps(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    if (effects->traps.count == 0 || !begin(explanation))
        return;
    if (effects->safe == 1) {
        text_add(explanation->text, "Every other column lets %s win next turn.", explanation->other);
        return;
    }
    text_add(explanation->text, "Playing ");
    add_cells(explanation, &effects->traps, " or ");
    text_add(explanation->text, " instead would let %s win on top of it.", explanation->other);
}

static void say_quiet_rows(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    const EffectRow *built = &effects->built, *hampered = &effects->hampered;
    bool has_news = effects->threats.count > 0 || effects->opened.count > 0 || effects->waiting.count > 0;
    if (stones_of(hampered) >= 2 && effects->stopped.count == 0 && effects->closed.count == 0 && begin(explanation)) {
        text_add(explanation->text, "%s %s's %s ", effects->hampered_is_closed ? "Blocks" : "Stands in the way of",
                 explanation->other, row_noun(stones_of(hampered)).text);
        add_stones(explanation, hampered);
        text_add(explanation->text, ".");
    }
    if (stones_of(built) >= 2 && !has_news && begin(explanation)) {
        text_add(explanation->text, "Builds a %s with room for %s: ", row_noun(stones_of(built)).text,
                 k_word(explanation).text);
        add_stones(explanation, built);
        text_add(explanation->text, ".");
    }
}

// --- Default sentences ---

static void say_general(Explanation *explanation)
{
    const Effects *effects = explanation->effects;
    Text *text = explanation->text;
    if (effects->choices == 1 && begin(explanation))
        text_add(text, "There is no other cell to play.");
    if (explanation->said > 0)
        return;
    if (effects->is_central && begin(explanation))
        text_add(text, centre_nearness(&explanation->board->rules, explanation->stones[0]) == 0
                           ? "Takes the centre."
                           : "No cell is nearer to the centre.");
    (void)begin(explanation);
    const char *there = explanation->count == 1 ? "it" : "them";
    if (effects->open_windows == 0)
        text_add(text, "No row of %s can be completed through %s.", k_word(explanation).text, there);
    else
        text_add(text, "Takes part in %s row%s of %s that %s has not blocked.",
                 view_number_word(effects->open_windows).text, view_plural(effects->open_windows),
                 k_word(explanation).text, explanation->other);
}

// --- All sentences ---

static const char *const letters[2] = {"X", "O"};

// Board, stones and text have been set.
static void explain(Explanation *explanation, const Decision *decision, const char *const names[2])
{
    Effects effects;
    effects_find(explanation->board, explanation->stones, explanation->count, &effects);
    explanation->effects = &effects;
    explanation->own = names[effects.side];
    explanation->other = names[side_other(effects.side)];
    if (effects.wins || effects.ends_in_draw) {
        say_end(explanation);
        return;
    }
    say_miss(explanation);
    say_danger(explanation);
    // If the other side wins first, nothing else matters.
    if (effects.remaining.count > 0)
        return;
    if (effects.is_dead) {
        if (begin(explanation))
            text_add(explanation->text, "Neither side can complete %s any more: the game will be a draw.",
                     k_word(explanation).text);
        return;
    }
    say_threats(explanation);
    say_proof(explanation, decision);
    say_open_rows(explanation);
    say_waiting(explanation);
    say_traps(explanation);
    say_quiet_rows(explanation);
    say_general(explanation);
}

void explain_decision(const Game *game, const Decision *decision, const char *between, Text *text)
{
    explain_decision_as(game, decision, letters, between, text);
}

void explain_decision_as(const Game *game, const Decision *decision, const char *const names[2], const char *between,
                         Text *text)
{
    Explanation explanation = {
        .board = &game->board, .stones = decision->stones, .count = decision->count, .between = between, .text = text};
    explain(&explanation, decision, names);
}
