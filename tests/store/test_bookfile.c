// Tests of opening books as text files: written books can be read; everything else is refused with a line number.
#include "base/rng.h"
#include "store/files/bookfile.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

static void fill(BookGraph *graph, const char *rules, Encoding encoding, bool symmetric, uint64_t seed)
{
    static Game game;
    Cell cells[RULES_CELLS_MAX];
    Rng rng = rng_make(seed);
    Error error = {0};
    *graph = (BookGraph){.spec = {.name = "made-up_1.0", .encoding = encoding, .symmetric = symmetric, .turns = 4}};
    graph->spec.rules = rules_of(rules);
    for (int i = 0; i < 60; i++) {
        game_init(&game, &graph->spec.rules);
        while (!game_is_over(&game))
            game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
        assert_done(
            book_graph_add(graph, game.stones, game.played, (BookCounts){i % 3 == 0, i % 3 == 1, i % 3 == 2}, &error),
            error);
    }
}

static void test_there_and_back(void **state)
{
    (void)state;
    static const char *const games[] = {"tictactoe",
                                        "connect4",
                                        "connect6",
                                        "7x5:k=4,p=3,q=2",
                                        "9x3:k=3,p=2,q=2",
                                        "5x4:k=3,p=9,q=7",
                                        "6x5:k=4,p=3,q=2,gravity",
                                        "3x3:k=1",
                                        "64x1:k=30",
                                        "6x6:k=3,exact",
                                        "5x5:k=4,p=1,q=3"};
    for (unsigned i = 0; i < 4 * sizeof games / sizeof games[0]; i++) {
        BookGraph graph, again = {0};
        Text text = {0}, second = {0};
        Error error = {0};
        fill(&graph, games[i / 4], (Encoding)(i % 2), i / 2 % 2 == 0, i);
        bookfile_write(&graph, &text);
        assert_done(bookfile_read((Span){text.data, text.length}, &again, &error), error);
        assert_int_equal(again.games, 60);
        assert_true(rules_equal(&again.spec.rules, &graph.spec.rules));
        assert_int_equal(again.node_count, graph.node_count);
        bookfile_write(&again, &second);
        assert_string_equal(text.data, second.data);
        book_graph_close(&graph);
        book_graph_close(&again);
        text_close(&text);
        text_close(&second);
    }
}

static const char good[] = "# krow book\n"
                           "name small\n"
                           "game 5x5:k=4\n"
                           "encoding relative\n"
                           "symmetric 0\n"
                           "turns 2\n"
                           "games 3\n"
                           "nodes 4\n"
                           "links 3\n"
                           "\n"
                           "node 0 1 0 2 /\n"
                           "node 1 1 0 2 0/\n"
                           "node 2 1 0 1 0/1\n"
                           "node 2 0 0 1 0/9\n"
                           "link 1 2 0\n"
                           "link 2 3 1\n"
                           "link 2 4 9\n";

static void test_by_hand(void **state)
{
    (void)state;
    BookGraph graph = {0};
    Error error = {0};
    assert_done(bookfile_read(span_of(good), &graph, &error), error);
    assert_string_equal(graph.spec.name, "small");
    assert_int_equal(graph.spec.turns, 2);
    assert_int_equal(graph.games, 3);
    assert_int_equal(graph.node_count, 4);
    assert_int_equal(graph.link_count, 3);
    assert_int_equal(graph.nodes[3].counts.losses, 1);
    assert_string_equal(book_graph_code(&graph, 3), "0/9");
    book_graph_close(&graph);
    // Lines that end as on other systems, and a book without any node.
    assert_done(bookfile_read(span_of("name a\r\ngame tictactoe\r\nencoding absolute\r\nsymmetric 1\r\nturns 9\r\n"
                                      "games 0\r\nnodes 0\r\nlinks 0\r\n"),
                              &graph, &error),
                error);
    assert_true(graph.spec.symmetric && graph.spec.encoding == ENCODING_ABSOLUTE && graph.node_count == 0);
    book_graph_close(&graph);
}

