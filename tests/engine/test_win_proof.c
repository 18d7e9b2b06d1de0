// Tests of wins of the search as trees: played against every reply on every cell.
#include "support/check.h"

#include "base/rng.h"
#include "engine/search/win_proof.h"

enum { TABLE_BYTES = 1 << 20, NODES = 4000 };

typedef struct {
    Rules rules;
    Search *search;
    DoubleThreat *fours;
} Searches;

static Searches open_searches(const char *game)
{
    Searches searches = {.rules = rules_of(game)};
    SearchOptions options = {.megabytes = 1};
    Error error = {0};
    assert_done(search_open(&searches.search, &options, &searches.rules, &error), error);
    if (double_threat_suits(&searches.rules))
        assert_done(double_threat_open(&searches.fours, &searches.rules, TABLE_BYTES, &error), error);
    return searches;
}

static void close_searches(Searches *searches)
{
    search_close(searches->search);
    double_threat_close(searches->fours);
}

// The tree of a win, if the search proves one; otherwise it is not whole.
static WinTree tree_of(Searches *searches, const Board *board, WinProofOptions options, int *distance)
{
    WinTree tree = {0};
    SearchInfo report;
    SearchLimits thinking = {.limits.nodes = NODES};
    search_run(searches->search, board, &thinking, &report);
    options.search = searches->search;
    options.fours = searches->fours;
    *distance = report.lines[0].score > 0 ? search_distance(report.lines[0].score) : -1;
    if (*distance >= 0)
        win_proof_make(&tree, board, report.lines[0].turn.stones[0], &options);
    return tree;
}

// The position that follows from a reply: the answer with this cell, or else the one with a free stone; 0: none.
static unsigned next_of(const WinTree *tree, unsigned at, Cell reply)
{
    unsigned next = at + 1, elsewhere = 0;
    for (unsigned i = 0; i < tree->nodes[at].answers; i++, next += tree->nodes[next].size) {
        const WinNode *node = &tree->nodes[next];
        assert_int_equal(cell_set_count(&node->answered) + node->free, 1);
        if (node->answered.cell[0] == reply)
            return next;
        elsewhere = node->free > 0 ? next : elsewhere;
    }
    return elsewhere;
}

// Whether the side to move completes a row with one stone.
static bool can_complete(Board *board)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    bool completes = false;
    for (unsigned i = 0; i < count && !completes; i++) {
        BoardState before = board_play(board, cells[i]);
        completes = board_winner(board) != WINNER_NONE;
        board_undo(board, cells[i], before);
    }
    return completes;
}

// Plays a position against every reply. `stones` is what may still be placed; the row comes no later.
static void hold(const WinTree *tree, unsigned at, Board *board, unsigned stones, unsigned level)
{
    const WinNode *node = &tree->nodes[at];
    Cell turn = node->turn.cell[0];
    assert_int_equal(node->level, level);
    assert_int_equal(cell_set_count(&node->turn), 1);
    assert_true(node->distance <= stones);
    assert_true(board_is_legal(board, turn));
    BoardState before = board_play(board, turn);
    if (board_winner(board) != WINNER_NONE) {
        assert_int_equal(node->end, WIN_ROW);
        assert_int_equal(node->distance, 1);
    } else {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(board, cells);
        assert_true(count > 0);
        for (unsigned i = 0; i < count; i++) {
            BoardState answered = board_play(board, cells[i]);
            assert_true(board_winner(board) == WINNER_NONE && !board_is_over(board));
            unsigned next = next_of(tree, at, cells[i]);
            if (next > 0)
                hold(tree, next, board, node->distance - 2, level + 1);
            else
                assert_true(can_complete(board));
            board_undo(board, cells[i], answered);
        }
        assert_int_equal(node->end, node->answers > 0 ? WIN_GOES_ON : WIN_UNSTOPPABLE);
    }
    board_undo(board, turn, before);
}

static void test_every_reply_is_held(void **state)
{
    static const char *const games[] = {"6x6:k=4",         "5x5:k=4",         "9x9:k=5", "7x6:k=4,exact",
                                        "5x4:k=4,gravity", "7x6:k=4,gravity", "12x1:k=3"};
    (void)state;
    enum { GAMES = sizeof games / sizeof games[0] };
    unsigned quiet = 0; // wins that no fours begin
    Rng rng = rng_make(11);
    for (unsigned g = 0; g < GAMES; g++) {
        Searches searches = open_searches(games[g]);
        unsigned found = 0;
        for (unsigned long i = 0; i < 12 + test_steps() / 2500; i++) {
            Board board;
            int distance;
            if (!scatter_stones(&board, &searches.rules, rng_below(&rng, rules_cells(&searches.rules) / 2), &rng))
                continue;
            WinProofOptions options = {.limits.nodes = 200000, .positions = 4000};
            WinTree tree = tree_of(&searches, &board, options, &distance);
            if (tree.is_whole) {
                hold(&tree, 0, &board, (unsigned)board.cells - board_count(&board), 0);
                assert_int_equal(tree.nodes[0].size, tree.count);
                found++;
                quiet += tree.nodes[tree.count - 1].free > 0 || tree.count > 20;
            }
            win_tree_close(&tree);
        }
        assert_true(found > 0);
        close_searches(&searches);
    }
    assert_true(quiet > 0);
}

// Two stones that are open on all sides win by threes; a stone elsewhere is one answer for most cells.
static void test_a_win_by_threes(void **state)
{
    (void)state;
    Searches searches = open_searches("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 a1 i9 b3 i8 n2");
    WinProofOptions options = {.positions = 20000};
    int distance;
    WinTree tree = tree_of(&searches, &game.board, options, &distance);
    assert_true(distance > 5);
    assert_true(tree.is_whole);
    assert_true(tree.nodes[0].answers < 60);
    hold(&tree, 0, &game.board, 225 - 6, 0);
    win_tree_close(&tree);

    options.positions = 3;
    tree = tree_of(&searches, &game.board, options, &distance);
    assert_false(tree.is_whole);
    assert_int_equal(tree.count, 0);
    win_tree_close(&tree);
    close_searches(&searches);
}

static void test_a_stone_that_does_not_win(void **state)
{
    (void)state;
    Searches searches = open_searches("gomoku");
    Game game;
    begin_game(&game, "gomoku");
    play_text(&game, "h8 h9 i8 i9 j8 j9");
    WinProofOptions options = {searches.search, searches.fours, {.nodes = 20000}, 0};
    WinTree tree;
    Cell corner = cell_of(&searches.rules, "a1");
    win_proof_make(&tree, &game.board, corner, &options);
    assert_false(tree.is_whole);
    win_tree_close(&tree);
    close_searches(&searches);
}

static void test_which_rules_suit(void **state)
{
    (void)state;
    Rules one = rules_of("gomoku"), falling = rules_of("connect4"), two = rules_of("connect6");
    assert_true(win_proof_suits(&one));
    assert_true(win_proof_suits(&falling));
    assert_false(win_proof_suits(&two));
}

TEST_GROUP(win_proof)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_reply_is_held),
        cmocka_unit_test(test_a_win_by_threes),
        cmocka_unit_test(test_a_stone_that_does_not_win),
        cmocka_unit_test(test_which_rules_suit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
