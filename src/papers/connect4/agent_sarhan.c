// The agents of Sarhan, Shaout and Shock (2009), as Vasilchenko and Johnson describe them in their related work. The
// first one completes an own three if there is one, otherwise blocks one of the opponent's, otherwise plays at random.
// With `twos=1` it is their "more advanced algorithm", which extends or blocks twos as well before it plays at random.
// papers/connect4/detection.h has these steps, for other games too.
//
// The value of a position is that of their evaluation: an own three is worth 1, a three of the opponent -1, every other
// position 0. The text does not say what a position with both is worth; the side to move completes its three, so it is
// worth 1. The order of twos is not stated either: extending and blocking are equal, as for `hybrid`.
#include "agents/agent.h"
#include "papers/connect4/detection.h"

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    DetectionStyle *style = state;
    style->twos = options_bool(&config->options, "twos");
    return STATUS_OK;
}

// The cells of the first step that has any are worth the same; without such cells, all legal ones.
static void rate(void *state, const Game *game, Ratings *ratings)
{
    ChainCells cells;
    DetectionStep step = detection_find(state, &game->board, &cells);
    double value = step == DETECTION_WIN ? 1 : step == DETECTION_BLOCK ? -1 : 0;
    ratings_add_legal(ratings, &game->board);
    ratings->value = value;
    for (unsigned i = 0; i < ratings->count; i++) {
        RatedCell *rated = &ratings->cells[i];
        bool listed =
            step != DETECTION_NOTHING && (cells.row[cell_row(rated->cell)] & cell_bit_in_row(rated->cell)) != 0;
        rated->utility = listed ? (double)step : 0;
    }
}

static const AgentOption options[] = {
    {"twos", OPTION_BOOL, "0", 0, 1, NULL, "also extend and block twos"},
    {0},
};

const AgentKind agent_sarhan = {
    .name = "sarhan",
    .summary = "completes or blocks threes, and plays at random where there are none",
    .source = "Sarhan, Shaout and Shock, in Vasilchenko and Johnson, Intelligent Agent for Connect 4, related work",
    .options = options,
    .state_size = sizeof(DetectionStyle),
    .open = open,
    .rate = rate,
};
