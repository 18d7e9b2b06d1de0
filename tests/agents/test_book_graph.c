// Tests of the graph of an opening book: one node per position and depth, counts, links by turn.
#include "agents/book/book_graph.h"
#include "base/rng.h"
#include "support/book_find.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static const BookCounts win = {1, 0, 0}, tie = {0, 1, 0}, loss = {0, 0, 1};

static BookGraph begin(const char *rules, Encoding encoding, bool symmetric, unsigned turns)
{
    BookGraph graph = {.spec = {.name = "test", .encoding = encoding, .symmetric = symmetric, .turns = turns}};
    graph.spec.rules = rules_of(rules);
    return graph;
}

static void add(BookGraph *graph, const char *moves, BookCounts outcome)
{
    static Game game;
    Error error = {0};
    game_init(&game, &graph->spec.rules);
    play_text(&game, moves);
    assert_done(book_graph_add(graph, game.stones, game.played, outcome, &error), error);
}

// The node of a position after whole turns.
static unsigned node_of(const BookGraph *graph, const char *moves)
{
    static Game game;
    static BookView view;
    unsigned depth = 0, node = 0;
    game_init(&game, &graph->spec.rules);
    play_text(&game, moves);
    assert_true(book_depth(&game, &depth));
    assert_true(book_view(&view, &graph->spec, &game, depth));
    assert_true(book_find(graph, depth, (Span){view.code.data, view.code.length}, &node));
    assert_int_equal(graph->nodes[node].depth, depth);
    book_view_close(&view);
    return node;
}

static void assert_counts(const BookGraph *graph, const char *moves, unsigned wins, unsigned ties, unsigned losses)
{
    BookCounts counts = graph->nodes[node_of(graph, moves)].counts;
    assert_int_equal(counts.wins, wins);
    assert_int_equal(counts.ties, ties);
    assert_int_equal(counts.losses, losses);
}

static unsigned links_from(const BookGraph *graph, unsigned node)
{
    unsigned count = 0;
    for (unsigned i = 0; i < graph->link_count; i++)
        count += graph->links[i].from == node;
    return count;
}

// Two ways to one position: a graph, not a tree. By hand: the root, a1; b1 and b2 after it; c1 after each, which is one
// more at depth 3 for each; and where they meet.
static void test_ways_meet(void **state)
{
    (void)state;
    BookGraph graph = begin("5x5:k=5", ENCODING_ABSOLUTE, false, 9);
    add(&graph, "a1 b1 c1 b2", win);
    add(&graph, "a1 b2 c1 b1", loss);
    add(&graph, "a1 b2 c1 b1", tie);
    assert_int_equal(graph.games, 3);
    assert_int_equal(graph.node_count, 7);
    assert_int_equal(graph.link_count, 7);
    assert_counts(&graph, "", 1, 1, 1);
    assert_counts(&graph, "a1", 1, 1, 1);
    assert_counts(&graph, "a1 b1", 1, 0, 0);
    assert_counts(&graph, "a1 b2", 0, 1, 1);
    assert_counts(&graph, "a1 b1 c1 b2", 1, 1, 1);
    assert_int_equal(links_from(&graph, node_of(&graph, "a1")), 2);
    assert_int_equal(node_of(&graph, ""), 0);
    book_graph_close(&graph);
}

// Positions after more turns than the book has are left out.
static void test_turns_are_limited(void **state)
{
    (void)state;
    BookGraph graph = begin("connect6", ENCODING_RELATIVE, false, 2);
    add(&graph, "j10 k11 i9 a1 a2 b1 b2", win);
    assert_int_equal(graph.node_count, 3);
    assert_int_equal(graph.link_count, 2);
    assert_string_equal(book_graph_code(&graph, 2), "0/-38 38");
    assert_string_equal(book_graph_turn(&graph, 1), "-38 38");
    book_graph_close(&graph);
}

// Where the first stone is does not matter, nor which stone of a turn came first.
static void test_games_that_are_moved(void **state)
{
    (void)state;
    BookGraph graph = begin("connect6", ENCODING_RELATIVE, false, 9);
    add(&graph, "j10 k11 i9", win);
    add(&graph, "c4 b3 d5", loss);
    assert_int_equal(graph.node_count, 3);
    assert_int_equal(graph.link_count, 2);
    assert_counts(&graph, "e5 f6 d4", 1, 0, 1);
    book_graph_close(&graph);
}

