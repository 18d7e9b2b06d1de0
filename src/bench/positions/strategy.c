// Plays the strategy that a double-threat search claims against the replies of the defender, with plain rules.
#include "bench/positions/strategy.h"

#include "base/memory.h"
#include "threats/lines.h"

#include <stdlib.h>

// --- Sets of numbers with something beside them ---

typedef struct {
    uint64_t key;
    CellSet turn;
    bool is_used;
} Slot;

typedef struct {
    Slot *slots;
    uint64_t mask, count; // slots less 1, a power of two less 1
} Slots;

// The slot of this key and turn, or the free one where it belongs.
static Slot *slots_find(const Slots *slots, uint64_t key, const CellSet *turn)
{
    uint64_t at = key & slots->mask;
    while (slots->slots[at].is_used && !(slots->slots[at].key == key && cell_sets_equal(&slots->slots[at].turn, turn)))
        at = (at + 1) & slots->mask;
    return &slots->slots[at];
}

static void slots_grow(Slots *slots)
{
    Slots more = {.mask = slots->slots == NULL ? 1023 : slots->mask * 2 + 1, .count = slots->count};
    more.slots = memory_new(more.mask + 1, sizeof more.slots[0]);
    for (uint64_t i = 0; slots->slots != NULL && i <= slots->mask; i++)
        if (slots->slots[i].is_used)
            *slots_find(&more, slots->slots[i].key, &slots->slots[i].turn) = slots->slots[i];
    free(slots->slots);
    *slots = more;
}

static void slots_add(Slots *slots, uint64_t key, const CellSet *turn)
{
    if (slots->slots == NULL || slots->count * 2 > slots->mask)
        slots_grow(slots);
    Slot *slot = slots_find(slots, key, turn);
    slots->count += !slot->is_used;
    *slot = (Slot){key, *turn, true};
}

// --- The check ---

typedef struct {
    StrategyCheck *found;
    StrategyReplies replies;
    uint64_t most;
    Side attacker;
    Board all, known;
    Slots turns; // by the key of the known board
    Slots done;  // pairs of boards that are won
    unsigned window_count;
    Window windows[WINDOWS_MAX];
} Check;

static bool fails(Check *check, const char *fault)
{
    if (check->found->fault == NULL)
        check->found->fault = fault;
    return false;
}

static bool collect(void *context, const DoubleThreatStep *step)
{
    Check *check = context;
    slots_add(&check->turns, board_key(step->board), &step->turn);
    return true;
}

static bool attack(Check *check);

// Continues with a turn of the strategy that knows part of the reply.
static bool attack_knowing(Check *check, const CellSet *reply, unsigned part)
{
    Cell cells[WINDOW_TALLY_P_MAX];
    BoardState before[WINDOW_TALLY_P_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < cell_set_count(reply); i++)
        if (part >> i & 1) {
            cells[count] = reply->cell[i];
            before[count++] = board_play(&check->known, reply->cell[i]);
        }
    BoardState state = check->known.state;
    (void)board_set_turn(&check->known, check->attacker, check->known.rules.p);
    bool wins = attack(check);
    check->known.state = state;
    while (count-- > 0)
        board_undo(&check->known, cells[count], before[count]);
    return wins;
}

// The defender has replied on the board with all stones.
static bool wins_against(Check *check, const CellSet *reply)
{
    const Board *all = &check->all;
    check->found->replies++;
    if (board_winner(all) != WINNER_NONE)
        return fails(check, "the defender completes a row");
    if (board_is_over(all))
        return fails(check, "the board is full");
    if (lines_can_complete(all, check->attacker, board_stones_left(all)))
        return true;
    for (unsigned part = 1u << cell_set_count(reply); part-- > 0;)
        if (attack_knowing(check, reply, part))
            return true;
    return false;
}

// The first window that the attacker could complete; `window_count` if there is none.
static unsigned first_threat(const Check *check)
{
    unsigned i = 0;
    while (i < check->window_count && !window_is_threat(&check->all, check->windows[i], check->attacker))
        i++;
    return i;
}

static bool wins_against_all(Check *check, const CellSet *reply, unsigned from);

static bool wins_against_stone(Check *check, const CellSet *reply, Cell cell, unsigned from)
{
    CellSet with = cell_set_with(reply, cell);
    BoardState before = board_play(&check->all, cell);
    bool wins = wins_against_all(check, &with, from);
    board_undo(&check->all, cell, before);
    return wins;
}

