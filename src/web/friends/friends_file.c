// One file for each game, replaced after every change, so that games survive a kill. Only the owner can read the files:
// they have the keys of the seats.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "base/file.h"
#include "game/notation.h"
#include "view/json_view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20, VERSION_STEP = 1000, CLOCK_MAX = 48 * 3600 * 1000 };

static const char *const offer_names[FRIEND_OFFERS] = {"takeback", "draw", "rematch"};
static const double hold_seconds = 60; // of a clock after a restart, for the player to come back

static void path_of_game(const WebFriends *friends, const char *id, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s.json", friends->folder.data, id);
}

// --- Writing ---

static json_t *write_offers(const FriendGame *game)
{
    json_t *object = json_object();
    for (int kind = 0; kind < FRIEND_OFFERS; kind++)
        (void)json_object_set_new(object, offer_names[kind],
                                  json_pack("[i, b, b]", game->offers[kind].by, game->offers[kind].refused[0],
                                            game->offers[kind].refused[1]));
    return object;
}

static json_t *write_players(const FriendGame *game)
{
    json_t *list = json_array();
    for (int player = 0; player < 2; player++) {
        const FriendPlayer *seat = &game->players[player];
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:s, s:b, s:i}", "name", seat->name, "key", seat->key, "confirmed",
                                              seat->is_confirmed, "points", (int)game->points[player]));
    }
    return list;
}

static json_t *write_times(const FriendGame *game)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < game->game.played; i++)
        (void)json_array_append_new(list, json_integer(game->ms[i]));
    return list;
}

static json_t *write_clock(const FriendGame *game)
{
    if (!game->clock.is_on)
        return json_null();
    return json_pack("{s:I, s:I, s:[I, I]}", "initial", (json_int_t)game->clock.initial, "increment",
                     (json_int_t)game->clock.increment, "left", (json_int_t)friend_clock_left(game, SIDE_FIRST),
                     (json_int_t)friend_clock_left(game, SIDE_SECOND));
}

static json_t *write_game(const FriendGame *game)
{
    return json_pack("{s:i, s:s, s:s, s:I, s:I, s:i, s:i, s:i, s:i, s:I, s:o, s:o, s:o, s:o, s:o, s:s?, s:s, s:o}",
                     "format", 1, "id", game->id, "invitation", game->invitation, "created", (json_int_t)game->created,
                     "used", (json_int_t)game->used, "stage", (int)game->stage, "wish", game->wish, "host_side",
                     game->host_side, "number", (int)game->number, "version", (json_int_t)game->version, "game",
                     view_rules(&game->game.board.rules), "stones", view_cells(game->game.stones, game->game.played),
                     "ms", write_times(game), "clock", write_clock(game), "offers", write_offers(game), "result",
                     result_name(game->result), "reason", game->reason, "players", write_players(game));
}

void friends_store(WebFriends *friends, FriendGame *game)
{
    game->stored = clock_seconds();
    if (friends->folder.length == 0)
        return;
    char path[4096];
    Error error = {0};
    json_t *object = write_game(game);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    path_of_game(friends, game->id, path, sizeof path);
    if (text == NULL || file_write_private(path, span_of(text), &error) != STATUS_OK)
        (void)fprintf(stderr, "A game with a friend is not stored: %s\n", error.text);
    free(text);
}

void friends_erase(const WebFriends *friends, const FriendGame *game)
{
    if (friends->folder.length == 0)
        return;
    char path[4096];
    path_of_game(friends, game->id, path, sizeof path);
    (void)unlink(path);
}

// --- Reading ---

static bool read_text(const json_t *object, const char *name, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (value == NULL || strlen(value) >= size)
        return false;
    memcpy(text, value, strlen(value) + 1);
    return true;
}

// A whole number within limits; `*good` becomes false otherwise.
static int64_t read_number(const json_t *value, int64_t min, int64_t max, bool *good)
{
    int64_t number = json_integer_value(value);
    *good = *good && json_is_integer(value) && number >= min && number <= max;
    return *good ? number : min;
}

static bool read_clock(const json_t *object, WebClock *clock)
{
    bool good = true;
    if (json_is_null(object))
        return true;
    const json_t *left = json_object_get(object, "left");
    clock->is_on = true;
    clock->initial = read_number(json_object_get(object, "initial"), 1, CLOCK_MAX, &good);
    clock->increment = read_number(json_object_get(object, "increment"), 0, CLOCK_MAX, &good);
    for (size_t side = 0; side < 2; side++)
        clock->left[side] = read_number(json_array_get(left, side), 0, INT64_MAX, &good);
    return good;
}

static bool read_players(const json_t *list, FriendGame *game)
{
    bool good = json_array_size(list) == 2;
    for (size_t player = 0; player < 2 && good; player++) {
        FriendPlayer *seat = &game->players[player];
        const json_t *object = json_array_get(list, player);
        good = read_text(object, "name", seat->name, sizeof seat->name) &&
               read_text(object, "key", seat->key, sizeof seat->key);
        seat->is_confirmed = json_is_true(json_object_get(object, "confirmed"));
        game->points[player] = (unsigned)read_number(json_object_get(object, "points"), 0, INT32_MAX, &good);
    }
    return good;
}

