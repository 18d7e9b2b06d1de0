// Tests of the agents that a request may choose. The tests use the option tables, so they cover new agents and options
// without changes.
#include "support/check.h"
#include "web/session/rules.h"

#include <string.h>

static unsigned check_on(const char *agent, const char *rules, char text[WEB_AGENT_SIZE])
{
    WebReply reply = {0};
    Error error = {0};
    Rules game = rules_of(rules);
    WebCall call = {.reply = &reply, .error = &error};
    Status status = web_agent_check(&call, "first", agent, &game, text);
    if (status == STATUS_OK)
        return 200;
    assert_true(strlen(error.text) > 0);
    assert_string_equal(reply.field, "first");
    return reply.status;
}

static unsigned check(const char *agent)
{
    char text[WEB_AGENT_SIZE];
    return check_on(agent, "gomoku", text);
}

static void test_allowed(void **state)
{
    (void)state;
    char text[WEB_AGENT_SIZE];
    assert_int_equal(check_on(" random ", "gomoku", text), 200);
    assert_string_equal(text, "random");
    assert_int_equal(check_on("threats:depth=4,width=8", "gomoku", text), 200);
    assert_string_equal(text, "threats:depth=4,width=8");
    assert_int_equal(check("book:fallback=threats:depth=4+width=8"), 200);
    assert_int_equal(check("level:n=3,thinker=engine:depth=2"), 200);
    assert_int_equal(check("montecarlo:rater=sequences"), 200);
    // What is opened never takes more than the server has for one.
    assert_int_equal(check_on("engine", "gomoku", text), 200);
    assert_string_equal(text, "engine:memory=32");
    assert_int_equal(check_on("engine:depth=3", "gomoku", text), 200);
    assert_string_equal(text, "engine:depth=3,memory=32");
    assert_int_equal(check_on("engine:memory=8", "gomoku", text), 200);
    assert_string_equal(text, "engine:memory=8");
}

static void test_wrong(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "missing",
        "human",
        "engine:memory=33",
        "engine:threads=3",
        "engine:time=61",
        "engine:",
        "engine:depth",
        "engine:depth=x",
        "engine:bogus=1",
        "book:fallback=missing",
        "engine,random",
        "Engine",
        "engine:depth=1,depth=2",
        "perfect:table=33",
        "book:fallback=book:fallback=book:fallback=book:fallback=book:fallback=book:fallback=random",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (strcmp(wrong[i], "engine:") != 0) // no options, which agents take
            assert_int_equal(check(wrong[i]), 400);
    char text[WEB_AGENT_SIZE];
    assert_int_equal(check_on("patterns", "connect6", text), 400); // plays other games
    assert_int_equal(check_on("random", "64x64:k=5,p=16,q=16", text), 200);
    assert_int_equal(check_on("random", "64x64:k=5,p=17", text), 400); // turns that take too long
    char longest[400] = "book:name=";
    memset(longest + strlen(longest), 'x', 200);
    assert_int_equal(check(longest), 400);
}

// Puts an agent into every option of every agent that takes one, and that again.
static void check_nested(const char *agent, unsigned depth, unsigned expected)
{
    assert_int_equal(check(agent), expected);
    if (depth == 0)
        return;
    for (int i = 0; i < agent_kind_count; i++) {
        const AgentOption *option = NULL;
        for (unsigned j = 0; (option = option_at(agent_options(agent_kinds[i]), j)) != NULL; j++) {
            char outer[300];
            if (option->type != OPTION_INNER || agent_kinds[i]->takes_command)
                continue;
            (void)snprintf(outer, sizeof outer, "%s:%s=%s", agent_kinds[i]->name, option->name, agent);
            check_nested(outer, depth - 1, expected);
        }
    }
}

static void test_commands(void **state)
{
    (void)state;
    unsigned found = 0;
    for (int i = 0; i < agent_kind_count; i++) {
        if (!agent_kinds[i]->takes_command)
            continue;
        static const char *const commands[] = {"", ":", ":sh", ":/bin/sh -c id"};
        for (size_t j = 0; j < sizeof commands / sizeof commands[0]; j++) {
            char agent[64];
            (void)snprintf(agent, sizeof agent, "%s%s", agent_kinds[i]->name, commands[j]);
            check_nested(agent, 2, 403);
        }
        found++;
    }
    assert_true(found > 0);
    assert_int_equal(check(" exec:sh"), 403);
    assert_int_equal(check("exec :sh"), 400);
    assert_int_equal(check("book:fallback= exec:sh"), 403);
    assert_int_equal(check("level:thinker=exec:sh"), 403);
    assert_int_equal(check("book:s=3,fallback=exec:sh"), 403);
    assert_int_equal(check("book:fallback=level:n=3+thinker=exec:sh"), 403);
    // Here the second option is one of level, which has none of that name: wrong before anything is forbidden.
    assert_int_equal(check("book:fallback=level:thinker=exec:sh+x=1"), 400);
}

static void test_files(void **state)
{
    (void)state;
    unsigned found = 0;
    for (int i = 0; i < agent_kind_count; i++) {
        const AgentOption *option = NULL;
        for (unsigned j = 0; (option = option_at(agent_options(agent_kinds[i]), j)) != NULL; j++) {
            static const char *const values[] = {"/etc/passwd", "", "none", "weights.txt", "..", "-"};
            if (option->type != OPTION_PATH)
                continue;
            for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
                char agent[128];
                (void)snprintf(agent, sizeof agent, "%s:%s=%s", agent_kinds[i]->name, option->name, values[n]);
                check_nested(agent, 2, 403);
            }
            found++;
        }
    }
    assert_true(found > 0);
    assert_int_equal(check("engine:depth=2,weights=/etc/passwd"), 403);
    assert_int_equal(check("level:thinker=engine:depth=2+weights=/etc/passwd"), 403);
    // Learning changes what is kept for everybody.
    char text[WEB_AGENT_SIZE];
    assert_int_equal(check_on("patterns:learn=1", "connect4", text), 403);
}

// An option whose words speak of a file must have the type for it.
static void test_texts_name_no_files(void **state)
{
    (void)state;
    for (int i = 0; i < agent_kind_count; i++) {
        const AgentOption *option = NULL;
        for (unsigned j = 0; (option = option_at(agent_options(agent_kinds[i]), j)) != NULL; j++)
            if (strstr(option->help, "file") != NULL || strstr(option->help, "path") != NULL)
                assert_int_equal(option->type, OPTION_PATH);
    }
}

static void test_list(void **state)
{
    (void)state;
    json_t *list = web_agents_json(), *agent = NULL, *option = NULL;
    size_t i = 0, j = 0;
    assert_true(json_array_size(list) > 5);
    json_array_foreach(list, i, agent)
    {
        const char *name = json_string_value(json_object_get(agent, "name"));
        assert_string_not_equal(name, "exec");
        json_array_foreach(json_object_get(agent, "options"), j, option)
        {
            assert_string_not_equal(json_string_value(json_object_get(option, "type")), "file");
            const char *word = json_string_value(json_object_get(option, "name"));
            assert_false(strcmp(word, "memory") == 0 && json_number_value(json_object_get(option, "max")) > 32);
        }
    }
    json_decref(list);
    Rules rules = rules_of("connect4");
    list = web_agents_playing(&rules);
    assert_true(json_array_size(list) > 5);
    json_decref(list);
}

TEST_GROUP(web_agents)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_texts_name_no_files),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
