// Plays or answers units, and holds their results until they are submitted.
#include "base/memory.h"
#include "lab/workers/worker_internal.h"

#include <stdlib.h>

static void make_room(PlayedGames *played, size_t games)
{
    if (games <= played->capacity)
        return;
    free(played->games);
    free(played->records);
    free(played->reasons);
    played->games = memory_new(games, sizeof *played->games);
    played->records = memory_new(games, sizeof *played->records);
    played->reasons = memory_new(games, sizeof *played->reasons);
    played->capacity = games;
}

static Status keep_game(void *context, const Duel *duel, Error *error)
{
    Slot *slot = context;
    PlayedGames *played = &slot->played;
    size_t n = played->count;
    played->records[n] = (GameRecord){0};
    Status status = match_run_game_of(duel, (const char *const *)slot->job.event.names, slot->job.match,
                                      &played->records[n], played->reasons[n], &played->games[n], error);
    if (status == STATUS_OK)
        played->count++;
    else
        record_close(&played->records[n]);
    return status;
}

static void add_answer(FoundAnswers *answers, const Text *text)
{
    answers->list = array_grow(answers->list, &answers->capacity, answers->count + 1, sizeof *answers->list);
    answers->list[answers->count++] = memory_copy_text(text->data != NULL ? text->data : "");
}

// Games that were played to verify another worker are submitted as texts.
static void describe_games(Slot *slot)
{
    PlayedGames *played = &slot->played;
    for (size_t i = 0; i < played->count; i++) {
        Text text = {0};
        match_game_outcome(&played->games[i], &text);
        add_answer(&slot->answers, &text);
        text_close(&text);
        record_close(&played->records[i]);
    }
    played->count = 0;
}

static void count_turn(void *context, unsigned slot_number, const Duel *duel, const double clock[2])
{
    (void)slot_number;
    (void)duel;
    (void)clock;
    (void)atomic_fetch_add(&((Slot *)context)->turns, 1);
}

Status worker_play_unit(Slot *slot, Error *error)
{
    const WorkerJob *job = &slot->job;
    unsigned end = slot->unit.first + slot->unit.games;
    if (end < slot->unit.first || end > schedule_games(&job->schedule))
        return error_set(error, STATUS_FAILED, "the unit has games that the job does not have");
    make_room(&slot->played, slot->unit.games);
    DuelWatch watch = {slot, count_turn};
    RunnerConfig config = {
        .rules = job->event.rules,
        .agents = (const char *const *)job->agents,
        .schedule = job->schedule,
        .openings = &job->openings,
        .limits = job->event.limits,
        .seed = job->event.seed,
        .from = slot->unit.first,
        .to = end,
        .jobs = 1,
        .host = slot->worker->options->host,
        .stop = &slot->stop,
        .watch = &watch,
    };
    RunnerSink sink = {.context = slot, .finished = keep_game};
    Status status = runner_run(&config, &sink, error);
    if (slot->unit.verifies != 0)
        describe_games(slot);
    return status == STATUS_INTERRUPTED ? STATUS_OK : status;
}

static Status answer_one(Slot *slot, unsigned number, bool *is_done, Error *error)
{
    Text text = {0};
    Status status = slot->job.items->answer(slot->job.state, number, &text, is_done, error);
    if (status == STATUS_OK && *is_done)
        add_answer(&slot->answers, &text);
    text_close(&text);
    return status;
}

Status worker_answer_unit(Slot *slot, Error *error)
{
    unsigned first = slot->unit.first, end = first + slot->unit.games;
    if (end < first || end > slot->job.items->count(slot->job.state))
        return error_set(error, STATUS_FAILED, "the unit has questions that the job does not have");
    Status status = STATUS_OK;
    bool is_done = true;
    for (unsigned i = first; i < end && is_done && status == STATUS_OK && !atomic_load(&slot->stop); i++) {
        is_done = false;
        status = answer_one(slot, i, &is_done, error);
        (void)atomic_fetch_add(&slot->turns, is_done);
    }
    return status;
}

void worker_forget_done(Slot *slot)
{
    for (size_t i = 0; i < slot->played.count; i++)
        record_close(&slot->played.records[i]);
    for (size_t i = 0; i < slot->answers.count; i++)
        free(slot->answers.list[i]);
    slot->played.count = slot->answers.count = 0;
}

void worker_close_done(Slot *slot)
{
    worker_forget_done(slot);
    free(slot->played.games);
    free(slot->played.records);
    free(slot->played.reasons);
    free(slot->answers.list);
}
