// The program of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section IV.B (Fig.
// 15), by which Kagami came fourth in the 14th Computer Olympiad: the turn of the defensive strategy (`defence`),
// verified by a search through threats for the opponent. If he wins after it, other turns are tried in decreasing order
// of their scores, at most 50, until one holds; if none does, the last one tried is kept. Then the same search looks
// for a win of its own, which is played instead. There are no other attacks.
//
// Two numbers are reported with each turn. `researches` is 1 where the first choice failed: the row Re-Search of Tables
// III and IV counts these. `alternatives` is how many other turns were tried.
//
// Where the paper is silent:
// - How turns of several stones are ordered: papers/kagami/defending.h. The first choice is always that of the strategy
//   itself.
// - The other turns are made of the same cells as the first choice. They may be too few or too far away to stop
//   anything; what comes then is what influence_candidates does, and else the last one tried, which loses.
// - What a search may cost: `nodes` positions and `turns` turns of the attacker. A win that is not found within these
//   limits is none. If the budget of the turn ends first, the alternative that comes next is played unverified: those
//   before it lose. The defence leaves half of the budget for the attack.
// - A turn that is under way is ended by the stones it still has. Turns of more than four stones, which only the first
//   one of a game can have, are verified but not replaced.
// - A win that the attack finds is reported as proven if the search is the exact one, or if the row is complete with
//   this turn: the search of the paper may be wrong. `distance` counts the last turn in full.
//
// `tss` is the search, for both: that of section IV.A, or the exact one (threats/search/double_threat.h), which misses
// no win by double threats and claims none that is not there. They are behind one face, papers/kagami/threat_win.h.
//
// attack=first is the order which the paper calls better and does not use. It asks that the opponent have no winning
// threat in the current position, which is taken to mean a row that he could complete with the stones of one turn: then
// every turn must stop it. If he has none, the attack comes before the defence, which is not needed when it wins. If
// he has one, the order is the old one. As both searches know by themselves that a turn has to stop such rows, and as a
// win is played whatever the defence says, the turns are the same in both orders; it saves the time of the defence.
//
// nullmove=1. Of the null move in the tournament version the paper has the name alone. Here it is this: the opponent's
// search also looks at the position as if nothing had been played, before anything is verified.
// - If he surely has no win even then, he has none after the first choice: a stone more of the other side helps no
//   opponent to threaten. It is not verified. Under `exact` it may help, by making a row of the other side too long
//   that he had to stop; there the first choice is always verified. (The paper's count of threats can grow by a stone
//   of the other side between two of his, case 2 instead of 3b: with tss=paper it is nearly so.)
// - If he has one, a turn that holds has a stone among the cells on which that win depends (threat_win_zone), unless it
//   threatens something itself, which is left to chance. The same is true of every win found after a turn that was
//   tried. So turns are made of the cells near the last turn and of those of the wins after no turn and after the first
//   choice; those that miss one of the wins known so far are passed over and do not count as tried.
//
// Of 200 games of Connect6 from random openings against `sequences` it wins 75, with nullmove=1 99; of 100 against
// `threats` 48 and loses 34, with nullmove=1 61 and 16; of 100 against `defence` 31, and loses none. Between tss=exact
// and tss=paper 60 games are 10 wins, 40 draws, 10 losses.
#include "agents/agent.h"
#include "base/clock.h"
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "papers/kagami/threat_win.h"

typedef struct {
    unsigned reach, alternatives, turns;
    uint64_t nodes; // of each search
    bool attack_first, null_move;
    ThreatWin threats;
    // Of the turn under way.
    const Game *game;
    const AgentTask *task;
    Decision *decision;
    DoubleThreatResult result; // of the last search
    double deadline;           // of the defence: the attack may use the rest
    uint64_t researches, tried;
    unsigned zone_count; // wins of the opponent that a turn has to stop, those whose zones are whole
    ThreatWinZone zones[DEFENDING_TURNS_MAX + 2];
    uint64_t cells[RULES_SIDE_MAX]; // turns are made of these
    DefendingTurns list;
    Ratings ratings;
    Board after;
    Game greedy;
} Kagami;

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Kagami *self = state;
    const OptionValues *values = &config->options;
    self->reach = (unsigned)options_int(values, "reach");
    self->alternatives = (unsigned)options_int(values, "alternatives");
    self->nodes = (uint64_t)options_int(values, "nodes");
    self->turns = (unsigned)options_int(values, "turns");
    self->attack_first = options_choice(values, "attack") == 1;
    self->null_move = options_bool(values, "nullmove");
    Status status =
        threat_win_open(&self->threats, (ThreatWinKind)options_choice(values, "tss"), &config->rules, error);
    if (status == STATUS_OK)
        threat_win_set_correction(&self->threats, (LineCorrection)options_choice(values, "correction"));
    return status;
}

static void close(void *state)
{
    Kagami *self = state;
    threat_win_close(&self->threats);
}

// --- Searches and what they may cost ---

