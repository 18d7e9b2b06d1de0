// The search of Szóts and Harmati that extracts patterns from the positions it meets.
#include "papers/patterns/extraction.h"

#include "base/memory.h"
#include "threats/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a node is worth, for the side that moves at the root.
typedef struct {
    double match;       // of the pattern it hangs on; 0: there is none
    double heuristic;   // value of the game since the root
    unsigned tier;      // of the pattern
    PatternCells cells; // of the pattern
} Outcome;

struct Extraction {
    ExtractionOptions options;
    Potential *potential;
    const PatternIndex *index;
    const Limits *limits;
    const ExtractionJudge *judge;
    Board start; // the position at the root
    Side root;
    uint64_t nodes, matches;
    bool is_critical;               // a pattern has been met
    bool is_out;                    // a limit was reached
    uint16_t rank[RULES_CELLS_MAX]; // orders cells with equal heuristic values; the lowest comes first
    Outcome choices[EXTRACTION_DEPTH_MAX + 1][EXTRACTION_BRANCHING_MAX];
};

Extraction *extraction_open(const ExtractionOptions *options, const Rules *rules)
{
    assert(options->branching > 0 && options->branching <= EXTRACTION_BRANCHING_MAX && options->depth > 0 &&
           options->depth <= EXTRACTION_DEPTH_MAX && pattern_suits(rules));
    Extraction *search = memory_new(1, sizeof *search);
    search->options = *options;
    search->potential = potential_open(rules, options->base);
    return search;
}

void extraction_close(Extraction *search)
{
    if (search != NULL)
        potential_close(search->potential);
    free(search);
}

double extraction_pattern_value(const ExtractionOptions *options, unsigned tier, unsigned size)
{
    double share = 1 - options->size_cost * size;
    return 1e6 * pow(options->factor, -(double)tier) * (share > 0.01 ? share : 0.01);
}

static unsigned count_cells(const PatternCells *cells)
{
    unsigned count = 0;
    for (unsigned row = 0; row < RULES_SIDE_MAX; row++)
        count += bits_count(cells->rows[row]);
    return count;
}

// +1 where a side is the one that moves at the root.
static double sign_of(const Extraction *search, Side side)
{
    return side == search->root ? 1 : -1;
}

// --- Candidates ---

typedef struct {
    const Extraction *search;
    double sum;
} Completing;

// Section 3.1 values a pattern relative to a complete row by its incompleteness. A pattern of tier t that lacks one
// stone is a row that lacks 1 + t stones. Its product along the pattern instead would grow with the pattern, so that
// a pattern of 9 own cells would count as much as 10,000 completed rows.
static bool add_completing(void *context, const PatternMatch *match)
{
    Completing *completing = context;
    const ExtractionOptions *options = &completing->search->options;
    unsigned k = potential_board(completing->search->potential)->rules.k;
    double stones = options->by_product ? match->picture->own - 1.0 : k - 1.0 - match->tier;
    completing->sum += pow(options->base, stones);
    return true;
}

// The value that a cell has for a side by the known patterns that lack only a stone there.
static double higher_tiers(const Extraction *search, Cell cell, Side side)
{
    Completing completing = {search, 0};
    pattern_index_each(search->index, potential_board(search->potential), cell, side, add_completing, &completing);
    return completing.sum;
}

// What a stone adds to the value of the game for its side: m times its own part after the stone, less what the cell was
// worth before.
static double gain_of(const Extraction *search, Cell cell)
{
    bool summed = !search->options.is_signed;
    double gain = potential_gain(search->potential, cell, summed);
    if (search->options.in_evaluation) {
        Side side = board_side(potential_board(search->potential));
        double own = higher_tiers(search, cell, side), other = higher_tiers(search, cell, side_other(side));
        gain += search->options.base * own - (summed ? own + other : own - other);
    }
    return gain;
}

typedef struct {
    unsigned count;
    Cell cell[EXTRACTION_BRANCHING_MAX];
    double worth[EXTRACTION_BRANCHING_MAX];
} Candidates;

