// Tests of the influence of half-moves: the numbers of the paper, its relations on random positions, and the agent
// `defence`, which uses the influence.
#include "support/check.h"

#include "agents/agent.h"
#include "bench/papers/bench_papers.h"
#include "game/symmetry.h"
#include "threats/threats.h"

#include <math.h>
#include <stdio.h>

// --- Numbers of the paper ---

static void check_powers(const Influence *influence, unsigned row, unsigned column, unsigned rising, unsigned falling)
{
    assert_int_equal(influence->power[0], row);
    assert_int_equal(influence->power[1], column);
    assert_int_equal(influence->power[2], rising);
    assert_int_equal(influence->power[3], falling);
}

// A white stone three steps to the left, black ones two and three steps to the right, nothing in the other directions.
static void test_the_example_of_figure_5(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    const Rules *rules = &game.board.rules;
    board_put(&game.board, cell_of(rules, "g10"), SIDE_SECOND);
    board_put(&game.board, cell_of(rules, "l10"), SIDE_FIRST);
    board_put(&game.board, cell_of(rules, "m10"), SIDE_FIRST);
    Influence influence = influence_of(&game.board, cell_of(rules, "j10"), SIDE_FIRST);
    check_powers(&influence, 26, 10, 10, 10);
    assert_int_equal(influence.open, 3);
    double score = influence_score(&influence, 6);
    assert_true(score == 1.00000363725 * (3 * 1024 + 67108864));
    char text[32];
    (void)snprintf(text, sizeof text, "%.3f", score);
    assert_string_equal(text, "67112180.103");
    // 67112180.103 = 1.0000478... * 2^26
    assert_true(fabs(influence_rank(&influence, 6) - (25 + score / 67108864)) < 1e-14);
    // Seen by white, the black stones shut the row two steps away, and its own stone is three steps away.
    influence = influence_of(&game.board, cell_of(rules, "j10"), SIDE_SECOND);
    check_powers(&influence, 1 + 4 + 10, 10, 10, 10);
}

// The board of the header.
static void test_the_board_computed_by_hand(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "5x5:k=3", ".....\n..O..\n.X...\n.....\n....X\nturn O 1\n");
    Influence influence = influence_of(&game.board, cell_at(2, 2), SIDE_FIRST);
    check_powers(&influence, 9, 2, 4, 8);
    assert_int_equal(influence.open, 3);
    assert_true(influence_score(&influence, 3) == 1.00000363725 * 788);
    assert_true(fabs(influence_score(&influence, 3) - 788.002866) < 1e-6);
}

// 2^12 to 2^8 for k = 6, and for any k the third is worth as much as an empty line.
static void test_weights_of_stones(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 32; k++)
        for (unsigned steps = 1; steps < k; steps++) {
            Board board;
            board_init(&board, &(Rules){.width = 64, .height = 1, .k = (uint8_t)k, .p = 1, .q = 1});
            board_put(&board, cell_at(32 - steps, 0), SIDE_FIRST);
            Influence influence = influence_of(&board, cell_at(32, 0), SIDE_FIRST);
            unsigned empty = 32 + k - 1 < 64 ? 2 * (k - 1) : 31 + k - 1, weight = influence.power[0] - (empty - 1);
            assert_int_equal(weight, 2 * (k - 1) + 3 - steps);
            assert_true(k != 6 || weight == 13 - steps);
        }
}

static void test_weights_of_open_directions(void **state)
{
    (void)state;
    static const double printed[] = {1, 1, 1.00000181862, 1.00000363725, 1.00000726562};
    for (unsigned k = 1; k <= 64; k++)
        for (unsigned open = 0; open <= 4; open++) {
            double expected = k <= 9 ? printed[open] : 1 + (printed[open] - 1) * exp2(18 - 2 * (double)k);
            assert_true(fabs(influence_degree(k, open) - expected) < 1e-15);
            assert_true(k > 9 || influence_degree(k, open) == printed[open]);
        }
}

