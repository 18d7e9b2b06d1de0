// Single threats: turns that leave the defender free stones.
#include "threats/search/single_threat_internal.h"

enum { SINGLES_TRIED = 256 }; // best ranked turns with free stones tried in a position, to limit time

// --- Zones ---

static void zone_clear(ThreatZone *zone, const Board *board, unsigned most, const ThreatZone *above)
{
    zone->most = most;
    zone->above = above;
    memset(zone->level, ZONE_NEVER, (size_t)board->rules.height * RULES_SIDE_MAX);
}

static void zone_add(ThreatZone *zone, Cell cell, unsigned level)
{
    if (level < zone->level[cell])
        zone->level[cell] = (uint8_t)level;
}

static void zone_add_set(ThreatZone *zone, const CellSet *set)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && set->cell[i] != CELL_NONE; i++)
        zone_add(zone, set->cell[i], 1);
}

// Adds another zone with its levels reduced by `free`.
static void zone_unite(ThreatZone *zone, const ThreatZone *other, const Board *board, unsigned free)
{
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned column = 0; column < board->rules.width; column++) {
            Cell cell = cell_at(column, row);
            unsigned level = other->level[cell];
            if (level != ZONE_NEVER)
                zone_add(zone, cell, level > free ? level - free : 1);
        }
}

// Removes threats as long as the others still cannot be stopped.
static unsigned drop_targets(CellSet *targets, unsigned count, unsigned p)
{
    for (unsigned i = count; i-- > 0;) {
        CellSet dropped = targets[i];
        targets[i] = targets[count - 1];
        if (targets_least(targets, count - 1, p) > p) {
            count--;
        } else {
            targets[count - 1] = targets[i];
            targets[i] = dropped;
        }
    }
    return count;
}

// Adds what the win depends on at a turn, which is on the board.
static void zone_add_turn(ThreatZone *zone, DoubleThreat *search, const CellSet *turn)
{
    const WindowTally *tally = &search->tally;
    CellSet *targets = search->turns.targets;
    Side defender = board_side(&tally->board);
    unsigned p = tally->board.rules.p, count = double_threat_targets(search, turn);
    // 1. The stones, and the threats they make.
    zone_add_set(zone, turn);
    count = count < TURNS_TARGETS_MAX ? count : TURNS_TARGETS_MAX;
    if (targets_least(targets, count, p) > p)
        count = drop_targets(targets, count, p);
    for (unsigned i = 0; i < count; i++)
        zone_add_set(zone, &targets[i]);
    // 2. Windows that additional stones could turn into threats of the defender.
    for (unsigned i = 0; i < tally->count; i++) {
        unsigned need = window_tally_need(tally, i, defender);
        // A window that is nearly full and yet no threat can only become an overline, which never wins.
        if (need > p + zone->most || (need <= p && !window_tally_wins(tally, i, defender)))
            continue;
        assert(need > p);
        Cell cells[RULES_SIDE_MAX];
        unsigned empty = window_tally_empty(tally, i, cells);
        for (unsigned j = 0; j < empty; j++)
            zone_add(zone, cells[j], need - p);
    }
}

static bool zone_add_win(ThreatZone *zone, DoubleThreat *search, unsigned turns, unsigned singles);

static bool zone_add_answers(ThreatZone *zone, DoubleThreat *search, const CellSet *turn, unsigned turns,
                             unsigned singles)
{
    const CellSet *answers = NULL;
    bool done = true;
    unsigned count = double_threat_push_answers(search, turn, &answers);
    for (unsigned i = 0; i < count && done; i++) {
        BoardState before = double_threat_play(&search->tally, &answers[i]);
        done = zone_add_win(zone, search, turns, singles);
        double_threat_undo(&search->tally, &answers[i], before);
    }
    search->answer_count -= count;
    return done;
}

// Adds the whole win of the attacker, who is to move. False if a limit prevented finding it again.
static bool zone_add_win(ThreatZone *zone, DoubleThreat *search, unsigned turns, unsigned singles)
{
    Finding finding;
    CellSet turn;
    if (!single_threat_find_turn(search, turns, &singles, &finding, &turn))
        return false;
    BoardState before = double_threat_play(&search->tally, &turn);
    zone_add_turn(zone, search, &turn);
    Settling settling = {.turns = finding.turns - 1u, .singles = singles - 1, .zone = zone};
    bool done;
    if (singles > 0 && single_threat_push_answers(search, &turn, &settling)) {
        done = single_threat_settle(search, &settling);
        search->answer_count -= settling.count;
    } else {
        done = zone_add_answers(zone, search, &turn, finding.turns - 1u, singles);
    }
    double_threat_undo(&search->tally, &turn, before);
    return done;
}

