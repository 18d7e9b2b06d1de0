#include "search/double_threat.h"

#include "base/clock.h"
#include "search/double_threat_internal.h"

#include <stdlib.h>

enum {
    TURNS_MAX = 1 << 17, // of all positions on the way
    ANSWERS_OF_TURN =
        WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX, // each stone one of p cells
};

// What is known of a position: both hold for all times, the second for these free stones and fewer. Turns are counted
// without the one that completes the row, from here on in this file.
typedef struct {
    uint64_t key;
    uint32_t age;
    uint8_t won;  // in this many turns; 0: not known
    uint8_t lost; // no win in this many turns
    uint8_t free; // a FreeStones
    CellSet turn; // that wins
} Entry;

struct DoubleThreat {
    Entry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
    Turn *turn_list; // a stack: each position on the way has its part
    unsigned turn_count;
    CellSet *answer_list; // a stack like it
    unsigned answer_count;
    // Of the search under way.
    DoubleThreatLimits limits;
    FreeStones free;
    uint64_t nodes;
    bool out;        // a limit has been reached: what comes back from here on is worth nothing
    bool incomplete; // some list had no room
    Board root;
    WindowTally tally;
    Turns turns;
};

// Won in so many turns, or not won in so many.
typedef struct {
    bool won;
    uint8_t turns;
} Finding;

bool double_threat_suits(const Rules *rules)
{
    return window_tally_suits(rules);
}

Status double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error)
{
    uint64_t count = 1;
    while (count * 2 * sizeof(Entry) <= table_bytes)
        count *= 2;
    *search = NULL;
    DoubleThreat *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->mask = count - 1;
        made->entries = calloc(count, sizeof made->entries[0]);
        made->turn_list = malloc(TURNS_MAX * sizeof made->turn_list[0]);
        made->answer_list = malloc((size_t)DOUBLE_THREAT_TURNS_MAX * ANSWERS_OF_TURN * sizeof made->answer_list[0]);
    }
    if (made == NULL || made->entries == NULL || made->turn_list == NULL || made->answer_list == NULL) {
        double_threat_close(made);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a search of double threats");
    }
    window_tally_init(&made->tally, rules);
    *search = made;
    return STATUS_OK;
}

void double_threat_close(DoubleThreat *search)
{
    if (search == NULL)
        return;
    free(search->entries);
    free(search->turn_list);
    free(search->answer_list);
    free(search);
}

// --- The table ---

static Entry *entry_here(const DoubleThreat *search)
{
    return &search->entries[board_key(&search->tally.board) & search->mask];
}

static bool is_known(const DoubleThreat *search, const Entry *entry)
{
    return entry->age == search->age && entry->key == board_key(&search->tally.board);
}

// Whether the table knows enough; if not, `finding` is what it does know.
static bool recall(const DoubleThreat *search, unsigned turns, Finding *finding)
{
    const Entry *entry = entry_here(search);
    *finding = (Finding){false, 0};
    if (!is_known(search, entry))
        return false;
    if (entry->won > 0 && entry->won <= turns)
        *finding = (Finding){true, entry->won};
    else if (entry->free >= (unsigned)search->free)
        finding->turns = entry->lost;
    return finding->won || finding->turns >= turns;
}

static Finding remember(DoubleThreat *search, Finding finding, const CellSet *turn)
{
    Entry *entry = entry_here(search);
    if (!is_known(search, entry))
        *entry = (Entry){.key = board_key(&search->tally.board), .age = search->age};
    if (finding.won) {
        entry->won = finding.turns;
        entry->turn = *turn;
    } else {
        entry->lost = finding.turns;
        entry->free = (uint8_t)search->free;
    }
    return finding;
}

// --- The search ---

static bool is_out(const DoubleThreat *search)
{
    const DoubleThreatLimits *limits = &search->limits;
    if (limits->nodes > 0 && search->nodes > limits->nodes)
        return true;
    if (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed))
        return true;
    return limits->deadline > 0 && clock_seconds() >= limits->deadline;
}

// The same while turns are listed, so that a budget of nodes holds there too.
static bool poll(void *context)
{
    DoubleThreat *search = context;
    search->nodes++;
    search->out = search->out || is_out(search);
    return search->out;
}

static void play(WindowTally *tally, const CellSet *stones, BoardState before[WINDOW_TALLY_P_MAX])
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && stones->cell[i] != CELL_NONE; i++)
        before[i] = window_tally_play(tally, stones->cell[i]);
}

