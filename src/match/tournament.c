// Reads, checks and writes the description of a match or tournament.
#include "match/tournament.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void tournament_init(Tournament *event)
{
    *event = (Tournament){.format = SCHEDULE_ROUND_ROBIN, .games = 2, .seed = 1};
}

void tournament_close(Tournament *event)
{
    for (unsigned i = 0; i < event->agent_count; i++) {
        free(event->agents[i]);
        free(event->names[i]);
    }
    free(event->agents);
    free(event->names);
    free(event->openings_file);
    *event = (Tournament){0};
}

Status tournament_add_agent(Tournament *event, Span name, Error *error)
{
    if (event->agent_count == TOURNAMENT_AGENTS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "more than %d agents", TOURNAMENT_AGENTS_MAX);
    if (name.length == 0 || memchr(name.at, '\0', name.length) != NULL)
        return error_set(error, STATUS_BAD_INPUT, "the name of an agent is empty or has a zero byte");
    event->agents = memory_resize(event->agents, event->agent_count + 1, sizeof *event->agents);
    event->names = memory_resize(event->names, event->agent_count + 1, sizeof *event->names);
    char *agent = memory_copy(name.at, name.length);
    event->agents[event->agent_count] = agent;
    event->names[event->agent_count++] = agent_player_name(agent);
    return STATUS_OK;
}

static Status parse_seconds(Span text, double *seconds, Error *error)
{
    if (!span_to_real(text, seconds) || *seconds <= 0 || *seconds > 1e9)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a number of seconds above 0", SPAN_PRINT(text));
    return STATUS_OK;
}

Status tournament_parse_clock(Span text, DuelLimits *limits, Error *error)
{
    return agent_clock_read(text, &limits->clock_seconds, &limits->increment, error);
}

static Status read_game(Tournament *event, Span value, Error *error)
{
    event->has_rules = true;
    return rules_parse(value, &event->rules, error);
}

static Status read_agents(Tournament *event, Span value, Error *error)
{
    Span word = {0};
    Status status = STATUS_OK;
    while (status == STATUS_OK && span_next_word(&value, " \t\r", &word))
        status = tournament_add_agent(event, word, error);
    return status;
}

static const char *const formats[] = {"roundrobin", "gauntlet", "ladder"};

const char *tournament_format_name(ScheduleFormat format)
{
    return formats[format];
}

static Status read_format(Tournament *event, Span value, Error *error)
{
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (span_is(value, formats[i])) {
            event->format = (ScheduleFormat)i;
            return STATUS_OK;
        }
    return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not one of: roundrobin, gauntlet, ladder", SPAN_PRINT(value));
}

static Status read_openings(Tournament *event, Span value, Error *error)
{
    int64_t number = 0;
    free(event->openings_file);
    event->openings_file = NULL;
    if (memchr(value.at, '\0', value.length) != NULL)
        return error_set(error, STATUS_BAD_INPUT, "the name of the openings file has a zero byte");
    static const char *const separators = " \t,";
    Span rest = value, count = {0}, kind = {0}, more = {0};
    (void)span_next_word(&rest, separators, &count);
    bool has_kind = span_next_word(&rest, separators, &kind), is_random = has_kind && span_is(kind, "random");
    if (span_to_int(count, 1, TOURNAMENT_GAMES_MAX, &number) && (!has_kind || is_random) &&
        !span_next_word(&rest, separators, &more)) {
        event->openings = (unsigned)number;
        event->balanced = !is_random;
        return STATUS_OK;
    }
    event->openings_file = memory_copy(value.at, value.length);
    return STATUS_OK;
}

static Status read_time(Tournament *event, Span value, Error *error)
{
    return parse_seconds(value, &event->limits.turn_seconds, error);
}

static Status read_clock(Tournament *event, Span value, Error *error)
{
    return tournament_parse_clock(value, &event->limits, error);
}

