// Turns that threaten. Stones are chosen one after another, each from cells of windows of which the stones that are
// left can still make threats.
#include "search/thinker_turns_attack_internal.h"

#include <string.h>

enum {
    FREE_MAX = 3,   // cells tried for a stone that the threats do not need
    FIRST_MAX = 24, // cells tried for a stone of a turn of two; fewer for more, as sets grow with every stone
    TURNS_LISTED = 64,
};

typedef struct {
    TurnState *state;
    WindowMap *map;
    AttackRoom *room;
    Side side;
    const Targets *held; // rows of the defender, which the turn has to meet
    Targets *own;        // room for those of the attacker
    Hits hits;           // those of its windows that can be completed in its next turn
    Turn turn;
    unsigned stones;
    TurnList list;
    unsigned wanted; // stones that the threats shall need to be stopped: p, or more where no other turn may follow
    unsigned made;   // stones that the threats of the stones so far need at most
    bool has_won;    // the turn leaves more to stop than can be stopped
    unsigned window_count, maker_count; // the windows of the room; of these, first, those that want one stone
} Assault;

typedef struct {
    unsigned count, most;
    struct {
        Cell cell;
        int score;
    } at[FIRST_MAX];
} Picks;

static void picks_add(Picks *picks, Cell cell, int score)
{
    unsigned at = picks->count;
    if (at == picks->most) {
        if (picks->at[at - 1].score >= score)
            return;
        at--;
    } else {
        picks->count++;
    }
    for (; at > 0 && picks->at[at - 1].score < score; at--)
        picks->at[at] = picks->at[at - 1];
    picks->at[at].cell = cell;
    picks->at[at].score = score;
}

// How good a stone looks: its windows for the attacker, and half as much what it takes from the other side. It is not
// asked again in the same turn.
static int cell_worth(const Assault *assault, Cell cell)
{
    const WindowMap *map = assault->map;
    AttackRoom *room = assault->room;
    if (room->asked[cell] == room->turns_asked)
        return room->score[cell];
    const uint16_t *lack = map->lack[assault->side], *other = map->lack[1 - assault->side];
    int sum = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        WindowRange range = map->ranges[cell][direction];
        for (unsigned window = range.first; window < range.first + range.count; window++) {
            sum += 2 * room->worth[lack[window] < ATTACK_COUNTS ? lack[window] : ATTACK_COUNTS - 1];
            sum += room->worth[other[window] < ATTACK_COUNTS ? other[window] : ATTACK_COUNTS - 1];
        }
    }
    room->asked[cell] = room->turns_asked;
    room->score[cell] = sum;
    return sum;
}

static void pick_meeting(const Assault *assault, const Target *target, Picks *picks)
{
    for (unsigned i = 0; i < target->count; i++)
        if (!assault->state->is_excluded[target->cell[i]])
            picks_add(picks, target->cell[i], cell_worth(assault, target->cell[i]));
}

// One direction never takes more than two stones to stop: those beside the outermost stones of the turn in it.
static unsigned gain_makes(const AttackGain *gain)
{
    unsigned sum = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        sum += gain->makes[direction] < 2 ? gain->makes[direction] : 2;
    return sum;
}

// Whether a stone may be one of a turn that makes `wanted` more threats, if `left` stones are to come with it. Two
// stones have one line in common, so that more than it can give must come from threats they make by themselves, and the
// one that makes more of these can as well be the first.
static bool is_promising(const AttackGain *gain, unsigned left, unsigned wanted)
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

