// Tests of schedules, duels, results, events and the runner.
#include "support/check.h"

#include "base/clock.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "match/results.h"
#include "match/runner.h"
#include "match/tournament.h"
#include "threats/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Schedules ---

static void test_every_pair_plays_every_game_with_both_colours(void **state)
{
    (void)state;
    for (unsigned agents = 2; agents <= 5; agents++)
        for (unsigned games = 1; games <= 7; games++)
            for (int format = 0; format < 3; format++) {
                Schedule schedule = {(ScheduleFormat)format, agents, games, 3};
                unsigned played[5][5] = {0}, total = schedule_games(&schedule);
                for (unsigned i = 0; i < total; i++) {
                    ScheduledGame game = schedule_game(&schedule, i);
                    assert_true(game.a < game.b && game.b < agents && game.opening < 3);
                    assert_true(format != SCHEDULE_GAUNTLET || game.a == 0);
                    assert_true(format != SCHEDULE_LADDER || game.b == game.a + 1);
                    played[game.reversed ? game.b : game.a][game.reversed ? game.a : game.b]++;
                    if (i % 2 == 1 && i < games / 2 * 2 * schedule_pairs(&schedule)) {
                        ScheduledGame twin = schedule_game(&schedule, i - 1);
                        assert_true(twin.a == game.a && twin.b == game.b && twin.opening == game.opening);
                        assert_true(!twin.reversed && game.reversed);
                    }
                }
                for (unsigned a = 0; a < agents; a++)
                    for (unsigned b = a + 1; b < agents; b++) {
                        bool meet = format == SCHEDULE_LADDER     ? b == a + 1
                                    : format == SCHEDULE_GAUNTLET ? a == 0
                                                                  : true;
                        assert_int_equal(played[a][b] + played[b][a], meet ? games : 0);
                        assert_true(played[a][b] - played[b][a] <= 1);
                    }
            }
}

// --- Duels with agents that misbehave ---

typedef enum {
    PLAY_FIRST_LEGAL,
    PLAY_TAKEN,
    PLAY_TOO_FEW,
    PLAY_TOO_MANY,
    PLAY_LATE,
    PLAY_HELD,
    PLAY_SHORT,
    PLAY_FAULT
} Manner;

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Manner manner = *(const Manner *)state;
    Cell cells[RULES_CELLS_MAX];
    (void)task;
    decision->count = board_stones_left(&game->board);
    (void)board_legal_cells(&game->board, cells);
    for (unsigned i = 0; i < decision->count; i++)
        decision->stones[i] = cells[i];
    if (game->played < 2)
        return;
    if (manner == PLAY_TAKEN)
        decision->stones[0] = game->stones[0];
    if (manner == PLAY_TOO_FEW)
        decision->count = 0;
    if (manner == PLAY_TOO_MANY)
        decision->stones[decision->count++] = cells[3];
    if (manner == PLAY_LATE || manner == PLAY_HELD) {
        double begin = clock_seconds();
        clock_sleep(0.15);
        decision->rested = manner == PLAY_HELD ? clock_seconds() - begin : 0;
    }
    if (manner == PLAY_SHORT)
        decision->rested = -0.0004;
    if (manner == PLAY_FAULT) {
        decision->fault = FAULT_CRASH;
        (void)snprintf(decision->fault_text, sizeof decision->fault_text, "it fell over");
    }
}

static const AgentKind fake = {.name = "fake", .summary = "", .source = "", .decide = decide};

static void play_duel(Duel *duel, const char *rules, Manner first, Manner second, const DuelLimits *limits)
{
    Agent a = {.kind = &fake, .state = &first}, b = {.kind = &fake, .state = &second};
    *duel = (Duel){.seed = 1};
    begin_game(&duel->game, rules);
    duel_play(duel, &(DuelSetup){.agents = {&a, &b}, .limits = limits});
}

