// Reads the settings of a player. Those of a command follow one of its words, because a program's own arguments may
// contain commas, too: what follows a comma are settings only if the first of them is known.
#include "agents/settings.h"

#include <string.h>

static const char engine_option[] = "option.";

// --- Values ---

static Status bad_value(Span name, Span value, const char *wanted, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%.*s: '%.*s' is not %s", SPAN_PRINT(name), SPAN_PRINT(value), wanted);
}

static Status read_name(AgentSettings *settings, Span name, Span value, Error *error)
{
    value = span_trim(value);
    if (value.length == 0 || value.length >= sizeof settings->name)
        return bad_value(name, value, "a name of 1 to 63 bytes", error);
    for (size_t i = 0; i < value.length; i++)
        if ((unsigned char)value.at[i] < ' ' || value.at[i] == 127)
            return bad_value(name, value, "a name without control characters", error);
    memcpy(settings->name, value.at, value.length);
    settings->name[value.length] = '\0';
    return STATUS_OK;
}

static Status read_seconds(Span name, Span value, double *seconds, Error *error)
{
    if (!span_to_real(value, seconds) || *seconds <= 0 || *seconds > 1e9)
        return bad_value(name, value, "a number of seconds above 0", error);
    return STATUS_OK;
}

static Status read_time(AgentSettings *settings, Span name, Span value, Error *error)
{
    return read_seconds(name, value, &settings->seconds, error);
}

Status agent_clock_read(Span text, double *seconds, double *increment, Error *error)
{
    Span rest = text, base = {0};
    (void)span_next_part(&rest, '+', &base);
    double base_seconds = 0, added = 0;
    if (!span_to_real(base, &base_seconds) || base_seconds <= 0 || base_seconds > 1e9)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a number of seconds above 0", SPAN_PRINT(base));
    if (base.length < text.length && (!span_to_real(rest, &added) || added < 0 || added > 1e9))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a clock such as 60 or 60+0.5", SPAN_PRINT(text));
    *seconds = base_seconds;
    *increment = added;
    return STATUS_OK;
}

static Status read_clock(AgentSettings *settings, Span name, Span value, Error *error)
{
    Status status = agent_clock_read(value, &settings->clock, &settings->increment, error);
    if (status != STATUS_OK)
        error_prefix(error, "%.*s: ", SPAN_PRINT(name));
    return status;
}

static Status read_whole(Span name, Span value, int64_t most, int64_t *number, Error *error)
{
    if (!span_to_int(value, 1, most, number))
        return error_set(error, STATUS_BAD_INPUT, "%.*s: '%.*s' is not a whole number from 1 to %lld", SPAN_PRINT(name),
                         SPAN_PRINT(value), (long long)most);
    return STATUS_OK;
}

static Status read_nodes(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, INT64_MAX, &number, error);
    settings->nodes = (uint64_t)number;
    return status;
}

static Status read_depth(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, RULES_CELLS_MAX, &number, error);
    settings->depth = (unsigned)number;
    return status;
}

static Status read_threads(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, AGENT_THREADS_MAX, &number, error);
    settings->threads = (unsigned)number;
    return status;
}

static Status read_memory(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, AGENT_MEMORY_MAX, &number, error);
    settings->memory = (unsigned)number;
    return status;
}

static Status read_memory_limit(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, AGENT_MEMORY_MAX, &number, error);
    settings->memory_limit = (unsigned)number;
    return status;
}

static Status read_process_limit(AgentSettings *settings, Span name, Span value, Error *error)
{
    int64_t number = 0;
    Status status = read_whole(name, value, AGENT_PROCESSES_MAX, &number, error);
    settings->process_limit = (unsigned)number;
    return status;
}

static Status read_start(AgentSettings *settings, Span name, Span value, Error *error)
{
    return read_seconds(name, value, &settings->start, error);
}

static Status read_cpu_limit(AgentSettings *settings, Span name, Span value, Error *error)
{
    return read_seconds(name, value, &settings->cpu_limit, error);
}

static Status read_protocol(AgentSettings *settings, Span name, Span value, Error *error)
{
    settings->is_gomocup = span_is(value, "gomocup");
    settings->is_ugi = span_is(value, "ugi");
    return settings->is_gomocup || settings->is_ugi ? STATUS_OK : bad_value(name, value, "gomocup or ugi", error);
}

static Status read_paths(AgentSettings *settings, Span name, Span value, Error *error)
{
    settings->keeps_paths = span_is(value, "host");
    return settings->keeps_paths || span_is(value, "hidden") ? STATUS_OK
                                                             : bad_value(name, value, "host or hidden", error);
}

// --- Settings ---

static const struct {
    const char *name;
    bool for_engine;
    Status (*read)(AgentSettings *settings, Span name, Span value, Error *error);
} list[] = {
    {"name", false, read_name},
    {"time", false, read_time},
    {"clock", false, read_clock},
    {"nodes", false, read_nodes},
    {"depth", false, read_depth},
    {"threads", true, read_threads},
    {"memory", true, read_memory},
    {"protocol", true, read_protocol},
    {"memory_limit", true, read_memory_limit},
    {"process_limit", true, read_process_limit},
    {"cpu_limit", true, read_cpu_limit},
    {"start", true, read_start},
    {"paths", true, read_paths},
};

