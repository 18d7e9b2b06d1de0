// Windows of a board of up to 64 cells as bits of one word. threats/windows.h numbers windows by line and bit; here
// each window is the bit of its first cell, so that one operation handles all windows of a direction.
#include "solver/dfpn/dfpn_internal.h"

#include <math.h>
#include <string.h>

enum { LEVELS_MIN = 8 };

// --- Set up once ---

static uint64_t bit_of(const Rules *rules, unsigned column, unsigned row)
{
    return UINT64_C(1) << (row * rules->width + column);
}

static void add_window(const Rules *rules, SolverDirection *direction, const int at[2], const int by[2])
{
    int last = rules->k - 1;
    if (!rules_have_cell(rules, at[0] + last * by[0], at[1] + last * by[1]))
        return;
    uint64_t bit = bit_of(rules, (unsigned)at[0], (unsigned)at[1]);
    direction->starts |= bit;
    if (rules_have_cell(rules, at[0] - by[0], at[1] - by[1]))
        direction->before |= bit;
    if (rules_have_cell(rules, at[0] + rules->k * by[0], at[1] + rules->k * by[1]))
        direction->after |= bit;
}

// A window without one before it begins a line.
static void number_lines(SolverDirection *direction, unsigned *line_count)
{
    for (uint64_t left = direction->starts; left != 0; left &= left - 1) {
        unsigned start = bits_lowest(left), length = 1;
        if (direction->before >> start & 1)
            continue;
        unsigned number = (*line_count)++;
        direction->line[start] = number & 63;
        while (direction->after >> start & 1) {
            start += direction->step;
            direction->line[start] = number & 63;
            length++;
        }
        direction->length = length > direction->length ? length : direction->length;
    }
}

static void add_direction(SolverLines *lines, const int by[2], unsigned *line_count)
{
    const Rules *rules = &lines->rules;
    SolverDirection direction = {.step = (unsigned)(by[1] * rules->width + by[0])};
    for (int row = 0; row < rules->height; row++)
        for (int column = 0; column < rules->width; column++)
            add_window(rules, &direction, (int[]){column, row}, by);
    if (direction.starts == 0)
        return;
    for (unsigned i = 0; i < rules->k; i++)
        direction.pattern |= UINT64_C(1) << i * direction.step;
    number_lines(&direction, line_count);
    lines->direction[lines->directions++] = direction;
}

// Tables of the images of all bytes under a symmetry.
static void fill_image(SolverLines *lines, Symmetry symmetry)
{
    const Rules *rules = &lines->rules;
    for (unsigned cell = 0; cell < lines->cells; cell++) {
        Cell to = symmetry_cell(rules, symmetry, cell_at(cell % rules->width, cell / rules->width));
        uint64_t bit = bit_of(rules, cell_column(to), cell_row(to));
        for (unsigned byte = 0; byte < 256; byte++)
            if (byte >> cell % 8 & 1)
                lines->image[symmetry][cell / 8][byte] |= bit;
    }
}

// The danger of a side's windows is Beck's sum (Remarks on positional games I, 1982) of (1 + p)^(-lacking / p), for p =
// 1 that of Erdős and Selfridge. The other side can close all windows if the sum is below 1 and it has a whole turn, or
// below 1 / (1 + p) otherwise. Weights are rounded up, so a sum below the limit is safe.
static void fill_weights(SolverLines *lines)
{
    lines->danger_one = UINT64_C(1) << 40;
    for (unsigned lacks = 0; lacks < SOLVER_CELLS + 2; lacks++)
        lines->weight[lacks] =
            (uint64_t)ceil((double)lines->danger_one * pow(1.0 + lines->p, -(double)lacks / lines->p)) + 1;
}