// The good text with one line in another's place; "" leaves it out.
static void assert_refusal(const char *line, const char *instead, const char *words)
{
    char text[1024];
    const char *at = strstr(good, line);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, instead,
                   at + strlen(line) + (instead[0] == '\0'));
    BookGraph graph = {0};
    Error error = {0};
    assert_refused(bookfile_read(span_of(text), &graph, &error), error, words);
    book_graph_close(&graph);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refusal("name small", "", "line 2: expected name, found 'game'");
    assert_refusal("name small", "name a b", "line 2: invalid book name");
    assert_refusal("name small", "name", "line 2: invalid book name");
    assert_refusal("game 5x5:k=4", "game 5x5", "line 3: ");
    assert_refusal("encoding relative", "encoding other", "line 4: not one of: relative, absolute: 'other'");
    assert_refusal("symmetric 0", "symmetric 2", "line 5: not 0 or 1: '2'");
    assert_refusal("turns 2", "turns 0", "line 6: not a number of turns: '0'");
    assert_refusal("turns 2", "turns 1", "line 13: not a depth of this book: '2'");
    assert_refusal("games 3", "games -1", "line 7: not a number of games");
    assert_refusal("games 3", "", "line 7: expected games, found 'nodes'");
    assert_refusal("nodes 4", "", "line 8: expected nodes, found 'links'");
    assert_refusal("nodes 4", "nodes x", "line 8: not a number of nodes: 'x'");
    assert_refusal("links 3", "", "line 10: expected links, found 'node'");
    assert_refusal("links 3", "links 4294967296", "line 9: not a number of links");
    assert_refusal("links 3", "links 3\nlinks 3", "line 10: expected a node or a link, found 'links'");
    assert_refusal("node 0 1 0 2 /", "node 0 1 0 /", "line 11: not a count: '/'");
    assert_refusal("node 0 1 0 2 /", "node 0 1 0 2", "line 11: '' is not two rising lists");
    assert_refusal("node 0 1 0 2 /", "node 0 1 0 4294967296 /", "line 11: not a count");
    assert_refusal("node 0 1 0 2 /", "node 0 1 0 2 0/", "line 11: only the empty board has depth 0");
    assert_refusal("node 1 1 0 2 0/", "node 1 1 0 2 /", "line 12: only the empty board has depth 0");
    assert_refusal("node 1 1 0 2 0/", "node 1 1 0 2  0/", "line 12: ");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 1 0/1", "line 14: repeated node: '0/1'");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 1 0/99", "line 14: ");
    assert_refusal("link 1 2 0", "link 1 5 0", "line 15: not a node above this line: '5'");
    assert_refusal("link 1 2 0", "link 0 2 0", "line 15: not a node above this line: '0'");
    assert_refusal("link 1 2 0", "link 1 3 0", "line 15: node 1 does not lead to node 3");
    assert_refusal("link 1 2 0", "link 1 2", "line 15: no rising list");
    assert_refusal("link 1 2 0", "link 1 2 x", "line 15: no rising list of numbers for a turn: 'x'");
    assert_refusal("link 2 4 9", "link 2 4 1", "line 17: node 2 does not lead to node 4");
    assert_refusal("link 2 4 9", "link 2 3 1", "line 17: repeated link: '1'");
    assert_refusal("link 2 4 9", "link", "line 17: not a node above this line: ''");
    assert_refusal("link 2 4 9", "bond 2 4 9", "line 17: expected a node or a link, found 'bond'");
    BookGraph graph = {0};
    Error error = {0};
    assert_refused(bookfile_read(span_of(""), &graph, &error), error,
                   "the opening book is incomplete: 'name' is missing");
    assert_refused(bookfile_read(span_of("name a\ngame 5x5:k=4\nencoding absolute\nsymmetric 0\nturns 3\ngames 1\n"
                                         "nodes 2\nlinks 0\nnode 1 1 0 0 1\nnode 0 1 0 0 0\n"),
                                 &graph, &error),
                   error, "line 9: the first node is not the empty board");
    book_graph_close(&graph);
}

