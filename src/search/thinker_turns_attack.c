// Wins by threats. The attacker plays only turns after which all stones of the other side are needed to stop the rows
// that threaten, or more than it has; so every answer is forced, and all of them are tried. What is found is a win by
// the rules; a win may be missed, as only the turns that look best are tried.
#include "search/thinker_turns_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    TABLE_LOG = 15,
    LEVELS_MAX = 24,
    ANSWERS_MAX = 256, // p^p for p up to 4
    FREE_MAX = 3,      // cells tried for a stone that the threats do not need
    FIRST_MAX = 24,    // cells tried for a stone of a turn of two; fewer for more, as sets grow with every stone
    TURNS_LISTED = 64,
    NEAR_MAX = 512,
};

struct AttackEntry {
    uint64_t key;
    uint16_t stones; // of the win; 0: none in so many turns
    uint8_t turns;
    uint8_t count; // of the turn
    Cell turn[THINKER_TURN_MAX];
};

// What a stone on a cell with this code makes by itself, as stones that it takes to stop it: 2 for an open threat, 1
// for another, of each direction.
static unsigned force_of_code(const Shapes *shapes, unsigned code)
{
    unsigned force = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        Shape shape = shapes->kind[number < shapes->count ? number : SHAPE_DEAD];
        if (shape.level > SHAPE_LEVEL_DEAD && shape.need <= shapes->p)
            force += shape.level >= SHAPE_LEVEL_OPEN ? 2 : 1;
    }
    return force;
}

// Stones after this one in the turn with which a row through the cell could become an open threat; 15: it cannot.
static unsigned more_of_code(const Shapes *shapes, unsigned code)
{
    unsigned more = 15;
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        Shape shape = shapes->kind[number < shapes->count ? number : SHAPE_DEAD];
        if (shape.level >= SHAPE_LEVEL_OPEN && shape.need > shapes->p && shape.need - shapes->p < more)
            more = shape.need - shapes->p;
    }
    return more;
}

static void fill_forces(uint8_t *forces, const Shapes *shapes)
{
    for (unsigned code = 0; code < FIELD_CODES; code++)
        forces[code] = (uint8_t)(force_of_code(shapes, code) << 4 | more_of_code(shapes, code));
}

Status attack_open(TurnState *state, const Rules *rules, const Shapes *shapes, Error *error)
{
    if (!attack_suits(rules))
        return STATUS_OK;
    state->attack_table = calloc((size_t)1 << TABLE_LOG, sizeof *state->attack_table);
    state->attack_targets = malloc((2 * LEVELS_MAX + 2) * sizeof *state->attack_targets);
    state->forces = malloc(FIELD_CODES);
    if (state->attack_table == NULL || state->attack_targets == NULL || state->forces == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the search of threats");
    fill_forces(state->forces, shapes);
    return STATUS_OK;
}

void attack_close(TurnState *state)
{
    free(state->attack_table);
    free(state->attack_targets);
    free(state->forces);
}

void attack_clear(TurnState *state)
{
    if (state->attack_table != NULL)
        memset(state->attack_table, 0, sizeof *state->attack_table << TABLE_LOG);
}

static AttackEntry *entry_of(const TurnState *state, uint64_t key)
{
    return &state->attack_table[key & bits_low(TABLE_LOG)];
}

// --- Turns of the attacker ---

typedef struct {
    Worker *worker;
    Field *field;
    TurnState *state;
    const Targets *held; // rows of the defender, which the turn has to meet
    Targets *own;        // room for those of the attacker
    Turn turn;
    unsigned stones;
    TurnList list;
    unsigned wanted; // stones that the threats shall need to be stopped: p, or more where no other turn may follow
    bool has_base;   // there were threats before the turn
    bool has_won;    // the turn leaves more to stop than can be stopped
    unsigned near_count;
    Cell near[NEAR_MAX]; // cells that may be part of a threat, for the stone under way and those after it
} Assault;

typedef struct {
    unsigned count, most;
    struct {
        Cell cell;
        int score;
    } at[FIRST_MAX];
} Picks;

static void picks_add(Picks *picks, Cell cell, int score)
{
    unsigned at = picks->count;
    if (at == picks->most) {
        if (picks->at[at - 1].score >= score)
            return;
        at--;
    } else {
        picks->count++;
    }
    for (; at > 0 && picks->at[at - 1].score < score; at--)
        picks->at[at] = picks->at[at - 1];
    picks->at[at].cell = cell;
    picks->at[at].score = score;
}

// Whether a stone here may be part of a turn that threatens enough, with `more` others after it: it makes at least
// `least` threats by itself, or an open one together with those.
static bool has_promise(const Assault *assault, Cell cell, unsigned least, unsigned more)
{
    const Field *field = assault->field;
    unsigned forces = assault->state->forces[field_code(field, cell, field_side(field))];
    return forces >> 4 >= least || (forces & 15) <= more;
}

static void near_add(Assault *assault, Cell cell)
{
    if (assault->near_count < NEAR_MAX && !assault->state->is_near[cell]) {
        assault->state->is_near[cell] = true;
        assault->near[assault->near_count++] = cell;
    }
}

static void near_cut(Assault *assault, unsigned count)
{
    while (assault->near_count > count)
        assault->state->is_near[assault->near[--assault->near_count]] = false;
}

// The cells that may matter before the first stone.
static void look_around(Assault *assault)
{
    const Field *field = assault->field;
    for (unsigned y = 0; y < field->rules.height; y++)
        for (uint64_t empty = field_empty_row(field, y); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), y);
            if (has_promise(assault, cell, 1, assault->stones - 1))
                near_add(assault, cell);
        }
}

