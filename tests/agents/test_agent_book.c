// Tests of the agent `book` with invented books: it plays their turns and leaves other positions to its fallback.
#include "agents/book/book_graph.h"
#include "game/notation.h"
#include "match/referee.h"
#include "support/book_find.h"
#include "support/check.h"

#include <string.h>

// A shelf with one book in memory. Its graph answers as the database would.
typedef struct {
    BookGraph graph;
    unsigned found, looked_up;
    bool fails;
} Shelf;

static Status find(void *context, const char *name, const Rules *rules, BookSpec *spec, bool *found, Error *error)
{
    Shelf *shelf = context;
    shelf->found++;
    if (shelf->fails)
        return error_set(error, STATUS_IO, "the shelf has fallen over");
    *found =
        rules_equal(rules, &shelf->graph.spec.rules) && (name[0] == '\0' || strcmp(name, shelf->graph.spec.name) == 0);
    if (*found)
        *spec = shelf->graph.spec;
    return STATUS_OK;
}

static Status look_up(void *context, const BookKey *key, const BookSink *sink, Error *error)
{
    Shelf *shelf = context;
    const BookGraph *graph = &shelf->graph;
    unsigned node = 0;
    shelf->looked_up++;
    assert_string_equal(key->spec->name, graph->spec.name);
    if (!book_find(graph, key->depth, span_of(key->code), &node))
        return STATUS_OK;
    if (sink->position != NULL)
        sink->position(sink->context, graph->nodes[node].counts);
    for (unsigned i = 0; i < graph->link_count; i++)
        if (graph->links[i].from == node)
            sink->turn(sink->context, span_of(book_graph_turn(graph, i)), graph->nodes[graph->links[i].to].counts);
    // Not before something was reported.
    return shelf->fails ? error_set(error, STATUS_IO, "the shelf has fallen over") : STATUS_OK;
}

static void add(Shelf *shelf, const char *moves, Side winner, unsigned times)
{
    static Game game;
    Error error = {0};
    game_init(&game, &shelf->graph.spec.rules);
    play_text(&game, moves);
    BookCounts outcome = {winner == SIDE_FIRST, 0, winner == SIDE_SECOND};
    for (unsigned i = 0; i < times; i++)
        assert_done(book_graph_add(&shelf->graph, game.stones, game.played, outcome, &error), error);
}

// Connect6: after j10 the turn i9 k11 won 3 of 4 games, j11 j12 its only two.
static void fill(Shelf *shelf)
{
    *shelf = (Shelf){.graph.spec = {.name = "six", .encoding = ENCODING_RELATIVE, .turns = 6}};
    shelf->graph.spec.rules = rules_of("connect6");
    add(shelf, "j10 k11 i9 a1 a2", SIDE_SECOND, 3);
    add(shelf, "j10 k11 i9 a1 a2", SIDE_FIRST, 1);
    add(shelf, "j10 j11 j12 b1 b2 j13 j14", SIDE_SECOND, 2);
}

static Status open_on(Agent *agent, Shelf *shelf, const char *text, const char *game, Error *error)
{
    static AgentBooks books;
    Rules rules = rules_of(game);
    books = (AgentBooks){shelf, find, look_up};
    AgentHost host = {.books = shelf != NULL ? &books : NULL};
    return agent_open_with(agent, span_of(text), &rules, &host, error);
}

// What the agent decides after these moves.
static const Decision *decide(Agent *agent, const char *moves)
{
    static Decision decision;
    static Game game;
    Rng rng = rng_make(1);
    atomic_bool stop = false;
    AgentTask task = {.rng = &rng, .stop = &stop};
    Error error = {0};
    game_init(&game, &agent->config.rules);
    play_text(&game, moves);
    agent_decide(agent, &game, &task, &decision);
    assert_done(referee_play(&game, &decision, &error), error);
    return &decision;
}

static void assert_plays(Agent *agent, const char *moves, const char *first, const char *second)
{
    const Decision *decision = decide(agent, moves);
    assert_int_equal(decision->count, 2);
    assert_int_equal(decision->stones[0], cell_of(&agent->config.rules, first));
    assert_int_equal(decision->stones[1], cell_of(&agent->config.rules, second));
}

static void test_it_plays_the_book(void **state)
{
    (void)state;
    Shelf shelf;
    Agent agent;
    Error error = {0};
    fill(&shelf);
    assert_done(open_on(&agent, &shelf, "book", "connect6", &error), error);
    assert_plays(&agent, "j10", "i9", "k11");
    const Decision *decision = decide(&agent, "j10");
    assert_true(decision->score == 0.75);
    assert_int_equal(decision->nodes, 2);
    assert_int_equal(decision->depth, 2);
    assert_int_equal(decision->line_count, 2);
    assert_int_equal(decision->proven, PROVEN_NOTHING);
    assert_plays(&agent, "e5", "d4", "f6"); // the same around another first stone
    agent_close(&agent);
    assert_done(open_on(&agent, &shelf, "book:s=2", "connect6", &error), error);
    assert_plays(&agent, "j10", "j11", "j12"); // 2 of 2 is enough now
    agent_close(&agent);
    assert_done(open_on(&agent, &shelf, "book:name=six,s=5", "connect6", &error), error);
    assert_plays(&agent, "j10", "i9", "k11"); // 3 wins before 2
    agent_close(&agent);
    book_graph_close(&shelf.graph);
}

