#include "search/rated.h"

#include <math.h>

void rater_ask(const Rater *rater, const Game *game, Ratings *ratings)
{
    assert(!game_is_over(game));
    ratings->count = 0;
    ratings->value = NAN;
    rater->rate(rater->context, game, ratings);
    assert(ratings->count > 0);
}
