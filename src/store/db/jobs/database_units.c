// Units of jobs: claims, heartbeats and results. Workers never wait for each other: they skip locked units.
#include "store/db/database_internal.h"
#include "store/db/jobs/database_jobs.h"
#include "store/db/jobs/unit_policy.h"

#include <assert.h>
#include <string.h>

typedef struct {
    int64_t id, job, lease, verifies;
    unsigned first;
    UnitOffer offer;
} OpenUnit;

static Status find_open(Database *db, const DatabaseClaim *claim, OpenUnit *open, Error *error)
{
    *open = (OpenUnit){0};
    Value job = value_int(claim->job), slots = value_int(claim->slots), worker = value_int(claim->worker);
    Query row = query_with(db, QUERY_UNIT_FIND, VALUES(job, slots, slots, job, worker, worker));
    if (query_row(&row))
        *open = (OpenUnit){.id = query_int(&row, 0),
                           .job = claim->job,
                           .first = (unsigned)query_int(&row, 1),
                           .lease = query_int(&row, 5),
                           .verifies = query_int(&row, 9),
                           .offer = {.games = (unsigned)query_int(&row, 2),
                                     .failures = (unsigned)query_int(&row, 3),
                                     .unit = (unsigned)query_int(&row, 4),
                                     .left = (uint64_t)query_int(&row, 6) / 1024,
                                     .open = (unsigned)query_int(&row, 6) % 1024,
                                     .slots = (uint64_t)query_int(&row, 7),
                                     .step = (unsigned)query_int(&row, 8),
                                     .is_whole = query_int(&row, 9) != 0}};
    return query_end(&row, error);
}

typedef struct {
    int64_t job;
    unsigned first, games, failures;
    int64_t verifies;
} NewUnit;

static Status add_open(Database *db, NewUnit unit, int64_t *id, Error *error)
{
    return query_execute(db, QUERY_UNIT_ADD,
                         VALUES(value_int(unit.job), value_int(unit.first), value_int(unit.games),
                                value_int(unit.failures), value_id(unit.verifies)),
                         id, error);
}

// The first `games` become a separate unit. The others stay one open unit, or become two.
static Status cut_off(Database *db, const OpenUnit *open, unsigned games, int64_t *cut, Error *error)
{
    const UnitOffer *offer = &open->offer;
    unsigned stays = unit_stays(offer, games), rest = offer->games - games - stays;
    NewUnit first = {open->job, open->first, games, offer->failures, 0};
    NewUnit last = {open->job, open->first + games + stays, rest, offer->failures, 0};
    Status status = query_execute(
        db, QUERY_UNIT_CUT, VALUES(value_int((int64_t)open->first + games), value_int(stays), value_int(open->id)),
        NULL, error);
    if (status == STATUS_OK && rest > 0)
        status = add_open(db, last, NULL, error);
    return status == STATUS_OK ? add_open(db, first, cut, error) : status;
}

// The unit that the same claim received when its answer was lost.
static Status find_held(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error)
{
    Query row = query_with(db, QUERY_UNIT_HELD, VALUES(value_int(claim->worker), value_int((int64_t)claim->token)));
    if (query_row(&row))
        *unit = (DatabaseUnit){.id = query_int(&row, 0),
                               .job = claim->job,
                               .token = claim->token,
                               .first = (unsigned)query_int(&row, 1),
                               .games = (unsigned)query_int(&row, 2),
                               .lease = query_int(&row, 3),
                               .verifies = query_int(&row, 4)};
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
        status = query_execute(
            db, QUERY_UNIT_TAKE,
            VALUES(value_int(claim->worker), value_int((int64_t)claim->token), value_int(open.lease), value_int(id)),
            NULL, error);
    *unit = (DatabaseUnit){.id = id,
                           .job = claim->job,
                           .token = claim->token,
                           .first = open.first,
                           .games = games,
                           .lease = open.lease,
                           .verifies = open.verifies,
                           .slots = (unsigned)open.offer.slots};
    return status;
}

Status database_claim_unit(Database *db, const DatabaseClaim *claim, DatabaseUnit *unit, Error *error)
{
    Status status = IN_TRANSACTION(db, claim_unit(db, claim, unit, error), error);
    if (status != STATUS_OK)
        *unit = (DatabaseUnit){0};
    return status;
}

