// Shared by the parts of games between two seats. The lock of WebFriends protects everything.
#pragma once

#include "match/outcome.h"
#include "web/friends/friends.h"
#include "web/friends/guesses.h"
#include "web/session/session.h"

enum {
    FRIEND_NAME_SIZE = 81,
    FRIEND_LISTENERS_MAX = 8, // event streams of one seat
};

typedef enum { FRIEND_WAITS, FRIEND_PLAYS, FRIEND_OVER } FriendStage;

// The two players keep their numbers when they change sides.
enum { FRIEND_HOST, FRIEND_GUEST, FRIEND_NONE = -1 };

typedef struct {
    char name[FRIEND_NAME_SIZE]; // "" for none
    char key[WEB_TOKEN_SIZE];    // in the cookie of the browser that has the seat; "" while it is free
    bool is_confirmed;           // the browser has shown the key
    WebTopic *topic;             // sends the game as this player sees it
    bool was_there, is_there;    // a page has been open since the start; is open, as the players know
} FriendPlayer;

typedef enum { FRIEND_TAKEBACK, FRIEND_DRAW, FRIEND_REMATCH, FRIEND_OFFERS } FriendOfferKind;

typedef struct {
    int by;          // the player who offers, or FRIEND_NONE
    bool refused[2]; // the offer of this player was declined or withdrawn; a stone resets it
} FriendOffer;

typedef struct FriendGame FriendGame;

struct FriendGame {
    char id[WEB_TOKEN_SIZE];
    char invitation[WEB_TOKEN_SIZE]; // the secret of the link
    int64_t created, used;           // clock_unix_ms
    FriendStage stage;
    int wish;           // the side of the host in the first game, or -1: random
    int host_side;      // in this game
    unsigned number;    // of the game, from 1; a rematch is the next
    unsigned points[2]; // of the games that have ended: 2 for a win, 1 for a draw
    WebClock clock;
    double held;   // clock_seconds until which the clock waits for the player after a restart; 0: not
    double stored; // clock_seconds of the last file
    double placed; // clock_seconds of the last stone; 0: unknown
    Result result;
    char reason[GAMEFILE_WORD_SIZE]; // of an end that the board does not show
    FriendOffer offers[FRIEND_OFFERS];
    FriendPlayer players[2];
    uint64_t version;
    Game game;
    int32_t ms[RULES_CELLS_MAX]; // of each stone; -1: unknown
    bool is_saved;               // with the finished games
    int64_t started;             // clock_unix_ms of this game; 0: before a restart
    FriendGame *next;
};

struct WebFriends {
    pthread_mutex_t lock;
    bool is_started;
    WebSaves *saves; // NULL: finished games are not saved
    WebReach reach;
    Text folder; // "": memory only
    int folder_lock;
    FriendGame *first;
    unsigned count;
    Guesses guesses;
};

static inline Side friend_side(const FriendGame *game, int player)
{
    return (Side)(player == FRIEND_HOST ? game->host_side : 1 - game->host_side);
}

// The player to move.
static inline int friend_mover(const FriendGame *game)
{
    return board_side(&game->game.board) == (Side)game->host_side ? FRIEND_HOST : FRIEND_GUEST;
}

// --- The list (friends.c) ---

FriendGame *friends_find(WebFriends *friends, const char *id);
void friends_remove(WebFriends *friends, FriendGame *game); // with its file

// Adds a game without players. NULL with an error if there are too many.
FriendGame *friends_add(WebFriends *friends, const Rules *rules, Error *error);

// Stores the game, and sends it to both players.
void friends_changed(WebFriends *friends, FriendGame *game);

// --- Records (friends_save.c) ---

Status friend_record(const FriendGame *game, GameRecord *record, Error *error);

// Saves a finished game in the database, once.
void friend_save(FriendGame *game, WebSaves *saves);

// --- One game (friends_game.c) ---

FriendGame *friend_new(const Rules *rules);
void friend_close(FriendGame *game); // NULL is allowed

void friend_begin(FriendGame *game, Side host_side);

// Places a stone of the player to move.
Status friend_place(FriendGame *game, Cell cell, Error *error);

// The number of stones that a takeback of this player leaves; the current number if there is nothing to take back.
unsigned friend_takeback_to(const FriendGame *game, int player);
bool friend_may_offer(const FriendGame *game, FriendOfferKind kind, int player);
void friend_accept(FriendGame *game, FriendOfferKind kind);
void friend_end(FriendGame *game, Result result, const char *reason);

// --- Clocks (friends_clock.c) ---

// Starts or stops it, as the game requires.
void friend_clock_run(FriendGame *game);
void friend_clock_charge(FriendGame *game);
int64_t friend_clock_left(const FriendGame *game, Side side);

// Ends the game if the time of the player to move is over.
bool friend_clock_check(FriendGame *game);

// --- Views (friends_json.c) ---

json_t *friend_json(const FriendGame *game, int player);
json_t *friend_invitation_json(const FriendGame *game); // for somebody who opens the link

// --- Files (friends_file.c) ---

// Loads all games of the folder, and takes the folder for this process alone.
Status friends_load(WebFriends *friends, Error *error);
void friends_store(WebFriends *friends, FriendGame *game);
void friends_erase(const WebFriends *friends, const FriendGame *game);

// --- Seats (friends_seats.c) ---

// The game and the player that the cookie of a request belongs to. The list is locked.
Status friends_enter(WebFriends *friends, WebCall *call, FriendGame **game, int *player);

// The game whose invitation a request has.
Status friends_invited(WebFriends *friends, WebCall *call, FriendGame **game);

// Seats a player: a new key, as a cookie of the answer.
Status friends_seat(FriendGame *game, int player, WebCall *call);

// Reads the field `name`.
void friends_read_name(WebCall *call, char name[FRIEND_NAME_SIZE]);

// --- Addresses (friends_reach.c) ---

// Whether others can reach the server, and at which addresses.
json_t *friends_reach_json(const WebReach *reach);
