// Tests of random games: how they rate cells, which statistics are stored, and the agent that uses them.
#include "agents/agent.h"
#include "game/playout.h"
#include "match/referee.h"
#include "papers/levin/montecarlo.h"
#include "support/check.h"
#include "threats/near.h"

#include <stdio.h>
#include <string.h>

// --- Playouts ---

// A traced game is the same game, and its first stones are reported.
static void test_traces(void **state)
{
    (void)state;
    static const char *const games[] = {"tictactoe", "connect4", "9x9:k=5,p=2,q=1", "6x5:k=3,exact", "3x3:k=1"};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            Rules rules = rules_of(games[g]);
            Board one, other, again;
            board_init(&one, &rules);
            board_init(&other, &rules);
            board_init(&again, &rules);
            Rng a = rng_make(seed), b = rng_make(seed);
            Cell trace[3];
            uint64_t stones = 5;
            Winner winner = playout_random(&one, &a, &stones);
            unsigned played = playout_traced(&other, &b, trace, 3);
            assert_int_equal(stones, played + 5);
            assert_int_equal(winner, board_winner(&other));
            assert_same_board(&one, &other);
            assert_int_equal(played, board_count(&other));
            for (unsigned i = 0; i < 3 && i < played; i++) {
                assert_int_equal(board_stone(&other, trace[i]), board_side(&again));
                (void)board_play(&again, trace[i]);
            }
        }
}

// --- What is near ---

static void test_near(void **state)
{
    (void)state;
    Rng rng = rng_make(1);
    for (int i = 0; i < 50; i++) {
        Game game;
        begin_game(&game, i % 2 == 0 ? "9x7:k=7" : "64x3:k=60");
        for (unsigned n = rng_below(&rng, 6); n > 0; n--) {
            Cell cells[RULES_CELLS_MAX];
            game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
        }
        unsigned reach = rng_below(&rng, 5);
        for (unsigned x = 0; x < game.board.rules.width; x++)
            for (unsigned y = 0; y < game.board.rules.height; y++) {
                unsigned count = 0;
                for (unsigned s = 0; s < game.played; s++) {
                    int dx = (int)cell_column(game.stones[s]) - (int)x, dy = (int)cell_row(game.stones[s]) - (int)y;
                    count += dx * dx <= (int)(reach * reach) && dy * dy <= (int)(reach * reach);
                }
                assert_int_equal(near_stones_row(&game.board, y, reach) >> x & 1, count > 0);
            }
    }
}

// --- The store ---

static void test_samples(void **state)
{
    (void)state;
    Samples samples;
    Error error = {0};
    assert_done(samples_open(&samples, 4 * sizeof(SampleEntry), &error), error);
    assert_int_equal(samples.mask, 3);
    assert_int_equal(samples_find(&samples, 0).games, 0);
    samples_add(&samples, 5, 10, 9, (PlayoutSample){1, {1, 0}});
    samples_add(&samples, 5, 10, 9, (PlayoutSample){3, {0, 2}});
    PlayoutSample found = samples_find(&samples, 5);
    assert_int_equal(found.games, 4);
    assert_int_equal(found.wins[0], 1);
    assert_int_equal(found.wins[1], 2);
    assert_int_equal(samples_find(&samples, 9).games, 0);
    // Another position in the same place: it stays out while there is more to lose than to win, and comes in when the
    // old one has as few results or lies in the past.
    samples_add(&samples, 9, 10, 9, (PlayoutSample){3, {3, 0}});
    assert_int_equal(samples_find(&samples, 5).games, 4);
    assert_int_equal(samples_find(&samples, 9).games, 0);
    samples_add(&samples, 9, 10, 9, (PlayoutSample){4, {4, 0}});
    assert_int_equal(samples_find(&samples, 5).games, 0);
    assert_int_equal(samples_find(&samples, 9).games, 4);
    samples_add(&samples, 13, 11, 10, (PlayoutSample){1, {0, 0}});
    assert_int_equal(samples_find(&samples, 9).games, 0);
    assert_int_equal(samples_find(&samples, 13).games, 1);
    samples_clear(&samples);
    assert_int_equal(samples_find(&samples, 13).games, 0);
    samples_add(&samples, 5, 10, 9, (PlayoutSample){1, {1, 0}});
    assert_int_equal(samples_find(&samples, 5).games, 1);
    samples_close(&samples);
    samples_close(&samples);
}

// --- Comparing ---

static unsigned all_candidates(const Board *board, Candidate *list)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < count; i++)
        list[i] = (Candidate){.cell = cells[i]};
    return count;
}

