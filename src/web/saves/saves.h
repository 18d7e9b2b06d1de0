// Saves finished games in the database, in a thread of its own. A game is in a file until it is in the database.
#pragma once

#include "store/db/database.h"
#include "web/http/api.h"

enum { WEB_OWNER_SIZE = 40 };

// Called by the thread when the game has its number in the database.
typedef void WebSaveDone(WebContext *context, const char *owner, int64_t id);

typedef struct {
    char key[DATABASE_KEY_SIZE]; // of the game; saving it again replaces it
    char owner[WEB_OWNER_SIZE];  // for `done`
    WebSaveDone *done;           // NULL: none
    int64_t started, ended;      // clock_unix_ms
    GameRecord record;
} WebSave;

// A key: letters, digits and hyphens.
bool web_save_key_is_good(const char *key);

// The date of a moment, as in game files: 2026-05-31.
void web_save_date(int64_t ms, char *text, size_t size);

WebSaves *web_saves_open(WebContext *context);

// The folder of a server on this port.
Status web_saves_folder(unsigned port, Text *folder, Error *error);

// Starts saving, first what an earlier run left in `folder`. NULL: games are kept in memory until they are stored. With
// the database "none" nothing is saved.
Status web_saves_start(WebSaves *saves, const char *folder, Error *error);
bool web_saves_is_on(const WebSaves *saves); // NULL: false

// Stops after the games that can be stored now. NULL is allowed.
void web_saves_close(WebSaves *saves);

// Saves a game; takes the record. Does nothing unless saving is on.
void web_saves_put(WebSaves *saves, WebSave *save);

// Stores the review of a saved game (its SGF properties); takes the record.
void web_saves_review(WebSaves *saves, int64_t id, GameRecord *record);
