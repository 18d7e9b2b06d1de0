// The agent Opening Book of Levin et al. §3.3: plays the move with the best results in the games of an opening book.
// agents/book/book.h describes the choice.
//
// The paper's agent gives recommendations only, for a fixed number of turns, and is "more useful […] when combined with
// another agent": `fallback` plays whenever the book has no move, in the middle of a turn (a book knows whole turns
// only), and after a read error, so that the game continues.
//
// Without a name the agent uses the newest book for the rules, if the host provides books; if there is none, the
// fallback plays the whole game. A named book must exist. The choice is not random: the same position gives the same
// move.
#include "agents/agent.h"

#include <string.h>

typedef struct {
    const AgentBooks *books;
    bool has_book;
    BookSpec spec;
    unsigned turns;
    BookView view;
    BookChoice choice;
    const Board *board; // of the turn being decided
    Cell stones[RULES_CELLS_MAX];
    Agent fallback;
} Book;

static Status no_books(const char *name, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT,
                     "there is no opening book '%s': books need a database, and with --db none there is none", name);
}

static Status no_book(const char *name, const Rules *rules, Error *error)
{
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    return error_set(error, STATUS_BAD_INPUT,
                     "there is no opening book '%s' here; 'krow book list' lists what there is, and 'krow book build "
                     "%s --game %s' makes one",
                     name, name, game);
}

static Status find_book(Book *book, const AgentConfig *config, Error *error)
{
    const char *name = options_text(&config->options, "name");
    book->books = config->host.books;
    if (book->books != NULL) {
        Status status =
            book->books->find(book->books->context, name, &config->rules, &book->spec, &book->has_book, error);
        if (status != STATUS_OK)
            return status;
    }
    if (book->has_book || name[0] == '\0')
        return STATUS_OK;
    return book->books == NULL ? no_books(name, error) : no_book(name, &config->rules, error);
}

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Book *book = state;
    unsigned turns = (unsigned)options_int(&config->options, "turns");
    book->choice.threshold = (unsigned)options_int(&config->options, "s");
    Status status = find_book(book, config, error);
    if (status == STATUS_OK)
        status = agent_open_inner(&book->fallback, options_text(&config->options, "fallback"), config, error);
    book->turns = turns > 0 && turns < book->spec.turns ? turns : book->spec.turns;
    return status;
}

static void take_turn(void *context, Span turn, BookCounts counts)
{
    Book *book = context;
    unsigned count = 0;
    if (book_read_turn(&book->view, book->board, turn, book->stones, &count))
        book_choice_add(&book->choice, counts, book->stones, count);
}

// The book's move, or NULL.
static const BookMove *recommend(Book *book, const Game *game)
{
    unsigned depth = 0;
    const BookMove *move = NULL;
    if (!book->has_book || !book_depth(game, &depth) || depth >= book->turns ||
        !book_view(&book->view, &book->spec, game, depth))
        return NULL;
    book->board = &game->board;
    book_choice_begin(&book->choice, board_side(&game->board), book->choice.threshold);
    BookSink sink = {.context = book, .turn = take_turn};
    BookKey key = {&book->spec, depth, book->view.code.data};
    if (book->books->look_up(book->books->context, &key, &sink, NULL) == STATUS_OK)
        (void)book_choice_end(&book->choice, &move);
    return move;
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Book *book = state;
    const BookMove *move = recommend(book, game);
    if (move == NULL) {
        agent_decide(&book->fallback, game, task, decision);
        return;
    }
    decision->count = move->count;
    memcpy(decision->stones, move->stones, move->count * sizeof move->stones[0]);
    decision->score = book_ratio(move->counts, board_side(&game->board));
    decision->depth = move->count;
    decision->nodes = book->choice.moves;
    decision->line_count = move->count < DECISION_LINE_MAX ? move->count : DECISION_LINE_MAX;
    memcpy(decision->line, move->stones, decision->line_count * sizeof move->stones[0]);
}

static void new_game(void *state)
{
    agent_new_game(&((Book *)state)->fallback);
}

static void close(void *state)
{
    Book *book = state;
    book_view_close(&book->view);
    agent_close(&book->fallback);
}

static const AgentOption options[] = {
    {"name", OPTION_TEXT, "", 0, 0, NULL, "name of the book (default: the newest for the game, if any)"},
    {"turns", OPTION_INT, "0", 0, RULES_CELLS_MAX, NULL, "number of turns played from the book (0: all)"},
    {"s", OPTION_INT, "4", 1, 1000000, NULL, "least number of games for a move to be judged by its win ratio"},
    {"fallback", OPTION_INNER, "sequences", 0, 0, NULL,
     "agent that plays when the book has no move; its options separated by +: threats:depth=4+width=8"},
    {0},
};

const AgentKind agent_book = {
    .name = "book",
    .summary = "plays the best moves of an opening book, then hands over to another agent",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 3.3",
    .options = options,
    .state_size = sizeof(Book),
    .open = open,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
