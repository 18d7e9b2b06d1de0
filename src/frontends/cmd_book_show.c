// krow book show: what an opening book says of a position.
#include "frontends/books.h"
#include "frontends/commands.h"
#include "frontends/output.h"
#include "rules/notation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A move that the book has here, and where its stones begin in the list of all.
typedef struct {
    BookCounts counts;
    size_t stones;
    unsigned count;
} ShownMove;

// Why a book does not know a position.
typedef enum { KNOWN, UNSEEN, BEYOND, MIDDLE, OVER, SET_UP_RELATIVE, SET_UP } Unknown;

typedef struct {
    DatabaseBook book;
    Unknown why;
    unsigned depth; // turns played, where that can be told
    Game game;
    BookView view;
    BookChoice choice;
    bool is_known;
    BookCounts counts;
    ShownMove *moves;
    size_t move_count, move_capacity;
    Cell *stones;
    size_t stone_count, stone_capacity;
    unsigned dropped; // moves that do not fit on the board here
    bool failed;
    Cell turn[RULES_CELLS_MAX];
} Show;

static void take_position(void *context, BookCounts counts)
{
    Show *show = context;
    show->is_known = true;
    show->counts = counts;
}

static bool reserve(Show *show, unsigned count)
{
    if (show->move_count == show->move_capacity) {
        size_t capacity = show->move_capacity > 0 ? 2 * show->move_capacity : 64;
        ShownMove *moves = realloc(show->moves, capacity * sizeof *moves);
        if (moves == NULL)
            return false;
        show->moves = moves;
        show->move_capacity = capacity;
    }
    if (show->stone_count + count > show->stone_capacity) {
        size_t capacity = 2 * (show->stone_count + count);
        Cell *stones = realloc(show->stones, capacity * sizeof *stones);
        if (stones == NULL)
            return false;
        show->stones = stones;
        show->stone_capacity = capacity;
    }
    return true;
}

static void take_turn(void *context, Span turn, BookCounts counts)
{
    Show *show = context;
    unsigned count = 0;
    if (!book_read_turn(&show->view, &show->game.board, turn, show->turn, &count)) {
        show->dropped++;
        return;
    }
    if (!reserve(show, count)) {
        show->failed = true;
        return;
    }
    book_choice_add(&show->choice, counts, show->turn, count);
    show->moves[show->move_count++] = (ShownMove){counts, show->stone_count, count};
    memcpy(show->stones + show->stone_count, show->turn, count * sizeof show->turn[0]);
    show->stone_count += count;
}

static uint64_t games_of(BookCounts counts)
{
    return (uint64_t)counts.wins + counts.ties + counts.losses;
}

