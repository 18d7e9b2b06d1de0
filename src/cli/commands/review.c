// krow review: the mistakes of a game, and how accurately both sides played.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output/review_text.h"
#include "game/notation.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    unsigned number; // of the game in a file; 0: not given
} ReviewArgs;

enum { REVIEW_FILE_MAX = 1 << 30 };

// --- The game ---

typedef struct {
    unsigned wanted;
    size_t games;
    bool is_found;
    GameRecord record;
    Status status;
    Error *error;
} Reading;

static bool take_game(void *context, const FormatItem *item)
{
    Reading *reading = context;
    reading->games = item->number;
    if (item->number != reading->wanted)
        return true;
    if (item->record == NULL) {
        reading->status = error_set(reading->error, STATUS_BAD_INPUT, "line %zu: %s", item->line, item->error->text);
        return false;
    }
    reading->record = *item->record;
    *item->record = (GameRecord){0};
    reading->is_found = true;
    return true;
}

// The game of a file with this number; the only one if 0.
static Status read_file(const char *path, unsigned number, GameRecord *record, Error *error)
{
    Text text = {0};
    FormatOptions options = {.format = format_prefix(&path)};
    Reading reading = {.wanted = number > 0 ? number : 1, .error = error};
    Status status = file_read(path, REVIEW_FILE_MAX, &text, error);
    Span whole = {text.data, text.length};
    if (status == STATUS_OK && options.format == NULL)
        status = format_guess(path, whole, &options.format, error);
    if (status == STATUS_OK) {
        Error others = {0};
        (void)formats_read(whole, &options, take_game, &reading, &others);
        status = reading.status;
    }
    text_close(&text);
    if (status == STATUS_OK && !reading.is_found)
        status = error_set(error, STATUS_BAD_INPUT, "%s has %zu game%s; there is no game %u", path, reading.games,
                           view_plural(reading.games), reading.wanted);
    if (status == STATUS_OK && number == 0 && reading.games > 1)
        status = error_set(error, STATUS_BAD_INPUT, "%s has %zu games; choose one with --number", path, reading.games);
    if (status == STATUS_OK)
        *record = reading.record;
    else
        record_close(&reading.record);
    return status;
}

// Whether the only argument is a file and not the text of a game.
static bool is_file(const CommandLine *line)
{
    Rules rules;
    return line->word_count == 1 && line->board == NULL &&
           rules_parse(span_of(line->words[0]), &rules, NULL) != STATUS_OK;
}

static Status read_game(const ReviewArgs *args, Game *game, Error *error)
{
    const CommandLine *line = &args->line;
    if (!is_file(line))
        return args->number > 0 ? error_set(error, STATUS_BAD_INPUT, "--number needs a file")
                                : line_position(line, game, error);
    GameRecord record = {0};
    Status status = read_file(line->words[0], args->number, &record, error);
    if (status == STATUS_OK) {
        Board root;
        if (record.setup != NULL)
            board_copy(&root, record.setup);
        else
            board_init(&root, &record.rules);
        game_init_from(game, &root);
        status = record_replay(&record, game, NULL, error);
    }
    record_close(&record);
    return status;
}

// --- Output ---

static json_t *to_json(const Review *review)
{
    json_t *object = json_pack("{s:o, s:o}", "game", view_rules(&review->rules), "moves",
                               view_cells(review->stones, review->stone_count));
    json_t *found = review_json(review, review_side_names);
    (void)json_object_update(object, found);
    json_decref(found);
    return object;
}

static Status run(const void *options, Error *error)
{
    const ReviewArgs *args = options;
    Game game;
    Review review = {0};
    Status status = read_game(args, &game, error);
    if (status == STATUS_OK && game.played == 0)
        status = error_set(error, STATUS_BAD_INPUT, "the game has no stones; there is nothing to review");
    if (status == STATUS_OK)
        status = review_search(&review, &game, args->line.reporter, interrupt_catch(), error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(to_json(&review), error);
    else if (status == STATUS_OK)
        review_print(&review);
    review_close(&review);
    return status;
}

static const CliOption options[] = {
    OPTION_BOARD,
    CLI_OPTION(ReviewArgs, number, "number", CLI_WHOLE, "N", "Game of the file, from 1, if it has several", .min = 1,
               .max = INT32_MAX),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(ReviewArgs),
};

const Command command_review = {
    .name = "review",
    .words = "FILE|GAME [MOVES...]",
    .summary = "Find the mistakes of a game, and how accurately both sides played",
    .about = "Evaluates the position after each turn, searches again where evaluations disagree, and verifies the "
             "turns that would have been better. Lists mistakes, blunders, missed wins and turns that let the other "
             "side win, and prints an accuracy from 0 to 100 for both sides. X plays first. Ctrl-C ends the review and "
             "prints the results so far.\n\nExamples:\n  krow review game.sgf\n  krow review connect4 44444137",
    .options = options,
    .run = run,
};
