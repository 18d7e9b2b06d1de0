// Compares docs/openapi.json and docs/api.md with the table of routes: paths, methods, summaries, fields and queries. A
// route lists its fields and queries when it receives an unknown one.
#include "base/file.h"
#include "support/check.h"
#include "support/web_bench.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static json_t *document;
static Text manual;
static WebBench bench;

static void read_document(const char *name, Text *text)
{
    const char *source = getenv("KROW_SOURCE");
    Text path = {0};
    Error error = {0};
    text_add(&path, "%s/docs/%s", source != NULL ? source : ".", name);
    assert_done(file_read(path.data, 1 << 20, text, &error), error);
    text_close(&path);
}

static int open_all(void **state)
{
    (void)state;
    Text text = {0};
    read_document("openapi.json", &text);
    read_document("api.md", &manual);
    document = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, NULL);
    text_close(&text);
    web_bench_open(&bench, 0);
    return document != NULL ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    json_decref(document);
    text_close(&manual);
    web_bench_close(&bench);
    return 0;
}

static json_t *operation_of(const WebRoute *route)
{
    char method[8] = "";
    for (size_t i = 0; route->method[i] != '\0'; i++)
        method[i] = (char)(route->method[i] | 0x20);
    return json_object_get(json_object_get(json_object_get(document, "paths"), route->path), method);
}

static void test_routes(void **state)
{
    (void)state;
    unsigned count = 0, written = 0;
    for (const WebRoute *const *table = web_route_tables; *table != NULL; table++)
        for (const WebRoute *route = *table; route->method != NULL; route++, count++) {
            const json_t *operation = operation_of(route);
            if (operation == NULL)
                fail_msg("docs/openapi.json has no %s %s", route->method, route->path);
            assert_string_equal(json_string_value(json_object_get(operation, "summary")), route->summary);
            char words[160];
            (void)snprintf(words, sizeof words, "`%s %s`", route->method, route->path);
            if (strstr(manual.data, words) == NULL)
                fail_msg("docs/api.md has no %s", words);
        }
    const char *path = NULL, *method = NULL;
    json_t *item = NULL, *operation = NULL;
    json_object_foreach(json_object_get(document, "paths"), path, item) json_object_foreach(item, method, operation)
        written++;
    assert_int_equal(written, count);
}

// Words of an answer that lists what may be sent, as "…: a b c"; NULL where it does not.
static const char *listed(const json_t *answer)
{
    const char *error = json_string_value(json_object_get(answer, "error"));
    const char *colon = error != NULL ? strrchr(error, ':') : NULL;
    return colon != NULL ? colon + 1 : NULL;
}

static bool has_word(const char *list, const char *name)
{
    Span rest = span_of(list), word = {0};
    while (span_next_word(&rest, " ", &word))
        if (span_is(word, name))
            return true;
    return false;
}

static unsigned words_in(const char *list)
{
    Span rest = span_of(list), word = {0};
    unsigned count = 0;
    while (span_next_word(&rest, " ", &word))
        count++;
    return count;
}

// The path with something for every part in braces.
static void path_with(const WebRoute *route, const char *query, char path[200])
{
    size_t length = (size_t)snprintf(path, 200, "/api/v1");
    for (const char *c = route->path; *c != '\0'; c++) {
        if (*c == '{') {
            path[length++] = '1';
            c = strchr(c, '}');
        } else
            path[length++] = *c;
    }
    (void)snprintf(path + length, 200 - length, "%s", query);
}

