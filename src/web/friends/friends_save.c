// Games between two people as records: for files, and for the database when they are finished.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "web/saves/saves.h"

#include <stdio.h>

Status friend_record(const FriendGame *game, GameRecord *record, Error *error)
{
    int first = game->host_side == SIDE_FIRST ? FRIEND_HOST : FRIEND_GUEST;
    Status status = record_from_game(record, &game->game, error);
    for (unsigned i = 0; status == STATUS_OK && i < record->count; i++)
        record->stones[i].ms = game->ms[i];
    record->result = game->result;
    record_set_text(record->first, span_of(game->players[first].name));
    record_set_text(record->second, span_of(game->players[1 - first].name));
    record_set_text(record->reason, span_of(game->reason));
    return status;
}

static void name_default(char name[GAMEFILE_NAME_SIZE], const Rules *rules, Side side)
{
    if (name[0] == '\0')
        (void)snprintf(name, GAMEFILE_NAME_SIZE, "%s", web_side_name(rules, side));
}

void friend_save(FriendGame *game, WebSaves *saves)
{
    if (game->stage != FRIEND_OVER || game->is_saved || game->game.played == 0 || !web_saves_is_on(saves))
        return;
    WebSave save = {.started = game->started, .ended = clock_unix_ms()};
    game->is_saved = true;
    if (friend_record(game, &save.record, NULL) == STATUS_OK) {
        name_default(save.record.first, &save.record.rules, SIDE_FIRST);
        name_default(save.record.second, &save.record.rules, SIDE_SECOND);
        web_save_date(save.ended, save.record.date, sizeof save.record.date);
        (void)snprintf(save.key, sizeof save.key, "friend-%s-%u", game->id, game->number);
        web_saves_put(saves, &save);
    }
    record_close(&save.record);
}
