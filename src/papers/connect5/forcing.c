// Forcing sequences of Kulev and Wu: a list of sequences of fours, which is extended by chaining and merging.
#include "papers/connect5/forcing.h"

#include "base/memory.h"
#include "threats/fours.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MAX = 1024, // windows of the position that lack two stones
    FROM_NONE = INT32_MAX,
    THROUGH_MAX = 4 * RULES_SIDE_MAX, // such windows through one cell
};

// A sequence without its steps. It is small, so that two fit into a cache line.
typedef struct {
    uint64_t cells; // one bit per cell, by its number modulo 64: sequences without a common bit are disjoint
    uint16_t length;
    uint16_t first_part; // merged: number of steps of the first part; otherwise 0
    Cell last;
    bool is_met; // the defender has a threat at its end, so it is not chained
} Sequence;

struct Forcing {
    Fours fours;
    unsigned most, cap, count;
    ForcingListing listing;
    unsigned siblings;   // a sequence is not listed again if it equals one from here on
    bool is_out;         // one sequence more than the cap was found
    Sequence *sequences; // `most`, and one for the sequence that wins
    uint64_t *keys;      // of their stones
    ForcingStep *steps;  // FORCING_STEPS_MAX per sequence
    Side attacker, defender;
    Board board; // the position with the stones of the sequence under examination
    FourPair pairs[PAIRS_MAX];
};

bool forcing_suits(const Rules *rules)
{
    return rules->p == 1;
}

Forcing *forcing_open(const Rules *rules, unsigned sequences_max)
{
    size_t room = (size_t)sequences_max + 1;
    Forcing *search = memory_new(1, sizeof *search);
    assert(forcing_suits(rules));
    search->most = sequences_max;
    search->sequences = memory_new(room, sizeof search->sequences[0]);
    search->keys = memory_new(room, sizeof search->keys[0]);
    search->steps = memory_new(room, FORCING_STEPS_MAX * sizeof search->steps[0]);
    fours_init(&search->fours, rules);
    return search;
}

void forcing_set_listing(Forcing *search, ForcingListing listing)
{
    search->listing = listing;
}

void forcing_close(Forcing *search)
{
    if (search == NULL)
        return;
    free(search->sequences);
    free(search->keys);
    free(search->steps);
    free(search);
}

static ForcingStep *steps_of(const Forcing *search, unsigned index)
{
    return search->steps + (size_t)index * FORCING_STEPS_MAX;
}

const ForcingStep *forcing_sequence(const Forcing *search, unsigned index, unsigned *length)
{
    assert(index <= search->count);
    *length = search->sequences[index].length;
    return steps_of(search, index);
}

// --- One step: a move and its answer ---

typedef enum { STEP_FAILS, STEP_FORCES, STEP_WINS } StepVerdict;

// Under gravity a stone makes the cell above it playable; adds that cell if the side completes a row there.
static void add_opened(const Forcing *search, Cell below, Side side, FourTargets *targets)
{
    unsigned row = cell_row(below) + 1u;
    if (!search->fours.gravity || row >= search->board.rules.height)
        return;
    Cell cell = cell_at(cell_column(below), row);
    if (!fours_completes(&search->fours, &search->board, cell, side))
        return;
    targets->count += targets->count == 0 || (targets->count == 1 && targets->cell != cell);
    targets->cell = cell;
}

// Plays the attacker's stone and returns its effect. Before, the attacker had no threat and the defender none except on
// this cell, so all threats are new and due to this stone.
static StepVerdict put_move(Forcing *search, Cell move, Cell *answer)
{
    FourTargets threats = {0}, counter = {0};
    assert(fours_can_play(&search->board, move));
    fours_flip(&search->board, move, search->attacker);
    add_opened(search, move, search->defender, &counter);
    if (counter.count > 0)
        return STEP_FAILS;
    fours_targets(&search->fours, &search->board, move, search->attacker, &threats);
    *answer = threats.cell;
    add_opened(search, move, search->attacker, &threats);
    if (threats.count == 1)
        *answer = threats.cell;
    return threats.count == 0 ? STEP_FAILS : threats.count == 1 ? STEP_FORCES : STEP_WINS;
}

// Plays the defender's answer, which wins for the attacker if it makes a cell of his playable. `counter` receives the
// defender's threats after it.
static StepVerdict put_answer(Forcing *search, Cell answer, FourTargets *counter)
{
    FourTargets threats = {0};
    fours_flip(&search->board, answer, search->defender);
    add_opened(search, answer, search->attacker, &threats);
    if (threats.count > 0)
        return STEP_WINS;
    *counter = (FourTargets){0};
    fours_targets(&search->fours, &search->board, answer, search->defender, counter);
    add_opened(search, answer, search->defender, counter);
    return STEP_FORCES;
}

