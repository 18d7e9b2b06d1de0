// Tests of the agent `kagami`. The exact search decides whether a turn holds, whatever search the agent uses.
#include "support/check.h"

#include "agents/agent.h"
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "papers/kagami/threat_win.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether a value is that of a won game.
static bool minimax_is_win(double value)
{
    return value > MINIMAX_WIN / 2;
}

static const char *const searches[] = {"paper", "exact"};

// --- Asking ---

static void decide_within(const char *text, const Game *game, Budget budget, uint64_t seed, Decision *decision)
{
    Agent agent;
    Error error = {0};
    Rng rng = rng_make(seed);
    assert_done(agent_open(&agent, span_of(text), &game->board.rules, &error), error);
    agent_decide(&agent, game, &(AgentTask){.budget = budget, .rng = &rng}, decision);
    agent_close(&agent);
}

// With tss=paper or tss=exact before the other options.
static void decide(unsigned tss, const char *options, const Game *game, Decision *decision)
{
    char text[128];
    (void)snprintf(text, sizeof text, "kagami:tss=%s%s%s", searches[tss], options[0] != '\0' ? "," : "", options);
    decide_within(text, game, (Budget){0}, 5, decision);
    assert_int_equal(decision->counts, 2);
    assert_string_equal(decision->count_list[0].name, "researches");
    assert_string_equal(decision->count_list[1].name, "alternatives");
}

static void expect_counts(const Decision *decision, uint64_t researches, uint64_t alternatives)
{
    assert_int_equal(decision->count_list[0].value, researches);
    assert_int_equal(decision->count_list[1].value, alternatives);
}

static void play(Game *after, const Game *game, const Decision *decision)
{
    game_copy(after, game);
    for (unsigned i = 0; i < decision->count; i++)
        game_play(after, decision->stones[i]);
}

static bool same_turn(const Game *game, const Decision *a, const Decision *b)
{
    Game after_a, after_b;
    play(&after_a, game, a);
    play(&after_b, game, b);
    return board_key(&after_a.board) == board_key(&after_b.board);
}

static DoubleThreatVerdict side_to_move_wins(const Board *board)
{
    DoubleThreat *search = NULL;
    Error error = {0};
    DoubleThreatResult result;
    assert_done(double_threat_open(&search, &board->rules, 1 << 22, &error), error);
    double_threat_run(search, board, &(Limits){.nodes = 5000}, &result);
    double_threat_close(search);
    return result.verdict;
}

static DoubleThreatVerdict opponent_wins_after(const Game *game, const Decision *decision)
{
    Game after;
    play(&after, game, decision);
    return side_to_move_wins(&after.board);
}

// --- Positions of Connect6 ---

static const char one_holds[] = "j10 j11 k10 i12 l9 k11 l11";
static const char far_away[] = "i13 i12 h14 j13 j14 k13 j12 h12 g11"; // cells near the last turn do not help
static const char *const others[] = {
    "",
    "j10",
    "j10 k10 k9 k8 k11 i9 j9",
    "j10 k9 i10 j9 j8 j7 j11 h9 i9 g9 h8",
};

static void begin_connect6(Game *game, const char *stones)
{
    begin_game(game, "connect6");
    play_text(game, stones);
}

// --- Defence ---

static void test_the_first_choice_is_that_of_defence(void **state)
{
    (void)state;
    const char *const positions[] = {one_holds, far_away, others[0], others[1], others[2], others[3]};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            Game game;
            Decision decision, defence;
            begin_connect6(&game, positions[i]);
            decide_within("kagami:alternatives=0", &game, (Budget){0}, seed, &decision);
            decide_within("defence", &game, (Budget){0}, seed, &defence);
            assert_int_equal(decision.count, defence.count);
            assert_memory_equal(decision.stones, defence.stones, defence.count * sizeof(Cell));
            assert_int_equal(decision.count_list[1].value, 0);
        }
}