static void test_faults_lose_the_game(void **state)
{
    (void)state;
    static Duel duel;
    static const struct {
        Manner manner;
        Reason reason;
        Fault fault;
        const char *words;
    } cases[] = {
        {PLAY_TAKEN, REASON_ILLEGAL, FAULT_ILLEGAL, "taken"},
        {PLAY_TOO_FEW, REASON_ILLEGAL, FAULT_ILLEGAL, "0 stones"},
        {PLAY_TOO_MANY, REASON_ILLEGAL, FAULT_ILLEGAL, "2 stones"},
        {PLAY_LATE, REASON_TIMEOUT, FAULT_TIMEOUT, "s used, "},
        {PLAY_FAULT, REASON_CRASH, FAULT_CRASH, "fell over"},
    };
    DuelLimits limits = {.turn_seconds = 0.02};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        play_duel(&duel, "9x9:k=5", PLAY_FIRST_LEGAL, cases[i].manner, &limits);
        assert_int_equal(duel.result, RESULT_FIRST);
        assert_int_equal(duel.reason, cases[i].reason);
        assert_int_equal(duel.fault, cases[i].fault);
        assert_int_equal(duel.faulty, SIDE_SECOND);
        assert_non_null(strstr(duel.words, cases[i].words));
        play_duel(&duel, "9x9:k=5", cases[i].manner, PLAY_FIRST_LEGAL, &limits);
        assert_int_equal(duel.result, RESULT_SECOND);
        assert_int_equal(duel.faulty, SIDE_FIRST);
    }
}

static void test_the_clock_runs_out(void **state)
{
    (void)state;
    static Duel duel;
    DuelLimits limits = {.clock_seconds = 0.2};
    play_duel(&duel, "9x9:k=9", PLAY_LATE, PLAY_FIRST_LEGAL, &limits);
    assert_int_equal(duel.result, RESULT_SECOND);
    assert_int_equal(duel.reason, REASON_TIMEOUT);
    // With an increment, the clock does not run out.
    limits.increment = 10;
    limits.max_turns = 8;
    play_duel(&duel, "9x9:k=9", PLAY_LATE, PLAY_FIRST_LEGAL, &limits);
    assert_int_equal(duel.reason, REASON_TURNS);
    assert_int_equal(duel.result, RESULT_DRAW);
    assert_int_equal(duel.turns[0] + duel.turns[1], 8);
}

// Time in which krow delays an agent does not count for the agent.
static void test_rest_is_not_on_the_clock(void **state)
{
    (void)state;
    static Duel duel;
    DuelLimits limits = {.turn_seconds = 0.02, .max_turns = 6};
    play_duel(&duel, "9x9:k=9", PLAY_HELD, PLAY_FIRST_LEGAL, &limits);
    assert_int_equal(duel.reason, REASON_TURNS);
    assert_int_equal(duel.turns[0], 3);
}

// Turns below half a millisecond do not vanish from the times of a stored game.
static void test_short_turns_add_up(void **state)
{
    (void)state;
    static Duel duel;
    DuelLimits limits = {.max_turns = 41};
    play_duel(&duel, "9x9:k=9", PLAY_SHORT, PLAY_FIRST_LEGAL, &limits);
    int64_t noted[2] = {0};
    for (unsigned i = 0; i < duel.game.played; i++)
        noted[i % 2] += duel.ms[i];
    assert_true(noted[0] >= 20 * 4 / 10);
    for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++)
        assert_true(fabs((double)noted[side] - 1000 * duel.seconds[side]) <= 0.501);
}

static void test_ends_by_the_board(void **state)
{
    (void)state;
    static Duel duel;
    DuelLimits none = {0};
    play_duel(&duel, "5x5:k=5,p=5,q=5", PLAY_FIRST_LEGAL, PLAY_FIRST_LEGAL, &none);
    assert_int_equal(duel.result, RESULT_FIRST);
    assert_int_equal(duel.reason, REASON_ROW);
    assert_int_equal(duel.game.played, 5);
    // X a1, O b1: X lacks cells for its second stone, O has no cell.
    play_duel(&duel, "3x1:k=2", PLAY_FIRST_LEGAL, PLAY_FIRST_LEGAL, &none);
    assert_int_equal(duel.result, RESULT_DRAW);
    assert_int_equal(duel.reason, REASON_DEAD);
    assert_int_equal(duel.game.played, 2);
    assert_true(duel.ms[0] >= 0);
}