static void flip_step(Forcing *search, ForcingStep step)
{
    fours_flip(&search->board, step.move, search->attacker);
    fours_flip(&search->board, step.answer, search->defender);
}

static void flip_steps(Forcing *search, const ForcingStep *steps, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        flip_step(search, steps[i]);
}

// --- The list ---

static uint64_t cells_of(ForcingStep step)
{
    return UINT64_C(1) << (step.move % 64) | UINT64_C(1) << (step.answer % 64);
}

static uint64_t key_of(const Forcing *search, ForcingStep step)
{
    return zobrist_stone[step.move][search->attacker] ^ zobrist_stone[step.answer][search->defender];
}

static bool is_listed(const Forcing *search, uint64_t key)
{
    for (unsigned i = search->siblings; i < search->count; i++)
        if (search->keys[i] == key)
            return true;
    return false;
}

// Before a sequence is extended. With FORCING_EVERY only what extends the same sequence is compared.
static void begin_siblings(Forcing *search)
{
    search->siblings = search->listing == FORCING_EVERY ? search->count : 0;
}

// Appends the sequence whose steps have been written behind the list, unless the list is full.
static void add(Forcing *search, const Sequence *sequence, uint64_t key)
{
    search->is_out = search->count == search->cap;
    if (search->is_out)
        return;
    search->sequences[search->count] = *sequence;
    search->keys[search->count] = key;
    search->count++;
}

// Records that the sequence behind the list wins: after its steps the attacker needs one more stone.
static void set_won(Forcing *search, unsigned length, ForcingResult *result)
{
    search->sequences[search->count] = (Sequence){.length = (uint16_t)length};
    result->won = true;
    result->move = steps_of(search, search->count)[0].move;
    result->stones = 2 * length + 1;
}

// --- Chaining ---

// Lists the sequence whose stones are on the board (FROM_NONE: no sequence) with one more forcing move; true if that
// wins.
static bool extend(Forcing *search, unsigned from, Cell move, Cell answer, ForcingResult *result)
{
    const Sequence *before = from < search->count ? &search->sequences[from] : NULL;
    unsigned length = before != NULL ? before->length : 0;
    ForcingStep step = {move, answer}, *steps = steps_of(search, search->count);
    // 1. Skip what is listed, not playable or too long.
    uint64_t key = key_of(search, step) ^ (before != NULL ? search->keys[from] : 0);
    if (length == FORCING_STEPS_MAX || is_listed(search, key) || !fours_can_play(&search->board, move))
        return false;
    // 2. The move. It may be forcing through another window than the one in which it was found.
    FourTargets counter = {0};
    StepVerdict verdict = put_move(search, move, &step.answer);
    if (verdict != STEP_FORCES || step.answer != answer) {
        fours_flip(&search->board, move, search->attacker);
        if (verdict != STEP_WINS)
            return false;
    }
    if (before != NULL)
        memcpy(steps, steps_of(search, from), length * sizeof steps[0]);
    steps[length] = step;
    // 3. The answer.
    if (verdict != STEP_WINS) {
        verdict = put_answer(search, answer, &counter);
        flip_step(search, step);
    }
    if (verdict == STEP_WINS) {
        set_won(search, length + 1, result);
        return true;
    }
    Sequence after = {.cells = cells_of(step) | (before != NULL ? before->cells : 0),
                      .length = (uint16_t)(length + 1),
                      .last = move,
                      .is_met = counter.count > 0};
    add(search, &after, key);
    return false;
}

// Shortens the list to `count` sequences and puts the one that wins behind them.
static void settle(Forcing *search, unsigned count)
{
    memmove(steps_of(search, count), steps_of(search, search->count), FORCING_STEPS_MAX * sizeof search->steps[0]);
    search->sequences[count] = search->sequences[search->count];
    search->count = count;
}

// Both moves of each pair.
static bool extend_by(Forcing *search, unsigned from, const FourPair *pairs, unsigned count, ForcingResult *result)
{
    for (unsigned i = 0; i < count; i++)
        if (extend(search, from, pairs[i].cell[0], pairs[i].cell[1], result) ||
            extend(search, from, pairs[i].cell[1], pairs[i].cell[0], result))
            return true;
    return false;
}

