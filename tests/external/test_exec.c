// Tests of external engines as agents: whole games in both protocols, and every way to misbehave. The engine is
// support/fake_engine.c. No test depends on speed: limits that must not be reached are far away.
#include "support/check.h"
#include "support/external.h"
#include "support/groups.h"

#include "base/clock.h"
#include "external/external_internal.h"
#include "match/referee.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double brief = 0.3;

// --- Engines that behave ---

static void play_games(const char *rules, const char *arguments)
{
    Agent agent;
    Error error = {0};
    Game game;
    assert_done(open_engine(&agent, rules, arguments, false, &error), error);
    begin_game(&game, rules);
    play_out(&agent, &game, false, UINT32_MAX);
    assert_true(game_is_over(&game));
    begin_game(&game, rules);
    if (game.board.cells > 1)
        game_play(&game, cell_at(0, 0)); // the other side now
    play_out(&agent, &game, false, UINT32_MAX);
    begin_game(&game, rules);
    agent_new_game(&agent);
    play_out(&agent, &game, true, 20);
    close_agent(&agent);
}

static void test_gomocup_games(void **state)
{
    (void)state;
    static const char *const modes[] = {"",       "crlf", "cr", "chatter", "errs", "no_restart", "exit_on_unknown",
                                        "suggest"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char arguments[64];
        (void)snprintf(arguments, sizeof arguments, "gomocup %s", modes[i]);
        play_games("gomoku", arguments);
    }
    play_games("standard", "gomocup");
    play_games("7x11:k=5", "gomocup");
}