static void test_a_turn_that_holds_replaces_one_that_does_not(void **state)
{
    (void)state;
    Game game;
    Decision decision, first;
    begin_connect6(&game, one_holds);
    for (unsigned tss = 0; tss < 2; tss++)
        for (int null_move = 0; null_move < 2; null_move++) {
            decide(tss, "alternatives=0", &game, &first);
            expect_counts(&first, 1, 0);
            assert_int_equal(opponent_wins_after(&game, &first), DOUBLE_THREAT_WON);
            decide(tss, null_move ? "nullmove=1" : "", &game, &decision);
            assert_int_equal(decision.count_list[0].value, 1);
            assert_in_range(decision.count_list[1].value, 1, 49);
            assert_int_not_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
            assert_true(decision.proven == PROVEN_NOTHING && decision.distance == -1 && fabs(decision.score) < 100);
            // One fewer is not enough, and the last one tried is another.
            char options[64];
            (void)snprintf(options, sizeof options, "alternatives=%u%s", (unsigned)decision.count_list[1].value - 1,
                           null_move ? ",nullmove=1" : "");
            decide(tss, options, &game, &first);
            assert_false(same_turn(&game, &first, &decision));
            assert_true(first.score < -MINIMAX_WIN / 2);
        }
}

static void test_nothing_holds(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_connect6(&game, far_away);
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "area=near", &game, &decision);
        expect_counts(&decision, 1, 50);
        assert_int_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
        assert_true(decision.proven == PROVEN_NOTHING && decision.score == -MINIMAX_WIN);
        decide(tss, "area=near,alternatives=7", &game, &decision);
        expect_counts(&decision, 1, 7);
    }
}

// Four free cells, of which one is the first choice, and of the others the worst comes last.
static void test_all_there_is_may_be_little(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "6x1:k=3");
    play_text(&game, "b1 f1 c1");
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "alternatives=0", &game, &decision);
        expect_counts(&decision, 1, 0);
        assert_true(decision.count == 1 && decision.stones[0] != cell_of(&game.board.rules, "e1"));
        decide(tss, "fallback=last", &game, &decision);
        expect_counts(&decision, 1, 2);
        assert_true(decision.count == 1 && decision.stones[0] == cell_of(&game.board.rules, "e1"));
    }
}

// --- Readings of the text ---

// "A full defensive search" after a failure: the cells that stop the win are far from the opponent's last stones.
static void test_alternatives_of_the_whole_board(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_connect6(&game, far_away);
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "", &game, &decision);
        assert_int_equal(decision.count_list[0].value, 1);
        assert_in_range(decision.count_list[1].value, 1, 5);
        assert_int_not_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
    }
}

// "If no effective defensive move can be found": the move of the defensive strategy, or the last one tried.
static void test_fallback(void **state)
{
    (void)state;
    Game game;
    Decision first, decision;
    begin_connect6(&game, far_away);
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "alternatives=0", &game, &first);
        decide(tss, "area=near", &game, &decision);
        expect_counts(&decision, 1, 50);
        assert_true(same_turn(&game, &first, &decision));
        decide(tss, "area=near,fallback=last", &game, &decision);
        expect_counts(&decision, 1, 50);
        assert_false(same_turn(&game, &first, &decision));
    }
}

// A row of the side to move counts only with both influences.
static void test_whose_influence(void **state)
{
    (void)state;
    static const char *const agents[][2] = {{"defence", "defence:influence=both"},
                                            {"kagami:nodes=1", "kagami:nodes=1,influence=both"}};
    Game game;
    Decision one, both;
    read_drawing(&game, "9x9:k=6",
                 ".........\n.........\n..X......\n..X.O....\n..X......\n"
                 ".........\n.........\n.........\n.........\nturn X 1\n");
    for (int i = 0; i < 2; i++) {
        decide_within(agents[i][0], &game, (Budget){0}, 5, &one);
        decide_within(agents[i][1], &game, (Budget){0}, 5, &both);
        assert_int_not_equal(cell_column(one.stones[0]), 2);
        assert_int_equal(cell_column(both.stones[0]), 2);
    }
}

// With the sum of the scores the best cell stands in all of the first turns, with the product it does not.
static void test_order_of_turns(void **state)
{
    (void)state;
    DefendingTurns *turns = malloc(sizeof *turns);
    assert_non_null(turns);
    Game game;
    uint64_t cells[RULES_SIDE_MAX];
    begin_connect6(&game, "i11 j11 k11 a1 s19 l11 a19");
    Cell best = cell_of(&game.board.rules, "m11");
    unsigned count = influence_candidates(&game, 2, cells);
    for (int sums = 0; sums < 2; sums++) {
        Rng rng = rng_make(2);
        bool has_best = true;
        defending_list(turns, &game.board, cells, (DefendingReading){.sums = sums == 1}, &rng);
        for (unsigned i = 0; i + 1 < count; i++) {
            const DefendingTurn *turn = &turns->list[i];
            has_best = has_best && (turn->stones[0] == best || turn->stones[1] == best);
        }
        assert_int_equal(has_best, sums == 1);
    }
    free(turns);
}

