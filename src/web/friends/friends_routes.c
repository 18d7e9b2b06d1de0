// Requests of games between two people. Clients with the token create games; everything else needs a seat.
#include "web/friends/friends_internal.h"

#include "game/notation.h"
#include "store/formats/formats.h"
#include "view/json_view.h"
#include "web/session/rules.h"

#include <stdio.h>
#include <string.h>

// --- Invitations ---

static json_t *summary_json(const FriendGame *game)
{
    static const char *const stages[] = {"waiting", "playing", "over"};
    return json_pack("{s:s, s:s, s:o, s:i, s:[s, s], s:I, s:I}", "id", game->id, "stage", stages[game->stage], "game",
                     view_rules(&game->game.board.rules), "stones", (int)game->game.played, "names",
                     game->players[FRIEND_HOST].name, game->players[FRIEND_GUEST].name, "created",
                     (json_int_t)game->created, "used", (json_int_t)game->used);
}

static Status handle_list(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    if (!friends->is_started)
        return web_fail(call, 503, NULL, "the server is starting; try again");
    json_t *list = json_array();
    for (const FriendGame *game = friends->first; game != NULL; game = game->next)
        (void)json_array_append_new(list, summary_json(game));
    call->reply->json = friends_reach_json(&friends->reach);
    (void)json_object_set_new(call->reply->json, "stored", json_boolean(friends->folder.length > 0));
    (void)json_object_set_new(call->reply->json, "games", list);
    return STATUS_OK;
}

static Status read_side(WebCall *call, int *side)
{
    static const char *const names[] = {"random", "first", "second"};
    const char *text = web_field_text(call, "side", 10);
    *side = -1;
    if (call->error->status != STATUS_OK || text == NULL)
        return call->error->status;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *side = i - 1;
            return STATUS_OK;
        }
    return web_fail(call, 400, "side", "the side is first, second or random");
}

static Status handle_create(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    Rules rules;
    WebSettings settings = {.seconds = 1};
    char name[FRIEND_NAME_SIZE] = "";
    int side = -1;
    const char *text = web_field_text(call, "game", 200);
    web_field_need(call, "game");
    friends_read_name(call, name);
    Status status = call->error->status;
    if (status == STATUS_OK)
        status = web_rules_read(call, text, &rules);
    if (status == STATUS_OK)
        status = web_settings_read(call, &rules, &settings);
    if (status == STATUS_OK)
        status = read_side(call, &side);
    if (status != STATUS_OK)
        return status;
    WEB_LOCK(&friends->lock);
    if (!friends->is_started)
        return web_fail(call, 503, NULL, "the server is starting; try again");
    FriendGame *game = friends_add(friends, &rules, call->error);
    if (game == NULL)
        return web_fail(call, 429, NULL, "%s", call->error->text);
    game->wish = side;
    game->clock = settings.clock;
    game->clock.left[0] = game->clock.left[1] = game->clock.initial;
    memcpy(game->players[FRIEND_HOST].name, name, sizeof name);
    status = friends_seat(game, FRIEND_HOST, call);
    if (status != STATUS_OK) {
        friends_remove(friends, game);
        return status;
    }
    friends_changed(friends, game);
    call->reply->status = 201;
    call->reply->json = friend_json(game, FRIEND_HOST);
    return STATUS_OK;
}

static Status handle_delete(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = friends_find(friends, call->request->parameter[0]);
    if (game == NULL)
        return web_fail(call, 404, "id", "This game is not here any more.");
    friends_remove(friends, game);
    call->reply->status = 204;
    return STATUS_OK;
}

// The player of a browser that already has a seat in this game, or FRIEND_NONE.
static int seated(const FriendGame *game, const WebCall *call)
{
    for (int player = 0; player < 2; player++)
        if (web_secret_is(game->players[player].key, call->request->seat))
            return player;
    return FRIEND_NONE;
}

// Whether somebody has the seat of the guest. A key that its browser has never shown may have been lost on the way.
static bool is_taken(const FriendGame *game)
{
    return game->players[FRIEND_GUEST].is_confirmed;
}

static Status handle_look(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    Status status = friends_invited(friends, call, &game);
    if (status != STATUS_OK)
        return status;
    call->reply->json = friend_invitation_json(game);
    (void)json_object_set_new(call->reply->json, "seated", json_boolean(seated(game, call) != FRIEND_NONE));
    (void)json_object_set_new(call->reply->json, "taken", json_boolean(is_taken(game)));
    return STATUS_OK;
}

