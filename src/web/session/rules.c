// GET /about and POST /rules: games, agents and limits; a description of rules.
#include "web/session/rules.h"

#include "agents/levels.h"
#include "store/formats/formats.h"
#include "view/json_view.h"
#include "web/session/session.h"

json_t *web_rules_json(const Rules *rules)
{
    Text words = {0};
    view_rules_words(rules, &words);
    json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:i, s:b, s:b, s:s}", "width", rules->width, "height",
                               rules->height, "k", rules->k, "p", rules->p, "q", rules->q, "gravity", rules->gravity,
                               "exact", rules->exact, "words", words.data);
    text_close(&words);
    return object;
}

// The field of the wrong number; rules_check has the text.
static const char *wrong_field(const Rules *rules)
{
    unsigned cells = rules_cells(rules);
    unsigned longest = rules->width > rules->height ? rules->width : rules->height;
    if (rules->width < 1 || rules->width > RULES_SIDE_MAX)
        return "width";
    if (rules->height < 1 || rules->height > RULES_SIDE_MAX)
        return "height";
    if (rules->k < 1 || rules->k > longest)
        return "k";
    return rules->p < 1 || rules->p > cells ? "p" : "q";
}

Status web_rules_read(WebCall *call, const char *game, Rules *rules)
{
    return web_blame(call, "game", rules_parse(span_of(game), rules, call->error));
}

static Status read_numbers(WebCall *call, Rules *rules)
{
    enum { SIDE = 255, STONES = 65535 };
    *rules = (Rules){
        .width = (uint8_t)web_field_int(call, "width", 0, SIDE, 0),
        .height = (uint8_t)web_field_int(call, "height", 0, SIDE, 0),
        .k = (uint8_t)web_field_int(call, "k", 0, SIDE, 0),
        .p = (uint16_t)web_field_int(call, "p", 0, STONES, 1),
        .q = (uint16_t)web_field_int(call, "q", 0, STONES, 1),
        .gravity = web_field_bool(call, "gravity", false),
        .exact = web_field_bool(call, "exact", false),
    };
    web_field_need(call, "width");
    web_field_need(call, "height");
    web_field_need(call, "k");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Error why = {0};
    return rules_check(rules, &why) == STATUS_OK ? STATUS_OK : web_fail(call, 400, wrong_field(rules), "%s.", why.text);
}

static Status handle_rules(WebCall *call)
{
    const char *game = web_field_text(call, "game", 200);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Rules rules;
    Status status = game != NULL ? web_rules_read(call, game, &rules) : read_numbers(call, &rules);
    if (status != STATUS_OK)
        return status;
    call->reply->json = web_rules_json(&rules);
    (void)json_object_set_new(call->reply->json, "game", view_rules(&rules));
    (void)json_object_set_new(call->reply->json, "levels", json_integer(levels_count(&rules)));
    (void)json_object_set_new(call->reply->json, "agents", web_agents_playing(&rules));
    return STATUS_OK;
}

static json_t *presets_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < rules_preset_count; i++) {
        Rules rules;
        (void)rules_parse(span_of(rules_presets[i].text), &rules, NULL);
        json_t *preset = web_rules_json(&rules);
        (void)json_object_set_new(preset, "name", json_string(rules_presets[i].name));
        (void)json_object_set_new(preset, "game", json_string(rules_presets[i].text));
        (void)json_object_set_new(preset, "about", json_string(rules_presets[i].about));
        (void)json_object_set_new(preset, "levels", json_integer(levels_count(&rules)));
        (void)json_array_append_new(list, preset);
    }
    return list;
}

static json_t *formats_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < format_count; i++) {
        Span rest = span_of(formats[i].endings), ending = {"", 0};
        (void)span_next_word(&rest, " ", &ending);
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:o, s:s, s:b, s:b}", "name", formats[i].name, "extension",
                                              json_stringn(ending.at, ending.length), "words", formats[i].summary,
                                              "reads", formats[i].read != NULL, "writes", formats[i].write != NULL));
    }
    return list;
}

static Status handle_about(WebCall *call)
{
    call->reply->json =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:i, s:i, s:i, s:i, s:i}, s:b}", "name", "krow", "version",
                  KROW_VERSION, "presets", presets_json(), "agents", web_agents_json(), "formats", formats_json(),
                  "limits", "cells", RULES_CELLS_MAX, "sessions", WEB_SESSIONS_MAX, "searches", WEB_SEARCHES_MAX,
                  "seconds", WEB_TURN_SECONDS_MAX, "nodes", WEB_NODES_MAX, "exec", false);
    return STATUS_OK;
}

const WebRoute web_rules_routes[] = {
    {"GET", "/about", handle_about, 0, "Presets, agents, formats and limits", .names = ""},
    {"POST", "/rules", handle_rules, 0, "What rules mean, and whether they make sense",
     .names = "game width height k p q gravity exact"},
    {0},
};