// --- Answers that leave free stones ---

bool single_threat_push_answers(DoubleThreat *search, const CellSet *turn, Settling *settling)
{
    const Board *board = &search->tally.board;
    unsigned p = board->rules.p, count = double_threat_targets(search, turn);
    settling->count = 0;
    count = count < TURNS_TARGETS_MAX ? count : TURNS_TARGETS_MAX;
    if (board_winner(board) != WINNER_NONE || count == 0 || targets_least(search->turns.targets, count, p) >= p)
        return false;
    CellSet *answers = search->answer_list + search->answer_count;
    settling->answers = answers;
    settling->count = targets_answers(search->turns.targets, count, 0, p, answers, ANSWERS_OF_TURN);
    search->answer_count += settling->count;
    return true;
}

BoardState single_threat_pass(DoubleThreat *search)
{
    Board *board = &search->tally.board;
    BoardState before = board->state;
    Side attacker = board_side(&search->root);
    if (board_side(board) != attacker)
        (void)board_set_turn(board, attacker, board->rules.p);
    return before;
}

static bool fails(Settling *settling, Finding finding)
{
    settling->finding = (Finding){false, double_threat_turns_before(finding.turns)};
    return false;
}

static bool has_all(const CellSet *set, const CellSet *part)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && part->cell[i] != CELL_NONE; i++)
        if (!cell_set_has(set, part->cell[i]))
            return false;
    return true;
}

// Whether a reply is settled: it has all cells of an earlier answer, or of an answer with a free stone already tried.
static bool is_settled(const Settling *settling, unsigned answer, const CellSet *stones, Cell cell,
                       const ThreatZone *above)
{
    for (unsigned i = 0; i < answer; i++)
        if (has_all(stones, &settling->answers[i]))
            return true;
    for (; above != NULL; above = above->above)
        if (above->level[cell] == ZONE_TRIED)
            return true;
    return false;
}

static bool settle(DoubleThreat *search, Settling *settling, unsigned answer, const CellSet *stones,
                   const ThreatZone *above);

// Tries every free stone in the zone, with the stones of the answer on the board.
static bool try_free(DoubleThreat *search, Settling *settling, unsigned answer, const CellSet *stones, ThreatZone *zone)
{
    const Board *board = &search->tally.board;
    unsigned free = board->rules.p - cell_set_count(stones);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t empty = board_legal_row(board, row); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), row);
            CellSet with = cell_set_with(stones, cell);
            if (zone->level[cell] > free || is_settled(settling, answer, &with, cell, zone->above))
                continue;
            BoardState before = window_tally_play(&search->tally, cell);
            bool won = settle(search, settling, answer, &with, zone);
            window_tally_undo(&search->tally, cell, before);
            if (!won)
                return false;
            zone->level[cell] = ZONE_TRIED;
        }
    return true;
}

// Whether the attacker wins if the defender leaves out its remaining stones; adds the zones of this win.
static bool settle_without(DoubleThreat *search, Settling *settling, const CellSet *stones, ThreatZone *zone)
{
    Finding finding = single_threat_attack(search, settling->turns, settling->singles);
    if (!finding.won || search->out)
        return fails(settling, finding);
    if (finding.turns >= settling->finding.turns)
        settling->finding.turns = double_threat_turns_before(finding.turns);
    if (zone->most > 0 && !zone_add_win(zone, search, settling->turns, settling->singles))
        return fails(settling, (Finding){false, 0});
    return settling->visit == NULL || settling->visit(settling->context, stones);
}

// Whether the attacker wins wherever the remaining stones are. `above` is the zone that has the last stone.
static bool settle(DoubleThreat *search, Settling *settling, unsigned answer, const CellSet *stones,
                   const ThreatZone *above)
{
    const Board *board = &search->tally.board;
    unsigned free = board->rules.p - cell_set_count(stones);
    ThreatZone zone;
    zone_clear(&zone, board, free + (settling->zone != NULL ? settling->zone->most : 0), above);
    BoardState before = single_threat_pass(search);
    bool won = settle_without(search, settling, stones, &zone);
    search->tally.board.state = before;
    if (!won)
        return false;
    if (settling->zone != NULL)
        zone_unite(settling->zone, &zone, board, free);
    return free == 0 || try_free(search, settling, answer, stones, &zone);
}

