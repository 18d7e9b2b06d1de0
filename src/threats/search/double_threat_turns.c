// Lists the turns of the attacker that make enough threats.
#include "threats/search/double_threat_internal.h"

#include <stdlib.h>
#include <string.h>

// --- Options ---

static void add_option(Turns *turns, const CellSet *option)
{
    for (unsigned i = 0; i < turns->option_count; i++)
        if (cell_sets_equal(&turns->options[i], option))
            return;
    if (turns->option_count == TURNS_OPTIONS_MAX)
        turns->is_full = true;
    else
        turns->options[turns->option_count++] = *option;
}

// Adds an option for every choice of `missing` more of these cells.
static void add_choices(Turns *turns, const CellSet *chosen, const Cell *cells, unsigned count, unsigned missing)
{
    if (missing == 0) {
        add_option(turns, chosen);
        return;
    }
    for (unsigned i = 0; i + missing <= count; i++) {
        CellSet with = cell_set_with(chosen, cells[i]);
        add_choices(turns, &with, cells + i + 1, count - i - 1, missing - 1);
    }
}

// Finds the windows that the attacker can turn into threats, and those that are threats before the turn is complete.
static void find_windows(Turns *turns)
{
    const WindowTally *tally = turns->tally;
    unsigned p = tally->board.rules.p, reach = p + turns->stones;
    turns->base_count = turns->open_count = 0;
    for (unsigned i = 0; i < tally->count; i++) {
        unsigned need = window_tally_need(tally, i, turns->side);
        if (need > reach)
            continue;
        if (turns->open_count == TURNS_TARGETS_MAX) {
            turns->is_full = true;
            return;
        }
        turns->open[turns->open_count++] = (uint16_t)i;
        if (need <= p)
            turns->base[turns->base_count++] = (uint16_t)i;
    }
}

// Adds the options of `size` stones. One stone is enough for a window that is a threat already.
static void find_options(Turns *turns, unsigned size)
{
    const WindowTally *tally = turns->tally;
    unsigned most = tally->board.rules.p + size;
    for (unsigned i = 0; i < turns->open_count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned need = window_tally_need(tally, turns->open[i], turns->side);
        if ((need == most || (need < most && size == 1)) && window_tally_wins(tally, turns->open[i], turns->side))
            add_choices(turns, &cell_set_none, cells, window_tally_empty(tally, turns->open[i], cells), size);
    }
}

bool turns_begin(Turns *turns, WindowTally *tally)
{
    turns->tally = tally;
    turns->side = board_side(&tally->board);
    turns->stones = board_stones_left(&tally->board);
    turns->is_full = turns->is_cut = turns->out = false;
    turns->option_count = turns->single_count = 0;
    assert(turns->stones <= WINDOW_TALLY_P_MAX);
    // 1. Threats of the defender.
    turns->held_count = window_tally_threats(tally, side_other(turns->side), turns->held, TURNS_TARGETS_MAX);
    turns->is_full = turns->held_count > TURNS_TARGETS_MAX;
    if (turns->is_full || !targets_can_be_met(turns->held, turns->held_count, &cell_set_none, turns->stones))
        return false;
    // 2. Windows that can become threats.
    find_windows(turns);
    for (unsigned size = 1; size <= turns->stones; size++) {
        find_options(turns, size);
        if (size == 1)
            turns->single_count = turns->option_count;
    }
    return turns->option_count + turns->base_count > 0;
}

// --- Evaluation of turns ---

// The stones that the defender needs after these stones of the attacker; at most p + 1.
static unsigned least_after(Turns *turns, const CellSet *stones)
{
    const WindowTally *tally = turns->tally;
    unsigned count = 0;
    if (++turns->looked % TURNS_POLL == 0 && turns->poll(turns->poll_context))
        turns->out = true;
    for (unsigned i = 0; i < turns->base_count; i++)
        if (window_tally_wins(tally, turns->base[i], turns->side))
            turns->targets[count++] = window_tally_target(tally, turns->base[i]);
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && stones->cell[i] != CELL_NONE && count <= TURNS_TARGETS_MAX; i++)
        count =
            window_tally_threats_through(tally, stones->cell[i], turns->side, turns->targets, count, TURNS_TARGETS_MAX);
    if (count > TURNS_TARGETS_MAX) {
        turns->is_full = true;
        count = TURNS_TARGETS_MAX; // fewer targets do not need more stones, so the result is a lower bound
    }
    return targets_least(turns->targets, count, tally->board.rules.p);
}

