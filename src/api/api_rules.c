// Public library: status, version, rules and presets, and the conversions that all parts share.
#include "api/api_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

static_assert((int)KROW_OK == STATUS_OK && (int)KROW_BAD_INPUT == STATUS_BAD_INPUT && (int)KROW_IO == STATUS_IO &&
                  (int)KROW_NO_MEMORY == STATUS_NO_MEMORY && (int)KROW_INTERRUPTED == STATUS_INTERRUPTED &&
                  (int)KROW_FAILED == STATUS_FAILED,
              "public and internal status codes are equal");
static_assert((int)KROW_SIDE_MAX == RULES_SIDE_MAX && (int)KROW_RULES_TEXT_SIZE == RULES_TEXT_SIZE &&
                  (int)KROW_ERROR_TEXT_SIZE == ERROR_TEXT_SIZE,
              "public and internal sizes are equal");
static_assert(sizeof(KrowRules) == 32, "KrowRules is part of the binary interface");

const char *krow_version(void)
{
    return KROW_VERSION;
}

const char *krow_status_text(KrowStatus status)
{
    return status_text((Status)status);
}

KrowStatus api_refuse(KrowError *error, KrowStatus status, const char *text)
{
    if (error != NULL) {
        error->status = status;
        (void)snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

KrowStatus api_error(KrowError *to, const Error *from)
{
    return api_refuse(to, (KrowStatus)from->status, from->text);
}

Status api_rules(const KrowRules *from, Rules *to, Error *error)
{
    static const uint8_t zero[sizeof from->reserved];
    if (from->width > UINT8_MAX || from->height > UINT8_MAX || from->k > UINT8_MAX)
        return error_set(error, STATUS_BAD_INPUT, "width, height and k are at most %d", RULES_SIDE_MAX);
    if (memcmp(from->reserved, zero, sizeof zero) != 0)
        return error_set(error, STATUS_BAD_INPUT, "the reserved bytes of the rules are not zero");
    *to = (Rules){.width = (uint8_t)from->width,
                  .height = (uint8_t)from->height,
                  .k = (uint8_t)from->k,
                  .p = from->p,
                  .q = from->q,
                  .gravity = from->gravity,
                  .exact = from->exact};
    return rules_check(to, error);
}

void api_rules_out(const Rules *from, KrowRules *to)
{
    *to = (KrowRules){.width = from->width,
                      .height = from->height,
                      .k = from->k,
                      .p = from->p,
                      .q = from->q,
                      .gravity = from->gravity,
                      .exact = from->exact};
}

KrowStatus api_check_game(const KrowGame *game, const Rules *rules, KrowError *error)
{
    if (!rules_equal(&game->game.board.rules, rules))
        return api_refuse(error, KROW_BAD_INPUT, "the rules of the game differ from those that were opened");
    if (game_is_over(&game->game))
        return api_refuse(error, KROW_BAD_INPUT, "the game is over");
    return KROW_OK;
}

size_t api_cells(const Cell *from, size_t count, KrowCell *cells, size_t capacity)
{
    for (size_t i = 0; i < count && i < capacity; i++)
        cells[i] = from[i];
    return count;
}

size_t api_give_text(Text *from, char *text, size_t size)
{
    size_t length = from->length;
    if (size > 0) {
        size_t part = length < size ? length : size - 1;
        if (part > 0)
            memcpy(text, from->data, part);
        text[part] = '\0';
    }
    text_close(from);
    return length;
}

double api_deadline(const KrowLimits *limits)
{
    return limits != NULL && limits->seconds > 0 ? clock_seconds() + limits->seconds : 0;
}

KrowStatus krow_rules_parse(const char *text, KrowRules *rules, KrowError *error)
{
    Rules parsed;
    Error failure = {0};
    if (rules_parse(span_of(text), &parsed, &failure) != STATUS_OK)
        return api_error(error, &failure);
    api_rules_out(&parsed, rules);
    return KROW_OK;
}

KrowStatus krow_rules_check(const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    return api_rules(rules, &checked, &failure) == STATUS_OK ? KROW_OK : api_error(error, &failure);
}

KrowStatus krow_rules_format(const KrowRules *rules, char text[KROW_RULES_TEXT_SIZE], KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) != STATUS_OK)
        return api_error(error, &failure);
    rules_format(&checked, text);
    return KROW_OK;
}

size_t krow_preset_count(void)
{
    return (size_t)rules_preset_count;
}

bool krow_preset_at(size_t index, KrowPreset *preset)
{
    if (index >= krow_preset_count())
        return false;
    const RulesPreset *found = &rules_presets[index];
    *preset = (KrowPreset){.name = found->name, .text = found->text, .about = found->about};
    return true;
}