// Both stones of the turn as the cells stand before it, or the second one with the first on the board.
static void test_rating_once(void **state)
{
    (void)state;
    Game game;
    Decision again, once;
    read_drawing(&game, "11x1:k=4,p=2", "...OO..O...\nturn X 2\n");
    decide_within("kagami:alternatives=0,nodes=1,reach=11", &game, (Budget){0}, 5, &again);
    decide_within("kagami:alternatives=0,nodes=1,reach=11,rating=once", &game, (Budget){0}, 5, &once);
    assert_int_equal(again.stones[0], once.stones[0]);
    assert_int_not_equal(again.stones[1], once.stones[1]);
}

// --- Attack ---

static void test_a_row_is_completed(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "connect6",
                 "...................\n...................\n...................\n"
                 "...................\n...................\n...................\n"
                 "...................\n...................\n....OOOO...........\n"
                 "...................\n....X.XXX..........\n...................\n"
                 "...................\n...................\n...................\n"
                 "...................\n...................\n...................\n"
                 "...................\nturn X 2\n");
    for (unsigned tss = 0; tss < 2; tss++) {
        static const char *const options[] = {"", "attack=first", "nullmove=1", "turns=1,nodes=1"};
        for (int i = 0; i < 4; i++) {
            Game after;
            decide(tss, options[i], &game, &decision);
            assert_true(decision.proven == PROVEN_WIN && decision.distance == 2 && minimax_is_win(decision.score));
            assert_int_equal(decision.line_count, 2);
            assert_memory_equal(decision.line, decision.stones, 2 * sizeof(Cell));
            play(&after, &game, &decision);
            assert_int_equal(board_winner(&after.board), WINNER_FIRST);
        }
    }
}

// The game of others[2] after a mistake.
static void test_a_win_in_several_turns(void **state)
{
    (void)state;
    Game game, after;
    Decision decision, first;
    begin_connect6(&game, "j10 k10 k9 k8 k11 i9 j9 l9 f9");
    decide_within("kagami:tss=exact,nodes=20000", &game, (Budget){0}, 1, &decision);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_true(decision.distance > 4 && decision.distance % 4 == 2 && decision.line_count > 4);
    assert_true(decision.score == MINIMAX_WIN - decision.distance * MINIMAX_STONE);
    assert_memory_equal(decision.line, decision.stones, 2 * sizeof(Cell));
    play(&after, &game, &decision);
    // The same before the defence: as the opponent completes nothing, there is no defence.
    decide_within("kagami:tss=exact,nodes=20000,attack=first", &game, (Budget){0}, 1, &first);
    assert_true(same_turn(&game, &first, &decision) && first.nodes < decision.nodes);
    expect_counts(&first, 0, 0);
}

// A claim of the paper's search is reported by the score alone; the last turn of the win is proof enough.
static void test_a_win_is_no_longer_than_the_room_there_is(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "6x6:k=4,p=2", "XOOOXO\nOOXOOO\n.XX.OX\nOXXXOX\nXXOXXO\n.OX.OO\nturn X 1\n");
    decide(1, "", &game, &decision);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 4);
}

static void test_claims_of_the_paper_are_no_proof(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_connect6(&game, "j10 j11 k9 k10 i10 h10 l10 j8 j9 j7 i8 k8 h11 g12 l7 h9 k7 l6 i9 l8 m8 n8 m9 k11 q5");
    decide(0, "", &game, &decision);
    assert_true(minimax_is_win(decision.score) && decision.proven == PROVEN_NOTHING && decision.distance == -1);
    decide(1, "", &game, &decision);
    assert_true(minimax_is_win(decision.score) && decision.proven == PROVEN_WIN);
}

// --- Order and null move ---

static void test_attack_first_plays_the_same(void **state)
{
    (void)state;
    const char *const positions[] = {one_holds, far_away, others[0], others[1], others[2], others[3]};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
        for (unsigned tss = 0; tss < 2; tss++) {
            Game game;
            Decision last, first;
            begin_connect6(&game, positions[i]);
            decide(tss, "", &game, &last);
            decide(tss, "attack=first", &game, &first);
            assert_true(same_turn(&game, &last, &first));
            assert_int_equal(first.nodes, last.nodes);
            expect_counts(&first, last.count_list[0].value, last.count_list[1].value);
        }
}

