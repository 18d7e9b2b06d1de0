// The proof of a pattern: the search for the owner's win against every defence.
#include "papers/patterns/pattern_proof_internal.h"
#include "threats/lines.h"

#include <string.h>

typedef PatternProofFinding Finding;
typedef PatternProofEntry Entry;

enum {
    CLOCK_PERIOD = 64, // nodes between two checks of the clock and the stop flag
    FIRST_REPLIES = 2,
};

static void count_node(PatternProof *proof)
{
    proof->nodes++;
    proof->out = proof->out || limits_reached_every(&proof->limits, proof->nodes - 1, CLOCK_PERIOD);
}

// --- Stones ---

static bool is_near_border(const PatternProof *proof, Cell cell)
{
    unsigned x = cell_column(cell), y = cell_row(cell), margin = proof->margin;
    const Rules *rules = &proof->board.rules;
    return x < margin || y < margin || x + margin >= rules->width || y + margin >= rules->height;
}

static void flip_defender(PatternProof *proof, Cell cell)
{
    unsigned number = proof->number[cell];
    fours_flip(&proof->board, cell, proof->defender);
    if (number != PROOF_NO_NUMBER)
        proof->taken ^= UINT64_C(1) << number;
    else
        proof->outside ^= zobrist_stone[cell][proof->defender];
}

static void flip_owner(PatternProof *proof, unsigned number)
{
    fours_flip(&proof->board, proof->cell[number], proof->owner);
    proof->own ^= UINT64_C(1) << number;
}

// --- Goals ---

// Goals that the owner can still fill.
typedef struct {
    unsigned least;      // stones that the nearest one lacks; UINT32_MAX: there is none
    uint64_t completing; // the cells of those that lack one
    uint64_t danger;     // sum of 2^-n over all of them, n the stones that one lacks; danger_one stands for 1
} Outlook;

// Erdős and Selfridge (On a combinatorial game, 1973, theorem of the first section): the side that wants no goal to be
// filled succeeds if the danger is below 1 when it is to move, below 1/2 when it is not. It takes the cell that ends
// most danger; the other's next stone doubles the danger of goals through one cell, which was no more than that.
static const uint64_t danger_one = UINT64_C(1) << 40;

// Whether the owner can still fill a goal.
static bool goal_is_open(const PatternProof *proof, unsigned i)
{
    return (proof->goal[i] & proof->taken) == 0 && (proof->beside[i] & proof->own) == 0;
}

static Outlook look_at_goals(const PatternProof *proof)
{
    Outlook outlook = {.least = UINT32_MAX};
    for (unsigned i = 0; i < proof->goal_count; i++) {
        if (!goal_is_open(proof, i))
            continue;
        uint64_t lacking = proof->goal[i] & ~proof->own;
        unsigned count = bits_count(lacking);
        outlook.least = count < outlook.least ? count : outlook.least;
        outlook.completing |= count == 1 ? lacking : 0;
        outlook.danger += count < 40 ? danger_one >> count : 1; // too much rather than too little
    }
    return outlook;
}

// --- Zones ---

static void zone_add(PatternCells *zone, Cell cell)
{
    zone->rows[cell_row(cell)] |= cell_bit_in_row(cell);
}

static void zone_join(const PatternProof *proof, PatternCells *zone, const PatternCells *other)
{
    for (unsigned row = 0; row < proof->board.rules.height; row++)
        zone->rows[row] |= other->rows[row];
}

static void zone_copy(const PatternProof *proof, PatternCells *zone, const PatternCells *other)
{
    memcpy(zone->rows, other->rows, proof->board.rules.height * sizeof zone->rows[0]);
}

// The cells of all windows of a line with at least that many stones of the defender and none of the owner.
static uint64_t windows_of_line(const PatternProof *proof, unsigned line, unsigned stones)
{
    uint64_t theirs = proof->board.line[line][proof->defender], cells = 0;
    uint64_t free = proof->lines->mask[line] & ~proof->board.line[line][proof->owner];
    uint64_t starts = lines_windows(&proof->board, free);
    for (; starts != 0; starts &= starts - 1) {
        uint64_t window = bits_low(proof->rules.k) << bits_lowest(starts);
        cells |= bits_count(window & theirs) >= stones ? window : 0;
    }
    return cells & ~theirs;
}

