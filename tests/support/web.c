#include "support/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "a=1&b=2" in pieces; values are not encoded here.
static void cut_query(char *text, WebRequest *request)
{
    for (char *at = strtok(text, "&"); at != NULL; at = strtok(NULL, "&")) {
        char *equals = strchr(at, '=');
        assert_true(equals != NULL && request->query_count < WEB_QUERIES_MAX);
        *equals = '\0';
        request->query[request->query_count++] = (WebQuery){at, equals + 1};
    }
}

WebReply web_ask(WebContext *context, const char *method, const char *path, const char *query, const char *body)
{
    WebRouteMatch match;
    WebReply reply = {0};
    Error error = {0};
    json_t *object = NULL;
    char whole[512], *copy = strdup(query != NULL ? query : "");
    assert_non_null(copy);
    (void)snprintf(whole, sizeof whole, WEB_API "%s", path);
    web_router_find(web_route_tables, method, whole, &match);
    if (match.route == NULL) {
        reply.status = match.status;
        free(copy);
        return reply;
    }
    assert_int_equal(web_router_body(span_of(body != NULL ? body : ""), &object, &reply, &error), STATUS_OK);
    cut_query(copy, &match.request);
    match.request.body = object;
    web_router_run(&match, context, &reply);
    json_decref(object);
    free(copy);
    return reply;
}

json_t *web_get(WebContext *context, const char *path, const char *query)
{
    WebReply reply = web_ask(context, "GET", path, query, NULL);
    if (reply.status != 200)
        fail_msg("%s?%s: %u %s", path, query != NULL ? query : "", reply.status,
                 reply.json != NULL ? json_string_value(json_object_get(reply.json, "error")) : "");
    json_t *object = json_incref(reply.json);
    web_reply_close(&reply);
    return object;
}

void web_refused(WebContext *context, const char *method, const char *path, const char *query, const char *body,
                 unsigned status, const char *field)
{
    WebReply reply = web_ask(context, method, path, query, body);
    const char *reported = json_string_value(json_object_get(reply.json, "field"));
    if (reply.status != status || (field != NULL && (reported == NULL || strcmp(reported, field) != 0)))
        fail_msg("%s %s?%s: %u, %s", method, path, query != NULL ? query : "", reply.status,
                 reported != NULL ? reported : "no field");
    const char *words = json_string_value(json_object_get(reply.json, "error"));
    assert_true(words != NULL && words[0] != '\0');
    web_reply_close(&reply);
}

const json_t *web_at(const json_t *object, const char *path)
{
    Span rest = span_of(path), part = {0};
    while (span_next_part(&rest, '.', &part)) {
        int64_t index = 0;
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)part.length, part.at);
        object = json_is_array(object) && span_to_int(part, 0, INT32_MAX, &index)
                     ? json_array_get(object, (size_t)index)
                     : json_object_get(object, name);
    }
    return object;
}

int64_t web_int(const json_t *object, const char *path)
{
    const json_t *value = web_at(object, path);
    if (!json_is_integer(value))
        fail_msg("%s is no whole number", path);
    return json_integer_value(value);
}

double web_number(const json_t *object, const char *path)
{
    const json_t *value = web_at(object, path);
    if (!json_is_number(value))
        fail_msg("%s is no number", path);
    return json_number_value(value);
}

const char *web_text(const json_t *object, const char *path)
{
    const char *text = json_string_value(web_at(object, path));
    if (text == NULL)
        fail_msg("%s is no text", path);
    return text;
}

// --- Tournament streams ---

static void sleep_now(void *context)
{
    (void)context;
}

static void wake(void *context)
{
    (void)sem_post(context);
}

void web_listen(WebListener *listener, WebContext *context, const char *path)
{
    *listener = (WebListener){0};
    assert_int_equal(sem_init(&listener->woken, 0, 0), 0);
    WebReply reply = web_ask(context, "GET", path, NULL, NULL);
    assert_int_equal(reply.status, 200);
    assert_non_null(reply.topic);
    listener->stream =
        web_stream_open(reply.topic, (WebSleeper){&listener->woken, sleep_now, wake}, reply.takes_updates);
    web_reply_close(&reply);
}

void web_hear(WebListener *listener, const char *words)
{
    while (listener->text.data == NULL || strstr(listener->text.data, words) == NULL) {
        char bytes[4096];
        ssize_t count = web_stream_read(listener->stream, bytes, sizeof bytes);
        assert_true(count >= 0);
        if (count == 0)
            (void)sem_wait(&listener->woken);
        else
            text_add_span(&listener->text, (Span){bytes, (size_t)count});
    }
}

void web_listener_forget(WebListener *listener)
{
    text_close(&listener->text);
}

void web_listener_close(WebListener *listener)
{
    web_stream_close(listener->stream);
    text_close(&listener->text);
    (void)sem_destroy(&listener->woken);
}