// The moves of some steps as bits of the four lines of a cell.
static void bits_on_lines(const Board *board, Cell cell, const ForcingStep *steps, unsigned count, uint64_t bits[4])
{
    CellLines at = board_lines_of(board, cell);
    memset(bits, 0, 4 * sizeof bits[0]);
    for (unsigned i = 0; i < count; i++) {
        CellLines other = board_lines_of(board, steps[i].move);
        bits[0] |= other.row == at.row ? cell_bit_in_row(steps[i].move) : 0;
        bits[1] |= other.column == at.column ? cell_bit_in_column(steps[i].move) : 0;
        bits[2] |= other.rising == at.rising ? cell_bit_in_row(steps[i].move) : 0;
        bits[3] |= other.falling == at.falling ? cell_bit_in_row(steps[i].move) : 0;
    }
}

// Chains by moves whose four has this stone and, unless `with` is NULL, one of these bits of its lines.
static bool chain_through(Forcing *search, unsigned from, Cell last, const uint64_t *with, ForcingResult *result)
{
    FourPair pairs[THROUGH_MAX];
    unsigned count = fours_pairs(&search->fours, &search->board, last, search->attacker, with, pairs, THROUGH_MAX);
    return extend_by(search, from, pairs, count, result);
}

// Chains by moves whose four has the cell above a stone, which the stone made playable.
static bool chain_opened(Forcing *search, unsigned from, Cell below, ForcingResult *result)
{
    Cell cell = cell_at(cell_column(below), cell_row(below) + 1u);
    return cell_row(below) + 1u < search->board.rules.height && fours_can_play(&search->board, cell) &&
           chain_through(search, from, cell, NULL, result);
}

static bool chain_one(Forcing *search, unsigned from, ForcingResult *result)
{
    const Sequence *sequence = &search->sequences[from];
    const ForcingStep *steps = steps_of(search, from);
    unsigned length = sequence->length, first = search->listing == FORCING_EVERY ? 0 : sequence->first_part;
    begin_siblings(search);
    if (first > 0) {
        // Merged: through the last stone of one part, with a stone of the other part.
        uint64_t with[4];
        bits_on_lines(&search->board, steps[length - 1].move, steps, first, with);
        if (chain_through(search, from, steps[length - 1].move, with, result))
            return true;
        bits_on_lines(&search->board, steps[first - 1].move, steps + first, length - first, with);
        return chain_through(search, from, steps[first - 1].move, with, result);
    }
    return chain_through(search, from, steps[length - 1].move, NULL, result) ||
           (search->fours.gravity && (chain_opened(search, from, steps[length - 1].move, result) ||
                                      chain_opened(search, from, steps[length - 1].answer, result)));
}

// Chains all sequences from this one on: including those it adds, or with FORCING_EVERY without them.
static bool chain(Forcing *search, unsigned from, ForcingResult *result)
{
    const unsigned listed = search->count;
    for (bool won = false; from < (search->listing == FORCING_EVERY ? listed : search->count); from++) {
        if (search->sequences[from].is_met || search->is_out)
            continue;
        unsigned length = search->sequences[from].length, count = search->count;
        flip_steps(search, steps_of(search, from), length);
        won = chain_one(search, from, result);
        flip_steps(search, steps_of(search, from), length);
        if (won) {
            settle(search, count);
            return true;
        }
    }
    return false;
}

// --- Merging ---