static void test_ugi_games(void **state)
{
    (void)state;
    static const char *const games[] = {"gomoku",
                                        "tictactoe",
                                        "connect4",
                                        "connect6",
                                        "1x1:k=1",
                                        "30x4:k=4",
                                        "9x9:k=9,p=2,q=1,gravity",
                                        "4x5:k=4,p=20",
                                        "64x1:k=30",
                                        "5x5:k=3,p=2,q=3",
                                        "64x64:k=9,p=9,q=4"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        play_games(games[i], "ugi");
    play_games("connect6", "ugi crlf");
    play_games("tictactoe", "ugi slow_start");
}

// A program that answers nothing to what it does not know is spoken to in Gomocup after a moment.
static void test_silence(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    assert_done(open_engine(&agent, "gomoku", "gomocup silent", false, &error), error);
    assert_string_equal(engine_of(&agent)->protocol->name, "Gomocup");
    close_agent(&agent);
}

static void test_set_up_positions(void **state)
{
    (void)state;
    static const char *const protocols[] = {"gomocup", "ugi"};
    for (int i = 0; i < 2; i++) {
        Agent agent;
        Error error = {0};
        Game game;
        read_drawing(&game, "7x6:k=5", ".......\n.......\n..XO...\n..XO...\n..X....\n.......\nturn O 1\n");
        assert_done(open_engine(&agent, "7x6:k=5", protocols[i], false, &error), error);
        play_out(&agent, &game, true, 6);
        play_text(&game, "g6");
        play_out(&agent, &game, false, 6);
        // Taken back, and another way taken.
        for (int undone = 0; undone < 5; undone++)
            assert_true(game_undo(&game));
        play_text(&game, "e5");
        play_out(&agent, &game, false, 4);
        close_agent(&agent);
    }
}

static void test_what_it_says_about_its_thinking(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    begin_game(&game, "connect6");
    assert_done(open_engine(&agent, "connect6", "ugi", false, &error), error);
    decide(&agent, &game, (Budget){.nodes = 100, .depth = 3, .clock = {ample, ample}, .increment = 1}, &decision);
    assert_int_equal(decision.fault, FAULT_NONE);
    assert_int_equal(decision.depth, 2);
    assert_int_equal(decision.nodes, 77);
    assert_true(decision.score == -12 && decision.proven == PROVEN_NOTHING && decision.distance == -1);
    assert_int_equal(decision.line_count, 2);
    assert_int_equal(decision.line[1], cell_at(1, 0));
    close_agent(&agent);
    assert_done(open_engine(&agent, "connect6", "ugi proof", false, &error), error);
    decide(&agent, &game, (Budget){0}, &decision);
    assert_int_equal(decision.fault, FAULT_NONE);
    assert_int_equal(decision.proven, PROVEN_WIN);
    assert_int_equal(decision.distance, 9);
    assert_int_equal(decision.nodes, 80);
    close_agent(&agent);
}

// --- The protocols, word by word ---

static void expect_question(const ExternalProtocol *protocol, const Game *game, Budget budget, bool knows_turn,
                            const char *expected)
{
    static ExternalEngine engine;
    Text out = {0};
    engine = (ExternalEngine){.rules = game->board.rules, .info = {-1, -1, -1, -1, -1, -1}};
    protocol->ask(&engine, game, &budget, knows_turn, &out);
    assert_string_equal(out.data, expected);
    out.length = 0;
    protocol->ask(&engine, game, &budget, knows_turn, &out);
    assert_null(strstr(out.data, "INFO")); // known already
    text_close(&out);
}

static void test_questions_by_gomocup(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "15x10:k=5");
    expect_question(&external_gomocup, &game, (Budget){.seconds = 1.5}, false,
                    "INFO timeout_turn 1500\nINFO timeout_match 0\nINFO time_left 2147483647\nBEGIN\n");
    expect_question(&external_gomocup, &game, (Budget){0}, false,
                    "INFO timeout_turn 5000\nINFO timeout_match 0\nINFO time_left 2147483647\nBEGIN\n");
    play_text(&game, "a1 o10 b9");
    expect_question(&external_gomocup, &game, (Budget){.clock = {9, 7}, .increment = 1, .nodes = 1000, .depth = 8},
                    false,
                    "INFO timeout_turn 7000\nINFO timeout_match 7000\nINFO time_left 7000\nINFO max_node 1000\nINFO "
                    "max_depth 8\nBOARD\n0,9,2\n14,0,1\n1,1,2\nDONE\n");
    expect_question(&external_gomocup, &game, (Budget){.seconds = 0.5, .clock = {9, 7}}, true,
                    "INFO timeout_turn 500\nINFO timeout_match 7000\nINFO time_left 7000\nTURN 1,1\n");
    // Stones of a set-up position come as if they had been placed in turn.
    read_drawing(&game, "5x3:k=5", "XX...\n.O...\nX....\nturn O 1\n");
    play_text(&game, "e1");
    expect_question(&external_gomocup, &game, (Budget){.seconds = 1}, false,
                    "INFO timeout_turn 1000\nINFO timeout_match 0\nINFO time_left 2147483647\n"
                    "BOARD\n0,2,1\n1,1,2\n0,0,1\n1,0,1\n4,2,2\nDONE\n");
}

static void test_questions_by_ugi(void **state)
{
    (void)state;
    Game game;
    begin_game(&game, "connect6");
    expect_question(&external_ugi, &game, (Budget){0}, false, "position startpos\ngo movetime 5000\n");
    play_text(&game, "j10 a1");
    expect_question(&external_ugi, &game, (Budget){.nodes = 5, .depth = 3}, true,
                    "position startpos moves j10 a1\ngo nodes 5 depth 3\n");
    expect_question(&external_ugi, &game, (Budget){.seconds = 1, .clock = {9, 7.5}, .increment = 0.25}, true,
                    "position startpos moves j10 a1\ngo p1time 9000 p2time 7500 p1inc 250 p2inc 250 movetime 1000\n");
    read_drawing(&game, "5x3:k=4,p=2,q=1", "XX...\n.O...\nX....\nturn O 2\n");
    play_text(&game, "e1");
    expect_question(&external_ugi, &game, (Budget){.seconds = 1}, true,
                    "position fen XX3/1O3/X4 O 2 moves e1\ngo movetime 1000\n");
}

// --- Engines that fail to start ---

static void expect_not_open(const char *game, const char *arguments, Status status, const char *words)
{
    Agent agent;
    Error error = {0};
    int before = open_descriptors();
    assert_failed(open_engine(&agent, game, arguments, false, &error), status, error, words);
    assert_null(agent.state);
    agent_close(&agent);
    assert_int_equal(open_descriptors(), before);
}