static bool comes_before(const Extraction *search, const Candidates *list, Cell cell, double worth, unsigned at)
{
    return worth != list->worth[at] ? worth > list->worth[at] : search->rank[cell] < search->rank[list->cell[at]];
}

// Inserts a cell into its place, the best first; a full list drops its last cell.
static void insert_candidate(const Extraction *search, Candidates *list, Cell cell, double worth)
{
    unsigned at = list->count, most = search->options.branching;
    if (at == most && !comes_before(search, list, cell, worth, most - 1))
        return;
    at = at == most ? most - 1 : list->count++;
    for (; at > 0 && comes_before(search, list, cell, worth, at - 1); at--) {
        list->cell[at] = list->cell[at - 1];
        list->worth[at] = list->worth[at - 1];
    }
    list->cell[at] = cell;
    list->worth[at] = worth;
}

static void rate_with_patterns(const Extraction *search, Candidates *list)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(potential_board(search->potential), cells);
    for (unsigned i = 0; i < count; i++) {
        double worth = potential_sum(search->potential, cells[i]) + higher_tiers(search, cells[i], SIDE_FIRST) +
                       higher_tiers(search, cells[i], SIDE_SECOND);
        insert_candidate(search, list, cells[i], worth);
    }
}

static void list_candidates(const Extraction *search, Candidates *list)
{
    list->count = 0;
    if (search->options.in_branching)
        rate_with_patterns(search, list);
    else
        list->count = potential_best(search->potential, list->cell, search->options.branching, search->rank);
}

// The pruning by halves (section 4.4).
static bool ends_list(const Extraction *search, const Candidates *list, unsigned i)
{
    return search->options.in_branching && search->options.halves && !search->is_critical && i > 0 &&
           list->worth[i] < list->worth[i - 1] / 2;
}

// --- Matches ---

static void add_cell(const Board *board, unsigned line, unsigned bit, PatternCells *cells)
{
    Cell cell = lines_cell(board, line, bit);
    cells->rows[cell_row(cell)] |= cell_bit_in_row(cell);
}

// Adds the cell beside a row if it was empty at the root: a stone of the owner there would have made the row too long.
// A pattern cannot contain a stone of the other side or a border.
static void add_cell_beside(const Board *board, unsigned line, unsigned bit, PatternCells *cells)
{
    uint64_t taken = board->line[line][SIDE_FIRST] | board->line[line][SIDE_SECOND];
    if (bit < RULES_SIDE_MAX && (lines_mask(board, line) & ~taken) >> bit & 1)
        add_cell(board, line, bit, cells);
}

// Adds k cells of a row of the side through bit `at` of a line, under `exact` with the empty cells beside it; false if
// there is no such row.
static bool add_row(const Extraction *search, unsigned line, unsigned at, Side side, PatternCells *cells)
{
    const Board *board = potential_board(search->potential);
    uint64_t own = board->line[line][side];
    unsigned k = board->rules.k, below = bits_run_below(own, at);
    unsigned length = below + 1 + bits_run_above(own, at);
    if (length < k || !row_wins_beside(&board->rules, length > k))
        return false;
    unsigned low = at - (below < k ? below : k - 1);
    for (unsigned bit = low; bit < low + k; bit++)
        add_cell(board, line, bit, cells);
    if (row_has_limit(&board->rules)) {
        add_cell_beside(&search->start, line, low - 1, cells);
        add_cell_beside(&search->start, line, low + k, cells);
    }
    return true;
}

static void match_row(const Extraction *search, const Board *board, Cell cell, Side side, Outcome *outcome)
{
    CellLines at = board_lines_of(board, cell);
    unsigned column = cell_column(cell);
    (void)(add_row(search, at.row, column, side, &outcome->cells) ||
           add_row(search, at.column, cell_row(cell), side, &outcome->cells) ||
           add_row(search, at.rising, column, side, &outcome->cells) ||
           add_row(search, at.falling, column, side, &outcome->cells));
    outcome->match = sign_of(search, side) * extraction_pattern_value(&search->options, 0, board->rules.k);
}