// --- Counters of agents ---

static void test_own_counts(void **state)
{
    (void)state;
    OwnCounts own = {0};
    assert_true(own_counts_add(&own, "tried", 3));
    assert_true(own_counts_add(&own, "again", 0));
    assert_true(own_counts_add(&own, "tried", 4));
    assert_true(own_counts_add(&own, "z", UINT64_MAX));
    assert_true(own_counts_add(&own, "b", 1));
    static const OwnCount expected[] = {{"again", 0}, {"b", 1}, {"tried", 7}, {"z", UINT64_MAX}};
    assert_int_equal(own.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(own.list[i].name, expected[i].name);
        assert_true(own.list[i].value == expected[i].value);
    }
    assert_false(own_counts_add(&own, "a", 1));
    assert_true(own_counts_add(&own, "b", 1));
    assert_int_equal(own.list[1].value, 2);
    own = (OwnCounts){0};
    assert_false(own_counts_add(&own, "abcdefghijklmnopqrstuvwx", 1));
    assert_int_equal(own.count, 0);
    assert_true(own_counts_add(&own, "abcdefghijklmnopqrstuvw", 1));
}

// Counts its turns and the stones it sees, except in its first turn, like an agent that played from a book.
static void decide_counting(void *unused, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)unused;
    static Manner manner = PLAY_FIRST_LEGAL;
    decide(&manner, game, task, decision);
    if (game->played < 2)
        return;
    decision->counts = 2;
    decision->count_list[0] = (DecisionCount){"turns", 1};
    decision->count_list[1] = (DecisionCount){"seen", game->played};
}

static const AgentKind counting = {.name = "counting", .summary = "", .source = "", .decide = decide_counting};

static void test_a_duel_adds_up_what_agents_count(void **state)
{
    (void)state;
    static Duel duel;
    Manner manner = PLAY_FIRST_LEGAL;
    Agent a = {.kind = &fake, .state = &manner}, b = {.kind = &counting};
    DuelLimits limits = {.max_turns = 7};
    duel = (Duel){.seed = 1};
    begin_game(&duel.game, "9x9:k=9");
    duel_play(&duel, &(DuelSetup){.agents = {&a, &b}, .limits = &limits});
    assert_int_equal(duel.own[0].count, 0);
    // It is asked with 1, 3 and 5 stones on the board.
    assert_int_equal(duel.own[1].count, 2);
    assert_string_equal(duel.own[1].list[0].name, "seen");
    assert_int_equal(duel.own[1].list[0].value, 8);
    assert_int_equal(duel.own[1].list[1].value, 2);
    GameCounts counts = results_counts_of(&duel);
    assert_memory_equal(counts.own, duel.own, sizeof duel.own);
    assert_int_equal(counts.length, 7);
}

static void test_turns_of_stones(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        unsigned stones, turns;
    } cases[] = {
        {"connect6", 0, 0},        {"connect6", 1, 1},        {"connect6", 2, 2},        {"connect6", 3, 2},
        {"connect6", 4, 3},        {"connect6", 239, 120},    {"gomoku", 9, 9},          {"9x9:k=5,p=3,q=2", 1, 1},
        {"9x9:k=5,p=3,q=2", 2, 1}, {"9x9:k=5,p=3,q=2", 3, 2}, {"9x9:k=5,p=3,q=2", 5, 2}, {"9x9:k=5,p=3,q=2", 6, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rules rules = rules_of(cases[i].rules);
        assert_int_equal(results_length(&rules, cases[i].stones), cases[i].turns);
    }
}

// --- Results ---

