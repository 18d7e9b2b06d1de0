// Tests of access control of the web board.
#include "support/check.h"
#include "web/http/guard.h"

#include <stdio.h>
#include <string.h>

static WebGuard guard_of(const char *bind)
{
    WebGuard guard;
    Error error = {0};
    assert_done(web_guard_open(&guard, bind, &error), error);
    return guard;
}

// A request from the page itself.
static WebHeaders usual(void)
{
    return (WebHeaders){.method = "POST",
                        .path = "/api/v1/sessions",
                        .host = "127.0.0.1:8484",
                        .origin = "http://127.0.0.1:8484",
                        .site = "same-origin",
                        .mode = "cors",
                        .type = "application/json"};
}

#define assert_verdict(guard, headers, expected)                                                                       \
    assert_int_equal(web_guard_check(&(guard), &(headers)).status, expected)

static void test_addresses(void **state)
{
    (void)state;
    assert_true(guard_of("127.0.0.1").is_loopback);
    assert_true(guard_of("127.5.6.7").is_loopback);
    assert_true(guard_of("::1").is_loopback);
    assert_true(guard_of("localhost").is_loopback);
    assert_string_equal(guard_of("127.0.0.1").token, "");
    static const char *const open[] = {"0.0.0.0", "::", "192.168.1.5", "128.0.0.1"};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        WebGuard a = guard_of(open[i]), b = guard_of(open[i]);
        assert_false(a.is_loopback);
        assert_int_equal(strlen(a.token), WEB_TOKEN_SIZE - 1);
        assert_string_not_equal(a.token, b.token);
    }
    WebGuard guard;
    Error error = {0};
    assert_refused(web_guard_open(&guard, "example.org", &error), error, "is not an address");
    assert_refused(web_guard_open(&guard, "", &error), error, "is not an address");
}

static void test_hosts(void **state)
{
    (void)state;
    WebGuard guard = guard_of("127.0.0.1");
    static const char *const good[] = {"127.0.0.1:8484", "localhost", "LOCALHOST:9", "[::1]:8484", "127.0.0.2"};
    static const char *const bad[] = {"evil.example",
                                      "localhost.evil.example",
                                      "127.0.0.1.evil.example",
                                      "192.168.1.5",
                                      "",
                                      ":8484",
                                      "[::1",
                                      "localhost:",
                                      "localhost:x",
                                      "localhost:99999",
                                      "localhost@evil.example",
                                      "0.0.0.0",
                                      "[fe80::1]:80",
                                      "127.0.0.1:80 evil"};
    WebHeaders headers = usual();
    headers.origin = NULL;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        headers.host = good[i];
        assert_verdict(guard, headers, 0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        headers.host = bad[i];
        assert_verdict(guard, headers, 403);
    }
    headers.host = NULL;
    assert_verdict(guard, headers, 403);
}

static void test_origins(void **state)
{
    (void)state;
    WebGuard guard = guard_of("127.0.0.1");
    WebHeaders headers = usual();
    assert_verdict(guard, headers, 0);
    static const char *const bad[] = {"http://evil.example",
                                      "https://127.0.0.1:8484",
                                      "http://127.0.0.1:8485",
                                      "http://localhost:8484",
                                      "null",
                                      "",
                                      "http://127.0.0.1:8484.evil.example"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        headers.origin = bad[i];
        assert_verdict(guard, headers, 403);
    }
    // A browser without an Origin header still says where a request comes from.
    headers = usual();
    headers.origin = NULL;
    headers.method = "GET";
    headers.site = "cross-site";
    assert_verdict(guard, headers, 403);
    headers.site = "same-site";
    assert_verdict(guard, headers, 403);
    headers.site = "none";
    assert_verdict(guard, headers, 0);
    // A link to the page from anywhere; not one to an answer of the API, and no form.
    headers.site = "cross-site";
    headers.mode = "navigate";
    headers.path = "/";
    assert_verdict(guard, headers, 0);
    headers.path = "/api/v1/about";
    assert_verdict(guard, headers, 403);
    headers.path = "/";
    headers.method = "POST";
    assert_verdict(guard, headers, 403);
}

static void test_types(void **state)
{
    (void)state;
    WebGuard guard = guard_of("127.0.0.1");
    WebHeaders headers = usual();
    headers.type = "application/json; charset=utf-8";
    assert_verdict(guard, headers, 0);
    static const char *const bad[] = {"text/plain", "application/jsonx", "application/x-www-form-urlencoded", ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        headers.type = bad[i];
        assert_verdict(guard, headers, 415);
    }
    headers.type = NULL;
    assert_verdict(guard, headers, 415);
    headers.method = "DELETE";
    assert_verdict(guard, headers, 415);
    headers.method = "GET";
    assert_verdict(guard, headers, 0);
}

static void test_tokens(void **state)
{
    (void)state;
    WebGuard guard = guard_of("0.0.0.0");
    WebHeaders headers = usual();
    headers.host = "192.168.1.5:8484";
    headers.origin = NULL;
    assert_verdict(guard, headers, 401);
    headers.cookie = guard.token;
    assert_verdict(guard, headers, 0);
    headers.cookie = NULL;
    char bearer[64];
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", guard.token);
    headers.authorization = bearer;
    assert_verdict(guard, headers, 0);
    bearer[10] = bearer[10] == '0' ? '1' : '0';
    assert_verdict(guard, headers, 401);
    headers.authorization = guard.token; // without the word
    assert_verdict(guard, headers, 401);
    headers.authorization = NULL;
    headers.token = guard.token;
    assert_verdict(guard, headers, 0);
    headers.token = "";
    assert_verdict(guard, headers, 401);
    // A foreign host name that resolves to this machine is refused, even with the token.
    headers.token = guard.token;
    headers.host = "evil.example";
    assert_verdict(guard, headers, 403);
}

TEST_GROUP(web_guard)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_hosts),  cmocka_unit_test(test_origins),
        cmocka_unit_test(test_types),     cmocka_unit_test(test_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