// The share of random games that the first player wins, by going through all of them.
static double exact_share(Board *board)
{
    if (board_is_over(board)) {
        Winner winner = board_winner(board);
        return winner == WINNER_FIRST ? 1 : winner == WINNER_SECOND ? 0 : 0.5;
    }
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        sum += exact_share(board);
        board_undo(board, cells[i], before);
    }
    return sum / count;
}

// With and without a store the shares are those of all random games, but for chance: three limits of 0.5 / sqrt(n) and
// a little more, at a fixed seed.
static void check_shares(const char *drawing, const char *rules, Samples *samples)
{
    Game game;
    read_drawing(&game, rules, drawing);
    Candidate list[64];
    unsigned count = all_candidates(&game.board, list);
    Rng rng = rng_make(4);
    Limits limits = {0};
    // What a store holds from a stone earlier is used here, and must not lean to one side.
    (void)montecarlo_compare(&(MonteCarloTask){&game.board, list, count, 3000, limits, samples}, &rng);
    Cell chosen = list[0].cell;
    game_play(&game, chosen);
    count = all_candidates(&game.board, list);
    uint64_t games = montecarlo_compare(&(MonteCarloTask){&game.board, list, count, 4000, limits, samples}, &rng);
    assert_true(samples == NULL ? games == 4000 * (uint64_t)count : games < 4000 * (uint64_t)count);
    for (unsigned i = 0; i < count; i++) {
        Board after = game.board;
        (void)board_play(&after, list[i].cell);
        assert_true(list[i].sample.games >= 4000);
        double share = montecarlo_share(&list[i], SIDE_FIRST), other = montecarlo_share(&list[i], SIDE_SECOND);
        assert_true(share > exact_share(&after) - 0.03 && share < exact_share(&after) + 0.03);
        assert_true(share + other > 0.999999 && share + other < 1.000001);
    }
}

static void test_shares_are_those_of_random_games(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *drawing;
    } boards[] = {
        {"3x3:k=3", "X..\n.O.\n...\nturn X 1\n"},
        {"4x3:k=3,p=2,q=1", "X..O\n.OX.\n....\nturn X 2\n"},
        {"4x4:k=3,gravity", "....\nO...\nXO..\nXOX.\nturn O 1\n"},
        {"4x3:k=3,exact", "X..O\n.O..\nX...\nturn X 1\n"},
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        Samples samples;
        Error error = {0};
        assert_done(samples_open(&samples, 1 << 20, &error), error);
        check_shares(boards[i].drawing, boards[i].rules, NULL);
        check_shares(boards[i].drawing, boards[i].rules, &samples);
        samples_close(&samples);
    }
}

// Whenever the games end, no candidate has had much more than another.
static void test_games_are_spread_evenly(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "5x5:k=4");
    Candidate list[64];
    unsigned count = all_candidates(&game.board, list);
    for (uint64_t most = 1; most < 3000; most = most * 3 / 2 + 1) {
        Rng rng = rng_make(most);
        Limits limits = {.nodes = most};
        assert_int_equal(montecarlo_compare(&(MonteCarloTask){&game.board, list, count, 1000, limits, NULL}, &rng),
                         most);
        uint32_t fewest = UINT32_MAX, sum = 0, highest = 0;
        for (unsigned i = 0; i < count; i++) {
            sum += list[i].sample.games;
            fewest = list[i].sample.games < fewest ? list[i].sample.games : fewest;
            highest = list[i].sample.games > highest ? list[i].sample.games : highest;
        }
        assert_int_equal(sum, most);
        assert_true(highest <= 2 * fewest + 1 && highest - fewest <= 16);
    }
    Rng rng = rng_make(1);
    atomic_bool stop = true;
    Limits limits = {.stop = &stop};
    assert_int_equal(montecarlo_compare(&(MonteCarloTask){&game.board, list, count, 10, limits, NULL}, &rng), 0);
    limits = (Limits){.deadline = 1e-9};
    assert_int_equal(montecarlo_compare(&(MonteCarloTask){&game.board, list, count, 10, limits, NULL}, &rng), 0);
    assert_true(montecarlo_share(&list[0], SIDE_FIRST) < 0);
}

// --- The agent ---