// The sum, over the windows through the turn that the attacker may complete, of the squared number of its stones.
static int32_t rank_of(const Turns *turns, const CellSet *stones)
{
    const WindowTally *tally = turns->tally;
    unsigned rank = 0, k = tally->board.rules.k;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && stones->cell[i] != CELL_NONE; i++)
        for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
            WindowRange range = tally->through[stones->cell[i]][direction];
            for (unsigned w = range.first; w < range.first + (unsigned)range.count; w++) {
                unsigned need = window_tally_need(tally, w, turns->side);
                rank += need <= k ? (k - need) * (k - need) : 0;
            }
        }
    return (int32_t)rank;
}

static void add_turn(Turns *turns, const CellSet *stones)
{
    unsigned least = least_after(turns, stones);
    if (least < turns->wanted.target || (turns->wanted.below > 0 && least >= turns->wanted.below))
        return;
    if (turns->count == turns->most)
        turns->is_full = true;
    else
        turns->list[turns->count++] = (DoubleThreatTurn){*stones, rank_of(turns, stones)};
}

static bool wins_at_once(const Turns *turns)
{
    return turns->wanted.target > turns->tally->board.rules.p;
}

// --- Free stones ---

// Whether a cell is in a window that needs at most own_need stones of the attacker or other_need of the defender.
static bool is_near(const Turns *turns, Cell cell, unsigned own_need, unsigned other_need)
{
    const WindowTally *tally = turns->tally;
    Side other = side_other(turns->side);
    for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = tally->through[cell][direction];
        for (unsigned w = range.first; w < range.first + (unsigned)range.count; w++)
            if (window_tally_need(tally, w, turns->side) <= own_need ||
                window_tally_need(tally, w, other) <= other_need)
                return true;
    }
    return false;
}

// Whether a free stone on a cell can matter, with the core on the board: in a window that becomes a threat with the
// stones of later turns, or that becomes a threat of the defender with those of its answers.
static bool can_matter(Turns *turns, Cell cell, unsigned left)
{
    const Rules *rules = &turns->tally->board.rules;
    unsigned p = rules->p, later = turns->wanted.later;
    if (turns->wanted.free == FREE_LIKELY)
        return is_near(turns, cell, p + 2, p + 1);
    if (row_has_limit(rules) || is_near(turns, cell, p * (later + 1) + left, p * (later + 1)))
        return true;
    turns->is_cut = turns->is_cut || is_near(turns, cell, rules->k, rules->k);
    return false;
}

// Lists the empty cells, those that matter first.
static void find_free(Turns *turns, unsigned left)
{
    const Board *board = &turns->tally->board;
    bool ask = !wins_at_once(turns) && turns->wanted.free != FREE_ANYWHERE;
    turns->free_count = turns->free_matters = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t empty = board_legal_row(board, row); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), row);
            turns->free[turns->free_count++] = cell;
            if (!ask || !can_matter(turns, cell, left))
                continue;
            turns->free[turns->free_count - 1] = turns->free[turns->free_matters];
            turns->free[turns->free_matters++] = cell;
        }
}

static void complete(Turns *turns, const CellSet *stones, unsigned left, unsigned from);

static void complete_with(Turns *turns, const CellSet *stones, Cell cell, unsigned left, unsigned from)
{
    CellSet with = cell_set_with(stones, cell);
    BoardState before = window_tally_play(turns->tally, cell);
    complete(turns, &with, left - 1, from);
    window_tally_undo(turns->tally, cell, before);
}

