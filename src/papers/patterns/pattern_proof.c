// The proof of a pattern: setting up the cells and windows of a pattern, alone or on a board, and the result.
#include "base/memory.h"
#include "papers/patterns/pattern_proof_internal.h"
#include "threats/lines.h"

#include <stdlib.h>
#include <string.h>

PatternProof *pattern_proof_open(const Rules *rules)
{
    assert(pattern_suits(rules));
    PatternProof *proof = memory_new(1, sizeof *proof);
    proof->table = memory_new(PROOF_ENTRIES, sizeof *proof->table);
    proof->rules = *rules;
    // The defender may win with longer rows under all rules: a proof against more defences is still a proof.
    proof->loose_rules = *rules;
    proof->loose_rules.exact = false;
    proof->scratch_rules = (Rules){.width = RULES_SIDE_MAX, .height = RULES_SIDE_MAX, .k = rules->k, .p = 1, .q = 1};
    fours_init(&proof->fours, &proof->loose_rules);
    fours_init(&proof->scratch_fours, &proof->scratch_rules);
    return proof;
}

void pattern_proof_close(PatternProof *proof)
{
    if (proof == NULL)
        return;
    free(proof->table);
    free(proof);
}

// --- Setting up ---

static void begin(PatternProof *proof, const Limits *limits)
{
    proof->own = proof->taken = proof->outside = 0;
    proof->stones = proof->count = proof->goal_count = 0;
    memset(proof->number, PROOF_NO_NUMBER, sizeof proof->number);
    proof->limits = *limits;
    proof->nodes = 0;
    proof->out = false;
    for (unsigned i = 0; i <= PATTERN_CELLS_MAX; i++)
        proof->killer[i] = CELL_NONE;
    if (++proof->run == 0) { // 0 is the mark of entries that were never used
        memset(proof->table, 0, PROOF_ENTRIES * sizeof proof->table[0]);
        proof->run = 1;
    }
}

// False when there are too many.
static bool add_empty_cell(PatternProof *proof, Cell cell)
{
    if (proof->count == PATTERN_CELLS_MAX)
        return false;
    proof->number[cell] = (uint8_t)proof->count;
    proof->cell[proof->count++] = cell;
    return true;
}

// Whether the owner fills the first goal whenever it fills the second one.
static bool goal_covers(uint64_t goal, uint64_t beside, uint64_t other, uint64_t other_beside)
{
    return (goal & ~other) == 0 && (beside & ~other_beside) == 0;
}

static void add_goal(PatternProof *proof, uint64_t goal, uint64_t beside)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < proof->goal_count; i++) {
        if (goal_covers(proof->goal[i], proof->beside[i], goal, beside))
            return; // nothing was dropped before: none of two goals that are kept covers the other
        if (goal_covers(goal, beside, proof->goal[i], proof->beside[i]))
            continue;
        proof->goal[kept] = proof->goal[i];
        proof->beside[kept++] = proof->beside[i];
    }
    assert(kept < PROOF_GOALS_MAX);
    proof->goal[kept] = goal;
    proof->beside[kept] = beside;
    proof->goal_count = kept + 1;
}

// Under `exact`, the cell beside a row: empty cells of the pattern are added to `beside`, the owner does not play on
// others. False if the owner has a stone there, or may have one, since a pattern says nothing about other cells.
static bool look_beside(const PatternProof *proof, unsigned line, unsigned bit, uint64_t *beside)
{
    if (bit >= RULES_SIDE_MAX || (proof->lines->mask[line] >> bit & 1) == 0)
        return true; // the border of a board
    if ((proof->board.line[line][proof->owner] >> bit & 1) != 0)
        return false;
    unsigned number = proof->number[lines_cell(&proof->board, line, bit)];
    if (number != PROOF_NO_NUMBER)
        *beside |= UINT64_C(1) << number;
    return number != PROOF_NO_NUMBER || proof->margin == 0;
}

static bool row_stays_exact(const PatternProof *proof, unsigned line, unsigned first, uint64_t *beside)
{
    return !row_has_limit(&proof->rules) ||
           (look_beside(proof, line, first - 1, beside) && look_beside(proof, line, first + proof->rules.k, beside));
}

static uint64_t bits_of_window(const PatternProof *proof, unsigned line, uint64_t empty)
{
    uint64_t goal = 0;
    for (; empty != 0; empty &= empty - 1)
        goal |= UINT64_C(1) << proof->number[lines_cell(&proof->board, line, bits_lowest(empty))];
    return goal;
}

// Windows of the owner's stones and the empty cells of the pattern; `able` has both as stones.
static void find_goals(PatternProof *proof, const Board *able)
{
    for (unsigned line = 0; line < able->line_count; line++) {
        uint64_t starts = lines_windows(able, able->line[line][proof->owner]);
        for (; starts != 0; starts &= starts - 1) {
            uint64_t window = bits_low(proof->rules.k) << bits_lowest(starts), beside = 0;
            if (row_stays_exact(proof, line, bits_lowest(starts), &beside))
                add_goal(proof, bits_of_window(proof, line, window & ~proof->board.line[line][proof->owner]), beside);
        }
    }
}

