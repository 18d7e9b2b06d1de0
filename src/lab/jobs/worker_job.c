// Reads a stored job for a worker: event, agents and openings, or questions.
#include "lab/jobs/worker_job.h"

#include "base/memory.h"
#include "game/notation.h"
#include "lab/jobs/build_identity.h"

#include <stdlib.h>

void worker_job_write_openings(const Openings *openings, Text *text)
{
    text_add_span(text, (Span){"", 0}); // terminates an empty text
    for (unsigned i = 0; i < openings->count; i++)
        for (unsigned j = 0; j < openings->list[i].count; j++) {
            char cell[CELL_TEXT_SIZE];
            cell_format(openings->list[i].stones[j], cell);
            text_add(text, "%s%s", cell, j + 1 < openings->list[i].count ? " " : "\n");
        }
}

static Status read_opening(Openings *openings, Span line, const Rules *rules, Error *error)
{
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0;
    Span word = {0};
    Status status = STATUS_OK;
    while (status == STATUS_OK && span_next_word(&line, " ", &word)) {
        if (count == RULES_CELLS_MAX)
            return error_set(error, STATUS_BAD_INPUT, "an opening has too many stones");
        status = cell_parse(word, rules, &stones[count++], error);
    }
    if (status != STATUS_OK)
        return status;
    openings_add(openings, stones, count);
    Game game;
    game_init(&game, rules);
    return opening_play(&openings->list[openings->count - 1], &game, error);
}

static Status read_openings(Openings *openings, Span text, const Rules *rules, Error *error)
{
    Span line = {0};
    Status status = STATUS_OK;
    while (status == STATUS_OK && span_next_part(&text, '\n', &line))
        status = read_opening(openings, line, rules, error);
    return status;
}

typedef struct {
    WorkerJob *job;
    const JobWorld *world;
    bool is_found;
    Status status;
    Error *error;
} JobReading;

static Status resolve_agents(WorkerJob *job, const AllowList *engines, Error *error)
{
    unsigned count = job->event.agent_count;
    Status status = STATUS_OK;
    job->agents = memory_new(count, sizeof *job->agents);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = job_agent_resolve(engines, job->event.agents[i], &job->agents[i], error);
    return status;
}

static Status fill_games(JobReading *reading, const DatabaseJob *stored, Error *error)
{
    WorkerJob *job = reading->job;
    job->match = stored->match;
    Status status = tournament_read(&job->event, span_of(stored->spec), error);
    if (status == STATUS_OK && (!job->event.has_rules || job->event.agent_count < 2))
        status = error_set(error, STATUS_BAD_INPUT, "the job's spec has no game or fewer than two agents");
    if (status == STATUS_OK)
        status = build_check(reading->world->signature, &job->event.rules, stored->build, error);
    if (status == STATUS_OK)
        status = resolve_agents(job, reading->world->engines, error);
    if (status == STATUS_OK)
        status = read_openings(&job->openings, span_of(stored->openings), &job->event.rules, error);
    job->schedule = (Schedule){.format = job->event.format,
                               .agents = job->event.agent_count,
                               .games = job->event.games,
                               .openings = job->openings.count};
    return status;
}

static bool take_job(void *context, const DatabaseJob *stored)
{
    JobReading *reading = context;
    WorkerJob *job = reading->job;
    reading->is_found = true;
    job->items = job_item_kind(stored->work);
    reading->status = job->items != NULL ? job->items->open(&job->state, stored, reading->world, reading->error)
                                         : fill_games(reading, stored, reading->error);
    return true;
}

Status worker_job_open(WorkerJob *job, Database *db, int64_t id, const JobWorld *world, Error *error)
{
    *job = (WorkerJob){.id = id};
    tournament_init(&job->event);
    JobReading reading = {.job = job, .world = world, .error = error};
    Status status = database_read_job(db, id, take_job, &reading, error);
    if (status == STATUS_OK && !reading.is_found)
        status = error_set(error, STATUS_FAILED, "the database has no job %lld", (long long)id);
    if (status == STATUS_OK)
        status = reading.status;
    if (status != STATUS_OK)
        worker_job_close(job);
    return status;
}

void worker_job_close(WorkerJob *job)
{
    if (job->items != NULL)
        job->items->close(job->state);
    for (unsigned i = 0; job->agents != NULL && i < job->event.agent_count; i++)
        free(job->agents[i]);
    free(job->agents);
    tournament_close(&job->event);
    openings_close(&job->openings);
    *job = (WorkerJob){0};
}