// A direction is open to its ends, be they the border; a stone k steps away is out of sight.
static void test_what_shuts_a_direction(void **state)
{
    (void)state;
    Game game;
    read_drawing(&game, "7x1:k=4", "....O..\nturn X 1\n");
    Influence left = influence_of(&game.board, cell_at(0, 0), SIDE_FIRST);
    check_powers(&left, 3, 0, 0, 0);
    assert_int_equal(left.open, 4);
    Influence next = influence_of(&game.board, cell_at(1, 0), SIDE_FIRST);
    check_powers(&next, 1 + 2, 0, 0, 0);
    assert_int_equal(next.open, 3);
    // Its own stone, three steps away: 2^(2 * 4 + 1 - 3).
    Influence own = influence_of(&game.board, cell_at(1, 0), SIDE_SECOND);
    check_powers(&own, 1 + 2 + 6, 0, 0, 0);
    assert_int_equal(own.open, 4);
}

// No line is longer than 64: from its middle 31 stones are seen on one side and 32 on the other.
static void test_the_largest_number(void **state)
{
    (void)state;
    Board board;
    board_init(&board, &(Rules){.width = 64, .height = 1, .k = 64, .p = 1, .q = 1});
    for (unsigned x = 0; x < 64; x++)
        board_put(&board, cell_at(x, 0), SIDE_FIRST);
    Influence influence = influence_of(&board, cell_at(31, 0), SIDE_FIRST);
    check_powers(&influence, 7103, 0, 0, 0);
    assert_true(influence_rank(&influence, 64) == 7103);
}

// If one stone is a row, no cell is near enough to count.
static void test_rows_of_one(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "3x3:k=1");
    Influence influence = influence_of(&game.board, cell_at(1, 1), SIDE_FIRST);
    check_powers(&influence, 0, 0, 0, 0);
    assert_true(influence_score(&influence, 1) == 4 * 1.00000726562);
}

// The largest numbers there are: own stones as far as one sees, in all directions.
static void test_large_numbers(void **state)
{
    (void)state;
    static const struct {
        unsigned k, side, power;
    } cases[] = {{6, 11, 100}, {18, 35, 952}, {19, 37, 1062}, {32, 63, 3038}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Board board;
        unsigned side = cases[i].side, middle = side / 2;
        board_init(&board,
                   &(Rules){.width = (uint8_t)side, .height = (uint8_t)side, .k = (uint8_t)cases[i].k, .p = 1, .q = 1});
        for (unsigned j = 0; j < side * side; j++)
            if (j != middle * side + middle)
                board_put(&board, cell_at(j % side, j / side), SIDE_FIRST);
        Influence influence = influence_of(&board, cell_at(middle, middle), SIDE_FIRST);
        unsigned power = cases[i].power;
        check_powers(&influence, power, power, power, power);
        double rank = influence_rank(&influence, cases[i].k), excess = influence_degree(cases[i].k, 4) - 1;
        assert_true(fabs(rank - (power + 2 + excess)) < 1e-9);
        assert_int_equal(isfinite(influence_score(&influence, cases[i].k)), cases[i].k <= INFLUENCE_SCORE_K);
    }
}

// --- Random positions ---

static const char *const games[] = {"connect6",      "gomoku",         "tictactoe",       "connect4",   "9x9:k=1",
                                    "12x12:k=2",     "64x64:k=6,p=2",  "64x5:k=40",       "20x33:k=12", "64x64:k=64",
                                    "8x8:k=4,exact", "13x11:k=10,p=3", "30x7:k=5,gravity"};
enum { GAMES = sizeof games / sizeof games[0] };

// Stones of both sides on up to all of the cells, fallen under gravity.
static void random_board(Board *board, const char *game, Rng *rng)
{
    Rules rules = rules_of(game);
    board_init(board, &rules);
    unsigned cells = rules_cells(&rules), stones = rng_below(rng, cells + 1);
    // Many boards are nearly empty, so that areas without stones are met.
    stones = rng_below(rng, 2) == 0 ? stones : rng_below(rng, 12) * stones / cells;
    for (unsigned i = 0; i < stones; i++) {
        Cell cell = cell_at(rng_below(rng, rules.width), rng_below(rng, rules.height));
        if (rules.gravity)
            cell = cell_at(cell_column(cell), board_drop_row(board, cell_column(cell)));
        if (board_has(board, cell) && board_stone(board, cell) == STONE_NONE)
            board_put(board, cell, (Side)rng_below(rng, 2));
    }
    (void)board_set_turn(board, SIDE_FIRST, 1);
}

