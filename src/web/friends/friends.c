// The list of games between two people: limits, presence, time forfeits, expiry.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "store/paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INVITATION_MS = 24 * 3600 * 1000, // of an open invitation
    OVER_MS = 7 * 24 * 3600 * 1000,   // of a finished game
    UNFINISHED_DAYS = 30,
    DAY_MS = 24 * 3600 * 1000,
};

static const double away_seconds = 3;  // without a page, until a player counts as away
static const double store_seconds = 5; // between files of a running clock

WebFriends *web_friends_open(void)
{
    WebFriends *friends = memory_new(1, sizeof *friends);
    (void)pthread_mutex_init(&friends->lock, NULL);
    friends->folder_lock = -1;
    return friends;
}

Status web_friends_folder(unsigned port, Text *folder, Error *error)
{
    char name[40];
    (void)snprintf(name, sizeof name, "friends/%u", port);
    return path_of(PATH_STATE, name, folder, error);
}

Status web_friends_start(WebFriends *friends, const WebReach *reach, const char *folder, Error *error)
{
    WEB_LOCK(&friends->lock);
    friends->reach = *reach;
    friends->saves = reach->saves;
    if (folder != NULL)
        text_add(&friends->folder, "%s", folder);
    Status status = folder != NULL ? friends_load(friends, error) : STATUS_OK;
    friends->is_started = true;
    return status;
}

void web_friends_close(WebFriends *friends)
{
    if (friends == NULL)
        return;
    while (friends->first != NULL) {
        FriendGame *game = friends->first;
        friends->first = game->next;
        if (game->clock.since > 0)
            friends_store(friends, game);
        friend_close(game);
    }
    text_close(&friends->folder);
    if (friends->folder_lock >= 0)
        (void)close(friends->folder_lock);
    (void)pthread_mutex_destroy(&friends->lock);
    free(friends);
}

FriendGame *friends_find(WebFriends *friends, const char *id)
{
    FriendGame *game = friends->first;
    while (game != NULL && strcmp(game->id, id) != 0)
        game = game->next;
    return game;
}

void friends_remove(WebFriends *friends, FriendGame *game)
{
    FriendGame **at = &friends->first;
    while (*at != game)
        at = &(*at)->next;
    *at = game->next;
    friends->count--;
    friends_erase(friends, game);
    friend_close(game);
}

// The finished game that was used least recently; NULL for none.
static FriendGame *find_finished(const WebFriends *friends)
{
    FriendGame *oldest = NULL;
    for (FriendGame *game = friends->first; game != NULL; game = game->next)
        if (game->stage == FRIEND_OVER && (oldest == NULL || game->used < oldest->used))
            oldest = game;
    return oldest;
}

FriendGame *friends_add(WebFriends *friends, const Rules *rules, Error *error)
{
    unsigned waiting = 0;
    for (const FriendGame *game = friends->first; game != NULL; game = game->next)
        waiting += game->stage == FRIEND_WAITS;
    FriendGame *finished = friends->count >= WEB_FRIENDS_MAX ? find_finished(friends) : NULL;
    if (waiting >= WEB_INVITATIONS_MAX) {
        (void)error_set(error, STATUS_FAILED, "%u invitations are open already; cancel one, or wait until one expires",
                        waiting);
        return NULL;
    }
    if (friends->count >= WEB_FRIENDS_MAX && finished == NULL) {
        (void)error_set(error, STATUS_FAILED, "%u games with friends are in play already", friends->count);
        return NULL;
    }
    if (finished != NULL)
        friends_remove(friends, finished);
    FriendGame *game = friend_new(rules);
    if (web_secret_make(game->id, sizeof game->id, error) != STATUS_OK ||
        web_secret_make(game->invitation, sizeof game->invitation, error) != STATUS_OK) {
        friend_close(game);
        return NULL;
    }
    game->next = friends->first;
    friends->first = game;
    friends->count++;
    return game;
}

static void send(FriendGame *game)
{
    game->version++;
    for (int player = 0; player < 2; player++)
        web_topic_send(game->players[player].topic, "state", "state", true, friend_json(game, player));
}

void friends_changed(WebFriends *friends, FriendGame *game)
{
    game->used = clock_unix_ms();
    friend_clock_run(game);
    friend_save(game, friends->saves);
    send(game);
    friends_store(friends, game);
}

// --- Periodic work ---

static bool is_expired(const FriendGame *game, int64_t now)
{
    switch (game->stage) {
    case FRIEND_WAITS:
        return now - game->created > INVITATION_MS;
    case FRIEND_OVER:
        return now - game->used > OVER_MS;
    case FRIEND_PLAYS:
        break;
    }
    return now - game->used > (int64_t)UNFINISHED_DAYS * DAY_MS;
}

// Whether the presence of a player has changed.
static bool look_for(FriendPlayer *player)
{
    bool listens = web_topic_listeners(player->topic) > 0;
    player->was_there = player->was_there || listens;
    bool is_there = listens || (player->was_there && clock_seconds() - web_topic_left(player->topic) < away_seconds);
    bool has_changed = is_there != player->is_there;
    player->is_there = is_there;
    return has_changed;
}

static void tick(WebFriends *friends, FriendGame *game)
{
    bool host = look_for(&game->players[FRIEND_HOST]), guest = look_for(&game->players[FRIEND_GUEST]);
    if (friend_clock_check(game)) {
        friends_changed(friends, game);
        return;
    }
    bool ran = game->clock.since > 0;
    friend_clock_run(game);
    if (host || guest || ran != (game->clock.since > 0))
        send(game);
    if (game->clock.since > 0 && clock_seconds() - game->stored > store_seconds)
        friends_store(friends, game);
}

void web_friends_tick(WebFriends *friends)
{
    int64_t now = clock_unix_ms();
    WEB_LOCK(&friends->lock);
    for (FriendGame *game = friends->first, *next = NULL; game != NULL; game = next) {
        next = game->next;
        if (is_expired(game, now))
            friends_remove(friends, game);
        else
            tick(friends, game);
    }
}