// Most games first, then by the stones.
static int compare_moves(const void *a, const void *b, void *context)
{
    const ShownMove *x = a, *y = b;
    const Cell *stones = ((const Show *)context)->stones;
    uint64_t games_x = games_of(x->counts), games_y = games_of(y->counts);
    if (games_x != games_y)
        return games_x > games_y ? -1 : 1;
    for (unsigned i = 0; i < x->count && i < y->count; i++)
        if (stones[x->stones + i] != stones[y->stones + i])
            return stones[x->stones + i] < stones[y->stones + i] ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

static Status find_book(Show *show, Database *db, const Args *args, Error *error)
{
    bool found = false;
    const Rules *rules = &show->game.board.rules;
    Status status = database_find_book(db, args->name != NULL ? args->name : "", rules, &show->book, &found, error);
    if (status != STATUS_OK || found)
        return status;
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    return args->name != NULL ? books_no_book(args->name, error)
                              : error_set(error, STATUS_BAD_INPUT,
                                          "there is no opening book for %s; 'krow book build' makes one", game);
}

// A position that no book, or not this one, can know; else KNOWN, and its depth.
static Unknown look_at(Show *show)
{
    const Board *board = &show->game.board;
    const BookSpec *spec = &show->book.spec;
    unsigned whole = board_count(board) == 0 ? spec->rules.q : spec->rules.p;
    if (game_is_over(&show->game))
        return OVER;
    if ((board->state.turn & 0xffff) != whole)
        return MIDDLE;
    if (!book_depth(&show->game, &show->depth))
        return SET_UP;
    if (spec->encoding == ENCODING_RELATIVE && show->game.played != board_count(board))
        return SET_UP_RELATIVE;
    return show->depth > spec->turns ? BEYOND : KNOWN;
}

// What the book has.
static Status look_up(Show *show, Database *db, Error *error)
{
    const BookSpec *spec = &show->book.spec;
    book_choice_begin(&show->choice, board_side(&show->game.board), BOOK_THRESHOLD);
    show->why = look_at(show);
    if (show->why != KNOWN)
        return STATUS_OK;
    if (!book_view(&show->view, spec, &show->game, show->depth))
        return error_set(error, STATUS_NO_MEMORY, "no memory for a position");
    BookSink sink = {show, take_position, take_turn};
    Status status = database_look_up(db, spec, show->depth, show->view.code.data, &sink, error);
    if (status == STATUS_OK && show->failed)
        status = error_set(error, STATUS_NO_MEMORY, "no memory for the moves of a book");
    if (show->move_count > 0)
        qsort_r(show->moves, show->move_count, sizeof *show->moves, compare_moves, show);
    show->why = show->is_known ? KNOWN : UNSEEN;
    return status;
}

// --- Report ---

static const char *const reason_words[] = {
    [BOOK_NOTHING] = "nothing",
    [BOOK_BY_RATIO] = "ratio",
    [BOOK_BY_WINS] = "wins",
};

static const struct {
    const char *word, *sentence;
} unknown[] = {
    [UNSEEN] = {"unseen", "no game had it"},
    [BEYOND] = {"beyond", "it comes after the last turn of the book"},
    [MIDDLE] = {"middle", "it is in the middle of a turn, and books know whole turns"},
    [OVER] = {"over", "the game is over"},
    [SET_UP_RELATIVE] = {"set_up", "it was set up, and a relative book has to know the first stone"},
    [SET_UP] = {"set_up", "it was set up, and no game from the empty board has these stones and this side to move"},
};

static Status print_json(const Show *show, Error *error)
{
    const BookSpec *spec = &show->book.spec;
    const BookMove *best = NULL;
    BookReason reason = book_choice_end(&show->choice, &best);
    Side side = board_side(&show->game.board);
    char game[RULES_TEXT_SIZE];
    rules_format(&spec->rules, game);
    json_t *moves = json_array();
    for (size_t i = 0; i < show->move_count; i++) {
        const ShownMove *move = &show->moves[i];
        (void)json_array_append_new(
            moves, json_pack("{s:o, s:I, s:I, s:I, s:I, s:f}", "stones",
                             output_cells(show->stones + move->stones, move->count), "games",
                             (json_int_t)games_of(move->counts), "wins", (json_int_t)move->counts.wins, "ties",
                             (json_int_t)move->counts.ties, "losses", (json_int_t)move->counts.losses, "ratio",
                             book_ratio(move->counts, side)));
    }
    return output_json(json_pack("{s:s, s:s, s:s, s:b, s:i, s:s, s:b, s:s?, s:I, s:I, s:I, s:o, s:i, s:o, s:s}", "name",
                                 spec->name, "game", game, "encoding", encoding_name(spec->encoding), "symmetric",
                                 spec->symmetric, "turns", (int)spec->turns, "turn", side_name(side), "known",
                                 show->is_known, "unknown", unknown[show->why].word, "wins",
                                 (json_int_t)show->counts.wins, "ties", (json_int_t)show->counts.ties, "losses",
                                 (json_int_t)show->counts.losses, "moves", moves, "dropped", (int)show->dropped,
                                 "recommended", best != NULL ? output_cells(best->stones, best->count) : json_null(),
                                 "why", reason_words[reason]),
                       error);
}

static void add_cells(Text *text, const Cell *stones, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(stones[i], name);
        text_add(text, "%s%s", i > 0 ? " " : "", name);
    }
}