// Ends the attempt; `holds` is false if it had lost the unit.
static Status release(Database *db, const DatabaseUnitResult *result, bool *holds, unsigned *failures, Error *error)
{
    bool fails = result->count == 0 && result->failure != NULL;
    Query query = query_use(db, result->count > 0 ? QUERY_UNIT_FINISH : fails ? QUERY_UNIT_FAIL : QUERY_UNIT_RETURN);
    if (result->count > 0) {
        query_bind(&query, value_int((int64_t)result->count));
        query_bind(&query, value_int(result->failure != NULL));
    }
    if (fails) {
        query_bind(&query, value_int(UNIT_FAILURES_MAX));
        query_bind(&query, value_text(result->failure));
    }
    query_bind(&query, value_int(result->unit.id));
    query_bind(&query, value_int((int64_t)result->unit.token));
    *holds = query_row(&query);
    *failures = *holds ? (unsigned)query_int(&query, 0) : 0;
    return query_run(&query, error);
}

// The state of a unit if this attempt holds it or has finished it.
static Query state_query(Database *db, const DatabaseUnit *unit)
{
    return query_with(db, QUERY_UNIT_STATE, VALUES(value_int(unit->id), value_int((int64_t)unit->token)));
}

// Whether this attempt finished the unit before.
static Status was_done(Database *db, const DatabaseUnit *unit, bool *is_done, Error *error)
{
    Query query = state_query(db, unit);
    *is_done = query_row(&query) && strcmp(query_text(&query, 0), "done") == 0;
    return query_end(&query, error);
}

// Requeues the missing games with the unit's failures, plus one if a failure ended it.
static Status requeue(Database *db, const DatabaseUnitResult *result, unsigned failures, Error *error)
{
    unsigned missing = result->unit.games - (unsigned)result->count;
    if (missing == 0)
        return STATUS_OK;
    NewUnit rest = {result->unit.job, result->unit.first + (unsigned)result->count, missing,
                    failures + (result->failure != NULL), result->unit.verifies};
    return add_open(db, rest, NULL, error);
}

static Status add_answer(Database *db, const DatabaseUnitResult *result, size_t number, Error *error)
{
    int64_t question = (int64_t)(result->unit.first + number);
    if (result->unit.verifies != 0)
        return query_execute(
            db, QUERY_CHECK_ADD,
            VALUES(value_int(result->unit.id), value_int(question), value_text(result->answers[number])), NULL, error);
    Query query =
        query_with(db, QUERY_ANSWER_ADD,
                   VALUES(value_int(result->unit.job), value_int(question), value_text(result->answers[number])));
    bool is_new = query_row(&query);
    Status status = query_run(&query, error);
    if (status == STATUS_OK && !is_new)
        status = error_set(error, STATUS_FAILED, "answer %lld of job %lld is already in the database",
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
    return status == STATUS_OK && result->count > 0 ? requeue(db, result, failures, error) : status;
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

static Status beat_unit(Database *db, DatabaseBeat *beat, Error *error)
{
    const DatabaseUnit *unit = &beat->unit;
    Value progress = value_int((int64_t)beat->progress);
    Status status = query_execute(
        db, QUERY_UNIT_BEAT,
        VALUES(progress, value_int(unit->lease), value_int(unit->id), value_int((int64_t)unit->token), progress), NULL,
        error);
    if (status != STATUS_OK)
        return status;
    Query state = state_query(db, unit);
    beat->is_lost = !query_row(&state);
    return query_end(&state, error);
}

static Status beat_all(Database *db, const DatabaseWorker *worker, DatabaseBeat *beats, size_t count, Error *error)
{
    int64_t expired = 0;
    Status status =
        query_execute(db, QUERY_WORKER_BEAT,
                      VALUES(value_int(worker->games), value_text(worker->words), value_int(worker->id)), NULL, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = beat_unit(db, &beats[i], error);
    if (status == STATUS_OK)
        status = query_execute(db, QUERY_UNITS_EXPIRE, VALUES(value_int(UNIT_FAILURES_MAX)), &expired, error);
    return status == STATUS_OK && expired != 0 ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_beat(Database *db, const DatabaseWorker *worker, DatabaseBeat *beats, size_t count, Error *error)
{
    return IN_TRANSACTION(db, beat_all(db, worker, beats, count, error), error);
}