// While the opponent could complete a row, far from his last stone, the defence comes first; it does not help.
static void test_attack_first_asks_for_threats(void **state)
{
    (void)state;
    for (unsigned tss = 0; tss < 2; tss++) {
        Game game;
        Decision decision;
        begin_game(&game, "11x5:k=5");
        play_text(&game, "b5 b1 c5 c1 d5 d1 e5 e1 k1 j3");
        decide(tss, "attack=first", &game, &decision);
        assert_true(decision.proven == PROVEN_WIN && decision.count_list[0].value == 1);
        begin_game(&game, "11x5:k=5");
        play_text(&game, "b5 b1 c5 c1 d5 d1 e5 g3 k1 j3");
        decide(tss, "attack=first", &game, &decision);
        assert_true(decision.proven == PROVEN_WIN && decision.count_list[0].value == 0);
    }
}

// Not to know of a win is no reason to leave the first choice unverified.
static void test_a_null_move_may_not_know(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_connect6(&game, "j10 l13 k13 j13 m13 l12 k12");
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "nullmove=1", &game, &decision);
        assert_int_equal(decision.count_list[0].value, 1);
    }
}

// In the second position turns that miss one of the wins known so far would be more than fifty.
static void test_a_null_move_finds_what_is_far_away(void **state)
{
    (void)state;
    const char *const positions[] = {far_away, "j10 g9 g10 g8 g11 h9 f9 i9 e9 f10 h8"};
    for (int i = 0; i < 2; i++)
        for (unsigned tss = 0; tss < 2; tss++) {
            Game game;
            Decision decision;
            begin_connect6(&game, positions[i]);
            decide(tss, "area=near", &game, &decision);
            expect_counts(&decision, 1, 50);
            decide(tss, "nullmove=1,area=near", &game, &decision);
            assert_int_equal(decision.count_list[0].value, 1);
            assert_in_range(decision.count_list[1].value, 1, 10);
            assert_int_not_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
        }
}

// Without threats, one search is enough, as without the null move.
static void test_a_null_move_verifies(void **state)
{
    (void)state;
    Game game;
    Decision plain, null_move;
    begin_connect6(&game, "j10 j9");
    for (unsigned tss = 0; tss < 2; tss++) {
        decide(tss, "alternatives=0", &game, &plain);
        decide(tss, "nullmove=1,alternatives=0", &game, &null_move);
        assert_true(same_turn(&game, &plain, &null_move));
        assert_int_equal(null_move.nodes, plain.nodes);
        expect_counts(&null_move, 0, 0);
    }
}

// --- Budgets ---

// Under `exact` a stone of one side may be what the other one needed: a row that is too long threatens no more. Here
// the opponent has no win if nothing is played, and has one after the first choice.
static void test_a_null_move_where_rows_may_be_too_long(void **state)
{
    (void)state;
    Game game;
    Board passed;
    Decision decision;
    begin_game(&game, "7x7:k=4,exact");
    play_text(&game, "b1 b2 e2 e1 g2 g5 g3 e4 a7");
    board_copy(&passed, &game.board);
    assert_int_equal(board_set_turn(&passed, SIDE_FIRST, 1), 0);
    assert_int_equal(side_to_move_wins(&passed), DOUBLE_THREAT_NONE);
    decide(1, "alternatives=0", &game, &decision);
    assert_int_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
    decide(1, "nullmove=1,nodes=100000", &game, &decision);
    assert_int_equal(decision.count_list[0].value, 1);
}

static void test_budgets_are_kept(void **state)
{
    (void)state;
    const char *const positions[] = {one_holds, far_away, others[2]};
    static const char *const agents[] = {"kagami", "kagami:tss=exact", "kagami:nullmove=1",
                                         "kagami:tss=exact,nullmove=1", "kagami:attack=first"};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++)
        for (size_t a = 0; a < sizeof agents / sizeof agents[0]; a++)
            for (uint64_t nodes = 4; nodes <= 4096; nodes *= 4) {
                Game game;
                Decision decision, again;
                begin_connect6(&game, positions[i]);
                decide_within(agents[a], &game, (Budget){.nodes = nodes}, nodes, &decision);
                decide_within(agents[a], &game, (Budget){.nodes = nodes}, nodes, &again);
                assert_in_range(decision.nodes, 1, nodes);
                assert_int_equal(decision.nodes, again.nodes);
                assert_memory_equal(decision.stones, again.stones, decision.count * sizeof(Cell));
            }
}