static void test_results_count_pairs_and_colours(void **state)
{
    (void)state;
    Schedule schedule = {SCHEDULE_ROUND_ROBIN, 2, 5, 0};
    Results results;
    results_open(&results, &schedule);
    // A wins both of the first pair, wins and draws the second, and the single game is drawn. A plays second in 1
    // and 3.
    const Result played[] = {RESULT_FIRST, RESULT_SECOND, RESULT_FIRST, RESULT_DRAW, RESULT_DRAW};
    static const unsigned order[] = {3, 0, 4, 2, 1};
    for (int i = 0; i < 5; i++) {
        GameCounts game = {.number = order[i], .result = played[order[i]], .turns = {2, 1}, .seconds = {1, 3}};
        game.length = order[i];
        if (order[i] != 4)
            assert_true(own_counts_add(&game.own[order[i] % 2], "counted", 10 + order[i]));
        if (order[i] == 3) {
            game.fault = FAULT_TIMEOUT;
            game.faulty = SIDE_SECOND; // in game 3 A is the second player
        }
        results_add(&results, &game);
    }
    const HeadToHead *pair = &results.pairs[0];
    assert_int_equal(pair->games.wins, 3);
    assert_int_equal(pair->games.draws, 2);
    assert_int_equal(pair->games.losses, 0);
    assert_int_equal(pair->pairs[PAIR_WW], 1);
    assert_int_equal(pair->pairs[PAIR_WD], 1);
    assert_int_equal(results.table[1].wins, 2);
    assert_int_equal(results.table[1].draws, 1);
    assert_int_equal(results.table[2].losses, 1);
    assert_int_equal(results.table[2].draws, 1);
    assert_int_equal(results.agents[0].faults.timeout, 1);
    assert_int_equal(results.agents[1].faults.timeout, 0);
    assert_int_equal(results.agents[0].turns, 2 * 3 + 1 * 2);
    // Lengths of all games; counters of the games that reported them, for both colours.
    assert_int_equal(results.lengths[0].n, 5);
    assert_true(results.lengths[0].sum == 0 + 1 + 2 + 3 + 4 && results.lengths[0].squares == 30);
    Sample own = results_own(&results, 0, "counted");
    assert_int_equal(own.n, 4);
    assert_true(own.sum == 10 + 11 + 12 + 13 && own.squares == 100 + 121 + 144 + 169);
    assert_int_equal(results_own(&results, 1, "counted").n, 0);
    assert_int_equal(results_own(&results, 0, "tol").n, 0);
    Tally second = results_of_agent(&results, 1);
    assert_int_equal(second.wins, 0);
    assert_int_equal(second.draws, 2);
    assert_int_equal(second.losses, 3);
    results_close(&results);
}

// --- Events ---

static void test_a_tournament_file(void **state)
{
    (void)state;
    Tournament event;
    Error error = {0};
    tournament_init(&event);
    const char *text =
        "# all of it\ngame connect6\nagents random adjacent # two\nagent adjacent:reach=2\n"
        "format gauntlet\r\ngames 20\nopenings 7\ntime 0.5\nclock 60+1.5\nnodes 1000\ndepth 3\nturns 99\n"
        "seed 42\n";
    assert_done(tournament_read(&event, span_of(text), &error), error);
    assert_done(tournament_check(&event, NULL, &error), error);
    Text canonical = {0};
    tournament_write(&event, NULL, &canonical);
    assert_string_equal(canonical.data,
                        "game 19x19:k=6,p=2,q=1\nagent random\nagent adjacent\nagent adjacent:reach=2\n"
                        "format gauntlet\ngames 20\ntime 0.5\nclock 60+1.5\nnodes 1000\ndepth 3\nturns 99\nseed 42\n");
    assert_int_equal(event.openings, 7);
    text_close(&canonical);
    tournament_close(&event);
}

static void test_kinds_of_openings(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned count;
        bool balanced;
        const char *file;
    } lines[] = {{"openings 7\n", 7, true, NULL},
                 {"openings 7 random\n", 7, false, NULL},
                 {"openings 7,random\n", 7, false, NULL},
                 {"openings 7.sgf\n", 0, false, "7.sgf"}};
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        Tournament event;
        Error error = {0};
        tournament_init(&event);
        assert_done(tournament_read(&event, span_of(lines[i].line), &error), error);
        assert_int_equal(event.openings, lines[i].count);
        assert_int_equal(event.balanced, lines[i].balanced);
        assert_int_equal(event.openings_file != NULL, lines[i].file != NULL);
        if (lines[i].file != NULL)
            assert_string_equal(event.openings_file, lines[i].file);
        tournament_close(&event);
    }
}

