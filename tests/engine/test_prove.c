// Tests of proof search: what it claims is compared with a full search, and its trees are played against every reply.
#include "base/memory.h"
#include "base/rng.h"
#include "engine/prove/prove.h"
#include "engine/prove/threats.h"
#include "solver/exact.h"
#include "solver/proof/certificate.h"
#include "support/check.h"

#include <stdlib.h>

enum { STEPS = 3000, SEARCH_NODES = 300 };

static const char *const rule_sets[] = {
    "3x3:k=3", "4x3:k=3",       "4x3:k=3,exact", "4x4:k=3", "4x4:k=3,exact", "4x4:k=4", "5x3:k=3",
    "5x4:k=3", "5x4:k=4",       "5x4:k=4,exact", "5x5:k=4", "5x5:k=4,exact", "6x4:k=4", "4x6:k=4",
    "6x5:k=4", "6x5:k=4,exact", "6x6:k=4",       "6x6:k=5", "7x5:k=5",       "8x4:k=4",
};
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };

// --- The claim ---

// The proof, or NULL; `state` gets the outcome.
static Prove *search(const Board *start, Side owner, ProveState *state)
{
    ProveOptions options = {.start = start, .owner = owner, .threat_nodes = SEARCH_NODES, .engine_nodes = 200};
    Prove *prove = NULL;
    Error error = {0};
    assert_done(prove_open(&prove, &options, &error), error);
    *state = PROVE_OPEN;
    for (unsigned i = 0; i < STEPS && *state == PROVE_OPEN; i++)
        *state = prove_step(prove, &error);
    return prove;
}

static bool wins(Exact *exact, const Board *board, Side owner)
{
    Limits limits = {0};
    ExactQuery query = {.board = board, .limits = &limits, .aim = EXACT_VALUE};
    ExactResult result;
    Error error;
    assert_done(exact_run(exact, &query, &result, &error), error);
    return board_side(board) == owner ? result.low > 0 : result.high < 0;
}

// --- The tree, played against every reply ---

typedef struct {
    TreeBoard tree; // the position of the tree
    Board board;    // with the replies that the default answered
    Side owner;
    TreeCheck *check;
    const TreeWords *words;
    uint64_t replies, elsewhere;
} Playing;

// The length of the part of the tree that begins at this word, with its zone.
static size_t part_length(Playing *playing, size_t at, uint8_t *zone)
{
    TreeWordsReader reader = {playing->words, at};
    TreeSource source = tree_words_source(&reader);
    TreeFacts facts;
    assert_true(
        tree_check_run(playing->check, (TreeTurn){TREE_OWNER, 1}, &source, NULL, &facts, playing->tree.k, zone));
    return reader.at - at;
}

static void play_owner(Playing *playing, size_t at);

static void play_opponent(Playing *playing, size_t at)
{
    TreeBoard *tree = &playing->tree;
    uint8_t zone[RULES_CELLS_MAX];
    size_t next[RULES_CELLS_MAX];
    bool has_four = tree_board_completes(tree, TREE_OWNER, 1) < tree->row_count;
    bool has_default = has_four || playing->words->words[at] == TREE_WORD_DEFAULT;
    size_t begin = at + !has_four, from = begin + (has_default ? part_length(playing, begin, zone) : 0);
    bool symmetric = !has_default && tree_check_is_symmetric(playing->check);
    for (unsigned cell = 0; cell < tree->cell_count; cell++) {
        next[cell] = begin;
        if (tree->stone[cell] != TREE_EMPTY || (has_default && zone[cell] > 1))
            continue;
        if (symmetric && !tree_check_is_lowest(playing->check, cell)) {
            next[cell] = SIZE_MAX;
            continue;
        }
        next[cell] = from;
        tree_board_place(tree, cell, TREE_OPPONENT);
        from += part_length(playing, from, NULL);
        tree_board_take(tree, cell);
    }
    for (unsigned cell = 0; cell < tree->cell_count; cell++) {
        Cell stone = tree_cell(tree, cell);
        if (board_stone(&playing->board, stone) != STONE_NONE || next[cell] == SIZE_MAX)
            continue;
        BoardState before = board_play(&playing->board, stone);
        assert_int_equal(board_winner(&playing->board), WINNER_NONE);
        bool is_elsewhere = has_default && zone[cell] > 1;
        playing->replies++;
        playing->elsewhere += is_elsewhere;
        if (!is_elsewhere)
            tree_board_place(tree, cell, TREE_OPPONENT);
        play_owner(playing, next[cell]);
        if (!is_elsewhere)
            tree_board_take(tree, cell);
        board_undo(&playing->board, stone, before);
    }
}

