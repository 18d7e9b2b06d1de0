// Tests of forced wins as trees: compared with the walk they come from; ends and lengths checked by play.
#include "support/check.h"

#include "base/rng.h"
#include "threats/lines.h"
#include "threats/search/win_tree.h"

#include <string.h>

enum { TABLE_BYTES = 1 << 20, NODES = 20000 };

static WinTree tree_of(DoubleThreat *search, const Board *board, DoubleThreatResult *result)
{
    WinTree tree = {0};
    Limits limits = {.nodes = NODES};
    double_threat_run(search, board, &limits, result);
    if (result->verdict == DOUBLE_THREAT_WON)
        win_tree_make(&tree, search, result);
    return tree;
}

static void play_set(Board *board, const CellSet *stones)
{
    for (unsigned i = 0; i < cell_set_count(stones); i++) {
        assert_true(board_is_legal(board, stones->cell[i]));
        (void)board_play(board, stones->cell[i]);
    }
}

// The fewest stones with which the side to move completes a row now; 0 if it cannot.
static unsigned fewest_of_row(const Board *board)
{
    for (unsigned stones = 1; stones <= board_stones_left(board); stones++)
        if (lines_can_complete(board, board_side(board), stones))
            return stones;
    return 0;
}

// The maximum number of stones until a row, over all replies to an unstoppable turn; 0 if a reply stops it.
static unsigned longest_reply(Board *board, Side attacker, unsigned from)
{
    if (board_winner(board) != WINNER_NONE || board_is_over(board))
        return 0;
    if (board_side(board) == attacker)
        return fewest_of_row(board);
    unsigned longest = 1;
    for (unsigned cell = from; cell < RULES_CELLS_MAX && longest > 0; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            unsigned length = longest_reply(board, attacker, cell + 1);
            board_undo(board, (Cell)cell, before);
            longest = length == 0 || length > longest ? length : longest;
        }
    return longest;
}

static void check_end(const WinNode *node, Board *board, Side attacker)
{
    unsigned stones = cell_set_count(&node->turn), p = board->rules.p;
    assert_int_equal(node->size, 1);
    if (board_winner(board) != WINNER_NONE) {
        assert_int_equal(node->end, WIN_ROW);
        assert_int_equal(node->turns, 1);
        assert_int_equal(node->distance, stones);
        return;
    }
    unsigned row = longest_reply(board, attacker, 0);
    assert_int_equal(node->end, WIN_UNSTOPPABLE);
    assert_int_equal(node->turns, 2);
    assert_true(row > 0);
    assert_int_equal(node->distance, stones + p + row);
}

// Checks a position of the tree; `board` is the position before its turn. Returns the following position.
static unsigned check_node(const WinTree *tree, unsigned at, const Board *before, unsigned level)
{
    const WinNode *node = &tree->nodes[at];
    Board board = *before;
    Side attacker = board_side(&board);
    unsigned next = at + 1, turns = 0, distance = 0;
    assert_int_equal(node->level, level);
    play_set(&board, &node->turn);
    for (unsigned i = 0; i < node->answers; i++) {
        const WinNode *child = &tree->nodes[next];
        Board answered = board;
        play_set(&answered, &child->answered);
        next = check_node(tree, next, &answered, level + 1);
        unsigned stones = cell_set_count(&node->turn) + cell_set_count(&child->answered) + child->distance;
        turns = child->turns + 1 > turns ? child->turns + 1 : turns;
        distance = stones > distance ? stones : distance;
    }
    assert_int_equal(next, at + node->size);
    if (node->answers == 0) {
        check_end(node, &board, attacker);
    } else {
        assert_int_equal(node->end, WIN_GOES_ON);
        assert_int_equal(node->turns, turns);
        assert_int_equal(node->distance, distance);
    }
    assert_true(node->distance <= (unsigned)before->cells - board_count(before));
    return next;
}

// The line is a legal game of the length that the tree reports.
static void check_line(const WinTree *tree, const Board *before)
{
    unsigned line[DOUBLE_THREAT_TURNS_MAX], count = win_tree_line(tree, line), stones = 0;
    Board board = *before;
    assert_int_equal(line[0], 0);
    for (unsigned i = 0; i < count; i++) {
        const WinNode *node = &tree->nodes[line[i]];
        assert_int_equal(node->level, i);
        play_set(&board, &node->answered);
        stones += cell_set_count(&node->answered);
        assert_int_equal(tree->nodes[0].distance, stones + node->distance);
        play_set(&board, &node->turn);
        stones += cell_set_count(&node->turn);
    }
    assert_int_equal(tree->nodes[line[count - 1]].answers, 0);
}