// From a symmetric position pictures of a turn are one link to one node.
static void test_symmetric_games(void **state)
{
    (void)state;
    for (Encoding encoding = ENCODING_RELATIVE; encoding <= ENCODING_ABSOLUTE; encoding++) {
        BookGraph graph = begin("connect6", encoding, true, 9);
        add(&graph, "j10 j11 j12 i10 i9", win);
        add(&graph, "j10 h10 i10 j11 i11", loss);
        add(&graph, "j10 k10 l10 j9 i9", tie);
        assert_int_equal(graph.link_count, graph.node_count - 1);
        assert_counts(&graph, "j10 j9 j8", 1, 1, 1);
        assert_int_equal(links_from(&graph, node_of(&graph, "j10")), 1);
        book_graph_close(&graph);
    }
    BookGraph graph = begin("tictactoe", ENCODING_ABSOLUTE, true, 9);
    for (int i = 0; i < 4; i++)
        add(&graph, (const char *const[]){"a1", "a3", "c1", "c3"}[i], win);
    assert_int_equal(graph.node_count, 2);
    assert_int_equal(graph.link_count, 1);
    book_graph_close(&graph);
}

// A game that was given up in the middle of a turn ends with the turn before; one that was won there with the win.
static void test_last_turns(void **state)
{
    (void)state;
    BookGraph graph = begin("connect6", ENCODING_RELATIVE, false, 50);
    add(&graph, "j10 k11 i9 a1", loss);
    assert_int_equal(graph.node_count, 3);
    add(&graph, "j10", win);
    add(&graph, "", tie);
    assert_int_equal(graph.node_count, 3);
    assert_counts(&graph, "", 1, 1, 1);
    book_graph_close(&graph);
    graph = begin("9x3:k=3,p=2,q=2", ENCODING_ABSOLUTE, false, 50);
    add(&graph, "a1 b1 a3 b3 c1", win);
    assert_int_equal(graph.node_count, 4);
    assert_string_equal(book_graph_turn(&graph, 2), "2");
    book_graph_close(&graph);
}

static void test_illegal_games(void **state)
{
    (void)state;
    Error error = {0};
    const Cell twice[] = {5, 5}, outside[] = {cell_at(9, 9)};
    BookGraph graph = begin("9x9:k=5", ENCODING_ABSOLUTE, false, 9);
    assert_refused(book_graph_add(&graph, twice, 2, win, &error), error, "taken");
    assert_refused(book_graph_add(&graph, outside, 1, win, &error), error, "outside");
    assert_int_equal(graph.games, 0);
    book_graph_close(&graph);
}

// --- Against a plain count ---

enum { MANY = 300, LENGTH = 12 };

// Whether two games had the same stones on the board after `depth` turns of one stone.
static bool same_position(const Cell *a, const Cell *b, unsigned depth)
{
    Board one, other;
    Rules rules = rules_of("4x4:k=4");
    board_init(&one, &rules);
    board_init(&other, &rules);
    for (unsigned i = 0; i < depth; i++) {
        board_put(&one, a[i], (Side)(i % 2));
        board_put(&other, b[i], (Side)(i % 2));
    }
    return one.state.stones_key == other.state.stones_key;
}

static void play_randomly(Cell stones[LENGTH], unsigned *count, const Rules *rules, Rng *rng)
{
    static Game game;
    Cell cells[RULES_CELLS_MAX];
    game_init(&game, rules);
    while (game.played < LENGTH && !game_is_over(&game))
        game_play(&game, cells[rng_below(rng, board_legal_cells(&game.board, cells))]);
    *count = game.played;
    memcpy(stones, game.stones, game.played * sizeof game.stones[0]);
}

// Every node has the counts of exactly those games that had its position, and there are as many as positions.
static void test_random_games(void **state)
{
    (void)state;
    static Cell stones[MANY][LENGTH];
    static unsigned lengths[MANY];
    static BookView view;
    static Game game;
    Rng rng = rng_make(8);
    BookGraph graph = begin("4x4:k=4", ENCODING_ABSOLUTE, false, 5);
    Error error = {0};
    for (unsigned i = 0; i < MANY; i++) {
        play_randomly(stones[i], &lengths[i], &graph.spec.rules, &rng);
        assert_done(book_graph_add(&graph, stones[i], lengths[i], i % 3 == 0 ? win : loss, &error), error);
    }
    unsigned positions = 0;
    for (unsigned depth = 0; depth <= 5; depth++)
        for (unsigned i = 0; i < MANY; i++) {
            unsigned wins = 0, losses = 0, node = 0;
            bool is_first = true;
            for (unsigned j = 0; j < MANY; j++)
                if (lengths[j] >= depth && same_position(stones[i], stones[j], depth)) {
                    is_first = is_first && j >= i;
                    wins += j % 3 == 0;
                    losses += j % 3 != 0;
                }
            positions += is_first;
            game_init(&game, &graph.spec.rules);
            for (unsigned j = 0; j < depth; j++)
                game_play(&game, stones[i][j]);
            assert_true(book_view(&view, &graph.spec, &game, depth));
            assert_true(book_find(&graph, depth, (Span){view.code.data, view.code.length}, &node));
            assert_int_equal(graph.nodes[node].counts.wins, wins);
            assert_int_equal(graph.nodes[node].counts.losses, losses);
        }
    assert_int_equal(graph.node_count, positions);
    book_view_close(&view);
    book_graph_close(&graph);
}

