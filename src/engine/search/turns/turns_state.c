// The memory of this search variant: opened once, kept from one turn of the game to the next.
#include "engine/search/turns/turns_internal.h"

#include "base/memory.h"

// A little for the middle of the board.
static void set_bonus(TurnState *state, const Rules *rules)
{
    int width = rules->width, height = rules->height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int away = abs(2 * x + 1 - width) + abs(2 * y + 1 - height);
            state->bonus[cell_at((unsigned)x, (unsigned)y)] = (int16_t)(16 - 16 * away / (width + height));
        }
}

void turn_state_open(SearchThread *thread)
{
    TurnState *state = memory_new(1, sizeof *state);
    thread->state = state;
    state->pool = memory_new(TURN_POOL, sizeof *state->pool);
    state->is_excluded = memory_new(RULES_CELLS_MAX, sizeof *state->is_excluded);
    state->is_near = memory_new(RULES_CELLS_MAX, sizeof *state->is_near);
    state->zone = memory_new(RULES_CELLS_MAX, sizeof *state->zone);
    state->bonus = memory_new(RULES_CELLS_MAX, sizeof *state->bonus);
    state->pv = memory_new(PLY_MAX + 1, sizeof *state->pv);
    state->killers = memory_new(PLY_MAX + 1, sizeof *state->killers);
    state->targets = memory_new(PLY_MAX + 1, sizeof *state->targets);
    state->refutations = memory_new(PLY_MAX + 1, sizeof *state->refutations);
    vcdt_open(state, &thread->patterns.rules);
    set_bonus(state, &thread->patterns.rules);
}

void turn_state_close(SearchThread *thread)
{
    TurnState *state = thread->state;
    if (state == NULL)
        return;
    vcdt_close(state);
    free(state->pool);
    free(state->is_excluded);
    free(state->is_near);
    free(state->zone);
    free(state->bonus);
    free(state->pv);
    free(state->killers);
    free(state->targets);
    free(state->refutations);
    free(state);
    thread->state = NULL;
}

void turn_state_clear(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    memset(state->history, 0, sizeof state->history);
    vcdt_clear(state);
}

void turn_state_begin(SearchThread *thread)
{
    TurnState *state = turn_state(thread);
    state->root_count = thread->patterns.state.count;
    state->pool_used = 0;
    state->vcdt_nodes = state->root_vcdt_nodes = 0;
    vcdt_begin(state, &thread->patterns);
    memset(state->killers, 0, (PLY_MAX + 1) * sizeof *state->killers);
    history_age(state->history, 4);
}