// Completes a turn of these stones, which are on the board, with `left` more: first stones that meet the defender's
// threats, then free stones, from number `from` on. Of those that do not matter one is enough.
static void complete(Turns *turns, const CellSet *stones, unsigned left, unsigned from)
{
    unsigned unmet = targets_first_unmet(turns->held, turns->held_count, stones, 0), before = turns->count;
    if (left == 0 || turns->out) {
        if (left == 0 && unmet == turns->held_count)
            add_turn(turns, stones);
        return;
    }
    if (unmet < turns->held_count) {
        CellSet target = turns->held[unmet];
        for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && target.cell[i] != CELL_NONE; i++)
            complete_with(turns, stones, target.cell[i], left, 0);
        return;
    }
    if (from == 0)
        find_free(turns, left);
    for (unsigned i = from; i < turns->free_count && (i < turns->free_matters || turns->count == before); i++)
        complete_with(turns, stones, turns->free[i], left, i + 1);
}

// --- Cores ---

static bool are_aligned(Cell a, Cell b)
{
    int x = (int)cell_column(a) - (int)cell_column(b), y = (int)cell_row(a) - (int)cell_row(b);
    return x == 0 || y == 0 || x == y || x == -y;
}

// Whether the last stone of a turn cannot be enough: if it shares no line with the others, it shares no window with
// them, so that the stones that stop its threats and theirs separately also stop them together.
static bool is_too_little(const Turns *turns, const CellSet *stones, unsigned least, unsigned option)
{
    if (option >= turns->single_count || least + turns->single_least[option] >= turns->wanted.target)
        return false;
    Cell cell = turns->options[option].cell[0];
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && stones->cell[i] != CELL_NONE; i++)
        if (are_aligned(stones->cell[i], cell))
            return false;
    return true;
}

static void find_cores(Turns *turns, const CellSet *stones, unsigned size, unsigned from);

// Plays the new cells of an option and continues with further options, if the turn has enough stones.
static void try_option(Turns *turns, const CellSet *stones, unsigned size, unsigned option)
{
    CellSet with = *stones, added = cell_set_none;
    unsigned count = 0;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turns->options[option].cell[i] != CELL_NONE; i++)
        if (!cell_set_has(stones, turns->options[option].cell[i]))
            added.cell[count++] = turns->options[option].cell[i];
    if (count == 0 || size + count > turns->stones)
        return;
    for (unsigned i = 0; i < count; i++)
        with = cell_set_with(&with, added.cell[i]);
    BoardState before = double_threat_play(turns->tally, &added);
    find_cores(turns, &with, size + count, option + 1);
    double_threat_undo(turns->tally, &added, before);
}

// Finds cores of these stones, which are on the board, and options from `from` on.
static void find_cores(Turns *turns, const CellSet *stones, unsigned size, unsigned from)
{
    unsigned left = turns->stones - size;
    if (!targets_can_be_met(turns->held, turns->held_count, stones, left))
        return;
    unsigned least = least_after(turns, stones);
    if (least >= turns->wanted.target) {
        complete(turns, stones, left, 0);
        return;
    }
    for (unsigned i = from; left > 0 && i < turns->option_count && !turns->out; i++) {
        if (left > 1 || !is_too_little(turns, stones, least, i))
            try_option(turns, stones, size, i);
        if (wins_at_once(turns) && turns->count > 0)
            return;
    }
}

// --- The list ---

static int compare_turns(const void *a, const void *b)
{
    const DoubleThreatTurn *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? 1 : -1;
    return memcmp(&x->stones, &y->stones, sizeof x->stones);
}

// Sorts and removes duplicates: several cores may give the same turn.
static void sort(Turns *turns)
{
    unsigned kept = 0;
    qsort(turns->list, turns->count, sizeof turns->list[0], compare_turns);
    for (unsigned i = 0; i < turns->count; i++)
        if (kept == 0 || !cell_sets_equal(&turns->list[kept - 1].stones, &turns->list[i].stones))
            turns->list[kept++] = turns->list[i];
    turns->count = kept;
}

void turns_make(Turns *turns, const TurnsWanted *wanted, DoubleThreatTurn *list, unsigned most)
{
    turns->wanted = *wanted;
    turns->list = list;
    turns->count = 0;
    turns->most = most;
    for (unsigned i = 0; i < turns->single_count; i++) {
        Cell cell = turns->options[i].cell[0];
        BoardState before = window_tally_play(turns->tally, cell);
        turns->single_least[i] = (uint8_t)least_after(turns, &turns->options[i]);
        window_tally_undo(turns->tally, cell, before);
    }
    find_cores(turns, &cell_set_none, 0, 0);
    sort(turns);
}
