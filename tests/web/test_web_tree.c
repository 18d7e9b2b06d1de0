// The tree of stones, and the same steps in a plain list of games.
#include "support/check.h"
#include "web/session/tree.h"

#include <stdlib.h>
#include <string.h>

static void open_tree(WebTree *tree, const char *rules)
{
    Game game;
    begin_game(&game, rules);
    web_tree_open(tree, &game.board);
}

static WebNodeId add(WebTree *tree, WebNodeId at, const char *cells)
{
    Span rest = span_of(cells), word = {0};
    while (span_next_word(&rest, " ", &word)) {
        char name[8] = "";
        memcpy(name, word.at, word.length);
        assert_int_equal(web_tree_play(tree, at, cell_of(&tree->root.rules, name), &at, NULL), STATUS_OK);
    }
    return at;
}

static void assert_path(const WebTree *tree, WebNodeId id, const char *moves)
{
    Game game;
    web_tree_game(tree, id, &game);
    assert_stones(&game, moves);
}

// The main line.
static WebNodeId main_end(const WebTree *tree)
{
    WebNodeId id = 0;
    while (tree->nodes[id].child != 0)
        id = tree->nodes[id].child;
    return id;
}

static void test_lines(void **state)
{
    (void)state;
    WebTree tree;
    open_tree(&tree, "gomoku");
    WebNodeId a = add(&tree, 0, "h8 i9"), b = add(&tree, a, "h9 h10"), c = add(&tree, a, "g9 f10 e11");
    assert_path(&tree, b, "h8 i9 h9 h10");
    assert_path(&tree, c, "h8 i9 g9 f10 e11");
    assert_int_equal(tree.there, 7);
    assert_int_equal(add(&tree, 0, "h8 i9 h9 h10"), b); // nothing twice
    assert_int_equal(tree.there, 7);
    assert_int_equal(main_end(&tree), b);
    web_tree_promote(&tree, c);
    assert_int_equal(main_end(&tree), c);
    assert_true(web_tree_leads(&tree, a, c) && web_tree_leads(&tree, 0, c) && web_tree_leads(&tree, c, c));
    assert_false(web_tree_leads(&tree, b, c) || web_tree_leads(&tree, c, a));
    // Going on is as it was visited, else along the main line.
    assert_int_equal(web_tree_next(&tree, a), tree.nodes[a].child);
    web_tree_visit(&tree, b);
    assert_int_equal(web_tree_next(&tree, a), tree.nodes[b].parent);
    assert_int_equal(web_tree_next(&tree, b), 0);
    web_tree_delete(&tree, tree.nodes[b].parent);
    assert_false(web_tree_has(&tree, b));
    assert_true(web_tree_has(&tree, c) && web_tree_has(&tree, 0));
    assert_false(web_tree_has(&tree, -1) || web_tree_has(&tree, 1000));
    assert_int_equal(tree.there, 5);
    assert_int_equal(web_tree_next(&tree, a), tree.nodes[a].child);
    assert_int_not_equal(add(&tree, a, "h9"), b); // a number is never used again
    web_tree_comment(&tree, c, "good");
    assert_string_equal(tree.nodes[c].comment, "good");
    web_tree_comment(&tree, c, "");
    assert_null(tree.nodes[c].comment);
    web_tree_close(&tree);
}

static void test_too_many(void **state)
{
    (void)state;
    WebTree tree;
    open_tree(&tree, "64x64:k=64");
    Error error = {0};
    Status status = STATUS_OK;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&tree.root, cells);
    WebNodeId child = 0, last = 0;
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = web_tree_play(&tree, 0, cells[i], &child, &error);
    assert_done(status, error);
    for (unsigned i = 1; i < count && status == STATUS_OK; i++) {
        status = web_tree_play(&tree, child, cells[i - 1], &last, &error);
        child = web_tree_child(&tree, 0, cells[(i + 7) % count]);
    }
    assert_failed(status, STATUS_FAILED, error, "already has the maximum");
    assert_int_equal(tree.there, WEB_NODES_MAX);
    web_tree_close(&tree);
}

enum { KEPT_MAX = 400, LENGTH_MAX = 9 };

// A game, plainly: its cells. One for each node that should be there.
typedef struct {
    WebNodeId id;
    unsigned length;
    Cell cells[LENGTH_MAX];
} Plain;

static bool begins_with(const Plain *a, const Plain *b)
{
    return a->length >= b->length && memcmp(a->cells, b->cells, b->length * sizeof(Cell)) == 0;
}

// Random steps; after each the tree has exactly the games of the list.
static void test_against_a_list(void **state)
{
    (void)state;
    static Plain list[KEPT_MAX];
    WebTree tree;
    Rng rng = rng_make(5);
    open_tree(&tree, "tictactoe");
    list[0] = (Plain){0};
    unsigned count = 1;
    for (unsigned long step = 0; step < test_steps() / 100; step++) {
        Plain *at = &list[rng_below(&rng, count)];
        Game game;
        web_tree_game(&tree, at->id, &game);
        Cell cells[RULES_CELLS_MAX];
        unsigned legal = board_legal_cells(&game.board, cells), what = rng_below(&rng, 10);
        if (what == 0 && at->id != 0) {
            Plain gone = *at;
            web_tree_delete(&tree, at->id);
            for (unsigned i = 0; i < count;)
                if (begins_with(&list[i], &gone))
                    list[i] = list[--count];
                else
                    i++;
        } else if (what == 1)
            web_tree_promote(&tree, at->id);
        else if (legal > 0 && count < KEPT_MAX && tree.count < 8 * WEB_NODES_MAX) {
            Plain next = *at;
            next.cells[next.length++] = cells[rng_below(&rng, legal)];
            uint32_t before = tree.there;
            assert_int_equal(web_tree_play(&tree, at->id, next.cells[next.length - 1], &next.id, NULL), STATUS_OK);
            if (tree.there != before)
                list[count++] = next;
        }
        assert_int_equal(tree.there, count - 1);
        const Plain *any = &list[rng_below(&rng, count)];
        web_tree_game(&tree, any->id, &game);
        assert_true(web_tree_has(&tree, any->id) && game.played == any->length);
        assert_memory_equal(game.stones, any->cells, any->length * sizeof(Cell));
    }
    web_tree_close(&tree);
}

TEST_GROUP(web_tree)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_too_many),
                                       cmocka_unit_test(test_against_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