static void play_owner(Playing *playing, size_t at)
{
    TreeBoard *tree = &playing->tree;
    unsigned row = tree_board_completes(tree, TREE_OWNER, 1), cell = 0;
    if (row < tree->row_count) {
        while (tree->stone[tree_row(tree, row)[cell]] != TREE_EMPTY)
            cell++;
        Cell stone = tree_cell(tree, tree_row(tree, row)[cell]);
        assert_true(board_is_legal(&playing->board, stone));
        BoardState before = board_play(&playing->board, stone);
        assert_int_equal(board_winner(&playing->board), playing->owner == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
        board_undo(&playing->board, stone, before);
        return;
    }
    unsigned answer = playing->words->words[at];
    Cell stone = tree_cell(tree, answer);
    assert_true(board_is_legal(&playing->board, stone));
    BoardState before = board_play(&playing->board, stone);
    tree_board_place(tree, answer, TREE_OWNER);
    play_opponent(playing, at + 1);
    tree_board_take(tree, answer);
    board_undo(&playing->board, stone, before);
}

static uint64_t play_tree(const Board *start, Side owner, const TreeWords *words, uint64_t *elsewhere)
{
    Playing *playing = memory_new(1, sizeof *playing);
    tree_board_open(&playing->tree, &start->rules);
    tree_board_set(&playing->tree, start, owner);
    board_copy(&playing->board, start);
    playing->owner = owner;
    playing->check = tree_check_open(&playing->tree);
    playing->words = words;
    if (board_side(start) == owner)
        play_owner(playing, 0);
    else
        play_opponent(playing, 0);
    uint64_t replies = playing->replies;
    *elsewhere += playing->elsewhere;
    tree_check_close(playing->check);
    tree_board_close(&playing->tree);
    free(playing);
    return replies;
}

// --- Tests ---

// With few empty cells the full search is fast.
static bool make_start(Board *board, const Rules *rules, Rng *rng)
{
    unsigned cells = rules_cells(rules), most = cells < 20 ? cells : 18, empty = 4 + rng_below(rng, most - 3);
    return scatter_stones(board, rules, empty < cells ? cells - empty : 0, rng) && !board_is_over(board);
}

static void test_random_positions(void **state)
{
    (void)state;
    Rng rng = rng_make(28);
    unsigned proved = 0, failed = 0, total = getenv("KROW_TEST_LONG") != NULL ? 50 : 6;
    uint64_t replies = 0, elsewhere = 0;
    for (unsigned i = 0; i < RULE_SETS; i++) {
        Rules rules = rules_of(rule_sets[i]);
        Exact *exact = NULL;
        Error error;
        ExactOptions options = {.megabytes = 1};
        assert_done(exact_open(&exact, &options, &rules, &error), error);
        for (unsigned j = 0; j < total;) {
            Board board;
            if (!make_start(&board, &rules, &rng))
                continue;
            j++;
            Side owner = rng_below(&rng, 2) == 0 ? SIDE_FIRST : SIDE_SECOND;
            ProveState outcome;
            Prove *prove = search(&board, owner, &outcome);
            bool is_win = wins(exact, &board, owner);
            if (outcome == PROVE_PROVED) {
                TreeWords words = {0};
                assert_true(is_win);
                assert_done(prove_tree(prove, &words, &error), error);
                replies += play_tree(&board, owner, &words, &elsewhere);
                tree_words_close(&words);
                proved++;
            } else if (outcome == PROVE_FAILED && !rules.exact) {
                assert_false(is_win); // an additional stone never helps the owner, so a pass is the best reply
                failed++;
            }
            prove_close(prove);
        }
        exact_close(exact);
    }
    print_message("# %u proved, %u not won, of %u; %llu replies played, %llu outside of zones\n", proved, failed,
                  RULE_SETS * total, (unsigned long long)replies, (unsigned long long)elsewhere);
    assert_true(proved > RULE_SETS * total / 5 && failed > RULE_SETS * total / 5 && elsewhere > replies / 5);
}

TEST_GROUP(prove)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
