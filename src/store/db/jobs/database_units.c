// Units of jobs: claimed, held and handed in. Two workers never wait for each other here: a unit that another one has
// locked is passed over.
#include "store/db/database_internal.h"
#include "store/db/jobs/database_jobs.h"
#include "store/db/jobs/unit_law.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Claiming ---

typedef struct {
    int64_t id, job, lease;
    unsigned first;
    UnitOffer offer;
} OpenUnit;

static Status find_open(Database *db, const DatabaseClaim *claim, OpenUnit *open, Error *error)
{
    *open = (OpenUnit){0};
    Query row = query_use(db, QUERY_UNIT_FIND);
    query_bind_int(&row, claim->job);
    query_bind_int(&row, claim->slots);
    query_bind_int(&row, claim->slots);
    query_bind_int(&row, claim->job);
    if (query_row(&row))
        *open = (OpenUnit){.id = query_int(&row, 0),
                           .job = claim->job,
                           .first = (unsigned)query_int(&row, 1),
                           .lease = query_int(&row, 5),
                           .offer = {.games = (unsigned)query_int(&row, 2),
                                     .failures = (unsigned)query_int(&row, 3),
                                     .unit = (unsigned)query_int(&row, 4),
                                     .left = (uint64_t)query_int(&row, 6) / 1024,
                                     .open = (unsigned)query_int(&row, 6) % 1024,
                                     .slots = (uint64_t)query_int(&row, 7),
                                     .step = (unsigned)query_int(&row, 8)}};
    return query_end(&row, error);
}

typedef struct {
    int64_t job;
    unsigned first, games, failures;
} NewUnit;

static Status add_open(Database *db, NewUnit unit, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_UNIT_ADD);
    query_bind_int(&query, unit.job);
    query_bind_int(&query, unit.first);
    query_bind_int(&query, unit.games);
    query_bind_int(&query, unit.failures);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    return query_run(&query, error);
}

// The first `games` become a unit of their own; those behind them stay one that is open, or become two.
static Status cut_off(Database *db, const OpenUnit *open, unsigned games, int64_t *cut, Error *error)
{
    const UnitOffer *offer = &open->offer;
    unsigned stays = unit_stays(offer, games), rest = offer->games - games - stays;
    NewUnit first = {open->job, open->first, games, offer->failures};
    NewUnit last = {open->job, open->first + games + stays, rest, offer->failures};
    int64_t other = 0;
    Query shrink = query_use(db, QUERY_UNIT_CUT);
    query_bind_int(&shrink, (int64_t)open->first + games);
    query_bind_int(&shrink, stays);
    query_bind_int(&shrink, open->id);
    Status status = query_run(&shrink, error);
    if (status == STATUS_OK && rest > 0)
        status = add_open(db, last, &other, error);
    return status == STATUS_OK ? add_open(db, first, cut, error) : status;
}

static Status take(Database *db, const DatabaseClaim *claim, int64_t unit, int64_t lease, Error *error)
{
    Query query = query_use(db, QUERY_UNIT_TAKE);
    query_bind_int(&query, claim->worker);
    query_bind_int(&query, (int64_t)claim->token);
    query_bind_int(&query, lease);
    query_bind_int(&query, unit);
    return query_run(&query, error);
}

// What the same claim got when its answer was lost.
static Status find_held(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error)
{
    Query row = query_use(db, QUERY_UNIT_HELD);
    query_bind_int(&row, claim->worker);
    query_bind_int(&row, (int64_t)claim->token);
    if (query_row(&row))
        *unit = (DatabaseUnit){.id = query_int(&row, 0),
                               .job = claim->job,
                               .token = claim->token,
                               .first = (unsigned)query_int(&row, 1),
                               .games = (unsigned)query_int(&row, 2),
                               .lease = query_int(&row, 3)};
    return query_end(&row, error);
}

static Status claim_unit(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error)
{
    OpenUnit open = {0};
    *unit = (DatabaseUnit){0};
    Status status = claim->was_asked ? find_held(db, claim, unit, error) : STATUS_OK;
    if (status == STATUS_OK && unit->id == 0)
        status = find_open(db, claim, &open, error);
    if (status != STATUS_OK || open.id == 0)
        return status;
    unsigned games = unit_size(&open.offer, claim->most);
    int64_t id = open.id;
    if (games < open.offer.games)
        status = cut_off(db, &open, games, &id, error);
    if (status == STATUS_OK)
        status = take(db, claim, id, open.lease, error);
    *unit = (DatabaseUnit){.id = id,
                           .job = claim->job,
                           .token = claim->token,
                           .first = open.first,
                           .games = games,
                           .lease = open.lease,
                           .slots = (unsigned)open.offer.slots};
    return status;
}

Status database_claim_unit(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, claim_unit(db, claim, unit, error), error);
    if (status != STATUS_OK)
        *unit = (DatabaseUnit){0};
    return status;
}

// --- Handing in ---

