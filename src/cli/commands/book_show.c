// krow book show: the turns of an opening book for a position.
#include "base/memory.h"
#include "cli/commands.h"
#include "lab/book_position.h"
#include "lab/books.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *name; // NULL: not given
} BookShowArgs;

static const char *const reason_words[] = {
    [BOOK_NOTHING] = "nothing",
    [BOOK_BY_RATIO] = "ratio",
    [BOOK_BY_WINS] = "wins",
};

static Status print_json(const BookPosition *show, Error *error)
{
    const BookMove *best = NULL;
    BookReason reason = book_choice_end(&show->choice, &best);
    Side side = board_side(&show->game.board);
    json_t *moves = json_array();
    for (size_t i = 0; i < show->move_count; i++) {
        const BookPositionMove *move = &show->moves[i];
        (void)json_array_append_new(
            moves,
            json_pack("{s:o, s:I, s:I, s:I, s:I, s:f}", "stones", view_cells(show->stones + move->stones, move->count),
                      "games", (json_int_t)book_position_games(move->counts), "wins", (json_int_t)move->counts.wins,
                      "ties", (json_int_t)move->counts.ties, "losses", (json_int_t)move->counts.losses, "ratio",
                      book_ratio(move->counts, side)));
    }
    json_t *found =
        json_pack("{s:s, s:b, s:s?, s:I, s:I, s:I, s:o, s:i, s:o, s:s}", "turn", side_name(side), "known",
                  show->is_known, "unknown", book_unknown_word(show->why), "wins", (json_int_t)show->counts.wins,
                  "ties", (json_int_t)show->counts.ties, "losses", (json_int_t)show->counts.losses, "moves", moves,
                  "dropped", (int)show->dropped, "recommended",
                  best != NULL ? view_cells(best->stones, best->count) : json_null(), "why", reason_words[reason]);
    return output_json(view_book(&show->book.spec, found), error);
}

static void print_moves(const BookPosition *show, const BookMove *best)
{
    Side side = board_side(&show->game.board);
    Text cells = {0};
    (void)printf("\n  %-20s %7s %7s %7s %7s %9s\n", "turn", "games", "wins", "ties", "losses",
                 side == SIDE_FIRST ? "first" : "second");
    for (size_t i = 0; i < show->move_count; i++) {
        const BookPositionMove *move = &show->moves[i];
        const Cell *stones = show->stones + move->stones;
        bool is_best = best != NULL && best->count == move->count &&
                       memcmp(best->stones, stones, move->count * sizeof stones[0]) == 0;
        cells.length = 0;
        view_add_cells(&cells, stones, move->count, " ");
        (void)printf("%c %-20s %7llu %7u %7u %7u %7.1f %%\n", is_best ? '*' : ' ', cells.data,
                     (unsigned long long)book_position_games(move->counts), move->counts.wins, move->counts.ties,
                     move->counts.losses, 100 * book_ratio(move->counts, side));
    }
    text_close(&cells);
}

static void print_recommendation(const BookPosition *show)
{
    const BookMove *best = NULL;
    BookReason reason = book_choice_end(&show->choice, &best);
    if (show->move_count > 0)
        print_moves(show, best);
    (void)printf("\n");
    if (show->dropped > 0)
        (void)printf("%u turn%s not fit on the board here.\n", show->dropped, show->dropped == 1 ? " does" : "s do");
    if (reason == BOOK_BY_RATIO)
        (void)printf("* is recommended: the best share of wins of the turns seen at least %d times.\n", BOOK_THRESHOLD);
    else if (reason == BOOK_BY_WINS)
        (void)printf("* is recommended: no turn seen at least %d times won more than it lost, and of the rarer ones it "
                     "won most.\n",
                     BOOK_THRESHOLD);
    else
        (void)printf(show->depth == show->book.spec.turns ? "The book ends here.\n" : "No turn is recommended.\n");
}

static void print_text(const BookPosition *show)
{
    const BookSpec *spec = &show->book.spec;
    (void)printf("book '%s', %s%s, %u turn%s, %llu game%s\n", spec->name, encoding_name(spec->encoding),
                 spec->symmetric ? " and symmetric" : "", spec->turns, view_plural(spec->turns),
                 (unsigned long long)show->book.games, view_plural(show->book.games));
    if (!show->is_known) {
        (void)printf("The book does not contain this position: %s.\n", book_unknown_sentence(show->why));
        return;
    }
    (void)printf("this position: %llu game%s, the first player won %u, tied %u, lost %u\n",
                 (unsigned long long)book_position_games(show->counts), view_plural(book_position_games(show->counts)),
                 show->counts.wins, show->counts.ties, show->counts.losses);
    print_recommendation(show);
}

static Status find_position(BookPosition *show, Database *db, const BookShowArgs *args, Error *error)
{
    bool found = false;
    Status status = book_position_find(show, db, args->name != NULL ? args->name : "", &found, error);
    if (status != STATUS_OK || found)
        return status;
    char game[RULES_TEXT_SIZE];
    rules_format(&show->game.board.rules, game);
    return args->name != NULL ? database_no_book(args->name, error)
                              : error_set(error, STATUS_BAD_INPUT,
                                          "there is no opening book for %s; 'krow book build' makes one", game);
}

static Status show_position(BookPosition *show, const BookShowArgs *args, Error *error)
{
    Database *db = NULL;
    Status status = line_position(&args->line, &show->game, error);
    if (status == STATUS_OK)
        status = database_for("opening books", args->line.db, OPEN_TO_READ, &db, error);
    if (status == STATUS_OK)
        status = find_position(show, db, args, error);
    database_close(db);
    if (status == STATUS_OK && args->line.json)
        return print_json(show, error);
    if (status == STATUS_OK)
        print_text(show);
    return status;
}

static Status run(const void *options, Error *error)
{
    const BookShowArgs *args = options;
    BookPosition *show = memory_new(1, sizeof *show);
    Status status = show_position(show, args, error);
    book_position_close(show);
    free(show);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(BookShowArgs, name, "name", CLI_TEXT, "NAME", "Book to use (default: the newest for the game)"),
    OPTION_BOARD,
    OPTION_NEEDED_DB,
    OPTION_JSON,
    CLI_END(BookShowArgs),
};

const Command command_book_show = {
    .name = "show",
    .words = "GAME [MOVES...]",
    .summary = "Show the turns of an opening book for a position",
    .about = "Lists each turn played in the position, with the wins, ties and losses of the first player in games that "
             "reached the position after it, and the share of decided games that the side to move won. A star marks "
             "the recommended turn.\n\nExample:\n  krow book show connect6 j10",
    .options = options,
    .run = run,
};