// How many boards a test looks at in full; the large ones have 4096 cells.
static unsigned boards_to_try(void)
{
    return (unsigned)(test_steps() / 100);
}

static void test_against_the_plain_version(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (unsigned i = 0; i < boards_to_try(); i++) {
        Board board;
        random_board(&board, games[i % GAMES], &rng);
        for (unsigned j = 0; j < board.cells; j++) {
            Cell cell = cell_at(j % board.rules.width, j / board.rules.width);
            Side side = (Side)(j & 1);
            Influence fast = influence_of(&board, cell, side), plain = bench_influence_plain(&board, cell, side);
            assert_memory_equal(fast.power, plain.power, sizeof fast.power);
            assert_int_equal(fast.open, plain.open);
        }
    }
}

// Whether a stone of the side is in the area of a cell, by walking there.
static bool sees_a_stone(const Board *board, Cell from, Side side)
{
    for (int way = 0; way < 9; way++) {
        int dx = way % 3 - 1, dy = way / 3 - 1, x = (int)cell_column(from), y = (int)cell_row(from);
        for (unsigned step = 1; way != 4 && step < board->rules.k; step++) {
            x += dx;
            y += dy;
            if (x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height)
                break;
            Stone stone = board_stone(board, cell_at((unsigned)x, (unsigned)y));
            if (stone != STONE_NONE) {
                if (stone == (Stone)side)
                    return true;
                break;
            }
        }
    }
    return false;
}

// Fig. 4: the least of all that see a stone is not below the best of all that see none.
static void test_the_relation_of_figure_4(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    unsigned compared = 0;
    for (unsigned i = 0; i < boards_to_try(); i++) {
        Board board;
        random_board(&board, games[i % GAMES], &rng);
        double least_with = INFINITY, best_without = -INFINITY;
        for (unsigned j = 0; j < board.cells; j++) {
            Cell cell = cell_at(j % board.rules.width, j / board.rules.width);
            Influence influence = influence_of(&board, cell, SIDE_FIRST);
            double rank = influence_rank(&influence, board.rules.k);
            if (sees_a_stone(&board, cell, SIDE_FIRST))
                least_with = fmin(least_with, rank);
            else
                best_without = fmax(best_without, rank);
        }
        compared += isfinite(least_with) && isfinite(best_without);
        assert_true(least_with >= best_without);
    }
    assert_true(compared > boards_to_try() / 10);
}

// The closest it can get: all shut but one stone, which is shut behind, against all open. At c3 seven cells around are
// opposing stones, the eighth leads along the row to a stone of the side with another opposing one behind.
static void test_the_relation_of_figure_4_at_its_closest(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 24; k++)
        for (unsigned steps = 1; steps < k; steps++) {
            Board board;
            board_init(&board, &(Rules){.width = 64, .height = 64, .k = (uint8_t)k, .p = 1, .q = 1});
            for (unsigned i = 0; i < 9; i++)
                if (i != 4 && i != 5)
                    board_put(&board, cell_at(1 + i % 3, 1 + i / 3), SIDE_SECOND);
            board_put(&board, cell_at(2 + steps, 2), SIDE_FIRST);
            board_put(&board, cell_at(2 + steps + 1, 2), SIDE_SECOND);
            Influence with = influence_of(&board, cell_at(2, 2), SIDE_FIRST);
            Influence without = influence_of(&board, cell_at(38, 38), SIDE_FIRST);
            check_powers(&with, 2 * k, 0, 0, 0);
            assert_true(with.open == 0 && without.open == 4);
            assert_true(influence_rank(&with, k) > influence_rank(&without, k));
            assert_true(k > INFLUENCE_SCORE_K || influence_score(&with, k) > influence_score(&without, k));
        }
}