static void zone_add_line(const PatternProof *proof, PatternCells *zone, unsigned line, unsigned stones)
{
    if (bits_count(proof->board.line[line][proof->defender]) < stones)
        return;
    for (uint64_t cells = windows_of_line(proof, line, stones); cells != 0; cells &= cells - 1)
        zone_add(zone, lines_cell(&proof->board, line, bits_lowest(cells)));
}

// Where up to `passes` more stones would let the defender complete a row. Each line is examined once, for the first of
// its stones that stands on it.
static void zone_add_counter(const PatternProof *proof, PatternCells *zone, unsigned passes)
{
    const Board *board = &proof->board;
    if (passes + 1 >= proof->rules.k) { // no stone has to be there
        for (unsigned row = 0; row < board->rules.height; row++)
            zone->rows[row] |= board->row_mask & ~board_occupied_row(board, row);
        return;
    }
    unsigned stones = proof->rules.k - 1u - passes;
    for (unsigned i = 0; i < proof->stones; i++) {
        Cell cell = proof->stone[i];
        CellLines at = board_lines_of(board, cell);
        unsigned line[4] = {at.row, at.column, at.rising, at.falling};
        for (unsigned j = 0; j < 4; j++) {
            uint64_t bit = j == 1 ? cell_bit_in_column(cell) : cell_bit_in_row(cell);
            uint64_t theirs = board->line[line[j]][proof->defender];
            if ((theirs & (bit - 1)) == 0)
                zone_add_line(proof, zone, line[j], stones);
        }
    }
}

// --- Positions met before, with the owner to move ---

