// The memory of this search variant: opened once, kept from one turn of the game to the next.
#include "engine/search/turns/turns_internal.h"

#include "base/memory.h"

void turn_state_open(SearchThread *thread)
{
    TurnState *state = memory_new(1, sizeof *state);
    thread->state = state;
    vcdt_open(state, &thread->patterns.rules);
    set_centre_bonus(state->bonus, &thread->patterns.rules, 16);
}

void turn_state_close(SearchThread *thread)
{
    TurnState *state = thread->state;
    if (state == NULL)
        return;
    vcdt_close(state);
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
    memset(state->killers, 0, sizeof state->killers);
    history_age(state->history, 4);
}