enum { LIST_COUNT = sizeof list / sizeof list[0] };

static bool is_option(Span name)
{
    size_t length = sizeof engine_option - 1;
    return name.length > length && memcmp(name.at, engine_option, length) == 0;
}

static bool is_known_name(Span name)
{
    for (unsigned i = 0; i < LIST_COUNT; i++)
        if (span_is(name, list[i].name))
            return true;
    return is_option(name);
}

Status agent_setting_read(AgentSettings *settings, Span name, Span value, bool for_engine, bool *is_known, Error *error)
{
    *is_known = true;
    for (unsigned i = 0; i < LIST_COUNT; i++)
        if (span_is(name, list[i].name) && (for_engine || !list[i].for_engine))
            return list[i].read(settings, name, value, error);
    *is_known = for_engine && is_option(name);
    if (!*is_known)
        return STATUS_OK;
    // A line end would be another command of the protocol.
    if (memchr(value.at, '\n', value.length) != NULL || memchr(value.at, '\r', value.length) != NULL)
        return bad_value(name, value, "a single line", error);
    size_t length = sizeof engine_option - 1;
    words_add(&settings->options, "%.*s", (int)(name.length - length), name.at + length);
    words_add(&settings->options, "%.*s", (int)value.length, value.at);
    return STATUS_OK;
}

// --- Commands ---

// Goes on to the first of these characters that is neither quoted nor escaped, or to the end.
static size_t find_unquoted(Span text, size_t from, const char *wanted)
{
    char quote = '\0';
    for (size_t i = from; i < text.length; i++) {
        char c = text.at[i];
        if (c == '\\' && quote != '\'')
            i++;
        else if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (strchr(wanted, c) != NULL)
            return i;
    }
    return text.length;
}

static Span part_of(Span text, size_t from, size_t to)
{
    return (Span){text.at + from, to - from};
}

static Status read_unquoted(AgentSettings *settings, Span item, Error *error)
{
    Span value = item, name = {0};
    bool is_known = false;
    (void)span_next_part(&value, '=', &name);
    if (name.length == item.length)
        return error_set(error, STATUS_BAD_INPUT, "the setting '%.*s' has no value; write %.*s=VALUE", SPAN_PRINT(name),
                         SPAN_PRINT(name));
    Status status = agent_setting_read(settings, name, value, true, &is_known, error);
    if (status == STATUS_OK && !is_known)
        status = error_set(error, STATUS_BAD_INPUT,
                           "'%.*s' is not a setting: name, time, clock, nodes, depth, threads, memory, protocol, "
                           "paths, start, memory_limit, "
                           "process_limit, cpu_limit or option.NAME; quote a comma that belongs to the command",
                           SPAN_PRINT(name));
    return status;
}

static Status read_item(AgentSettings *settings, Span item, Error *error)
{
    Words words = {0};
    Status status = words_split(item, &words, error);
    if (status == STATUS_OK)
        status = read_unquoted(settings, span_of(words.count > 0 ? words.at[0] : ""), error);
    words_close(&words);
    return status;
}

static Status read_items(AgentSettings *settings, Span items, Error *error)
{
    for (size_t at = 0; at <= items.length;) {
        size_t end = find_unquoted(items, at, ",");
        Status status = read_item(settings, part_of(items, at, end), error);
        if (status != STATUS_OK)
            return status;
        at = end + 1;
    }
    return STATUS_OK;
}

// Where the settings of a word begin, after the comma; the end of the word if it has none. A word such as
// engine:book=0,threads=2 or --limits=a,depth=4 is an argument of the program.
static size_t settings_of_word(Span word, bool is_program)
{
    size_t comma = find_unquoted(word, 0, ",:=");
    if (comma >= word.length || word.at[comma] != ',')
        return word.length;
    Span rest = part_of(word, comma + 1, word.length), name = {0};
    (void)span_next_part(&rest, '=', &name);
    bool has_value = name.length < word.length - comma - 1;
    return has_value && (is_program || is_known_name(name)) ? comma + 1 : word.length;
}

Status agent_settings_take(AgentSettings *settings, Span text, Text *command, Error *error)
{
    static const char *const blanks = " \t\r\n";
    bool is_program = true;
    for (size_t at = 0; at < text.length;) {
        size_t end = find_unquoted(text, at, blanks);
        Span word = part_of(text, at, end);
        size_t begin = settings_of_word(word, is_program);
        is_program = is_program && word.length == 0;
        text_add_span(command, begin < word.length ? part_of(word, 0, begin - 1) : word);
        Status status =
            begin < word.length ? read_items(settings, part_of(word, begin, word.length), error) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
        if (end < text.length)
            text_add_span(command, part_of(text, end, end + 1));
        at = end + 1;
    }
    return STATUS_OK;
}

Budget agent_settings_apply(const AgentSettings *settings, Budget budget)
{
    if (settings->seconds > 0 && settings->clock <= 0)
        budget.seconds = settings->seconds;
    if (settings->nodes > 0)
        budget.nodes = settings->nodes;
    if (settings->depth > 0)
        budget.depth = settings->depth;
    return budget;
}

void agent_settings_close(AgentSettings *settings)
{
    words_close(&settings->options);
    *settings = (AgentSettings){0};
}
