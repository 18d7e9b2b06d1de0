// Lists of turns. Stones are chosen one after another, each from the cells with the best scores after the previous
// ones. A cell that was tried earlier for the same stone is excluded later, so that every set of stones is listed once.
#include "engine/search/turns/turns_internal.h"

enum {
    CELLS_PER_POLL = 1024,
    NEAR_FIRST = 24, // cells kept of those before the turn: more than are tried for a stone after the first
    NEAR_MAX = NEAR_FIRST + SEARCH_TURN_MAX * 8 * 20,
};

typedef struct {
    SearchThread *thread;
    PatternBoard *patterns;
    TurnState *state;
    const Targets *targets; // NULL: none
    const Widths *widths;
    TurnList list;
    Turn turn; // being built
    unsigned stones;
    bool takes_all, has_zone;
    unsigned useful; // stones of the turn that are in the zone or threaten
    unsigned near_count;
    Cell *near; // NEAR_MAX: the best cells before the turn, and those that its stones have changed
} Making;

typedef struct {
    unsigned count, most;
    bool is_pruned;
    ScoredCell choice[CHOICES_MAX];
} Choices;

// Adds the terms of the search to the score of the evaluator.
static int full_score(const TurnState *state, Side side, ScoredCell scored)
{
    return scored.score + state->bonus[scored.cell] + state->history[side][scored.cell] / 64;
}

int turn_cell_score(const SearchThread *thread, Cell cell)
{
    ScoredCell scored = {.cell = cell};
    evaluator_order(&thread->evaluator, &thread->patterns, &scored, 1);
    return full_score(turn_state(thread), pattern_board_side(&thread->patterns), scored);
}

static bool is_useful(const Making *making, Cell cell)
{
    const PatternBoard *patterns = making->patterns;
    return making->state->zone[cell] ||
           pattern_board_cell_pattern(patterns, cell, pattern_board_side(patterns)) < CELL_QUIET;
}

static void choices_add(Choices *choices, Cell cell, int score)
{
    choices->is_pruned |= choices->count == choices->most;
    cells_keep_best(choices->choice, &choices->count, choices->most, cell, score);
}

// Scores cells in one call of the evaluator and adds them.
static void choices_add_all(const Making *making, Choices *choices, ScoredCell *cells, unsigned count)
{
    Side side = pattern_board_side(making->patterns);
    evaluator_order(&making->thread->evaluator, making->patterns, cells, count);
    for (unsigned i = 0; i < count; i++)
        choices_add(choices, cells[i].cell, full_score(making->state, side, cells[i]));
}

static void choose_free(Making *making, Choices *choices)
{
    const PatternBoard *patterns = making->patterns;
    for (unsigned y = 0; y < patterns->rules.height; y++) {
        ScoredCell cells[RULES_SIDE_MAX];
        unsigned count = 0;
        for (uint64_t empty = pattern_board_empty_row(patterns, y); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), y);
            if (!making->state->is_excluded[cell])
                cells[count++].cell = cell;
        }
        choices_add_all(making, choices, cells, count);
    }
}

// Rescores the cells in reach of the last stone; the others keep their order.
static void look_again(Making *making)
{
    const PatternBoard *patterns = making->patterns;
    Cell changed[PATTERN_BOARD_REACH_MAX];
    unsigned count = pattern_board_in_reach(patterns, patterns->played[patterns->played_count - 1], changed);
    for (unsigned i = 0; i < count && making->near_count < NEAR_MAX; i++) {
        Cell cell = changed[i];
        if (!making->state->is_near[cell]) {
            making->state->is_near[cell] = true;
            making->near[making->near_count++] = cell;
        }
    }
}

static void forget_near(Making *making, unsigned count)
{
    while (making->near_count > count)
        making->state->is_near[making->near[--making->near_count]] = false;
}

static void choose_near(Making *making, Choices *choices)
{
    ScoredCell cells[NEAR_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < making->near_count; i++) {
        Cell cell = making->near[i];
        if (!making->state->is_excluded[cell] && pattern_board_is_empty(making->patterns, cell))
            cells[count++].cell = cell;
    }
    choices_add_all(making, choices, cells, count);
    choices->is_pruned = true;
}

// Chooses the cells of a target that must be met, if the remaining stones can then meet the other targets.
static void choose_meeting(Making *making, const Target *target, Choices *choices)
{
    Turn *turn = &making->turn;
    unsigned after = making->stones - turn->count - 1u;
    choices->most = CHOICES_MAX;
    for (unsigned i = 0; i < target->count; i++) {
        Cell cell = target->cell[i];
        if (making->state->is_excluded[cell])
            continue;
        turn->stones[turn->count] = cell;
        if (rows_least_besides(making->targets, turn->stones, turn->count + 1u, after) <= after)
            choices_add(choices, cell, turn_cell_score(making->thread, cell));
    }
}