// Extends the reply by stones from `from` on, or by stones that stop the first threat.
static bool wins_against_all(Check *check, const CellSet *reply, unsigned from)
{
    const Board *all = &check->all;
    if (check->most > 0 && check->found->replies >= check->most) {
        check->found->is_unfinished = true;
        return true;
    }
    if (board_is_over(all) || board_side(all) == check->attacker)
        return wins_against(check, reply);
    unsigned threat = check->replies == REPLIES_STOPPING ? first_threat(check) : check->window_count;
    bool wins = true;
    if (threat < check->window_count) {
        Cell cells[RULES_SIDE_MAX];
        Window window = check->windows[threat];
        unsigned count = window_cells(all, window.line, window_empty(all, window), cells);
        for (unsigned i = 0; i < count && wins; i++)
            wins = wins_against_stone(check, reply, cells[i], 0);
        return wins;
    }
    for (unsigned cell = from; cell < RULES_CELLS_MAX && wins; cell++)
        if (board_is_legal(all, (Cell)cell))
            wins = wins_against_stone(check, reply, (Cell)cell, cell + 1);
    return wins;
}

// The turn is on both boards.
static bool wins_after_turn(Check *check)
{
    const Board *all = &check->all;
    if (board_winner(all) != WINNER_NONE)
        return true;
    if (board_is_over(all) || board_side(all) == check->attacker)
        return fails(check, "a turn is too short");
    if (lines_can_complete(all, side_other(check->attacker), board_stones_left(all)))
        return fails(check, "the defender can complete a row");
    return wins_against_all(check, &cell_set_none, 0);
}

static bool can_play(const Check *check, Cell cell)
{
    return board_side(&check->all) == check->attacker && board_is_legal(&check->all, cell);
}

static bool try_turn(Check *check, const CellSet *turn)
{
    BoardState all[WINDOW_TALLY_P_MAX], known[WINDOW_TALLY_P_MAX];
    unsigned count = 0, size = cell_set_count(turn);
    bool wins = size > 0 && can_play(check, turn->cell[0]);
    for (; count < size && wins; count++) {
        all[count] = board_play(&check->all, turn->cell[count]);
        known[count] = board_play(&check->known, turn->cell[count]);
        wins = count + 1 == size || can_play(check, turn->cell[count + 1]);
    }
    wins = wins ? wins_after_turn(check) : fails(check, "a turn is illegal");
    while (count-- > 0) {
        board_undo(&check->all, turn->cell[count], all[count]);
        board_undo(&check->known, turn->cell[count], known[count]);
    }
    return wins;
}

// The attacker is to move on both boards: one of the strategy's turns must win.
static bool attack(Check *check)
{
    uint64_t key = board_key(&check->known), pair = key * 3 ^ board_key(&check->all);
    if (check->done.slots != NULL && slots_find(&check->done, pair, &cell_set_none)->is_used)
        return true;
    for (uint64_t at = key & check->turns.mask; check->turns.slots[at].is_used; at = (at + 1) & check->turns.mask)
        if (check->turns.slots[at].key == key && try_turn(check, &check->turns.slots[at].turn)) {
            if (!check->found->is_unfinished)
                slots_add(&check->done, pair, &cell_set_none);
            return true;
        }
    return false;
}

static void play_through(Check *check, DoubleThreat *search, const Board *board, const DoubleThreatResult *result)
{
    StrategyCheck *found = check->found;
    check->attacker = board_side(board);
    board_copy(&check->all, board);
    board_copy(&check->known, board);
    check->window_count = windows_all(board, check->windows);
    bool walked = double_threat_walk(search, result, collect, check);
    found->positions = check->turns.count;
    if (!walked)
        (void)fails(check, "the walk ended early");
    else if (attack(check))
        found->fault = NULL; // of parts of replies that did not lead to a win
    else
        (void)fails(check, "a reply has no position in the strategy");
}

StrategyCheck strategy_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result,
                             StrategyReplies replies, uint64_t most)
{
    StrategyCheck check = {0};
    Check *all = memory_new(1, sizeof *all);
    all->found = &check;
    all->replies = replies;
    all->most = most;
    play_through(all, search, board, result);
    free(all->turns.slots);
    free(all->done.slots);
    free(all);
    return check;
}
