// Tests of the engine's threads with agents that search as long as a test requires: input during a search, time, stop,
// end. Time limits are generous if something must happen, because machines may be busy; if nothing may happen, the test
// waits for a moment.
#include "base/clock.h"
#include "protocols/engine_core.h"
#include "support/check.h"

#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, MOMENT_MS = 120 };

// --- Agents for tests, chosen by name ---

static atomic_bool release;      // lets `deaf` go
static atomic_ulong nodes_seen;  // of the budget of the last search
static _Atomic double time_seen; // of the budget of the last search
static _Atomic double scores[2]; // what `scorer` thinks: of the first search, of the second
static _Atomic Proven proven[2]; // the same
static _Atomic Proven later;     // what it proves from the third search on
static atomic_uint searches;

static void play_lowest(const Game *game, Decision *decision)
{
    Cell cells[RULES_CELLS_MAX];
    (void)board_legal_cells(&game->board, cells);
    decision->count = board_stones_left(&game->board);
    memcpy(decision->stones, cells, decision->count * sizeof cells[0]);
}

static void note(const AgentTask *task)
{
    atomic_store(&nodes_seen, (unsigned long)task->budget.nodes);
    atomic_store(&time_seen, task->budget.seconds);
}

static void decide_at_once(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    note(task);
    play_lowest(game, decision);
    unsigned n = atomic_fetch_add(&searches, 1);
    decision->score = atomic_load(&scores[n % 2]);
    decision->proven = n < 2 ? atomic_load(&proven[n % 2]) : atomic_load(&later);
}

// Sleeps rather than works, so that a clock of CPU time would never end it.
static void decide_when_stopped(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    note(task);
    while (!atomic_load(task->stop))
        clock_sleep(0.002);
    play_lowest(game, decision);
}

static void decide_when_released(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    note(task);
    while (!atomic_load(&release))
        clock_sleep(0.002);
    play_lowest(game, decision);
}

static void decide_wrongly(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    (void)game;
    note(task);
    decision->count = 1;
    decision->stones[0] = CELL_NONE;
}

static void decide_nothing(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    (void)state;
    (void)game;
    note(task);
    decision->fault = FAULT_CRASH;
    (void)snprintf(decision->fault_text, sizeof decision->fault_text, "it ended with status 3");
}

static const AgentKind fakes[] = {
    {.name = "quick", .decide = decide_at_once},      {.name = "sleeper", .decide = decide_when_stopped},
    {.name = "deaf", .decide = decide_when_released}, {.name = "wrong", .decide = decide_wrongly},
    {.name = "faulty", .decide = decide_nothing},
};

static Status open_fake(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error)
{
    (void)host;
    for (size_t i = 0; i < sizeof fakes / sizeof fakes[0]; i++)
        if (span_is(text, fakes[i].name)) {
            *agent = (Agent){.kind = &fakes[i], .config = {.rules = *rules}};
            return STATUS_OK;
        }
    return error_set(error, STATUS_BAD_INPUT, "no agent '%.*s'", SPAN_PRINT(text));
}

// --- An engine at the other end of two pipes ---

typedef struct {
    int to, from; // what the manager holds
    Engine engine;
    EngineCoreConfig config;
    pthread_t thread;
    Status status;
    Error error;
    Text seen; // not yet looked at
} Rig;

static void abandon(void)
{
    atomic_store(&release, true);
}

static void *run(void *argument)
{
    Rig *rig = argument;
    rig->status = engine_core_run(&rig->engine, &rig->config, &rig->error);
    (void)close(rig->config.output);
    return NULL;
}

static Rig *start(const char *agent, const EngineProtocol *protocol)
{
    Rig *rig = calloc(1, sizeof *rig);
    int in[2], out[2];
    assert_non_null(rig);
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    atomic_store(&release, false);
    atomic_store(&searches, 0);
    rig->to = in[1];
    rig->from = out[0];
    engine_init(&rig->engine, open_fake);
    engine_set_agent(&rig->engine, span_of(agent));
    rig->config = (EngineCoreConfig){in[0], out[1], protocol, abandon};
    assert_int_equal(pthread_create(&rig->thread, NULL, run, rig), 0);
    return rig;
}

static void send_text(Rig *rig, const char *text)
{
    assert_int_equal(write(rig->to, text, strlen(text)), strlen(text));
}

static void hang_up_input(Rig *rig)
{
    if (rig->to >= 0)
        (void)close(rig->to);
    rig->to = -1;
}