// The empty cells of a window, if stones can make a threat of it; returns how many cells there are now.
static unsigned gain_window(const Assault *assault, unsigned window, unsigned left, unsigned count)
{
    const WindowMap *map = assault->map;
    AttackRoom *room = assault->room;
    unsigned lack = window_lack(map, window, assault->side), direction = map->direction[window];
    if (lack > map->p + left || lack <= map->p)
        return count;
    bool makes = lack == map->p + 1;
    Cell cell = map->first[window];
    for (unsigned i = 0; i < map->k; i++, cell = (Cell)(cell + map->step[window])) {
        if (map->stone[cell] != 0)
            continue;
        AttackGain *gain = &room->gain[cell];
        if (!room->is_seen[cell]) {
            room->is_seen[cell] = true;
            room->cells[count++] = cell;
        }
        gain->makes[direction] = (uint8_t)(gain->makes[direction] + makes);
        gain->helps[direction]++;
    }
    return count;
}

// The second of two stones makes threats of windows that wanted one stone before the turn, or have the first stone.
static unsigned gain_of_second(const Assault *assault)
{
    const WindowMap *map = assault->map;
    Cell first = assault->turn.stones[0];
    unsigned count = 0;
    for (unsigned i = 0; i < assault->maker_count; i++)
        if (window_lack(map, assault->room->windows[i], assault->side) == map->p + 1)
            count = gain_window(assault, assault->room->windows[i], 1, count);
    for (unsigned direction = 0; direction < 4; direction++) {
        WindowRange range = map->ranges[first][direction];
        for (unsigned window = range.first; window < range.first + range.count; window++)
            count = gain_window(assault, window, 1, count);
    }
    return count;
}

static unsigned gain_of_any(const Assault *assault, unsigned left)
{
    unsigned count = 0;
    for (unsigned i = 0; i < assault->window_count; i++)
        count = gain_window(assault, assault->room->windows[i], left, count);
    return count;
}

// Cells of windows of which the stones that are left can make threats.
static void pick_windows(const Assault *assault, unsigned left, unsigned wanted, Picks *picks)
{
    AttackRoom *room = assault->room;
    unsigned count = left == 1 && assault->stones == 2 ? gain_of_second(assault) : gain_of_any(assault, left);
    for (unsigned i = 0; i < count; i++) {
        Cell cell = room->cells[i];
        if (!assault->state->is_excluded[cell] && is_promising(&room->gain[cell], left, wanted))
            picks_add(picks, cell, cell_worth(assault, cell));
        room->gain[cell] = (AttackGain){{0}, {0}};
        room->is_seen[cell] = false;
    }
}

// Any cell will do.
static void pick_first(const Assault *assault, Picks *picks)
{
    const WindowMap *map = assault->map;
    for (unsigned y = 0; y < map->height && picks->count == 0; y++)
        for (unsigned x = 0; x < map->width && picks->count == 0; x++)
            if (map->stone[cell_at(x, y)] == 0 && !assault->state->is_excluded[cell_at(x, y)])
                picks_add(picks, cell_at(x, y), 0);
}

static unsigned picks_of_turn(unsigned stones)
{
    return stones <= 2 ? FIRST_MAX : stones == 3 ? FIRST_MAX / 2 : FIRST_MAX / 3;
}

// Whether the threats need all that is wanted to be stopped, before the last stone is placed.
static bool has_enough(Assault *assault)
{
    if (assault->made < assault->wanted)
        return false;
    window_targets(assault->map, &assault->hits, assault->side, assault->own);
    return rows_least(assault->own, assault->wanted - 1) >= assault->wanted;
}

static void pick(Assault *assault, Picks *picks)
{
    const Targets *held = assault->held;
    unsigned unmet = rows_first_unmet(held, assault->turn.stones, assault->turn.count);
    unsigned left = assault->stones - assault->turn.count;
    picks->count = 0;
    picks->most = picks_of_turn(assault->stones);
    if (unmet < held->count) {
        pick_meeting(assault, &held->target[unmet], picks);
    } else if (has_enough(assault)) {
        picks->most = FREE_MAX;
        pick_windows(assault, left, 0, picks);
        pick_first(assault, picks);
    } else {
        unsigned made = assault->made, wanted = assault->wanted;
        pick_windows(assault, left, wanted > made ? wanted - made : 1, picks);
    }
}