static void test_symmetry(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    for (unsigned i = 0; i < boards_to_try(); i++) {
        Board board, picture;
        random_board(&board, games[i % GAMES], &rng);
        Symmetry symmetry = rng_below(&rng, symmetry_count(&board.rules));
        symmetry_board(&board, symmetry, &picture);
        for (unsigned j = 0; j < board.cells; j += 1 + rng_below(&rng, 8)) {
            Cell cell = cell_at(j % board.rules.width, j / board.rules.width);
            Influence a = influence_of(&board, cell, SIDE_SECOND);
            Influence b = influence_of(&picture, symmetry_cell(&board.rules, symmetry, cell), SIDE_SECOND);
            assert_int_equal(a.open, b.open);
            assert_true(influence_rank(&a, board.rules.k) == influence_rank(&b, board.rules.k));
            assert_true(influence_score(&a, board.rules.k) == influence_score(&b, board.rules.k));
        }
    }
}

// The rank orders as E does.
static void test_ranks_and_scores(void **state)
{
    (void)state;
    Rng rng = rng_make(4);
    for (unsigned long i = 0; i < test_steps(); i++) {
        Influence two[2];
        for (int j = 0; j < 2; j++)
            two[j] = (Influence){{(uint16_t)rng_below(&rng, 40), (uint16_t)rng_below(&rng, 40),
                                  (uint16_t)rng_below(&rng, 40), (uint16_t)rng_below(&rng, 40)},
                                 (uint8_t)rng_below(&rng, 5)};
        if (rng_below(&rng, 2) == 0) // near each other
            for (int j = 1; j < INFLUENCE_DIRECTIONS; j++)
                two[1].power[j] = two[0].power[j];
        double a = influence_score(&two[0], 6), b = influence_score(&two[1], 6);
        double rank_a = influence_rank(&two[0], 6), rank_b = influence_rank(&two[1], 6);
        assert_int_equal(a < b, rank_a < rank_b);
        assert_int_equal(a > b, rank_a > rank_b);
        assert_true(fabs(rank_a - log2(a)) < 0.0861); // the line is this much below its curve at most
    }
}

// --- Figure 6 ---

// The drawing is lost. Three patterns in which a stone makes an open four, which takes two stones to stop: with all the
// room there is, with less on one side, and with the least on both sides that leaves it open.
static void test_patterns_of_figure_6(void **state)
{
    (void)state;
    static const char *const patterns[] = {".....XX.X......", ".....XX.X..O...", "..O..XX.X..O..."};
    double before = INFINITY;
    for (int i = 0; i < 3; i++) {
        Game game;
        char drawing[64];
        (void)snprintf(drawing, sizeof drawing, "%s\nturn X 2\n", patterns[i]);
        read_drawing(&game, "15x1:k=6,p=2,q=1", drawing);
        Influence influence = influence_of(&game.board, cell_at(7, 0), SIDE_FIRST);
        double score = influence_score(&influence, 6);
        assert_true(score < before);
        before = score;
        game_play(&game, cell_at(7, 0));
        assert_int_equal(threats_exact(&game.board, SIDE_FIRST).count, 2);
    }
}

// --- Candidates ---

// Those of a game, as a drawing would show them: the number, and whether some cells are among them.
static unsigned candidates(const Game *game, uint64_t rows[RULES_SIDE_MAX])
{
    unsigned count = influence_candidates(game, INFLUENCE_REACH, rows), sum = 0;
    for (unsigned row = 0; row < game->board.rules.height; row++) {
        assert_true((rows[row] & ~board_legal_row(&game->board, row)) == 0);
        sum += bits_count(rows[row]);
    }
    assert_int_equal(count, sum);
    return count;
}

static bool is_candidate(const uint64_t rows[RULES_SIDE_MAX], const Game *game, const char *name)
{
    Cell cell = cell_of(&game->board.rules, name);
    return (rows[cell_row(cell)] & cell_bit_in_row(cell)) != 0;
}

