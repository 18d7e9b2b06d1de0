// Reads query parameters and fields of a request; an error names the field.
#include "web/http/api.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Status web_fail(WebReply *reply, unsigned http, const char *field, Error *error, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reply->status = http;
    (void)snprintf(reply->field, sizeof reply->field, "%s", field != NULL ? field : "");
    return error_set(error, http < 500 && http != 409 ? STATUS_BAD_INPUT : STATUS_FAILED, "%s", text);
}

unsigned web_status(Status status)
{
    switch (status) {
    case STATUS_OK:
        return 200;
    case STATUS_BAD_INPUT:
        return 400;
    case STATUS_FAILED:
        return 409;
    case STATUS_NO_MEMORY:
    case STATUS_INTERRUPTED:
        return 503;
    case STATUS_IO:
        break;
    }
    return 500;
}

// --- Query parameters ---

const char *web_query(const WebRequest *request, const char *name)
{
    for (unsigned i = 0; i < request->query_count; i++)
        if (strcmp(request->query[i].name, name) == 0)
            return request->query[i].value;
    return NULL;
}

static bool is_listed(const char *names, const char *name)
{
    Span rest = span_of(names), word = {0};
    while (span_next_word(&rest, " ", &word))
        if (span_is(word, name))
            return true;
    return false;
}

WebQueries web_queries(const WebRequest *request, const char *names, WebReply *reply, Error *error)
{
    WebQueries queries = {.request = request, .reply = reply, .error = error};
    for (unsigned i = 0; i < request->query_count && queries.status == STATUS_OK; i++)
        if (!is_listed(names, request->query[i].name))
            queries.status = web_fail(reply, 400, request->query[i].name, error, "'%.40s' is none of: %s",
                                      request->query[i].name, names);
    return queries;
}

int64_t web_query_int(WebQueries *queries, const char *name, int64_t min, int64_t max, int64_t usual)
{
    const char *value = web_query(queries->request, name);
    int64_t number = usual;
    if (value == NULL || span_to_int(span_of(value), min, max, &number))
        return number;
    if (queries->status == STATUS_OK)
        queries->status =
            web_fail(queries->reply, 400, name, queries->error, "%s: '%.40s' is not a whole number from %lld to %lld",
                     name, value, (long long)min, (long long)max);
    return usual;
}

// --- Fields of a body ---

// The first error is kept.
static void wrong(WebFields *fields, const char *name, const char *what)
{
    if (fields->status == STATUS_OK)
        fields->status = web_fail(fields->reply, 400, name, fields->error, "%.*s %s", WEB_FIELD_SIZE, name, what);
}

// jansson has no way to walk through an object that may not be changed.
static json_t *to_walk(const json_t *object)
{
    union {
        const json_t *given;
        json_t *walked;
    } same = {object};
    return same.walked;
}

WebFields web_fields(const json_t *object, const char *names, WebReply *reply, Error *error)
{
    WebFields fields = {.object = object, .reply = reply, .error = error};
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(to_walk(object), name, value)
    {
        if (!is_listed(names, name) && fields.status == STATUS_OK)
            fields.status = web_fail(reply, 400, name, error, "'%.40s' is not known here; there is: %s", name, names);
    }
    return fields;
}

// NULL for an absent field and for null.
static const json_t *value_of(const WebFields *fields, const char *name)
{
    const json_t *value = json_object_get(fields->object, name);
    return json_is_null(value) ? NULL : value;
}

bool web_field_has(const WebFields *fields, const char *name)
{
    return value_of(fields, name) != NULL;
}

const char *web_field_text(WebFields *fields, const char *name, size_t max)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL)
        return NULL;
    if (!json_is_string(value)) {
        wrong(fields, name, "is no text");
        return NULL;
    }
    const char *text = json_string_value(value);
    if (json_string_length(value) > max || strlen(text) != json_string_length(value)) {
        char what[64];
        (void)snprintf(what, sizeof what, "is longer than %zu bytes, or has zeros in it", max);
        wrong(fields, name, what);
        return NULL;
    }
    return text;
}

static void wrong_number(WebFields *fields, const char *name, const char *kind, double min, double max)
{
    char what[96];
    (void)snprintf(what, sizeof what, "is not a %s from %.15g to %.15g", kind, min, max);
    wrong(fields, name, what);
}

int64_t web_field_int(WebFields *fields, const char *name, int64_t min, int64_t max, int64_t usual)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL)
        return usual;
    int64_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= min && number <= max)
        return number;
    wrong_number(fields, name, "whole number", (double)min, (double)max);
    return usual;
}

double web_field_real(WebFields *fields, const char *name, double min, double max, double usual)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL)
        return usual;
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number >= min && number <= max)
        return number;
    wrong_number(fields, name, "number", min, max);
    return usual;
}

bool web_field_bool(WebFields *fields, const char *name, bool usual)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL)
        return usual;
    if (!json_is_boolean(value))
        wrong(fields, name, "is neither true nor false");
    return json_is_true(value);
}

const json_t *web_field_object(WebFields *fields, const char *name)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL || json_is_object(value))
        return value;
    wrong(fields, name, "is no object");
    return NULL;
}

const json_t *web_field_array(WebFields *fields, const char *name, size_t max)
{
    const json_t *value = value_of(fields, name);
    if (value == NULL || (json_is_array(value) && json_array_size(value) <= max))
        return value;
    wrong(fields, name, json_is_array(value) ? "is too long a list" : "is no list");
    return NULL;
}

void web_field_need(WebFields *fields, const char *name)
{
    if (!web_field_has(fields, name))
        wrong(fields, name, "is missing");
}
