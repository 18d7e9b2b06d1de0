// Proves that the defender holds a position.
#include "solver/dfpn/dfpn_internal.h"

enum {
    HELD_WINDOWS_MAX = SOLVER_DIRECTIONS * SOLVER_CELLS,
    TRIES = 48, // blocks to try; twice or half as many take about as long in total
};

// The empty cells of a window, and the number of its line modulo 64.
typedef struct {
    uint64_t cells, line;
} HeldWindow;

// The first `count` windows have no block yet; only their order changes.
typedef struct {
    HeldWindow window[HELD_WINDOWS_MAX];
    unsigned size; // of a block
    unsigned tries;
} Pairing;

// Whether there is room for a block per line: lines that cross share only one cell, so each needs its own.
static bool has_room(const SolverLines *lines, uint64_t empty, const SolverLook *look)
{
    unsigned needed = 0;
    for (unsigned i = 0; i < lines->directions; i++) {
        const SolverDirection *direction = &lines->direction[i];
        uint64_t open = look->open[i];
        for (unsigned j = 1; j < direction->length; j++)
            open |= (open & direction->before) >> direction->step;
        needed += bits_count(open & direction->starts & ~direction->before);
    }
    return needed * (lines->p + 1) <= bits_count(look->live & empty);
}

static bool collect(const SolverLines *lines, uint64_t empty, const SolverLook *look, Pairing *pairing, unsigned *count)
{
    *count = 0;
    for (unsigned i = 0; i < lines->directions; i++) {
        const SolverDirection *direction = &lines->direction[i];
        for (uint64_t open = look->open[i]; open != 0; open &= open - 1) {
            unsigned start = bits_lowest(open);
            uint64_t cells = direction->pattern << start & empty;
            if (bits_count(cells) < pairing->size)
                return false;
            pairing->window[(*count)++] = (HeldWindow){cells, UINT64_C(1) << direction->line[start]};
        }
    }
    return true;
}

// The free cells of the window without a block that has the fewest; 0 if there is no room.
static uint64_t tightest(const Pairing *pairing, unsigned count, uint64_t unused)
{
    uint64_t best = 0, cells = 0, lines = 0;
    unsigned least = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        uint64_t free = pairing->window[i].cells & unused;
        cells |= free;
        lines |= pairing->window[i].line;
        if (bits_count(free) < least) {
            least = bits_count(free);
            best = free;
        }
    }
    return least < pairing->size || bits_count(lines) * pairing->size > bits_count(cells) ? 0 : best;
}

// Moves the windows that contain this block to the end; returns the number of the others.
static unsigned set_aside(Pairing *pairing, unsigned count, uint64_t block)
{
    for (unsigned i = 0; i < count;) {
        if ((pairing->window[i].cells & block) != block) {
            i++;
            continue;
        }
        HeldWindow window = pairing->window[i];
        pairing->window[i] = pairing->window[--count];
        pairing->window[count] = window;
    }
    return count;
}

static bool cover(Pairing *pairing, unsigned count, uint64_t unused);

// Adds cells of `from` to a block until it is complete.
static bool choose(Pairing *pairing, unsigned count, uint64_t block, unsigned missing, uint64_t from, uint64_t unused)
{
    if (missing == 0) {
        if (pairing->tries == 0)
            return false;
        pairing->tries--;
        return cover(pairing, set_aside(pairing, count, block), unused & ~block);
    }
    for (; bits_count(from) >= missing; from &= from - 1)
        if (choose(pairing, count, block | (from & -from), missing - 1, from & (from - 1), unused))
            return true;
    return false;
}

static bool cover(Pairing *pairing, unsigned count, uint64_t unused)
{
    if (count == 0)
        return true;
    uint64_t cells = tightest(pairing, count, unused);
    return cells != 0 && choose(pairing, count, 0, pairing->size, cells, unused);
}

// Beck (Remarks on positional games I, 1982); for p = 1 it is the theorem of Erdős and Selfridge. An incomplete turn of
// the defender counts as none.
bool solver_danger_holds(const SolverLines *lines, const SolverPosition *position, unsigned side,
                         const SolverLook *look)
{
    bool whole = position->side != side && position->left >= lines->p;
    return look->danger * (whole ? 1 : 1 + lines->p) < lines->danger_one;
}

bool solver_pairing_holds(const SolverLines *lines, uint64_t empty, const SolverLook *look)
{
    if (look->lacks <= lines->p || !has_room(lines, empty, look))
        return false;
    Pairing pairing;
    pairing.size = lines->p + 1;
    pairing.tries = TRIES;
    unsigned count;
    return collect(lines, empty, look, &pairing, &count) && cover(&pairing, count, empty);
}
