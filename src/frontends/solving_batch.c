// Many positions, a line each. The sets of test positions that people use for Connect Four have the score behind each.
#include "base/clock.h"
#include "frontends/interrupt.h"
#include "frontends/solving_internal.h"
#include "rules/notation.h"

#include <stdio.h>
#include <stdlib.h>

// --- Lines ---

// Cuts the last word off a line; false where there is none.
static bool take_last_word(Span *line, Span *word)
{
    *line = span_trim(*line);
    size_t begin = line->length;
    while (begin > 0 && line->at[begin - 1] != ' ' && line->at[begin - 1] != '\t')
        begin--;
    *word = (Span){line->at + begin, line->length - begin};
    line->length = begin;
    *line = span_trim(*line);
    return word->length > 0;
}

static Status take_expected(const SolvingBatch *batch, Span *line, int *expected, Error *error)
{
    Span word = {0};
    int64_t number = 0;
    if (!take_last_word(line, &word) || !span_to_int(word, -RULES_CELLS_MAX, RULES_CELLS_MAX, &number))
        return error_set(error, STATUS_BAD_INPUT,
                         "line %lu: '%.*s' is no score; with --check it stands behind each position", batch->line,
                         SPAN_PRINT(word));
    // Without scores it is who wins that is compared.
    bool has_scores = !batch->args->weak && exact_has_scores(batch->rules);
    *expected = has_scores ? (int)number : (number > 0) - (number < 0);
    return STATUS_OK;
}

static void print_answer(Span position, const ExactResult *result)
{
    const char *between = position.length > 0 ? " " : "";
    if (exact_is_known(result))
        (void)printf("%.*s%s%d\n", SPAN_PRINT(position), between, result->low);
    else
        (void)printf("%.*s%sunknown %d %d\n", SPAN_PRINT(position), between, result->low, result->high);
    (void)fflush(stdout);
}

// A difference is what is known to be wrong: an unknown score may still be the expected one.
static void check_answer(SolvingBatch *batch, Span position, const ExactResult *result, int expected)
{
    if (!exact_is_known(result))
        batch->unknown++;
    if (expected >= result->low && expected <= result->high)
        return;
    batch->differences++;
    (void)fprintf(stderr, "line %lu: %.*s is worth ", batch->line, SPAN_PRINT(position));
    if (exact_is_known(result))
        (void)fprintf(stderr, "%d, and not %d\n", result->low, expected);
    else
        (void)fprintf(stderr, "%d to %d, and not %d\n", result->low, result->high, expected);
}

void solving_tell(SolvingBatch *batch, Span position, int expected, const ExactResult *result)
{
    print_answer(position, result);
    if (batch->args->check)
        check_answer(batch, position, result, expected);
}

Status solving_read_line(const SolvingBatch *batch, Span line, Span *position, int *expected, Game *game, Error *error)
{
    *position = span_trim(line);
    *expected = 0;
    Status status = batch->args->check ? take_expected(batch, position, expected, error) : STATUS_OK;
    game_init(game, batch->rules);
    if (status == STATUS_OK && game_read(game, *position, error) != STATUS_OK) {
        error_prefix(error, "line %lu: ", batch->line);
        return STATUS_BAD_INPUT;
    }
    if (status == STATUS_OK && game_is_over(game))
        return error_set(error, STATUS_BAD_INPUT, "line %lu: the game is over", batch->line);
    return status;
}

// --- Solving ---

SolvingBudget solving_budget(const Args *args)
{
    return (SolvingBudget){
        .weak = args->weak, .nodes = args->budget.nodes, .seconds = args->budget.seconds, .memory = args->memory};
}

Status solving_value_of(Exact *exact, const Board *board, const SolvingBudget *budget, const atomic_bool *stop,
                        atomic_ullong *alive, ExactResult *result, Error *error)
{
    ExactLimits limits = {.nodes = budget->nodes, .stop = stop, .alive = alive};
    if (budget->seconds > 0)
        limits.deadline = clock_seconds() + budget->seconds;
    // What earlier positions have left in the table would let the same nodes find more.
    if (budget->nodes > 0)
        exact_clear(exact);
    return exact_run(exact, board, budget->weak ? EXACT_VALUE : EXACT_SCORE, &limits, result, error);
}

typedef struct {
    SolvingBatch *batch;
    Exact *exact;
} Answering;

static Status answer_line(void *context, Span line, Error *error)
{
    SolvingBatch *batch = ((const Answering *)context)->batch;
    Exact *exact = ((const Answering *)context)->exact;
    Span position = {0};
    int expected = 0;
    Game game;
    ExactResult result = {0};
    SolvingBudget budget = solving_budget(batch->args);
    Status status = solving_read_line(batch, line, &position, &expected, &game, error);
    if (status == STATUS_OK)
        status = solving_value_of(exact, &game.board, &budget, interrupt_flag(), NULL, &result, error);
    if (status != STATUS_OK)
        return status;
    // What was cut short by Ctrl-C is no answer.
    if (atomic_load(interrupt_flag()) && !exact_is_known(&result))
        return error_set(error, STATUS_FAILED, "interrupted at line %lu", batch->line);
    solving_tell(batch, position, expected, &result);
    return STATUS_OK;
}

Status solving_each_line(SolvingBatch *batch, SolvingLineSink *sink, void *context, Error *error)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK && !atomic_load(interrupt_flag()) && (length = getline(&line, &size, stdin)) >= 0) {
        batch->line++;
        status = sink(context, (Span){line, (size_t)length}, error);
    }
    free(line);
    // Ctrl-C also ends a read that waits for a line, which looks like a fault of the input.
    if (status == STATUS_OK && atomic_load(interrupt_flag()))
        return error_set(error, STATUS_FAILED, "interrupted after line %lu", batch->line);
    return status == STATUS_OK && ferror(stdin) != 0 ? error_set(error, STATUS_IO, "the standard input cannot be read")
                                                     : status;
}

static Status answer_here(SolvingBatch *batch, Error *error)
{
    Answering answering = {.batch = batch};
    Status status = solving_open(batch->args, batch->rules, &answering.exact, error);
    if (status == STATUS_OK)
        status = solving_each_line(batch, answer_line, &answering, error);
    exact_close(answering.exact);
    return status;
}

Status solving_batch(const Args *args, const Rules *rules, Error *error)
{
    SolvingBatch batch = {.args = args, .rules = rules};
    interrupt_catch();
    Status status = args->workers ? solving_batch_by_workers(&batch, error) : answer_here(&batch, error);
    if (status == STATUS_OK && batch.differences > 0)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores differ", batch.differences, batch.line);
    if (status == STATUS_OK && batch.unknown > 0 && args->check)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores were not found within the limits", batch.unknown,
                         batch.line);
    return status;
}
