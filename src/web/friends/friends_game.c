// One game between two people: stones, takebacks, draws, rematches.
#include "web/friends/friends_internal.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

FriendGame *friend_new(const Rules *rules)
{
    FriendGame *game = memory_new(1, sizeof *game);
    game_init(&game->game, rules);
    game->created = game->used = clock_unix_ms();
    game->wish = -1;
    for (int kind = 0; kind < FRIEND_OFFERS; kind++)
        game->offers[kind].by = FRIEND_NONE;
    for (int player = 0; player < 2; player++)
        game->players[player].topic = web_topic_open();
    return game;
}

void friend_close(FriendGame *game)
{
    if (game == NULL)
        return;
    for (int player = 0; player < 2; player++) {
        web_topic_end(game->players[player].topic);
        web_topic_release(game->players[player].topic);
    }
    free(game);
}

static void clear_offers(FriendGame *game)
{
    for (int kind = 0; kind < FRIEND_OFFERS; kind++)
        game->offers[kind] = (FriendOffer){.by = FRIEND_NONE};
}

void friend_begin(FriendGame *game, Side host_side)
{
    Rules rules = game->game.board.rules;
    game_init(&game->game, &rules);
    game->host_side = (int)host_side;
    game->stage = FRIEND_PLAYS;
    game->number++;
    game->is_saved = false;
    game->started = clock_unix_ms();
    game->result = RESULT_NONE;
    game->reason[0] = '\0';
    game->clock.left[0] = game->clock.left[1] = game->clock.initial;
    game->clock.since = game->held = 0;
    game->placed = clock_seconds();
    clear_offers(game);
}

void friend_end(FriendGame *game, Result result, const char *reason)
{
    friend_clock_charge(game);
    game->stage = FRIEND_OVER;
    game->result = result;
    (void)snprintf(game->reason, sizeof game->reason, "%s", reason);
    clear_offers(game);
    for (int player = 0; player < 2; player++) {
        bool won = result == (friend_side(game, player) == SIDE_FIRST ? RESULT_FIRST : RESULT_SECOND);
        game->points[player] += won ? 2 : result == RESULT_DRAW;
    }
}

Status friend_place(FriendGame *game, Cell cell, Error *error)
{
    Game *stones = &game->game;
    Side side = board_side(&stones->board);
    bool is_timed = game->clock.since > 0;
    Status status = game_try(stones, cell, error);
    if (status != STATUS_OK)
        return status;
    double now = clock_seconds();
    game->ms[stones->played - 1] = game->placed > 0 ? (int32_t)((now - game->placed) * 1000) : -1;
    game->placed = now;
    if (is_timed) {
        game->clock.left[side] -= (int64_t)((now - game->clock.since) * 1000);
        game->clock.since = 0;
        if (board_side(&stones->board) != side)
            game->clock.left[side] += game->clock.increment;
    }
    clear_offers(game);
    if (game_is_over(stones))
        friend_end(game, result_of_board(&stones->board), "");
    return STATUS_OK;
}

// --- Offers ---

unsigned friend_takeback_to(const FriendGame *game, int player)
{
    Game trial;
    game_copy(&trial, &game->game);
    Side side = friend_side(game, player);
    // One stone of the player's unfinished turn, or everything since the player's last turn.
    if (trial.played > 0 && board_side(&trial.board) == side && game_side_of(&trial, trial.played - 1u) == side)
        return trial.played - 1u;
    while (trial.played > 0) {
        bool is_own = game_side_of(&trial, trial.played - 1u) == side;
        for (unsigned stones = game_last_turn(&trial); stones > 0; stones--)
            (void)game_undo(&trial);
        if (is_own)
            return trial.played;
    }
    return game->game.played;
}

bool friend_may_offer(const FriendGame *game, FriendOfferKind kind, int player)
{
    const FriendOffer *offer = &game->offers[kind];
    if (offer->by != FRIEND_NONE || offer->refused[player])
        return false;
    if (kind == FRIEND_REMATCH)
        return game->stage == FRIEND_OVER;
    return game->stage == FRIEND_PLAYS && game->game.played > 0 &&
           (kind == FRIEND_DRAW || friend_takeback_to(game, player) < game->game.played);
}

static void take_back(FriendGame *game, int player)
{
    unsigned left = friend_takeback_to(game, player);
    friend_clock_charge(game);
    while (game->game.played > left)
        (void)game_undo(&game->game);
    game->placed = clock_seconds();
    clear_offers(game);
}

void friend_accept(FriendGame *game, FriendOfferKind kind)
{
    if (kind == FRIEND_DRAW)
        friend_end(game, RESULT_DRAW, "The players agreed to a draw.");
    else if (kind == FRIEND_REMATCH)
        friend_begin(game, side_other((Side)game->host_side));
    else
        take_back(game, game->offers[kind].by);
}