static unsigned difference(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

// Whether two cells are on one line and within one window.
static bool are_close(Cell a, Cell b, unsigned k)
{
    unsigned columns = difference(cell_column(a), cell_column(b)), rows = difference(cell_row(a), cell_row(b));
    return columns < k && rows < k && (columns == rows || columns == 0 || rows == 0);
}

static bool share_no_cell(const Forcing *search, unsigned a, unsigned b)
{
    const Sequence *first = &search->sequences[a], *second = &search->sequences[b];
    if ((first->cells & second->cells) == 0)
        return true;
    for (unsigned i = 0; i < first->length; i++)
        for (unsigned j = 0; j < second->length; j++) {
            ForcingStep x = steps_of(search, a)[i], y = steps_of(search, b)[j];
            if (x.move == y.move || x.move == y.answer || x.answer == y.move || x.answer == y.answer)
                return false;
        }
    return true;
}

typedef struct {
    StepVerdict verdict;
    unsigned length; // won: steps up to there
    bool is_met;
} Replay;

// Plays the steps behind the list one after another, and takes them back.
static Replay replay(Forcing *search, unsigned length)
{
    ForcingStep *steps = steps_of(search, search->count);
    Replay played = {.verdict = STEP_FORCES};
    FourTargets counter = {0};
    while (played.length < length && played.verdict == STEP_FORCES) {
        ForcingStep *step = &steps[played.length];
        // 1. A threat of the defender must be met by the very next move.
        if (counter.count > 1 || (counter.count == 1 && counter.cell != step->move)) {
            played.verdict = STEP_FAILS;
            break;
        }
        // 2. The move makes the threat that it made in its part, or more.
        Cell answer = CELL_NONE;
        played.verdict = put_move(search, step->move, &answer);
        if (played.verdict == STEP_FORCES && answer == step->answer) {
            played.verdict = put_answer(search, answer, &counter);
            played.length++;
            continue;
        }
        played.verdict = played.verdict == STEP_WINS ? STEP_WINS : STEP_FAILS;
        fours_flip(&search->board, step->move, search->attacker);
        if (played.verdict == STEP_WINS) {
            step->answer = answer;
            flip_steps(search, steps, played.length++);
            return played;
        }
    }
    flip_steps(search, steps, played.length);
    played.is_met = counter.count > 0;
    return played;
}

// Joins two sequences in this order; true if that wins. `holds` receives whether the result is valid.
static bool merge_in_order(Forcing *search, unsigned a, unsigned b, bool *holds, ForcingResult *result)
{
    const Sequence *first = &search->sequences[a], *second = &search->sequences[b];
    ForcingStep *steps = steps_of(search, search->count);
    unsigned length = first->length + second->length;
    memcpy(steps, steps_of(search, a), first->length * sizeof steps[0]);
    memcpy(steps + first->length, steps_of(search, b), second->length * sizeof steps[0]);
    Replay played = replay(search, length);
    *holds = played.verdict == STEP_FORCES && !played.is_met;
    if (played.verdict == STEP_WINS) {
        set_won(search, played.length, result);
        return true;
    }
    if (*holds) {
        Sequence merged = {.cells = first->cells | second->cells,
                           .length = (uint16_t)length,
                           .first_part = first->length,
                           .last = second->last};
        add(search, &merged, search->keys[a] ^ search->keys[b]);
    }
    return false;
}

static bool merge_pair(Forcing *search, unsigned a, unsigned b, ForcingResult *result)
{
    const Sequence *first = &search->sequences[a], *second = &search->sequences[b];
    begin_siblings(search);
    if (!are_close(first->last, second->last, search->fours.k) || !share_no_cell(search, a, b) ||
        first->length + second->length > FORCING_STEPS_MAX || is_listed(search, search->keys[a] ^ search->keys[b]))
        return false;
    bool holds = false;
    return merge_in_order(search, a, b, &holds, result) || (!holds && merge_in_order(search, b, a, &holds, result));
}

// Merges all pairs of the current list, except those of which both are before `from`, which have been merged.
static bool merge(Forcing *search, unsigned from, ForcingResult *result)
{
    unsigned count = search->count;
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = a + 1 > from ? a + 1 : from; b < count && !search->is_out; b++)
            if (merge_pair(search, a, b, result))
                return true;
    return false;
}

// --- The search ---

// Chains and merges in turn until nothing new is found.
static void grow(Forcing *search, ForcingResult *result)
{
    unsigned chained = 0, merged = 0;
    while (chained < search->count && !search->is_out) {
        unsigned before = search->count;
        if (chain(search, chained, result))
            return;
        unsigned count = search->count;
        if (merge(search, merged, result))
            return;
        merged = count;
        chained = search->listing == FORCING_EVERY ? before : count;
    }
}

void forcing_run(Forcing *search, const Board *board, unsigned cap, ForcingResult *result)
{
    assert(!board_is_over(board) && cap <= search->most);
    *result = (ForcingResult){.move = CELL_NONE};
    search->count = search->siblings = 0;
    search->is_out = false;
    search->cap = cap;
    search->attacker = board_side(board);
    search->defender = side_other(search->attacker);
    // 1. Existing threats.
    FoursFound found = fours_all(&search->fours, board, search->attacker, search->pairs, PAIRS_MAX);
    search->sequences[0].length = 0;
    if (found.own.count > 0)
        *result = (ForcingResult){.won = true, .move = found.own.cell, .stones = 1};
    if (found.own.count > 0 || found.other.count > 0 || found.count == 0 || board_stones_left(board) > 1)
        return;
    // 2. The forcing moves of the position and the sequences that begin with them.
    board_copy(&search->board, board);
    if (extend_by(search, FROM_NONE, search->pairs, found.count, result))
        settle(search, 0);
    else
        grow(search, result);
    result->sequences = search->count;
}
