// What the search through turns keeps, from one turn of the game to the next.
#include "search/thinker_turns_internal.h"

#include <stdlib.h>
#include <string.h>

static Status open_state(TurnState *state, const Field *field, Error *error)
{
    state->pool = malloc(TURN_POOL * sizeof *state->pool);
    state->is_excluded = calloc(RULES_CELLS_MAX, sizeof *state->is_excluded);
    state->is_near = calloc(RULES_CELLS_MAX, sizeof *state->is_near);
    state->zone = calloc(RULES_CELLS_MAX, sizeof *state->zone);
    state->bonus = calloc(RULES_CELLS_MAX, sizeof *state->bonus);
    state->history[0] = calloc(RULES_CELLS_MAX, sizeof *state->history[0]);
    state->history[1] = calloc(RULES_CELLS_MAX, sizeof *state->history[1]);
    state->pv = malloc((PLY_MAX + 1) * sizeof *state->pv);
    state->pv_count = calloc(PLY_MAX + 1, sizeof *state->pv_count);
    state->killers = calloc(PLY_MAX + 1, sizeof *state->killers);
    state->targets = malloc((PLY_MAX + 1) * sizeof *state->targets);
    state->refutations = malloc((PLY_MAX + 1) * sizeof *state->refutations);
    if (state->pool == NULL || state->is_excluded == NULL || state->is_near == NULL || state->zone == NULL ||
        state->bonus == NULL || state->history[0] == NULL || state->history[1] == NULL || state->pv == NULL ||
        state->pv_count == NULL || state->killers == NULL || state->targets == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the search of turns");
    return attack_open(state, &field->rules, error);
}

// The middle is better than the border where nothing else is to be said.
static void set_bonus(TurnState *state, const Rules *rules)
{
    int width = rules->width, height = rules->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int away = abs(2 * x + 1 - width) + abs(2 * y + 1 - height);
            state->bonus[cell_at((unsigned)x, (unsigned)y)] = (int16_t)(16 - 16 * away / (width + height));
        }
}

void turn_state_close(Worker *worker)
{
    TurnState *state = worker->state;
    if (state == NULL)
        return;
    attack_close(state);
    free(state->pool);
    free(state->is_excluded);
    free(state->is_near);
    free(state->zone);
    free(state->bonus);
    free(state->history[0]);
    free(state->history[1]);
    free(state->pv);
    free(state->pv_count);
    free(state->killers);
    free(state->targets);
    free(state->refutations);
    free(state);
    worker->state = NULL;
}

Status turn_state_open(Worker *worker, Error *error)
{
    TurnState *state = calloc(1, sizeof *state);
    worker->state = state;
    if (state == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the search of turns");
    Status status = open_state(state, &worker->field, error);
    if (status != STATUS_OK)
        turn_state_close(worker);
    else
        set_bonus(state, &worker->field.rules);
    return status;
}

void turn_state_clear(Worker *worker)
{
    TurnState *state = turn_state(worker);
    memset(state->history[0], 0, RULES_CELLS_MAX * sizeof *state->history[0]);
    memset(state->history[1], 0, RULES_CELLS_MAX * sizeof *state->history[1]);
    attack_clear(state);
}

void turn_state_begin(Worker *worker)
{
    TurnState *state = turn_state(worker);
    state->root_count = worker->field.state.count;
    state->pool_used = 0;
    state->attack_nodes = state->root_attack_nodes = 0;
    attack_begin(state, &worker->field);
    memset(state->killers, 0, (PLY_MAX + 1) * sizeof *state->killers);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned cell = 0; cell < RULES_CELLS_MAX; cell++)
            state->history[side][cell] /= 4;
}
