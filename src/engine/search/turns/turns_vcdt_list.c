// Lists turns that threaten. Stones are chosen one after another, from the cells of windows in which the remaining
// stones can still make threats.
#include "engine/search/turns/turns_vcdt_internal.h"

#include <string.h>

enum {
    FREE_MAX = 3,   // cells tried for a stone that the threats do not need
    FIRST_MAX = 24, // cells tried for a stone of a turn of two; fewer for more, as sets grow with every stone
    TURNS_LISTED = 64,
};

typedef struct {
    TurnState *state;
    WindowMap *map;
    VcdtRoom *room;
    Side side;
    const Targets *held; // rows of the defender, which the turn must stop
    Targets *own;        // rows of the attacker
    Hits hits;           // windows that the attacker can complete in its next turn
    Turn turn;
    unsigned stones;
    TurnList list;
    unsigned wanted; // stones that the threats must take to stop: p, or more if no further turn may follow
    unsigned made;   // upper bound of the stones needed to stop the threats so far
    bool has_won;    // the turn cannot be stopped
    unsigned window_count, maker_count; // windows in `room`; those that need one stone come first
} VcdtGenerator;

typedef struct {
    unsigned count, most;
    ScoredCell at[FIRST_MAX];
} Picks;

static void picks_add(Picks *picks, Cell cell, int score)
{
    cells_keep_best(picks->at, &picks->count, picks->most, cell, score);
}

// The score of a stone: the value of its windows for the attacker, plus half of that for the defender. Cached within a
// turn.
static int cell_worth(const VcdtGenerator *generator, Cell cell)
{
    const WindowMap *map = generator->map;
    VcdtRoom *room = generator->room;
    if (room->asked[cell] == room->turns_asked)
        return room->score[cell];
    const uint16_t *lack = map->lack[generator->side], *other = map->lack[1 - generator->side];
    int sum = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        CellWindows range = map->ranges[cell][direction];
        for (unsigned window = range.first; window < range.first + range.count; window++) {
            sum += 2 * room->worth[lack[window] < VCDT_COUNTS ? lack[window] : VCDT_COUNTS - 1];
            sum += room->worth[other[window] < VCDT_COUNTS ? other[window] : VCDT_COUNTS - 1];
        }
    }
    room->asked[cell] = room->turns_asked;
    room->score[cell] = sum;
    return sum;
}

static void pick_meeting(const VcdtGenerator *generator, const Target *target, Picks *picks)
{
    for (unsigned i = 0; i < target->count; i++)
        if (!generator->state->is_excluded[target->cell[i]])
            picks_add(picks, target->cell[i], cell_worth(generator, target->cell[i]));
}

// One direction never takes more than two stones to stop: those beside the outermost stones of the turn in it.
static unsigned gain_makes(const VcdtGain *gain)
{
    unsigned sum = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        sum += gain->makes[direction] < 2 ? gain->makes[direction] : 2;
    return sum;
}

// Whether a stone may belong to a turn that makes `wanted` more threats, if `left` stones remain, it included. Two
// stones have one line in common, so threats beyond what that line allows must be made by single stones, and the stone
// that makes more of these can be placed first.
static bool is_promising(const VcdtGain *gain, unsigned left, unsigned wanted)
{
    unsigned makes = gain_makes(gain);
    if (left == 1 || makes >= wanted)
        return makes >= wanted;
    if (left == 2 && wanted > 2)
        return makes > 0;
    bool helps = makes > 0;
    for (unsigned direction = 0; direction < 4; direction++)
        helps |= gain->helps[direction] > 1;
    return helps;
}

