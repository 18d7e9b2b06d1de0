// Reads query parameters and fields of a request; an error names the field.
#include "web/http/api.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Status web_fail(WebCall *call, unsigned http, const char *field, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    call->reply->status = http;
    (void)snprintf(call->reply->field, sizeof call->reply->field, "%s", field != NULL ? field : "");
    return error_set(call->error, http < 500 && http != 409 ? STATUS_BAD_INPUT : STATUS_FAILED, "%s", text);
}

Status web_blame(WebCall *call, const char *field, Status status)
{
    if (status != STATUS_OK)
        (void)snprintf(call->reply->field, sizeof call->reply->field, "%s", field);
    return status;
}

unsigned web_status(Status status)
{
    static const unsigned http[] = {
        [STATUS_OK] = 200,        [STATUS_BAD_INPUT] = 400,   [STATUS_IO] = 500,
        [STATUS_NO_MEMORY] = 503, [STATUS_INTERRUPTED] = 503, [STATUS_FAILED] = 409,
    };
    return http[status];
}

// The first error is kept.
__attribute__((format(printf, 3, 4))) static void wrong(WebCall *call, const char *name, const char *format, ...)
{
    if (call->error->status != STATUS_OK)
        return;
    char what[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)web_fail(call, 400, name, "%s", what);
}

const char *web_side_name(const Rules *rules, Side side)
{
    static const char *const names[2][2] = {{"Black", "White"}, {"Red", "Yellow"}};
    return names[rules->gravity][side];
}

json_t *web_number_json(int64_t number)
{
    return number != 0 ? json_integer((json_int_t)number) : json_null();
}

// --- Names ---

json_t *web_iterable(const json_t *object)
{
    union {
        const json_t *given;
        json_t *walked;
    } same = {object};
    return same.walked;
}

static bool is_listed(const char *names, const char *name)
{
    Span rest = span_of(names), word = {0};
    while (span_next_word(&rest, " ", &word))
        if (span_is(word, name))
            return true;
    return false;
}

static void check_fields(WebCall *call, const char *names)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(web_iterable(call->body), name, value)
    {
        if (!is_listed(names, name))
            wrong(call, name, "'%.40s' is not known here; there is: %s", name, names);
    }
}

Status web_check_names(WebCall *call)
{
    const char *names = call->route->names;
    if (names != NULL && strcmp(call->route->method, "POST") == 0)
        check_fields(call, names);
    for (unsigned i = 0; names != NULL && strcmp(call->route->method, "GET") == 0 && i < call->request->query_count;
         i++) {
        const char *name = call->request->query[i].name;
        if (!is_listed(names, name))
            wrong(call, name, "'%.40s' is not one of: %s", name, names);
    }
    return call->error->status;
}

WebCall web_inner(WebCall *call, const json_t *object, const char *names)
{
    WebCall inner = *call;
    inner.body = object;
    check_fields(&inner, names);
    return inner;
}

// --- Query parameters ---

const atomic_bool *web_stop(const WebCall *call)
{
    return call->request != NULL && call->request->stop != NULL ? call->request->stop : &call->context->stop;
}

const char *web_query(const WebCall *call, const char *name)
{
    const WebRequest *request = call->request;
    for (unsigned i = 0; i < request->query_count; i++)
        if (strcmp(request->query[i].name, name) == 0)
            return request->query[i].value;
    return NULL;
}

int64_t web_query_int(WebCall *call, const char *name, int64_t min, int64_t max, int64_t usual)
{
    const char *value = web_query(call, name);
    int64_t number = usual;
    if (value != NULL && !span_to_int(span_of(value), min, max, &number))
        wrong(call, name, "%s: '%.40s' is not a whole number from %lld to %lld", name, value, (long long)min,
              (long long)max);
    return number;
}

int64_t web_path_id(const WebCall *call)
{
    int64_t id = 0;
    return span_to_int(span_of(call->request->parameter[0]), 1, INT64_MAX, &id) ? id : 0;
}

// --- Fields of a body ---

// NULL for an absent field and for null.
static const json_t *value_of(const WebCall *call, const char *name)
{
    const json_t *value = json_object_get(call->body, name);
    return json_is_null(value) ? NULL : value;
}

bool web_field_has(const WebCall *call, const char *name)
{
    return value_of(call, name) != NULL;
}

const char *web_field_text(WebCall *call, const char *name, size_t max)
{
    const json_t *value = value_of(call, name);
    const char *text = json_string_value(value);
    if (value == NULL)
        return NULL;
    if (text != NULL && json_string_length(value) <= max && strlen(text) == json_string_length(value))
        return text;
    if (text == NULL)
        wrong(call, name, "%.32s is no text", name);
    else
        wrong(call, name, "%.32s is longer than %zu bytes, or has zeros in it", name, max);
    return NULL;
}

static void wrong_number(WebCall *call, const char *name, const char *kind, double min, double max)
{
    wrong(call, name, "%.32s is not a %s from %.15g to %.15g", name, kind, min, max);
}

int64_t web_field_int(WebCall *call, const char *name, int64_t min, int64_t max, int64_t usual)
{
    const json_t *value = value_of(call, name);
    int64_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= min && number <= max)
        return number;
    if (value != NULL)
        wrong_number(call, name, "whole number", (double)min, (double)max);
    return usual;
}

double web_field_real(WebCall *call, const char *name, double min, double max, double usual)
{
    const json_t *value = value_of(call, name);
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number >= min && number <= max)
        return number;
    if (value != NULL)
        wrong_number(call, name, "number", min, max);
    return usual;
}

bool web_field_bool(WebCall *call, const char *name, bool usual)
{
    const json_t *value = value_of(call, name);
    if (value != NULL && !json_is_boolean(value))
        wrong(call, name, "%.32s is neither true nor false", name);
    return value != NULL ? json_is_true(value) : usual;
}

const json_t *web_field_object(WebCall *call, const char *name)
{
    const json_t *value = value_of(call, name);
    if (value == NULL || json_is_object(value))
        return value;
    wrong(call, name, "%.32s is no object", name);
    return NULL;
}

const json_t *web_field_array(WebCall *call, const char *name, size_t max)
{
    const json_t *value = value_of(call, name);
    if (value == NULL || (json_is_array(value) && json_array_size(value) <= max))
        return value;
    wrong(call, name, "%.32s is %s", name, json_is_array(value) ? "too long a list" : "not a list");
    return NULL;
}

void web_field_need(WebCall *call, const char *name)
{
    if (!web_field_has(call, name))
        wrong(call, name, "%.32s is missing", name);
}
