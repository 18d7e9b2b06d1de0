// The threat-space search of Liu and Lin with its conservative defence.
#include "papers/kagami/threat_space.h"

#include "base/memory.h"
#include "threats/lines.h"

#include <stdlib.h>

enum {
    ENTRIES = 1 << 16,
    LIST_MAX = 1 << 16,                                                         // turns of all positions on the way
    HELD_MAX = WINDOW_TALLY_P_MAX * LINE_KEYS_DIRECTIONS * LINE_KEYS_K_MAX + 1, // one more than a turn can meet
    POLL = 64,            // sets of stones examined that count as one node
    EVER = UINT8_MAX - 1, // any number of turns
};

// A searched position: no win in this many turns, without the one that completes the row.
typedef struct {
    uint64_t key;
    uint32_t age;
    uint8_t lost;
} Entry;

// An empty cell for a stone of a turn, and the threats that this stone makes alone.
typedef struct {
    Cell cell;
    uint8_t threats;
} Candidate;

struct ThreatSpace {
    Entry entries[ENTRIES];
    uint32_t age;
    CellSet list[LIST_MAX]; // a stack: each position on the way has its part
    unsigned list_count;
    // Of the search under way.
    Limits limits;
    Side attacker;
    bool had_threats; // the attacker, before his first turn
    uint64_t nodes, looked;
    bool out;        // a limit has been reached: further results are void
    bool incomplete; // a list was too short
    CellSet first;   // the turn that wins
    // Of the position that is examined, until its turns are listed.
    unsigned size, need; // stones of the turn, and threats it must make: p
    bool has_row, has_win;
    CellSet win; // completes a row, or makes more threats than can be stopped
    unsigned candidate_count, held_count;
    Candidate candidates[RULES_CELLS_MAX];
    CellSet held[HELD_MAX];
    uint64_t wanted[RULES_SIDE_MAX]; // candidates as bits of rows
    LineKeys keys;
    WindowTally tally;
};

// Won in that many turns, or not won in that many.
typedef struct {
    bool won;
    unsigned turns;
} Finding;

bool threat_space_suits(const Rules *rules)
{
    return line_keys_suits(rules);
}

Status threat_space_open(ThreatSpace **search, const Rules *rules, Error *error)
{
    ThreatSpace *made = memory_new(1, sizeof *made);
    Status status = line_keys_open(&made->keys, rules, error);
    window_tally_init(&made->tally, rules);
    *search = made;
    if (status != STATUS_OK) {
        free(made);
        *search = NULL;
    }
    return status;
}

void threat_space_set_correction(ThreatSpace *search, LineCorrection correction)
{
    search->keys.correction = correction;
}

void threat_space_close(ThreatSpace *search)
{
    if (search == NULL)
        return;
    line_keys_close(&search->keys);
    free(search);
}

// --- Stones ---

static void put(ThreatSpace *search, Cell cell, Side side)
{
    window_tally_put(&search->tally, cell, side);
    line_keys_put(&search->keys, cell, side);
}

static void take(ThreatSpace *search, Cell cell, Side side)
{
    window_tally_take(&search->tally, cell, side);
    line_keys_take(&search->keys, cell, side);
}

// --- The conservative defence ---

// The threats through a stone in one direction as bits of their line: the empty cells of each.
typedef struct {
    unsigned line, count;
    uint64_t targets[LINE_KEYS_K_MAX];
} ThreatPattern;

static void find_pattern(const ThreatSpace *search, Cell cell, unsigned direction, ThreatPattern *pattern)
{
    const WindowTally *tally = &search->tally;
    WindowRange range = tally->through[cell][direction];
    pattern->count = 0;
    for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++) {
        unsigned need = window_tally_need(tally, i, search->attacker);
        if (need == 0 || need > tally->board.rules.p || !window_tally_wins(tally, i, search->attacker))
            continue;
        pattern->line = tally->window[i].line;
        pattern->targets[pattern->count++] = window_empty(&tally->board, tally->window[i]);
    }
}