static Status read_order(Tournament *event, Span value, Error *error)
{
    event->random_order = span_is(value, "random");
    return event->random_order || span_is(value, "sequential")
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "'%.*s' is neither 'sequential' nor 'random'", SPAN_PRINT(value));
}

// Reads whole turns and a score; false if that is not what comes next.
static bool read_turns_and_score(Span *rest, unsigned *turns, double *score)
{
    static const char *const separators = " \t,";
    Span word[2] = {{0}};
    int64_t number = 0;
    if (!span_next_word(rest, separators, &word[0]) || !span_to_int(word[0], 1, RULES_CELLS_MAX, &number) ||
        !span_next_word(rest, separators, &word[1]) || !span_to_real(word[1], score) || *score < 0)
        return false;
    *turns = (unsigned)number;
    return true;
}

Status tournament_parse_resign(Span text, Adjudication *rule, Error *error)
{
    Span rest = text;
    return read_turns_and_score(&rest, &rule->resign_turns, &rule->resign_score) && span_trim(rest).length == 0
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "'%.*s' is not TURNS,SCORE such as 4,10", SPAN_PRINT(text));
}

Status tournament_parse_draw(Span text, Adjudication *rule, Error *error)
{
    Span rest = text, word = {0};
    int64_t from = 0;
    bool is_good = read_turns_and_score(&rest, &rule->draw_turns, &rule->draw_score);
    if (is_good && span_next_word(&rest, " \t,", &word))
        is_good = span_to_int(word, 0, RULES_CELLS_MAX, &from) && span_trim(rest).length == 0;
    rule->draw_from = (unsigned)from;
    return is_good ? STATUS_OK
                   : error_set(error, STATUS_BAD_INPUT,
                               "'%.*s' is not TURNS,SCORE or TURNS,SCORE,FROM such as 6,0.5,40", SPAN_PRINT(text));
}

// alpha=A, beta=B or model=normalised|logistic.
static bool read_sprt_word(Span word, Sprt *sprt)
{
    Span value = word, name = {0};
    (void)span_next_part(&value, '=', &name);
    if (span_is(name, "alpha"))
        return span_to_real(value, &sprt->alpha);
    if (span_is(name, "beta"))
        return span_to_real(value, &sprt->beta);
    sprt->is_logistic = span_is(value, "logistic");
    return span_is(name, "model") &&
           (sprt->is_logistic || span_is(value, "normalised") || span_is(value, "normalized"));
}

Status tournament_parse_sprt(Span text, Sprt *sprt, Error *error)
{
    static const char *const separators = " \t,";
    Span rest = text, word[2] = {{0}}, more = {0};
    *sprt = (Sprt){.alpha = SPRT_ERROR, .beta = SPRT_ERROR};
    bool is_good = span_next_word(&rest, separators, &word[0]) && span_next_word(&rest, separators, &word[1]) &&
                   span_to_real(word[0], &sprt->elo0) && span_to_real(word[1], &sprt->elo1);
    while (is_good && span_next_word(&rest, separators, &more))
        is_good = read_sprt_word(more, sprt);
    if (!is_good || !sprt_is_valid(sprt))
        return error_set(
            error, STATUS_BAD_INPUT,
            "'%.*s' is not E0,E1[,alpha=A][,beta=B][,model=normalised|logistic] with E0 below E1 and A + B "
            "below 1, such as 0,10",
            SPAN_PRINT(text));
    return STATUS_OK;
}

static Status read_resign(Tournament *event, Span value, Error *error)
{
    return tournament_parse_resign(value, &event->limits.adjudication, error);
}

static Status read_draw(Tournament *event, Span value, Error *error)
{
    return tournament_parse_draw(value, &event->limits.adjudication, error);
}

static Status read_sprt(Tournament *event, Span value, Error *error)
{
    event->has_sprt = true;
    return tournament_parse_sprt(value, &event->sprt, error);
}

