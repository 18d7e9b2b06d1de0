// A worker for tests that does its work as krow worker does and submits something else. The linker replaces (--wrap)
// database_finish_unit, through which all results go, and the signature of the build. Usage: lying_worker LIE NAME DB.
#include "base/memory.h"
#include "lab/workers/worker.h"
#include "store/db/jobs/database_jobs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status __real_database_finish_unit(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim,
                                   DatabaseUnit *next, Error *error);
Status __wrap_database_finish_unit(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim,
                                   DatabaseUnit *next, Error *error);
uint64_t __wrap_build_signature(void);

static const char *lie;
static atomic_bool stop;

static bool lies(const char *what)
{
    return strcmp(lie, what) == 0;
}

static void swap_games(DatabaseGame *games, size_t count)
{
    for (size_t i = 0; i + 1 < count; i += 2) {
        const GameRecord *record = games[i].record;
        const char *reason = games[i].reason;
        games[i].record = games[i + 1].record;
        games[i].reason = games[i + 1].reason;
        games[i + 1].record = record;
        games[i + 1].reason = reason;
    }
}

// The side that lost claims that the other one has crashed: possible by the rules.
static void claim_crash(DatabaseGame *games, GameRecord *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        records[i] = *games[i].record;
        games[i].fault = FAULT_CRASH;
        games[i].faulty = records[i].result == RESULT_FIRST ? SIDE_FIRST : SIDE_SECOND;
        records[i].result = games[i].faulty == SIDE_FIRST ? RESULT_SECOND : RESULT_FIRST;
        records[i].count--;
        games[i].reason = "crash";
        games[i].record = &records[i];
    }
}

static void play_twice(DatabaseGame *games, GameRecord *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        records[i] = *games[i].record;
        records[i].stones = memory_new(records[i].count, sizeof *records[i].stones);
        memcpy(records[i].stones, games[i].record->stones, records[i].count * sizeof *records[i].stones);
        records[i].stones[records[i].count - 1].cell = records[i].stones[0].cell;
        games[i].record = &records[i];
    }
}

static Status submit_games(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim, DatabaseUnit *next,
                           Error *error)
{
    DatabaseUnitResult other = *result;
    DatabaseGame *games = memory_new(result->count, sizeof *games);
    GameRecord *records = memory_new(result->count, sizeof *records);
    memcpy(games, result->games, result->count * sizeof *games);
    if (lies("swap"))
        swap_games(games, result->count);
    if (lies("crash"))
        claim_crash(games, records, result->count);
    if (lies("illegal"))
        play_twice(games, records, result->count);
    other.games = games;
    Status status = __real_database_finish_unit(db, &other, claim, next, error);
    result->was_accepted = other.was_accepted;
    if (lies("illegal"))
        for (size_t i = 0; i < result->count; i++)
            free(records[i].stones);
    free(games);
    free(records);
    return status;
}

// The best score becomes the worst one; other texts get a letter more.
static Status submit_answers(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim, DatabaseUnit *next,
                             Error *error)
{
    DatabaseUnitResult other = *result;
    const char **answers = memory_new(result->count, sizeof *answers);
    for (size_t i = 0; i < result->count; i++) {
        bool is_score = strspn(result->answers[i], "-0123456789 ") == strlen(result->answers[i]);
        answers[i] = is_score ? "-7 -7" : "second, k in a row, a1";
    }
    other.answers = answers;
    Status status = __real_database_finish_unit(db, &other, claim, next, error);
    result->was_accepted = other.was_accepted;
    free(answers);
    return status;
}

Status __wrap_database_finish_unit(Database *db, DatabaseUnitResult *result, const DatabaseClaim *claim,
                                   DatabaseUnit *next, Error *error)
{
    if (result->count > 0 && lies("foreign")) {
        DatabaseUnitResult other = *result;
        DatabaseUnit none = {0};
        other.unit.id += other.unit.id > 1 ? -1 : 1;
        Status status = __real_database_finish_unit(db, &other, NULL, &none, error);
        (void)fprintf(stderr, "unit of another worker: %s\n",
                      status == STATUS_OK && other.was_accepted ? "accepted" : "refused");
    }
    if (result->count > 0 && result->games != NULL && result->answers == NULL)
        return submit_games(db, result, claim, next, error);
    bool is_false = result->unit.verifies != 0 ? lies("accuse") : lies("swap");
    if (result->count > 0 && result->answers != NULL && is_false)
        return submit_answers(db, result, claim, next, error);
    return __real_database_finish_unit(db, result, claim, next, error);
}

// As in the tests of the command line (KrowTest.sign).
uint64_t __wrap_build_signature(void)
{
    return UINT64_C(0x0123456789abcdef);
}

static void take_signal(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    lie = words[1];
    (void)signal(SIGTERM, take_signal);
    Error error = {0};
    WorkerOptions options = {.db = words[3], .name = words[2], .slots = 1, .quiet = true, .stop = &stop};
    if (worker_run(&options, &error) == STATUS_OK)
        return 0;
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}
