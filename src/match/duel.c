// Plays one game: clocks, faults and adjudication.
#include "match/duel.h"

#include "base/clock.h"
#include "base/memory.h"
#include "match/referee.h"
#include "threats/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    Duel *duel;
    DuelLimits limits[2]; // of each side: those of the match, or its own
    const atomic_bool *stop;
    Agent *agents[2];
    Rng rng[2];
    double clock[2];  // seconds left
    int64_t noted[2]; // milliseconds noted with the stones so far
    // Consecutive turns of each side with a score for the rules of Adjudication.
    unsigned losing[2], winning[2], level[2];
    Decision decision;
} Play;

static void end(Duel *duel, Result result, Reason reason)
{
    duel->ended = clock_unix_ms();
    duel->result = result;
    duel->reason = reason;
}

static void end_with_fault(Duel *duel, Side side, Fault fault, const char *words)
{
    end(duel, result_lost_by(side), reason_of_fault(fault));
    duel->fault = fault;
    duel->faulty = side;
    (void)snprintf(duel->words, sizeof duel->words, "%.*s", FAULT_TEXT_SIZE - 1, words);
}

// A player's own time control replaces that of the match, as do its own limits of nodes and depth.
static DuelLimits limits_of(const DuelLimits *limits, const AgentSettings *own)
{
    DuelLimits merged = *limits;
    if (own->seconds > 0 || own->clock > 0) {
        merged.turn_seconds = own->seconds;
        merged.clock_seconds = own->clock;
        merged.increment = own->increment;
    }
    merged.nodes = own->nodes > 0 ? own->nodes : limits->nodes;
    merged.depth = own->depth > 0 ? own->depth : limits->depth;
    return merged;
}

static Budget budget_of(const Play *play, Side side)
{
    const DuelLimits *limits = &play->limits[side];
    Budget budget = {.seconds = limits->turn_seconds, .nodes = limits->nodes, .depth = limits->depth};
    if (limits->clock_seconds > 0) {
        budget.clock[0] = play->clock[0];
        budget.clock[1] = play->clock[1];
        budget.increment = limits->increment;
        // Without its own limit, a turn may use the whole clock.
        if (budget.seconds <= 0 || budget.seconds > play->clock[side])
            budget.seconds = play->clock[side];
    }
    return budget;
}

// Records the time of a turn; false if it exceeded the limit.
static bool keep_time(Play *play, Side side, double limit, double took)
{
    Duel *duel = play->duel;
    duel->seconds[side] += took;
    duel->slowest[side] = took > duel->slowest[side] ? took : duel->slowest[side];
    duel->turns[side]++;
    if (limit > 0 && took > limit + DUEL_TOLERANCE)
        return false;
    duel->late[side] += limit > 0 && took > limit;
    // A clock that ran out within the tolerance keeps a minimum, because 0 would mean no limit.
    double left = play->clock[side] - took, least = 0.001;
    if (play->limits[side].clock_seconds > 0)
        play->clock[side] = (left > least ? left : least) + play->limits[side].increment;
    return true;
}

// An agent that exceeds the limits of OwnCounts is a bug of krow.
static void note_counts(OwnCounts *own, const Decision *decision)
{
    for (unsigned i = 0; i < decision->counts; i++) {
        bool fits = own_counts_add(own, decision->count_list[i].name, decision->count_list[i].value);
        assert(fits);
        (void)fits;
    }
}

// Counts consecutive turns of a side with scores that agree. A turn without a score begins anew.
static void note_score(Play *play, Side side)
{
    const Adjudication *rule = &play->limits[0].adjudication;
    const Decision *decision = &play->decision;
    double score = decision->proven == PROVEN_WIN    ? INFINITY
                   : decision->proven == PROVEN_LOSS ? -INFINITY
                   : decision->proven == PROVEN_DRAW ? 0
                                                     : decision->score;
    bool scored = !decision->unscored;
    play->losing[side] = scored && score <= -rule->resign_score ? play->losing[side] + 1 : 0;
    play->winning[side] = scored && score >= rule->resign_score ? play->winning[side] + 1 : 0;
    play->level[side] = scored && fabs(score) <= rule->draw_score ? play->level[side] + 1 : 0;
}

// Notes the time of a turn with its first stone. Rounds the total of the side, so that the times of turns far below a
// millisecond add up correctly.
static void note_time(Play *play, Side side, unsigned from)
{
    Duel *duel = play->duel;
    int64_t total = (int64_t)(duel->seconds[side] * 1000 + 0.5);
    for (unsigned i = from; i < duel->game.played; i++)
        duel->ms[i] = i == from ? (int32_t)(total - play->noted[side]) : 0;
    play->noted[side] = total;
}