static void test_squares_around_the_last_turn(void **state)
{
    (void)state;
    Game game;
    uint64_t rows[RULES_SIDE_MAX];
    begin_game(&game, "connect6");
    play_text(&game, "j10");
    assert_int_equal(candidates(&game, rows), 24);
    assert_true(is_candidate(rows, &game, "h8") && is_candidate(rows, &game, "l12") &&
                !is_candidate(rows, &game, "m10"));
    play_text(&game, "e5 o15");
    assert_int_equal(candidates(&game, rows), 48);
    assert_true(is_candidate(rows, &game, "c7") && is_candidate(rows, &game, "q13") &&
                !is_candidate(rows, &game, "j9"));
    // In the middle of the turn: the same squares without the stone that has been placed, here or elsewhere.
    play_text(&game, "e6");
    assert_int_equal(candidates(&game, rows), 47);
    assert_false(is_candidate(rows, &game, "e6"));
    // The squares of e6 and e9 share a row; j10 is not in the last turn any more.
    play_text(&game, "e9");
    assert_int_equal(candidates(&game, rows), 5 * 8 - 3);
    // Squares at the border.
    play_text(&game, "a1 s19");
    assert_int_equal(candidates(&game, rows), 8 + 8);
}

static void test_turns_of_other_lengths(void **state)
{
    (void)state;
    Game game;
    uint64_t rows[RULES_SIDE_MAX];
    begin_game(&game, "20x20:k=5,p=3,q=2");
    play_text(&game, "c3 r18");
    assert_int_equal(candidates(&game, rows), 48);
    play_text(&game, "c18 r3 k10");
    assert_int_equal(candidates(&game, rows), 72);
    play_text(&game, "a1 b1");
    assert_int_equal(candidates(&game, rows), 72);
}

// A position that was set up has no last turn; one stone played from there does.
static void test_candidates_without_history(void **state)
{
    (void)state;
    Game game;
    uint64_t rows[RULES_SIDE_MAX];
    const char *drawing = "........\n........\n.....O..\n........\n........\n.O....X.\n........\n........\nturn X 2\n";
    read_drawing(&game, "8x8:k=4,p=2,q=1", drawing);
    // b3 has a square of 4 x 5 cells, f6 one of 5 x 5; d4 and d5 are in both, g3 in neither.
    assert_int_equal(candidates(&game, rows), 4 * 5 - 1 + 5 * 5 - 1 - 2);
    assert_true(is_candidate(rows, &game, "d4") && !is_candidate(rows, &game, "g3"));
    play_text(&game, "h8");
    assert_int_equal(candidates(&game, rows), 40);
    // Now there is a last turn: f6 and g3 are taken in the squares of h8 and h1.
    play_text(&game, "h1");
    assert_int_equal(candidates(&game, rows), 3 * 3 - 2 + 3 * 3 - 2);
    assert_false(is_candidate(rows, &game, "d4"));
}

static void test_no_candidate_left(void **state)
{
    (void)state;
    Game game;
    uint64_t rows[RULES_SIDE_MAX];
    // The first turn: every cell.
    begin_game(&game, "connect6");
    assert_int_equal(candidates(&game, rows), 361);
    begin_game(&game, "connect4");
    assert_int_equal(candidates(&game, rows), 7);
    // Around a1 all is taken: the other stones of O have their squares, d and e beside c2 and all of e to i but g3.
    read_drawing(&game, "9x3:k=4", "XOX...O..\nOXO......\n.XX......\nturn O 1\n");
    play_text(&game, "a1");
    assert_int_equal(candidates(&game, rows), 3 + 15 - 1);
    // Nothing is near a stone of O: any cell.
    read_drawing(&game, "9x1:k=3", ".XX......\nturn O 1\n");
    play_text(&game, "a1");
    assert_int_equal(candidates(&game, rows), 6);
}

// --- The agent ---

static void open_agent(Agent *agent, const char *text, const Game *game)
{
    Error error = {0};
    assert_done(agent_open(agent, span_of(text), &game->board.rules, &error), error);
}

static void decide(const char *text, const Game *game, Decision *decision)
{
    Agent agent;
    Rng rng = rng_make(5);
    open_agent(&agent, text, game);
    agent_decide(&agent, game, &(AgentTask){.rng = &rng}, decision);
    agent_close(&agent);
}

static bool has_stone(const Decision *decision, const Game *game, const char *name)
{
    Cell cell = cell_of(&game->board.rules, name);
    for (unsigned i = 0; i < decision->count; i++)
        if (decision->stones[i] == cell)
            return true;
    return false;
}