// The nodes that a search may use when `reserved` of the budget are kept; 0: none are left.
static uint64_t nodes_left(const Kagami *self, uint64_t reserved)
{
    uint64_t budget = self->task->budget.nodes, used = self->decision->nodes + reserved + 1; // that ends a search
    if (budget == 0 || budget > used + self->nodes)
        return self->nodes;
    return budget > used ? budget - used : 0;
}

static void search(Kagami *self, const Board *board, uint64_t nodes, double deadline)
{
    Limits limits = {.deadline = deadline, .nodes = nodes, .depth = self->turns, .stop = self->task->stop};
    threat_win_run(&self->threats, board, &limits, &self->result);
    self->decision->nodes += self->result.nodes;
}

// Whether the side to move wins on this board. When the budget is used up, the answer is no.
// Half of the nodes are kept for the attack.
static bool opponent_wins(Kagami *self, const Board *board)
{
    uint64_t nodes = nodes_left(self, self->task->budget.nodes / 2);
    Limits time = {.deadline = self->deadline, .stop = self->task->stop};
    if (board_is_over(board) || nodes == 0 || limits_expired(&time))
        return false;
    search(self, board, nodes, self->deadline);
    return self->result.verdict == DOUBLE_THREAT_WON;
}

// --- Zones ---

// Keeps the zone of the win that was just found; its cells are some to make turns of.
static void keep_zone(Kagami *self, const Board *board)
{
    ThreatWinZone *zone = &self->zones[self->zone_count];
    uint64_t nodes = self->result.nodes;
    threat_win_zone(&self->threats, board, &self->result, zone);
    self->decision->nodes += self->result.nodes - nodes;
    for (unsigned row = 0; row < board->rules.height; row++)
        self->cells[row] |= zone->rows[row];
    self->zone_count += zone->is_whole;
}

static bool is_in(const ThreatWinZone *zone, const DefendingTurn *turn)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->stones[i] != CELL_NONE; i++)
        if (zone->rows[cell_row(turn->stones[i])] & cell_bit_in_row(turn->stones[i]))
            return true;
    return false;
}

static bool is_in_all_zones(const Kagami *self, const DefendingTurn *turn)
{
    for (unsigned i = self->zone_count; i-- > 0;)
        if (!is_in(&self->zones[i], turn))
            return false;
    return true;
}

// --- Defence ---

// The stones of the defensive strategy one after the other, with the same random choices as in `defence`.
static Cell best_cell(Kagami *self, const Game *game)
{
    uint64_t rows[RULES_SIDE_MAX];
    self->ratings.count = 0;
    (void)influence_candidates(game, self->reach, rows);
    defending_rate(&game->board, rows, &self->ratings);
    return ratings_choose(&self->ratings, self->task->rng).cell;
}

static void take_first_choice(Kagami *self)
{
    Decision *decision = self->decision;
    game_copy(&self->greedy, self->game);
    unsigned stones = board_stones_left(&self->game->board);
    decision->count = 0;
    while (decision->count < stones && !game_is_over(&self->greedy)) {
        Cell cell = best_cell(self, &self->greedy);
        decision->stones[decision->count++] = cell;
        game_play(&self->greedy, cell);
    }
}

// Whether a turn has the stones of the first choice, which were put on self->greedy.
static bool is_first_choice(const Kagami *self, const DefendingTurn *turn)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->stones[i] != CELL_NONE; i++)
        if (board_stone(&self->greedy.board, turn->stones[i]) == STONE_NONE)
            return false;
    return true;
}

static void take_turn(Kagami *self, const DefendingTurn *turn)
{
    Decision *decision = self->decision;
    board_copy(&self->after, &self->game->board);
    decision->count = 0;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->stones[i] != CELL_NONE; i++) {
        decision->stones[decision->count++] = turn->stones[i];
        (void)board_play(&self->after, turn->stones[i]);
    }
}

// One after another, until one holds; the last one tried stays. False if none holds.
static bool try_alternatives(Kagami *self)
{
    const Board *board = &self->game->board;
    if (board_stones_left(board) > WINDOW_TALLY_P_MAX)
        return false;
    defending_list(&self->list, board, self->cells, self->task->rng);
    for (unsigned i = 0; i < self->list.count && self->tried < self->alternatives; i++) {
        const DefendingTurn *turn = &self->list.list[i];
        if (is_first_choice(self, turn) || !is_in_all_zones(self, turn))
            continue;
        self->tried++;
        take_turn(self, turn);
        if (!opponent_wins(self, &self->after))
            return true;
        if (self->null_move)
            keep_zone(self, &self->after);
    }
    return false;
}

// Whether the opponent surely has no win even if nothing is played. If he has one, its zone is kept.
static bool is_safe_to_pass(Kagami *self)
{
    const Board *board = &self->game->board;
    board_copy(&self->after, board);
    (void)board_set_turn(&self->after, side_other(board_side(board)), board->rules.p);
    self->result.verdict = DOUBLE_THREAT_LIMIT;
    if (opponent_wins(self, &self->after))
        keep_zone(self, &self->after);
    return self->result.verdict == DOUBLE_THREAT_NONE;
}