// All stones are placed: is it a turn of the kind that is wanted?
static void judge(Assault *assault)
{
    TurnState *state = assault->state;
    unsigned p = assault->map->p;
    if (assault->made < assault->wanted ||
        rows_first_unmet(assault->held, assault->turn.stones, assault->turn.count) < assault->held->count)
        return;
    window_targets(assault->map, &assault->hits, assault->side, assault->own);
    unsigned least = rows_least(assault->own, p);
    assault->has_won = least > p;
    if (least < assault->wanted || assault->list.count >= TURNS_LISTED || state->pool_used >= TURN_POOL)
        return;
    state->pool[state->pool_used++] = assault->turn;
    assault->list.count++;
}

static void assemble(Assault *assault);

// Stones that the threats of a stone need at most, from this number on; see gain_makes.
static unsigned made_by_stone(const Assault *assault, unsigned from)
{
    AttackGain gain = {{0}, {0}};
    for (unsigned i = from; i < assault->hits.count; i++)
        gain.makes[assault->map->direction[assault->hits.window[i]]]++;
    return gain_makes(&gain);
}

static void assemble_with(Assault *assault, Cell cell, int score)
{
    Turn *turn = &assault->turn;
    unsigned hits = assault->hits.count, made = assault->made;
    turn->stones[turn->count++] = cell;
    turn->score += score;
    window_map_put(assault->map, cell, assault->side, &assault->hits);
    assault->made += made_by_stone(assault, hits);
    if (turn->count == assault->stones)
        judge(assault);
    else
        assemble(assault);
    window_map_take(assault->map, cell, assault->side);
    assault->hits.count = hits;
    assault->made = made;
    if (assault->has_won)
        return; // the turn stays as it is
    turn->score -= score;
    turn->count--;
}

static void assemble(Assault *assault)
{
    Picks picks;
    unsigned done = 0;
    pick(assault, &picks);
    for (; done < picks.count && !assault->has_won; done++) {
        assemble_with(assault, picks.at[done].cell, picks.at[done].score);
        assault->state->is_excluded[picks.at[done].cell] = true;
    }
    for (unsigned i = 0; i < done; i++)
        assault->state->is_excluded[picks.at[i].cell] = false;
}

// The windows that may become threats, those that want one stone first.
static void find_windows(Assault *assault)
{
    const WindowMap *map = assault->map;
    uint16_t *windows = assault->room->windows;
    unsigned makers = 0;
    assault->window_count = window_map_find(map, assault->side, map->p + assault->stones, windows, ATTACK_WINDOWS_MAX);
    for (unsigned i = 0; i < assault->window_count; i++)
        if (window_lack(map, windows[i], assault->side) == map->p + 1) {
            uint16_t window = windows[i];
            windows[i] = windows[makers];
            windows[makers++] = window;
        }
    assault->maker_count = makers;
}

TurnList assault_list(TurnState *state, const AttackNode *node, const Hits *base, Turn *won)
{
    WindowMap *map = &state->windows;
    AttackRoom *room = state->attack_room;
    Assault assault;
    assault.state = state;
    assault.map = map;
    assault.room = room;
    assault.side = node->side;
    assault.held = &room->held[node->level];
    assault.own = &room->own[node->level];
    assault.turn = (Turn){.count = 0};
    assault.stones = node->stones;
    assault.list = (TurnList){.turns = state->pool + state->pool_used};
    assault.has_won = false;
    assault.wanted = node->turns > 1 ? map->p : map->p + 1u;
    assault.made = assault.hits.count = base->count;
    memcpy(assault.hits.window, base->window, base->count * sizeof *base->window);
    room->turns_asked++;
    find_windows(&assault);
    // Two stones have one line in common: the third threat is one that a stone makes by itself.
    if (assault.maker_count > 0 || base->count > 0 || node->stones != 2 || assault.wanted <= 2)
        assemble(&assault);
    won->count = 0;
    if (assault.has_won)
        *won = assault.turn;
    return assault.list;
}
