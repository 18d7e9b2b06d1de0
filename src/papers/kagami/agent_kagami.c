// The agent `kagami`: the program of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6,
// section IV.B (Fig. 15). The authors' program Kagami came fourth in the 14th Computer Olympiad.
//
// 1. The defensive strategy chooses a turn, as the agent `defence` does.
// 2. A threat-space search for the opponent verifies this turn. If the opponent wins after it, other turns are tried in
//    decreasing order of their scores, at most 50, until one holds.
// 3. The same search looks for a win of the side to move, which is played instead. There are no other attacks.
//
// Two counts are reported with each turn: `researches` is 1 if the first choice failed (row Re-Search of Tables III and
// IV), `alternatives` is the number of other turns that were tried.
//
// Readings of the text. docs/papers/001.md compares their results.
// - area: "a full defensive search" after a failure is read as one of the whole board. With area=near the other turns
//   consist of the same cells as the first choice.
// - fallback: "if no effective defensive move can be found, then the last defensive move is set to be the move decided
//   by the defensive strategy" is read as the first choice. With fallback=last it is the last turn tried.
// - order, rating, influence: papers/kagami/defending.h. correction: papers/kagami/line_keys.h.
//
// Where the paper is silent:
// - A search is limited to `nodes` positions and `turns` turns of the attacker. A win that it does not find within
//   these limits does not count. If the budget of the turn ends first, the next alternative is played unverified,
//   because those before it lose. The defence leaves half of the budget for the attack.
// - A turn under way is completed with the stones that it has left. Turns of more than four stones, which only the
//   first turn of a game can have, are verified but not replaced.
// - A win found by the attack is reported as proven if the search is exact, or if this turn completes the row: the
//   search of the paper can be wrong. `distance` counts the last turn in full.
//
// `tss` chooses the search of steps 2 and 3: that of section IV.A, or the exact one
// (threats/search/double_threat.h), which misses no win by double threats and claims no false one. Both are used
// through papers/kagami/threat_win.h.
//
// attack=first is the order that the paper calls better and does not use. It requires that the opponent has no winning
// threat in the current position, that is, no row that one turn completes: then the attack comes before the defence,
// which is not needed after a win. Otherwise the order is the usual one. Both searches check by themselves that a turn
// stops such rows, and a win is played whatever the defence decides, so both orders play the same turns; attack=first
// saves the time of the defence.
//
// nullmove=1. The paper only names the null move of the tournament version. Here the opponent's search first examines
// the position as if the side to move had passed.
// - If the opponent has no win then, it has none after the first choice, which is not verified: an additional stone of
//   the defender never helps the attacker. With the rule `exact` it can, by making a row too long that the attacker
//   had to stop; the first choice is then always verified. (The paper's count of threats can grow by a stone of the
//   defender between two of the attacker, case 2 instead of 3b, so with tss=paper this is only nearly true.)
// - If the opponent has a win, a turn that stops it has a stone among the cells on which that win depends
//   (threat_win_zone), or makes threats itself, which is not examined. The same holds for every win found after a turn
//   that was tried. So turns consist of the cells of the area and of these zones. Turns that miss a known zone are
//   skipped and do not count as tried.
#include "agents/agent.h"
#include "base/clock.h"
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "papers/kagami/threat_win.h"

