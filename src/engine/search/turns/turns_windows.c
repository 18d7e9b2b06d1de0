// The window map: the number of stones that every window lacks for both sides, updated with every stone. The threat
// search needs nothing else, and it is several times cheaper than the pattern board, which also keeps line patterns and
// values.
//
// WindowTally (threats/window_tally.h) does not suffice: it supports targets of at most WINDOW_TALLY_P_MAX stones, and
// it does not report the windows that a stone turns into threats. The windows have an order of their own, not that of
// windows_all: it decides which targets and turns come first, so another order changes the play.
#include "engine/search/turns/turns_internal.h"

#include <assert.h>

// --- Set-up ---

static const struct {
    int x, y;
} steps[4] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

static void add_window(WindowMap *map, const Rules *rules, int x, int y, unsigned direction)
{
    int dx = steps[direction].x, dy = steps[direction].y, k = rules->k;
    unsigned window = map->count++;
    map->first[window] = cell_at((unsigned)x, (unsigned)y);
    map->step[window] = (int16_t)(dx + dy * RULES_SIDE_MAX);
    map->direction[window] = (uint8_t)direction;
    map->ends[window] =
        (uint8_t)(rules_have_cell(rules, x - dx, y - dy) | rules_have_cell(rules, x + k * dx, y + k * dy) << 1);
    for (unsigned i = 0; i < map->k; i++) {
        CellWindows *range = &map->ranges[window_cell(map, window, i)][direction];
        if (range->count++ == 0)
            range->first = (uint16_t)window;
    }
}

// The windows of the line that begins in a cell, one after another.
static void add_line(WindowMap *map, const Rules *rules, int x, int y, unsigned direction)
{
    int dx = steps[direction].x, dy = steps[direction].y, more = rules->k - 1;
    if (rules_have_cell(rules, x - dx, y - dy))
        return;
    for (; rules_have_cell(rules, x + more * dx, y + more * dy); x += dx, y += dy)
        add_window(map, rules, x, y, direction);
}

void window_map_init(WindowMap *map, const Rules *rules)
{
    memset(map, 0, sizeof *map);
    map->width = rules->width;
    map->height = rules->height;
    map->k = rules->k;
    map->p = rules->p;
    map->has_limit = row_has_limit(rules);
    map->cells = rules_cells(rules);
    for (unsigned direction = 0; direction < 4; direction++)
        for (int y = 0; y < rules->height; y++)
            for (int x = 0; x < rules->width; x++)
                add_line(map, rules, x, y, direction);
}

// --- Stones ---

// Vectors of eight windows. Lanes beyond a range are not changed.
typedef uint16_t Lanes __attribute__((vector_size(16)));
typedef uint64_t Halves __attribute__((vector_size(16)));

static const Lanes lane = {0, 1, 2, 3, 4, 5, 6, 7};

// Adds a value to eight windows of a range.
static inline Lanes lanes_add(uint16_t *at, Lanes inside, unsigned value)
{
    Lanes lanes;
    memcpy(&lanes, at, sizeof lanes);
    lanes += inside & (uint16_t)value;
    memcpy(at, &lanes, sizeof lanes);
    return lanes;
}

static void add_hits(Hits *hits, const uint16_t *lack, unsigned first, unsigned count, unsigned p)
{
    for (unsigned i = first; i < first + count && hits->count < HITS_MAX; i++)
        if (lack[i] == p)
            hits->window[hits->count++] = (uint16_t)i;
}

void window_map_put(WindowMap *map, Cell cell, Side side, Hits *hits)
{
    uint16_t *lack = map->lack[side], *other = map->lack[1 - side];
    map->stone[cell] = (uint8_t)(1 + side);
    map->stone_count++;
    map->key ^= zobrist_stone[cell][side];
    for (unsigned direction = 0; direction < 4; direction++) {
        CellWindows range = map->ranges[cell][direction];
        for (unsigned done = 0; done < range.count; done += WINDOW_LANES) {
            unsigned first = range.first + done, count = range.count - done;
            Lanes inside = (Lanes)(lane < (uint16_t)count);
            lanes_add(other + first, inside, WINDOW_OTHER);
            Lanes now = lanes_add(lack + first, inside, UINT16_MAX);
            Halves hit = (Halves)((now == (uint16_t)map->p) & inside);
            if (hits != NULL && (hit[0] | hit[1]) != 0)
                add_hits(hits, lack, first, count < WINDOW_LANES ? count : WINDOW_LANES, map->p);
        }
    }
}