// The next line, or NULL when none comes in time or the output has ended. The caller frees it.
static char *next_line(Rig *rig, int milliseconds)
{
    for (;;) {
        char *end = rig->seen.length > 0 ? memchr(rig->seen.data, '\n', rig->seen.length) : NULL;
        if (end != NULL) {
            size_t length = (size_t)(end - rig->seen.data);
            char *line = strndup(rig->seen.data, length);
            rig->seen.length -= length + 1;
            memmove(rig->seen.data, end + 1, rig->seen.length);
            return line;
        }
        struct pollfd waiting = {.fd = rig->from, .events = POLLIN};
        char bytes[4096];
        if (poll(&waiting, 1, milliseconds) <= 0)
            return NULL;
        ssize_t count = read(rig->from, bytes, sizeof bytes);
        if (count <= 0)
            return NULL;
        text_add_span(&rig->seen, (Span){bytes, (size_t)count});
    }
}

// The next line that is no remark begins like this.
static void expect(Rig *rig, const char *begin)
{
    for (;;) {
        char *line = next_line(rig, PATIENCE_MS);
        if (line == NULL) {
            fail_msg("expected '%s', and nothing came", begin);
            return;
        }
        bool remark = strncmp(line, "MESSAGE ", 8) == 0 || strncmp(line, "info depth", 10) == 0;
        if (!remark && strncmp(line, begin, strlen(begin)) != 0)
            fail_msg("expected '%s', got '%s'", begin, line);
        free(line);
        if (!remark)
            return;
    }
}

static void expect_silence(Rig *rig)
{
    char *line = next_line(rig, MOMENT_MS);
    if (line != NULL)
        fail_msg("expected nothing, got '%s'", line);
}

// Nothing more comes, and the engine ends.
static Status finish(Rig *rig)
{
    char *line = next_line(rig, PATIENCE_MS);
    if (line != NULL)
        fail_msg("expected the end, got '%s'", line);
    assert_int_equal(pthread_join(rig->thread, NULL), 0);
    Status status = rig->status;
    hang_up_input(rig);
    (void)close(rig->from);
    (void)close(rig->config.input);
    text_close(&rig->seen);
    engine_close(&rig->engine);
    free(rig);
    return status;
}

// --- What arrives while thinking ---