static void test_engines_that_do_not_open(void **state)
{
    (void)state;
    expect_not_open("gomoku", "gomocup exit_at_start", STATUS_FAILED, "exit status 7");
    expect_not_open("connect6", "ugi exit_at_start", STATUS_FAILED, "exit status 7");
    expect_not_open("gomoku", "gomocup refuse", STATUS_BAD_INPUT, "ERROR unsupported size");
    expect_not_open("21x21:k=5", "gomocup", STATUS_BAD_INPUT, "ERROR unsupported size");
    expect_not_open("connect6", "gomocup", STATUS_BAD_INPUT, "19x19:k=6,p=2,q=1 needs UGI");
    expect_not_open("connect4", "gomocup", STATUS_BAD_INPUT, "five in a row without gravity");
    expect_not_open("gomoku", "ugi refuse", STATUS_BAD_INPUT, "info string error: not this game");
    expect_not_open("gomoku", "ugi one_game", STATUS_BAD_INPUT, "no option 'Game'");
    expect_not_open("gomoku", "gomocup hang_at_start,start=1", STATUS_FAILED, "neither 'ugi'");
    expect_not_open("gomoku", "gomocup 'unclosed", STATUS_BAD_INPUT, "quote");
}

static void test_commands_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {{"exec", "needs a command"},
                 {"exec:", "needs a command"},
                 {"exec:  ", "needs a command"},
                 {"exec:no-such-program -x", "no executable program 'no-such-program'"},
                 {"exec:./no/such/program", "no executable program './no/such/program'"},
                 {"exec:/etc/passwd", "no executable program '/etc/passwd'"}};
    Rules rules = rules_of("gomoku");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Agent agent;
        Error error = {0};
        assert_refused(agent_open(&agent, span_of(wrong[i].text), &rules, &error), error, wrong[i].words);
    }
}

// --- Engines that misbehave ---

typedef struct {
    const char *arguments;
    Fault fault;
    const char *words;
} Misdeed;

// Requests turns until the expected fault; then no process is left, and the next game starts normally.
static void expect_fault(const char *rules, const Misdeed *misdeed, double seconds)
{
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    int before = open_descriptors();
    begin_game(&game, rules);
    play_text(&game, "a1");
    assert_done(open_engine(&agent, rules, misdeed->arguments, false, &error), error);
    do {
        decide(&agent, &game, (Budget){.seconds = seconds}, &decision);
        if (decision.fault == FAULT_NONE)
            assert_done(referee_play(&game, &decision, &error), error);
    } while (decision.fault == FAULT_NONE && !game_is_over(&game));
    if (decision.fault != misdeed->fault || strstr(decision.fault_text, misdeed->words) == NULL) {
        print_error("'%s': fault %d '%s', expected %d '%s'\n", misdeed->arguments, (int)decision.fault,
                    decision.fault_text, (int)misdeed->fault, misdeed->words);
        fail();
    }
    assert_int_equal(decision.count, 0);
    assert_int_equal(open_descriptors(), before);
    pid_t first = engine_of(&agent)->process.child.pid;
    assert_true(group_is_gone(first));
    assert_refused(referee_play(&game, &decision, &error), error, misdeed->words);
    begin_game(&game, rules);
    if (misdeed->fault != FAULT_TIMEOUT) // some of those take their time to start
        agent_new_game(&agent);
    assert_true(misdeed->fault == FAULT_TIMEOUT || engine_of(&agent)->process.running);
    close_agent(&agent);
    assert_int_equal(open_descriptors(), before);
}

static void test_faults_by_gomocup(void **state)
{
    (void)state;
    static const Misdeed misdeeds[] = {
        {"gomocup exit", FAULT_CRASH, "exit status 3"},
        {"gomocup exit 3", FAULT_CRASH, "exit status 3"},
        {"gomocup complain_and_exit", FAULT_CRASH, "exit status 4; it said: it all went wrong"},
        {"gomocup crash", FAULT_CRASH, "signal 11"},
        {"gomocup killed 2", FAULT_CRASH, "signal 9"},
        {"gomocup flood", FAULT_CRASH, "floods"},
        {"gomocup long_line", FAULT_CRASH, "floods"},
        {"gomocup close_output", FAULT_CRASH, "closed its output"},
        {"gomocup orphan", FAULT_CRASH, "exit status 5"},
        {"gomocup garbage", FAULT_ILLEGAL, "not a turn; it said: bestmove b2b"},
        {"gomocup off 1", FAULT_ILLEGAL, "not a turn; it said: 99,99"},
        {"gomocup taken", FAULT_ILLEGAL, "a1 is taken"},
    };
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++)
        expect_fault("gomoku", &misdeeds[i], ample);
}

