// Public library: games as SGF files.
#include "api/api_internal.h"

#include "base/memory.h"
#include "store/formats/formats.h"

#include <stdlib.h>
#include <string.h>

size_t krow_game_to_sgf(const KrowGame *game, const char *first, const char *second, char *text, size_t size)
{
    GameRecord record = {0};
    Text written = {0};
    record_set_text(record.first, span_of(first != NULL ? first : ""));
    record_set_text(record.second, span_of(second != NULL ? second : ""));
    (void)record_from_game(&record, &game->game, NULL); // a game has no more stones than a record
    (void)formats_write(&record, format_find(span_of("sgf")), &written, NULL);
    record_close(&record);
    return api_give_text(&written, text, size);
}

// Takes the first game of a file.
static bool take_game(void *context, const FormatItem *item)
{
    KrowGame **game = context;
    if (item->record == NULL)
        return false;
    *game = memory_new(1, sizeof **game);
    Error failure = {0};
    if (record_replay(item->record, &(*game)->game, NULL, &failure) == STATUS_OK)
        return false;
    free(*game);
    *game = NULL;
    return false;
}

KrowGame *krow_game_from_sgf(const char *text, const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    FormatOptions options = {.format = format_find(span_of("sgf"))};
    if (rules != NULL) {
        if (api_rules(rules, &checked, &failure) != STATUS_OK) {
            (void)api_error(error, &failure);
            return NULL;
        }
        options.rules = &checked;
    }
    KrowGame *game = NULL;
    if (formats_read(span_of(text), &options, take_game, &game, &failure) == STATUS_OK && game == NULL)
        (void)error_set(&failure, STATUS_BAD_INPUT, "the file has no game");
    if (game == NULL)
        (void)api_error(error, &failure);
    return game;
}
