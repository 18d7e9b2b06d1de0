// The agent of the future work of Levin et al. (section 6, reinforcement training): rates cells by a linear combination
// of features from their agents Sequences and Threats (papers/learned/features.h). `krow learn` finds the weights by
// temporal-difference learning in games of the agent against itself (papers/learned/training.h).
//
// A stone that completes a row is worth more than any other; the others are worth the logarithm of the odds of winning.
#include "agents/agent.h"
#include "papers/learned/learned_weights.h"

static const double COMPLETED = 1e6;

typedef struct {
    LearnedWeights weights;
    Features features;
    FeatureVector vector;
} Learned;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Learned *agent = state;
    Status status = learned_read(&agent->weights, options_text(&config->options, "weights"), &config->rules, error);
    features_init(&agent->features, &config->rules, agent->weights.windows);
    return status;
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    Learned *agent = state;
    const Board *board = &game->board;
    Cell cells[RULES_CELLS_MAX];
    if (board_is_over(board))
        return;
    features_read(&agent->features, board);
    unsigned count = features_candidates(board, cells);
    for (unsigned i = 0; i < count; i++) {
        features_of(&agent->features, board, cells[i], &agent->vector);
        double score =
            agent->vector.wins ? COMPLETED : learned_score(&agent->weights, &agent->vector, agent->features.count);
        ratings->cells[ratings->count++] = (RatedCell){cells[i], score};
    }
}

static const AgentOption options[] = {
    {"weights", OPTION_PATH, "", 0, 0, NULL,
     "file of krow learn; none: a formula; empty: those of the family, or else the formula"},
    {0},
};

const AgentKind agent_learned = {
    .name = "learned",
    .summary = "rates cells by features of sequences and threats with learned weights",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 6 (future work)",
    .options = options,
    .state_size = sizeof(Learned),
    .open = open,
    .rate = rate,
};