// Turns that are illegal at their node or lead to another node.
static void test_wrong_turns(void **state)
{
    (void)state;
    assert_refusal("link 2 4 9", "link 2 4 10", "line 17: node 2 does not lead to node 4 by the turn '10'");
    assert_refusal("link 2 4 9", "link 2 4 0", "line 17: the turn '0' is not on free cells of the board at node 2");
    assert_refusal("link 2 4 9", "link 2 4 -9999", "line 17: the turn '-9999' is not on free cells of the board");
    assert_refusal("link 2 4 9", "link 2 4 9 10", "line 17: '9 10' is no turn at node 2");
    assert_refusal("link 1 2 0", "link 1 2 1", "line 15: the turn '1' should be called '0' here");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 1 0 1/9", "line 17: node 2 does not lead to node 4");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 1 0/9 10", "line 17: node 2 does not lead to node 4");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 1 0/\nlink 1 4 0", "line 15: node 1 does not lead to node 4");
}

// What only the whole shows.
static void test_parts_missing(void **state)
{
    (void)state;
    assert_refusal("link 2 4 9", "", "the opening book is incomplete: it has 2 of 3 links");
    assert_refusal("nodes 4", "nodes 5", "the opening book is incomplete: it has 4 of 5 nodes");
    assert_refusal("nodes 4", "nodes 3", "it has 4 of 3 nodes");
    assert_refusal("games 3", "games 4", "line 11: the empty board was seen 3 times in 4 games");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 0 0 0/9", "line 14: node 4 is of no game");
    assert_refusal("node 2 0 0 1 0/9", "node 2 0 1 0 0/9",
                   "line 14: node 4 was seen more often than the nodes that lead");
    assert_refusal("node 2 0 0 1 0/9", "node 2 1 0 1 0/9", "there are more games after 2 turns than after 1");
    BookGraph graph = {0};
    Error error = {0};
    assert_refused(bookfile_read(span_of("name a\ngame 5x5:k=4\nencoding absolute\nsymmetric 0\nturns 3\ngames 1\n"
                                         "nodes 2\nlinks 0\nnode 0 1 0 0 0\nnode 1 1 0 0 1\n"),
                                 &graph, &error),
                   error, "line 10: no link leads to node 2");
    book_graph_close(&graph);
    assert_refused(bookfile_read(span_of("name a\ngame 5x5:k=4\nencoding absolute\nsymmetric 0\nturns 3\ngames 1\n"
                                         "nodes 0\nlinks 0\n"),
                                 &graph, &error),
                   error, "there are games, but no node for them");
    book_graph_close(&graph);
}

static void assert_read(const char *text, const char *words)
{
    BookGraph graph = {0};
    Error error = {0};
    Status status = bookfile_read(span_of(text), &graph, &error);
    book_graph_close(&graph);
    if (words == NULL)
        assert_done(status, error);
    else
        assert_refused(status, error, words);
}

#define TEXT_HEAD(game, encoding, symmetric, nodes, links)                                                             \
    "name a\ngame " game "\nencoding " encoding "\nsymmetric " symmetric "\nturns 4\ngames 1\nnodes " nodes            \
    "\nlinks " links "\n"

