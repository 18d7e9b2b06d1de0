// Generates load on a database of jobs: connections claim units, store artificial games and send heartbeats.
#include "fleet/unit_load.h"
#include "base/memory.h"

#include "base/clock.h"
#include "base/rng.h"
#include "store/db/jobs/database_jobs.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// No build has this name, so workers ignore these jobs.
static const char load_build[] = "a load of krow-fleet";

// Lease in ms, too long to expire.
enum { LEASE = 24 * 3600 * 1000 };

// In the order of the choices of `kind`.
typedef enum { KIND_UNITS, KIND_BEATS, KIND_POLLS, KIND_LOOKS } Kind;

const AgentOption unit_load_options[] = {
    {"kind", OPTION_CHOICE, "units", 0, 0, "units beats polls looks",
     "units submitted and claimed; heartbeats; polls of idle slots; polls of programs that wait for a job"},
    {"connections", OPTION_INT, "1", 1, 256, NULL, "concurrent connections"},
    {"count", OPTION_INT, "1000", 1, 1e6, NULL, "operations of each connection"},
    {"games", OPTION_INT, "2", 2, 4096, NULL, "games in a unit, an even number"},
    {"stones", OPTION_INT, "9", 1, 225, NULL, "stones in a game"},
    {"slots", OPTION_INT, "1", 1, 256, NULL, "units in a heartbeat"},
    {"spare", OPTION_INT, "0", 0, 1e9, NULL, "additional games of the job, which are not played"},
    {"job", OPTION_INT, "0", 0, 1e15, NULL, "job number of a previous load with games left; 0 for a new job"},
    {0},
};

typedef struct {
    Kind kind;
    unsigned connections, count, games, stones, slots;
    int64_t spare, job, match;
    const char *path;
    const atomic_bool *stop;
} Plan;

typedef struct {
    const Plan *plan;
    unsigned number;
    pthread_t thread;
    Database *db;
    int64_t worker;
    Rng tokens;
    DatabaseUnit *held;  // `slots` units; the first one is being played
    DatabaseBeat *beats; // `slots` beats
    GameRecord record;   // the same for all games
    DatabaseGame *games; // games of a unit
    double *ms;          // durations of its operations
    UnitLoad load;
    Status status;
    Error error;
} Connection;

// --- Setting up ---

static bool is_other(void *context, const DatabaseJob *job)
{
    *(bool *)context = *(bool *)context || strcmp(job->build, load_build) != 0;
    return true;
}

// Artificial games must not mix with real ones.
static Status refuse_others(Database *db, Error *error)
{
    bool has_others = false;
    Status status = database_each_job(db, is_other, &has_others, error);
    if (status == STATUS_OK && has_others)
        status =
            error_set(error, STATUS_BAD_INPUT,
                      "the database '%s' has jobs of workers; a load needs a separate database", database_path(db));
    return status;
}

static Status add_job(Database *db, Plan *plan, Error *error)
{
    static const char *const agents[] = {"random", "adjacent"};
    // Heartbeats and idle slots hold their units from the start.
    uint64_t games = 2 * (uint64_t)plan->connections * plan->slots;
    if (plan->kind == KIND_UNITS)
        games = (uint64_t)plan->connections * ((uint64_t)plan->count + 1) * plan->games;
    if (plan->kind == KIND_POLLS)
        games = 2;
    games += (uint64_t)plan->spare;
    if (games > UINT32_MAX / 2)
        return error_set(error, STATUS_BAD_INPUT, "a load of %llu games is too large", (unsigned long long)games);
    DatabaseRange all = {0, (unsigned)games};
    DatabaseJob job = {.spec = "", .openings = "", .build = load_build, .unit = plan->games / 2, .lease = LEASE};
    if (plan->kind != KIND_UNITS)
        job.unit = 1;
    DatabaseMatch match = {.kind = DATABASE_MATCH, .spec = "a load", .created = clock_unix_ms()};
    (void)rules_parse(span_of("gomoku"), &match.rules, NULL);
    Status status = database_begin_match(db, &match, &plan->match, error);
    job.match = plan->match;
    return status == STATUS_OK ? database_add_job(db, &job, &(DatabaseJobUnits){&all, 1, agents, 2}, &plan->job, error)
                               : status;
}

static bool take_match(void *context, const DatabaseJob *job)
{
    *(int64_t *)context = job->match;
    return true;
}

static Status find_job(Database *db, Plan *plan, Error *error)
{
    plan->match = -1;
    Status status = database_read_job(db, plan->job, take_match, &plan->match, error);
    if (status == STATUS_OK && plan->match == -1)
        status = error_set(error, STATUS_BAD_INPUT, "job %lld does not exist", (long long)plan->job);
    return status;
}

static Status set_up(Plan *plan, Error *error)
{
    Database *db = NULL;
    Status status = database_open(plan->path, &db, error);
    if (status == STATUS_OK)
        status = refuse_others(db, error);
    if (status == STATUS_OK)
        status = plan->job != 0 ? find_job(db, plan, error) : add_job(db, plan, error);
    database_close(db);
    return status;
}