static void test_input_does_not_stop_a_search(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", &engine_gomocup);
    send_text(rig, "START 15\nINFO timeout_turn 60000\nBEGIN\n");
    expect(rig, "OK");
    send_text(rig, "INFO time_left 5000\nABOUT\nNONSENSE\n");
    expect_silence(rig);
    send_text(rig, "YXSTOP\n");
    expect(rig, "0,14");
    expect(rig, "name=\"krow\"");
    expect(rig, "UNKNOWN");
    send_text(rig, "END\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_info_behind_a_move_is_not_lost(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", &engine_gomocup);
    send_text(rig, "START 15\nBEGIN\nINFO max_node 77\nINFO timeout_turn 0\n");
    expect(rig, "OK");
    expect_silence(rig);
    send_text(rig, "YXSTOP\n");
    expect(rig, "0,14");
    send_text(rig, "TURN 7,7\n");
    expect(rig, "1,14");
    assert_int_equal(atomic_load(&nodes_seen), 77);
    assert_float_equal(atomic_load(&time_seen), ENGINE_SECONDS_AT_ONCE, 1e-9);
    send_text(rig, "END\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_stop_in_the_same_breath(void **state)
{
    (void)state;
    // A stop that arrives before the search has started still applies to it.
    for (int i = 0; i < 20; i++) {
        Rig *rig = start("sleeper", NULL);
        send_text(rig, "ugi\ngo infinite\nstop\nisready\nquit\n");
        char *line = NULL;
        bool best = false, ready = false;
        while ((line = next_line(rig, PATIENCE_MS)) != NULL) {
            best |= strcmp(line, "bestmove a1") == 0;
            ready |= strcmp(line, "readyok") == 0;
            free(line);
        }
        assert_true(best && ready);
        assert_int_equal(finish(rig), STATUS_OK);
    }
}

static void test_a_stop_is_not_for_later_searches(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", &engine_ugi);
    send_text(rig, "stop\ngo infinite\n");
    expect_silence(rig);
    send_text(rig, "isready\n");
    expect(rig, "readyok");
    send_text(rig, "stop\n");
    expect(rig, "bestmove a1");
    send_text(rig, "quit\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_ready_while_thinking(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", &engine_ugi);
    // Also when it was read before the search began, and behind other lines that have to wait.
    send_text(rig, "go infinite\nquery p1turn\nisready\nisready\n");
    expect(rig, "readyok");
    expect(rig, "readyok");
    expect_silence(rig);
    assert_float_equal(atomic_load(&time_seen), ENGINE_SECONDS_ENDLESS, 1); // no little limit of the agent's own
    send_text(rig, "isready\nstop\n");
    expect(rig, "readyok");
    expect(rig, "bestmove a1");
    expect(rig, "response true");
    send_text(rig, "quit\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_infinite_waits_for_stop(void **state)
{
    (void)state;
    Rig *rig = start("quick", &engine_ugi);
    send_text(rig, "setoption name Game value tictactoe\ngo infinite\n");
    expect_silence(rig);
    send_text(rig, "stop\n");
    expect(rig, "bestmove a1");
    // Also where no legal move is left, and where no agent can be asked.
    send_text(rig, "position startpos moves a1 b1 a2 b2 a3\ngo infinite\n");
    expect_silence(rig);
    send_text(rig, "stop\n");
    expect(rig, "bestmove none");
    send_text(rig, "position startpos\nsetoption name Agent value missing\ngo infinite\n");
    expect_silence(rig);
    send_text(rig, "stop\n");
    expect(rig, "info string error: no agent 'missing'");
    expect(rig, "bestmove none");
    send_text(rig, "position nonsense\ngo infinite\n");
    expect(rig, "info string error: position: use 'position startpos");
    expect_silence(rig);
    send_text(rig, "stop\nquit\n");
    expect(rig, "info string error: there is no position");
    expect(rig, "bestmove none");
    assert_int_equal(finish(rig), STATUS_OK);
}

// --- Time ---

static void test_the_timer_ends_a_search(void **state)
{
    (void)state;
    static const struct {
        const char *limits;
        double seconds; // that the agent is reported, and after which the flag goes up
    } cases[] = {
        {"INFO timeout_turn 300\n", 0.27},
        {"INFO timeout_turn 0\n", 0.01},
        {"INFO time_left 2000\n", 3 * 1.9286 / 20},
        {"INFO time_left 2147483647\nINFO timeout_turn 100\n", 0.07},
        {"INFO time_left -5\n", 0.01},
        {"INFO timeout_match 1000\nINFO timeout_turn 60000\n", 3 * 0.9486 / 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rig *rig = start("sleeper", &engine_gomocup);
        send_text(rig, "START 15\n");
        send_text(rig, cases[i].limits);
        double begin = clock_seconds();
        send_text(rig, "INFO thread_num 2\nBEGIN\n");
        expect(rig, "OK");
        expect(rig, "0,14");
        assert_true(clock_seconds() - begin >= cases[i].seconds);
        assert_float_equal(atomic_load(&time_seen), cases[i].seconds, 1e-6);
        send_text(rig, "END\n");
        assert_int_equal(finish(rig), STATUS_OK);
    }
}

static void test_the_timer_of_ugi(void **state)
{
    (void)state;
    static const char *const limits[] = {"movetime 100", "p1time 1000 p2time 1 p1inc 20 p2inc 0", "p1time -3 p2time 5"};
    Rig *rig = start("sleeper", &engine_ugi);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        send_text(rig, "go ");
        send_text(rig, limits[i]);
        send_text(rig, "\n");
        expect(rig, "bestmove a1");
    }
    // Nodes alone are no time: nothing but a stop ends this agent.
    send_text(rig, "go nodes 5\n");
    expect_silence(rig);
    send_text(rig, "stop\nquit\n");
    expect(rig, "bestmove a1");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_allotted_time(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku"), small = rules_of("tictactoe");
    Board board, little;
    board_init(&board, &rules);
    board_init(&little, &small);
    static const struct {
        double turn, left, increment, seconds;
    } cases[] = {
        {INFINITY, INFINITY, 0, INFINITY},
        {1, INFINITY, 0, 0.97},    // 30 ms
        {0.04, INFINITY, 0, 0.02}, // never more than half is kept back
        {0, INFINITY, 0, 0.01},    // at once
        {INFINITY, 100, 0, 3 * 99.668 / 20},
        {1, 100, 0, 0.97}, // the smaller one counts
        {99, 100, 1, 3 * (99.668 / 20 + 0.8)},
        {INFINITY, 0.1, 5, 0.0666}, // no more than there is
        {INFINITY, -7, 0, 0.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EngineTime time = {cases[i].turn, cases[i].left, cases[i].increment, 0.03};
        double seconds = engine_allot(&time, &board);
        if (seconds != cases[i].seconds && fabs(seconds - cases[i].seconds) > 1e-9)
            fail_msg("case %zu: %f s, expected %f", i, seconds, cases[i].seconds);
    }
    EngineTime time = {INFINITY, 100, 0, 0.03};
    assert_true(fabs(engine_allot(&time, &little) - 0.3 * 99.668) < 1e-9);
}

static void test_our_own_clock(void **state)
{
    (void)state;
    // A manager that never sends the time left: what was used is counted.
    Rig *rig = start("sleeper", &engine_gomocup);
    send_text(rig, "START 15\nINFO timeout_match 3000\nBEGIN\n");
    expect(rig, "OK");
    expect(rig, "0,14");
    double first = atomic_load(&time_seen);
    send_text(rig, "TURN 7,7\n");
    expect(rig, "1,14");
    assert_true(atomic_load(&time_seen) < first);
    // A new game has a new clock.
    send_text(rig, "RESTART\nBEGIN\n");
    expect(rig, "OK");
    expect(rig, "0,14");
    assert_float_equal(atomic_load(&time_seen), first, 1e-9);
    send_text(rig, "END\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

// --- Threads and memory ---

static char opened[200]; // the text of the agent that was asked for last

static Status open_noting(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error)
{
    (void)snprintf(opened, sizeof opened, "%.*s", SPAN_PRINT(text));
    return open_fake(agent, span_of("quick"), rules, host, error);
}

static void prepare(Engine *engine, const char *agent)
{
    Rules rules = rules_of("gomoku");
    Error error = {0};
    if (agent != NULL)
        engine_set_agent(engine, span_of(agent));
    opened[0] = '\0';
    assert_done(engine_prepare(engine, &rules, &error), error);
}

// They reach agents that have such options, unless the agent's text sets them; each change reopens the agent.
static void test_sizes(void **state)
{
    (void)state;
    Engine engine;
    engine_init(&engine, open_noting);
    prepare(&engine, "engine");
    assert_string_equal(opened, "engine");
    engine_set_threads(&engine, 2);
    prepare(&engine, NULL);
    assert_string_equal(opened, "engine:threads=2");
    engine_set_threads(&engine, 2);
    prepare(&engine, NULL);
    assert_string_equal(opened, ""); // still open
    engine_set_memory(&engine, 100000);
    prepare(&engine, NULL);
    assert_string_equal(opened, "engine:threads=2,memory=65536");
    prepare(&engine, "engine:nodes=5, threads =3");
    assert_string_equal(opened, "engine:nodes=5, threads =3,memory=65536");
    prepare(&engine, "random");
    assert_string_equal(opened, "random");
    prepare(&engine, "exec:engine");
    assert_string_equal(opened, "exec:engine");
    engine_set_threads(&engine, 0);
    prepare(&engine, "best");
    assert_string_equal(opened, "engine:memory=65536");
    engine_close(&engine);
}

static void test_sizes_of_managers(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t threads, megabytes;
    } cases[] = {
        {"INFO thread_num 4\n", 4, 0},         {"INFO thread_num -1\n", 0, 0},
        {"INFO max_memory 0\n", 0, 0},         {"INFO max_memory 367001600\n", 0, 310},
        {"INFO max_memory 83886080\n", 0, 40}, {"INFO max_memory 1000\n", 0, 1},
        {"INFO hash_size 1025\n", 0, 2},       {"INFO max_memory -5\nINFO hash_size 0\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Rig *rig = start("quick", &engine_gomocup);
        send_text(rig, cases[i].line);
        send_text(rig, "START 15\n");
        expect(rig, "OK");
        assert_int_equal(rig->engine.threads, cases[i].threads);
        assert_int_equal(rig->engine.megabytes, cases[i].megabytes);
        send_text(rig, "END\n");
        assert_int_equal(finish(rig), STATUS_OK);
    }
    Rig *rig = start("quick", &engine_ugi);
    send_text(rig, "setoption name threads value 3\nsetoption name Hash value 17\nisready\n");
    expect(rig, "readyok");
    assert_int_equal(rig->engine.threads, 3);
    assert_int_equal(rig->engine.megabytes, 17);
    send_text(rig, "quit\n");
    assert_int_equal(finish(rig), STATUS_OK);
}

// --- The end ---

static void test_end_while_thinking(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Rig *rig = start(i == 0 ? "sleeper" : "deaf", &engine_gomocup);
        send_text(rig, "START 15\nINFO timeout_turn 60000\nBEGIN\n");
        expect(rig, "OK");
        expect_silence(rig);
        double begin = clock_seconds();
        send_text(rig, "END\n");
        expect(rig, "0,14");
        assert_int_equal(finish(rig), STATUS_OK);
        // A deaf agent is only abandoned; a busy machine gets a little more than the second of the protocol.
        assert_true(clock_seconds() - begin < (i == 0 ? 0.9 : 2));
        assert_int_equal(atomic_load(&release), i == 1);
    }
}

static void test_all_before_the_end_is_answered(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", NULL);
    send_text(rig, "START 15\nBEGIN\nTURN 7,7\nABOUT\nEND\nABOUT\n");
    expect(rig, "OK");
    expect(rig, "0,14");
    expect(rig, "1,14");
    expect(rig, "name");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_end_of_input(void **state)
{
    (void)state;
    // A search with a limit is finished, one without is stopped; a last line without an end counts.
    Rig *rig = start("sleeper", NULL);
    send_text(rig, "START 15\nINFO timeout_turn 200\nBEGIN");
    hang_up_input(rig);
    expect(rig, "OK");
    expect(rig, "0,14");
    assert_int_equal(finish(rig), STATUS_OK);

    rig = start("sleeper", &engine_ugi);
    send_text(rig, "go infinite\n");
    expect_silence(rig);
    hang_up_input(rig);
    expect(rig, "bestmove a1");
    assert_int_equal(finish(rig), STATUS_OK);

    rig = start("sleeper", NULL);
    hang_up_input(rig);
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_a_manager_that_is_gone(void **state)
{
    (void)state;
    Rig *rig = start("sleeper", &engine_ugi);
    send_text(rig, "isready\ngo movetime 3600000\n");
    expect(rig, "readyok");
    hang_up_input(rig);
    (void)close(rig->from);
    assert_int_equal(pthread_join(rig->thread, NULL), 0);
    assert_int_equal(rig->status, STATUS_OK);
    (void)close(rig->config.input);
    text_close(&rig->seen);
    engine_close(&rig->engine);
    free(rig);
}

// --- Lines ---

static void test_line_ends_and_lengths(void **state)
{
    (void)state;
    Rig *rig = start("quick", NULL);
    send_text(rig, "START 15\rBEGIN\r\n\r\n\n  TURN 7 , 7 \r");
    expect(rig, "OK");
    expect(rig, "0,14");
    expect(rig, "1,14");
    static char longer[ENGINE_LINE_MAX * 2];
    memset(longer, 'x', sizeof longer - 2);
    longer[sizeof longer - 2] = '\n';
    send_text(rig, longer);
    expect(rig, "ERROR a line of more than 65535 characters");
    send_text(rig, "ABOUT\nEND\n");
    expect(rig, "name");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_an_agent_that_breaks_the_rules(void **state)
{
    (void)state;
    Rig *rig = start("wrong", &engine_gomocup);
    send_text(rig, "START 15\nBEGIN\nEND\n");
    expect(rig, "OK");
    expect(rig, "ERROR the agent 'wrong' broke the rules");
    assert_int_equal(finish(rig), STATUS_OK);
    rig = start("wrong", &engine_ugi);
    send_text(rig, "go nodes 1\nquit\n");
    expect(rig, "info string error: the agent 'wrong' broke the rules");
    expect(rig, "bestmove none");
    assert_int_equal(finish(rig), STATUS_OK);
}

static void test_an_agent_with_a_fault(void **state)
{
    (void)state;
    Rig *rig = start("faulty", &engine_ugi);
    send_text(rig, "go nodes 1\nquit\n");
    expect(rig, "info string error: the agent 'faulty' failed: it ended with status 3");
    expect(rig, "bestmove none");
    assert_int_equal(finish(rig), STATUS_OK);
}

// --- Choices of swap2 ---

static void test_swap2_by_scores(void **state)
{
    (void)state;
    static const struct {
        double white, black;
        Proven white_proven, black_proven;
        const char *answer;
    } cases[] = {
        {5, -5, PROVEN_NOTHING, PROVEN_NOTHING, "0,14"}, {-5, 5, PROVEN_NOTHING, PROVEN_NOTHING, "SWAP"},
        {5, 5, PROVEN_NOTHING, PROVEN_LOSS, "0,14"},     {-5, 5, PROVEN_WIN, PROVEN_NOTHING, "0,14"},
        {5, -5, PROVEN_LOSS, PROVEN_NOTHING, "SWAP"},    {5, -5, PROVEN_NOTHING, PROVEN_WIN, "SWAP"},
        {-5, 5, PROVEN_NOTHING, PROVEN_LOSS, "0,14"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int stones = 3; stones <= 5; stones += 2) {
            atomic_store(&scores[0], cases[i].white);
            atomic_store(&scores[1], cases[i].black);
            atomic_store(&proven[0], cases[i].white_proven);
            atomic_store(&proven[1], cases[i].black_proven);
            Rig *rig = start("quick", &engine_gomocup);
            send_text(rig, "START 15\nSWAP2BOARD\n5,5\n6,5\n7,5\n");
            send_text(rig, stones == 5 ? "8,8\n9,9\nDONE\nEND\n" : "DONE\nEND\n");
            expect(rig, "OK");
            expect(rig, cases[i].answer);
            assert_int_equal(finish(rig), STATUS_OK);
        }
    for (int i = 0; i < 2; i++) {
        atomic_store(&scores[i], 0);
        atomic_store(&proven[i], PROVEN_NOTHING);
    }
}

// With three balanced stones two more follow, unless one side wins after every pair; with five stones there is only
// the choice of a colour.
static void test_swap2_of_balanced_stones(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        static const Proven wins[] = {PROVEN_NOTHING, PROVEN_WIN, PROVEN_NOTHING};
        atomic_store(&later, wins[i]);
        Rig *rig = start("quick", &engine_gomocup);
        send_text(rig, "START 15\nSWAP2BOARD\n5,5\n6,5\n7,5\n");
        send_text(rig, i == 2 ? "8,8\n9,9\nDONE\nTURN 0,0\nEND\n" : "DONE\nTURN 0,0\nEND\n");
        expect(rig, "OK");
        if (i > 0) {
            expect(rig, "SWAP");
        } else {
            char *line = next_line(rig, PATIENCE_MS);
            assert_non_null(line);
            Span rest = span_of(line), stone = {0}, x_text = {0};
            int64_t x[2] = {0}, y[2] = {0};
            for (int j = 0; j < 2; j++) {
                assert_true(span_next_word(&rest, " ", &stone) && span_next_part(&stone, ',', &x_text));
                assert_true(span_to_int(x_text, 0, 14, &x[j]) && span_to_int(stone, 0, 14, &y[j]));
                assert_false(y[j] == 5 && x[j] >= 5 && x[j] <= 7);
            }
            assert_true((x[0] != x[1] || y[0] != y[1]) && rest.length == 0);
            free(line);
        }
        expect(rig, "0,14"); // krow is black
        assert_int_equal(finish(rig), STATUS_OK);
    }
    atomic_store(&later, PROVEN_NOTHING);
}

TEST_GROUP(engine_core)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_does_not_stop_a_search),
        cmocka_unit_test(test_info_behind_a_move_is_not_lost),
        cmocka_unit_test(test_stop_in_the_same_breath),
        cmocka_unit_test(test_a_stop_is_not_for_later_searches),
        cmocka_unit_test(test_ready_while_thinking),
        cmocka_unit_test(test_infinite_waits_for_stop),
        cmocka_unit_test(test_the_timer_ends_a_search),
        cmocka_unit_test(test_the_timer_of_ugi),
        cmocka_unit_test(test_allotted_time),
        cmocka_unit_test(test_our_own_clock),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sizes_of_managers),
        cmocka_unit_test(test_end_while_thinking),
        cmocka_unit_test(test_all_before_the_end_is_answered),
        cmocka_unit_test(test_end_of_input),
        cmocka_unit_test(test_a_manager_that_is_gone),
        cmocka_unit_test(test_line_ends_and_lengths),
        cmocka_unit_test(test_an_agent_that_breaks_the_rules),
        cmocka_unit_test(test_an_agent_with_a_fault),
        cmocka_unit_test(test_swap2_by_scores),
        cmocka_unit_test(test_swap2_of_balanced_stones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
