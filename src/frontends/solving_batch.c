// Many positions, a line each. The sets of test positions that people use for Connect Four have the score behind each.
#include "base/clock.h"
#include "frontends/interrupt.h"
#include "frontends/solving.h"
#include "rules/notation.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const Args *args;
    const Rules *rules;
    Exact *exact;
    unsigned long line, differences, unknown;
} Batch;

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

static Status take_expected(Batch *batch, Span *line, int *expected, Error *error)
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

static Status solve_game(Batch *batch, const Game *game, ExactResult *result, Error *error)
{
    ExactLimits limits = {
        .deadline = 0,
        .nodes = batch->args->budget.nodes,
        .stop = interrupt_flag(),
    };
    if (batch->args->budget.seconds > 0)
        limits.deadline = clock_seconds() + batch->args->budget.seconds;
    return exact_run(batch->exact, &game->board, batch->args->weak ? EXACT_VALUE : EXACT_SCORE, &limits, result, error);
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
static void check_answer(Batch *batch, Span position, const ExactResult *result, int expected)
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

static Status answer_line(Batch *batch, Span line, Error *error)
{
    line = span_trim(line);
    int expected = 0;
    Status status = batch->args->check ? take_expected(batch, &line, &expected, error) : STATUS_OK;
    Game game;
    game_init(&game, batch->rules);
    if (status == STATUS_OK && game_read(&game, line, error) != STATUS_OK) {
        error_prefix(error, "line %lu: ", batch->line);
        return STATUS_BAD_INPUT;
    }
    if (status == STATUS_OK && game_is_over(&game))
        return error_set(error, STATUS_BAD_INPUT, "line %lu: the game is over", batch->line);
    ExactResult result = {0};
    if (status == STATUS_OK)
        status = solve_game(batch, &game, &result, error);
    if (status != STATUS_OK)
        return status;
    // What was cut short by Ctrl-C is no answer.
    if (atomic_load(interrupt_flag()) && !exact_is_known(&result))
        return error_set(error, STATUS_FAILED, "interrupted at line %lu", batch->line);
    print_answer(line, &result);
    if (batch->args->check)
        check_answer(batch, line, &result, expected);
    return STATUS_OK;
}

static Status answer_all(Batch *batch, Error *error)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK && !atomic_load(interrupt_flag()) && (length = getline(&line, &size, stdin)) >= 0) {
        batch->line++;
        status = answer_line(batch, (Span){line, (size_t)length}, error);
    }
    free(line);
    // Ctrl-C also ends a read that waits for a line, which looks like a fault of the input.
    if (status == STATUS_OK && atomic_load(interrupt_flag()))
        return error_set(error, STATUS_FAILED, "interrupted after line %lu", batch->line);
    return status == STATUS_OK && ferror(stdin) != 0 ? error_set(error, STATUS_IO, "the standard input cannot be read")
                                                     : status;
}

Status solving_batch(const Args *args, const Rules *rules, Error *error)
{
    Batch batch = {.args = args, .rules = rules};
    interrupt_catch();
    Status status = solving_open(args, rules, &batch.exact, error);
    if (status == STATUS_OK)
        status = answer_all(&batch, error);
    exact_close(batch.exact);
    if (status == STATUS_OK && batch.differences > 0)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores differ", batch.differences, batch.line);
    if (status == STATUS_OK && batch.unknown > 0 && args->check)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores were not found within the limits", batch.unknown,
                         batch.line);
    return status;
}
