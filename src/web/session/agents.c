// Which agents a client may open.
#include "view/json_view.h"
#include "web/session/rules.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { INNER_MAX = 4 }; // agents inside of agents

// The limits of a server for options of any agent: megabytes, threads, seconds. Learning changes data that is shared
// by all users.
static const struct {
    const char *name;
    double most;
} caps[] = {
    {"threads", 2}, {"memory", 32}, {"table", 32}, {"cache", 32}, {"time", 60}, {"learn", 0},
};

static double most_of(const AgentOption *option)
{
    for (size_t i = 0; i < sizeof caps / sizeof caps[0]; i++)
        if (strcmp(option->name, caps[i].name) == 0)
            return caps[i].most;
    return DBL_MAX;
}

// Kinds and options are allowed only where it is known that they name neither a program nor a file. A new type of
// option is refused until it is added here.
static bool may_be_given(const AgentOption *option)
{
    switch (option->type) {
    case OPTION_INT:
    case OPTION_REAL:
    case OPTION_BOOL:
        return most_of(option) > 0;
    case OPTION_CHOICE:
    case OPTION_TEXT:
    case OPTION_INNER:
        return true;
    case OPTION_PATH:
        break;
    }
    return false;
}

typedef struct {
    WebCall *call;
    const char *field;
    const Rules *rules;
} Check;

static Status check(const Check *want, Span text, unsigned depth);

// An agent inside another: there a + stands for a comma, as in agent_open_inner.
static Status check_inner(const Check *want, const char *text, unsigned depth)
{
    char commas[OPTION_TEXT_SIZE];
    (void)snprintf(commas, sizeof commas, "%s", text);
    for (char *plus = commas; (plus = strchr(plus, '+')) != NULL;)
        *plus = ',';
    return check(want, span_of(commas), depth + 1);
}

static Status check_option(const Check *want, const AgentKind *kind, const AgentOption *option,
                           const OptionValue *value)
{
    if (!may_be_given(option))
        return web_fail(want->call, 403, want->field, "the option '%s' of '%s' is not available on the web board",
                        option->name, kind->name);
    bool is_number = option->type == OPTION_INT || option->type == OPTION_REAL;
    if (is_number && value->number > most_of(option))
        return web_fail(want->call, 400, want->field, "the option '%s' of '%s' must be at most %g on the web board",
                        option->name, kind->name, most_of(option));
    return STATUS_OK;
}

static Status check_options(const Check *want, const AgentKind *kind, const OptionValues *values, unsigned depth)
{
    Status status = STATUS_OK;
    const AgentOption *option = NULL;
    for (unsigned i = 0; status == STATUS_OK && (option = option_at(values->list, i)) != NULL; i++) {
        const OptionValue *value = &values->value[i];
        if ((values->given >> i & 1) != 0)
            status = check_option(want, kind, option, value);
        // Defaults are checked, too: they must be as harmless.
        if (status == STATUS_OK && option->type == OPTION_INNER && value->text[0] != '\0')
            status = check_inner(want, value->text, depth);
    }
    return status;
}

// Reads the text in the same way as agent_open_with.
static Status check(const Check *want, Span text, unsigned depth)
{
    WebCall *call = want->call;
    const char *field = want->field;
    Span arguments = span_trim(text), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    if (kind == NULL)
        return web_fail(call, 400, field, "there is no agent '%.*s'", SPAN_PRINT(name));
    if (kind->takes_command)
        return web_fail(call, 403, field, "the agent '%s' starts other programs; it is not available on the web board",
                        kind->name);
    if (depth > INNER_MAX)
        return web_fail(call, 400, field, "agents are nested too deeply");
    OptionValues values;
    if (options_parse(agent_options(kind), arguments, &values, call->error) != STATUS_OK)
        return web_fail(call, 400, field, "agent '%s': %s", kind->name, call->error->text);
    Status status = check_options(want, kind, &values, depth);
    if (status == STATUS_OK && kind->plays != NULL && !kind->plays(want->rules))
        return web_fail(call, 400, field, "the agent '%s' supports %s, not this game", kind->name, kind->games);
    return status;
}

// Adds options whose defaults are above the limits of a server, at these limits.
static bool add_caps(Span given, char text[WEB_AGENT_SIZE])
{
    Span arguments = given, name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    OptionValues values;
    int length = snprintf(text, WEB_AGENT_SIZE, "%.*s", (int)given.length, given.at);
    bool has_options = arguments.length > 0;
    if (options_parse(agent_options(kind), arguments, &values, NULL) != STATUS_OK)
        return false;
    const AgentOption *option = NULL;
    for (unsigned i = 0; length < WEB_AGENT_SIZE && (option = option_at(values.list, i)) != NULL; i++)
        if (option->type == OPTION_INT && values.value[i].number > most_of(option)) {
            const char *between = has_options ? "," : name.length == given.length ? ":" : "";
            length += snprintf(text + length, (size_t)(WEB_AGENT_SIZE - length), "%s%s=%g", between, option->name,
                               most_of(option));
            has_options = true;
        }
    return length < WEB_AGENT_SIZE;
}

static bool are_turns_short(const Rules *rules)
{
    return rules->p <= WEB_TURN_MAX && rules->q <= WEB_TURN_MAX;
}

Status web_agent_check(WebCall *call, const char *field, const char *agent, const Rules *rules,
                       char text[WEB_AGENT_SIZE])
{
    Span given = span_trim(span_of(agent));
    Status status = check(&(Check){call, field, rules}, given, 0);
    if (status != STATUS_OK)
        return status;
    if (!are_turns_short(rules))
        return web_fail(call, 400, field, "On the web board agents play turns of up to %d stones.", WEB_TURN_MAX);
    return add_caps(given, text) ? STATUS_OK : web_fail(call, 400, field, "the agent's options are too long");
}

static json_t *kind_json(const AgentKind *kind)
{
    json_t *options = json_array();
    OptionValues values;
    options_defaults(agent_options(kind), &values);
    static const char *const types[] = {"int", "real", "bool", "choice", "text", "agent", "file"};
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(values.list, i)) != NULL; i++)
        if (may_be_given(option))
            (void)json_array_append_new(
                options, view_option(option, &values.value[i], types[option->type], "words", most_of(option)));
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", kind->name, "summary", kind->summary, "source", kind->source,
                     "games", kind->games != NULL ? kind->games : "every game", "options", options);
}

json_t *web_agents_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < agent_kind_count; i++)
        if (!agent_kinds[i]->takes_command)
            (void)json_array_append_new(list, kind_json(agent_kinds[i]));
    return list;
}

json_t *web_agents_playing(const Rules *rules)
{
    json_t *list = json_array();
    for (int i = 0; i < agent_kind_count; i++)
        if (!agent_kinds[i]->takes_command && agent_plays_alone(agent_kinds[i], rules) && are_turns_short(rules))
            (void)json_array_append_new(list, json_string(agent_kinds[i]->name));
    return list;
}