// --- A connection ---

static DatabaseClaim next_claim(Connection *connection)
{
    return (DatabaseClaim){.worker = connection->worker,
                           .job = connection->plan->job,
                           .token = rng_next(&connection->tokens),
                           .most = connection->plan->games,
                           .slots = connection->held[0].slots};
}

// Stones spread over the board as in random play; the games are never replayed.
static Status fill_record(Connection *connection, Error *error)
{
    GameRecord *record = &connection->record;
    Rng rng = rng_make(connection->number);
    bool is_taken[15][15] = {{0}};
    (void)rules_parse(span_of("gomoku"), &record->rules, NULL);
    record->result = RESULT_DRAW;
    Status status = STATUS_OK;
    while (status == STATUS_OK && record->count < connection->plan->stones) {
        unsigned column = rng_below(&rng, 15), row = rng_below(&rng, 15);
        if (is_taken[column][row])
            continue;
        is_taken[column][row] = true;
        status = record_add(record, (RecordStone){.cell = cell_at(column, row), .ms = 100}, error);
    }
    return status;
}

static Status open_connection(Connection *connection, Error *error)
{
    const Plan *plan = connection->plan;
    DatabaseWorker about = {.name = "a load", .slots = plan->slots, .build = load_build, .words = ""};
    connection->held = memory_new(plan->slots, sizeof *connection->held);
    connection->beats = memory_new(plan->slots, sizeof *connection->beats);
    connection->games = memory_new(plan->games, sizeof *connection->games);
    connection->ms = memory_new(plan->count, sizeof *connection->ms);
    connection->tokens = rng_make((uint64_t)clock_unix_ms() * 1000 + connection->number);
    Status status = fill_record(connection, error);
    if (status == STATUS_OK)
        status = database_open(plan->path, &connection->db, error);
    return status == STATUS_OK ? database_add_worker(connection->db, &about, &connection->worker, error) : status;
}

static void close_connection(Connection *connection)
{
    if (connection->worker != 0)
        (void)database_end_worker(connection->db, connection->worker, NULL);
    database_close(connection->db);
    record_close(&connection->record);
    free(connection->held);
    free(connection->beats);
    free(connection->games);
    free(connection->ms);
}

// Tries until it has a unit: other connections lock units only briefly.
static Status claim(Connection *connection, DatabaseUnit *unit, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned tries = 0; status == STATUS_OK && unit->id == 0; tries++) {
        DatabaseClaim wanted = next_claim(connection);
        if (tries == 1000)
            return error_set(error, STATUS_FAILED, "job %lld has no games left for a load", (long long)wanted.job);
        status = database_claim_unit(connection->db, &wanted, unit, error);
        connection->load.misses += unit->id == 0;
    }
    return status;
}

// Claims the units needed before the first operation.
static Status prepare(Connection *connection, Error *error)
{
    const Plan *plan = connection->plan;
    unsigned wanted = plan->kind == KIND_BEATS ? plan->slots : plan->kind == KIND_UNITS ? 1 : 0;
    if (plan->kind == KIND_POLLS && connection->number == 0)
        wanted = 1;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < wanted && status == STATUS_OK; i++) {
        status = claim(connection, &connection->held[i], error);
        connection->beats[i].unit = connection->held[i];
    }
    return status;
}

// --- Operations ---

static Status hand_in(Connection *connection, Error *error)
{
    DatabaseUnit *unit = &connection->held[0], next = {0};
    for (unsigned i = 0; i < unit->games; i++)
        connection->games[i] = (DatabaseGame){.match = connection->plan->match,
                                              .number = unit->first + i,
                                              .seed = unit->first + i,
                                              .first = "random",
                                              .second = "adjacent",
                                              .started = clock_unix_ms(),
                                              .ended = clock_unix_ms(),
                                              .record = &connection->record};
    DatabaseUnitResult result = {.unit = *unit, .games = connection->games, .count = unit->games};
    DatabaseClaim wanted = next_claim(connection);
    Status status = database_finish_unit(connection->db, &result, &wanted, &next, error);
    if (status == STATUS_OK && !result.was_accepted)
        return error_set(error, STATUS_FAILED, "a unit of the load was taken by another worker");
    connection->load.games += unit->games;
    *unit = next;
    connection->load.misses += next.id == 0;
    return status == STATUS_OK ? claim(connection, unit, error) : status;
}

static Status beat(Connection *connection, Error *error)
{
    DatabaseWorker about = {.id = connection->worker, .words = ""};
    for (unsigned i = 0; i < connection->plan->slots; i++)
        connection->beats[i].progress++;
    return database_beat(connection->db, &about, connection->beats, connection->plan->slots, error);
}