static void test_faults_by_ugi(void **state)
{
    (void)state;
    static const Misdeed misdeeds[] = {
        {"ugi exit 2", FAULT_CRASH, "exit status 3"}, {"ugi flood", FAULT_CRASH, "floods"},
        {"ugi garbage", FAULT_ILLEGAL, "not a turn"}, {"ugi off", FAULT_ILLEGAL, "not a turn"},
        {"ugi taken", FAULT_ILLEGAL, "a1 is taken"},  {"ugi too_many", FAULT_ILLEGAL, "3 stones in a turn of 2"},
    };
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++)
        expect_fault("connect6", &misdeeds[i], ample);
}

static void test_too_late(void **state)
{
    (void)state;
    static const Misdeed misdeeds[] = {
        {"gomocup hang", FAULT_TIMEOUT, "no answer after"},
        {"gomocup late 30000", FAULT_TIMEOUT, "no answer after"},
        {"gomocup trickle", FAULT_TIMEOUT, "no answer after"},
        {"gomocup deaf,start=0.5", FAULT_TIMEOUT, "no answer after"},
        {"gomocup error", FAULT_TIMEOUT, "it said: ERROR I do not want to"},
        {"ugi hang", FAULT_TIMEOUT, "no answer after"},
    };
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++)
        expect_fault("gomoku", &misdeeds[i], brief);
}

static void test_the_clock_of_the_side(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    begin_game(&game, "gomoku");
    play_text(&game, "a1");
    assert_done(open_engine(&agent, "gomoku", "gomocup hang", false, &error), error);
    decide(&agent, &game, (Budget){.clock = {ample, brief}}, &decision);
    assert_int_equal(decision.fault, FAULT_TIMEOUT);
    close_agent(&agent);
    assert_done(open_engine(&agent, "gomoku", "gomocup late 50", false, &error), error);
    decide(&agent, &game, (Budget){.clock = {0.01, ample}}, &decision);
    assert_int_equal(decision.fault, FAULT_NONE);
    close_agent(&agent);
}

// A program with one thread receives the next command at once, also from a process behind a shell.
static void test_no_rest_with_one_thread(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    for (unsigned shell = 0; shell < 2; shell++) {
        char command[4200];
        (void)snprintf(command, sizeof command, shell ? "exec:/bin/sh -c '\"%s\" gomocup; true'" : "exec:%s gomocup",
                       getenv("FAKE_ENGINE"));
        begin_game(&game, "gomoku");
        Rules rules = game.board.rules;
        assert_done(agent_open_with(&agent, span_of(command), &rules, &(AgentHost){.no_sandbox = true}, &error), error);
        decide(&agent, &game, (Budget){.seconds = ample}, &decision);
        assert_done(referee_play(&game, &decision, &error), error);
        play_text(&game, "h8");
        assert_int_equal(engine_of(&agent)->family.count, shell ? 2 : 1);
        engine_of(&agent)->answered = clock_seconds() + ample;
        decide(&agent, &game, (Budget){.seconds = ample}, &decision);
        assert_int_equal(decision.fault, FAULT_NONE);
        assert_true(decision.rested <= 0);
        close_agent(&agent);
    }
}

// The next command after an answer of a program with threads does not come at once, and the wait is reported. A moment
// of answering that lies ahead makes it as long as the test likes.
static void test_rest_after_an_answer(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    const double long_rest = 0.2;
    begin_game(&game, "gomoku");
    assert_done(open_engine(&agent, "gomoku", "gomocup threads", false, &error), error);
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_true(decision.rested <= 0); // it has not answered before
    double answered = engine_of(&agent)->answered, now = clock_seconds();
    assert_true(answered > 0 && answered <= now);
    assert_done(referee_play(&game, &decision, &error), error);
    play_text(&game, "h8");
    engine_of(&agent)->answered = now + long_rest;
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_NONE);
    assert_true(decision.rested > long_rest / 2 && decision.rested <= clock_seconds() - now);
    // Nor before another game, because no turn has started that could report it.
    engine_of(&agent)->answered = clock_seconds() + long_rest;
    agent_new_game(&agent);
    assert_true(clock_seconds() >= engine_of(&agent)->answered);
    close_agent(&agent);
}

