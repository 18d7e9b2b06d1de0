// Players and times of a session, read from requests.
#include "web/session/session.h"

#include "agents/levels.h"

#include <stdio.h>
#include <string.h>

enum { CLOCK_SECONDS_MAX = 24 * 3600, INCREMENT_MAX = 3600 };

static Status check_level(WebCall *call, const char *field, unsigned level, const Rules *rules)
{
    unsigned count = levels_count(rules);
    char text[WEB_AGENT_SIZE];
    Status status = web_agent_check(call, field, "level", rules, text);
    if (status != STATUS_OK || (level >= 1 && level <= count))
        return status;
    return web_fail(call, 400, field, "level is %u, but this game has levels 1 to %u", level, count);
}

// One side: {kind: "person"}, {kind: "agent", agent}, {kind: "level", level}.
static Status read_player(WebCall *call, const char *field, const Rules *rules, WebPlayer *player)
{
    const json_t *object = web_field_object(call, field);
    if (call->error->status != STATUS_OK || object == NULL)
        return call->error->status;
    WebCall inner = web_inner(call, object, "kind agent level");
    const char *kind = web_field_text(&inner, "kind", 20), *agent = web_field_text(&inner, "agent", 200);
    unsigned level = (unsigned)web_field_int(&inner, "level", 1, LEVELS_MAX, 0);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    *player = (WebPlayer){.kind = WEB_PERSON};
    if (kind != NULL && strcmp(kind, "person") == 0)
        return STATUS_OK;
    if (kind != NULL && strcmp(kind, "level") == 0) {
        player->kind = WEB_LEVEL;
        player->level = level;
        (void)snprintf(player->agent, sizeof player->agent, "level:n=%u", level);
        return check_level(call, field, level, rules);
    }
    if (kind == NULL || strcmp(kind, "agent") != 0)
        return web_fail(call, 400, field, "the kind of a side is person, agent or level");
    player->kind = WEB_AGENT;
    if (agent == NULL)
        return web_fail(call, 400, field, "a side of the kind agent needs the field agent");
    (void)snprintf(player->given, sizeof player->given, "%s", agent);
    return web_agent_check(call, field, agent, rules, player->agent);
}

static const char *const side_fields[] = {"first", "second"};

static void read_clock(WebCall *call, const json_t *object, WebClock *clock)
{
    WebCall inner = web_inner(call, object, "seconds increment");
    double seconds = web_field_real(&inner, "seconds", 1, CLOCK_SECONDS_MAX, 0);
    double increment = web_field_real(&inner, "increment", 0, INCREMENT_MAX, 0);
    web_field_need(&inner, "seconds");
    *clock = (WebClock){.is_on = true, .initial = (int64_t)(seconds * 1000), .increment = (int64_t)(increment * 1000)};
}

Status web_settings_read(WebCall *call, const Rules *rules, WebSettings *settings)
{
    const json_t *sides = web_field_object(call, "sides"), *clock = web_field_object(call, "clock");
    settings->seconds = web_field_real(call, "time", 0.05, WEB_TURN_SECONDS_MAX, settings->seconds);
    if (call->error->status == STATUS_OK && sides != NULL) {
        WebCall inner = web_inner(call, sides, "first second");
        Status status = STATUS_OK;
        for (int side = 0; side < 2 && status == STATUS_OK; side++)
            status = read_player(&inner, side_fields[side], rules, &settings->players[side]);
        if (status != STATUS_OK)
            return status;
    }
    if (clock != NULL)
        read_clock(call, clock, &settings->clock);
    if (json_is_null(json_object_get(call->body, "clock")))
        settings->clock = (WebClock){0};
    return call->error->status;
}

Status web_settings_check(WebCall *call, const WebSettings *settings, const Rules *rules)
{
    Status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        const WebPlayer *player = &settings->players[side];
        char text[WEB_AGENT_SIZE];
        if (player->kind == WEB_LEVEL)
            status = check_level(call, side_fields[side], player->level, rules);
        else if (player->kind == WEB_AGENT)
            status = web_agent_check(call, side_fields[side], player->given, rules, text);
    }
    return status;
}