// The pattern that the stone has completed, if there is one.
static void match_stone(Extraction *search, Cell cell, Side side, Outcome *outcome)
{
    const Board *board = potential_board(search->potential);
    const ExtractionJudge *judge = search->judge;
    PatternMatch match;
    if (board_winner(board) != WINNER_NONE) {
        match_row(search, board, cell, side, outcome);
    } else if (pattern_index_best(search->index, board, cell, side, &match) &&
               (judge == NULL || judge->holds(judge->context, board, side, &match))) {
        pattern_match_cells(&match, &outcome->cells);
        outcome->tier = match.tier;
        outcome->match = sign_of(search, side) * extraction_pattern_value(&search->options, match.tier, match.size);
        search->matches++;
    }
    search->is_critical |= outcome->match != 0;
}

// --- Propagation ---

// Whether a choice is better than another one for the side that chooses.
static bool is_better(const Outcome *a, const Outcome *b, double sign)
{
    double difference = (a->match - b->match) * sign;
    return difference != 0 ? difference > 0 : (a->heuristic - b->heuristic) * sign > 0;
}

// The union of what the loser's choices lead to, a tier above the lowest.
static void unite(const Extraction *search, const Outcome *choices, unsigned count, double winner, Outcome *outcome)
{
    outcome->tier = choices[0].tier;
    for (unsigned i = 0; i < count; i++) {
        outcome->tier = choices[i].tier < outcome->tier ? choices[i].tier : outcome->tier;
        for (unsigned row = 0; row < RULES_SIDE_MAX; row++)
            outcome->cells.rows[row] |= choices[i].cells.rows[row];
    }
    outcome->tier++;
    outcome->match = winner * extraction_pattern_value(&search->options, outcome->tier, count_cells(&outcome->cells));
}

// What the choices of a side come to: the best one, or the union where all of them lose. Returns the best.
static unsigned choose(const Extraction *search, const Outcome *choices, unsigned count, double sign, Outcome *outcome)
{
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        best = is_better(&choices[i], &choices[best], sign) ? i : best;
    *outcome = choices[best];
    if (outcome->match * sign < 0) { // then all of them are
        memset(&outcome->cells, 0, sizeof outcome->cells);
        unite(search, choices, count, -sign, outcome);
    }
    return best;
}

// Lines 20 to 24 of Algorithm 2: the node's own match, or what was found below it. With a small factor `neglect` the
// sum of line 21 might speak for the side whose pattern was outweighed; then it was not.
static void weigh(const Extraction *search, const Outcome *own, Outcome *deeper)
{
    double sum = search->options.decay * deeper->match + own->match;
    if (own->match == 0 ||
        (fabs(deeper->match) > search->options.neglect * fabs(own->match) && (sum > 0) == (deeper->match > 0))) {
        deeper->match = sum;
        return;
    }
    double heuristic = deeper->heuristic;
    *deeper = *own;
    deeper->heuristic = heuristic;
}

// Whether a limit was reached, now or before. Some nodes take ten microseconds, so the clock is read at each.
static bool is_out(Extraction *search)
{
    search->is_out = search->is_out || limits_reached_every(search->limits, search->nodes, 1);
    return search->is_out;
}

static void look(Extraction *search, Cell cell, double heuristic, unsigned depth, Outcome *outcome);

static void look_below(Extraction *search, const Outcome *own, unsigned depth, Outcome *outcome)
{
    Side side = board_side(potential_board(search->potential));
    Candidates list;
    list_candidates(search, &list);
    unsigned count = 0;
    for (; count < list.count && !ends_list(search, &list, count) && !(count > 0 && search->is_out); count++)
        look(search, list.cell[count], own->heuristic, depth, &search->choices[depth][count]);
    (void)choose(search, search->choices[depth], count, sign_of(search, side), outcome);
    weigh(search, own, outcome);
}