static void decide(const char *text, const Game *game, uint64_t seed, Budget budget, Decision *decision)
{
    Agent agent;
    Error error = {0};
    assert_done(agent_open(&agent, span_of(text), &game->board.rules, &error), error);
    Rng rng = rng_make(seed);
    AgentTask task = {.budget = budget, .rng = &rng};
    agent_decide(&agent, game, &task, decision);
    agent_close(&agent);
    Game after = *game;
    assert_done(referee_play(&after, decision, &error), error);
}

static bool plays(const Game *game, const Decision *decision, const char *cell)
{
    for (unsigned i = 0; i < decision->count; i++)
        if (decision->stones[i] == cell_of(&game->board.rules, cell))
            return true;
    return false;
}

// A win within the turn is found without a game, by one stone, two, or one that must be put below.
static void test_wins_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *drawing, *stone;
        int stones;
    } boards[] = {
        {"7x7:k=5", ".......\n.......\n.......\nOOXXXX.\n.OO.O..\n.......\n.......\nturn X 1\n", "g4", 1},
        {"9x5:k=6,p=2,q=1", ".........\n.OO......\n.OXXXX...\n..O......\n.........\nturn X 2\n", "g3", 2},
        {"9x5:k=6,p=2,q=1", ".........\n.OO......\nOXXX.X.O.\n..O.....O\n.........\nturn X 2\n", "e3", 2},
        {"4x4:k=4,p=2,q=1,gravity", "....\nO.X.\nOXOO\nXOXX\nturn X 2\n", "d4", 2},
        {"6x3:k=3,exact", "......\nXX....\nO.O.X.\nturn X 1\n", "c2", 1},
    };
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            Game game;
            Decision decision;
            read_drawing(&game, boards[i].rules, boards[i].drawing);
            decide("montecarlo", &game, seed, (Budget){.nodes = 1}, &decision);
            assert_true(plays(&game, &decision, boards[i].stone));
            assert_int_equal(decision.proven, PROVEN_WIN);
            assert_int_equal(decision.distance, boards[i].stones);
            assert_int_equal(decision.count, boards[i].stones);
            assert_int_equal(decision.nodes, 0);
            assert_true(decision.score == 1);
        }
}

// Without `finish` a single winning stone is still played, a pair is left to chance.
static void test_finish_is_an_option(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "7x7:k=5", ".......\n.......\n.......\nOOXXXX.\n.OO.O..\n.......\n.......\nturn X 1\n");
    decide("montecarlo:finish=0", &game, 1, (Budget){.nodes = 1}, &decision);
    assert_true(plays(&game, &decision, "g4"));
    read_drawing(&game, "9x5:k=6,p=2,q=1", ".........\n.OO......\n.OXXXX...\n..O......\n.........\nturn X 2\n");
    unsigned found = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        decide("montecarlo:finish=0,candidates=0,playouts=1", &game, seed, (Budget){0}, &decision);
        found += decision.proven == PROVEN_WIN;
    }
    assert_true(found < 20);
}

// A row that has to be stopped is stopped when there are games enough, with the store and without it.
static void test_blocks(void **state)
{
    (void)state;
    static const char *const agents[] = {"montecarlo:block=0,candidates=0,cache=0",
                                         "montecarlo:block=0,candidates=0,reach=1", "montecarlo:block=0",
                                         "montecarlo:block=0,candidates=8,rater=windows", "montecarlo:playouts=1"};
    Game game;
    Decision decision;
    for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            read_drawing(&game, "5x5:k=4", ".....\n.....\nOXXX.\n..O..\n.....\nturn O 1\n");
            decide(agents[i], &game, seed, (Budget){0}, &decision);
            assert_true(plays(&game, &decision, "e3"));
            read_drawing(&game, "connect4", ".......\n.......\n.......\n.......\n.O.....\nOXXX...\nturn O 1\n");
            decide(agents[i], &game, seed, (Budget){0}, &decision);
            assert_true(plays(&game, &decision, "e1"));
        }
}

// With `block`, both stones of a turn stand in the way of a row that needs two, however few games are played; without
// it chance decides.
static void test_block_is_an_option(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    read_drawing(&game, "11x5:k=6,p=2,q=1",
                 "..O........\n...........\n...XXXX....\n.O.......O.\n...........\nturn O 2\n");
    unsigned others = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        decide("montecarlo:playouts=1", &game, seed, (Budget){0}, &decision);
        Game after = game;
        Error error = {0};
        assert_done(referee_play(&after, &decision, &error), error);
        assert_int_equal(cell_row(decision.stones[0]), 2);
        // One stone next to the row leaves a window that the other one has to stop.
        assert_int_equal(cell_row(decision.stones[1]), 2);
        decide("montecarlo:playouts=1,candidates=0,block=0", &game, seed, (Budget){0}, &decision);
        others += cell_row(decision.stones[0]) != 2 || cell_row(decision.stones[1]) != 2;
    }
    assert_true(others > 0);
}

