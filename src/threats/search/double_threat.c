// Double-threat search: transposition table, attack and iterative deepening.
#include "threats/search/double_threat.h"

#include "base/memory.h"
#include "threats/search/single_threat_internal.h"

#include <stdlib.h>

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
    DoubleThreat *made = memory_new(1, sizeof *made);
    made->mask = count - 1;
    made->entries = calloc(count, sizeof made->entries[0]);
    made->turn_list = memory_new(TURNS_MAX, sizeof made->turn_list[0]);
    made->answer_list = memory_new((size_t)DOUBLE_THREAT_TURNS_MAX * ANSWERS_OF_TURN, sizeof made->answer_list[0]);
    if (made->entries == NULL) {
        double_threat_close(made);
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the double-threat search");
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

static bool is_known(const DoubleThreat *search, const Entry *entry, unsigned singles)
{
    return entry->age == search->age && entry->key == double_threat_key(search, singles);
}

bool double_threat_recall(const DoubleThreat *search, unsigned singles, unsigned turns, Finding *finding)
{
    const Entry *entry = double_threat_entry(search, singles);
    *finding = (Finding){false, 0};
    if (!is_known(search, entry, singles))
        return false;
    if (entry->won > 0 && entry->won <= turns)
        *finding = (Finding){true, entry->won};
    else if (entry->free >= (unsigned)search->free)
        finding->turns = entry->lost;
    return finding->won || finding->turns >= turns;
}

Finding double_threat_remember(DoubleThreat *search, unsigned singles, Finding finding, const CellSet *turn)
{
    Entry *entry = double_threat_entry(search, singles);
    if (!is_known(search, entry, singles))
        *entry = (Entry){.key = double_threat_key(search, singles), .age = search->age};
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

// Counts a node. A node takes long enough to read the clock every time. Also called while turns are listed, so that the
// node limit applies there too.
static bool count_node(void *context)
{
    DoubleThreat *search = context;
    search->out = search->out || limits_reached_every(&search->limits, search->nodes, 1);
    search->nodes++;
    return search->out;
}

unsigned double_threat_targets(DoubleThreat *search, const CellSet *turn)
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

unsigned double_threat_push_answers(DoubleThreat *search, const CellSet *turn, const CellSet **answers)
{
    const Board *board = &search->tally.board;
    const CellSet *targets = search->turns.targets;
    *answers = search->answer_list + search->answer_count;
    if (board_winner(board) != WINNER_NONE)
        return 0;
    unsigned p = board->rules.p, count = double_threat_targets(search, turn);
    count = count < TURNS_TARGETS_MAX ? count : TURNS_TARGETS_MAX; // turns_make has set is_full if there are more
    if (targets_least(targets, count, p) > p)
        return 0;
    count = targets_answers(targets, count, p, p, search->answer_list + search->answer_count, ANSWERS_OF_TURN);
    assert(count <= ANSWERS_OF_TURN);
    search->answer_count += count;
    return count;
}

Finding double_threat_try_turn(DoubleThreat *search, const CellSet *turn, unsigned turns, unsigned singles)
{
    const CellSet *answers = NULL;
    Finding finding = {true, 1};
    BoardState before = double_threat_play(&search->tally, turn);
    unsigned count = double_threat_push_answers(search, turn, &answers);
    for (unsigned i = 0; i < count && finding.won && !search->out; i++) {
        BoardState answered = double_threat_play(&search->tally, &answers[i]);
        Finding after = single_threat_attack(search, turns - 1, singles);
        double_threat_undo(&search->tally, &answers[i], answered);
        uint8_t all = double_threat_turns_before(after.turns);
        if (!after.won || all > finding.turns)
            finding = (Finding){after.won, all};
    }
    search->answer_count -= count;
    double_threat_undo(&search->tally, turn, before);
    return finding;
}

Finding double_threat_try_each(DoubleThreat *search, unsigned count, unsigned turns, unsigned singles,
                               DoubleThreatTry *try_turn, CellSet *turn)
{
    const DoubleThreatTurn *list = search->turn_list + search->turn_count - count;
    Finding finding = {false, TURNS_EVER};
    for (unsigned i = 0; i < count && !finding.won && !search->out; i++) {
        Finding after = try_turn(search, &list[i].stones, turns, singles);
        *turn = list[i].stones;
        if (after.won || after.turns < finding.turns)
            finding = after;
    }
    search->turn_count -= count;
    return finding;
}

static bool find_last_turn(DoubleThreat *search, CellSet *turn)
{
    DoubleThreatTurn *list = search->turn_list + search->turn_count;
    TurnsWanted wanted = {.target = search->tally.board.rules.p + 1u};
    turns_make(&search->turns, &wanted, list, TURNS_MAX - search->turn_count);
    if (search->turns.count > 0)
        *turn = list[0].stones;
    return search->turns.count > 0;
}

// Tries the turns that have answers. TURNS_EVER if none wins and more turns would not allow others.
static Finding try_turns(DoubleThreat *search, unsigned turns, CellSet *turn)
{
    unsigned first = search->turn_count;
    TurnsWanted wanted = {.target = search->tally.board.rules.p, .later = turns - 1, .free = search->free};
    turns_make(&search->turns, &wanted, search->turn_list + first, TURNS_MAX - first);
    bool is_cut = search->turns.is_cut;
    search->incomplete = search->incomplete || search->turns.is_full;
    search->turn_count += search->turns.count;
    Finding finding = double_threat_try_each(search, search->turns.count, turns, 0, double_threat_try_turn, turn);
    if (!finding.won && is_cut && finding.turns > turns)
        finding.turns = (uint8_t)turns;
    return finding;
}

Finding double_threat_attack(DoubleThreat *search, unsigned turns)
{
    Finding finding = {false, 0};
    CellSet turn = cell_set_none;
    // 1. Limits and transposition table.
    if (count_node(search) || double_threat_recall(search, 0, turns, &finding))
        return finding;
    // 2. No turn makes enough threats.
    if (!turns_begin(&search->turns, &search->tally)) {
        search->incomplete = search->incomplete || search->turns.is_full;
        return double_threat_remember(search, 0, (Finding){false, TURNS_EVER}, NULL);
    }
    // 3. A turn that wins at once; if there is none, or the table knows that, turns that have answers.
    if (finding.turns == 0 && find_last_turn(search, &turn) && !search->out)
        return double_threat_remember(search, 0, (Finding){true, 1}, &turn);
    search->incomplete = search->incomplete || search->turns.is_full;
    finding = turns > 1 && !search->out ? try_turns(search, turns, &turn) : (Finding){false, 1};
    return search->out ? (Finding){false, 0} : double_threat_remember(search, 0, finding, &turn);
}

Finding double_threat_attack_in_steps(DoubleThreat *search, unsigned turns)
{
    Finding finding = {false, 0};
    for (int free = FREE_ANYWHERE; free <= FREE_ALL && !finding.won && !search->out; free++) {
        search->free = (FreeStones)free;
        finding = double_threat_attack(search, turns);
    }
    return finding;
}

// --- The root ---

// A row that can be completed in this turn: the one that needs the fewest stones, so that none ends the game early.
static bool complete_row(const WindowTally *tally, CellSet *turn)
{
    Side side = board_side(&tally->board);
    unsigned none = board_stones_left(&tally->board) + 1, fewest = none;
    for (unsigned i = 0; i < tally->count; i++) {
        unsigned need = window_tally_need(tally, i, side);
        if (need >= fewest || !window_tally_wins(tally, i, side))
            continue;
        fewest = need;
        *turn = window_tally_target(tally, i);
    }
    return fewest < none;
}

static void begin(DoubleThreat *search, const Board *board, const Limits *limits, unsigned singles)
{
    board_copy(&search->root, board);
    window_tally_set(&search->tally, board);
    search->limits = *limits;
    unsigned most = board->rules.p < 2 ? 0 : DOUBLE_THREAT_SINGLES_MAX; // p = 1: stopping a threat leaves no stone
    search->singles = singles < most ? singles : most;
    search->nodes = 0;
    search->out = search->incomplete = false;
    search->age++;
    search->turns.poll = count_node;
    search->turns.poll_context = search;
    search->turns.looked = 0;
}

static void win(const DoubleThreat *search, Finding finding, unsigned singles, DoubleThreatResult *result)
{
    result->verdict = DOUBLE_THREAT_WON;
    result->turns = finding.turns + 1u;
    result->turn = double_threat_entry(search, singles)->turn;
    result->singles = singles;
}

// Double threats alone. Discards the result if a limit was reached, even at the very end of a complete search.
static void try_doubles(DoubleThreat *search, unsigned turns, DoubleThreatResult *result)
{
    Finding finding = double_threat_attack_in_steps(search, turns);
    if (search->out)
        return;
    if (finding.won) {
        win(search, finding, 0, result);
    } else if (!search->incomplete) {
        result->turns = turns + 1;
        if (finding.turns == TURNS_EVER)
            result->verdict = DOUBLE_THREAT_NONE;
    }
}

// Tries more and more turns that leave free stones. Each costs as much as two more turns, so it is tried with two turns
// fewer. False if more turns will not help.
static bool try_singles(DoubleThreat *search, unsigned turns, DoubleThreatResult *result)
{
    unsigned most = search->singles;
    bool continues = false;
    search->free = FREE_ANYWHERE;
    for (unsigned singles = 1; singles <= most && !search->out && result->verdict != DOUBLE_THREAT_WON; singles++) {
        if (turns <= 2 * singles)
            return true;
        Finding finding = single_threat_attack(search, turns - (2 * singles - 1), singles);
        continues = finding.turns != TURNS_EVER;
        if (finding.won && !search->out)
            win(search, finding, singles, result);
    }
    return continues;
}

static void deepen(DoubleThreat *search, unsigned most, DoubleThreatResult *result)
{
    bool continues = true, no_doubles = false;
    for (unsigned turns = 1; turns < most && continues && !search->out; turns++) {
        if (!no_doubles)
            try_doubles(search, turns, result);
        no_doubles = result->verdict == DOUBLE_THREAT_NONE;
        continues = result->verdict == DOUBLE_THREAT_LIMIT;
        if (search->singles > 0 && !search->out && result->verdict != DOUBLE_THREAT_WON)
            continues = try_singles(search, turns, result);
    }
    if (no_doubles && search->singles > 0 && result->verdict == DOUBLE_THREAT_NONE)
        result->verdict = DOUBLE_THREAT_LIMIT;
}

void double_threat_run(DoubleThreat *search, const Board *board, const Limits *limits, DoubleThreatResult *result)
{
    double_threat_run_with_singles(search, board, limits, 0, result);
}

void double_threat_run_with_singles(DoubleThreat *search, const Board *board, const Limits *limits, unsigned singles,
                                    DoubleThreatResult *result)
{
    assert(!board_is_over(board));
    unsigned most = limits->depth;
    most = most > 0 && most < DOUBLE_THREAT_TURNS_MAX ? most : (unsigned)DOUBLE_THREAT_TURNS_MAX;
    begin(search, board, limits, singles);
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