// The defender's stones. True if it can complete a row: it is to move, and there is nothing to prove.
static bool find_stones(PatternProof *proof)
{
    FourTargets fours = {0};
    for (unsigned row = 0; row < proof->board.rules.height; row++)
        for (uint64_t left = proof->board.line[row][proof->defender]; left != 0; left &= left - 1) {
            Cell cell = cell_at(bits_lowest(left), row);
            proof->stone[proof->stones++] = cell;
            fours_targets(proof->lines, &proof->board, cell, proof->defender, &fours);
        }
    return fours.count > 0;
}

static bool defender_has_row(const PatternProof *proof)
{
    for (unsigned line = 0; line < proof->board.line_count; line++)
        if (lines_windows(&proof->board, proof->board.line[line][proof->defender]) != 0)
            return true;
    return false;
}

static bool owner_has_row(const PatternProof *proof)
{
    for (unsigned i = 0; i < proof->goal_count; i++)
        if (proof->goal[i] == 0)
            return true;
    return false;
}

// Whether there is a window of empty cells outside of the pattern; `able` has the pattern's as stones.
static bool has_far_window(const PatternProof *proof, const Board *able)
{
    for (unsigned line = 0; line < able->line_count; line++) {
        uint64_t empty = proof->lines->mask[line] & ~able->line[line][0] & ~able->line[line][1];
        if (lines_windows(able, empty) != 0)
            return true;
    }
    return false;
}

// --- Running ---

static PatternProofResult result_of(const PatternProof *proof, PatternVerdict verdict, unsigned moves)
{
    return (PatternProofResult){.verdict = verdict, .moves = moves, .nodes = proof->nodes};
}

// Deepens stone by stone; with more stones than there are cells nothing changes.
static PatternProofResult deepen(PatternProof *proof)
{
    PatternProofFinding finding = FINDING_NOT_YET;
    unsigned stones = 0;
    while (finding == FINDING_NOT_YET && stones < proof->count && !proof->out) {
        PatternCells zone;
        finding = pattern_proof_defend(proof, ++stones, 0, &zone);
    }
    if (proof->out)
        return result_of(proof, PATTERN_UNDECIDED, 0);
    return finding == FINDING_WON ? result_of(proof, PATTERN_PROVED, stones) : result_of(proof, PATTERN_REFUTED, 0);
}

// The position and the empty cells are there.
static PatternProofResult prove(PatternProof *proof)
{
    Board able;
    board_copy(&able, &proof->board);
    for (unsigned i = 0; i < proof->count; i++)
        board_put(&able, proof->cell[i], proof->owner);
    proof->has_far_window = proof->margin > 0 || has_far_window(proof, &able);
    find_goals(proof, &able);
    bool is_lost = defender_has_row(proof), is_won = owner_has_row(proof);
    bool is_beaten = find_stones(proof);
    if (is_lost || (is_beaten && !is_won))
        return result_of(proof, PATTERN_REFUTED, 0);
    if (is_won)
        return result_of(proof, PATTERN_PROVED, 0);
    return deepen(proof);
}

PatternProofResult pattern_proof_run(PatternProof *proof, const Pattern *pattern, const Limits *limits)
{
    assert(pattern_is_good(pattern));
    begin(proof, limits);
    proof->owner = SIDE_FIRST;
    proof->defender = SIDE_SECOND;
    proof->lines = &proof->scratch_fours;
    proof->margin = proof->rules.k - 1u;
    board_init(&proof->board, &proof->scratch_rules);
    unsigned column = (RULES_SIDE_MAX - pattern->width) / 2u, row = (RULES_SIDE_MAX - pattern->height) / 2u;
    for (unsigned i = 0; i < pattern->count; i++) {
        const PatternCell *at = &pattern->cell[i];
        Cell cell = cell_at(column + at->column, row + at->row);
        if (at->own)
            board_put(&proof->board, cell, proof->owner);
        else
            (void)add_empty_cell(proof, cell); // a pattern has no more than there is room for
    }
    return prove(proof);
}

PatternProofResult pattern_proof_run_on(PatternProof *proof, const Board *board, Side owner, const PatternCells *cells,
                                        const Limits *limits)
{
    assert(rules_equal(&board->rules, &proof->rules));
    begin(proof, limits);
    proof->owner = owner;
    proof->defender = side_other(owner);
    proof->lines = &proof->fours;
    proof->margin = 0;
    board_copy(&proof->board, board);
    proof->board.rules = proof->loose_rules;
    bool fits = true;
    for (unsigned y = 0; y < board->rules.height; y++)
        for (uint64_t left = cells->rows[y] & board->row_mask & ~board_occupied_row(board, y); left != 0;
             left &= left - 1)
            fits = fits && add_empty_cell(proof, cell_at(bits_lowest(left), y));
    return fits ? prove(proof) : result_of(proof, PATTERN_UNDECIDED, 0);
}