// The common bits of all targets without a bit of `met`.
static uint64_t common(const ThreatPattern *pattern, uint64_t met)
{
    uint64_t bits = ~UINT64_C(0);
    for (unsigned i = 0; i < pattern->count; i++)
        if ((pattern->targets[i] & met) == 0)
            bits &= pattern->targets[i];
    return bits;
}

// The cells of all smallest answers: those that meet every target alone or, if there are none, those of pairs.
static uint64_t smallest_answers(const ThreatPattern *pattern)
{
    uint64_t alone = common(pattern, 0), all = 0, pairs = 0;
    if (alone != 0)
        return alone;
    for (unsigned i = 0; i < pattern->count; i++)
        all |= pattern->targets[i];
    for (; all != 0; all &= all - 1) {
        uint64_t bit = all & ~(all - 1);
        if (common(pattern, bit) != 0)
            pairs |= bit;
    }
    return pairs;
}

// The cells of the answers to all patterns of a turn on the board, possibly with duplicates.
static unsigned find_defence(const ThreatSpace *search, const CellSet *turn, Cell cells[THREAT_SPACE_DEFENCE_MAX])
{
    unsigned count = 0;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++)
        for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
            ThreatPattern pattern;
            find_pattern(search, turn->cell[i], direction, &pattern);
            uint64_t bits = pattern.count > 0 ? smallest_answers(&pattern) : 0;
            for (; bits != 0; bits &= bits - 1)
                cells[count++] = lines_cell(&search->tally.board, pattern.line, bits_lowest(bits));
        }
    assert(count <= THREAT_SPACE_DEFENCE_MAX);
    return count;
}

// --- Turns ---

static void count_node(ThreatSpace *search)
{
    search->nodes++;
    search->out = search->out || limits_reached_every(&search->limits, search->nodes - 1, 1);
}

static void want(ThreatSpace *search, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        search->wanted[cell_row(cells[i])] |= cell_bit_in_row(cells[i]);
}

// Adds a window that the defender could complete.
static void hold(ThreatSpace *search, unsigned window)
{
    CellSet target = window_tally_target(&search->tally, window);
    if (search->held_count < HELD_MAX)
        search->held[search->held_count++] = target;
    want(search, target.cell, cell_set_count(&target));
}

// Examines one window: a row to complete, a possible threat, or a threat of the defender.
static void look_at(ThreatSpace *search, unsigned window, unsigned *fewest)
{
    const WindowTally *tally = &search->tally;
    Side attacker = search->attacker;
    unsigned p = tally->board.rules.p, need = window_tally_need(tally, window, attacker);
    if (need <= search->size + p && window_tally_wins(tally, window, attacker)) {
        Cell cells[RULES_SIDE_MAX];
        want(search, cells, window_tally_empty(tally, window, cells));
        if (need < *fewest) {
            *fewest = need;
            search->win = window_tally_target(tally, window);
        }
    }
    if (window_tally_need(tally, window, side_other(attacker)) <= p &&
        window_tally_wins(tally, window, side_other(attacker)))
        hold(search, window);
}

// Examines all windows and lists the candidates with the threats that each makes alone.
static void look_around(ThreatSpace *search, unsigned size)
{
    unsigned fewest = size + 1;
    search->size = size;
    search->candidate_count = search->held_count = 0;
    memset(search->wanted, 0, sizeof search->wanted);
    for (unsigned i = 0; i < search->tally.count; i++)
        look_at(search, i, &fewest);
    search->has_row = search->has_win = fewest <= size;
    for (unsigned row = 0; row < search->tally.board.rules.height; row++)
        for (uint64_t bits = search->wanted[row]; bits != 0; bits &= bits - 1) {
            Cell cell = cell_at(bits_lowest(bits), row);
            unsigned threats = 0;
            for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++)
                threats += line_keys_stone(&search->keys, cell, direction, search->attacker);
            search->candidates[search->candidate_count++] = (Candidate){cell, (uint8_t)threats};
        }
}