// The poll of an idle slot (lab/workers/worker_slot.c).
static Status poll_once(Connection *connection, Error *error)
{
    DatabaseClaim wanted = next_claim(connection);
    DatabaseUnit unit = {0};
    int64_t job = 0;
    Status status = database_claim_unit(connection->db, &wanted, &unit, error);
    if (status == STATUS_OK)
        status = database_next_job(connection->db, connection->worker, 0, &job, error);
    return status == STATUS_OK ? database_close_jobs(connection->db, error) : status;
}

// The poll of a program that waits for a job, four times per second (lab/submit/lab_workers.c), without reading new
// games.
static Status look(Connection *connection, Error *error)
{
    bool found = false;
    JobState state = JOB_OPEN;
    Status status = database_close_jobs(connection->db, error);
    if (status == STATUS_OK)
        status = database_job_state(connection->db, connection->plan->job, &state, &found, error);
    return status;
}

static Status operate(Connection *connection, Error *error)
{
    static Status (*const operations[])(Connection *, Error *) = {
        [KIND_UNITS] = hand_in, [KIND_BEATS] = beat, [KIND_POLLS] = poll_once, [KIND_LOOKS] = look};
    return operations[connection->plan->kind](connection, error);
}

static void *run_connection(void *context)
{
    Connection *connection = context;
    UnitLoad *load = &connection->load;
    const atomic_bool *stop = connection->plan->stop;
    double begun = clock_seconds(), last = begun;
    Status status = STATUS_OK;
    while (status == STATUS_OK && load->operations < connection->plan->count && !(stop != NULL && atomic_load(stop))) {
        status = operate(connection, &connection->error);
        double now = clock_seconds();
        connection->ms[load->operations++] = (now - last) * 1000;
        last = now;
    }
    load->seconds = last - begun;
    // Returns claimed units, for a later load of the same job.
    DatabaseUnitResult returned = {.unit = connection->held[0]};
    if (status == STATUS_OK && connection->plan->kind == KIND_UNITS && returned.unit.id != 0)
        status = database_finish_unit(connection->db, &returned, NULL, NULL, &connection->error);
    connection->status = status;
    return NULL;
}

// --- All connections ---

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void sum_up(const Connection *connections, const Plan *plan, UnitLoad *load)
{
    double *all = memory_new((size_t)plan->connections * plan->count, sizeof *all);
    size_t count = 0;
    for (unsigned i = 0; i < plan->connections; i++) {
        const UnitLoad *one = &connections[i].load;
        memcpy(all + count, connections[i].ms, one->operations * sizeof *all);
        count += one->operations;
        load->operations += one->operations;
        load->games += one->games;
        load->misses += one->misses;
        load->seconds = one->seconds > load->seconds ? one->seconds : load->seconds;
    }
    qsort(all, count, sizeof *all, compare);
    load->median_ms = count > 0 ? all[count / 2] : 0;
    load->p99_ms = count > 0 ? all[(count - 1) * 99 / 100] : 0;
    free(all);
}

static Status run_all(Connection *connections, const Plan *plan, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < plan->connections && status == STATUS_OK; i++)
        status = open_connection(&connections[i], error);
    for (unsigned i = 0; i < plan->connections && status == STATUS_OK; i++)
        status = prepare(&connections[i], error);
    if (status != STATUS_OK)
        return status;
    unsigned started = 0;
    for (; started < plan->connections; started++)
        if (pthread_create(&connections[started].thread, NULL, run_connection, &connections[started]) != 0)
            break;
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(connections[i].thread, NULL);
    if (started < plan->connections)
        return error_set(error, STATUS_FAILED, "cannot start a thread");
    for (unsigned i = 0; i < plan->connections; i++)
        if (connections[i].status != STATUS_OK) {
            *error = connections[i].error;
            return connections[i].status;
        }
    return STATUS_OK;
}

Status unit_load_run(const char *db, const OptionValues *options, const atomic_bool *stop, UnitLoad *load, Error *error)
{
    Plan plan = {.kind = (Kind)options_choice(options, "kind"),
                 .connections = (unsigned)options_int(options, "connections"),
                 .count = (unsigned)options_int(options, "count"),
                 .games = (unsigned)options_int(options, "games") / 2 * 2,
                 .stones = (unsigned)options_int(options, "stones"),
                 .slots = (unsigned)options_int(options, "slots"),
                 .spare = options_int(options, "spare"),
                 .job = options_int(options, "job"),
                 .path = db,
                 .stop = stop};
    *load = (UnitLoad){0};
    Connection *connections = memory_new(plan.connections, sizeof *connections);
    Status status = set_up(&plan, error);
    for (unsigned i = 0; i < plan.connections; i++)
        connections[i] = (Connection){.plan = &plan, .number = i};
    if (status == STATUS_OK)
        status = run_all(connections, &plan, error);
    load->job = plan.job;
    if (status == STATUS_OK)
        sum_up(connections, &plan, load);
    for (unsigned i = 0; i < plan.connections; i++)
        close_connection(&connections[i]);
    free(connections);
    return status;
}