static void play_turn(Play *play)
{
    Duel *duel = play->duel;
    Side side = board_side(&duel->game.board);
    unsigned from = duel->game.played;
    AgentTask task = {.budget = budget_of(play, side), .rng = &play->rng[side], .stop = play->stop};
    double begin = clock_seconds();
    agent_decide(play->agents[side], &duel->game, &task, &play->decision);
    double took = clock_seconds() - begin - play->decision.rested;
    bool in_time = keep_time(play, side, task.budget.seconds, took);
    note_counts(&duel->own[side], &play->decision);
    if (play->stop != NULL && atomic_load(play->stop)) {
        end(duel, RESULT_NONE, REASON_STOPPED);
        return;
    }
    if (play->decision.fault != FAULT_NONE) {
        end_with_fault(duel, side, play->decision.fault, play->decision.fault_text);
        return;
    }
    if (!in_time) {
        char words[FAULT_TEXT_SIZE];
        (void)snprintf(words, sizeof words, "%.3f s used, %.3f s left", took, task.budget.seconds);
        end_with_fault(duel, side, FAULT_TIMEOUT, words);
        return;
    }
    Error error = {0};
    if (referee_play(&duel->game, &play->decision, &error) != STATUS_OK)
        end_with_fault(duel, side, FAULT_ILLEGAL, error.text);
    note_score(play, side);
    note_time(play, side, from);
}

// Ends the game if both sides have agreed about the result for long enough.
static void adjudicate_by_score(Play *play)
{
    Duel *duel = play->duel;
    const Adjudication *rule = &play->limits[0].adjudication;
    for (Side side = SIDE_FIRST; side <= SIDE_SECOND && rule->resign_turns > 0; side++)
        if (play->losing[side] >= rule->resign_turns && play->winning[side_other(side)] >= rule->resign_turns)
            end(duel, result_lost_by(side), REASON_RESIGNED);
    if (rule->draw_turns > 0 && play->level[0] >= rule->draw_turns && play->level[1] >= rule->draw_turns &&
        duel->turns[0] + duel->turns[1] >= rule->draw_from)
        end(duel, RESULT_DRAW, REASON_AGREED);
}

// Ends the game by the board, because no line is left, by the turn limit, or by the scores.
static void adjudicate(Play *play)
{
    Duel *duel = play->duel;
    const Board *board = &duel->game.board;
    Result result = result_of_board(board);
    if (result == RESULT_FIRST || result == RESULT_SECOND)
        end(duel, result, REASON_ROW);
    else if (result == RESULT_DRAW)
        end(duel, result, REASON_FULL);
    else if (lines_are_dead(board))
        end(duel, RESULT_DRAW, REASON_DEAD);
    else if (play->limits[0].max_turns > 0 && duel->turns[0] + duel->turns[1] >= play->limits[0].max_turns)
        end(duel, RESULT_DRAW, REASON_TURNS);
    else
        adjudicate_by_score(play);
}

static void mark_opening(Duel *duel)
{
    duel->opening_stones = duel->game.played;
    for (unsigned i = 0; i < duel->opening_stones; i++)
        duel->ms[i] = -1;
}

void duel_forfeit(Duel *duel, Side side, Fault fault, const char *words)
{
    mark_opening(duel);
    end_with_fault(duel, side, fault, words);
}

static void notify(const Play *play, const DuelSetup *setup)
{
    if (setup->watch != NULL)
        setup->watch->update(setup->watch->context, setup->slot, play->duel, play->clock);
}

void duel_play(Duel *duel, const DuelSetup *setup)
{
    Play *play = memory_new(1, sizeof *play);
    play->duel = duel;
    play->stop = setup->stop;
    play->agents[SIDE_FIRST] = setup->agents[SIDE_FIRST];
    play->agents[SIDE_SECOND] = setup->agents[SIDE_SECOND];
    for (unsigned side = 0; side < 2; side++) {
        play->rng[side] = rng_make(rng_derive(duel->seed, side));
        play->limits[side] = limits_of(setup->limits, &setup->agents[side]->config.settings);
        play->clock[side] = play->limits[side].clock_seconds;
    }
    mark_opening(duel);
    adjudicate(play);
    notify(play, setup);
    while (duel->result == RESULT_NONE && duel->reason == REASON_NONE) {
        play_turn(play);
        if (duel->reason == REASON_NONE)
            adjudicate(play);
        notify(play, setup);
    }
    free(play);
}