// Whether a cell is on a line with a stone of the turn and so near that the count of both can differ from the sum.
static bool is_seen(const ThreatSpace *search, const CellSet *turn, Cell cell)
{
    int reach = 2 * (int)search->keys.k - 2;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++) {
        int x = abs((int)cell_column(turn->cell[i]) - (int)cell_column(cell));
        int y = abs((int)cell_row(turn->cell[i]) - (int)cell_row(cell));
        if ((x == 0 || y == 0 || x == y) && x <= reach && y <= reach)
            return true;
    }
    return false;
}

// Lists a whole turn with this number of threats if it meets those of the defender.
static void take_turn(ThreatSpace *search, const CellSet *turn, unsigned threats)
{
    if (threats < search->need || targets_first_unmet(search->held, search->held_count, turn, 0) < search->held_count)
        return;
    if (threats > search->need) {
        search->has_win = true;
        search->win = *turn;
    } else if (search->list_count < LIST_MAX) {
        search->list[search->list_count++] = *turn;
    } else {
        search->incomplete = true;
    }
}

// The threats of a turn with one more stone.
static unsigned count_with(const ThreatSpace *search, const CellSet *with, const CellSet *turn, unsigned threats,
                           const Candidate *candidate)
{
    const Board *board = &search->tally.board;
    if (turn->cell[1] == CELL_NONE)
        return line_keys_pair(&search->keys, board, turn->cell[0], candidate->cell, search->attacker,
                              threats + candidate->threats);
    return line_keys_turn(&search->keys, board, with, search->attacker);
}

// Adds stones to a turn with this number of threats so far; lists each set once.
static void add_stones(ThreatSpace *search, const CellSet *turn, unsigned threats, unsigned from, unsigned left)
{
    if (left == 0) {
        take_turn(search, turn, threats);
        return;
    }
    for (unsigned i = from; i < search->candidate_count && !search->has_win && !search->out; i++) {
        Candidate candidate = search->candidates[i];
        bool seen = is_seen(search, turn, candidate.cell);
        if (search->looked++ % POLL == 0)
            count_node(search);
        if (left == 1 && !seen && threats + candidate.threats < search->need)
            continue;
        CellSet with = cell_set_with(turn, candidate.cell);
        unsigned all = seen ? count_with(search, &with, turn, threats, &candidate) : threats + candidate.threats;
        add_stones(search, &with, all, i + 1, left - 1);
    }
}

// --- The search ---

static Finding attack(ThreatSpace *search, unsigned size, unsigned turns);

// Puts the stones of a turn and of its defence on the board, and returns the number of the latter; undo removes them.
static unsigned play(ThreatSpace *search, const CellSet *turn, Cell cells[THREAT_SPACE_DEFENCE_MAX])
{
    unsigned count = 0, stones = 0;
    for (unsigned i = 0; i < cell_set_count(turn); i++)
        put(search, turn->cell[i], search->attacker);
    count = find_defence(search, turn, cells);
    for (unsigned i = 0; i < count; i++)
        if (board_stone(&search->tally.board, cells[i]) == STONE_NONE) {
            put(search, cells[i], side_other(search->attacker));
            cells[stones++] = cells[i];
        }
    return stones;
}

static void undo(ThreatSpace *search, const CellSet *turn, const Cell *cells, unsigned count)
{
    while (count > 0)
        take(search, cells[--count], side_other(search->attacker));
    for (unsigned i = cell_set_count(turn); i-- > 0;)
        take(search, turn->cell[i], search->attacker);
}

// Searches the position after a turn and all its answers.
static Finding try_turn(ThreatSpace *search, const CellSet *turn, unsigned turns)
{
    Cell cells[THREAT_SPACE_DEFENCE_MAX];
    unsigned count = play(search, turn, cells);
    Finding finding = attack(search, search->tally.board.rules.p, turns - 1);
    undo(search, turn, cells, count);
    return finding;
}

// Tries the listed turns. Without a win, the bound is the smallest bound of a turn plus one.
static Finding try_turns(ThreatSpace *search, unsigned from, unsigned to, unsigned turns)
{
    Finding worst = {false, EVER};
    for (unsigned i = from; i < to && !search->out; i++) {
        Finding finding = try_turn(search, &search->list[i], turns);
        unsigned all = finding.turns == EVER ? (unsigned)EVER : finding.turns + 1;
        if (finding.won) {
            search->first = search->list[i];
            return (Finding){true, all};
        }
        worst.turns = all < worst.turns ? all : worst.turns;
    }
    return worst;
}