static void play_at_random(Game *game, Rng *rng)
{
    unsigned stones = rng_below(rng, rules_cells(&game->board.rules) * 3 / 4 + 1);
    for (unsigned i = 0; i < stones; i++) {
        Cell cells[RULES_CELLS_MAX];
        Cell cell = cells[rng_below(rng, board_legal_cells(&game->board, cells))];
        game_play(game, cell);
        if (game_is_over(game)) {
            (void)game_undo(game);
            return;
        }
    }
}

static void test_trees_of_random_positions(void **state)
{
    static const char *const games[] = {"6x6:k=4",         "5x5:k=4,p=2,q=1",   "6x5:k=5,p=2,q=1", "7x6:k=4,exact",
                                        "5x5:k=4,p=3,q=1", "6x4:k=4,p=2,exact", "12x1:k=4,p=2",    "5x5:k=5,p=4,q=2"};
    (void)state;
    enum { GAMES = sizeof games / sizeof games[0], KINDS = 4 };
    unsigned found[KINDS] = {0};
    Rng rng = rng_make(5);
    for (unsigned g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        DoubleThreat *search;
        Error error = {0};
        assert_done(double_threat_open(&search, &rules, TABLE_BYTES, &error), error);
        for (unsigned long i = 0; i < test_steps() / 600; i++) {
            Game game;
            DoubleThreatResult result;
            game_init(&game, &rules);
            play_at_random(&game, &rng);
            WinTree tree = tree_of(search, &game.board, &result);
            if (result.verdict == DOUBLE_THREAT_WON) {
                assert_true(tree.is_whole);
                assert_int_equal(check_node(&tree, 0, &game.board, 0), tree.count);
                assert_int_equal(tree.nodes[0].turns, result.turns);
                check_line(&tree, &game.board);
                found[result.turns < KINDS ? result.turns : 0]++;
            }
            win_tree_close(&tree);
        }
        double_threat_close(search);
    }
    for (unsigned turns = 1; turns < KINDS; turns++)
        assert_true(found[turns] > 0);
}

// Two answers with the same continuation, and one with another.
static void test_same_beside(void **state)
{
    (void)state;
    static const CellSet a = {{1, CELL_NONE, CELL_NONE, CELL_NONE}}, b = {{2, CELL_NONE, CELL_NONE, CELL_NONE}};
    WinNode nodes[] = {{.answers = 3, .size = 7},
                       {.level = 1, .answered = a, .turn = a, .answers = 1, .size = 2},
                       {.level = 2, .answered = b, .turn = a, .size = 1},
                       {.level = 1, .answered = b, .turn = a, .answers = 1, .size = 2},
                       {.level = 2, .answered = b, .turn = a, .size = 1},
                       {.level = 1, .answered = b, .turn = a, .answers = 1, .size = 2},
                       {.level = 2, .answered = a, .turn = a, .size = 1}};
    WinTree tree = {.nodes = nodes, .count = 7};
    assert_true(win_tree_same(&tree, 1, 3));
    assert_false(win_tree_same(&tree, 1, 5)); // another answer below
    nodes[6].answered = b;
    assert_true(win_tree_same(&tree, 1, 5));
    nodes[6].turn = b;
    assert_false(win_tree_same(&tree, 1, 5)); // another turn below
    nodes[3].size = 1;
    assert_false(win_tree_same(&tree, 1, 3));
}

static void test_a_stopped_walk_leaves_no_tree(void **state)
{
    (void)state;
    Rules rules = rules_of("connect6");
    DoubleThreat *search;
    Error error = {0};
    atomic_bool stop = false;
    Game game;
    begin_game(&game, "connect6");
    play_text(&game, "j10 i9 l12 k11 j12 i11 h12");
    assert_done(double_threat_open(&search, &rules, 1, &error), error); // a table with one entry
    Limits limits = {.stop = &stop};
    DoubleThreatResult result;
    double_threat_run(search, &game.board, &limits, &result);
    assert_int_equal(result.verdict, DOUBLE_THREAT_WON);
    atomic_store(&stop, true);
    WinTree tree;
    win_tree_make(&tree, search, &result);
    assert_false(tree.is_whole);
    assert_int_equal(tree.count, 0);
    win_tree_close(&tree);
    double_threat_close(search);
}

TEST_GROUP(win_tree)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_of_random_positions),
        cmocka_unit_test(test_same_beside),
        cmocka_unit_test(test_a_stopped_walk_leaves_no_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
