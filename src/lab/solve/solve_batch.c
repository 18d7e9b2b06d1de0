// Solves many positions, one per line. The usual Connect Four test sets have the score after each position.
#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "lab/solve/solve_internal.h"

#include <stdio.h>
#include <stdlib.h>

// Cuts off the last word of a line; false for an empty line.
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
                         "line %lu: '%.*s' is not a score; --check needs one after each position", batch->line,
                         SPAN_PRINT(word));
    // Without scores only the winner is compared.
    bool has_scores = !batch->options->each.weak && exact_has_scores(batch->rules);
    *expected = has_scores ? (int)number : (number > 0) - (number < 0);
    return STATUS_OK;
}

static void add_answer(Span position, const ExactResult *result, Text *text)
{
    const char *between = position.length > 0 ? " " : "";
    text_add_span(text, position);
    if (exact_is_known(result))
        text_add(text, "%s%d", between, result->low);
    else
        text_add(text, "%sunknown %d %d", between, result->low, result->high);
}

// Counts a difference only if it is certain: an unknown score may still be the expected one.
static void check_answer(SolvingBatch *batch, Span position, const ExactResult *result, int expected, Text *complaint)
{
    if (!exact_is_known(result))
        batch->unknown++;
    if (expected >= result->low && expected <= result->high)
        return;
    batch->differences++;
    text_add(complaint, "line %lu: %.*s is worth ", batch->line, SPAN_PRINT(position));
    if (exact_is_known(result))
        text_add(complaint, "%d instead of %d", result->low, expected);
    else
        text_add(complaint, "%d to %d instead of %d", result->low, result->high, expected);
}

void solve_print_answer(SolvingBatch *batch, Span position, int expected, const ExactResult *result)
{
    Text answer = {0}, complaint = {0};
    add_answer(position, result, &answer);
    if (batch->options->check)
        check_answer(batch, position, result, expected, &complaint);
    batch->options->print(answer.data, complaint.data);
    text_close(&answer);
    text_close(&complaint);
}

Status solve_read_line(const SolvingBatch *batch, Span text, SolvingLine *line, Error *error)
{
    line->position = span_trim(text);
    line->expected = 0;
    Status status = batch->options->check ? take_expected(batch, &line->position, &line->expected, error) : STATUS_OK;
    game_init(&line->game, batch->rules);
    if (status == STATUS_OK && game_read(&line->game, line->position, error) != STATUS_OK) {
        error_prefix(error, "line %lu: ", batch->line);
        return STATUS_BAD_INPUT;
    }
    if (status == STATUS_OK && game_is_over(&line->game))
        return error_set(error, STATUS_BAD_INPUT, "line %lu: the game is over", batch->line);
    return status;
}

Status solve_value_of(Exact *exact, const Board *board, const SolveOptions *options, ExactResult *result, Error *error)
{
    const Budget *budget = &options->budget;
    Limits limits = {.nodes = budget->nodes, .stop = options->stop};
    if (budget->seconds > 0)
        limits.deadline = clock_seconds() + budget->seconds;
    // With the transposition table of earlier positions, the same number of nodes could find more.
    if (budget->nodes > 0)
        exact_clear(exact);
    ExactQuery query = {.board = board, .aim = options->weak ? EXACT_VALUE : EXACT_SCORE, .limits = &limits};
    return exact_run(exact, &query, result, error);
}

static Status answer_line(void *context, Span text, Error *error)
{
    SolvingBatch *batch = context;
    SolvingLine line;
    ExactResult result = {0};
    Status status = solve_read_line(batch, text, &line, error);
    if (status == STATUS_OK)
        status = solve_value_of(batch->exact, &line.game.board, &batch->options->each, &result, error);
    if (status != STATUS_OK)
        return status;
    // A search that Ctrl-C has interrupted has no answer.
    if (atomic_load(batch->options->each.stop) && !exact_is_known(&result))
        return error_set(error, STATUS_FAILED, "interrupted at line %lu", batch->line);
    solve_print_answer(batch, line.position, line.expected, &result);
    return STATUS_OK;
}

// All stones of the largest board with some room.
enum { LINE_SIZE = 1 << 16 };

// Reads a line without its end; false at the end of the input. A longer line fills the buffer.
static bool read_line(char line[LINE_SIZE], size_t *length)
{
    int byte = 0;
    *length = 0;
    while (*length < LINE_SIZE && (byte = getc(stdin)) != EOF && byte != '\n')
        line[(*length)++] = (char)byte;
    return *length > 0 || byte != EOF;
}

Status solve_each_line(SolvingBatch *batch, SolvingLineSink *sink, void *context, Error *error)
{
    char *line = memory_new(LINE_SIZE, 1);
    size_t length = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK && !atomic_load(batch->options->each.stop) && read_line(line, &length)) {
        batch->line++;
        if (length < LINE_SIZE)
            status = sink(context, (Span){line, length}, error);
        else
            status = error_set(error, STATUS_BAD_INPUT, "line %lu is longer than %d bytes", batch->line, LINE_SIZE - 1);
    }
    free(line);
    // Ctrl-C also ends a blocking read, which then looks like an input error.
    if (status == STATUS_OK && atomic_load(batch->options->each.stop))
        return error_set(error, STATUS_FAILED, "interrupted after line %lu", batch->line);
    return status == STATUS_OK && ferror(stdin) != 0 ? error_set(error, STATUS_IO, "cannot read the standard input")
                                                     : status;
}

static Status answer_here(SolvingBatch *batch, Error *error)
{
    Status status = solve_open(&batch->options->each, batch->rules, &batch->exact, error);
    if (status == STATUS_OK)
        status = solve_each_line(batch, answer_line, batch, error);
    exact_close(batch->exact);
    return status;
}

Status solve_batch(const SolveBatchOptions *options, const Rules *rules, Error *error)
{
    SolvingBatch batch = {.options = options, .rules = rules};
    Status status = options->workers ? solve_batch_by_workers(&batch, error) : answer_here(&batch, error);
    if (status == STATUS_OK && batch.differences > 0)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores differ", batch.differences, batch.line);
    if (status == STATUS_OK && batch.unknown > 0 && options->check)
        return error_set(error, STATUS_FAILED, "%lu of %lu scores were not found within the limits", batch.unknown,
                         batch.line);
    return status;
}
