#include "bench/bench_positions.h"

#include "base/clock.h"
#include "base/file.h"
#include "bench/proof.h"
#include "rules/notation.h"

#include <stdlib.h>

enum { FILE_MAX = 64 << 20, TABLE_BYTES = 16 << 20 };

typedef struct {
    Rules rules;
    double seconds;
    const atomic_bool *stop;
    BenchPositions *found;
    DoubleThreat *search;
    double *took; // milliseconds of each known win
    Game game;
} Bench;

// --- The file ---

typedef struct {
    Side side;
    int64_t turns; // of the known win, 0: none
    Span stones;
} Line;

static Status read_result(Span word, Line *line, Error *error)
{
    static const char win[] = "win_in_turns=";
    Span before = {word.at, sizeof win - 1};
    if (word.length < sizeof win || !span_is(before, win))
        return STATUS_OK;
    Span number = {word.at + before.length, word.length - before.length};
    if (!span_to_int(number, 1, DOUBLE_THREAT_TURNS_MAX, &line->turns))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no number of turns", SPAN_PRINT(number));
    return STATUS_OK;
}

static Status read_line(Span text, Line *line, Error *error)
{
    Span head, id, side, result;
    (void)span_next_part(&text, '|', &head);
    line->stones = span_trim(text);
    if (!span_next_word(&head, " ", &id) || !span_next_word(&head, " ", &side) ||
        !span_next_word(&head, " ", &result) || line->stones.length == 0)
        return error_set(error, STATUS_BAD_INPUT, "expected ID SIDE RESULT TURN | STONES");
    if (!span_is(side, "black") && !span_is(side, "white"))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is neither black nor white", SPAN_PRINT(side));
    line->side = span_is(side, "black") ? SIDE_FIRST : SIDE_SECOND;
    return read_result(result, line, error);
}

static Status set_up(Bench *bench, const Line *line, Error *error)
{
    game_init(&bench->game, &bench->rules);
    Status status = game_read(&bench->game, line->stones, error);
    if (status == STATUS_OK && game_is_over(&bench->game))
        return error_set(error, STATUS_BAD_INPUT, "the game is over");
    if (status == STATUS_OK && board_side(&bench->game.board) != line->side)
        return error_set(error, STATUS_BAD_INPUT, "the other side is to move");
    return status;
}

// --- A position ---

static void search_position(Bench *bench, const Line *line)
{
    BenchPositions *found = bench->found;
    double began = clock_seconds();
    DoubleThreatLimits limits = {.deadline = began + bench->seconds, .stop = bench->stop};
    DoubleThreatResult result;
    double_threat_run(bench->search, &bench->game.board, &limits, &result);
    double took = (clock_seconds() - began) * 1e3;
    bool won = result.verdict == DOUBLE_THREAT_WON;
    found->positions++;
    found->nodes += result.nodes;
    found->none += result.verdict == DOUBLE_THREAT_NONE;
    if (line->turns > 0) {
        bench->took[found->wins++] = took;
        found->proven += won;
        found->same_turns += won && result.turns == (unsigned)line->turns;
    } else {
        found->more += won;
    }
    if (!won)
        return;
    Proof proof;
    proof_check(bench->search, &bench->game.board, &result, false, &proof);
    found->checked += proof.positions;
    found->refuted += proof.fault != NULL;
}

static bool is_stopped(const Bench *bench)
{
    return bench->stop != NULL && atomic_load_explicit(bench->stop, memory_order_relaxed);
}

static Status search_lines(Bench *bench, Span text, Error *error)
{
    Span part;
    for (unsigned number = 1; span_next_part(&text, '\n', &part); number++) {
        Line line = {0};
        if (is_stopped(bench))
            return error_set(error, STATUS_FAILED, "interrupted");
        if (part.length == 0 || part.at[0] == '#')
            continue;
        Status status = read_line(part, &line, error);
        if (status == STATUS_OK)
            status = set_up(bench, &line, error);
        if (status != STATUS_OK) {
            error_prefix(error, "line %u: ", number);
            return status;
        }
        search_position(bench, &line);
    }
    return is_stopped(bench) ? error_set(error, STATUS_FAILED, "interrupted") : STATUS_OK;
}

// --- All of them ---

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sum_up(Bench *bench)
{
    BenchPositions *found = bench->found;
    if (found->wins == 0)
        return;
    qsort(bench->took, found->wins, sizeof bench->took[0], compare);
    found->median_ms = bench->took[found->wins / 2];
    found->longest_ms = bench->took[found->wins - 1];
}

static Status search_all(Bench *bench, Span text, Error *error)
{
    (void)rules_parse(span_of("connect6"), &bench->rules, NULL);
    bench->took = malloc((text.length + 1) * sizeof bench->took[0]); // a line has more than one character
    if (bench->took == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for positions");
    Status status = double_threat_open(&bench->search, &bench->rules, TABLE_BYTES, error);
    if (status == STATUS_OK)
        status = search_lines(bench, text, error);
    if (status == STATUS_OK)
        sum_up(bench);
    double_threat_close(bench->search);
    free(bench->took);
    return status;
}

Status bench_positions(const char *path, double seconds, const atomic_bool *stop, BenchPositions *found, Error *error)
{
    Text text = {0};
    *found = (BenchPositions){0};
    Bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for positions");
    bench->seconds = seconds;
    bench->stop = stop;
    bench->found = found;
    Status status = file_read(path, FILE_MAX, &text, error);
    if (status == STATUS_OK)
        status = search_all(bench, (Span){text.data, text.length}, error);
    free(bench);
    text_close(&text);
    return status;
}