static void undo(WindowTally *tally, const CellSet *stones, const BoardState before[WINDOW_TALLY_P_MAX])
{
    for (unsigned i = cell_set_count(stones); i-- > 0;)
        window_tally_undo(tally, stones->cell[i], before[i]);
}

// All threats of the attacker after his turn, which is on the board. After an answer there are none, so that but for
// the first turn, which may have been under way, the stones of a turn have made them all.
static unsigned find_targets(DoubleThreat *search, const CellSet *turn)
{
    const WindowTally *tally = &search->tally;
    CellSet *targets = search->turns.targets;
    Side attacker = side_other(board_side(&tally->board));
    unsigned size = cell_set_count(turn), count = 0;
    if (board_count(&tally->board) == board_count(&search->root) + size)
        return window_tally_threats(tally, attacker, targets, TURNS_TARGETS_MAX);
    for (unsigned i = 0; i < size && count < TURNS_TARGETS_MAX; i++)
        count = window_tally_threats_through(tally, turn->cell[i], attacker, targets, count, TURNS_TARGETS_MAX);
    return count;
}

// The answers to the attacker's threats, on top of the stack; none when there are too many threats to stop, or the row
// is complete. The attacker's turn is on the board.
static unsigned push_answers(DoubleThreat *search, const CellSet *turn, const CellSet **answers)
{
    const Board *board = &search->tally.board;
    const CellSet *targets = search->turns.targets;
    *answers = search->answer_list + search->answer_count;
    if (board_winner(board) != WINNER_NONE)
        return 0;
    unsigned p = board->rules.p, count = find_targets(search, turn);
    count = count < TURNS_TARGETS_MAX ? count : TURNS_TARGETS_MAX; // the list of turns has told of the others
    if (targets_least(targets, count, p) > p)
        return 0;
    count = targets_answers(targets, count, p, search->answer_list + search->answer_count, ANSWERS_OF_TURN);
    assert(count <= ANSWERS_OF_TURN);
    search->answer_count += count;
    return count;
}

static Finding attack(DoubleThreat *search, unsigned turns);

static Finding try_answer(DoubleThreat *search, const CellSet *answer, unsigned turns)
{
    BoardState before[WINDOW_TALLY_P_MAX];
    play(&search->tally, answer, before);
    Finding finding = attack(search, turns);
    undo(&search->tally, answer, before);
    return finding;
}

// One more turn than what was found after an answer.
static uint8_t turns_before(uint8_t turns)
{
    return turns == TURNS_EVER ? (uint8_t)TURNS_EVER : (uint8_t)(turns + 1);
}

// A turn wins if it does so against every answer; the one that holds out longest counts.
static Finding try_turn(DoubleThreat *search, const CellSet *stones, unsigned turns)
{
    BoardState before[WINDOW_TALLY_P_MAX];
    const CellSet *answers = NULL;
    Finding finding = {true, 1};
    play(&search->tally, stones, before);
    unsigned count = push_answers(search, stones, &answers);
    for (unsigned i = 0; i < count && finding.won && !search->out; i++) {
        Finding after = try_answer(search, &answers[i], turns - 1);
        uint8_t all = turns_before(after.turns);
        if (!after.won || all > finding.turns)
            finding = (Finding){after.won, all};
    }
    search->answer_count -= count;
    undo(&search->tally, stones, before);
    return finding;
}

// A turn that wins at once.
static bool find_last_turn(DoubleThreat *search, CellSet *turn)
{
    Turn *list = search->turn_list + search->turn_count;
    TurnsWanted wanted = {.target = search->tally.board.rules.p + 1u};
    turns_make(&search->turns, &wanted, list, TURNS_MAX - search->turn_count);
    if (search->turns.count > 0)
        *turn = list[0].stones;
    return search->turns.count > 0;
}

// Turns that leave the defender the stones to answer, one after another. Not won in the fewest turns that one of them
// was not; for ever, if there are no others in more turns.
static Finding try_turns(DoubleThreat *search, unsigned turns, CellSet *turn)
{
    unsigned first = search->turn_count;
    const Turn *list = search->turn_list + first;
    TurnsWanted wanted = {search->tally.board.rules.p, turns - 1, search->free};
    turns_make(&search->turns, &wanted, search->turn_list + first, TURNS_MAX - first);
    unsigned count = search->turns.count;
    Finding finding = {false, search->turns.is_cut ? (uint8_t)turns : (uint8_t)TURNS_EVER};
    search->incomplete = search->incomplete || search->turns.is_full;
    search->turn_count += count;
    for (unsigned i = 0; i < count && !finding.won && !search->out; i++) {
        Finding after = try_turn(search, &list[i].stones, turns);
        *turn = list[i].stones;
        if (after.won || after.turns < finding.turns)
            finding = after;
    }
    search->turn_count = first;
    return finding;
}

