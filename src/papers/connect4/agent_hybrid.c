// The Hardcoded-Planning Hybrid Algorithm of Vasilchenko and Johnson (section 1): it completes or blocks chains that it
// detects on the board, and searches only where there are none. For each stone:
//   1. Complete a three of its own.
//   2. Block a three of the opponent: a random cell of the list R.
//   3. Extend a two of its own or block one of the opponent's: a random cell of the list W.
//   4. Alpha-beta of depth 5 that knows only won, lost and anything else.
//
// For other games a three is a chain that becomes k in a row within the turn, and a two lacks one stone more: k - 1 and
// k - 2 with one stone a turn, k - p and k - p - 1 with p of them, and for its own chains the stones left in the turn
// count instead of p.
//
// Where the paper is silent:
// - The lists have each cell once, however many chains end there; "all columns where a legal move would …" are a set.
//   One of several ways to win is chosen at random, too.
// - A two need not have room for four, as nothing in the text asks for it.
// - The evaluation of section 1a says 1 for a win and -1 for a loss, whenever they come. That is followed: a win
//   that it sees and cannot complete by step 1 it may put off, and it does not resist when it is lost. `sooner` goes
//   past the paper and prefers early wins and late losses.
//
// `gaps` is its future work ("Indirect Actions"): threes that are not consecutive are completed and blocked as well.
// The twos stay as they are.
//
// It counts its turns, those that were decided without a search (13 % in the paper), and of these those in which only
// threes were completed or blocked.
#include "papers/connect5/alphabeta_agent.h"
#include "papers/connect5/chains.h"

typedef struct {
    AlphabetaAgent planner; // first: alphabeta_agent_close is given the state
    bool detect, gaps;
} Hybrid;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Hybrid *agent = state;
    const OptionValues *values = &config->options;
    agent->detect = options_bool(values, "detect");
    agent->gaps = options_bool(values, "gaps");
    AlphabetaOptions options = {
        .eval = EVALUATION_NONE,
        .plain = !options_bool(values, "pruning"),
        .straight = true,
        .even = !options_bool(values, "sooner"),
    };
    return alphabeta_agent_open_with(&agent->planner, &options, config, error);
}

// --- Detection ---

typedef enum { DETECTED_NOTHING, DETECTED_TWO, DETECTED_THREE } Detected;

// The list W: a legal cell at the end of a two of either side. Chains with more stones that no legal stone completes
// count as well, so that with several stones a turn the next one continues with what the last one began.
static void list_twos(const Board *board, ChainCells *cells)
{
    unsigned k = board->rules.k, p = board->rules.p;
    ChainCells theirs;
    *cells = (ChainCells){0};
    if (k < p + 2)
        return;
    chains_ends(board, board_side(board), k - p - 1, k - 1, cells);
    chains_ends(board, side_other(board_side(board)), k - p - 1, k - 1, &theirs);
    for (unsigned row = 0; row < board->rules.height; row++)
        cells->row[row] |= theirs.row[row];
}

// The cells of the first step that has any.
static Detected detect(const Hybrid *agent, const Board *board, ChainCells *cells)
{
    Side side = board_side(board);
    if (!agent->detect)
        return DETECTED_NOTHING;
    chains_completions(board, side, board_stones_left(board), agent->gaps, cells);
    if (chains_count(cells) > 0)
        return DETECTED_THREE;
    chains_completions(board, side_other(side), board->rules.p, agent->gaps, cells);
    if (chains_count(cells) > 0)
        return DETECTED_THREE;
    list_twos(board, cells);
    return chains_count(cells) > 0 ? DETECTED_TWO : DETECTED_NOTHING;
}

// --- The turn ---

static void play_one_of(const ChainCells *cells, Board *after, Rng *rng, Decision *decision)
{
    Cell cell = chains_nth(cells, rng_below(rng, chains_count(cells)));
    (void)board_play(after, cell);
    decision->stones[decision->count++] = cell;
}

// What is known about a turn that began without a search: that it won, or nothing.
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
    Detected least = DETECTED_THREE;
    while (!board_is_over(&after) && board_side(&after) == side) {
        Detected found = detect(agent, &after, &cells);
        if (found == DETECTED_NOTHING)
            alphabeta_agent_search(&agent->planner, &after, &limits, task->rng, decision);
        else
            play_one_of(&cells, &after, task->rng, decision);
        least = found < least ? found : least;
    }
    decision->score = unit_of(decision->score);
    if (decision->depth == 0)
        set_detected(&after, decision);
    decision->counts = 3;
    decision->count_list[0] = (DecisionCount){"turns", 1};
    decision->count_list[1] = (DecisionCount){"detected", least != DETECTED_NOTHING};
    decision->count_list[2] = (DecisionCount){"threes", least == DETECTED_THREE};
}

static const AgentOption options[] = {
    PLANNING_OPTIONS,
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