// A stone changes the cells in its reach; others are as before.
static void look_again(Assault *assault)
{
    const Field *field = assault->field;
    unsigned more = assault->stones - assault->turn.count - 1u;
    Cell changed[FIELD_REACH_MAX];
    unsigned count = field_in_reach(field, field->played[field->played_count - 1], changed);
    for (unsigned i = 0; i < count; i++)
        if (has_promise(assault, changed[i], 1, more))
            near_add(assault, changed[i]);
}

static void pick_near(const Assault *assault, unsigned least, Picks *picks)
{
    const Field *field = assault->field;
    unsigned more = assault->stones - assault->turn.count - 1u;
    for (unsigned i = 0; i < assault->near_count; i++) {
        Cell cell = assault->near[i];
        if (!assault->state->is_excluded[cell] && field_is_empty(field, cell) &&
            has_promise(assault, cell, least, more))
            picks_add(picks, cell, turn_cell_score(assault->worker, cell));
    }
}

static void pick_any(const Assault *assault, Picks *picks)
{
    const Field *field = assault->field;
    for (unsigned y = 0; y < field->rules.height; y++)
        for (uint64_t empty = field_empty_row(field, y); empty != 0; empty &= empty - 1) {
            Cell cell = cell_at(bits_lowest(empty), y);
            if (!assault->state->is_excluded[cell])
                picks_add(picks, cell, turn_cell_score(assault->worker, cell));
        }
}

// The threats of the attacker, whose stones of the turn so far are on the board.
static void own_targets(Assault *assault, Side side)
{
    if (assault->has_base)
        rows_targets(assault->field, side, assault->own);
    else
        rows_targets_through(assault->field, side, &assault->turn, assault->own);
}

static void pick_meeting(const Assault *assault, const Target *target, Picks *picks)
{
    for (unsigned i = 0; i < target->count; i++)
        if (!assault->state->is_excluded[target->cell[i]])
            picks_add(picks, target->cell[i], turn_cell_score(assault->worker, target->cell[i]));
}

// Whether the attacker has a row that threatens, by the counters: all but sure.
static bool has_threat(const Field *field)
{
    Side side = field_side(field);
    return field_count(field, side, 0) + field_count(field, side, 1) + field_count(field, side, 2) +
               field_count(field, side, 3) >
           0;
}

static unsigned picks_of_turn(unsigned stones)
{
    return stones <= 2 ? FIRST_MAX : stones == 3 ? FIRST_MAX / 2 : FIRST_MAX / 3;
}

