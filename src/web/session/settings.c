// Players and times of a session, read from requests.
#include "web/session/settings.h"

#include "agents/levels.h"

#include <stdio.h>
#include <string.h>

enum { CLOCK_SECONDS_MAX = 24 * 3600, INCREMENT_MAX = 3600 };

WebSettings web_settings_of(const WebSession *session)
{
    WebSettings settings = {.seconds = session->seconds, .clock = session->clock};
    memcpy(settings.players, session->players, sizeof settings.players);
    return settings;
}

static Status check_level(unsigned level, const Rules *rules, const char *field, WebReply *reply, Error *error)
{
    unsigned count = levels_count(rules);
    char text[WEB_AGENT_SIZE];
    Status status = web_agent_check("level", rules, field, text, reply, error);
    if (status != STATUS_OK)
        return status;
    return level >= 1 && level <= count
               ? STATUS_OK
               : web_fail(reply, 400, field, error, "level is %u, but this game has levels 1 to %u", level, count);
}

// One side: {kind: "person"}, {kind: "agent", agent}, {kind: "level", level}.
static Status read_player(WebFields *sides, const char *field, const Rules *rules, WebPlayer *player)
{
    const json_t *object = web_field_object(sides, field);
    WebReply *reply = sides->reply;
    Error *error = sides->error;
    if (sides->status != STATUS_OK || object == NULL)
        return sides->status;
    WebFields fields = web_fields(object, "kind agent level", reply, error);
    const char *kind = web_field_text(&fields, "kind", 20), *agent = web_field_text(&fields, "agent", 200);
    unsigned level = (unsigned)web_field_int(&fields, "level", 1, LEVELS_MAX, 0);
    if (fields.status != STATUS_OK)
        return fields.status;
    *player = (WebPlayer){.kind = WEB_PERSON};
    if (kind != NULL && strcmp(kind, "person") == 0)
        return STATUS_OK;
    if (kind != NULL && strcmp(kind, "level") == 0) {
        player->kind = WEB_LEVEL;
        player->level = level;
        (void)snprintf(player->agent, sizeof player->agent, "level:n=%u", level);
        return check_level(level, rules, field, reply, error);
    }
    if (kind == NULL || strcmp(kind, "agent") != 0)
        return web_fail(reply, 400, field, error, "the kind of a side is person, agent or level");
    player->kind = WEB_AGENT;
    if (agent == NULL)
        return web_fail(reply, 400, field, error, "a side of the kind agent says which agent");
    (void)snprintf(player->given, sizeof player->given, "%s", agent);
    return web_agent_check(agent, rules, field, player->agent, reply, error);
}

static Status read_sides(const json_t *sides, const Rules *rules, WebSettings *settings, WebReply *reply, Error *error)
{
    WebFields fields = web_fields(sides, "first second", reply, error);
    static const char *const names[] = {"first", "second"};
    for (int side = 0; side < 2; side++) {
        fields.status = read_player(&fields, names[side], rules, &settings->players[side]);
        if (fields.status != STATUS_OK)
            return fields.status;
    }
    return fields.status;
}

static Status read_clock(const json_t *clock, WebSettings *settings, WebReply *reply, Error *error)
{
    WebFields fields = web_fields(clock, "seconds increment", reply, error);
    double seconds = web_field_real(&fields, "seconds", 1, CLOCK_SECONDS_MAX, 0);
    double increment = web_field_real(&fields, "increment", 0, INCREMENT_MAX, 0);
    web_field_need(&fields, "seconds");
    if (fields.status == STATUS_OK)
        settings->clock =
            (WebClock){.is_on = true, .initial = (int64_t)(seconds * 1000), .increment = (int64_t)(increment * 1000)};
    return fields.status;
}

Status web_settings_read(WebFields *fields, const Rules *rules, WebSettings *settings)
{
    const json_t *sides = web_field_object(fields, "sides");
    settings->seconds = web_field_real(fields, "time", 0.05, WEB_TURN_SECONDS_MAX, settings->seconds);
    const json_t *reported = json_object_get(fields->object, "clock");
    const json_t *clock = web_field_object(fields, "clock");
    if (fields->status == STATUS_OK && sides != NULL)
        fields->status = read_sides(sides, rules, settings, fields->reply, fields->error);
    if (fields->status == STATUS_OK && clock != NULL)
        fields->status = read_clock(clock, settings, fields->reply, fields->error);
    if (json_is_null(reported))
        settings->clock = (WebClock){0};
    return fields->status;
}

Status web_settings_check(const WebSettings *settings, const Rules *rules, WebReply *reply, Error *error)
{
    static const char *const names[] = {"first", "second"};
    for (int side = 0; side < 2; side++) {
        const WebPlayer *player = &settings->players[side];
        char text[WEB_AGENT_SIZE];
        Status status = STATUS_OK;
        if (player->kind == WEB_LEVEL)
            status = check_level(player->level, rules, names[side], reply, error);
        else if (player->kind == WEB_AGENT)
            status = web_agent_check(player->given, rules, names[side], text, reply, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void web_settings_use(const WebSettings *settings, WebSession *session)
{
    memcpy(session->players, settings->players, sizeof session->players);
    session->seconds = settings->seconds;
    session->clock = settings->clock;
}