static void expect_bad_event(const char *text, const char *words)
{
    Tournament event;
    Error error = {0};
    tournament_init(&event);
    Status status = tournament_read(&event, span_of(text), &error);
    if (status == STATUS_OK)
        status = tournament_check(&event, NULL, &error);
    assert_refused(status, error, words);
    tournament_close(&event);
}

static void test_bad_tournament_files(void **state)
{
    (void)state;
    expect_bad_event("", "no game");
    expect_bad_event("game gomoku\n", "not 0");
    expect_bad_event("game gomoku\nagents random\n", "not 1");
    expect_bad_event("game gomoku\nagents random missing\n", "no agent 'missing'");
    expect_bad_event("game gomoku\nagents random human\n", "krow play");
    expect_bad_event("game nope\n", "line 1: game 'nope'");
    expect_bad_event("game gomoku\nfrmat x\n", "line 2: 'frmat' is not one of");
    expect_bad_event("format knockout\n", "line 1: 'knockout' is not one of");
    expect_bad_event("\n\ngames 0\n", "line 3: '0'");
    expect_bad_event("games\n", "line 1: 'games' has no value");
    expect_bad_event("seed 1\nseed 2\n", "line 2: 'seed' is repeated");
    expect_bad_event("time -1\n", "'-1' is not a number of seconds");
    expect_bad_event("clock 60+x\n", "'60+x' is not a clock");
    expect_bad_event("clock x\n", "'x' is not a number of seconds");
    expect_bad_event("game gomoku\nagents random random\ngames 1000000\nagents random\n",
                     "exceed the limit of 1000000 games");
}

// --- Openings ---

static void test_openings_are_quiet_and_different(void **state)
{
    (void)state;
    static const char *const games[] = {"gomoku", "connect6", "connect4", "9x9:k=4,p=2,q=1", "standard"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        Error error = {0};
        Openings openings = {0}, again = {0}, other = {0};
        OpeningRecipe recipe = opening_recipe(&rules, 7);
        assert_done(openings_make(&recipe, &rules, 40, &openings, &error), error);
        assert_done(openings_make(&recipe, &rules, 40, &again, &error), error);
        recipe.seed = 8;
        assert_done(openings_make(&recipe, &rules, 40, &other, &error), error);
        uint64_t keys[40];
        unsigned differ = 0;
        for (unsigned j = 0; j < 40; j++) {
            assert_int_equal(openings.list[j].count, again.list[j].count);
            assert_memory_equal(openings.list[j].stones, again.list[j].stones, openings.list[j].count * sizeof(Cell));
            differ += openings.list[j].count != other.list[j].count ||
                      memcmp(openings.list[j].stones, other.list[j].stones, openings.list[j].count * sizeof(Cell)) != 0;
            Game game;
            game_init(&game, &rules);
            assert_done(opening_play(&openings.list[j], &game, &error), error);
            assert_false(lines_can_complete(&game.board, SIDE_FIRST, rules.p));
            assert_false(lines_can_complete(&game.board, SIDE_SECOND, rules.p));
            Board canonical;
            (void)symmetry_canonical(&game.board, &canonical);
            keys[j] = board_key(&canonical);
            for (unsigned l = 0; l < j; l++)
                assert_true(keys[l] != keys[j]);
        }
        assert_true(differ > 20);
        openings_close(&openings);
        openings_close(&again);
        openings_close(&other);
    }
}

// As described by Kulev and Wu: from whole games, including positions with threats, unless a short search decides them.
static void test_undecided_openings(void **state)
{
    (void)state;
    static const char *const games[] = {"13x13:k=5", "9x9:k=5,p=2,q=1", "connect4"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        Error error = {0};
        Openings openings = {0}, again = {0};
        OpeningRecipe recipe = {.agent = "alphabeta:depth=1",
                                .chance = 0.9,
                                .min_turns = 2,
                                .max_turns = 12,
                                .keep_unquiet = true,
                                .undecided = 2,
                                .seed = 5};
        assert_done(openings_make(&recipe, &rules, 30, &openings, &error), error);
        assert_done(openings_make(&recipe, &rules, 30, &again, &error), error);
        unsigned unquiet = 0, longest = 0;
        for (unsigned j = 0; j < 30; j++) {
            Game game;
            game_init(&game, &rules);
            assert_done(opening_play(&openings.list[j], &game, &error), error);
            assert_int_equal(openings.list[j].count, again.list[j].count);
            assert_in_range(openings.list[j].count, rules.q + rules.p, rules.q + 11 * rules.p);
            assert_int_equal(board_stones_left(&game.board), rules.p);
            assert_false(lines_can_complete(&game.board, board_side(&game.board), rules.p));
            unquiet += lines_can_complete(&game.board, side_other(board_side(&game.board)), rules.p);
            longest = openings.list[j].count > longest ? openings.list[j].count : longest;
        }
        assert_true(longest > 5 && (rules.k > 4 || unquiet > 0));
        openings_close(&openings);
        openings_close(&again);
    }
}