// Symmetric books store one image of a position and one name of a turn.
static void test_symmetric_codes(void **state)
{
    (void)state;
    const char *head = TEXT_HEAD("tictactoe", "absolute", "1", "2", "1") "node 0 1 0 0 0\n";
    char text[512];
    static const struct {
        const char *rest, *words;
    } cases[] = {
        {"node 1 1 0 0 1\nlink 1 2 0\n", NULL},
        {"node 1 1 0 0 3\nlink 1 2 1\n", NULL},
        {"node 1 1 0 0 1\nlink 1 2 2\n", "line 11: the turn '2' should be called '0' here"},
        {"node 1 1 0 0 9\nlink 1 2 2\n", "line 10: '9' is not the smallest picture of its position"},
        {"node 1 1 0 0 3\nlink 1 2 0\n", "line 11: node 1 does not lead to node 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)snprintf(text, sizeof text, "%s%s", head, cases[i].rest);
        assert_read(text, cases[i].words);
    }
    // Around the first stone, and with two stones in the first turn.
    assert_read(TEXT_HEAD("5x5:k=4", "relative", "1", "3", "2") "node 0 1 0 0 /\nnode 1 1 0 0 0/\nnode 2 1 0 0 0/1\n"
                                                                "link 1 2 0\nlink 2 3 1\n",
                "line 11: '0/1' is not the smallest picture");
    assert_read(TEXT_HEAD("5x5:k=4", "relative", "1", "3", "2") "node 0 1 0 0 /\nnode 1 1 0 0 0/\nnode 2 1 0 0 0/-9\n"
                                                                "link 1 2 0\nlink 2 3 -9\n",
                NULL);
    assert_read(TEXT_HEAD("5x5:k=4,q=2", "relative", "1", "3", "2") "node 0 1 0 0 /\nnode 1 1 0 0 0 1/\n"
                                                                    "node 2 1 0 0 0 1/-9\nlink 1 2 0 1\nlink 2 3 -9\n",
                NULL);
    assert_read(TEXT_HEAD("5x5:k=4,q=2", "relative", "1", "3", "2") "node 0 1 0 0 /\nnode 1 1 0 0 0 1/\n"
                                                                    "node 2 1 0 0 0 1/-9\nlink 1 2 0 1\nlink 2 3 2\n",
                "line 13: node 2 does not lead to node 3");
}

static void test_gravity_and_ends(void **state)
{
    (void)state;
    assert_read(TEXT_HEAD("4x4:k=3,gravity", "absolute", "0", "2", "1") "node 0 1 0 0 0\nnode 1 1 0 0 81\nlink 1 2 4\n",
                "line 10: '81' has floating stones");
    assert_read(TEXT_HEAD("4x4:k=3,p=2,q=2,gravity", "absolute", "0", "2", "1") "node 0 1 0 0 0\nnode 1 1 0 0 82\n"
                                                                                "link 1 2 0 4\n",
                NULL);
    // A row of two is a whole game: a turn of fewer stones than usual ends it, and nothing follows.
    assert_read(
        TEXT_HEAD("4x4:k=2,p=3,q=3", "absolute", "0", "2", "1") "node 0 1 0 0 0\nnode 1 1 0 0 4\nlink 1 2 0 1\n", NULL);
    assert_read(TEXT_HEAD("4x4:k=2,p=3,q=3", "absolute", "0", "2", "1") "node 0 1 0 0 0\nnode 1 1 0 0 1\nlink 1 2 0\n",
                "line 11: '0' is no turn at node 1");
    assert_read(TEXT_HEAD("4x4:k=2,q=2", "absolute", "0", "3", "2") "node 0 1 0 0 0\nnode 1 1 0 0 4\nnode 2 1 0 0 22\n"
                                                                    "link 1 2 0 1\nlink 2 3 2\n",
                "line 13: '2' is no turn at node 2");
}

// Cuts of a real book are refused, in its first lines at each byte; but the last line may lack its end.
static void test_cut_files(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        BookGraph graph;
        Text text = {0};
        fill(&graph, i < 4 ? "connect6" : "5x4:k=4,p=3,q=2", (Encoding)(i % 2), i / 2 % 2 == 0, i);
        bookfile_write(&graph, &text);
        for (size_t length = 0; length + 1 < text.length; length += 1 + length / 20) {
            BookGraph again = {0};
            Error error = {0};
            assert_refused(bookfile_read((Span){text.data, length}, &again, &error), error, "");
            book_graph_close(&again);
        }
        book_graph_close(&graph);
        text_close(&text);
    }
}

TEST_GROUP(bookfile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),   cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_wrong_turns),
        cmocka_unit_test(test_parts_missing),    cmocka_unit_test(test_symmetric_codes),
        cmocka_unit_test(test_gravity_and_ends), cmocka_unit_test(test_cut_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
