// Who sits where: invitations are exchanged once for a key, which the browser keeps as a cookie for this game alone.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "web/http/router.h"

#include <stdio.h>
#include <string.h>

enum { COOKIE_SECONDS = 30 * 24 * 3600 };

static const char too_many[] = "Too many wrong links from this address. Wait a minute.";

// Refuses a wrong secret; after too many of an address without saying more.
static Status refuse(WebFriends *friends, WebCall *call, const char *words)
{
    double now = clock_seconds();
    if (!guesses_may(&friends->guesses, call->request->peer, now))
        return web_fail(call, 429, NULL, "%s", too_many);
    guesses_count(&friends->guesses, call->request->peer, now);
    return web_fail(call, 403, NULL, "%s", words);
}

static Status begin(const WebFriends *friends, WebCall *call)
{
    return friends->is_started ? STATUS_OK : web_fail(call, 503, NULL, "the server is starting; try again");
}

Status friends_enter(WebFriends *friends, WebCall *call, FriendGame **game, int *player)
{
    const char *key = call->request->seat;
    Status status = begin(friends, call);
    if (status != STATUS_OK)
        return status;
    if (key == NULL)
        return web_fail(call, 401, NULL, "You have no seat in this game. Open the link of your invitation.");
    *game = friends_find(friends, call->request->parameter[0]);
    if (*game == NULL)
        return web_fail(call, 404, "id", "This game is not here any more.");
    for (*player = 0; *player < 2; ++*player) {
        FriendPlayer *seat = &(*game)->players[*player];
        if (!web_secret_is(seat->key, key))
            continue;
        if (!seat->is_confirmed) {
            seat->is_confirmed = true;
            friends_store(friends, *game);
        }
        return STATUS_OK;
    }
    return refuse(friends, call, "You have no seat in this game. Open the link of your invitation.");
}

Status friends_invited(WebFriends *friends, WebCall *call, FriendGame **game)
{
    const char *secret = web_field_text(call, "invitation", WEB_TOKEN_SIZE);
    web_field_need(call, "invitation");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Status status = begin(friends, call);
    if (status != STATUS_OK)
        return status;
    // A client that guesses is refused even a correct invitation; the seats of players are not affected.
    if (!guesses_may(&friends->guesses, call->request->peer, clock_seconds()))
        return web_fail(call, 429, NULL, "%s", too_many);
    *game = friends_find(friends, call->request->parameter[0]);
    if (*game == NULL || !web_secret_is((*game)->invitation, secret))
        return refuse(friends, call,
                      "This invitation is not valid. It may have expired or been cancelled; ask for a new one.");
    return STATUS_OK;
}

Status friends_seat(FriendGame *game, int player, WebCall *call)
{
    FriendPlayer *seat = &game->players[player];
    Status status = web_secret_make(seat->key, sizeof seat->key, call->error);
    if (status != STATUS_OK)
        return status;
    (void)snprintf(call->reply->cookie, sizeof call->reply->cookie,
                   "krow_seat=%s; Path=" WEB_API "/friends/%s; Max-Age=%d; HttpOnly; SameSite=Strict", seat->key,
                   game->id, COOKIE_SECONDS);
    return STATUS_OK;
}

void friends_read_name(WebCall *call, char name[FRIEND_NAME_SIZE])
{
    const char *text = web_field_text(call, "name", FRIEND_NAME_SIZE - 1);
    if (text != NULL)
        utf8_clean(span_of(text), name, FRIEND_NAME_SIZE);
}