static void pick(Assault *assault, Picks *picks)
{
    const Targets *held = assault->held;
    unsigned unmet = rows_first_unmet(held, assault->turn.stones, assault->turn.count);
    picks->count = 0;
    picks->most = picks_of_turn(assault->stones);
    if (unmet < held->count) {
        pick_meeting(assault, &held->target[unmet], picks);
        return;
    }
    unsigned made = 0, more = assault->stones - assault->turn.count - 1u;
    if (assault->turn.count > 0 && has_threat(assault->field)) {
        own_targets(assault, field_side(assault->field));
        made = rows_least(assault->own, assault->wanted - 1);
    }
    bool is_free = made >= assault->wanted;
    picks->most = is_free ? FREE_MAX : picks_of_turn(assault->stones);
    if (is_free)
        pick_any(assault, picks);
    else
        pick_near(assault, more == 0 ? assault->wanted - made : 1, picks);
}

// All stones are placed: is it a turn of the kind that is wanted?
static void judge(Assault *assault)
{
    Field *field = assault->field;
    TurnState *state = assault->state;
    unsigned p = field->rules.p;
    Side side = side_other(field_side(field));
    if (rows_first_unmet(assault->held, assault->turn.stones, assault->turn.count) < assault->held->count)
        return;
    own_targets(assault, side);
    unsigned least = rows_least(assault->own, p);
    assault->has_won = least > p;
    if (least < assault->wanted || assault->list.count >= TURNS_LISTED || state->pool_used >= TURN_POOL)
        return;
    state->pool[state->pool_used++] = assault->turn;
    assault->list.count++;
}

static void assemble(Assault *assault);

static void assemble_with(Assault *assault, Cell cell, int score)
{
    Turn *turn = &assault->turn;
    turn->stones[turn->count++] = cell;
    turn->score += score;
    field_play(assault->field, cell);
    if (turn->count == assault->stones)
        judge(assault);
    else
        assemble(assault);
    field_undo(assault->field);
    if (assault->has_won)
        return; // the turn stays as it is
    turn->score -= score;
    turn->count--;
}

static void assemble(Assault *assault)
{
    Picks picks;
    unsigned near_count = assault->near_count, done = 0;
    if (assault->turn.count > 0)
        look_again(assault);
    pick(assault, &picks);
    for (; done < picks.count && !assault->has_won; done++) {
        assemble_with(assault, picks.at[done].cell, picks.at[done].score);
        assault->state->is_excluded[picks.at[done].cell] = true;
    }
    for (unsigned i = 0; i < done; i++)
        assault->state->is_excluded[picks.at[i].cell] = false;
    near_cut(assault, near_count);
}

// --- Answers ---

typedef struct {
    const Targets *targets;
    unsigned stones, count;
    Turn turn;
    Cell excluded[THINKER_TURN_MAX * THINKER_TURN_MAX];
    unsigned excluded_count;
    Turn answers[ANSWERS_MAX];
} Answers;

static bool is_barred(const Answers *answers, Cell cell)
{
    for (unsigned i = 0; i < answers->excluded_count; i++)
        if (answers->excluded[i] == cell)
            return true;
    return false;
}

// Every set of p cells that meets all targets, where fewer do not.
static void answer(Answers *answers)
{
    Turn *turn = &answers->turn;
    unsigned unmet = rows_first_unmet(answers->targets, turn->stones, turn->count);
    if (turn->count == answers->stones) {
        if (unmet == answers->targets->count)
            answers->answers[answers->count++] = *turn;
        return;
    }
    if (unmet == answers->targets->count)
        return;
    const Target *target = &answers->targets->target[unmet];
    unsigned before = answers->excluded_count;
    for (unsigned i = 0; i < target->count; i++) {
        if (is_barred(answers, target->cell[i]))
            continue;
        turn->stones[turn->count++] = target->cell[i];
        answer(answers);
        turn->count--;
        answers->excluded[answers->excluded_count++] = target->cell[i];
    }
    answers->excluded_count = before;
}

