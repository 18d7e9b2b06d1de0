// Clocks of games between two people. They start after the first turn and run until the game ends, also while a player
// is not connected. Only the server's own absence costs neither player time.
#include "web/friends/friends_internal.h"

#include "base/clock.h"

static int64_t used_ms(const FriendGame *game)
{
    return game->clock.since > 0 ? (int64_t)((clock_seconds() - game->clock.since) * 1000) : 0;
}

static bool runs(const FriendGame *game)
{
    const FriendPlayer *mover = &game->players[friend_mover(game)];
    bool is_held = clock_seconds() < game->held && !mover->is_there;
    return game->clock.is_on && game->stage == FRIEND_PLAYS && game->game.played >= game->game.board.rules.q &&
           !is_held;
}

void friend_clock_charge(FriendGame *game)
{
    game->clock.left[board_side(&game->game.board)] -= used_ms(game);
    game->clock.since = 0;
}

void friend_clock_run(FriendGame *game)
{
    bool must = runs(game);
    if (must && game->clock.since <= 0) {
        game->clock.since = clock_seconds();
        game->held = 0;
    } else if (!must && game->clock.since > 0)
        friend_clock_charge(game);
}

int64_t friend_clock_left(const FriendGame *game, Side side)
{
    int64_t left = game->clock.left[side] - (side == board_side(&game->game.board) ? used_ms(game) : 0);
    return left > 0 ? left : 0;
}

bool friend_clock_check(FriendGame *game)
{
    Side side = board_side(&game->game.board);
    if (game->clock.since <= 0 || friend_clock_left(game, side) > 0)
        return false;
    friend_end(game, result_lost_by(side), reason_text(REASON_TIMEOUT));
    return true;
}