// Algorithm 2: plays a stone and finds out what it leads to. `heuristic` is the value of the game before it, `depth`
// how many stones may follow.
static void look(Extraction *search, Cell cell, double heuristic, unsigned depth, Outcome *outcome)
{
    Side side = board_side(potential_board(search->potential));
    Outcome own = {.heuristic = heuristic + sign_of(search, side) * gain_of(search, cell)};
    search->nodes++;
    BoardState before = potential_play(search->potential, cell);
    match_stone(search, cell, side, &own);
    const Board *board = potential_board(search->potential);
    if (is_out(search) || board_is_over(board) || depth <= 1)
        *outcome = own;
    else
        look_below(search, &own, depth - 1, outcome);
    potential_undo(search->potential, cell, before);
}

// --- The root ---

// Of the choices that are as good as the best one, one at random.
static unsigned draw_equal(const Outcome *choices, unsigned count, unsigned best, Rng *rng)
{
    unsigned equal[EXTRACTION_BRANCHING_MAX], equals = 0;
    for (unsigned i = 0; i < count; i++)
        if (!is_better(&choices[best], &choices[i], 1))
            equal[equals++] = i;
    assert(equals > 0); // the best one is as good as itself
    return equal[rng_below(rng, equals)];
}

// Lines 6 to 12 of Algorithm 1. A loss hangs on the position as it is, a win on the one after the stone.
static void find_pattern(Extraction *search, const Outcome *played, const Outcome *united, ExtractionResult *result)
{
    Board board;
    board_copy(&board, potential_board(search->potential));
    bool loses = united->match < 0;
    const Outcome *from = loses ? united : played;
    if (from->match == 0 || from->tier == 0)
        return;
    if (!loses)
        (void)board_play(&board, result->cell);
    if (board_side(&board) == (loses ? side_other(search->root) : search->root))
        return; // within a first turn of several stones: the owner would move again
    result->owner = loses ? side_other(search->root) : search->root;
    unsigned tier = from->tier;
    result->has_pattern =
        tier <= PATTERN_TIER_MAX && pattern_of_cells(&board, result->owner, &from->cells, tier, &result->pattern);
    result->is_too_large = !result->has_pattern;
}

// Ranks the legal cells row by row from a1, or in random order, so that each of several equal cells is as likely as the
// others to become a candidate.
static void rank_cells(Extraction *search, Rng *rng)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(potential_board(search->potential), cells);
    if (!search->options.takes_first)
        rng_shuffle(rng, cells, count, sizeof cells[0]);
    for (unsigned i = 0; i < count; i++)
        search->rank[cells[i]] = (uint16_t)i;
}

void extraction_run(Extraction *search, const Board *board, const ExtractionTask *task, ExtractionResult *result)
{
    // 1. Begin.
    potential_set(search->potential, board);
    search->index = task->index;
    search->limits = task->limits;
    search->judge = task->judge;
    search->root = board_side(board);
    board_copy(&search->start, board);
    search->nodes = search->matches = 0;
    search->is_critical = search->is_out = false;
    rank_cells(search, task->rng);

    // 2. What each cell leads to. A cell that was examined only in part does not count, unless it is the first.
    Candidates list;
    list_candidates(search, &list);
    unsigned depth = search->options.depth, count = 0;
    depth = task->limits->depth > 0 && task->limits->depth < depth ? task->limits->depth : depth;
    Outcome *choices = search->choices[depth], united;
    for (; count < list.count && !ends_list(search, &list, count) && !search->is_out; count++)
        look(search, list.cell[count], 0, depth, &choices[count]);
    count -= search->is_out && count > 1;

    // 3. The choice, and what there is to be learned.
    unsigned best = choose(search, choices, count, 1, &united);
    if (!search->options.takes_first)
        best = draw_equal(choices, count, best, task->rng);
    *result = (ExtractionResult){.cell = list.cell[best], .nodes = search->nodes, .matches = search->matches};
    result->score = choices[best].match != 0 ? choices[best].match : choices[best].heuristic;
    result->depth = depth;
    if (!search->is_out)
        find_pattern(search, &choices[best], &united, result);
}