// The move that the book has would fall off the board: the next best, or the fallback.
static void test_moves_that_do_not_fit(void **state)
{
    (void)state;
    Shelf shelf;
    Agent agent;
    Error error = {0};
    fill(&shelf);
    assert_done(open_on(&agent, &shelf, "book:fallback=adjacent", "connect6", &error), error);
    assert_plays(&agent, "a5", "a6", "a7");           // there is nothing to the left of a5
    const Decision *decision = decide(&agent, "a19"); // nor above a19
    assert_int_equal(decision->nodes > 2, true);
    assert_int_equal(decision->depth, 1);
    agent_close(&agent);
    book_graph_close(&shelf.graph);
}

// Whether the decision is the one that the fallback alone would take from the same seed.
static void assert_fallback(Agent *agent, const char *fallback, const char *moves)
{
    Agent other;
    Error error = {0};
    Decision mine = *decide(agent, moves);
    assert_done(agent_open(&other, span_of(fallback), &agent->config.rules, &error), error);
    const Decision *its = decide(&other, moves);
    assert_int_equal(mine.count, its->count);
    assert_memory_equal(mine.stones, its->stones, mine.count * sizeof mine.stones[0]);
    assert_true(mine.nodes == its->nodes);
    agent_close(&other);
}

static void test_the_fallback_plays_the_rest(void **state)
{
    (void)state;
    Shelf shelf;
    Agent agent;
    Error error = {0};
    fill(&shelf);
    assert_done(open_on(&agent, &shelf, "book:fallback=adjacent:reach=3", "connect6", &error), error);
    assert_fallback(&agent, "adjacent:reach=3", "j10 a1 a2");        // unknown
    assert_fallback(&agent, "adjacent:reach=3", "j10 k11");          // the middle of a turn
    assert_fallback(&agent, "adjacent:reach=3", "");                 // 1 win and 5 losses
    assert_fallback(&agent, "adjacent:reach=3", "j10 i9 k11 a1 a2"); // the end of what was played
    shelf.fails = true;
    assert_fallback(&agent, "adjacent:reach=3", "j10"); // the book cannot be read any more
    shelf.fails = false;
    agent_close(&agent);
    assert_done(open_on(&agent, &shelf, "book:turns=1,fallback=random", "connect6", &error), error);
    shelf.looked_up = 0;
    assert_fallback(&agent, "random", "j10"); // beyond the turns it is asked for
    assert_int_equal(shelf.looked_up, 0);
    agent_close(&agent);
    book_graph_close(&shelf.graph);
}

// Options of the fallback are separated by + and its own fallback is one, too.
static void test_options_of_the_fallback(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    assert_done(open_on(&agent, NULL, "book:s=3,fallback=book:s=2+fallback=random", "gomoku", &error), error);
    assert_fallback(&agent, "random", "h8 i9");
    agent_close(&agent);
    assert_refused(open_on(&agent, NULL, "book:fallback=book:s=2+x=3", "gomoku", &error), error, "no option 'x'");
    assert_refused(open_on(&agent, NULL, "book:fallback=missing", "gomoku", &error), error,
                   "there is no agent 'missing'");
    assert_refused(open_on(&agent, NULL, "book:fallback=", "gomoku", &error), error, "there is no agent ''");
    assert_refused(open_on(&agent, NULL, "book:fallback=human", "gomoku", &error), error, "there is no agent 'human'");
}

static void test_books_that_are_not_there(void **state)
{
    (void)state;
    Shelf shelf;
    Agent agent;
    Error error = {0};
    fill(&shelf);
    assert_refused(open_on(&agent, NULL, "book:name=six", "connect6", &error), error, "there is no opening book 'six'");
    assert_refused(open_on(&agent, &shelf, "book:name=seven", "connect6", &error), error, "krow book build seven");
    assert_refused(open_on(&agent, &shelf, "book:name=six", "gomoku", &error), error, "15x15:k=5");
    assert_done(open_on(&agent, &shelf, "book", "gomoku", &error), error); // none for this game
    assert_fallback(&agent, "sequences", "h8");
    agent_close(&agent);
    assert_done(open_on(&agent, NULL, "book", "connect6", &error), error);
    assert_fallback(&agent, "sequences", "j10");
    agent_close(&agent);
    shelf.fails = true;
    assert_failed(open_on(&agent, &shelf, "book", "connect6", &error), STATUS_IO, error, "fallen over");
    book_graph_close(&shelf.graph);
}

// A damaged book: turns that are none are passed over.
static void test_damaged_turns(void **state)
{
    (void)state;
    Shelf shelf;
    Agent agent;
    Error error = {0};
    fill(&shelf);
    unsigned from = 0, to = 0;
    assert_true(book_find(&shelf.graph, 1, span_of("0/"), &from));
    assert_true(book_graph_node(&shelf.graph, 2, span_of("damaged"), &to));
    shelf.graph.nodes[to].counts = (BookCounts){0, 0, 1000};
    static const char *const turns[] = {"", "x", "0 1", "1", "1 2 3", "5 4", "9999 10000", "1 1"};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++)
        (void)book_graph_link(&shelf.graph, from, span_of(turns[i]), to);
    assert_done(open_on(&agent, &shelf, "book", "connect6", &error), error);
    assert_plays(&agent, "j10", "i9", "k11");
    agent_close(&agent);
    book_graph_close(&shelf.graph);
}

TEST_GROUP(agent_book)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_plays_the_book),           cmocka_unit_test(test_moves_that_do_not_fit),
        cmocka_unit_test(test_the_fallback_plays_the_rest), cmocka_unit_test(test_options_of_the_fallback),
        cmocka_unit_test(test_books_that_are_not_there),    cmocka_unit_test(test_damaged_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