static void choose(Making *making, Choices *choices)
{
    unsigned level = making->turn.count;
    choices->count = 0;
    choices->is_pruned = false;
    choices->most = making->takes_all ? CHOICES_MAX : making->widths->of[level];
    const Targets *targets = making->targets;
    unsigned unmet = targets == NULL ? 0 : rows_first_unmet(targets, making->turn.stones, level);
    if (targets != NULL && unmet < targets->count)
        choose_meeting(making, &targets->target[unmet], choices);
    else if (level > 0 && making->near_count > 0)
        choose_near(making, choices);
    else
        choose_free(making, choices);
    making->list.is_pruned |= choices->is_pruned;
}

static void emit(Making *making)
{
    TurnState *state = making->state;
    bool is_left_out = making->has_zone && making->useful == 0;
    if (is_left_out || making->list.count >= LIST_MAX || state->pool_used >= TURN_POOL) {
        making->list.is_pruned = true;
        return;
    }
    state->pool[state->pool_used++] = making->turn;
    making->list.count++;
}

static void extend(Making *making);

static void extend_with(Making *making, ScoredCell choice, bool is_last)
{
    Turn *turn = &making->turn;
    PatternBoard *patterns = making->patterns;
    int before = turn->score;
    unsigned useful = making->useful;
    making->useful += is_useful(making, choice.cell);
    bool threatened = turn->threatens;
    turn->threatens |= pattern_board_cell_pattern(patterns, choice.cell, pattern_board_side(patterns)) < CELL_QUIET;
    turn->stones[turn->count++] = choice.cell;
    turn->score += choice.score;
    turn->wins = pattern_board_cell_pattern(patterns, choice.cell, pattern_board_side(patterns)) == CELL_COMPLETES;
    if (is_last || turn->wins) {
        emit(making);
    } else {
        search_play(making->thread, choice.cell);
        extend(making);
        search_undo(making->thread);
    }
    turn->count--;
    turn->score = before;
    turn->wins = false;
    turn->threatens = threatened;
    making->useful = useful;
}

// Stores the cells for the stones after the first.
static void remember_best(Making *making)
{
    Choices best;
    best.count = 0;
    best.is_pruned = false;
    best.most = NEAR_FIRST;
    choose_free(making, &best);
    for (unsigned i = 0; i < best.count; i++) {
        making->near[making->near_count++] = best.choice[i].cell;
        making->state->is_near[best.choice[i].cell] = true;
    }
}

static void extend(Making *making)
{
    Choices choices;
    unsigned near_count = making->near_count;
    if (making->turn.count > 0 && near_count > 0)
        look_again(making);
    choose(making, &choices);
    bool is_last = making->turn.count + 1u == making->stones;
    for (unsigned i = 0; i < choices.count; i++) {
        extend_with(making, choices.choice[i], is_last);
        making->state->is_excluded[choices.choice[i].cell] = true;
    }
    for (unsigned i = 0; i < choices.count; i++)
        making->state->is_excluded[choices.choice[i].cell] = false;
    forget_near(making, near_count);
}

// Whether all sets of `stones` cells are few enough to be listed.
static bool are_few(const PatternBoard *patterns, unsigned stones)
{
    unsigned cells = (unsigned)patterns->cells - patterns->state.count, sets = 1;
    for (unsigned i = 0; i < stones; i++) {
        sets = sets * (cells - i) / (i + 1);
        if (sets > CHOICES_MAX)
            return false;
    }
    return true;
}

const Turn *turn_list_next(const TurnList *list, unsigned number)
{
    unsigned best = number;
    for (unsigned i = number + 1; i < list->count; i++)
        if (list->turns[i].score > list->turns[best].score)
            best = i;
    Turn turn = list->turns[best];
    list->turns[best] = list->turns[number];
    list->turns[number] = turn;
    return &list->turns[number];
}

// On a large board a list costs as much as many nodes, so the limits are checked accordingly.
static void poll_for_size(SearchThread *thread)
{
    for (unsigned i = 0; i < thread->patterns.cells / CELLS_PER_POLL; i++)
        search_poll(thread);
}

TurnList turn_list_make(SearchThread *thread, const Targets *targets, const Widths *widths, bool has_zone)
{
    TurnState *state = turn_state(thread);
    Cell near[NEAR_MAX];
    Making making = {.thread = thread,
                     .patterns = &thread->patterns,
                     .state = state,
                     .targets = targets,
                     .widths = widths,
                     .list = {.turns = state->pool + state->pool_used},
                     .has_zone = has_zone,
                     .near = near};
    poll_for_size(thread);
    making.stones = pattern_board_stones_left(making.patterns);
    making.takes_all = are_few(making.patterns, making.stones);
    if (making.stones > 1 && !making.takes_all)
        remember_best(&making);
    extend(&making);
    forget_near(&making, 0);
    return making.list;
}

void turn_list_drop(TurnState *state, const TurnList *list)
{
    state->pool_used = (unsigned)(list->turns - state->pool);
}

unsigned turn_play(SearchThread *thread, const Turn *turn)
{
    unsigned count = 0;
    while (count < turn->count && !thread->patterns.state.won)
        search_play(thread, turn->stones[count++]);
    return count;
}

void turn_undo(SearchThread *thread, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        search_undo(thread);
}
