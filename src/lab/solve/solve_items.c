// Positions that workers solve: the spec of a job, its submission, and the answer to a position.
#include "base/memory.h"
#include "game/notation.h"
#include "lab/jobs/build_identity.h"
#include "lab/solve/solve_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_spec(const Rules *rules, const SolveOptions *options, unsigned positions, Text *spec)
{
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    text_add(spec, "game %s\nweak %d\nnodes %llu\ntime %.17g\nmemory %u\npositions %u\n", game, (int)options->weak,
             (unsigned long long)options->budget.nodes, options->budget.seconds, options->memory, positions);
}

static bool read_number(const char *spec, const char *key, int64_t most, int64_t *number)
{
    return span_to_int(job_spec_value(spec, key), 0, most, number);
}

static Status read_spec(const char *spec, Rules *rules, SolveOptions *options, unsigned *positions, Error *error)
{
    int64_t weak = 0, nodes = 0, memory = 0, count = 0;
    Status status = rules_parse(job_spec_value(spec, "game"), rules, error);
    if (status == STATUS_OK &&
        (!read_number(spec, "weak", 1, &weak) || !read_number(spec, "nodes", INT64_MAX, &nodes) ||
         !read_number(spec, "memory", INT_MAX, &memory) || !read_number(spec, "positions", UINT_MAX, &count) ||
         !span_to_real(job_spec_value(spec, "time"), &options->budget.seconds)))
        status = error_set(error, STATUS_BAD_INPUT, "the job's spec has missing or invalid keys");
    options->weak = weak != 0;
    options->budget.nodes = (uint64_t)nodes;
    options->memory = (unsigned)memory;
    *positions = (unsigned)count;
    return status;
}

typedef struct {
    JobWorld world;
    Rules rules;
    SolveOptions options;
    unsigned count;
    char *text;      // owned; a position per line
    Span *positions; // owned
    Exact *exact;
} Solver;

static Status list_positions(Solver *solver, const DatabaseJob *job, Error *error)
{
    Span rest = {0}, line = {0};
    unsigned count = 0;
    solver->text = memory_copy_text(job->openings);
    solver->positions = memory_new((size_t)solver->count + 1, sizeof *solver->positions);
    for (rest = span_of(solver->text); span_next_part(&rest, '\n', &line); count++)
        if (count < solver->count)
            solver->positions[count] = line;
    return count == solver->count
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "the job has %u positions instead of %u", count, solver->count);
}

static Status open_solver(void **state, const DatabaseJob *job, const JobWorld *world, Error *error)
{
    Solver *solver = *state = memory_new(1, sizeof *solver);
    solver->world = *world;
    Status status = read_spec(job->spec, &solver->rules, &solver->options, &solver->count, error);
    solver->options.stop = world->stop;
    if (status == STATUS_OK)
        status = build_check(world->signature, &solver->rules, job->build, error);
    if (status == STATUS_OK)
        status = exact_check(&solver->rules, error);
    if (status == STATUS_OK)
        status = list_positions(solver, job, error);
    ExactOptions options = {.megabytes = solver->options.memory};
    if (status == STATUS_OK)
        status = exact_open(&solver->exact, &options, &solver->rules, error);
    if (status == STATUS_OK)
        exact_watch(solver->exact, (ExactWatch){.alive = world->alive});
    return status;
}

static unsigned count_positions(const void *state)
{
    return ((const Solver *)state)->count;
}

static Status answer_position(void *state, unsigned number, Text *answer, bool *is_done, Error *error)
{
    Solver *solver = state;
    Game game;
    ExactResult result = {0};
    game_init(&game, &solver->rules);
    Status status = game_read(&game, solver->positions[number], error);
    if (status == STATUS_OK && game_is_over(&game))
        status = error_set(error, STATUS_BAD_INPUT, "the game is over in position %u", number + 1);
    if (status == STATUS_OK)
        status = solve_value_of(solver->exact, &game.board, &solver->options, &result, error);
    *is_done = status == STATUS_OK && (exact_is_known(&result) || !atomic_load(solver->world.stop));
    if (*is_done)
        text_add(answer, "%d %d", result.low, result.high);
    return status;
}

static void close_solver(void *state)
{
    Solver *solver = state;
    if (solver == NULL)
        return;
    exact_close(solver->exact);
    free(solver->positions);
    free(solver->text);
    free(solver);
}