// Ends the attempt; false where it does not hold the unit any more.
static Status release(Database *db, const DatabaseUnitResult *result, bool *holds, unsigned *failures, Error *error)
{
    bool fails = result->count == 0 && result->failure != NULL;
    Query query = query_use(db, result->count > 0 ? QUERY_UNIT_FINISH : fails ? QUERY_UNIT_FAIL : QUERY_UNIT_RETURN);
    if (result->count > 0) {
        query_bind_int(&query, (int64_t)result->count);
        query_bind_int(&query, result->failure != NULL);
    }
    if (fails) {
        query_bind_int(&query, UNIT_FAILURES_MAX);
        query_bind_text(&query, result->failure);
    }
    query_bind_int(&query, result->unit.id);
    query_bind_int(&query, (int64_t)result->unit.token);
    *holds = query_row(&query);
    *failures = *holds ? (unsigned)query_int(&query, 0) : 0;
    return query_run(&query, error);
}

// Whether it was handed in before, by the same attempt.
static Status was_done(Database *db, const DatabaseUnit *unit, bool *is_done, Error *error)
{
    Query query = query_use(db, QUERY_UNIT_STATE);
    query_bind_int(&query, unit->id);
    query_bind_int(&query, (int64_t)unit->token);
    *is_done = query_row(&query) && strcmp(query_text(&query, 0), "done") == 0;
    return query_end(&query, error);
}

// What is missing goes back. Its failures are those of the unit, and where it was a failure that ended it, one more.
static Status put_back(Database *db, const DatabaseUnitResult *result, unsigned failures, Error *error)
{
    unsigned missing = result->unit.games - (unsigned)result->count;
    if (missing == 0)
        return STATUS_OK;
    int64_t id = 0;
    NewUnit rest = {result->unit.job, result->unit.first + (unsigned)result->count, missing,
                    failures + (result->failure != NULL)};
    return add_open(db, rest, &id, error);
}

static Status add_answer(Database *db, const DatabaseUnitResult *result, size_t number, Error *error)
{
    int64_t question = (int64_t)(result->unit.first + number);
    Query query = query_use(db, QUERY_ANSWER_ADD);
    query_bind_int(&query, result->unit.job);
    query_bind_int(&query, question);
    query_bind_text(&query, result->answers[number]);
    bool is_new = query_row(&query);
    Status status = query_run(&query, error);
    if (status == STATUS_OK && !is_new)
        status = error_set(error, STATUS_FAILED, "answer %lld of job %lld is in the database already",
                           (long long)question, (long long)result->unit.job);
    return status;
}

static Status add_game(Database *db, const DatabaseGame *game, GameColumns *columns, Error *error)
{
    game_columns_fill(columns, game->record);
    return database_insert_played(db, game, columns, error);
}

static Status finish_unit(Database *db, DatabaseUnitResult *result, GameColumns *columns, Error *error)
{
    unsigned failures = 0;
    Status status = release(db, result, &result->was_accepted, &failures, error);
    if (status == STATUS_OK && !result->was_accepted)
        return was_done(db, &result->unit, &result->was_accepted, error);
    for (size_t i = 0; i < result->count && status == STATUS_OK; i++)
        status = result->answers != NULL ? add_answer(db, result, i, error)
                                         : add_game(db, &result->games[i], columns, error);
    return status == STATUS_OK && result->count > 0 ? put_back(db, result, failures, error) : status;
}

Status database_finish_unit(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim, DatabaseUnit *next,
                            Error *error)
{
    assert(result->count <= result->unit.games);
    GameColumns columns = {0};
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);) {
        Status done = finish_unit(db, result, &columns, error);
        if (done == STATUS_OK && claim != NULL)
            done = claim_unit(db, claim, next, error);
        status = transaction_end(db, done, error);
    }
    game_columns_close(&columns);
    if (status != STATUS_OK && next != NULL)
        *next = (DatabaseUnit){0};
    return status;
}

// --- Signs of life ---

static Status beat_unit(Database *db, DatabaseBeat *beat, Error *error)
{
    Query query = query_use(db, QUERY_UNIT_BEAT);
    query_bind_int(&query, (int64_t)beat->progress);
    query_bind_int(&query, beat->unit.lease);
    query_bind_int(&query, beat->unit.id);
    query_bind_int(&query, (int64_t)beat->unit.token);
    query_bind_int(&query, (int64_t)beat->progress);
    Status status = query_run(&query, error);
    if (status != STATUS_OK)
        return status;
    Query state = query_use(db, QUERY_UNIT_STATE);
    query_bind_int(&state, beat->unit.id);
    query_bind_int(&state, (int64_t)beat->unit.token);
    beat->is_lost = !query_row(&state);
    return query_end(&state, error);
}

static Status beat_all(Database *db, const DatabaseWorker *worker, DatabaseBeat *beats, size_t count, Error *error)
{
    Query query = query_use(db, QUERY_WORKER_BEAT);
    query_bind_int(&query, worker->games);
    query_bind_text(&query, worker->words);
    query_bind_int(&query, worker->id);
    Status status = query_run(&query, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = beat_unit(db, &beats[i], error);
    if (status != STATUS_OK)
        return status;
    Query expire = query_use(db, QUERY_UNITS_EXPIRE);
    query_bind_int(&expire, UNIT_FAILURES_MAX);
    bool any = query_row(&expire);
    status = query_run(&expire, error);
    return status == STATUS_OK && any ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_beat(Database *db, const DatabaseWorker *worker, DatabaseBeat *beats, size_t count, Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, beat_all(db, worker, beats, count, error), error);
    return status;
}