static Status take_seat(WebFriends *friends, FriendGame *game, const char *name, WebCall *call)
{
    Status status = friends_seat(game, FRIEND_GUEST, call);
    if (status != STATUS_OK)
        return status;
    (void)snprintf(game->players[FRIEND_GUEST].name, FRIEND_NAME_SIZE, "%s", name);
    if (game->stage == FRIEND_WAITS) {
        char coin[3] = "";
        status = game->wish < 0 ? web_secret_make(coin, sizeof coin, call->error) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
        friend_begin(game, (Side)(game->wish >= 0 ? game->wish : coin[0] < '8'));
    }
    friends_changed(friends, game);
    return STATUS_OK;
}

static Status handle_join(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    char name[FRIEND_NAME_SIZE] = "";
    friends_read_name(call, name);
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    Status status = friends_invited(friends, call, &game);
    if (status != STATUS_OK)
        return status;
    int player = seated(game, call);
    if (player == FRIEND_NONE) {
        if (is_taken(game))
            return web_fail(call, 409, NULL, "Somebody else has already taken this seat. Ask for a new invitation.");
        status = take_seat(friends, game, name, call);
        player = FRIEND_GUEST;
    }
    if (status == STATUS_OK)
        call->reply->json = friend_json(game, player);
    return status;
}

// --- Players ---

static Status play(FriendGame *game, int player, WebCall *call)
{
    Cell cell = CELL_NONE;
    int64_t after = web_field_int(call, "after", 0, RULES_CELLS_MAX, game->game.played);
    Status status = web_play_cell(call, &game->game, &cell);
    if (status != STATUS_OK)
        return status;
    if (game->stage != FRIEND_PLAYS)
        return web_fail(call, 409, NULL,
                        game->stage == FRIEND_OVER ? "The game is over." : "Your friend is not here yet.");
    if (after != game->game.played)
        return web_fail(call, 409, NULL, "The position has changed meanwhile.");
    if (friend_mover(game) != player)
        return web_fail(call, 409, NULL, "It is your friend\u2019s turn.");
    // The time may have run out since the last tick.
    if (friend_clock_check(game))
        return STATUS_OK;
    Error why = {0};
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    if (board_stone(&game->game.board, cell) != STONE_NONE)
        return web_fail(call, 409, "cell", "%s is taken.", name);
    return friend_place(game, cell, &why) == STATUS_OK ? STATUS_OK : web_fail(call, 409, "cell", "%s", why.text);
}

static Status resign(FriendGame *game, int player, WebCall *call)
{
    if (game->stage != FRIEND_PLAYS)
        return web_fail(call, 409, NULL, "There is no game to resign.");
    friend_end(game, result_lost_by(friend_side(game, player)), "resigned");
    return STATUS_OK;
}

static Status offer(FriendGame *game, int player, WebCall *call)
{
    static const char *const words[] = {"offer", "accept", "decline", "withdraw"};
    enum { OFFER, ACCEPT, DECLINE, WITHDRAW, WORDS };
    FriendOfferKind kind = (FriendOfferKind)call->route->change;
    FriendOffer *open = &game->offers[kind];
    const char *text = web_field_text(call, "answer", 10);
    web_field_need(call, "answer");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    int word = 0;
    while (word < WORDS && strcmp(text, words[word]) != 0)
        word++;
    if (word == WORDS)
        return web_fail(call, 400, "answer", "the answer is offer, accept, decline or withdraw");
    // Both offer the same: they agree.
    if (word == OFFER && open->by == 1 - player)
        word = ACCEPT;
    if (word == OFFER && !friend_may_offer(game, kind, player))
        return web_fail(call, 409, NULL, "You cannot offer this now.");
    if (word != OFFER && open->by != (word == WITHDRAW ? player : 1 - player))
        return web_fail(call, 409, NULL, "This offer is not open any more.");
    if (word == OFFER)
        open->by = player;
    else if (word == ACCEPT)
        friend_accept(game, kind);
    else {
        open->refused[open->by] = true;
        open->by = FRIEND_NONE;
    }
    return STATUS_OK;
}

// Runs a change of the game by a player, and answers with the new state.
static Status act(WebCall *call, Status (*change)(FriendGame *game, int player, WebCall *call))
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    int player = FRIEND_NONE;
    Status status = friends_enter(friends, call, &game, &player);
    if (status == STATUS_OK)
        status = change(game, player, call);
    if (status != STATUS_OK)
        return status;
    friends_changed(friends, game);
    call->reply->json = friend_json(game, player);
    return STATUS_OK;
}

static Status handle_play(WebCall *call)
{
    return act(call, play);
}