// A key has a function that reads its value, or is an integer field of Tournament.
static const struct {
    const char *name;
    Status (*read)(Tournament *event, Span value, Error *error); // NULL: an integer
    bool repeats;                                                // may occur in several lines
    size_t offset, size;
    int64_t min, max;
} keys[] = {
#define NUMBER(field) offsetof(Tournament, field), sizeof((Tournament *)NULL)->field
    {"game", .read = read_game},
    {"agents", .read = read_agents, .repeats = true},
    {"agent", .read = tournament_add_agent, .repeats = true},
    {"format", .read = read_format},
    {"games", NULL, false, NUMBER(games), 1, TOURNAMENT_GAMES_MAX},
    {"openings", .read = read_openings},
    {"order", .read = read_order},
    {"start", NULL, false, NUMBER(start), 1, TOURNAMENT_GAMES_MAX},
    {"time", .read = read_time},
    {"clock", .read = read_clock},
    {"nodes", NULL, false, NUMBER(limits.nodes), 1, INT64_MAX},
    {"depth", NULL, false, NUMBER(limits.depth), 1, RULES_CELLS_MAX},
    {"turns", NULL, false, NUMBER(limits.max_turns), 1, RULES_CELLS_MAX},
    {"resign", .read = read_resign},
    {"draw", .read = read_draw},
    {"sprt", .read = read_sprt},
    {"seed", NULL, false, NUMBER(seed), 0, INT64_MAX},
#undef NUMBER
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static Status read_number(Tournament *event, unsigned which, Span value, Error *error)
{
    int64_t number = 0;
    if (!span_to_int(value, keys[which].min, keys[which].max, &number))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a whole number from %lld to %lld", SPAN_PRINT(value),
                         (long long)keys[which].min, (long long)keys[which].max);
    void *place = (char *)event + keys[which].offset;
    if (keys[which].size == sizeof(uint64_t))
        *(uint64_t *)place = (uint64_t)number;
    else
        *(unsigned *)place = (unsigned)number;
    return STATUS_OK;
}

static Status read_line(Tournament *event, Span key, Span value, unsigned *seen, Error *error)
{
    unsigned which = 0;
    while (which < KEY_COUNT && !span_is(key, keys[which].name))
        which++;
    if (which == KEY_COUNT)
        return error_set(
            error, STATUS_BAD_INPUT,
            "'%.*s' is not one of: game, agents, agent, format, games, openings, order, start, time, clock, "
            "nodes, depth, turns, resign, draw, sprt, seed",
            SPAN_PRINT(key));
    if (value.length == 0)
        return error_set(error, STATUS_BAD_INPUT, "'%s' has no value", keys[which].name);
    if (*seen & 1u << which && !keys[which].repeats)
        return error_set(error, STATUS_BAD_INPUT, "'%s' is repeated", keys[which].name);
    *seen |= 1u << which;
    return keys[which].read != NULL ? keys[which].read(event, value, error) : read_number(event, which, value, error);
}

// Names of agents are shown in tables, so they must not control the terminal.
static bool has_control(Span line)
{
    while (line.length > 0) {
        size_t bytes = utf8_char(line);
        if (bytes == 0 || (line.at[0] != '\t' && utf8_is_control(line.at, bytes)))
            return true;
        line = (Span){line.at + bytes, line.length - bytes};
    }
    return false;
}

Status tournament_read(Tournament *event, Span text, Error *error)
{
    unsigned seen = 0;
    Span line = {0};
    static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
    if (text.length >= 3 && memcmp(text.at, byte_order_mark, 3) == 0)
        text = (Span){text.at + 3, text.length - 3};
    for (int number = 1; span_next_part(&text, '\n', &line); number++) {
        // # begins a comment only at the start of a word: an agent's command may contain one.
        for (size_t i = 0; i < line.length; i++)
            if (line.at[i] == '#' && (i == 0 || strchr(" \t\r", line.at[i - 1]) != NULL))
                line.length = i;
        Span rest = span_trim(line), key = {0};
        if (!span_next_word(&rest, " \t", &key))
            continue;
        Status status =
            has_control(span_trim(line))
                ? error_set(error, STATUS_BAD_INPUT, "the line contains a control character or is not UTF-8")
                : read_line(event, key, span_trim(rest), &seen, error);
        if (status != STATUS_OK) {
            error_prefix(error, "line %d: ", number);
            return status;
        }
    }
    return STATUS_OK;
}