static bool read_bounds(const char *answer, int bounds[2])
{
    Span high = span_of(answer), low = {0};
    int64_t numbers[2] = {0, 0};
    (void)span_next_part(&high, ' ', &low);
    bool good = span_to_int(low, -RULES_CELLS_MAX, RULES_CELLS_MAX, &numbers[0]) &&
                span_to_int(high, -RULES_CELLS_MAX, RULES_CELLS_MAX, &numbers[1]);
    for (int i = 0; i < 2; i++)
        bounds[i] = (int)numbers[i];
    return good;
}

// With a time limit, a faster machine may find narrower bounds: only bounds that exclude each other are wrong.
static bool answers_agree(const DatabaseJob *job, const char *a, const char *b)
{
    double seconds = 0;
    int first[2], second[2];
    if (!span_to_real(job_spec_value(job->spec, "time"), &seconds) || seconds <= 0)
        return strcmp(a, b) == 0;
    return read_bounds(a, first) && read_bounds(b, second) && first[0] <= second[1] && second[0] <= first[1];
}

const JobItemKind solve_items = {open_solver, count_positions, answer_position, close_solver, answers_agree};

// All lines, which are read before the job is submitted.
typedef struct {
    SolvingBatch *batch;
    Text positions; // one per line
    struct {
        size_t begin, length; // in `positions`
        int expected;
    } * list; // owned
    unsigned count;
    size_t capacity;
} Lines;

static Status add_line(void *context, Span text, Error *error)
{
    Lines *lines = context;
    SolvingLine line;
    Status status = solve_read_line(lines->batch, text, &line, error);
    if (status != STATUS_OK)
        return status;
    lines->list = array_grow(lines->list, &lines->capacity, lines->count + 1, sizeof *lines->list);
    lines->list[lines->count].begin = lines->positions.length;
    lines->list[lines->count].length = line.position.length;
    lines->list[lines->count++].expected = line.expected;
    text_add_span(&lines->positions, line.position);
    text_add(&lines->positions, "\n");
    return STATUS_OK;
}

static Status print_answer(void *context, unsigned number, const char *answer, Error *error)
{
    const Lines *lines = context;
    Span position = {lines->positions.data + lines->list[number].begin, lines->list[number].length};
    lines->batch->line = number + 1;
    if (answer == NULL) {
        Text complaint = {0};
        text_add(&complaint, "line %u: %.*s was set aside", number + 1, SPAN_PRINT(position));
        lines->batch->options->print(NULL, complaint.data);
        text_close(&complaint);
        return STATUS_OK;
    }
    int bounds[2];
    if (!read_bounds(answer, bounds))
        return error_set(error, STATUS_FAILED, "line %u: invalid answer '%s' from a worker", number + 1, answer);
    ExactResult result = {.low = bounds[0], .high = bounds[1]};
    solve_print_answer(lines->batch, position, lines->list[number].expected, &result);
    return STATUS_OK;
}

// A search reports progress, so the lease may be shorter than the longest search.
static const double lease_seconds = 60;

static Status ask(Lines *lines, const char *spec, const char *title, Error *error)
{
    const SolveBatchOptions *options = lines->batch->options;
    char build[BUILD_IDENTITY_SIZE];
    build_identity(build_signature(), lines->batch->rules, build);
    JobItems items = {
        .job = {.work = JOB_SOLVE,
                .title = title,
                .spec = spec,
                .openings = lines->positions.data,
                .build = build,
                .unit = options->how.unit,
                .verify = options->how.verify,
                .lease = (int64_t)((options->how.lease > 0 ? options->how.lease : lease_seconds) * 1000)},
        .count = lines->count,
        .things = "positions",
        .thing = "position",
        .resumes = options->resumes,
        .stop = options->each.stop,
        .reporter = options->each.reporter,
        .hides_progress = isatty(STDOUT_FILENO) != 0, // it would appear between the answers
        .on_answer = print_answer,
        .context = lines,
    };
    Status status = database_open(options->db, &items.db, error);
    if (status == STATUS_OK)
        status = job_items_run(&items, error);
    database_close(items.db);
    return status == STATUS_INTERRUPTED ? error_set(error, STATUS_FAILED, "%s", LAB_WORKERS_CONTINUE) : status;
}

Status solve_batch_by_workers(SolvingBatch *batch, Error *error)
{
    Lines lines = {.batch = batch};
    Text spec = {0}, title = {0};
    Status status = solve_each_line(batch, add_line, &lines, error);
    write_spec(batch->rules, &batch->options->each, lines.count, &spec);
    text_add(&title, "solve %s", batch->options->game);
    if (status == STATUS_OK && lines.count > 0)
        status = ask(&lines, spec.data, title.data, error);
    text_close(&spec);
    text_close(&title);
    text_close(&lines.positions);
    free(lines.list);
    return status;
}