// --- The search ---

static Attack attack(Worker *worker, const Turn *answered, unsigned turns, unsigned level);

static bool is_out(Worker *worker)
{
    TurnState *state = turn_state(worker);
    return worker_poll(worker) || ++state->attack_nodes > state->attack_limit;
}

// Whether every answer to a turn loses too; returns the stones it takes after the turn, 0 if not.
static unsigned attack_answers(Worker *worker, const Targets *targets, unsigned turns, unsigned level)
{
    Field *field = &worker->field;
    Answers answers;
    answers.targets = targets;
    answers.stones = field->rules.p;
    answers.count = answers.excluded_count = 0;
    answers.turn = (Turn){.count = 0};
    answer(&answers);
    unsigned longest = 0;
    for (unsigned i = 0; i < answers.count; i++) {
        unsigned count = turn_play(field, &answers.answers[i]);
        unsigned stones = attack(worker, &answers.answers[i], turns - 1, level + 1).stones;
        turn_undo(field, count);
        if (stones == 0)
            return 0;
        longest = stones + count > longest ? stones + count : longest;
    }
    return longest;
}

static unsigned attack_turn(Worker *worker, const Turn *turn, bool has_base, unsigned turns, unsigned level)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    Targets *targets = &state->attack_targets[2 * (size_t)level + 1];
    unsigned p = field->rules.p, count = turn_play(field, turn), after = 0;
    if (has_base)
        rows_targets(field, side_other(field_side(field)), targets);
    else
        rows_targets_through(field, side_other(field_side(field)), turn, targets);
    if (rows_least(targets, p) > p)
        after = 2 * p;
    else
        after = attack_answers(worker, targets, turns, level);
    unsigned empty = (unsigned)field->cells - field->state.count;
    turn_undo(field, count);
    return after == 0 ? 0 : count + (after < empty ? after : empty);
}

static Attack attack_turns(Worker *worker, const Targets *held, unsigned turns, unsigned level)
{
    TurnState *state = turn_state(worker);
    Assault assault;
    assault.worker = worker;
    assault.field = &worker->field;
    assault.state = state;
    assault.held = held;
    assault.own = &state->attack_targets[2 * (size_t)level + 1];
    assault.turn = (Turn){.count = 0};
    assault.stones = turn_stones(assault.field);
    assault.list = (TurnList){.turns = state->pool + state->pool_used};
    assault.has_base = level == 0 && has_threat(assault.field);
    assault.has_won = false;
    assault.wanted = turns > 1 ? assault.field->rules.p : assault.field->rules.p + 1u;
    assault.near_count = 0;
    look_around(&assault);
    assemble(&assault);
    near_cut(&assault, 0);
    Attack found = {0};
    if (assault.has_won) {
        found.turn = assault.turn;
        found.stones = attack_turn(worker, &assault.turn, assault.has_base, turns, level);
    }
    for (unsigned i = 0; i < assault.list.count && found.stones == 0 && turns > 1; i++) {
        const Turn *turn = turn_list_next(&assault.list, i);
        found.stones = attack_turn(worker, turn, assault.has_base, turns, level);
        found.turn = *turn;
        if (worker->is_stopped || state->attack_nodes > state->attack_limit)
            break;
    }
    turn_list_drop(state, &assault.list);
    return found;
}