// A turn requested at once: a program that does not react gets one second.
static void test_stop(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Game game;
    static Decision decision;
    atomic_bool stop = true;
    Rng rng = rng_make(1);
    AgentTask task = {.budget = {.seconds = ample}, .rng = &rng, .stop = &stop};
    begin_game(&game, "gomoku");
    assert_done(open_engine(&agent, "gomoku", "gomocup hang 1", false, &error), error);
    agent_decide(&agent, &game, &task, &decision);
    assert_int_equal(decision.fault, FAULT_NONE);
    assert_done(referee_play(&game, &decision, &error), error);
    play_text(&game, "h8");
    double begin = clock_seconds();
    agent_decide(&agent, &game, &task, &decision);
    assert_int_equal(decision.fault, FAULT_TIMEOUT);
    assert_true(clock_seconds() - begin < ample);
    close_agent(&agent);
}

static void expect_closed(const char *arguments)
{
    Agent agent;
    Error error = {0};
    Game game;
    begin_game(&game, "gomoku");
    int before = open_descriptors();
    assert_done(open_engine(&agent, "gomoku", arguments, false, &error), error);
    play_out(&agent, &game, true, 2);
    close_agent(&agent);
    assert_int_equal(open_descriptors(), before);
}

static void test_engines_that_do_not_end(void **state)
{
    (void)state;
    expect_closed("gomocup ignore_end");
    expect_closed("gomocup child");
}

// --- Threads ---

static void *play_in_thread(void *argument)
{
    const char *ugi = argument;
    Agent agent;
    static const char *const rules = "8x8:k=5";
    Rules parsed = {0};
    Game *game = malloc(sizeof *game);
    Decision *decision = malloc(sizeof *decision);
    AgentHost host = {.no_sandbox = true};
    char text[4096];
    (void)snprintf(text, sizeof text, "exec:'%s' %s", getenv("FAKE_ENGINE"), ugi); // NOLINT(concurrency-mt-unsafe)
    bool good = game != NULL && decision != NULL && rules_parse(span_of(rules), &parsed, NULL) == STATUS_OK &&
                agent_open_with(&agent, span_of(text), &parsed, &host, NULL) == STATUS_OK;
    if (good) {
        game_init(game, &parsed);
        while (good && !game_is_over(game)) {
            decide(&agent, game, (Budget){.seconds = ample}, decision);
            good = referee_play(game, decision, NULL) == STATUS_OK;
        }
        agent_close(&agent);
    }
    free(game);
    free(decision);
    return good ? argument : NULL;
}

static void test_games_in_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static char protocols[2][8] = {"gomocup", "ugi"};
    pthread_t threads[THREADS];
    int before = open_descriptors();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play_in_thread, protocols[i % 2]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
    assert_int_equal(open_descriptors(), before);
}

TEST_GROUP(exec)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gomocup_games),
        cmocka_unit_test(test_ugi_games),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_set_up_positions),
        cmocka_unit_test(test_what_it_says_about_its_thinking),
        cmocka_unit_test(test_questions_by_gomocup),
        cmocka_unit_test(test_questions_by_ugi),
        cmocka_unit_test(test_engines_that_do_not_open),
        cmocka_unit_test(test_commands_that_are_none),
        cmocka_unit_test(test_faults_by_gomocup),
        cmocka_unit_test(test_faults_by_ugi),
        cmocka_unit_test(test_too_late),
        cmocka_unit_test(test_the_clock_of_the_side),
        cmocka_unit_test(test_no_rest_with_one_thread),
        cmocka_unit_test(test_rest_after_an_answer),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_engines_that_do_not_end),
        cmocka_unit_test(test_games_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
