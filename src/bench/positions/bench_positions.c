// Runs the double-threat search on Connect6 positions with known wins and checks the wins that it claims.
#include "bench/positions/bench_positions.h"
#include "base/memory.h"

#include "base/clock.h"
#include "base/file.h"
#include "bench/common/slices.h"
#include "bench/positions/claim.h"
#include "bench/positions/proof.h"
#include "bench/positions/strategy.h"
#include "game/notation.h"
#include "papers/kagami/threat_space.h"

#include <stdlib.h>

enum { FILE_MAX = 64 << 20, TABLE_BYTES = 16 << 20, CLAIM_NODES = 200000, REPLIES_MAX = 1 << 20 };

typedef struct {
    Rules rules;
    const BenchPositionsOptions *options;
    BenchPositions *found;
    DoubleThreat *search;
    ThreatSpace *conservative;
    double *took; // milliseconds of each known win
    double *conservative_took;
    double began; // of the search under way
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

static void check_claim(Bench *bench, const CellSet *turn)
{
    Limits limits = {.nodes = CLAIM_NODES, .stop = bench->options->stop};
    Claim claim = claim_check(bench->search, &bench->game.board, turn, &limits);
    bench->found->conservative.refuted += claim == CLAIM_REFUTED;
    bench->found->open += claim == CLAIM_OPEN;
}

// Plays a claimed win through.
static void check_win(Bench *bench, const DoubleThreatResult *result)
{
    BenchPositions *found = bench->found;
    const Board *board = &bench->game.board;
    if (result->singles > 0) {
        StrategyCheck check = strategy_check(bench->search, board, result, REPLIES_STOPPING, REPLIES_MAX);
        found->singles++;
        found->checked += check.positions;
        found->exact.refuted += check.fault != NULL;
        found->unfinished += check.is_unfinished;
    } else {
        Proof proof;
        proof_check(bench->search, board, result, false, &proof);
        found->checked += proof.positions;
        found->exact.refuted += proof.fault != NULL;
    }
}

// Counts the result of a search that has just ended; `took` has the milliseconds of each known win.
static bool count(const Bench *bench, const Line *line, const DoubleThreatResult *result, BenchTally *tally,
                  double *took)
{
    bool won = result->verdict == DOUBLE_THREAT_WON, is_known = line->turns > 0;
    tally->nodes += result->nodes;
    tally->found += won && is_known;
    tally->more += won && !is_known;
    tally->same_turns += won && result->turns == (unsigned)line->turns;
    tally->shorter += won && result->turns < (unsigned)line->turns;
    if (is_known)
        took[bench->found->wins - 1] = (clock_seconds() - bench->began) * 1e3;
    return won;
}

static void search_position(Bench *bench, const Line *line)
{
    BenchPositions *found = bench->found;
    const Board *board = &bench->game.board;
    DoubleThreatResult result;
    found->positions++;
    found->wins += line->turns > 0;

    bench->began = clock_seconds();
    Limits limits = {.deadline = bench->began + bench->options->seconds, .stop = bench->options->stop};
    double_threat_run_with_singles(bench->search, board, &limits, bench->options->singles, &result);
    found->none += result.verdict == DOUBLE_THREAT_NONE;
    if (count(bench, line, &result, &found->exact, bench->took))
        check_win(bench, &result);

    bench->began = clock_seconds();
    limits.deadline = bench->began + bench->options->seconds;
    threat_space_run(bench->conservative, board, &limits, &result);
    if (count(bench, line, &result, &found->conservative, bench->conservative_took))
        check_claim(bench, &result.turn);
}

static Status search_lines(Bench *bench, Span text, Error *error)
{
    Span part;
    for (unsigned number = 1; span_next_part(&text, '\n', &part); number++) {
        Line line = {0};
        if (stop_is_raised(bench->options->stop))
            return error_set(error, STATUS_FAILED, "interrupted");
        if (part.length == 0 || part.at[0] == '#')
            continue;
        Status status = read_line(part, &line, error);
        if (status == STATUS_OK)
            status = set_up(bench, &line, error);
        if (status != STATUS_OK) {
            error_prefix(error, "'%s': line %u: ", bench->options->path, number);
            return status;
        }
        search_position(bench, &line);
    }
    return stop_is_raised(bench->options->stop) ? error_set(error, STATUS_FAILED, "interrupted") : STATUS_OK;
}

// --- All of them ---

static void sum_up(double *took, unsigned wins, BenchTally *tally)
{
    tally->median_ms = slices_median(took, wins);
    tally->longest_ms = wins > 0 ? took[wins - 1] : 0;
}

static Status search_all(Bench *bench, Span text, Error *error)
{
    BenchPositions *found = bench->found;
    size_t lines = text.length + 1; // a line has more than one character
    bench->took = memory_new(lines, sizeof bench->took[0]);
    bench->conservative_took = memory_new(lines, sizeof bench->took[0]);
    (void)rules_parse(span_of("connect6"), &bench->rules, NULL);
    Status status = double_threat_open(&bench->search, &bench->rules, TABLE_BYTES, error);
    if (status == STATUS_OK)
        status = threat_space_open(&bench->conservative, &bench->rules, error);
    if (status == STATUS_OK)
        status = search_lines(bench, text, error);
    if (status == STATUS_OK && found->positions == 0)
        status = error_set(error, STATUS_BAD_INPUT, "'%s' has no positions", bench->options->path);
    if (status == STATUS_OK) {
        sum_up(bench->took, found->wins, &found->exact);
        sum_up(bench->conservative_took, found->wins, &found->conservative);
    }
    threat_space_close(bench->conservative);
    double_threat_close(bench->search);
    return status;
}

Status bench_positions(const BenchPositionsOptions *options, BenchPositions *found, Error *error)
{
    Text text = {0};
    *found = (BenchPositions){0};
    Bench *bench = memory_new(1, sizeof *bench);
    bench->options = options;
    bench->found = found;
    Status status = file_read(options->path, FILE_MAX, &text, error);
    if (status == STATUS_OK)
        status = search_all(bench, (Span){text.data, text.length}, error);
    free(bench->took);
    free(bench->conservative_took);
    free(bench);
    text_close(&text);
    return status;
}