// A position of the attacker, who cannot complete a row; `turns` more may follow before the one that does. After an
// answer the defender has no other threats than those of its stones, as the turn before met all.
static Attack attack(Worker *worker, const Turn *answered, unsigned turns, unsigned level)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    Attack found = {0};
    if (is_out(worker))
        return found;
    if (turns == 0 || level >= LEVELS_MAX)
        return found;
    Targets *held = &state->attack_targets[2 * (size_t)level];
    if (answered == NULL)
        rows_targets(field, side_other(field_side(field)), held);
    else
        rows_targets_through(field, side_other(field_side(field)), answered, held);
    if (held->count == TARGETS_MAX || rows_least(held, turn_stones(field)) > turn_stones(field))
        return found;
    AttackEntry *entry = entry_of(state, field_key(field));
    if (entry->key == field_key(field) && (entry->stones > 0 || entry->turns >= turns)) {
        found.stones = entry->stones;
        found.turn.count = entry->count;
        memcpy(found.turn.stones, entry->turn, sizeof entry->turn);
        return found;
    }
    found = attack_turns(worker, held, turns, level);
    if (found.stones == 0 && (worker->is_stopped || state->attack_nodes > state->attack_limit))
        return found;
    *entry = (AttackEntry){field_key(field), (uint16_t)found.stones, (uint8_t)turns, found.turn.count, {0}};
    memcpy(entry->turn, found.turn.stones, sizeof entry->turn);
    return found;
}

Attack attack_find(Worker *worker, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(worker);
    Attack found = {0};
    if (state->attack_table == NULL || worker->field.state.turn_left > worker->field.rules.p)
        return found;
    found.stones = rows_finish(&worker->field, found.turn.stones);
    found.turn.count = (uint8_t)found.stones;
    state->attack_limit = state->attack_nodes + nodes;
    for (unsigned more = 1; more <= turns && found.stones == 0; more++) {
        found = attack(worker, NULL, more, 0);
        if (worker->is_stopped || state->attack_nodes > state->attack_limit)
            break;
    }
    return found;
}

// --- The zone ---

static void zone_add(TurnState *state, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count && state->zone_count < ZONE_MAX; i++)
        if (!state->zone[cells[i]]) {
            state->zone[cells[i]] = true;
            state->zone_cells[state->zone_count++] = cells[i];
        }
}

static void zone_clear(TurnState *state)
{
    while (state->zone_count > 0)
        state->zone[state->zone_cells[--state->zone_count]] = false;
}

static void zone_walk(Worker *worker, const Turn *turn, unsigned level);

// Along every answer as far as the table knows how it is won.
static void zone_answers(Worker *worker, const Targets *targets, unsigned level)
{
    Field *field = &worker->field;
    Answers answers;
    answers.targets = targets;
    answers.stones = field->rules.p;
    answers.count = answers.excluded_count = 0;
    answers.turn = (Turn){.count = 0};
    answer(&answers);
    for (unsigned i = 0; i < answers.count; i++) {
        unsigned count = turn_play(field, &answers.answers[i]);
        const AttackEntry *entry = entry_of(turn_state(worker), field_key(field));
        if (entry->key == field_key(field) && entry->stones > 0) {
            Turn turn = {.count = entry->count};
            memcpy(turn.stones, entry->turn, sizeof turn.stones);
            zone_walk(worker, &turn, level + 1);
        }
        turn_undo(field, count);
    }
}

static void zone_walk(Worker *worker, const Turn *turn, unsigned level)
{
    Field *field = &worker->field;
    TurnState *state = turn_state(worker);
    Targets *targets = &state->attack_targets[2 * (size_t)level + 1];
    zone_add(state, turn->stones, turn->count);
    unsigned p = field->rules.p, count = turn_play(field, turn);
    if (!field->state.won && level < LEVELS_MAX) {
        rows_targets_through(field, side_other(field_side(field)), turn, targets);
        for (unsigned i = 0; i < targets->count; i++)
            zone_add(state, targets->target[i].cell, targets->target[i].count);
        if (rows_least(targets, p) <= p)
            zone_answers(worker, targets, level);
    }
    turn_undo(field, count);
}

void attack_set_zone(Worker *worker, const Attack *found)
{
    zone_clear(turn_state(worker));
    zone_walk(worker, &found->turn, 0);
}

Attack attack_threat(Worker *worker, unsigned turns, uint64_t nodes)
{
    TurnState *state = turn_state(worker);
    zone_clear(state);
    if (state->attack_table == NULL)
        return (Attack){0};
    field_pass(&worker->field);
    Attack found = attack_find(worker, turns, nodes);
    if (found.stones > 0)
        attack_set_zone(worker, &found);
    field_unpass(&worker->field);
    return found;
}