// Adds the empty cells of a window that stones can turn into a threat; returns the new number of cells.
static unsigned gain_window(const VcdtGenerator *generator, unsigned window, unsigned left, unsigned count)
{
    const WindowMap *map = generator->map;
    VcdtRoom *room = generator->room;
    unsigned lack = window_lack(map, window, generator->side), direction = map->direction[window];
    if (lack > map->p + left || lack <= map->p)
        return count;
    bool makes = lack == map->p + 1;
    Cell cell = map->first[window];
    for (unsigned i = 0; i < map->k; i++, cell = (Cell)(cell + map->step[window])) {
        if (map->stone[cell] != 0)
            continue;
        VcdtGain *gain = &room->gain[cell];
        if (!room->is_seen[cell]) {
            room->is_seen[cell] = true;
            room->cells[count++] = cell;
        }
        gain->makes[direction] = (uint8_t)(gain->makes[direction] + makes);
        gain->helps[direction]++;
    }
    return count;
}

// The second of two stones makes threats in windows that needed one stone before the turn, or contain the first stone.
static unsigned gain_of_second(const VcdtGenerator *generator)
{
    const WindowMap *map = generator->map;
    Cell first = generator->turn.stones[0];
    unsigned count = 0;
    for (unsigned i = 0; i < generator->maker_count; i++)
        if (window_lack(map, generator->room->windows[i], generator->side) == map->p + 1)
            count = gain_window(generator, generator->room->windows[i], 1, count);
    for (unsigned direction = 0; direction < 4; direction++) {
        CellWindows range = map->ranges[first][direction];
        for (unsigned window = range.first; window < range.first + range.count; window++)
            count = gain_window(generator, window, 1, count);
    }
    return count;
}

static unsigned gain_of_any(const VcdtGenerator *generator, unsigned left)
{
    unsigned count = 0;
    for (unsigned i = 0; i < generator->window_count; i++)
        count = gain_window(generator, generator->room->windows[i], left, count);
    return count;
}

// Picks cells of windows in which the remaining stones can make threats.
static void pick_windows(const VcdtGenerator *generator, unsigned left, unsigned wanted, Picks *picks)
{
    VcdtRoom *room = generator->room;
    unsigned count = left == 1 && generator->stones == 2 ? gain_of_second(generator) : gain_of_any(generator, left);
    for (unsigned i = 0; i < count; i++) {
        Cell cell = room->cells[i];
        if (!generator->state->is_excluded[cell] && is_promising(&room->gain[cell], left, wanted))
            picks_add(picks, cell, cell_worth(generator, cell));
        room->gain[cell] = (VcdtGain){{0}, {0}};
        room->is_seen[cell] = false;
    }
}

// Picks any cell.
static void pick_first(const VcdtGenerator *generator, Picks *picks)
{
    const WindowMap *map = generator->map;
    for (unsigned y = 0; y < map->height && picks->count == 0; y++)
        for (unsigned x = 0; x < map->width && picks->count == 0; x++)
            if (map->stone[cell_at(x, y)] == 0 && !generator->state->is_excluded[cell_at(x, y)])
                picks_add(picks, cell_at(x, y), 0);
}

static unsigned picks_of_turn(unsigned stones)
{
    return stones <= 2 ? FIRST_MAX : stones == 3 ? FIRST_MAX / 2 : FIRST_MAX / 3;
}

// Whether the threats already need `wanted` stones, before the last stone is placed.
static bool has_enough(VcdtGenerator *generator)
{
    if (generator->made < generator->wanted)
        return false;
    window_targets(generator->map, &generator->hits, generator->side, generator->own);
    return rows_least(generator->own, generator->wanted - 1) >= generator->wanted;
}

static void pick(VcdtGenerator *generator, Picks *picks)
{
    const Targets *held = generator->held;
    unsigned unmet = rows_first_unmet(held, generator->turn.stones, generator->turn.count);
    unsigned left = generator->stones - generator->turn.count;
    picks->count = 0;
    picks->most = picks_of_turn(generator->stones);
    if (unmet < held->count) {
        pick_meeting(generator, &held->target[unmet], picks);
    } else if (has_enough(generator)) {
        picks->most = FREE_MAX;
        pick_windows(generator, left, 0, picks);
        pick_first(generator, picks);
    } else {
        unsigned made = generator->made, wanted = generator->wanted;
        pick_windows(generator, left, wanted > made ? wanted - made : 1, picks);
    }
}