// The engine evaluates each of them as even; without the filter, there are others.
static void test_balanced_openings(void **state)
{
    (void)state;
    static const char *const games[] = {"gomoku", "connect6", "6x5:k=4,gravity"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        Error error = {0};
        Agent engine;
        Decision *decision = malloc(sizeof *decision);
        assert_non_null(decision);
        assert_done(agent_open(&engine, span_of("engine:book=0,memory=16"), &rules, &error), error);
        unsigned even[2] = {0};
        for (unsigned filtered = 0; filtered < 2; filtered++) {
            Openings openings = {0};
            OpeningRecipe recipe = opening_recipe(&rules, 3);
            recipe.balanced = filtered > 0 ? 500 : 0;
            assert_done(openings_make(&recipe, &rules, 8, &openings, &error), error);
            for (unsigned j = 0; j < 8; j++) {
                Game game;
                Rng rng = rng_make(1);
                AgentTask task = {.budget = {.nodes = 500}, .rng = &rng};
                game_init(&game, &rules);
                assert_done(opening_play(&openings.list[j], &game, &error), error);
                agent_new_game(&engine);
                agent_decide(&engine, &game, &task, decision);
                even[filtered] += decision->proven == PROVEN_DRAW ||
                                  (decision->proven == PROVEN_NOTHING && fabs(decision->score) <= 0.8);
            }
            openings_close(&openings);
        }
        assert_int_equal(even[1], 8);
        assert_true(even[0] < 8);
        agent_close(&engine);
        free(decision);
    }
}

// The positions that were considered are more than the openings: almost none of this game is balanced.
static void test_many_candidates(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=4");
    Error error = {0};
    Openings openings = {0};
    OpeningRecipe recipe = opening_recipe_balanced(&rules, 1, 200);
    recipe.balanced = 200;
    recipe.candidates = 1500;
    assert_failed(openings_make(&recipe, &rules, 200, &openings, &error), STATUS_FAILED, error, "only");
    assert_in_range(openings.count, 1, 199);
    openings_close(&openings);
}

static void test_more_openings_than_there_are(void **state)
{
    (void)state;
    Rules rules = rules_of("3x3:k=3");
    Error error = {0};
    Openings openings = {0};
    OpeningRecipe recipe = opening_recipe(&rules, 1);
    assert_failed(openings_make(&recipe, &rules, 500, &openings, &error), STATUS_FAILED, error, "only");
    openings_close(&openings);
}

// --- The runner ---

typedef struct {
    Text lines[64];
    unsigned published, expected_next;
} Log;

static Status log_finished(void *context, const Duel *duel, Error *error)
{
    (void)error;
    Log *log = context;
    Text *line = &log->lines[duel->number];
    assert_int_equal(line->length, 0);
    text_add(line, "%u %u %u %u %llu %d %d: ", duel->number, duel->agents[0], duel->agents[1], duel->opening,
             (unsigned long long)duel->seed, (int)duel->result, (int)duel->reason);
    game_write(&duel->game, line);
    return STATUS_OK;
}

static bool log_published(void *context, const Duel *duel)
{
    Log *log = context;
    assert_true(duel->number >= log->expected_next);
    log->expected_next = duel->number + 1;
    log->published++;
    return false;
}

