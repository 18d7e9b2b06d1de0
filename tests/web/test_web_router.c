// Tests of the router: from a method and a path to a handler, with bodies.
#include "support/check.h"
#include "web/http/router.h"

#include <string.h>

static Status echo(WebCall *call)
{
    const char *const *parameter = call->request->parameter;
    call->reply->json = json_pack("{s:s?, s:s?}", "a", parameter[0], "b", parameter[1]);
    return STATUS_OK;
}

static Status fails(WebCall *call)
{
    (void)web_field_text(call, "text", 5);
    (void)web_field_int(call, "number", 1, 10, 1);
    (void)web_field_real(call, "real", 0, 1, 0);
    (void)web_field_bool(call, "flag", false);
    (void)web_field_array(call, "list", 2);
    (void)web_field_object(call, "object");
    return call->error->status != STATUS_OK ? call->error->status : web_fail(call, 429, NULL, "enough");
}

static const WebRoute first[] = {
    {"GET", "/things", echo, 0, "", .names = NULL},
    {"GET", "/things/{id}", echo, 0, "", .names = NULL},
    {"POST", "/things/{id}/do", fails, 0, "", .names = "text number real flag list object"},
    {0}};
static const WebRoute second[] = {{"DELETE", "/things/{id}", echo, 0, "", .names = NULL},
                                  {"GET", "/things/{id}/parts/{part}", echo, 0, "", .names = NULL},
                                  {0}};
static const WebRoute *const tables[] = {first, second, NULL};

static void assert_found(const char *method, const char *path, unsigned status, const char *a, const char *b)
{
    WebRouteMatch match;
    web_router_find(tables, method, path, &match);
    if (status != 200) {
        assert_null(match.route);
        assert_int_equal(match.status, status);
        return;
    }
    assert_non_null(match.route);
    for (int i = 0; i < 2; i++) {
        const char *expected = i == 0 ? a : b;
        if (expected == NULL)
            assert_null(match.request.parameter[i]);
        else
            assert_string_equal(match.request.parameter[i], expected);
    }
}

static void test_paths(void **state)
{
    (void)state;
    assert_found("GET", "/api/v1/things", 200, NULL, NULL);
    assert_found("GET", "/api/v1/things/12", 200, "12", NULL);
    assert_found("DELETE", "/api/v1/things/x y", 200, "x y", NULL);
    assert_found("GET", "/api/v1/things/a/parts/b", 200, "a", "b");
    assert_found("POST", "/api/v1/things/12", 405, NULL, NULL);
    assert_found("GET", "/api/v1/things/12/do", 405, NULL, NULL);
    static const char *const missing[] = {"",
                                          "/",
                                          "/api/v1",
                                          "/api/v1/",
                                          "/api/v2/things",
                                          "/api/v1/thing",
                                          "/api/v1/thingss",
                                          "/api/v1/things/",
                                          "/api/v1/things//",
                                          "/api/v1/things/a/parts",
                                          "/api/v1/things/a/parts/",
                                          "/api/v1/things/a/parts/b/",
                                          "/api/v1/things/a/parts/b/c",
                                          "/api/v1//things",
                                          "api/v1/things"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        assert_found("GET", missing[i], 404, NULL, NULL);
    char path[400] = "/api/v1/things/";
    memset(path + strlen(path), 'a', 300);
    assert_found("GET", path, 404, NULL, NULL);
}

// The failure of a body, and the field it names.
static void assert_answer(const char *body, unsigned status, const char *field)
{
    WebRouteMatch match;
    WebReply reply = {0};
    Error error = {0};
    json_t *object = NULL;
    web_router_find(tables, "POST", "/api/v1/things/1/do", &match);
    if (web_router_body(span_of(body), &object, &reply, &error) == STATUS_OK) {
        match.request.body = object;
        web_router_run(&match, NULL, &reply);
    } else
        web_router_report(&reply, error.text);
    assert_int_equal(reply.status, status);
    const char *reported = json_string_value(json_object_get(reply.json, "field"));
    assert_string_equal(reported != NULL ? reported : "", field);
    assert_true(strlen(json_string_value(json_object_get(reply.json, "error"))) > 0);
    json_decref(object);
    web_reply_close(&reply);
}

static void test_bodies(void **state)
{
    (void)state;
    assert_answer("", 429, "");
    assert_answer("  ", 429, "");
    assert_answer("{}", 429, "");
    assert_answer("{\"text\": \"abcde\", \"number\": 10, \"real\": 0.5, \"flag\": true, \"list\": [1], \"object\": {}}",
                  429, "");
    assert_answer("{\"text\": null}", 429, "");
    assert_answer("[]", 400, "");
    assert_answer("1", 400, "");
    assert_answer("{", 400, "");
    assert_answer("{\"text\": 1, \"text\": 2}", 400, ""); // twice
    assert_answer("{\"text\": \"\\u0000\"}", 400, "");
    assert_answer("{\"text\": \"\xff\"}", 400, "");
    assert_answer("{\"other\": 1}", 400, "other");
    assert_answer("{\"text\": \"abcdef\"}", 400, "text");
    assert_answer("{\"text\": 5}", 400, "text");
    assert_answer("{\"number\": 0}", 400, "number");
    assert_answer("{\"number\": 11}", 400, "number");
    assert_answer("{\"number\": 1.0}", 400, "number");
    assert_answer("{\"number\": \"1\"}", 400, "number");
    assert_answer("{\"real\": 1.01}", 400, "real");
    assert_answer("{\"flag\": 1}", 400, "flag");
    assert_answer("{\"list\": [1, 2, 3]}", 400, "list");
    assert_answer("{\"list\": {}}", 400, "list");
    assert_answer("{\"object\": []}", 400, "object");
    // A name that is longer than fields are is reported as far as it goes, without half a character.
    assert_answer("{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xc3\xa4\xc3\xa4\": 1}", 400, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    char deep[6000] = "{\"list\": ";
    memset(deep + strlen(deep), '[', 5000);
    assert_answer(deep, 400, "");
}

TEST_GROUP(web_router)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths), cmocka_unit_test(test_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
