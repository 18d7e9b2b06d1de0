// Tests of the settings of players in the texts of agents.
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static void expect_command(const char *text, const char *command, const char *name)
{
    AgentSettings settings = {0};
    Text left = {0};
    Error error = {0};
    assert_done(agent_settings_take(&settings, span_of(text), &left, &error), error);
    assert_string_equal(left.data, command);
    assert_string_equal(settings.name, name);
    agent_settings_close(&settings);
    text_close(&left);
}

static void test_what_is_a_setting(void **state)
{
    (void)state;
    expect_command("./e", "./e", "");
    expect_command("./e,name=E", "./e", "E");
    expect_command("./e,name=E --threads 1", "./e --threads 1", "E");
    expect_command("python3  ./e.py,time=1,name=E -x", "python3  ./e.py -x", "E");
    expect_command("'/a b/e',name='My Engine' 'x y'", "'/a b/e' 'x y'", "My Engine");
    expect_command("./a\\ b,name=\"E, the 2nd\"", "./a\\ b", "E, the 2nd");
    // A comma that belongs to the command.
    expect_command("./a,b", "./a,b", "");
    expect_command("'./a,name=E'", "'./a,name=E'", "");
    expect_command("./e \"x,name=E\"", "./e \"x,name=E\"", "");
    expect_command("./e 1,2,3", "./e 1,2,3", "");
    expect_command("./e x,width=3", "./e x,width=3", "");
    expect_command("krow engine --agent sequences:c=1,depth=4", "krow engine --agent sequences:c=1,depth=4", "");
    expect_command("./e --limits=a,depth=4", "./e --limits=a,depth=4", "");
}

static void test_values(void **state)
{
    (void)state;
    AgentSettings settings = {0};
    Text command = {0};
    Error error = {0};
    Span text = span_of("./e,time=0.5,clock=60+0.25,nodes=5000000000,depth=7,threads=4,memory=64,protocol=ugi,"
                        "option.Hash=64,option.Big Table='a b'");
    // A blank ends a word, so an option whose name has blanks is quoted.
    assert_refused(agent_settings_take(&settings, text, &command, &error), error, "'option.Big' has no value");
    agent_settings_close(&settings);
    command.length = 0;
    text = span_of(
        "./e,time=0.5,clock=60+0.25,nodes=5000000000,depth=7,threads=4,memory=64,protocol=ugi,"
        "option.Hash=64,'option.Big Table=a b',memory_limit=512,process_limit=9,cpu_limit=1.5,start=2.5,paths=host");
    assert_done(agent_settings_take(&settings, text, &command, &error), error);
    assert_true(settings.seconds == 0.5 && settings.clock == 60 && settings.increment == 0.25);
    assert_int_equal(settings.nodes, 5000000000);
    assert_int_equal(settings.depth, 7);
    assert_int_equal(settings.threads, 4);
    assert_int_equal(settings.memory, 64);
    assert_int_equal(settings.memory_limit, 512);
    assert_int_equal(settings.process_limit, 9);
    assert_true(settings.cpu_limit == 1.5 && settings.start == 2.5 && settings.keeps_paths);
    assert_true(settings.is_ugi && !settings.is_gomocup);
    assert_int_equal(settings.options.count, 4);
    assert_string_equal(settings.options.at[0], "Hash");
    assert_string_equal(settings.options.at[2], "Big Table");
    assert_string_equal(settings.options.at[3], "a b");
    agent_settings_close(&settings);
    text_close(&command);
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"./e,nmae=E", "'nmae' is not a setting: name, time"},
        {"./e,name=E,tmie=1", "'tmie' is not a setting"},
        {"./e,name=", "name: '' is not a name of 1 to 63 bytes"},
        {"./e,time=0", "time: '0' is not a number of seconds above 0"},
        {"./e,clock=60+x", "clock: '60+x' is not a clock"},
        {"./e,nodes=-1", "nodes: '-1' is not a whole number from 1"},
        {"./e,depth=4097", "depth: '4097' is not a whole number from 1 to 4096"},
        {"./e,threads=0", "threads: '0'"},
        {"./e,memory=2000000", "memory: '2000000'"},
        {"./e,memory_limit=0", "memory_limit: '0'"},
        {"./e,process_limit=5000", "process_limit: '5000' is not a whole number from 1 to 4096"},
        {"./e,paths=none", "paths: 'none' is not host or hidden"},
        {"./e,cpu_limit=-1", "cpu_limit: '-1' is not a number of seconds above 0"},
        {"./e,protocol=uci", "protocol: 'uci' is not gomocup or ugi"},
        {"./e,name=E,", "'' has no value"},
        {"./e,option.A='x\nquit'", "is not a single line"},
        {"./e,name='E", "a quote without its end"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        AgentSettings settings = {0};
        Text command = {0};
        Error error = {0};
        assert_refused(agent_settings_take(&settings, span_of(wrong[i][0]), &command, &error), error, wrong[i][1]);
        agent_settings_close(&settings);
        text_close(&command);
    }
}

// krow's own agents take their options and settings in any order; their own options come first.
static void test_of_own_agents(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    Rules rules = rules_of("gomoku");
    assert_done(agent_open(&agent, span_of("adjacent:name=A,reach=2,nodes=9,depth=2"), &rules, &error), error);
    assert_string_equal(agent.config.settings.name, "A");
    assert_int_equal(agent.config.settings.nodes, 9);
    assert_int_equal(agent.config.settings.depth, 0);
    assert_int_equal(options_int(&agent.config.options, "depth"), 2);
    assert_int_equal(options_int(&agent.config.options, "reach"), 2);
    agent_close(&agent);
    assert_refused(agent_open(&agent, span_of("random:threads=2"), &rules, &error), error,
                   "there is no option 'threads'");
    assert_refused(agent_open(&agent, span_of("adjacent:,reach=2"), &rules, &error), error, "there is no option ''");
    assert_refused(agent_open(&agent, span_of("adjacent:reach=2,"), &rules, &error), error, "the last comma");
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"random", "random"},     {"sequences:c=2,name=S", "S"},      {"exec:./e --x,name=E", "E"},
        {"exec:./e", "exec:./e"}, {"nobody:name=E", "nobody:name=E"}, {"exec:./e,name=E,x=1", "exec:./e,name=E,x=1"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *name = agent_player_name(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}

static void test_limits(void **state)
{
    (void)state;
    Budget match = {.seconds = 5, .nodes = 100, .depth = 3};
    Budget same = agent_settings_apply(&(AgentSettings){0}, match);
    assert_memory_equal(&same, &match, sizeof match);
    Budget own = agent_settings_apply(&(AgentSettings){.seconds = 1, .nodes = 7, .depth = 2}, match);
    assert_true(own.seconds == 1 && own.nodes == 7 && own.depth == 2);
    // What is left of a clock bounds the turn; the referee knows it.
    own = agent_settings_apply(&(AgentSettings){.seconds = 9, .clock = 60}, match);
    assert_true(own.seconds == 5);
}

TEST_GROUP(settings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_a_setting), cmocka_unit_test(test_values), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_of_own_agents),     cmocka_unit_test(test_names),  cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
