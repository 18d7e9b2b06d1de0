// Rated cells: asking a rater, and choosing the best cell at random among equals.
#include "agents/search/rated.h"

#include <math.h>

void rater_ask(const Rater *rater, const Game *game, Ratings *ratings)
{
    assert(!game_is_over(game));
    ratings->count = 0;
    ratings->value = NAN;
    rater->rate(rater->context, game, ratings);
    assert(ratings->count > 0);
}

void ratings_add_legal(Ratings *ratings, const Board *board)
{
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = board_legal_row(board, row); cells != 0; cells &= cells - 1)
            ratings->cells[ratings->count++] = (RatedCell){cell_at(bits_lowest(cells), row), 0};
}

RatedCell ratings_choose(const Ratings *ratings, Rng *rng)
{
    assert(ratings->count > 0);
    unsigned equals = 0;
    double best = ratings->cells[0].utility;
    for (unsigned i = 0; i < ratings->count; i++) {
        double utility = ratings->cells[i].utility;
        equals = utility > best ? 1 : equals + (utility == best);
        best = utility > best ? utility : best;
    }
    unsigned wanted = rng_below(rng, equals);
    for (unsigned i = 0; i < ratings->count; i++)
        if (ratings->cells[i].utility == best && wanted-- == 0)
            return ratings->cells[i];
    return ratings->cells[0];
}
