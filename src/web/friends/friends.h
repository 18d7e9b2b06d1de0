// Games between two people in two browsers. A seat grants its holder this one game and nothing else; docs/friends.md
// has the rules.
#pragma once

#include "web/http/api.h"
#include "web/http/guard.h"

extern const WebRoute web_friends_routes[];

enum {
    WEB_FRIENDS_MAX = 100,    // games that are kept
    WEB_INVITATIONS_MAX = 20, // of them without a second player
};

// Where friends reach the server, for the page.
typedef struct {
    const WebGuard *guard; // borrowed
    unsigned port;
    WebSaves *saves; // borrowed; NULL: finished games are not saved
} WebReach;

WebFriends *web_friends_open(void);

// Loads the games of an earlier run from `folder` and keeps all games there; NULL keeps them in memory only. Until then
// requests are answered with 503. After an error, games are kept in memory only; damaged files are skipped and named on
// stderr.
Status web_friends_start(WebFriends *friends, const WebReach *reach, const char *folder, Error *error);

// The folder of a server on this port.
Status web_friends_folder(unsigned port, Text *folder, Error *error);

// Call it a few times per second: time forfeits, presence, expired games.
void web_friends_tick(WebFriends *friends);

// Stores all games. NULL is allowed.
void web_friends_close(WebFriends *friends);