void solver_lines_init(SolverLines *lines, const Rules *rules)
{
    static const int by[SOLVER_DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    memset(lines, 0, sizeof *lines);
    lines->rules = *rules;
    lines->cells = rules_cells(rules);
    lines->k = rules->k;
    lines->p = rules->p;
    unsigned levels = rules->p > LEVELS_MIN ? rules->p : LEVELS_MIN;
    lines->levels = levels < rules->k ? levels : rules->k;
    lines->all = bits_low(lines->cells);
    lines->bottom = bits_low(rules->width);
    unsigned line_count = 0;
    for (unsigned i = 0; i < SOLVER_DIRECTIONS; i++)
        add_direction(lines, by[i], &line_count);
    fill_weights(lines);
    lines->symmetries = symmetry_count(rules);
    for (Symmetry symmetry = 0; symmetry < lines->symmetries; symmetry++)
        fill_image(lines, symmetry);
}

// --- A position ---

// The rules that a view depends on: constants for the usual k, which makes it three times as fast.
typedef struct {
    unsigned k, levels;
    bool has_limit; // row_has_limit
} LineGeometry;

#define HOT static inline __attribute__((always_inline))

// Counts of empty cells of the windows of a direction: bit sets of those with more than 0, more than 1 …
typedef struct {
    uint64_t more[SOLVER_CELLS + 1];
} Counts;

HOT void count_empty(LineGeometry shape, unsigned step, uint64_t empty, Counts *counts)
{
    for (unsigned j = 0; j <= shape.levels; j++)
        counts->more[j] = 0;
    for (unsigned i = 0; i < shape.k; i++) {
        uint64_t cell = empty >> i * step;
        for (unsigned j = shape.levels < i ? shape.levels : i; j > 0; j--)
            counts->more[j] |= counts->more[j - 1] & cell;
        counts->more[0] |= cell;
    }
}

static inline uint64_t shift_up(uint64_t cells, unsigned by)
{
    return by < 64 ? cells << by : 0;
}

static inline uint64_t shift_down(uint64_t cells, unsigned by)
{
    return by < 64 ? cells >> by : 0;
}

// Windows that a side can still complete: no stone of the other side, and no own stone beside it if rows can be too
// long.
HOT uint64_t open_windows(LineGeometry shape, const SolverDirection *direction, uint64_t own, uint64_t other)
{
    uint64_t open = ~other;
    for (unsigned have = 1; have < shape.k;) {
        unsigned by = have < shape.k - have ? have : shape.k - have;
        open &= open >> by * direction->step;
        have += by;
    }
    open &= direction->starts;
    if (shape.has_limit) {
        open &= ~(shift_up(own, direction->step) & direction->before);
        open &= ~(shift_down(own, shape.k * direction->step) & direction->after);
    }
    return open;
}

HOT uint64_t cells_of(unsigned k, unsigned step, uint64_t windows)
{
    for (unsigned have = 1; have < k;) {
        unsigned by = have < k - have ? have : k - have;
        windows |= windows << by * step;
        have += by;
    }
    return windows;
}

HOT void look_along(const SolverLines *lines, LineGeometry shape, unsigned number, const SolverPosition *position,
                    unsigned side, const Counts *counts, SolverLook *look)
{
    const SolverDirection *direction = &lines->direction[number];
    uint64_t empty = solver_empty(lines, position);
    uint64_t open = open_windows(shape, direction, position->stones[side], position->stones[side ^ 1]);
    look->open[number] = open;
    if (open == 0)
        return;
    look->live |= cells_of(shape.k, direction->step, open);
    uint64_t rest = open;
    for (unsigned lacks = 1; lacks <= shape.levels && rest != 0; lacks++) {
        uint64_t windows = rest & ~counts->more[lacks];
        rest ^= windows;
        if (windows == 0)
            continue;
        look->danger += bits_count(windows) * lines->weight[lacks];
        if (lacks == 1)
            look->completing |= cells_of(shape.k, direction->step, windows) & empty;
        if (lacks < look->lacks) {
            look->lacks = lacks;
            look->nearest = direction->pattern << bits_lowest(windows) & empty;
        }
    }
    look->danger += bits_count(rest) * lines->weight[shape.levels + 1];
    if (rest != 0 && look->lacks == UINT32_MAX)
        look->lacks = shape.levels + 1;
}

HOT void view_with(const SolverLines *lines, LineGeometry shape, const SolverPosition *position, SolverView *view)
{
    uint64_t empty = solver_empty(lines, position);
    for (unsigned side = 0; side < 2; side++) {
        SolverLook *look = &view->of[side];
        look->live = look->completing = look->nearest = look->danger = 0;
        look->lacks = UINT32_MAX;
    }
    for (unsigned i = 0; i < lines->directions; i++) {
        Counts counts;
        count_empty(shape, lines->direction[i].step, empty, &counts);
        look_along(lines, shape, i, position, 0, &counts, &view->of[0]);
        look_along(lines, shape, i, position, 1, &counts, &view->of[1]);
    }
}

void solver_lines_view(const SolverLines *lines, const SolverPosition *position, SolverView *view)
{
    bool has_limit = row_has_limit(&lines->rules);
    if (lines->k == 4 && lines->levels == 4 && !has_limit)
        view_with(lines, (LineGeometry){4, 4, false}, position, view);
    else if (lines->k == 5 && lines->levels == 5 && !has_limit)
        view_with(lines, (LineGeometry){5, 5, false}, position, view);
    else
        view_with(lines, (LineGeometry){lines->k, lines->levels, has_limit}, position, view);
}

uint64_t solver_lines_common(const SolverLines *lines, const SolverPosition *position, const SolverLook *look,
                             unsigned lacks)
{
    uint64_t empty = solver_empty(lines, position), common = empty;
    for (unsigned i = 0; i < lines->directions; i++) {
        const SolverDirection *direction = &lines->direction[i];
        for (uint64_t open = look->open[i]; open != 0; open &= open - 1) {
            uint64_t cells = direction->pattern << bits_lowest(open) & empty;
            if (bits_count(cells) <= lacks)
                common &= cells;
        }
    }
    return common;
}

// --- The form that is searched ---

static inline uint64_t image_of(const SolverLines *lines, Symmetry symmetry, uint64_t cells)
{
    uint64_t image = 0;
    for (unsigned byte = 0; cells != 0; byte++, cells >>= 8)
        image |= lines->image[symmetry][byte][cells & 255];
    return image;
}

static void take_canonical(const SolverLines *lines, SolverPosition *position)
{
    uint64_t from[2] = {position->stones[0], position->stones[1]};
    for (Symmetry symmetry = 1; symmetry < lines->symmetries; symmetry++) {
        uint64_t first = image_of(lines, symmetry, from[0]);
        if (first > position->stones[0])
            continue;
        uint64_t second = image_of(lines, symmetry, from[1]);
        if (first == position->stones[0] && second >= position->stones[1])
            continue;
        position->stones[0] = first;
        position->stones[1] = second;
    }
}

static void put_walls(const SolverLines *lines, const SolverView *view, SolverPosition *position)
{
    uint64_t first = position->stones[0] & view->of[0].live, second = position->stones[1] & view->of[1].live;
    uint64_t empty = solver_empty(lines, position);
    if (!lines->rules.gravity)
        empty &= view->of[0].live | view->of[1].live;
    uint64_t wall = lines->all & ~(first | second | empty);
    position->stones[0] = first | wall;
    position->stones[1] = second | wall;
}

void solver_lines_reduce(const SolverLines *lines, const SolverView *view, SolverPosition *position)
{
    if (!row_has_limit(&lines->rules))
        put_walls(lines, view, position);
    unsigned room = bits_count(solver_empty(lines, position));
    position->left = position->left < room ? position->left : (uint16_t)room;
    take_canonical(lines, position);
}