Status tournament_check(const Tournament *event, const AgentHost *host, Error *error)
{
    if (!event->has_rules)
        return error_set(error, STATUS_BAD_INPUT, "no game is specified");
    if (event->has_sprt && event->agent_count != 2)
        return error_set(error, STATUS_BAD_INPUT, "an SPRT compares two agents, not %u", event->agent_count);
    if (event->agent_count < 2)
        return error_set(error, STATUS_BAD_INPUT, "at least two agents are required, not %u", event->agent_count);
    for (unsigned i = 0; i < event->agent_count; i++) {
        if (strcmp(event->agents[i], "human") == 0)
            return error_set(error, STATUS_BAD_INPUT, "human players are not supported here; use 'krow play'");
        Agent agent;
        Status status = agent_open_with(&agent, span_of(event->agents[i]), &event->rules, host, error);
        if (status != STATUS_OK)
            return status;
        agent_close(&agent);
    }
    Schedule schedule = {.format = event->format, .agents = event->agent_count, .games = event->games};
    if ((uint64_t)schedule_pairs(&schedule) * event->games > TOURNAMENT_GAMES_MAX)
        return error_set(error, STATUS_BAD_INPUT, "%u pairs with %u games each exceed the limit of %d games",
                         schedule_pairs(&schedule), event->games, TOURNAMENT_GAMES_MAX);
    return STATUS_OK;
}

static uint64_t fingerprint(const Openings *openings)
{
    uint64_t print = 0;
    for (unsigned i = 0; openings != NULL && i < openings->count; i++) {
        print = rng_derive(print, openings->list[i].count);
        for (unsigned j = 0; j < openings->list[i].count; j++)
            print = rng_derive(print, openings->list[i].stones[j]);
    }
    return print;
}

void tournament_write(const Tournament *event, const Openings *openings, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&event->rules, game);
    text_add(text, "game %s\n", game);
    for (unsigned i = 0; i < event->agent_count; i++)
        text_add(text, "agent %s\n", event->agents[i]);
    text_add(text, "format %s\ngames %u\n", formats[event->format], event->games);
    if (openings != NULL && openings->count > 0)
        text_add(text, "openings %u %016llx%s\n", openings->count, (unsigned long long)fingerprint(openings),
                 event->balanced && event->openings_file == NULL ? " balanced" : "");
    const DuelLimits *limits = &event->limits;
    if (limits->turn_seconds > 0)
        text_add(text, "time %.9g\n", limits->turn_seconds);
    if (limits->clock_seconds > 0)
        text_add(text, "clock %.9g+%.9g\n", limits->clock_seconds, limits->increment);
    if (limits->nodes > 0)
        text_add(text, "nodes %llu\n", (unsigned long long)limits->nodes);
    if (limits->depth > 0)
        text_add(text, "depth %u\n", limits->depth);
    if (limits->max_turns > 0)
        text_add(text, "turns %u\n", limits->max_turns);
    const Adjudication *rule = &limits->adjudication;
    if (rule->resign_turns > 0)
        text_add(text, "resign %u %.9g\n", rule->resign_turns, rule->resign_score);
    if (rule->draw_turns > 0)
        text_add(text, "draw %u %.9g %u\n", rule->draw_turns, rule->draw_score, rule->draw_from);
    text_add(text, "seed %llu\n", (unsigned long long)event->seed);
}