// Adds the complete turn to the list if its threats suffice.
static void judge(VcdtGenerator *generator)
{
    TurnState *state = generator->state;
    unsigned p = generator->map->p;
    if (generator->made < generator->wanted ||
        rows_first_unmet(generator->held, generator->turn.stones, generator->turn.count) < generator->held->count)
        return;
    window_targets(generator->map, &generator->hits, generator->side, generator->own);
    unsigned least = rows_least(generator->own, p);
    generator->has_won = least > p;
    if (least < generator->wanted || generator->list.count >= TURNS_LISTED || state->pool_used >= TURN_POOL)
        return;
    state->pool[state->pool_used++] = generator->turn;
    generator->list.count++;
}

static void assemble(VcdtGenerator *generator);

// An upper bound of the stones needed to stop the hits from number `from` on; see gain_makes.
static unsigned made_by_stone(const VcdtGenerator *generator, unsigned from)
{
    VcdtGain gain = {{0}, {0}};
    for (unsigned i = from; i < generator->hits.count; i++)
        gain.makes[generator->map->direction[generator->hits.window[i]]]++;
    return gain_makes(&gain);
}

static void assemble_with(VcdtGenerator *generator, Cell cell, int score)
{
    Turn *turn = &generator->turn;
    unsigned hits = generator->hits.count, made = generator->made;
    turn->stones[turn->count++] = cell;
    turn->score += score;
    window_map_put(generator->map, cell, generator->side, &generator->hits);
    generator->made += made_by_stone(generator, hits);
    if (turn->count == generator->stones)
        judge(generator);
    else
        assemble(generator);
    window_map_take(generator->map, cell, generator->side);
    generator->hits.count = hits;
    generator->made = made;
    if (generator->has_won)
        return; // keep the turn
    turn->score -= score;
    turn->count--;
}

static void assemble(VcdtGenerator *generator)
{
    Picks picks;
    unsigned done = 0;
    pick(generator, &picks);
    for (; done < picks.count && !generator->has_won; done++) {
        assemble_with(generator, picks.at[done].cell, picks.at[done].score);
        generator->state->is_excluded[picks.at[done].cell] = true;
    }
    for (unsigned i = 0; i < done; i++)
        generator->state->is_excluded[picks.at[i].cell] = false;
}

// Finds the windows that may become threats, those that need one stone first.
static void find_windows(VcdtGenerator *generator)
{
    const WindowMap *map = generator->map;
    uint16_t *windows = generator->room->windows;
    unsigned makers = 0;
    generator->window_count =
        window_map_find(map, generator->side, map->p + generator->stones, windows, VCDT_WINDOWS_MAX);
    for (unsigned i = 0; i < generator->window_count; i++)
        if (window_lack(map, windows[i], generator->side) == map->p + 1) {
            uint16_t window = windows[i];
            windows[i] = windows[makers];
            windows[makers++] = window;
        }
    generator->maker_count = makers;
}

TurnList vcdt_list(TurnState *state, const VcdtNode *node, const Hits *base, Turn *won)
{
    WindowMap *map = &state->windows;
    VcdtRoom *room = &state->vcdt_room;
    VcdtGenerator generator;
    generator.state = state;
    generator.map = map;
    generator.room = room;
    generator.side = node->side;
    generator.held = &room->held[node->level];
    generator.own = &room->own[node->level];
    generator.turn = (Turn){.count = 0};
    generator.stones = node->stones;
    generator.list = (TurnList){.turns = state->pool + state->pool_used};
    generator.has_won = false;
    generator.wanted = node->turns > 1 ? map->p : map->p + 1u;
    generator.made = generator.hits.count = base->count;
    memcpy(generator.hits.window, base->window, base->count * sizeof *base->window);
    room->turns_asked++;
    find_windows(&generator);
    // Two stones have one line in common: the third threat is one that a stone makes by itself.
    if (generator.maker_count > 0 || base->count > 0 || node->stones != 2 || generator.wanted <= 2)
        assemble(&generator);
    won->count = 0;
    if (generator.has_won)
        *won = generator.turn;
    return generator.list;
}
