// PostgreSQL connection strings.
#include "store/db/connection.h"

#include "base/memory.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_address(const char *where)
{
    return begins_with(where, "postgresql:") || begins_with(where, "postgres:");
}

// Whether `keyword` occurs as a word followed by an equals sign.
static bool has_keyword(const char *where, const char *keyword)
{
    size_t length = strlen(keyword);
    for (const char *at = strstr(where, keyword); at != NULL; at = strstr(at + 1, keyword)) {
        bool begins = at == where || strchr(" \t\n\r'", at[-1]) != NULL;
        const char *next = at + length + strspn(at + length, " \t\n\r");
        if (begins && *next == '=')
            return true;
    }
    return false;
}

bool connection_is_text(const char *where)
{
    if (is_address(where))
        return true;
    const char *equals = strchr(where, '='), *stroke = strchr(where, '/');
    if (equals == NULL || (stroke != NULL && stroke < equals))
        return false;
    bool is_text = false;
    PQconninfoOption *known = PQconndefaults();
    for (PQconninfoOption *option = known; option != NULL && option->keyword != NULL && !is_text; option++)
        is_text = has_keyword(where, option->keyword);
    PQconninfoFree(known);
    return is_text;
}

// libpq's message quotes the text, which may contain a secret, unless it is about the name of an option.
static void refuse(const char *words, Error *error)
{
    const char *safe[] = {"invalid connection option \"", "invalid URI query parameter: \""};
    bool is_safe = false;
    for (size_t i = 0; words != NULL && i < sizeof safe / sizeof safe[0]; i++)
        is_safe = is_safe || begins_with(words, safe[i]);
    (void)error_set(error, STATUS_BAD_INPUT,
                    "invalid connection string for the database%s%.*s; write postgresql://USER@HOST/NAME or host=HOST "
                    "dbname=NAME, and in a URI '@', '/' or ':' within a part as %%40, %%2F, %%3A",
                    is_safe ? ": " : "", is_safe ? (int)strcspn(words, "\n") : 0, is_safe ? words : "");
}

// A password with an unescaped '@' would be cut there, and its rest would become part of the host.
static bool is_cut(const PQconninfoOption *options)
{
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++)
        if (option->val != NULL && strchr(option->val, '@') != NULL && begins_with(option->keyword, "host"))
            return true;
    return false;
}

// NULL for an invalid string.
static PQconninfoOption *parse(const char *where, Error *error)
{
    char *words = NULL;
    PQconninfoOption *options = PQconninfoParse(where, &words);
    if (options != NULL && is_address(where) && is_cut(options)) {
        PQconninfoFree(options);
        options = NULL;
    }
    if (options == NULL)
        refuse(words, error);
    PQfreemem(words);
    return options;
}

// libpq marks options whose values must be hidden during input.
static bool is_secret(const PQconninfoOption *option)
{
    return strchr(option->dispchar, '*') != NULL;
}

static void show_value(Text *shown, const char *value)
{
    bool is_plain = value[0] != '\0' && value[strcspn(value, " '\\\t\n\r")] == '\0';
    if (is_plain) {
        text_add(shown, "%s", value);
        return;
    }
    text_add(shown, "'");
    for (const char *at = value; *at != '\0'; at++)
        text_add(shown, "%s%c", *at == '\'' || *at == '\\' ? "\\" : "", *at);
    text_add(shown, "'");
}

Status connection_show(const char *where, Text *shown, Error *error)
{
    PQconninfoOption *options = parse(where, error);
    if (options == NULL)
        return STATUS_BAD_INPUT;
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (option->val == NULL || is_secret(option))
            continue;
        text_add(shown, "%s%s=", shown->length > 0 ? " " : "", option->keyword);
        show_value(shown, option->val);
    }
    if (shown->length == 0)
        text_add(shown, "postgresql://");
    PQconninfoFree(options);
    return STATUS_OK;
}

ConnectionSecret connection_secret(const char *where)
{
    PQconninfoOption *options = parse(where, NULL);
    if (options == NULL)
        return SECRET_POSSIBLE;
    bool has_secret = false;
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++)
        has_secret = has_secret || (option->val != NULL && is_secret(option));
    PQconninfoFree(options);
    return has_secret ? SECRET_CERTAIN : SECRET_NONE;
}

void connection_add_option(ConnectionOptions *options, const char *keyword, const char *value)
{
    if (options->count + 1 >= options->capacity)
        return;
    options->keywords[options->count] = keyword;
    options->values[options->count++] = value;
}

Status connection_options(const char *where, ConnectionOptions *options, Error *error)
{
    enum { MORE = 16 }; // for options added by the caller, and the terminator
    *options = (ConnectionOptions){0};
    PQconninfoOption *parsed = parse(where, error);
    if (parsed == NULL)
        return STATUS_BAD_INPUT;
    options->parsed = parsed;
    options->capacity = MORE;
    for (const PQconninfoOption *option = parsed; option->keyword != NULL; option++)
        options->capacity++;
    options->keywords = memory_new(options->capacity, sizeof *options->keywords);
    options->values = memory_new(options->capacity, sizeof *options->values);
    for (const PQconninfoOption *option = parsed; option->keyword != NULL; option++)
        if (option->val != NULL)
            connection_add_option(options, option->keyword, option->val);
    return STATUS_OK;
}

const char *connection_option(const ConnectionOptions *options, const char *keyword)
{
    for (unsigned i = 0; i < options->count; i++)
        if (strcmp(options->keywords[i], keyword) == 0)
            return options->values[i];
    return NULL;
}

void connection_options_close(ConnectionOptions *options)
{
    free(options->keywords);
    free(options->values);
    PQconninfoFree(options->parsed);
    *options = (ConnectionOptions){0};
}
