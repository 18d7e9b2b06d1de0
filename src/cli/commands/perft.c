// krow perft: count stone sequences.
#include "game/perft.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "view/json_view.h"

static void print_table(const Perft *perft, unsigned depth, double seconds)
{
    (void)printf("%5s  %26s  %26s\n", "depth", "sequences", "won by the last stone");
    for (unsigned d = 1; d <= depth; d++) {
        char count[32], wins[32];
        (void)printf("%5u  %26s  %26s\n", d, view_number(perft->counts[d], count), view_number(perft->wins[d], wins));
    }
    if (seconds > 0.001)
        (void)fprintf(stderr, "%.2f s, %.1f million leaves a second\n", seconds,
                      (double)perft->counts[depth] / seconds / 1e6);
}

static json_t *to_json(const Board *board, const Perft *perft, unsigned depth, double seconds)
{
    json_t *counts = json_array(), *wins = json_array();
    for (unsigned d = 1; d <= depth; d++) {
        (void)json_array_append_new(counts, json_integer((json_int_t)perft->counts[d]));
        (void)json_array_append_new(wins, json_integer((json_int_t)perft->wins[d]));
    }
    return json_pack("{s:o, s:o, s:o, s:f}", "game", view_rules(&board->rules), "counts", counts, "wins", wins, "ms",
                     seconds * 1000);
}

static Status run(const void *options, Error *error)
{
    const CommandLine *args = options;
    // GAME DEPTH; with --board the depth counts from the position drawn.
    int64_t depth = 0;
    const char *depth_word = args->words[1];
    if (!span_to_int(span_of(depth_word), 1, PERFT_DEPTH_MAX, &depth))
        return error_set(error, STATUS_BAD_INPUT, "the depth '%s' is not a whole number from 1 to %d", depth_word,
                         PERFT_DEPTH_MAX);
    CommandLine position = *args;
    position.word_count = 1;
    Game game;
    Status status = line_position(&position, &game, error);
    if (status != STATUS_OK)
        return status;
    Perft perft;
    double begin = clock_seconds();
    bool whole = perft_run(&game.board, (unsigned)depth, interrupt_catch(), &perft);
    double seconds = clock_seconds() - begin;
    if (!whole)
        return error_set(error, STATUS_FAILED, "interrupted after %.1f s; no count is complete", seconds);
    if (args->json)
        return output_json(to_json(&game.board, &perft, (unsigned)depth, seconds), error);
    print_table(&perft, (unsigned)depth, args->quiet ? 0 : seconds);
    return STATUS_OK;
}

static const CliOption options[] = {OPTION_BOARD, OPTION_JSON, OPTION_QUIET, CLI_END(CommandLine)};

const Command command_perft = {
    .name = "perft",
    .words = "GAME DEPTH",
    .summary = "Count stone sequences",
    .about = "Counts the sequences of 1, 2, ... DEPTH stones; a game that has ended is not continued. Every stone is "
             "played and undone, so this also measures speed.\n\nExample:\n  krow perft connect4 9",
    .options = options,
    .run = run,
};
