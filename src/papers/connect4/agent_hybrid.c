// The Hardcoded-Planning Hybrid Algorithm of Vasilchenko and Johnson (section 1). It completes or blocks chains that it
// detects on the board, and searches only if there are none. For each stone:
//   1. Complete an own three.
//   2. Block a three of the opponent: a random cell of the list R.
//   3. Extend an own two or block one of the opponent's: a random cell of the list W.
//   4. Alpha-beta of depth 5 that knows only wins, losses and 0.
// papers/connect4/detection.h has steps 1 to 3.
//
// Two readings of step 3: section 1a includes it, and it is the default. The related work says: "if there are no
// three-in-a-rows to extend or block, our algorithm performs a search". `twos=0` follows that sentence and omits
// step 3.
//
// Where the paper is silent:
// - If several stones win, one of them is chosen at random.
// - Section 1a values every win at 1 and every loss at -1, whenever they come. The agent follows that: it may delay a
//   win that step 1 does not complete, and it does not resist when it is lost. With `sooner`, which is not in the
//   paper, it prefers early wins and late losses.
//
// `gaps` is the paper's future work ("Indirect Actions"): threes that are not consecutive are completed and blocked as
// well.
//
// The agent counts its turns, those decided without a search, those decided by threes alone, and among these the
// blocks, which do not end the game.
#include "papers/connect4/detection.h"
#include "papers/connect5/alphabeta_agent.h"

typedef struct {
    AlphabetaAgent planner; // first: alphabeta_agent_close is given the state
    bool detect;
    DetectionStyle style;
} Hybrid;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Hybrid *agent = state;
    const OptionValues *values = &config->options;
    agent->detect = options_bool(values, "detect");
    agent->style = (DetectionStyle){.twos = options_bool(values, "twos"), .gaps = options_bool(values, "gaps")};
    AlphabetaOptions options = {
        .eval = EVALUATION_NONE,
        .plain = !options_bool(values, "pruning"),
        .straight = true,
        .even = !options_bool(values, "sooner"),
    };
    return alphabeta_agent_open_with(&agent->planner, &options, config, error);
}

// --- The turn ---

static void play_one_of(const ChainCells *cells, Board *after, Rng *rng, Decision *decision)
{
    Cell cell = chains_nth(cells, rng_below(rng, chains_count(cells)));
    (void)board_play(after, cell);
    decision->stones[decision->count++] = cell;
}

// Reports a turn that began without a search: it has won, or nothing is known.
static void set_detected(const Board *after, Decision *decision)
{
    if (board_winner(after) == WINNER_NONE)
        return;
    decision->score = 1;
    decision->proven = PROVEN_WIN;
    decision->distance = (int)decision->count;
}

// The paper's unit: 1, -1 or 0.
static double unit_of(double score)
{
    return score > 0 ? 1 : score < 0 ? -1 : 0;
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Hybrid *agent = state;
    Board after;
    ChainCells cells;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    Limits limits = alphabeta_agent_limits(&agent->planner, task, &after);
    DetectionStep least = DETECTION_WIN;
    while (!board_is_over(&after) && board_side(&after) == side) {
        DetectionStep step = agent->detect ? detection_find(&agent->style, &after, &cells) : DETECTION_NOTHING;
        if (step == DETECTION_NOTHING)
            alphabeta_agent_search(&agent->planner, &after, &limits, task->rng, decision);
        else
            play_one_of(&cells, &after, task->rng, decision);
        least = step < least ? step : least;
    }
    decision->score = unit_of(decision->score);
    if (decision->depth == 0)
        set_detected(&after, decision);
    decision->counts = 4;
    decision->count_list[0] = (DecisionCount){"turns", 1};
    decision->count_list[1] = (DecisionCount){"detected", least != DETECTION_NOTHING};
    decision->count_list[2] = (DecisionCount){"threes", least >= DETECTION_BLOCK};
    decision->count_list[3] = (DecisionCount){"blocks", least == DETECTION_BLOCK};
}

static const AgentOption options[] = {
    PLANNING_OPTIONS,
    {"twos", OPTION_BOOL, "1", 0, 1, NULL, "also extend and block twos; without it only threes are detected"},
    {"gaps", OPTION_BOOL, "0", 0, 1, NULL, "also complete and block threes that are not consecutive"},
    {"sooner", OPTION_BOOL, "0", 0, 1, NULL, "the search prefers early wins and late losses"},
    {"detect", OPTION_BOOL, "1", 0, 1, NULL, "detect chains; without it every turn is searched"},
    {0},
};

const AgentKind agent_hybrid = {
    .name = "hybrid",
    .summary = "completes or blocks chains it sees, and looks five stones ahead where there are none",
    .source = "Vasilchenko and Johnson, Intelligent Agent for Connect 4, section 1",
    .options = options,
    .state_size = sizeof(Hybrid),
    .open = open,
    .decide = decide,
    .close = alphabeta_agent_close,
};