void window_map_take(WindowMap *map, Cell cell, Side side)
{
    uint16_t *lack = map->lack[side], *other = map->lack[1 - side];
    map->stone[cell] = 0;
    map->stone_count--;
    map->key ^= zobrist_stone[cell][side];
    for (unsigned direction = 0; direction < 4; direction++) {
        CellWindows range = map->ranges[cell][direction];
        for (unsigned done = 0; done < range.count; done += WINDOW_LANES) {
            Lanes inside = (Lanes)(lane < (uint16_t)(range.count - done));
            lanes_add(other + range.first + done, inside, (uint16_t)-WINDOW_OTHER);
            lanes_add(lack + range.first + done, inside, 1);
        }
    }
}

void window_map_begin(WindowMap *map, const PatternBoard *patterns)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned window = 0; window < map->count + WINDOW_LANES; window++)
            map->lack[side][window] = (uint16_t)(window < map->count ? map->k : WINDOW_OTHER);
    memset(map->stone, 0, RULES_CELLS_MAX);
    map->stone_count = map->followed_count = 0;
    map->key = 0;
    assert(patterns->played_count == 0);
    for (unsigned y = 0; y < patterns->rules.height; y++)
        for (unsigned side = 0; side < 2; side++)
            for (uint64_t own = patterns->plane[y][side] & ~patterns->plane[y][1 - side]; own != 0; own &= own - 1)
                window_map_put(map, cell_at(bits_lowest(own), y), (Side)side, NULL);
}

void window_map_follow(WindowMap *map, const PatternBoard *patterns)
{
    unsigned same = 0;
    while (same < map->followed_count && same < patterns->played_count && map->followed[same] == patterns->played[same])
        same++;
    // All earlier stones agree, so in both lists a stone belongs to the same side to move.
    while (map->followed_count > same) {
        Cell cell = map->followed[--map->followed_count];
        if (cell != CELL_NONE)
            window_map_take(map, cell, (Side)(map->stone[cell] - 1));
    }
    for (; same < patterns->played_count; same++) {
        Cell cell = patterns->played[same];
        map->followed[map->followed_count++] = cell;
        if (cell != CELL_NONE)
            window_map_put(map, cell, (Side)patterns->before[same].side, NULL);
    }
    assert(map->key == patterns->state.stones_key);
}

// --- Facts ---

// Under `exact` a stone of the side next to the window makes the row too long.
static bool window_fits(const WindowMap *map, unsigned window, Side side)
{
    if (!map->has_limit)
        return true;
    unsigned own = 1 + side;
    int first = map->first[window], step = map->step[window];
    return !((map->ends[window] & 1) != 0 && map->stone[first - step] == own) &&
           !((map->ends[window] & 2) != 0 && map->stone[first + (int)map->k * step] == own);
}

unsigned window_map_find(const WindowMap *map, Side side, unsigned most, uint16_t *windows, unsigned room)
{
    const uint16_t *lack = map->lack[side];
    unsigned count = 0;
    for (unsigned first = 0; first < map->count; first += WINDOW_LANES) {
        Lanes lanes;
        memcpy(&lanes, lack + first, sizeof lanes);
        Halves found = (Halves)(lanes <= (uint16_t)most);
        if ((found[0] | found[1]) == 0)
            continue;
        for (unsigned window = first; window < first + WINDOW_LANES && count < room; window++)
            if (lack[window] <= most && window_fits(map, window, side))
                windows[count++] = (uint16_t)window;
    }
    return count;
}

void window_target(const WindowMap *map, unsigned window, Target *target)
{
    target->count = 0;
    for (unsigned i = 0; i < map->k; i++) {
        Cell cell = window_cell(map, window, i);
        if (map->stone[cell] == 0 && target->count < SEARCH_TURN_MAX)
            target->cell[target->count++] = cell;
    }
    target_end(target);
}

void window_targets(const WindowMap *map, const Hits *hits, Side side, Targets *targets)
{
    targets->count = 0;
    for (unsigned i = 0; i < hits->count; i++)
        if (window_fits(map, hits->window[i], side))
            window_target(map, hits->window[i], &targets->target[targets->count++]);
}
