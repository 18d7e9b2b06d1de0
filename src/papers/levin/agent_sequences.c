// The agent Sequences of Levin et al. §3.3: rates every cell by the utility of the board with a stone there, from the
// squared numbers of stones in windows and from threats (papers/levin/sequences.h).
//
// The utility of a board, for the side that has just placed the stone, by the first rule that holds:
//
//   0. The stone has completed a row: the maximum.
//   1. A row can be completed with the stones left in the turn: the next lower value.
//   2. The opponent has t > 0 threats: a low value, lower with every threat; boards with equally many threats by U.
//   3. The side has p + 1 threats or more: a high value, lower than 0 and 1; such boards by U.
//   4. U = (squares of the own windows) - c (squares of the opponent's windows).
//
// The paper gives 1 to 4. Rule 0 is its rule 1 with no stone left to place, so that a row is completed now rather than
// later. The rules are taken in this order: p + 1 own threats do not help against an opponent who has a threat and
// moves first, and a win in this turn needs no defence. Under 2 and 3 the paper does not separate equal boards; U does.
// In the middle of a turn the opponent's threats can still be met by the remaining stones, but they count all the same:
// every stone removes as many as possible, and once none is left rule 3 and U decide. The caller chooses at random
// among equals.
//
// Threats are counted by marks, as in the paper; its section 2.3 shows positions where this count is too low.
//
// The paper gives no value for c. Against c = 1, with 1 000 games each from 500 generated openings, c = 0.25, 0.5,
// 0.75, 1.5, 2, 3, 5 scored 46, 51, 52, 42, 37, 33, 28 % on Connect6 and 21, 31, 40, 52, 49, 46, 41 % on 15x15 with
// five in a row (± 3 points). No value is clearly better than 1 in both games.
#include "agents/agent.h"

#include "papers/levin/sequences.h"
#include "threats/lines.h"

// U stays far below a threat: 16 384 windows of 64 stones each come to 7e7, times at most 1 + c.
static const double COMPLETED = 4e15, WITHIN_TURN = 3e15, MANY_THREATS = 1e12, OPPOSING_THREAT = -1e11;
enum { C_MAX = 100 };

typedef struct {
    double c;
    Sequences now;
    Sequences trial; // for the paper's rule, which cannot take a stone back
} SequencesAgent;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    (void)error;
    SequencesAgent *agent = state;
    agent->c = options_real(&config->options, "c");
    SequencesUpdate update = (SequencesUpdate)options_choice(&config->options, "update");
    sequences_init(&agent->now, &config->rules, update);
    if (update == SEQUENCES_PAPER)
        sequences_init(&agent->trial, &config->rules, update);
    return STATUS_OK;
}

// With the paper's rule, marks would depend on earlier games.
static void new_game(void *state)
{
    SequencesAgent *agent = state;
    Rules rules = agent->now.board.rules;
    board_init(&agent->now.board, &rules);
    sequences_rescan(&agent->now);
}

// The input of rules 2 to 4, from the point of view of a side.
typedef struct {
    int64_t own_squares, opposing_squares;
    unsigned own_threats, opposing_threats;
} Standing;

static Standing standing_of(const Sequences *sequences, Side side)
{
    Side other = side_other(side);
    return (Standing){sequences->score[side], sequences->score[other], sequences->threats[side],
                      sequences->threats[other]};
}

// Rules 2 to 4.
static double by_threats(const SequencesAgent *agent, const Standing *standing)
{
    double squares = (double)standing->own_squares - agent->c * (double)standing->opposing_squares;
    if (standing->opposing_threats > 0)
        return standing->opposing_threats * OPPOSING_THREAT + squares;
    return standing->own_threats > agent->now.board.rules.p ? MANY_THREATS + squares : squares;
}

// In a first turn with q > p more stones may be left than sequences_needed counts.
static bool can_complete(const Sequences *sequences, Side side, unsigned stones)
{
    if (stones > sequences->board.rules.p)
        return lines_can_complete(&sequences->board, side, stones);
    return sequences_needed(sequences, side) <= stones;
}

// The utility of a board for a side that may place `left` more stones in this turn.
static double utility(const SequencesAgent *agent, const Sequences *sequences, Side side, unsigned left)
{
    if (can_complete(sequences, side, 0))
        return COMPLETED;
    if (can_complete(sequences, side, left))
        return WITHIN_TURN;
    Standing standing = standing_of(sequences, side);
    return by_threats(agent, &standing);
}

// The utility with one more stone, by placing it. Taking it back is settled together with the next trial.
static double try_cell(SequencesAgent *agent, Cell cell, Side side, unsigned left)
{
    Sequences *trial = &agent->now;
    if (trial->update == SEQUENCES_PAPER) {
        trial = &agent->trial;
        sequences_copy(trial, &agent->now);
    }
    sequences_put(trial, cell, side);
    sequences_settle(trial);
    double value = utility(agent, trial, side, left);
    if (trial == &agent->now)
        sequences_take(trial, cell);
    return value;
}

// The board to rate and its facts, since `now` is not settled between two trials.
typedef struct {
    Side side;
    unsigned left; // stones of the turn after the next one
    bool can_win;  // with those
    Standing standing;
} Question;

// A stone that changes no threat need not be placed: only the squares differ.
static double rate_cell(SequencesAgent *agent, const Question *question, Cell cell)
{
    const Sequences *now = &agent->now;
    if (now->update != SEQUENCES_SETTLED || question->left > now->board.rules.p)
        return try_cell(agent, cell, question->side, question->left);
    SequencesStone stone = sequences_stone(now, cell, question->side);
    if (stone.matters)
        return try_cell(agent, cell, question->side, question->left);
    Standing standing = question->standing;
    standing.own_squares += stone.gain;
    standing.opposing_squares -= stone.loss;
    return question->can_win ? WITHIN_TURN : by_threats(agent, &standing);
}

static void rate(void *state, const Game *game, Ratings *ratings)
{
    SequencesAgent *agent = state;
    const Board *board = &game->board;
    if (board_is_over(board))
        return;
    Side side = board_side(board);
    unsigned stones = board_stones_left(board), left = stones - 1;
    sequences_follow(&agent->now, board);
    ratings->value = utility(agent, &agent->now, side, stones);
    Question question = {side, left, can_complete(&agent->now, side, left), standing_of(&agent->now, side)};
    ratings_add_legal(ratings, board);
    for (unsigned i = 0; i < ratings->count; i++)
        ratings->cells[i].utility = rate_cell(agent, &question, ratings->cells[i].cell);
}

static const AgentOption options[] = {
    {"c", OPTION_REAL, "1", 0, C_MAX, NULL,
     "weight of the opponent's windows: 0 only attacks, larger values defend more"},
    {"update", OPTION_CHOICE, "settled", 0, 0, "settled paper rescan",
     "update of threats after a stone: until nothing changes, by the paper's rule, or a full scan"},
    {0},
};

const AgentKind agent_sequences = {
    .name = "sequences",
    .summary = "plays where the stones in open windows and the threats come out best",
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games, section 3.3",
    .options = options,
    .state_size = sizeof(SequencesAgent),
    .open = open,
    .rate = rate,
    .new_game = new_game,
};