static void test_bodies(void **state)
{
    (void)state;
    for (const WebRoute *const *table = web_route_tables; *table != NULL; table++)
        for (const WebRoute *route = *table; route->method != NULL; route++) {
            if (strcmp(route->method, "POST") != 0)
                continue;
            char path[200];
            json_t *answer = NULL;
            path_with(route, "", path);
            assert_int_equal(web_bench_ask(&bench, "POST", path, "{\"~\": 1}", &answer), 400);
            const char *list = listed(answer), *name = NULL;
            assert_non_null(list);
            json_t *schema = json_object_get(json_object_get(operation_of(route), "requestBody"), "content");
            schema =
                json_object_get(json_object_get(json_object_get(schema, "application/json"), "schema"), "properties");
            json_t *property = NULL;
            json_object_foreach(schema, name, property)
            {
                if (!has_word(list, name))
                    fail_msg("%s %s does not take %s", route->method, route->path, name);
            }
            if (json_object_size(schema) != words_in(list))
                fail_msg("%s %s takes%s", route->method, route->path, list);
            json_decref(answer);
        }
}

static void test_queries(void **state)
{
    (void)state;
    for (const WebRoute *const *table = web_route_tables; *table != NULL; table++)
        for (const WebRoute *route = *table; route->method != NULL; route++) {
            json_t *parameters = json_object_get(operation_of(route), "parameters"), *parameter = NULL;
            char path[200];
            json_t *answer = NULL;
            path_with(route, "?~=1", path);
            unsigned status = strcmp(route->method, "GET") == 0 ? web_bench_ask(&bench, "GET", path, "", &answer) : 0;
            const char *list = status == 400 ? listed(answer) : "";
            size_t i = 0;
            unsigned queries = 0;
            json_array_foreach(parameters, i, parameter)
            {
                const char *name = json_string_value(json_object_get(parameter, "name"));
                if (strcmp(json_string_value(json_object_get(parameter, "in")), "query") != 0) {
                    char part[64];
                    (void)snprintf(part, sizeof part, "{%s}", name);
                    assert_non_null(strstr(route->path, part));
                    continue;
                }
                queries++;
                if (list == NULL || !has_word(list, name))
                    fail_msg("%s %s does not take ?%s", route->method, route->path, name);
            }
            if (queries != words_in(list != NULL ? list : ""))
                fail_msg("%s %s takes?%s", route->method, route->path, list);
            json_decref(answer);
        }
}

// Every reference leads somewhere.
static void check_references(json_t *value)
{
    const char *name = NULL;
    json_t *item = NULL;
    size_t i = 0;
    if (json_is_array(value))
        json_array_foreach(value, i, item) check_references(item);
    if (!json_is_object(value))
        return;
    static const char schemas[] = "#/components/schemas/";
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    if (reference != NULL) {
        assert_int_equal(strncmp(reference, schemas, sizeof schemas - 1), 0);
        json_t *all = json_object_get(json_object_get(document, "components"), "schemas");
        assert_non_null(json_object_get(all, reference + sizeof schemas - 1));
    }
    json_object_foreach(value, name, item) check_references(item);
}

static void test_references(void **state)
{
    (void)state;
    check_references(document);
}

static void check_state(const char *path, const char *body, const char *name_of_schema)
{
    json_t *reported = NULL, *value = NULL;
    assert_int_equal(web_bench_ask(&bench, "POST", path, body, &reported), 201);
    json_t *schema =
        json_object_get(json_object_get(json_object_get(document, "components"), "schemas"), name_of_schema);
    json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    const char *name = NULL;
    json_object_foreach(reported, name, value)
    {
        if (json_object_get(properties, name) == NULL)
            fail_msg("the state has %s", name);
    }
    assert_int_equal(json_object_size(reported), json_array_size(required));
    json_decref(reported);
}

// States have the fields that the document says, and no others.
static void test_state(void **state)
{
    (void)state;
    static const char body[] = "{\"game\": \"gomoku\", \"moves\": \"h8\", \"clock\": {\"seconds\": 9}}";
    check_state("/api/v1/sessions", body, "State");
    check_state("/api/v1/friends", "{\"game\": \"gomoku\"}", "FriendGame");
}

TEST_GROUP(web_openapi)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_routes), cmocka_unit_test(test_bodies),
                                       cmocka_unit_test(test_queries), cmocka_unit_test(test_references),
                                       cmocka_unit_test(test_state)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
