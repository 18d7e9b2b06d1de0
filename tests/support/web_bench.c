#include "support/web_bench.h"

#include "web/friends/friends.h"
#include "web/http/pool.h"
#include "web/lab/explore.h"
#include "web/lab/jobs.h"
#include "web/lab/matches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

void web_bench_open(WebBench *bench, unsigned threads)
{
    *bench = (WebBench){0};
    bench->context.host = &bench->host;
    bench->context.db = "none";
    atomic_store(&bench->context.stop, threads == 0);
    bench->context.sessions = web_sessions_open();
    bench->context.friends = web_friends_open();
    bench->context.explorers = web_explorers_open();
    bench->guard = (WebGuard){.is_loopback = true};
    const WebReach reach = {&bench->guard, 8484, NULL};
    REQUIRE(web_friends_start(bench->context.friends, &reach, NULL, NULL) == STATUS_OK);
    REQUIRE(web_matches_open(&bench->context.matches, &bench->context, NULL) == STATUS_OK);
    REQUIRE(web_jobs_open(&bench->context.jobs, bench->context.db, NULL) == STATUS_OK);
    if (threads > 0)
        REQUIRE(web_pool_open(&bench->context.pool, (const unsigned[WEB_LANES]){threads, threads, threads, threads}, 0,
                              100, NULL) == STATUS_OK);
}

void web_bench_close(WebBench *bench)
{
    atomic_store(&bench->context.stop, true);
    web_sessions_clear(bench->context.sessions);
    web_friends_close(bench->context.friends);
    web_jobs_close(bench->context.jobs);
    web_matches_close(bench->context.matches);
    web_pool_close(bench->context.pool);
    web_sessions_close(bench->context.sessions);
    web_explorers_close(bench->context.explorers);
}

// Cuts a query into names and values; the text is changed.
static void read_query(char *query, WebRequest *request)
{
    char *rest = query, *part = NULL;
    while (rest != NULL && request->query_count < WEB_QUERIES_MAX && (part = strsep(&rest, "&")) != NULL) {
        char *value = part, *name = strsep(&value, "=");
        request->query[request->query_count++] = (WebQuery){name, value != NULL ? value : ""};
    }
}

static json_t *answer_of(WebReply *reply)
{
    if (reply->topic != NULL)
        return json_true();
    return reply->text.length > 0 ? json_stringn(reply->text.data, reply->text.length) : json_incref(reply->json);
}

unsigned web_bench_ask(WebBench *bench, const char *method, const char *path, const char *body, json_t **json)
{
    char *copy = strdup(path);
    REQUIRE(copy != NULL);
    char *query = strchr(copy, '?');
    if (query != NULL)
        *query++ = '\0';
    WebRouteMatch match;
    WebReply reply = {0};
    Error error = {0};
    json_t *object = NULL;
    *json = NULL;
    web_router_find(web_route_tables, method, copy, &match);
    unsigned status = match.status;
    if (match.route != NULL) {
        read_query(query, &match.request);
        match.request.seat = bench->seat;
        (void)snprintf(match.request.peer, sizeof match.request.peer, "%s", bench->peer != NULL ? bench->peer : "");
        if (web_router_body(span_of(body != NULL ? body : ""), &object, &reply, &error) == STATUS_OK) {
            match.request.body = object;
            web_router_run(&match, &bench->context, &reply);
        } else
            web_router_report(&reply, error.text);
        status = reply.status;
        memcpy(bench->cookie, reply.cookie, sizeof bench->cookie);
        *json = answer_of(&reply);
    }
    json_decref(object);
    web_reply_close(&reply);
    free(copy);
    return status;
}