static bool read_offers(const json_t *object, FriendGame *game)
{
    bool good = true;
    for (int kind = 0; kind < FRIEND_OFFERS; kind++) {
        const json_t *list = json_object_get(object, offer_names[kind]);
        game->offers[kind].by = (int)read_number(json_array_get(list, 0), FRIEND_NONE, 1, &good);
        for (size_t player = 0; player < 2; player++)
            game->offers[kind].refused[player] = json_is_true(json_array_get(list, player + 1));
    }
    return good;
}

static bool read_stones(const json_t *object, FriendGame *game)
{
    const json_t *stones = json_object_get(object, "stones"), *times = json_object_get(object, "ms");
    bool good = json_is_array(stones) && json_array_size(times) == json_array_size(stones);
    for (size_t i = 0; good && i < json_array_size(stones); i++) {
        const char *name = json_string_value(json_array_get(stones, i));
        Cell cell = CELL_NONE;
        good = name != NULL && cell_parse(span_of(name), &game->game.board.rules, &cell, NULL) == STATUS_OK &&
               game_try(&game->game, cell, NULL) == STATUS_OK;
        if (good)
            game->ms[i] = (int32_t)read_number(json_array_get(times, i), -1, INT32_MAX, &good);
    }
    return good;
}

// The game of a file; NULL if it is damaged.
static FriendGame *read_game(const json_t *object)
{
    bool good = json_integer_value(json_object_get(object, "format")) == 1;
    const char *text = json_string_value(json_object_get(object, "game"));
    const char *result = json_string_value(json_object_get(object, "result"));
    Rules rules;
    if (!good || text == NULL || rules_parse(span_of(text), &rules, NULL) != STATUS_OK)
        return NULL;
    FriendGame *game = friend_new(&rules);
    game->created = read_number(json_object_get(object, "created"), 0, INT64_MAX, &good);
    game->used = read_number(json_object_get(object, "used"), 0, INT64_MAX, &good);
    game->stage = (FriendStage)read_number(json_object_get(object, "stage"), FRIEND_WAITS, FRIEND_OVER, &good);
    game->wish = (int)read_number(json_object_get(object, "wish"), -1, 1, &good);
    game->host_side = (int)read_number(json_object_get(object, "host_side"), 0, 1, &good);
    game->number = (unsigned)read_number(json_object_get(object, "number"), 0, INT32_MAX, &good);
    // The players may have seen later versions than the file has.
    game->version = (uint64_t)read_number(json_object_get(object, "version"), 0, INT64_MAX / 2, &good) + VERSION_STEP;
    game->result = result != NULL ? result_of_name(span_of(result)) : RESULT_NONE;
    good = good && read_text(object, "id", game->id, sizeof game->id) &&
           read_text(object, "invitation", game->invitation, sizeof game->invitation) &&
           read_text(object, "reason", game->reason, sizeof game->reason) &&
           read_clock(json_object_get(object, "clock"), &game->clock) &&
           read_players(json_object_get(object, "players"), game) &&
           read_offers(json_object_get(object, "offers"), game) && read_stones(object, game);
    // A game that plays has stones to place, and one that is over has a result.
    good = good && (game->stage == FRIEND_OVER) == (game->result != RESULT_NONE) &&
           (game->stage == FRIEND_OVER || !game_is_over(&game->game));
    if (good)
        return game;
    friend_close(game);
    return NULL;
}

static void load_file(WebFriends *friends, const char *name)
{
    char path[4096];
    Text text = {0};
    Error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s", friends->folder.data, name);
    FriendGame *game = NULL;
    if (file_read(path, FILE_MAX, &text, &error) == STATUS_OK) {
        json_t *object = json_loadb(text.data, text.length, 0, NULL);
        game = read_game(object);
        json_decref(object);
    }
    text_close(&text);
    if (game == NULL || strncmp(game->id, name, strlen(game->id)) != 0) {
        (void)fprintf(stderr, "A game with a friend cannot be read, and is skipped: %s%s%s\n", path,
                      error.text[0] != '\0' ? ": " : "", error.text);
        friend_close(game);
        return;
    }
    game->held = clock_seconds() + hold_seconds;
    game->is_saved = game->stage == FRIEND_OVER;
    game->stored = clock_seconds();
    game->next = friends->first;
    friends->first = game;
    friends->count++;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

// Only one server keeps its games in a folder.
static Status take_folder(WebFriends *friends, Error *error)
{
    const char *folder = friends->folder.data;
    Status status = file_make_private_folder(folder, error);
    if (status != STATUS_OK)
        return status;
    if (chmod(folder, 0700) != 0)
        return error_set(error, STATUS_IO, "cannot protect the folder '%s': %s", folder, strerror(errno));
    friends->folder_lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (friends->folder_lock >= 0 && flock(friends->folder_lock, LOCK_EX | LOCK_NB) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_IO, "the folder '%s' is in use by another krow serve", folder);
}

Status friends_load(WebFriends *friends, Error *error)
{
    Status status = take_folder(friends, error);
    DIR *folder = status == STATUS_OK ? opendir(friends->folder.data) : NULL;
    if (folder == NULL) {
        if (status == STATUS_OK)
            status =
                error_set(error, STATUS_IO, "cannot read the folder '%s': %s", friends->folder.data, strerror(errno));
        text_close(&friends->folder);
        return status;
    }
    for (const struct dirent *entry = NULL; (entry = readdir(folder)) != NULL;) {
        if (ends_with(entry->d_name, ".tmp")) // of a program that was killed while it wrote
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        else if (ends_with(entry->d_name, ".json"))
            load_file(friends, entry->d_name);
    }
    (void)closedir(folder);
    return STATUS_OK;
}