static void print_moves(const Show *show, const BookMove *best)
{
    Side side = board_side(&show->game.board);
    Text cells = {0};
    (void)printf("\n  %-20s %7s %7s %7s %7s %9s\n", "turn", "games", "wins", "ties", "losses",
                 side == SIDE_FIRST ? "first" : "second");
    for (size_t i = 0; i < show->move_count; i++) {
        const ShownMove *move = &show->moves[i];
        const Cell *stones = show->stones + move->stones;
        bool is_best = best != NULL && best->count == move->count &&
                       memcmp(best->stones, stones, move->count * sizeof stones[0]) == 0;
        cells.length = 0;
        add_cells(&cells, stones, move->count);
        (void)printf("%c %-20s %7llu %7u %7u %7u %7.1f %%\n", is_best ? '*' : ' ', cells.failed ? "" : cells.data,
                     (unsigned long long)games_of(move->counts), move->counts.wins, move->counts.ties,
                     move->counts.losses, 100 * book_ratio(move->counts, side));
    }
    text_close(&cells);
}

static void print_recommendation(const Show *show)
{
    const BookMove *best = NULL;
    BookReason reason = book_choice_end(&show->choice, &best);
    if (show->move_count > 0)
        print_moves(show, best);
    (void)printf("\n");
    if (show->dropped > 0)
        (void)printf("%u turn%s not fit on the board here.\n", show->dropped, show->dropped == 1 ? " does" : "s do");
    switch (reason) {
    case BOOK_BY_RATIO:
        (void)printf("* is recommended: the best share of wins of the turns seen at least %d times.\n", BOOK_THRESHOLD);
        break;
    case BOOK_BY_WINS:
        (void)printf("* is recommended: no turn seen at least %d times won more than it lost, and of the rarer ones it "
                     "won most.\n",
                     BOOK_THRESHOLD);
        break;
    case BOOK_NOTHING:
        (void)printf(show->depth == show->book.spec.turns ? "The book ends here.\n" : "No turn is recommended.\n");
        break;
    }
}

static void print_text(const Show *show)
{
    const BookSpec *spec = &show->book.spec;
    (void)printf("book '%s', %s%s, %u turn%s, %llu game%s\n", spec->name, encoding_name(spec->encoding),
                 spec->symmetric ? " and symmetric" : "", spec->turns, output_plural(spec->turns),
                 (unsigned long long)show->book.games, output_plural(show->book.games));
    if (!show->is_known) {
        (void)printf("It does not know this position: %s.\n", unknown[show->why].sentence);
        return;
    }
    (void)printf("this position: %llu game%s, the first player won %u, tied %u, lost %u\n",
                 (unsigned long long)games_of(show->counts), output_plural(games_of(show->counts)), show->counts.wins,
                 show->counts.ties, show->counts.losses);
    print_recommendation(show);
}

static Status show_position(Show *show, const Args *args, Error *error)
{
    Database *db = NULL;
    Status status = args_position(args, &show->game, error);
    if (status == STATUS_OK)
        status = books_database_to_read(args->db, &db, error);
    if (status == STATUS_OK)
        status = find_book(show, db, args, error);
    if (status == STATUS_OK)
        status = look_up(show, db, error);
    database_close(db);
    if (status == STATUS_OK && args->json)
        return print_json(show, error);
    if (status == STATUS_OK)
        print_text(show);
    return status;
}

static Status run(const Args *args, Error *error)
{
    Show *show = calloc(1, sizeof *show);
    if (show == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a position");
    Status status = show_position(show, args, error);
    book_view_close(&show->view);
    free(show->moves);
    free(show->stones);
    free(show);
    return status;
}

static const struct argp_option options[] = {
    {"name", ARG_NAME, "NAME", 0, "Which book; without it the newest for the game", 0},
    OPTION_BOARD,
    OPTION_BOOK_DB,
    OPTION_JSON,
    {0},
};

const Command command_book_show = {
    .name = "show",
    .words = "GAME [MOVES...]",
    .summary = "What an opening book says of a position",
    .about = "Each turn played there, with the wins, ties and losses of the first player in the games that had the "
             "position after it, and the share of the decided games that the side to move won. The recommended turn "
             "has a star.\n\nExample:\n  krow book show connect6 j10",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