static void test_candidates(void **state)
{
    (void)state;
    Game game;
    Decision decision;
    for (uint64_t seed = 0; seed < 10; seed++) {
        // On the empty board, the middle; then around the stones.
        begin_game(&game, "connect6");
        decide("montecarlo:playouts=1,candidates=0,reach=1", &game, seed, (Budget){0}, &decision);
        assert_true(plays(&game, &decision, "j10"));
        assert_int_equal(decision.nodes, 0);
        decide("montecarlo:playouts=1,candidates=0", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.nodes, 361);
        begin_game(&game, "8x6:k=5,gravity");
        decide("montecarlo:playouts=3,candidates=0,reach=1", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.nodes, 2 * 3);
        begin_game(&game, "gomoku");
        play_text(&game, "h8");
        decide("montecarlo:playouts=2,candidates=0,reach=1", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.nodes, 2 * 8);
        decide("montecarlo:playouts=2,candidates=0,reach=2", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.nodes, 2 * 24);
        decide("montecarlo:playouts=2,reach=2,candidates=7", &game, seed, (Budget){0}, &decision);
        assert_int_equal(decision.nodes, 2 * 7);
    }
    // Of one candidate, the cell its rater would play.
    static const char *const drawing =
        ".........\n.........\n.........\n.........\n..XX.X...\n.........\nXXOXX.OXX\nO...O....\n.........\nturn O 1\n";
    static const char *const agents[] = {"montecarlo:candidates=1,block=0",
                                         "montecarlo:candidates=1,rater=windows,block=0",
                                         "montecarlo:candidates=1,rater=threats:c=5+priority=0,block=0"};
    for (int i = 0; i < 3; i++) {
        read_drawing(&game, "9x9:k=5", drawing);
        decide(agents[i], &game, 1, (Budget){0}, &decision);
        assert_true(plays(&game, &decision, "e5"));
        assert_int_equal(decision.nodes, 0);
    }
}

static void test_bad_raters(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Agent agent;
    Error error = {0};
    assert_refused(agent_open(&agent, span_of("montecarlo:rater=engine"), &rules, &error), error,
                   "option 'rater': 'engine' does not rate cells");
    assert_refused(agent_open(&agent, span_of("montecarlo:rater=missing"), &rules, &error), error,
                   "no agent 'missing'");
    assert_refused(agent_open(&agent, span_of("montecarlo:rater=threats:depth=2+width=4"), &rules, &error), error,
                   "without a search");
    assert_refused(agent_open(&agent, span_of("montecarlo:rater=threats:c=0"), &rules, &error), error, "option 'c'");
}

// Same seed, same turn, also in the middle of a game with results from before; and no more games than allowed.
static void test_seeds_and_budgets(void **state)
{
    (void)state;
    static const char *const agents[] = {"montecarlo:playouts=20", "montecarlo:playouts=20,cache=0"};
    for (size_t i = 0; i < sizeof agents / sizeof agents[0]; i++) {
        Game first = {0};
        for (int round = 0; round < 2; round++) {
            Rules rules = rules_of("6x6:k=4,p=2,q=1");
            Agent agent;
            Error error = {0};
            assert_done(agent_open(&agent, span_of(agents[i]), &rules, &error), error);
            Game game;
            // The second round is a second game of the same agent.
            for (int n = 0; n <= round; n++) {
                Rng rng = rng_make(8);
                AgentTask task = {.budget = {.nodes = 150}, .rng = &rng};
                Decision decision;
                game_init(&game, &rules);
                agent_new_game(&agent);
                while (!game_is_over(&game)) {
                    agent_decide(&agent, &game, &task, &decision);
                    assert_in_range(decision.nodes, 0, 150);
                    assert_done(referee_play(&game, &decision, &error), error);
                }
            }
            if (round == 0)
                first = game;
            assert_int_equal(game.played, first.played);
            assert_memory_equal(game.stones, first.stones, game.played * sizeof game.stones[0]);
            agent_close(&agent);
        }
    }
}