static Status handle_resign(WebCall *call)
{
    return act(call, resign);
}

static Status handle_offer(WebCall *call)
{
    return act(call, offer);
}

static Status handle_cancel(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    int player = FRIEND_NONE;
    Status status = friends_enter(friends, call, &game, &player);
    if (status != STATUS_OK)
        return status;
    if (game->stage != FRIEND_WAITS)
        return web_fail(call, 409, NULL, "Your friend has taken the seat; the game has begun.");
    friends_remove(friends, game);
    call->reply->status = 204;
    return STATUS_OK;
}

static Status handle_get(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    int player = FRIEND_NONE;
    Status status = friends_enter(friends, call, &game, &player);
    if (status == STATUS_OK)
        call->reply->json = friend_json(game, player);
    return status;
}

// A new page begins with the current state, including the clocks.
static Status handle_events(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    int player = FRIEND_NONE;
    Status status = friends_enter(friends, call, &game, &player);
    if (status != STATUS_OK)
        return status;
    WebTopic *topic = game->players[player].topic;
    if (web_topic_listeners(topic) >= FRIEND_LISTENERS_MAX)
        return web_fail(call, 429, NULL, "This game is open in too many pages.");
    web_topic_send(topic, "state", "state", true, friend_json(game, player));
    call->reply->topic = web_topic_hold(topic);
    return STATUS_OK;
}

static Status handle_export(WebCall *call)
{
    WebFriends *friends = call->context->friends;
    const char *name = web_query(call, "format");
    WEB_LOCK(&friends->lock);
    FriendGame *game = NULL;
    int player = FRIEND_NONE;
    Status status = friends_enter(friends, call, &game, &player);
    if (status != STATUS_OK)
        return status;
    const Format *format = format_find(span_of(name != NULL ? name : "sgf"));
    if (format == NULL || format->write == NULL)
        return web_fail(call, 400, "format", "there is no format '%.40s' to write", name);
    GameRecord record = {0};
    status = friend_record(game, &record, call->error);
    if (status == STATUS_OK)
        status = formats_write(&record, format, &call->reply->text, call->error);
    record_close(&record);
    (void)snprintf(call->reply->name, sizeof call->reply->name, "krow.%s", format->name);
    return status;
}

const WebRoute web_friends_routes[] = {
    {"GET", "/friends", handle_list, WEB_SLOW, "Games between two people, and where others reach the server",
     .names = ""},
    {"POST", "/friends", handle_create, WEB_SLOW, "Invite somebody to a game", .names = "game side clock name"},
    {"DELETE", "/friends/{id}", handle_delete, WEB_SLOW, "Remove a game between two people", .names = NULL},
    {"POST", "/friends/{id}/look", handle_look, WEB_SLOW | WEB_SEAT, "What an invitation offers",
     .names = "invitation"},
    {"POST", "/friends/{id}/join", handle_join, WEB_SLOW | WEB_SEAT, "Take the seat of an invitation",
     .names = "invitation name"},
    {"POST", "/friends/{id}/cancel", handle_cancel, WEB_SLOW | WEB_SEAT, "Cancel an invitation", .names = ""},
    {"GET", "/friends/{id}", handle_get, WEB_SLOW | WEB_SEAT, "The game as one player sees it", .names = ""},
    {"GET", "/friends/{id}/events", handle_events, WEB_SLOW | WEB_SEAT, "The game and its changes, as an event stream",
     .names = ""},
    {"POST", "/friends/{id}/play", handle_play, WEB_SLOW | WEB_SEAT, "Place a stone in a game with a friend",
     .names = "cell column after"},
    {"POST", "/friends/{id}/takeback", handle_offer, WEB_SLOW | WEB_SEAT, "Ask for a takeback, or answer",
     .names = "answer", .change = FRIEND_TAKEBACK},
    {"POST", "/friends/{id}/draw", handle_offer, WEB_SLOW | WEB_SEAT, "Offer a draw, or answer", .names = "answer",
     .change = FRIEND_DRAW},
    {"POST", "/friends/{id}/rematch", handle_offer, WEB_SLOW | WEB_SEAT, "Offer a rematch, or answer",
     .names = "answer", .change = FRIEND_REMATCH},
    {"POST", "/friends/{id}/resign", handle_resign, WEB_SLOW | WEB_SEAT, "Resign a game with a friend", .names = ""},
    {"GET", "/friends/{id}/export", handle_export, WEB_SLOW | WEB_SEAT, "A game with a friend as a file",
     .names = "format"},
    {0},
};