static void run_logged(Log *log, unsigned jobs, bool (*is_played)(void *, unsigned))
{
    static const char *const agents[] = {"random", "adjacent", "adjacent:reach=2"};
    Openings openings = {0};
    Error error = {0};
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 3, 20, 5}, .seed = 9, .jobs = jobs};
    config.rules = rules_of("9x9:k=5");
    OpeningRecipe recipe = opening_recipe(&config.rules, 2);
    assert_done(openings_make(&recipe, &config.rules, 5, &openings, &error), error);
    config.openings = &openings;
    config.limits.nodes = 100;
    RunnerSink sink = {log, is_played, log_finished, log_published};
    assert_done(runner_run(&config, &sink, &error), error);
    openings_close(&openings);
}

static void test_records_do_not_depend_on_jobs(void **state)
{
    (void)state;
    static Log one, four;
    run_logged(&one, 1, NULL);
    run_logged(&four, 4, NULL);
    assert_int_equal(one.published, 60);
    assert_int_equal(four.published, 60);
    for (unsigned i = 0; i < 60; i++) {
        assert_string_equal(one.lines[i].data, four.lines[i].data);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(one.lines[i].data, one.lines[j].data);
    }
    for (unsigned i = 0; i < 64; i++) {
        text_close(&one.lines[i]);
        text_close(&four.lines[i]);
    }
}

static bool odd_was_played(void *context, unsigned number)
{
    (void)context;
    return number % 2 == 1;
}

static void test_a_resumed_match_plays_only_what_is_missing(void **state)
{
    (void)state;
    static Log log;
    run_logged(&log, 3, odd_was_played);
    assert_int_equal(log.published, 30);
    for (unsigned i = 0; i < 60; i++)
        assert_int_equal(log.lines[i].length > 0, i % 2 == 0);
    for (unsigned i = 0; i < 64; i++)
        text_close(&log.lines[i]);
}

enum { MANY_GAMES = 60000 };

static Status count_finished(void *context, const Duel *duel, Error *error)
{
    uint8_t *times = context;
    (void)error;
    times[duel->number]++;
    return STATUS_OK;
}

// Games so short that other threads run far ahead of a thread that is not scheduled and have to wait for it.
static void test_no_game_is_played_twice_when_workers_wait(void **state)
{
    (void)state;
    static const char *const agents[] = {"random", "random"};
    static uint8_t times[MANY_GAMES];
    Error error = {0};
    RunnerConfig config = {
        .agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, MANY_GAMES, 0}, .seed = 9, .jobs = 6};
    config.rules = rules_of("1x1:k=1");
    RunnerSink sink = {.context = times, .is_played = odd_was_played, .finished = count_finished};
    assert_done(runner_run(&config, &sink, &error), error);
    for (unsigned i = 0; i < MANY_GAMES; i++)
        assert_int_equal(times[i], i % 2 == 0);
}

static bool enough_after_ten(void *context, const Duel *duel)
{
    (void)duel;
    return ++*(unsigned *)context == 10;
}

static void test_enough_is_enough(void **state)
{
    (void)state;
    static const char *const agents[] = {"random", "adjacent"};
    unsigned count = 0;
    Error error = {0};
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, 100, 0}, .seed = 9, .jobs = 2};
    config.rules = rules_of("tictactoe");
    RunnerSink sink = {.context = &count, .published = enough_after_ten};
    assert_done(runner_run(&config, &sink, &error), error);
    assert_int_equal(count, 10);
}

static Status fail_to_keep(void *context, const Duel *duel, Error *error)
{
    (void)context;
    return duel->number == 3 ? error_set(error, STATUS_IO, "the disk is full") : STATUS_OK;
}

static void test_a_game_that_cannot_be_kept_ends_the_match(void **state)
{
    (void)state;
    static const char *const agents[] = {"random", "adjacent"};
    Error error = {0};
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, 1000, 0}, .jobs = 3};
    config.rules = rules_of("tictactoe");
    RunnerSink sink = {.finished = fail_to_keep};
    assert_failed(runner_run(&config, &sink, &error), STATUS_IO, error, "the disk is full");
}

// --- Watching games ---

enum { WATCHED_JOBS = 2, WATCHED_GAMES = 40 };