// A second request for the same position plays no games.
static void test_results_are_kept(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "7x7:k=5");
    play_text(&game, "d4 d5");
    Agent agent;
    Error error = {0};
    Decision first, again;
    assert_done(agent_open(&agent, span_of("montecarlo:candidates=0,reach=1,playouts=50"), &game.board.rules, &error),
                error);
    Rng rng = rng_make(1);
    AgentTask task = {.rng = &rng};
    agent_decide(&agent, &game, &task, &first);
    agent_decide(&agent, &game, &task, &again);
    assert_true(first.nodes > 400 && again.nodes < first.nodes / 10);
    assert_string_equal(again.count_list[1].name, "reused");
    assert_true(first.counts == 2 && again.counts == 2);
    assert_true(first.count_list[0].value == first.nodes && first.count_list[1].value == 0);
    assert_true(again.count_list[0].value == again.nodes && again.count_list[1].value >= first.nodes);
    assert_true(first.score == again.score);
    agent_new_game(&agent);
    agent_decide(&agent, &game, &task, &again);
    assert_int_equal(again.nodes, first.nodes);
    agent_close(&agent);
}

// --- Under a search ---

// Ratings depend on the seed and the position, not on the positions rated before.
static void test_ratings_depend_on_the_position(void **state)
{
    (void)state;
    static const char *const moves[] = {"e5", "e5 d5 d6", "e5 d4 f6", "e5 d5 d6 f4 c3", "e5"};
    enum { ASKED = sizeof moves / sizeof moves[0] };
    Ratings ratings[2][ASKED];
    for (unsigned order = 0; order < 2; order++) {
        Game game;
        Agent agent;
        Error error = {0};
        begin_game(&game, "9x9:k=5,p=2,q=1");
        assert_done(agent_open(&agent, span_of("montecarlo:playouts=30"), &game.board.rules, &error), error);
        agent.kind->seed(agent.state, 5);
        for (unsigned i = 0; i < ASKED; i++) {
            unsigned asked = order == 0 ? i : ASKED - 1 - i;
            begin_game(&game, "9x9:k=5,p=2,q=1");
            play_text(&game, moves[asked]);
            agent_rate(&agent, &game);
            ratings[order][asked] = *agent.ratings;
        }
        agent_close(&agent);
    }
    for (unsigned i = 0; i < ASKED; i++) {
        assert_int_equal(ratings[0][i].count, 10);
        for (unsigned j = 0; j < ratings[0][i].count; j++) {
            const RatedCell *one = &ratings[0][i].cells[j], *other = &ratings[1][i].cells[j];
            assert_true(one->cell == other->cell && one->utility == other->utility);
            assert_true(one->utility >= -1 && one->utility <= 1);
        }
    }
}

// A search of three stones finds a win that ratings of single cells leave to chance, and repeats its turn.
static void test_a_search_over_random_games(void **state)
{
    (void)state;
    Game game;
    Decision decision, again;
    read_drawing(&game, "7x7:k=4", ".......\n.......\n.......\n..XX...\n..O....\n.....O.\n.......\nturn X 1\n");
    for (uint64_t seed = 0; seed < 5; seed++) {
        decide("montecarlo:depth=3,width=0,candidates=0,reach=1,playouts=5", &game, seed, (Budget){0}, &decision);
        decide("montecarlo:depth=3,width=0,candidates=0,reach=1,playouts=5", &game, seed, (Budget){0}, &again);
        assert_true(decision.score > 1e20 && decision.depth == 3);
        assert_true(plays(&game, &decision, "b4") || plays(&game, &decision, "e4"));
        assert_int_equal(decision.stones[0], again.stones[0]);
        assert_int_equal(decision.nodes, again.nodes);
    }
    // Both stones of a turn, with another table of ratings for every seed.
    begin_game(&game, "connect6");
    play_text(&game, "j10 k11 l12");
    decide("montecarlo:depth=2,width=3,playouts=20", &game, 1, (Budget){0}, &decision);
    decide("montecarlo:depth=2,width=3,playouts=20", &game, 1, (Budget){0}, &again);
    assert_int_equal(decision.count, 2);
    assert_memory_equal(decision.stones, again.stones, 2 * sizeof(Cell));
    assert_true(decision.score == again.score);
}

TEST_GROUP(montecarlo)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_shares_are_those_of_random_games),
        cmocka_unit_test(test_games_are_spread_evenly),
        cmocka_unit_test(test_wins_are_found),
        cmocka_unit_test(test_finish_is_an_option),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_block_is_an_option),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_bad_raters),
        cmocka_unit_test(test_seeds_and_budgets),
        cmocka_unit_test(test_results_are_kept),
        cmocka_unit_test(test_ratings_depend_on_the_position),
        cmocka_unit_test(test_a_search_over_random_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