// --- Order ---

static void assert_same_books(const BookGraph *a, const BookGraph *b)
{
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->link_count, b->link_count);
    for (unsigned i = 0; i < a->node_count; i++) {
        assert_string_equal(book_graph_code(a, i), book_graph_code(b, i));
        assert_int_equal(a->nodes[i].depth, b->nodes[i].depth);
        assert_memory_equal(&a->nodes[i].counts, &b->nodes[i].counts, sizeof a->nodes[i].counts);
    }
    for (unsigned i = 0; i < a->link_count; i++) {
        assert_string_equal(book_graph_turn(a, i), book_graph_turn(b, i));
        assert_int_equal(a->links[i].from, b->links[i].from);
        assert_int_equal(a->links[i].to, b->links[i].to);
    }
}

// The same games in another order are the same book; it can be added to afterwards.
static void test_normal_order(void **state)
{
    (void)state;
    static Cell stones[MANY][LENGTH];
    static unsigned lengths[MANY];
    Rng rng = rng_make(9);
    BookGraph graph = begin("4x4:k=4", ENCODING_ABSOLUTE, true, 6),
              other = begin("4x4:k=4", ENCODING_ABSOLUTE, true, 6);
    Error error = {0};
    for (unsigned i = 0; i < MANY; i++)
        play_randomly(stones[i], &lengths[i], &graph.spec.rules, &rng);
    for (unsigned i = 0; i < MANY; i++) {
        unsigned j = MANY - 1 - i;
        assert_done(book_graph_add(&graph, stones[i], lengths[i], i % 2 == 0 ? win : loss, &error), error);
        assert_done(book_graph_add(&other, stones[j], lengths[j], j % 2 == 0 ? win : loss, &error), error);
        if (i == MANY / 2)
            book_graph_sort(&other);
    }
    book_graph_sort(&graph);
    book_graph_sort(&other);
    assert_same_books(&graph, &other);
    for (unsigned i = 1; i < graph.node_count; i++)
        assert_true(graph.nodes[i - 1].depth <= graph.nodes[i].depth);
    for (unsigned i = 1; i < graph.link_count; i++)
        assert_true(graph.links[i - 1].from <= graph.links[i].from);
    book_graph_close(&graph);
    book_graph_close(&other);
    BookGraph none = begin("4x4:k=4", ENCODING_ABSOLUTE, true, 6);
    book_graph_sort(&none);
    unsigned node = 0;
    assert_false(book_find(&none, 0, span_of("0"), &node));
    add(&none, "", tie); // one node and no link
    book_graph_sort(&none);
    assert_true(none.node_count == 1 && none.link_count == 0);
    book_graph_close(&none);
}

static void test_nodes_and_links_by_hand(void **state)
{
    (void)state;
    BookGraph graph = begin("4x4:k=4", ENCODING_ABSOLUTE, false, 6);
    unsigned one = 9, two = 9, same = 9;
    assert_true(book_graph_node(&graph, 0, span_of("0"), &one));
    assert_true(book_graph_node(&graph, 1, span_of("0"), &two) && one != two); // another depth
    assert_true(!book_graph_node(&graph, 0, span_of("0"), &same) && same == one);
    assert_true(book_graph_link(&graph, one, span_of("3"), two));
    assert_true(!book_graph_link(&graph, one, span_of("3"), one) && graph.links[0].to == two);
    assert_true(book_graph_link(&graph, two, span_of("3"), two));
    book_graph_close(&graph);
}

TEST_GROUP(book_graph)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_meet),
        cmocka_unit_test(test_turns_are_limited),
        cmocka_unit_test(test_games_that_are_moved),
        cmocka_unit_test(test_symmetric_games),
        cmocka_unit_test(test_last_turns),
        cmocka_unit_test(test_illegal_games),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_normal_order),
        cmocka_unit_test(test_nodes_and_links_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
