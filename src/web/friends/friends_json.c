// Games between two people as JSON for one of them; docs/friends.md describes the fields.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "game/notation.h"
#include "view/json_view.h"
#include "web/session/rules.h"

static json_t *clock_json(const FriendGame *game)
{
    const WebClock *clock = &game->clock;
    if (!clock->is_on)
        return json_null();
    bool runs = clock->since > 0;
    return json_pack("{s:I, s:I, s:I, s:s?, s:{s:I, s:I}}", "first", (json_int_t)friend_clock_left(game, SIDE_FIRST),
                     "second", (json_int_t)friend_clock_left(game, SIDE_SECOND), "increment",
                     (json_int_t)clock->increment, "running", runs ? side_name(board_side(&game->game.board)) : NULL,
                     "given", "seconds", (json_int_t)(clock->initial / 1000), "increment",
                     (json_int_t)(clock->increment / 1000));
}

static json_t *nodes_json(const FriendGame *game)
{
    json_t *list = json_array();
    const Game *stones = &game->game;
    int turn = 0;
    for (unsigned i = 0; i < stones->played; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(stones->stones[i], cell);
        Side side = game_side_of(stones, i);
        turn += i == 0 || side != game_side_of(stones, i - 1);
        (void)json_array_append_new(list,
                                    json_pack("{s:i, s:o, s:s, s:s, s:i, s:b, s:o*}", "id", (int)i + 1, "parent",
                                              web_number_json(i), "cell", cell, "side", side_name(side), "ply", turn,
                                              "main", true, "ms", game->ms[i] >= 0 ? json_integer(game->ms[i]) : NULL));
    }
    return list;
}

static json_t *player_json(const FriendGame *game, int player)
{
    const FriendPlayer *seat = &game->players[player];
    double away = clock_seconds() - web_topic_left(seat->topic);
    return json_pack("{s:s?, s:b, s:o, s:f}", "name", seat->name[0] != '\0' ? seat->name : NULL, "connected",
                     seat->is_there, "away", seat->is_there ? json_null() : json_integer((json_int_t)away), "points",
                     (double)game->points[player] / 2);
}

static json_t *offers_json(const FriendGame *game, int player)
{
    static const char *const names[FRIEND_OFFERS] = {"takeback", "draw", "rematch"};
    json_t *object = json_object();
    for (int kind = 0; kind < FRIEND_OFFERS; kind++) {
        int by = game->offers[kind].by;
        const char *word = by == FRIEND_NONE ? NULL : by == player ? "you" : "friend";
        json_t *offer =
            json_pack("{s:s?, s:b}", "by", word, "can", friend_may_offer(game, (FriendOfferKind)kind, player));
        (void)json_object_set_new(object, names[kind], offer);
    }
    return object;
}

static void add_position(const FriendGame *game, json_t *object)
{
    const Game *stones = &game->game;
    const Board *board = &stones->board;
    bool is_over = game->stage == FRIEND_OVER;
    Cell line[RULES_CELLS_MAX];
    unsigned line_count = board_winning_cells(board, line), last = game_last_turn(stones);
    char said[WEB_SAID_SIZE];
    web_say(stones, game->result, said);
    (void)json_object_update_new(
        object, json_pack("{s:o, s:o, s:o, s:o, s:s, s:i, s:b, s:s?, s:o, s:o, s:o, s:s}", "nodes", nodes_json(game),
                          "current", web_number_json(stones->played), "path",
                          view_cells(stones->stones, stones->played), "rows", view_rows(board), "turn",
                          side_name(board_side(board)), "stones_left", is_over ? 0 : (int)board_stones_left(board),
                          "over", is_over, "winner", result_name(game->result), "line", view_cells(line, line_count),
                          "last", view_cells(stones->stones + stones->played - last, last), "reason",
                          web_reason_json(board, game->result, game->reason), "said", said));
}

static json_t *wish_json(const FriendGame *game)
{
    return json_string(game->wish < 0 ? "random" : side_name((Side)game->wish));
}

static json_t *names_json(const FriendGame *game)
{
    const char *first = game->players[friend_side(game, FRIEND_HOST) == SIDE_FIRST ? FRIEND_HOST : FRIEND_GUEST].name;
    const char *second = game->players[friend_side(game, FRIEND_HOST) == SIDE_FIRST ? FRIEND_GUEST : FRIEND_HOST].name;
    return json_pack("{s:s?, s:s?}", "first", first[0] != '\0' ? first : NULL, "second",
                     second[0] != '\0' ? second : NULL);
}

json_t *friend_json(const FriendGame *game, int player)
{
    static const char *const stages[] = {"waiting", "playing", "over"};
    bool waits = game->stage == FRIEND_WAITS;
    json_t *object = json_pack(
        "{s:s, s:I, s:s, s:i, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}", "id", game->id, "version",
        (json_int_t)game->version, "stage", stages[game->stage], "number", (int)game->number, "game",
        view_rules(&game->game.board.rules), "rules", web_rules_json(&game->game.board.rules), "you",
        waits ? NULL : side_name(friend_side(game, player)), "wish", wish_json(game), "names", names_json(game),
        "yourself", player_json(game, player), "friend", player_json(game, 1 - player), "clock", clock_json(game),
        "offers", offers_json(game, player), "invitation", waits ? game->invitation : NULL);
    add_position(game, object);
    return object;
}

json_t *friend_invitation_json(const FriendGame *game)
{
    const FriendPlayer *host = &game->players[FRIEND_HOST];
    const char *side = game->wish < 0 ? "random" : side_name(side_other((Side)game->wish));
    return json_pack("{s:s, s:o, s:o, s:s, s:s?, s:o}", "id", game->id, "game", view_rules(&game->game.board.rules),
                     "rules", web_rules_json(&game->game.board.rules), "side", side, "host",
                     host->name[0] != '\0' ? host->name : NULL, "clock", clock_json(game));
}