// Whether the attacker wins against each answer without free stones: few searches, which refute most turns.
static bool wins_without(DoubleThreat *search, Settling *settling)
{
    for (unsigned i = 0; i < settling->count; i++) {
        BoardState before = double_threat_play(&search->tally, &settling->answers[i]);
        BoardState state = single_threat_pass(search);
        Finding finding = single_threat_attack(search, settling->turns, settling->singles);
        search->tally.board.state = state;
        double_threat_undo(&search->tally, &settling->answers[i], before);
        if (!finding.won || search->out)
            return fails(settling, finding);
    }
    return true;
}

bool single_threat_settle(DoubleThreat *search, Settling *settling)
{
    settling->finding = (Finding){true, 1};
    if (!wins_without(search, settling))
        return false;
    for (unsigned i = 0; i < settling->count; i++) {
        BoardState before = double_threat_play(&search->tally, &settling->answers[i]);
        bool won = settle(search, settling, i, &settling->answers[i], NULL);
        double_threat_undo(&search->tally, &settling->answers[i], before);
        if (!won)
            return false;
    }
    return true;
}

// --- The search ---

// Pushes turns; returns how many.
static unsigned push_turns(DoubleThreat *search, const TurnsWanted *wanted, unsigned most)
{
    unsigned room = TURNS_MAX - search->turn_count;
    if (!turns_begin(&search->turns, &search->tally))
        return 0;
    turns_make(&search->turns, wanted, search->turn_list + search->turn_count, room);
    unsigned count = search->turns.count < most ? search->turns.count : most;
    search->turn_count += count;
    return count;
}

// A turn that leaves free stones.
static Finding try_single(DoubleThreat *search, const CellSet *turn, unsigned turns, unsigned singles)
{
    Settling settling = {.turns = turns - 1, .singles = singles - 1, .finding = {false, TURNS_EVER}};
    BoardState before = double_threat_play(&search->tally, turn);
    if (single_threat_push_answers(search, turn, &settling))
        (void)single_threat_settle(search, &settling);
    search->answer_count -= settling.count;
    double_threat_undo(&search->tally, turn, before);
    return settling.finding;
}

Finding single_threat_attack(DoubleThreat *search, unsigned turns, unsigned singles)
{
    unsigned p = search->tally.board.rules.p;
    CellSet turn = cell_set_none;
    // 1. Double threats alone, then the transposition table. A single threat never wins as the last turn.
    Finding finding = double_threat_attack(search, turns);
    if (singles == 0 || finding.won || search->out)
        return finding;
    if (turns < 2)
        return (Finding){false, (uint8_t)turns};
    if (double_threat_recall(search, singles, turns, &finding))
        return finding;
    // 2. A single threat now, or later.
    TurnsWanted now = {.target = 1, .below = p, .later = turns - 1, .free = FREE_LIKELY};
    finding =
        double_threat_try_each(search, push_turns(search, &now, SINGLES_TRIED), turns, singles, try_single, &turn);
    if (!finding.won && !search->out) {
        TurnsWanted first = {.target = p, .later = turns - 1, .free = FREE_ANYWHERE};
        Finding later = double_threat_try_each(search, push_turns(search, &first, TURNS_MAX), turns, singles,
                                               double_threat_try_turn, &turn);
        finding = later.won || later.turns < finding.turns ? later : finding;
    }
    return search->out ? (Finding){false, 0} : double_threat_remember(search, singles, finding, &turn);
}

// Looks up a win without single threats, or else with `singles` of them.
static bool recall_turn(const DoubleThreat *search, unsigned turns, unsigned *singles, Finding *finding, CellSet *turn)
{
    const unsigned numbers[] = {0, *singles};
    for (unsigned i = 0; i < 2; i++)
        if (double_threat_recall(search, numbers[i], turns, finding) && finding->won) {
            *singles = numbers[i];
            *turn = double_threat_entry(search, *singles)->turn;
            return true;
        }
    return false;
}

bool single_threat_find_turn(DoubleThreat *search, unsigned turns, unsigned *singles, Finding *finding, CellSet *turn)
{
    unsigned most = *singles;
    if (recall_turn(search, turns, singles, finding, turn))
        return true;
    FreeStones free = search->free;
    *finding = most > 0 ? single_threat_attack(search, turns, most) : double_threat_attack_in_steps(search, turns);
    search->free = free;
    return finding->won && !search->out && recall_turn(search, turns, singles, finding, turn);
}