// Whether the attacker, whose turn begins or goes on, wins within so many turns.
static Finding attack(DoubleThreat *search, unsigned turns)
{
    Finding finding = {false, 0};
    CellSet turn = cell_set_none;
    // 1. The limits, and what was found out before.
    search->nodes++;
    search->out = search->out || is_out(search);
    if (search->out || recall(search, turns, &finding))
        return finding;
    // 2. No turn of this kind at all.
    if (!turns_begin(&search->turns, &search->tally)) {
        search->incomplete = search->incomplete || search->turns.is_full;
        return remember(search, (Finding){false, TURNS_EVER}, NULL);
    }
    // 3. One that wins at once; if it is known that there is none, those that have answers.
    if (finding.turns == 0 && find_last_turn(search, &turn) && !search->out)
        return remember(search, (Finding){true, 1}, &turn);
    search->incomplete = search->incomplete || search->turns.is_full;
    finding = turns > 1 && !search->out ? try_turns(search, turns, &turn) : (Finding){false, 1};
    return search->out ? (Finding){false, 0} : remember(search, finding, &turn);
}

// The same with more and more free stones.
static Finding attack_in_steps(DoubleThreat *search, unsigned turns)
{
    Finding finding = {false, 0};
    for (int free = FREE_ANYWHERE; free <= FREE_ALL && !finding.won && !search->out; free++) {
        search->free = (FreeStones)free;
        finding = attack(search, turns);
    }
    return finding;
}

// --- The root ---

// A row that can be completed in this turn: the one that needs fewest stones, so that none of them ends the game early.
static bool complete_row(const WindowTally *tally, CellSet *turn)
{
    Side side = board_side(&tally->board);
    unsigned none = board_stones_left(&tally->board) + 1, fewest = none;
    for (unsigned i = 0; i < tally->count; i++) {
        unsigned need = window_tally_need(tally, i, side);
        if (need >= fewest || !window_tally_is_clear(tally, i, side))
            continue;
        fewest = need;
        *turn = window_tally_target(tally, i);
    }
    return fewest < none;
}

static void begin(DoubleThreat *search, const Board *board, const DoubleThreatLimits *limits)
{
    board_copy(&search->root, board);
    window_tally_set(&search->tally, board);
    search->limits = *limits;
    search->nodes = 0;
    search->out = search->incomplete = false;
    search->age++;
    search->turns.poll = poll;
    search->turns.poll_context = search;
    search->turns.looked = 0;
}

// One turn more each time. Limits may raise `out` at the very end of a search that was complete: then it is forgotten.
static void deepen(DoubleThreat *search, unsigned most, DoubleThreatResult *result)
{
    for (unsigned turns = 1; turns < most && result->verdict == DOUBLE_THREAT_LIMIT; turns++) {
        Finding finding = attack_in_steps(search, turns);
        if (search->out)
            return;
        if (finding.won) {
            result->verdict = DOUBLE_THREAT_WON;
            result->turns = finding.turns + 1u;
            result->turn = entry_here(search)->turn;
        } else if (!search->incomplete) {
            result->turns = turns + 1;
            if (finding.turns == TURNS_EVER)
                result->verdict = DOUBLE_THREAT_NONE;
        }
    }
}

void double_threat_run(DoubleThreat *search, const Board *board, const DoubleThreatLimits *limits,
                       DoubleThreatResult *result)
{
    assert(!board_is_over(board));
    unsigned most = limits->turns;
    most = most > 0 && most < DOUBLE_THREAT_TURNS_MAX ? most : (unsigned)DOUBLE_THREAT_TURNS_MAX;
    begin(search, board, limits);
    *result = (DoubleThreatResult){.verdict = DOUBLE_THREAT_LIMIT, .turn = cell_set_none};
    if (board_stones_left(board) > WINDOW_TALLY_P_MAX)
        return;
    result->turns = 1;
    if (complete_row(&search->tally, &result->turn))
        result->verdict = DOUBLE_THREAT_WON;
    else
        deepen(search, most, result);
    result->nodes = search->nodes;
}