static void test_the_first_stone_is_in_the_centre(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect6");
    decide("defence", &game, &decision);
    assert_true(decision.count == 1 && has_stone(&decision, &game, "j10"));
}

// Cells are rated by what they are worth to the opponent, and both ends of his row are taken: the second time his row
// is shut at one end already.
static void test_the_opponent_is_cut_off(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect6");
    play_text(&game, "a1 k10 s19 c1 e1 l10 m10");
    Agent agent;
    open_agent(&agent, "defence", &game);
    agent_rate(&agent, &game);
    assert_true(isnan(agent.ratings->value));
    for (unsigned i = 0; i < agent.ratings->count; i++) {
        Influence influence = influence_of(&game.board, agent.ratings->cells[i].cell, SIDE_SECOND);
        assert_true(agent.ratings->cells[i].utility == influence_rank(&influence, 6));
    }
    agent_close(&agent);
    decide("defence", &game, &decision);
    assert_int_equal(decision.count, 2);
    assert_true(has_stone(&decision, &game, "j10") && has_stone(&decision, &game, "n10"));
}

// Under a search the board is worth what the best cells are worth to both sides.
static void test_the_value_of_a_board(void **state)
{
    (void)state;
    Game game;
    Agent agent;
    begin_game(&game, "connect6");
    play_text(&game, "a1 k10 s19 c1 e1 l10 m10");
    assert_true(influence_best(&game.board, SIDE_SECOND) > influence_best(&game.board, SIDE_FIRST));
    open_agent(&agent, "defence:depth=2", &game);
    agent_rate(&agent, &game);
    assert_true(agent.ratings->value ==
                influence_best(&game.board, SIDE_FIRST) - influence_best(&game.board, SIDE_SECOND));
    agent_close(&agent);
    // The best cell for the second player is beside its row of three: j10 or n10.
    Influence influence = influence_of(&game.board, cell_of(&game.board.rules, "j10"), SIDE_SECOND);
    assert_true(influence_best(&game.board, SIDE_SECOND) == influence_rank(&influence, 6));
}

// An open four of which only one end is near the last turn.
static void test_far_ends_are_guarded_if_wanted(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "connect6");
    play_text(&game, "a1 k10 l10 b1 a2 m10 n10");
    decide("defence", &game, &decision);
    assert_true(has_stone(&decision, &game, "o10") && !has_stone(&decision, &game, "j10"));
    Agent agent;
    open_agent(&agent, "defence:guard=1", &game);
    agent_rate(&agent, &game);
    assert_int_equal(agent.ratings->count, 4); // i10, j10, o10, p10
    agent_close(&agent);
    decide("defence:guard=1", &game, &decision);
    assert_true(has_stone(&decision, &game, "o10") && has_stone(&decision, &game, "j10"));
    decide("defence:reach=3", &game, &decision);
    assert_true(has_stone(&decision, &game, "o10") && has_stone(&decision, &game, "j10"));
}

TEST_GROUP(influence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example_of_figure_5),
        cmocka_unit_test(test_the_board_computed_by_hand),
        cmocka_unit_test(test_weights_of_stones),
        cmocka_unit_test(test_weights_of_open_directions),
        cmocka_unit_test(test_what_shuts_a_direction),
        cmocka_unit_test(test_rows_of_one),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_the_largest_number),
        cmocka_unit_test(test_against_the_plain_version),
        cmocka_unit_test(test_the_relation_of_figure_4),
        cmocka_unit_test(test_the_relation_of_figure_4_at_its_closest),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_ranks_and_scores),
        cmocka_unit_test(test_patterns_of_figure_6),
        cmocka_unit_test(test_squares_around_the_last_turn),
        cmocka_unit_test(test_turns_of_other_lengths),
        cmocka_unit_test(test_candidates_without_history),
        cmocka_unit_test(test_no_candidate_left),
        cmocka_unit_test(test_the_first_stone_is_in_the_centre),
        cmocka_unit_test(test_the_opponent_is_cut_off),
        cmocka_unit_test(test_the_value_of_a_board),
        cmocka_unit_test(test_far_ends_are_guarded_if_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