static Entry *entry_of(PatternProof *proof, unsigned passes)
{
    uint64_t key = (proof->own * UINT64_C(0x9e3779b97f4a7c15)) ^ (proof->taken * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
                   proof->outside ^ (passes * UINT64_C(0x165667b19e3779f9));
    key ^= key >> 32;
    key *= UINT64_C(0xd6e8feb86659fd93);
    return &proof->table[key >> 52];
}

static bool entry_is_this(const PatternProof *proof, const Entry *entry, unsigned passes)
{
    return entry->run == proof->run && entry->own == proof->own && entry->taken == proof->taken &&
           entry->outside == proof->outside && entry->passes == passes;
}

static bool recall(PatternProof *proof, unsigned stones, unsigned passes, PatternCells *zone, Finding *finding)
{
    const Entry *entry = entry_of(proof, passes);
    if (!entry_is_this(proof, entry, passes))
        return false;
    if (entry->needs > 0 && entry->needs <= stones) {
        if (passes > 0)
            zone_copy(proof, zone, &entry->zone);
        *finding = FINDING_WON;
        return true;
    }
    *finding = entry->failed == PROOF_NEVER ? FINDING_NEVER : FINDING_NOT_YET;
    return entry->failed >= stones;
}

// The entry of the position, which another position may have had.
static Entry *take_entry(PatternProof *proof, unsigned passes)
{
    Entry *entry = entry_of(proof, passes);
    if (!entry_is_this(proof, entry, passes)) {
        entry->own = proof->own;
        entry->taken = proof->taken;
        entry->outside = proof->outside;
        entry->passes = (uint8_t)passes;
        entry->run = proof->run;
        entry->needs = entry->failed = 0;
    }
    return entry;
}

static void remember_win(PatternProof *proof, unsigned stones, unsigned passes, const PatternCells *zone)
{
    Entry *entry = take_entry(proof, passes);
    entry->needs = (uint8_t)stones;
    if (passes > 0)
        zone_copy(proof, &entry->zone, zone);
}

// --- The owner moves ---

typedef struct {
    uint64_t left;                      // cells to be tried, by number
    uint32_t weight[PATTERN_CELLS_MAX]; // the heaviest first
} Moves;

// Cells of goals that lack little weigh most: 4 times as much for each stone less.
static void weigh_moves(const PatternProof *proof, Moves *moves)
{
    memset(moves->weight, 0, proof->count * sizeof moves->weight[0]);
    for (unsigned i = 0; i < proof->goal_count; i++) {
        if (!goal_is_open(proof, i))
            continue;
        uint64_t lacking = proof->goal[i] & ~proof->own;
        unsigned count = bits_count(lacking);
        for (; lacking != 0; lacking &= lacking - 1)
            moves->weight[bits_lowest(lacking)] += count < 9 ? UINT32_C(1) << (20 - 2 * count) : 1;
    }
}

static unsigned next_move(Moves *moves)
{
    unsigned best = bits_lowest(moves->left);
    for (uint64_t left = moves->left; left != 0; left &= left - 1)
        if (moves->weight[bits_lowest(left)] > moves->weight[best])
            best = bits_lowest(left);
    moves->left &= ~(UINT64_C(1) << best);
    return best;
}

// The moves that meet the four the defender may have made with its last stone; false if none does.
static bool find_moves(const PatternProof *proof, Cell last, Moves *moves)
{
    FourTargets fours = {0};
    moves->left = bits_low(proof->count) & ~proof->own & ~proof->taken;
    if (last != CELL_NONE)
        fours_targets(proof->lines, &proof->board, last, proof->defender, &fours);
    if (fours.count == 1) {
        unsigned number = proof->number[fours.cell];
        moves->left &= number != PROOF_NO_NUMBER ? UINT64_C(1) << number : 0;
    }
    return fours.count < 2 && moves->left != 0;
}

// Tries the moves until one wins.
static Finding try_moves(PatternProof *proof, Moves *moves, unsigned stones, unsigned passes, PatternCells *zone)
{
    Finding finding = FINDING_NEVER;
    weigh_moves(proof, moves);
    while (moves->left != 0 && !proof->out) {
        unsigned move = next_move(moves);
        flip_owner(proof, move);
        Finding after = pattern_proof_defend(proof, stones - 1, passes, zone);
        flip_owner(proof, move);
        if (after == FINDING_WON) {
            zone_add(zone, proof->cell[move]);
            return FINDING_WON;
        }
        finding = after == FINDING_NOT_YET ? FINDING_NOT_YET : finding;
    }
    return finding;
}

// Whether the owner, who is to move, wins with up to that many stones; it cannot complete a row at once. `last` is the
// stone of the defender, CELL_NONE after a pass.
static Finding attack(PatternProof *proof, unsigned stones, unsigned passes, Cell last, PatternCells *zone)
{
    Finding finding = FINDING_NOT_YET;
    Moves moves;
    // 1. The limits, and what was found out before.
    count_node(proof);
    if (proof->out || recall(proof, stones, passes, zone, &finding))
        return finding;
    // 2. No move, no goal that cannot be averted, or none near enough.
    Outlook outlook = look_at_goals(proof);
    if (2 * outlook.danger < danger_one || !find_moves(proof, last, &moves))
        return FINDING_NEVER;
    if (outlook.least > stones)
        return FINDING_NOT_YET;
    // 3. The moves. With as many stones as there are cells, not yet is never.
    unsigned cells = proof->count - bits_count(proof->own | proof->taken);
    finding = try_moves(proof, &moves, stones, passes, zone);
    if (finding == FINDING_NOT_YET && stones >= cells)
        finding = FINDING_NEVER;
    if (finding == FINDING_WON && !proof->out)
        remember_win(proof, stones, passes, zone);
    else if (!proof->out)
        take_entry(proof, passes)->failed = finding == FINDING_NEVER ? PROOF_NEVER : (uint8_t)stones;
    return finding;
}

// --- The defender moves ---

static Finding reply(PatternProof *proof, Cell cell, unsigned stones, unsigned passes, PatternCells *zone)
{
    flip_defender(proof, cell);
    proof->stone[proof->stones++] = cell;
    proof->out = proof->out || is_near_border(proof, cell);
    Finding finding = attack(proof, stones, passes, cell, zone);
    proof->stones--;
    flip_defender(proof, cell);
    return finding;
}

// The defender passes. The shortest win leaves the smallest zone.
static Finding pass(PatternProof *proof, unsigned least, unsigned stones, unsigned passes, PatternCells *zone)
{
    Finding finding = FINDING_NOT_YET;
    for (unsigned s = least; s <= stones && finding == FINDING_NOT_YET && !proof->out; s++)
        finding = attack(proof, s, passes + 1, CELL_NONE, zone);
    return finding;
}

// One of the replies: if it holds, it is remembered, and tried first in positions like this. Its zone is added.
static Finding try_reply(PatternProof *proof, Cell cell, unsigned stones, unsigned passes, PatternCells *zone)
{
    PatternCells after;
    Finding finding = reply(proof, cell, stones, passes, &after);
    if (finding != FINDING_WON)
        proof->killer[stones] = cell;
    else if (passes > 0)
        zone_join(proof, zone, &after);
    return finding;
}

// Replies before the pass: if one of them holds, the position is not won, and less has to be searched than after a
// pass. The one that held last, and the heaviest cells of the pattern.
static Finding try_first(PatternProof *proof, unsigned stones, unsigned passes, PatternCells *zone)
{
    Finding finding = FINDING_WON;
    Cell killer = proof->killer[stones];
    Moves replies = {.left = bits_low(proof->count) & ~proof->own & ~proof->taken};
    if (killer != CELL_NONE && (board_occupied_row(&proof->board, cell_row(killer)) & cell_bit_in_row(killer)) == 0)
        finding = try_reply(proof, killer, stones, passes, zone);
    weigh_moves(proof, &replies);
    for (unsigned i = 0; i < FIRST_REPLIES && finding == FINDING_WON && replies.left != 0 && !proof->out; i++)
        finding = try_reply(proof, proof->cell[next_move(&replies)], stones, passes, zone);
    return finding;
}

// All replies of a zone.
static Finding try_replies(PatternProof *proof, const PatternCells *replies, unsigned stones, unsigned passes,
                           PatternCells *zone)
{
    Finding finding = FINDING_WON;
    for (unsigned row = 0; row < proof->board.rules.height; row++)
        for (uint64_t left = replies->rows[row]; left != 0; left &= left - 1) {
            finding = try_reply(proof, cell_at(bits_lowest(left), row), stones, passes, zone);
            if (finding != FINDING_WON || proof->out)
                return finding;
        }
    return finding;
}

static Finding defend_freely(PatternProof *proof, unsigned least, unsigned stones, unsigned passes, PatternCells *zone)
{
    PatternCells replies;
    if (proof->has_far_window && passes + 2 >= proof->rules.k)
        return FINDING_NEVER;
    if (least > stones)
        return FINDING_NOT_YET;
    Finding finding = try_first(proof, stones, passes, zone);
    if (finding == FINDING_WON)
        finding = pass(proof, least, stones, passes, &replies);
    if (finding != FINDING_WON || proof->out)
        return finding;
    zone_join(proof, zone, &replies);
    return try_replies(proof, &replies, stones, passes, zone);
}

Finding pattern_proof_defend(PatternProof *proof, unsigned stones, unsigned passes, PatternCells *zone)
{
    Outlook outlook = look_at_goals(proof);
    unsigned completing = bits_count(outlook.completing);
    Finding finding = FINDING_WON;
    count_node(proof);
    // 1. All goals can be averted, or there are no stones left.
    if (outlook.danger < danger_one)
        return FINDING_NEVER;
    if (stones == 0 || proof->out)
        return FINDING_NOT_YET;
    // 2. The replies there are.
    memset(zone->rows, 0, proof->board.rules.height * sizeof zone->rows[0]);
    Cell cell = completing > 0 ? proof->cell[bits_lowest(outlook.completing)] : (Cell)CELL_NONE;
    if (completing == 0)
        finding = defend_freely(proof, outlook.least, stones, passes, zone);
    else if (completing == 1)
        finding = reply(proof, cell, stones, passes, zone);
    if (finding != FINDING_WON || passes == 0)
        return finding;
    // 3. What the win leans on.
    if (completing > 0)
        zone_add(zone, cell);
    if (completing > 1)
        zone_add(zone, proof->cell[bits_lowest(outlook.completing & (outlook.completing - 1))]);
    zone_add_counter(proof, zone, passes);
    return FINDING_WON;
}