typedef struct {
    unsigned stones[WATCHED_GAMES]; // stones seen last in each game
    unsigned slots[WATCHED_GAMES];  // slot of each game
    unsigned reported[WATCHED_GAMES];
    bool ended[WATCHED_GAMES];
} Watched;

// A game is reported by one thread alone, so nothing here needs a lock.
static void look_on(void *context, unsigned slot, const Duel *duel, const double clock[2])
{
    Watched *watched = context;
    unsigned n = duel->number;
    (void)clock;
    if (watched->reported[n]++ > 0) { // cmocka asserts only in the test's thread, so other threads count errors
        bool grows = duel->game.played > watched->stones[n] && !watched->ended[n] && slot == watched->slots[n];
        watched->reported[n] = grows ? watched->reported[n] : 1000;
    }
    watched->stones[n] = duel->game.played;
    watched->slots[n] = slot;
    watched->ended[n] = duel->reason != REASON_NONE;
}

// The turns of a game and what the watcher saw.
static Status compare_watched(void *context, const Duel *duel, Error *error)
{
    const Watched *watched = context;
    unsigned n = duel->number;
    bool good = watched->ended[n] && watched->stones[n] == duel->game.played && watched->slots[n] < WATCHED_JOBS &&
                watched->reported[n] == 1 + duel->turns[0] + duel->turns[1];
    return good ? STATUS_OK : error_set(error, STATUS_FAILED, "game %u was not seen as it was played", n);
}

static void test_somebody_looks_on(void **state)
{
    (void)state;
    const char *agents[] = {"random", "adjacent"};
    Error error = {0};
    Watched watched = {0};
    DuelWatch watch = {&watched, look_on};
    RunnerConfig config = {.agents = agents,
                           .schedule = {SCHEDULE_ROUND_ROBIN, 2, WATCHED_GAMES, 0},
                           .seed = 4,
                           .jobs = WATCHED_JOBS,
                           .watch = &watch};
    config.rules = rules_of("7x7:k=4,p=2");
    RunnerSink sink = {.context = &watched, .finished = compare_watched};
    assert_done(runner_run(&config, &sink, &error), error);
}

static void test_stop_is_obeyed(void **state)
{
    (void)state;
    static const char *const agents[] = {"random", "adjacent"};
    static atomic_bool stop = true;
    Error error = {0};
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, 1000, 0}, .jobs = 2, .stop = &stop};
    config.rules = rules_of("gomoku");
    RunnerSink sink = {0};
    assert_failed(runner_run(&config, &sink, &error), STATUS_INTERRUPTED, error, "interrupted");
}

TEST_GROUP(match)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pair_plays_every_game_with_both_colours),
        cmocka_unit_test(test_faults_lose_the_game),
        cmocka_unit_test(test_the_clock_runs_out),
        cmocka_unit_test(test_rest_is_not_on_the_clock),
        cmocka_unit_test(test_short_turns_add_up),
        cmocka_unit_test(test_ends_by_the_board),
        cmocka_unit_test(test_own_counts),
        cmocka_unit_test(test_a_duel_adds_up_what_agents_count),
        cmocka_unit_test(test_turns_of_stones),
        cmocka_unit_test(test_results_count_pairs_and_colours),
        cmocka_unit_test(test_a_tournament_file),
        cmocka_unit_test(test_kinds_of_openings),
        cmocka_unit_test(test_bad_tournament_files),
        cmocka_unit_test(test_openings_are_quiet_and_different),
        cmocka_unit_test(test_undecided_openings),
        cmocka_unit_test(test_balanced_openings),
        cmocka_unit_test(test_many_candidates),
        cmocka_unit_test(test_more_openings_than_there_are),
        cmocka_unit_test(test_records_do_not_depend_on_jobs),
        cmocka_unit_test(test_a_resumed_match_plays_only_what_is_missing),
        cmocka_unit_test(test_no_game_is_played_twice_when_workers_wait),
        cmocka_unit_test(test_enough_is_enough),
        cmocka_unit_test(test_a_game_that_cannot_be_kept_ends_the_match),
        cmocka_unit_test(test_somebody_looks_on),
        cmocka_unit_test(test_stop_is_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