// Whether the attacker, with `size` stones left, wins within `turns` turns before the one that completes a row.
static Finding attack(ThreatSpace *search, unsigned size, unsigned turns)
{
    // 1. Limits and stored results.
    uint64_t key = search->tally.board.state.stones_key;
    Entry *entry = &search->entries[key % ENTRIES];
    count_node(search);
    if (search->out)
        return (Finding){false, 0};
    if (entry->age == search->age && entry->key == key && entry->lost >= turns)
        return (Finding){false, entry->lost};
    // 2. A row, or more threats than can be stopped.
    unsigned first = search->list_count;
    look_around(search, size);
    if (!search->has_win && turns > 0 && targets_can_be_met(search->held, search->held_count, &cell_set_none, size))
        add_stones(search, &cell_set_none, 0, 0, size);
    if (search->has_win) {
        search->list_count = first;
        search->first = search->win;
        return (Finding){true, search->has_row ? 0 : 1};
    }
    // 3. Turns after which the defender can answer.
    unsigned last = search->list_count;
    Finding finding = {false, turns};
    if (turns > 1 || (turns > 0 && (last == first || search->had_threats)))
        finding = try_turns(search, first, last, turns);
    search->list_count = first;
    if (!finding.won && !search->out)
        *entry = (Entry){key, search->age, (uint8_t)finding.turns};
    return finding;
}

// --- The root ---

static void begin(ThreatSpace *search, const Board *board, const Limits *limits)
{
    window_tally_set(&search->tally, board);
    line_keys_set(&search->keys, board);
    search->limits = *limits;
    search->attacker = board_side(board);
    search->need = board->rules.p;
    CellSet target;
    search->had_threats = window_tally_threats(&search->tally, search->attacker, &target, 1) > 0;
    search->nodes = search->looked = 0;
    search->list_count = 0;
    search->out = search->incomplete = false;
    search->age++;
}

// Iterative deepening by one turn, from the second turn on.
static void deepen(ThreatSpace *search, unsigned size, unsigned most, DoubleThreatResult *result)
{
    for (unsigned turns = 1; turns < most && result->verdict == DOUBLE_THREAT_LIMIT; turns++) {
        Finding finding = attack(search, size, turns);
        if (search->out)
            return;
        if (finding.won) {
            result->verdict = DOUBLE_THREAT_WON;
            result->turns = finding.turns + 1;
            result->turn = search->first;
        } else if (!search->incomplete) {
            result->turns = turns + 1;
            if (finding.turns == EVER)
                result->verdict = DOUBLE_THREAT_NONE;
        }
    }
}

void threat_space_run(ThreatSpace *search, const Board *board, const Limits *limits, DoubleThreatResult *result)
{
    assert(!board_is_over(board));
    unsigned most = limits->depth, size = board_stones_left(board);
    most = most > 0 && most < DOUBLE_THREAT_TURNS_MAX ? most : (unsigned)DOUBLE_THREAT_TURNS_MAX;
    *result = (DoubleThreatResult){.verdict = DOUBLE_THREAT_LIMIT, .turn = cell_set_none};
    if (size > WINDOW_TALLY_P_MAX)
        return;
    begin(search, board, limits);
    result->turns = 1;
    look_around(search, size);
    if (search->has_row) {
        result->verdict = DOUBLE_THREAT_WON;
        result->turn = search->win;
    } else {
        deepen(search, size, most, result);
    }
    result->nodes = search->nodes;
}

unsigned threat_space_defence(ThreatSpace *search, const Board *board, const CellSet *turn,
                              Cell cells[THREAT_SPACE_DEFENCE_MAX])
{
    begin(search, board, &(Limits){0});
    unsigned count = play(search, turn, cells);
    undo(search, turn, cells, count);
    qsort(cells, count, sizeof cells[0], cell_compare);
    return count;
}