// --- The winning tree ---

typedef struct {
    DoubleThreat *search;
    DoubleThreatVisit visit;
    void *context;
} Walk;

// The winning turn of a position that was won within so many turns. What the table has lost since is found again.
static bool find_turn(DoubleThreat *search, unsigned turns, Finding *finding, CellSet *turn)
{
    const Entry *entry = entry_here(search);
    if (recall(search, turns, finding) && finding->won) {
        *turn = entry->turn;
        return true;
    }
    *finding = attack_in_steps(search, turns);
    *turn = entry->turn;
    return finding->won && !search->out;
}

static bool walk_answer(Walk *walk, const DoubleThreatStep *step, const CellSet *answer);

// Shows the turn of this position, and goes on with each answer to it.
static bool walk_step(Walk *walk, DoubleThreatStep *step)
{
    DoubleThreat *search = walk->search;
    BoardState before[WINDOW_TALLY_P_MAX];
    play(&search->tally, &step->turn, before);
    step->answer_count = push_answers(search, &step->turn, &step->answers);
    undo(&search->tally, &step->turn, before);
    bool goes_on = walk->visit(walk->context, step);
    play(&search->tally, &step->turn, before);
    for (unsigned i = 0; i < step->answer_count && goes_on; i++)
        goes_on = walk_answer(walk, step, &step->answers[i]);
    undo(&search->tally, &step->turn, before);
    search->answer_count -= step->answer_count;
    return goes_on;
}

static bool walk_answer(Walk *walk, const DoubleThreatStep *step, const CellSet *answer)
{
    WindowTally *tally = &walk->search->tally;
    DoubleThreatStep next = {.board = step->board, .level = step->level + 1, .answered = *answer};
    BoardState before[WINDOW_TALLY_P_MAX];
    Finding finding;
    play(tally, answer, before);
    bool goes_on = find_turn(walk->search, step->turns - 2, &finding, &next.turn);
    next.turns = finding.turns + 1u;
    goes_on = goes_on && walk_step(walk, &next);
    undo(tally, answer, before);
    return goes_on;
}

// Searches of the walk have no limit but the stop flag.
static void begin_again(DoubleThreat *search)
{
    window_tally_set(&search->tally, &search->root);
    search->limits = (DoubleThreatLimits){.stop = search->limits.stop};
    search->out = false;
}

bool double_threat_walk(DoubleThreat *search, const DoubleThreatResult *result, DoubleThreatVisit visit, void *context)
{
    assert(result->verdict == DOUBLE_THREAT_WON);
    begin_again(search);
    Walk walk = {search, visit, context};
    DoubleThreatStep step = {
        .board = &search->tally.board, .answered = cell_set_none, .turn = result->turn, .turns = result->turns};
    return walk_step(&walk, &step);
}

// The answer after which the attacker needs most turns, the first of these; his turn there.
static unsigned find_longest(DoubleThreat *search, unsigned turns, const CellSet *answers, unsigned count,
                             CellSet *turn)
{
    unsigned longest = 0, best = 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before[WINDOW_TALLY_P_MAX];
        Finding finding;
        CellSet next;
        play(&search->tally, &answers[i], before);
        bool found = find_turn(search, turns, &finding, &next);
        undo(&search->tally, &answers[i], before);
        if (!found || finding.turns <= longest)
            continue;
        longest = finding.turns;
        best = i;
        *turn = next;
    }
    return longest > 0 ? best : count;
}

unsigned double_threat_line(DoubleThreat *search, const DoubleThreatResult *result,
                            CellSet line[2 * DOUBLE_THREAT_TURNS_MAX])
{
    assert(result->verdict == DOUBLE_THREAT_WON);
    begin_again(search);
    CellSet turn = result->turn;
    unsigned count = 0;
    for (unsigned turns = result->turns; turns > 0; turns--) {
        BoardState before[WINDOW_TALLY_P_MAX];
        const CellSet *answers = NULL;
        line[count++] = turn;
        play(&search->tally, &turn, before);
        unsigned answer_count = push_answers(search, &turn, &answers);
        CellSet next = cell_set_none;
        unsigned best = find_longest(search, turns - 2, answers, answer_count, &next);
        search->answer_count -= answer_count;
        if (best == answer_count)
            break;
        line[count++] = answers[best];
        play(&search->tally, &answers[best], before);
        turn = next;
    }
    return count;
}