static void test_a_stop_is_obeyed(void **state)
{
    (void)state;
    Game game;
    Decision decision, defence;
    Agent agent;
    Error error = {0};
    Rng rng = rng_make(3);
    atomic_bool stop = true;
    begin_connect6(&game, one_holds);
    assert_done(agent_open(&agent, span_of("kagami:nullmove=1"), &game.board.rules, &error), error);
    agent_decide(&agent, &game, &(AgentTask){.rng = &rng, .stop = &stop}, &decision);
    agent_close(&agent);
    decide_within("defence", &game, (Budget){0}, 3, &defence);
    assert_true(same_turn(&game, &decision, &defence) && decision.nodes <= 2);
    expect_counts(&decision, 0, 0);
}

// --- Other games ---

// The opponent wins after the first choice and not after what is played.
static void expect_defence(const char *rules, const char *moves, const char *options)
{
    for (unsigned tss = 0; tss < 2; tss++) {
        Game game;
        Decision decision;
        begin_game(&game, rules);
        play_text(&game, moves);
        decide_within("defence", &game, (Budget){0}, 5, &decision);
        assert_int_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
        decide(tss, options, &game, &decision);
        assert_int_not_equal(opponent_wins_after(&game, &decision), DOUBLE_THREAT_WON);
        assert_int_equal(decision.count_list[0].value, 1);
    }
}

static void test_other_games(void **state)
{
    (void)state;
    // A four with one end, far from the last stone.
    expect_defence("11x5:k=5", "a1 b1 k5 c1 k3 d1 h4 e1 h2 j5", "nullmove=1");
    // The same with rows of eight and three stones a turn.
    expect_defence("19x9:k=8,p=3,q=1", "a9 f2 g2 h2 a1 s1 s9 i2 j2 d8 a5 s5 a7 p5 p6 p7", "nullmove=1");
    // One stone is left of a turn of three.
    Game game;
    Decision decision;
    read_drawing(&game, "9x1:k=4,p=3", ".OO..X..X\nturn X 1\n");
    decide(0, "", &game, &decision);
    assert_true(decision.count == 1 && decision.stones[0] == cell_of(&game.board.rules, "d1"));
}

static void test_long_first_turns(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    begin_game(&game, "9x9:k=8,p=2,q=7");
    decide(0, "", &game, &decision);
    assert_int_equal(decision.count, 7);
    begin_game(&game, "9x9:k=5,p=4,q=7");
    decide(1, "", &game, &decision);
    assert_true(decision.count <= 7 && decision.count > 0);
}

static void test_games_it_does_not_play(void **state)
{
    (void)state;
    static const char *const games[] = {"connect4", "9x9:k=5,p=5", "20x20:k=9"};
    for (int i = 0; i < 3; i++) {
        Rules rules = rules_of(games[i]);
        Agent agent;
        Error error = {0};
        assert_refused(agent_open(&agent, span_of("kagami"), &rules, &error), error, "the agent 'kagami' plays");
    }
}

TEST_GROUP(kagami)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_choice_is_that_of_defence),
        cmocka_unit_test(test_a_turn_that_holds_replaces_one_that_does_not),
        cmocka_unit_test(test_nothing_holds),
        cmocka_unit_test(test_all_there_is_may_be_little),
        cmocka_unit_test(test_a_row_is_completed),
        cmocka_unit_test(test_a_win_in_several_turns),
        cmocka_unit_test(test_claims_of_the_paper_are_no_proof),
        cmocka_unit_test(test_attack_first_plays_the_same),
        cmocka_unit_test(test_attack_first_asks_for_threats),
        cmocka_unit_test(test_a_null_move_may_not_know),
        cmocka_unit_test(test_a_null_move_finds_what_is_far_away),
        cmocka_unit_test(test_a_null_move_verifies),
        cmocka_unit_test(test_budgets_are_kept),
        cmocka_unit_test(test_a_stop_is_obeyed),
        cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_long_first_turns),
        cmocka_unit_test(test_games_it_does_not_play),
        cmocka_unit_test(test_a_win_is_no_longer_than_the_room_there_is),
        cmocka_unit_test(test_a_null_move_where_rows_may_be_too_long),
        cmocka_unit_test(test_alternatives_of_the_whole_board),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_whose_influence),
        cmocka_unit_test(test_order_of_turns),
        cmocka_unit_test(test_rating_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
