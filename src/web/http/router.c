// Finds the route of a path, reads the body, and runs the handler.
#include "web/http/router.h"

#include "base/utf8.h"

#include <string.h>

// Compares a path with a pattern, part by part; parts in braces take the part of the path.
static bool fits(const char *pattern, char *path, WebRequest *request)
{
    Span rest = span_of(pattern + 1), part = {0};
    unsigned parameters = 0;
    char *at = path;
    while (span_next_part(&rest, '/', &part)) {
        if (at == NULL || *at != '/')
            return false;
        char *begin = at + 1, *end = strchr(begin, '/');
        size_t length = end != NULL ? (size_t)(end - begin) : strlen(begin);
        if (part.at[0] == '{') {
            if (length == 0 || parameters == WEB_PARAMETERS_MAX)
                return false;
            request->parameter[parameters++] = begin;
        } else if (part.length != length || memcmp(part.at, begin, length) != 0)
            return false;
        at = end;
    }
    return at == NULL;
}

// Terminates the parts of the path after the parameters were found.
static void cut(char *path)
{
    for (char *c = path; *c != '\0'; c++)
        if (*c == '/')
            *c = '\0';
}

void web_router_find(const WebRoute *const *tables, const char *method, const char *path, WebRouteMatch *match)
{
    *match = (WebRouteMatch){.status = 404};
    size_t base = strlen(WEB_API);
    if (strncmp(path, WEB_API, base) != 0 || path[base] != '/' || strlen(path) >= sizeof match->path)
        return;
    memcpy(match->path, path + base, strlen(path + base) + 1);
    for (; *tables != NULL; tables++)
        for (const WebRoute *route = *tables; route->method != NULL; route++) {
            WebRequest request = {0};
            if (!fits(route->path, match->path, &request))
                continue;
            match->status = 405;
            if (strcmp(route->method, method) != 0)
                continue;
            match->route = route;
            match->request = request;
            cut(match->path);
            return;
        }
}

Status web_router_body(Span text, json_t **body, WebReply *reply, Error *error)
{
    WebCall call = {.reply = reply, .error = error};
    *body = NULL;
    if (span_trim(text).length == 0) {
        *body = json_object();
        return STATUS_OK;
    }
    json_error_t where;
    *body = json_loadb(text.at, text.length, JSON_REJECT_DUPLICATES, &where);
    if (*body == NULL) {
        reply->line = where.line > 0 ? (unsigned)where.line : 0;
        return web_fail(&call, 400, NULL, "the body is not JSON: %s", where.text);
    }
    if (json_is_object(*body))
        return STATUS_OK;
    json_decref(*body);
    *body = NULL;
    return web_fail(&call, 400, NULL, "the body is not a JSON object");
}

void web_router_report(WebReply *reply, const char *text)
{
    char clean[ERROR_TEXT_SIZE], field[WEB_FIELD_SIZE];
    // A request text that was cut inside a character is not valid JSON.
    utf8_clean(span_of(text), clean, sizeof clean);
    utf8_clean(span_of(reply->field), field, sizeof field);
    json_decref(reply->json);
    reply->json = json_pack("{s:s, s:s?, s:o}", "error", clean, "field", field[0] != '\0' ? field : NULL, "line",
                            web_number_json(reply->line));
}

void web_router_run(const WebRouteMatch *match, WebContext *context, WebReply *reply)
{
    Error error = {0};
    WebCall call = {context, match->route, &match->request, match->request.body, reply, &error};
    Status status = web_check_names(&call);
    if (status == STATUS_OK)
        status = match->route->handler(&call);
    if (status == STATUS_OK) {
        reply->status = reply->status != 0 ? reply->status : 200;
        return;
    }
    reply->status = reply->status >= 400 ? reply->status : web_status(status);
    text_close(&reply->text);
    web_topic_release(reply->topic);
    reply->topic = NULL;
    web_router_report(reply, error.text);
}

void web_reply_close(WebReply *reply)
{
    json_decref(reply->json);
    text_close(&reply->text);
    web_topic_release(reply->topic);
    *reply = (WebReply){0};
}