typedef struct {
    unsigned reach, alternatives, turns;
    uint64_t nodes; // of each search
    bool attack_first, null_move, whole_board, keeps_first;
    DefendingReading reading;
    ThreatWin threats;
    // Of the current turn.
    const Game *game;
    const AgentTask *task;
    Decision *decision;
    DoubleThreatResult result; // of the last search
    double deadline;           // of the defence; the attack may use the remaining time
    uint64_t researches, tried;
    unsigned zone_count; // wins of the opponent with complete zones, all of which a turn must stop
    ThreatWinZone zones[DEFENDING_TURNS_MAX + 2];
    uint64_t cells[RULES_SIDE_MAX]; // of which turns consist
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
    self->whole_board = options_choice(values, "area") == 1;
    self->keeps_first = options_choice(values, "fallback") == 1;
    self->reading.both = options_choice(values, "influence") == 1;
    self->reading.sums = options_choice(values, "order") == 1;
    self->reading.once = options_choice(values, "rating") == 1;
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

// --- Searches and their limits ---

// The nodes that a search may use if `reserved` nodes of the budget are kept; 0: none are left.
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

// Whether the side to move wins on this board. After the end of the budget the answer is no. Half of the nodes are kept
// for the attack.
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

// Keeps the zone of the win that was just found, and adds its cells to those of which turns consist.
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

// Removes cells with a stone from bits of rows.
static void keep_empty(const Game *game, uint64_t rows[RULES_SIDE_MAX])
{
    for (unsigned row = 0; row < game->board.rules.height; row++)
        rows[row] &= board_legal_row(&game->board, row);
}

// The next stone of the defensive strategy, with the same random choices as in `defence`.
static Cell best_cell(Kagami *self, const Game *game)
{
    uint64_t rows[RULES_SIDE_MAX];
    self->ratings.count = 0;
    (void)influence_candidates(game, self->reach, rows);
    if (self->reading.once)
        keep_empty(game, rows);
    defending_rate(self->reading.once ? &self->game->board : &game->board, rows, self->reading, &self->ratings);
    return ratings_choose(&self->ratings, self->task->rng).cell;
}

// The stones of the first choice, which are on self->greedy.
static void take_greedy(Kagami *self)
{
    Decision *decision = self->decision;
    decision->count = self->greedy.played - self->game->played;
    memcpy(decision->stones, self->greedy.stones + self->game->played, decision->count * sizeof(Cell));
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

// Whether a turn has the stones of the first choice, which are on self->greedy.
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

// Tries turns until one holds; the last one tried stays in the decision. False if none holds.
static bool try_alternatives(Kagami *self)
{
    const Board *board = &self->game->board;
    if (board_stones_left(board) > WINDOW_TALLY_P_MAX)
        return false;
    if (self->whole_board)
        memset(self->cells, 0xff, sizeof self->cells);
    defending_list(&self->list, board, self->cells, self->reading, self->task->rng);
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

// Whether the opponent surely has no win even after a pass. If it has one, its zone is kept.
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

// Chooses the turn of the defensive strategy, or another one that holds. False if none was found.
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
    if (try_alternatives(self))
        return true;
    if (self->keeps_first)
        take_greedy(self);
    return false;
}

// --- Attack ---

// Stones until the row is complete, with the whole last turn if there is room for it.
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

// Runs even after the end of the budget, because one node is enough to see a row that can be completed at once.
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
    {"tss", OPTION_CHOICE, "paper", 0, 0, "paper exact", "threat-space search: that of the paper, or the exact one"},
    {"correction", OPTION_CHOICE, "all", 0, 0, "all two strict", "sums of threats on one line that are corrected"},
    {"attack", OPTION_CHOICE, "last", 0, 0, "last first",
     "search for a win after the defence, as in Fig. 15, or before it"},
    {"nullmove", OPTION_BOOL, "0", 0, 1, NULL, "first search for a win of the opponent after a pass"},
    {"alternatives", OPTION_INT, "50", 0, DEFENDING_TURNS_MAX, NULL,
     "maximum number of other turns to try if the first choice loses"},
    {"reach", OPTION_INT, "2", 1, 63, NULL, "steps from the opponent's last stones within which cells are candidates"},
    {"area", OPTION_CHOICE, "board", 0, 0, "near board",
     "cells of alternative turns: within reach of the opponent's last stones, or the whole board"},
    {"order", OPTION_CHOICE, "product", 0, 0, "product sum", "score of a turn: product or sum of those of its stones"},
    {"influence", OPTION_CHOICE, "opponent", 0, 0, "opponent both", "whose influence rates a cell"},
    {"rating", OPTION_CHOICE, "again", 0, 0, "again once", "rate cells again after each stone, or once per turn"},
    {"fallback", OPTION_CHOICE, "first", 0, 0, "last first",
     "turn to play if every turn loses: the last alternative, or the first choice"},
    {"nodes", OPTION_INT, "1000", 1, 1e9, NULL, "maximum number of positions of each search"},
    {"turns", OPTION_INT, "0", 0, DOUBLE_THREAT_TURNS_MAX, NULL, "maximum length of a win in turns; 0: no limit"},
    {0},
};

const AgentKind agent_kagami = {
    .name = "kagami",
    .summary = "defends by influence, verifies the turn by threat-space search, and attacks if this search finds a win",
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section IV.B",
    .options = options,
    .games = "games without gravity, with at most 4 stones a turn and rows of at most 8",
    .plays = threat_space_suits,
    .state_size = sizeof(Kagami),
    .open = open,
    .decide = decide,
    .close = close,
};
