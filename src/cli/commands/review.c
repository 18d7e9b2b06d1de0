// krow review: the mistakes of a game, and how accurately both sides played.
#include "analysis/review.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "game/notation.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    unsigned number; // of the game in a file; 0: not given
} ReviewArgs;

static const char *const names[] = {"X", "O"};

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

static Status read_game(const ReviewArgs *args, Game *game, Board *root, Error *error)
{
    const CommandLine *line = &args->line;
    if (!is_file(line)) {
        if (args->number > 0)
            return error_set(error, STATUS_BAD_INPUT, "--number needs a file");
        Status status = line_position(line, game, error);
        Game start;
        game_copy(&start, game);
        while (game_undo(&start)) {
        }
        board_copy(root, &start.board);
        return status;
    }
    GameRecord record = {0};
    Status status = read_file(line->words[0], args->number, &record, error);
    if (status == STATUS_OK) {
        if (record.setup != NULL)
            board_copy(root, record.setup);
        else
            board_init(root, &record.rules);
        game_init_from(game, root);
        status = record_replay(&record, game, NULL, error);
    }
    record_close(&record);
    return status;
}

// --- Output ---

static void print_count(unsigned count, const char *one, const char *many)
{
    if (count > 0)
        (void)printf(", %u %s", count, count == 1 ? one : many);
}

static void print_side(const Review *review, Side side)
{
    const ReviewSide *at = &review->sides[side];
    if (at->counted == 0) {
        (void)printf("%s: no turn to judge\n", names[side]);
        return;
    }
    (void)printf("%s: accuracy %.1f, mean loss %.1f %% in %u turn%s", names[side], at->accuracy, 100 * at->loss,
                 at->counted, view_plural(at->counted));
    print_count(at->kinds[REVIEW_MISTAKE], "mistake", "mistakes");
    print_count(at->kinds[REVIEW_BLUNDER], "blunder", "blunders");
    print_count(at->kinds[REVIEW_MISSED_WIN], "missed win", "missed wins");
    print_count(at->kinds[REVIEW_LETS_WIN], "win given away", "wins given away");
    (void)printf("\n");
}

static void print_review(const Review *review)
{
    unsigned found = 0;
    for (unsigned i = 0; i < review->turn_count; i++) {
        if (review->turns[i].kind == REVIEW_FINE)
            continue;
        Text words = {0};
        review_describe(review, i, names, &words);
        (void)printf("%3u. %s\n", i + 1, words.data);
        text_close(&words);
        found++;
    }
    if (found == 0)
        (void)printf("No mistakes found.\n");
    print_side(review, SIDE_FIRST);
    print_side(review, SIDE_SECOND);
    if (!review->is_complete)
        (void)printf("Interrupted after %u of %u searches.\n", review->done, review->total);
}

static json_t *to_json(const Review *review)
{
    json_t *object = json_pack("{s:o, s:o}", "game", view_rules(&review->rules), "moves",
                               view_cells(review->stones, review->stone_count));
    json_t *found = review_json(review, names);
    (void)json_object_update(object, found);
    json_decref(found);
    return object;
}

static Status run(const void *options, Error *error)
{
    const ReviewArgs *args = options;
    Game game;
    Board root;
    Review review = {0};
    Status status = read_game(args, &game, &root, error);
    if (status == STATUS_OK && game.played == 0)
        status = error_set(error, STATUS_BAD_INPUT, "the game has no stones; there is nothing to review");
    if (status == STATUS_OK)
        status = review_open(&review, &game, &root, error);
    const atomic_bool *stop = interrupt_catch();
    if (status == STATUS_OK) {
        while (review_step(&review, stop))
            reporter_show(args->line.reporter, "review: %u of %u searches", review.done, review.total);
        reporter_end(args->line.reporter);
        if (!review.is_complete && !atomic_load(stop))
            status = error_set(error, STATUS_FAILED, "not enough memory for the search");
    }
    if (status == STATUS_OK) {
        review_judge(&review);
        if (args->line.json)
            status = output_json(to_json(&review), error);
        else
            print_review(&review);
    }
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