// The turn of the defensive strategy, or one that holds in its place. False if none was found.
static bool defend(Kagami *self)
{
    self->zone_count = 0;
    (void)influence_candidates(self->game, self->reach, self->cells);
    // 1. The first choice.
    take_first_choice(self);
    if (self->null_move && !row_has_limit(&self->game->board.rules) && is_safe_to_pass(self))
        return true;
    // 2. Does it hold?
    if (!opponent_wins(self, &self->greedy.board))
        return true;
    if (self->null_move)
        keep_zone(self, &self->greedy.board);
    // 3. Others.
    self->researches = 1;
    return try_alternatives(self);
}

// --- Attack ---

// Stones until the row is complete, the whole last turn counted if there is room for it.
static int distance_of(const Board *board, const DoubleThreatResult *result)
{
    unsigned p = board->rules.p;
    if (result->turns == 1)
        return (int)cell_set_count(&result->turn);
    unsigned all = board_stones_left(board) + (2 * result->turns - 2) * p, room = board->cells - board_count(board);
    return (int)(all < room ? all : room);
}

static void take_win(Kagami *self)
{
    const Board *board = &self->game->board;
    const DoubleThreatResult *result = &self->result;
    Decision *decision = self->decision;
    decision->count = cell_set_count(&result->turn);
    memcpy(decision->stones, result->turn.cell, decision->count * sizeof(Cell));
    decision->score = MINIMAX_WIN - distance_of(board, result) * MINIMAX_STONE;
    decision->line_count = threat_win_line(&self->threats, result, decision->line, DECISION_LINE_MAX);
    if (self->threats.kind == THREAT_WIN_EXACT || result->turns == 1) {
        decision->proven = PROVEN_WIN;
        decision->distance = distance_of(board, result);
    }
}

// Also with nothing left of the budget: a row that can be completed at once is seen without any.
static bool attack(Kagami *self)
{
    uint64_t nodes = nodes_left(self, 0);
    double deadline = budget_deadline(&self->task->budget, &self->game->board);
    search(self, &self->game->board, nodes > 0 ? nodes : 1, deadline);
    if (self->result.verdict == DOUBLE_THREAT_WON)
        take_win(self);
    return self->result.verdict == DOUBLE_THREAT_WON;
}

// --- A turn ---

static void begin(Kagami *self, const Game *game, const AgentTask *task, Decision *decision)
{
    self->game = game;
    self->task = task;
    self->decision = decision;
    self->researches = self->tried = 0;
    double end = budget_deadline(&task->budget, &game->board), now = clock_seconds();
    self->deadline = end > 0 ? now + (end - now) / 2 : 0;
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Kagami *self = state;
    const Board *board = &game->board;
    Side side = board_side(board);
    begin(self, game, task, decision);
    bool first = self->attack_first && !threat_win_can_finish(&self->threats, board, side_other(side));
    bool won = first && attack(self), holds = won || defend(self);
    won = won || (!first && attack(self));
    if (!won)
        decision->score = holds ? influence_best(board, side) - influence_best(board, side_other(side)) : -MINIMAX_WIN;
    decision->counts = 2;
    decision->count_list[0] = (DecisionCount){"researches", self->researches};
    decision->count_list[1] = (DecisionCount){"alternatives", self->tried};
}

static const AgentOption options[] = {
    {"tss", OPTION_CHOICE, "paper", 0, 0, "paper exact", "the search: that of the paper, or the exact one"},
    {"correction", OPTION_CHOICE, "two", 0, 0, "two all strict", "sums of threats on one line that are corrected"},
    {"attack", OPTION_CHOICE, "last", 0, 0, "last first",
     "look for a win after the defence, as in Fig. 15, or before it"},
    {"nullmove", OPTION_BOOL, "0", 0, 1, NULL, "look first for a win of the opponent if nothing were played"},
    {"alternatives", OPTION_INT, "50", 0, DEFENDING_TURNS_MAX, NULL, "turns to try when the first choice loses"},
    {"reach", OPTION_INT, "2", 1, 63, NULL, "steps from the opponent's last stones within which cells are looked at"},
    {"nodes", OPTION_INT, "1000", 1, 1e9, NULL, "positions that each search looks at"},
    {"turns", OPTION_INT, "0", 0, DOUBLE_THREAT_TURNS_MAX, NULL, "turns of a win that each search looks for; 0: any"},
    {0},
};

const AgentKind agent_kagami = {
    .name = "kagami",
    .summary = "defends by influence, verifies by a search through threats, and attacks when that finds a win",
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section IV.B",
    .options = options,
    .games = "games without gravity, with at most 4 stones a turn and rows of at most 8",
    .plays = threat_space_suits,
    .state_size = sizeof(Kagami),
    .open = open,
    .decide = decide,
    .close = close,
};
