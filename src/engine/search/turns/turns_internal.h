// Shared by the files of this search variant: rows that can be completed, windows, lists of turns, VCDT (victory by
// continuous double threats), relevance zones and the loop over turns.
#pragma once

#include "engine/search/search_common_internal.h"
#include "game/zobrist.h"
#include "threats/hitting_set.h"

typedef struct {
    Cell stones[SEARCH_TURN_MAX];
    uint8_t count;
    bool wins;
    bool threatens; // makes a threat
    int score;      // for move ordering
} Turn;

static inline bool turn_has(const Turn *turn, Cell cell)
{
    for (unsigned i = 0; i < turn->count; i++)
        if (turn->stones[i] == cell)
            return true;
    return false;
}

// --- Rows (turns_rows.c) ---

// The empty cells of a row that could be completed in a turn; CELL_NONE follows if there are fewer than
// SEARCH_TURN_MAX.
typedef struct {
    Cell cell[SEARCH_TURN_MAX];
    unsigned count;
} Target;

static inline void target_end(Target *target)
{
    if (target->count < SEARCH_TURN_MAX)
        target->cell[target->count] = CELL_NONE;
}

enum { TARGETS_MAX = 128 };

typedef struct {
    unsigned count;
    Target target[TARGETS_MAX];
} Targets;

// The fewest stones with which the side to move completes a row in this turn; returns their number, 0 if it cannot.
unsigned rows_finish(const PatternBoard *patterns, Cell stones[SEARCH_TURN_MAX]);

// The rows that a side could complete in a turn of p stones, at most TARGETS_MAX.
void rows_targets(const PatternBoard *patterns, Side side, Targets *targets);

// The smallest number of cells that meet all targets, `most` + 1 if it is larger. If this takes too long, the result
// may be too small, never too large.
unsigned rows_least(const Targets *targets, unsigned most);

// The same for the targets that none of these cells meets.
unsigned rows_least_besides(const Targets *targets, const Cell *cells, unsigned count, unsigned most);

// Passes on every set of `stones` cells that meets all targets, if no smaller set does.
void rows_answers(const Targets *targets, unsigned stones, HittingSetTake *take, void *context);

// The index of the first target that none of these cells meets; targets->count if all are met.
unsigned rows_first_unmet(const Targets *targets, const Cell *cells, unsigned count);

// --- Windows (turns_windows.c) ---

enum {
    WINDOW_OTHER = 1 << 8, // for each stone of the other side
    HITS_MAX = TARGETS_MAX,
    WINDOW_MAP_MAX = 4 * RULES_CELLS_MAX,
    WINDOW_LANES = 8, // windows that are updated together
};

// The windows of a cell in one direction have consecutive numbers.
typedef struct {
    uint16_t first, count;
} CellWindows;

// By window: its first cell, the step to the next one, whether the board has a cell before and after it, and for each
// side the number of stones it lacks plus WINDOW_OTHER for each stone of the other. By cell: its windows, and whose
// stone it has.
typedef struct {
    unsigned width, height, k, p, cells, count;
    bool has_limit; // row_has_limit
    Cell first[WINDOW_MAP_MAX];
    int16_t step[WINDOW_MAP_MAX];
    uint8_t ends[WINDOW_MAP_MAX], direction[WINDOW_MAP_MAX];
    CellWindows ranges[RULES_CELLS_MAX][4];
    uint16_t lack[2][WINDOW_MAP_MAX + WINDOW_LANES]; // vectors may extend beyond the last window
    uint8_t stone[RULES_CELLS_MAX];                  // 0, or 1 + side
    unsigned stone_count;
    uint64_t key; // as PatternBoard.state.stones_key
    // The stones and passes followed since the pattern board was set.
    Cell followed[2 * RULES_CELLS_MAX];
    unsigned followed_count;
} WindowMap;

// Windows that a side can complete in a turn.
typedef struct {
    unsigned count;
    uint16_t window[HITS_MAX];
} Hits;

void window_map_init(WindowMap *map, const Rules *rules);

// Sets the position of a pattern board that has just been set; later follows it by playing and taking back.
void window_map_begin(WindowMap *map, const PatternBoard *patterns);
void window_map_follow(WindowMap *map, const PatternBoard *patterns);

// Places a stone, and takes it back. Windows that can then be completed in a turn are added to the hits, as far as
// there is room; NULL: not needed.
void window_map_put(WindowMap *map, Cell cell, Side side, Hits *hits);
void window_map_take(WindowMap *map, Cell cell, Side side);

// Lists the windows that lack at most `most` stones of a side, as far as there is room. Returns their number.
unsigned window_map_find(const WindowMap *map, Side side, unsigned most, uint16_t *windows, unsigned room);

// The empty cells of a window; those of the hits that `exact` permits.
void window_target(const WindowMap *map, unsigned window, Target *target);
void window_targets(const WindowMap *map, const Hits *hits, Side side, Targets *targets);

static inline Cell window_cell(const WindowMap *map, unsigned window, unsigned number)
{
    return (Cell)(map->first[window] + (int)number * map->step[window]);
}

// WINDOW_OTHER or more if the other side has a stone in it.
static inline unsigned window_lack(const WindowMap *map, unsigned window, Side side)
{
    return map->lack[side][window];
}

// --- Lists of turns (turns_list.c) ---

typedef struct {
    unsigned count;
    bool is_pruned; // good turns may be missing
    Turn *turns;
} TurnList;

enum {
    TURN_POOL = 1 << 15,
    LIST_MAX = 1024,   // turns in a list
    CHOICES_MAX = 128, // cells considered for one stone
    PLY_MAX = 200,
    ZONE_MAX = 256,
    REFUTATIONS_MAX = 32,
    DEFEND_WIDTH = 16, // cells of a zone to try for a stone
};

// Cells as bits of rows.
typedef struct {
    uint64_t row[RULES_SIDE_MAX];
} RelevanceZone;

// The relevance zones of wins that refuted turns of a position: another turn without a stone in such a zone is refuted
// the same way.
typedef struct {
    unsigned count;
    RelevanceZone zone[REFUTATIONS_MAX];
} Refutations;

// The number of cells to try for each stone of a turn.
typedef struct {
    uint8_t of[SEARCH_TURN_MAX];
} Widths;

// A VCDT: an upper bound of the stones until the row is complete, 0 if none was found; and its first turn.
typedef struct {
    unsigned stones;
    Turn turn;
} VcdtWin;

// --- Memory of the VCDT search ---

enum {
    VCDT_TABLE_LOG = 15,
    VCDT_LEVELS_MAX = 24,
    VCDT_WINDOWS_MAX = 1024,
    VCDT_COUNTS = RULES_SIDE_MAX + 2,
    VCDT_ANSWERS_MAX = 256, // p^p for p up to 4
};

typedef struct {
    uint64_t key;
    uint16_t stones; // of the win; 0: none in `turns` turns
    uint8_t turns;
    uint8_t count; // of the turn
    Cell turn[SEARCH_TURN_MAX];
} VcdtEntry;

// What a stone does for windows that may become threats: for each direction, the number of threats it makes by itself,
// and together with other stones of the turn.
typedef struct {
    uint8_t makes[4], helps[4];
} VcdtGain;

typedef struct {
    VcdtGain gain[RULES_CELLS_MAX]; // by cell; 0 between uses
    bool is_seen[RULES_CELLS_MAX];
    Cell cells[RULES_CELLS_MAX]; // cells with a gain
    uint16_t worth[VCDT_COUNTS]; // value of a window by the stones it lacks; 0 for the last
    uint64_t turns_asked, asked[RULES_CELLS_MAX];
    int score[RULES_CELLS_MAX];         // of the cells scored in this turn
    uint16_t windows[VCDT_WINDOWS_MAX]; // of the attacker, for the turn being built
    Targets held[VCDT_LEVELS_MAX + 1];  // by level: rows that the attacker must stop
    Targets own[VCDT_LEVELS_MAX + 1];   // by level: rows of the attacker
} VcdtRoom;

typedef struct {
    Turn pool[TURN_POOL]; // a stack of lists
    unsigned pool_used;
    int root_depth;
    uint8_t is_excluded[RULES_CELLS_MAX]; // cells tried for an earlier stone of the turn
    uint8_t is_near[RULES_CELLS_MAX];     // cells considered for the stones of a turn
    uint8_t zone[RULES_CELLS_MAX];        // the relevance zone that was set last
    unsigned zone_count;
    Cell zone_cells[ZONE_MAX];
    int16_t bonus[RULES_CELLS_MAX]; // for the middle of the board
    History history;
    Pv pv[PLY_MAX + 1]; // by ply, as the following
    Turn killers[PLY_MAX + 1][2];
    Targets targets[PLY_MAX + 1];
    Refutations refutations[PLY_MAX + 1];
    bool is_zone_fresh; // the zone is that of the VCDT that has just ended a node
    WindowMap windows;
    bool has_vcdt; // vcdt_suits
    VcdtRoom vcdt_room;
    VcdtEntry vcdt_table[1 << VCDT_TABLE_LOG];
    uint64_t vcdt_nodes, vcdt_limit;
    uint64_t root_vcdt_nodes; // of these, at the root
} TurnState;

// `begin` of the SearchVariant (turns_root.c).
void turn_state_begin(SearchThread *thread);

static inline TurnState *turn_state(const SearchThread *thread)
{
    return thread->state;
}

// Lists turns of the side to move, each set of stones once. With targets every turn meets all of them; with a zone,
// turns without a stone in it that make no threat are left out. The list is on top of the pool; release it with
// turn_list_drop.
TurnList turn_list_make(SearchThread *thread, const Targets *targets, const Widths *widths, bool has_zone);

// The best of the remaining turns after `number` have been taken; reorders the list.
const Turn *turn_list_next(const TurnList *list, unsigned number);
void turn_list_drop(TurnState *state, const TurnList *list);

// The score of a stone on a cell for move ordering.
int turn_cell_score(const SearchThread *thread, Cell cell);

// Plays the stones of a turn up to one that wins; returns their number, for turn_undo.
unsigned turn_play(SearchThread *thread, const Turn *turn);
void turn_undo(SearchThread *thread, unsigned count);

// --- VCDT (turns_vcdt.c) ---

enum {
    VCDT_TURNS = 16,     // longest VCDT at the root, in turns
    VCDT_TREE_TURNS = 8, // and in the tree
};

void vcdt_open(TurnState *state, const Rules *rules);
void vcdt_clear(TurnState *state);
// Starts from the position that the pattern board has been set to.
void vcdt_begin(TurnState *state, const PatternBoard *patterns);

// Whether these rules have a VCDT search: p = 2 to 4.
static inline bool vcdt_suits(const Rules *rules)
{
    return rules->p >= 2 && rules->p <= 4;
}

// Searches for a win of the side to move in at most `turns` turns, with at most `nodes` nodes. Every turn leaves the
// opponent no free stone, so all its answers are searched.
VcdtWin vcdt_find(SearchThread *thread, unsigned turns, uint64_t nodes);

// The same for the opponent after a pass. Sets the relevance zone of the win.
VcdtWin vcdt_threat(SearchThread *thread, unsigned turns, uint64_t nodes);

// Sets the relevance zone of a win of the side to move that vcdt_find has just found.
void vcdt_set_zone(SearchThread *thread, const VcdtWin *found);

// --- Refutations (turns_relevance_zone.c) ---

// Whether no stone of the turn is in the zone.
bool zone_misses(const RelevanceZone *zone, const Turn *turn);

// Stores the zone that was set last as that of a refutation at a ply.
void refutations_add(TurnState *state, unsigned ply);

// Whether a refutation of another turn also refutes this one. Not certain, since the turn's stones may help the answers
// to the threats: pruning by it proves nothing.
bool refutations_refute(const Refutations *all, const Turn *turn);

// --- Defences (turns_defend.c) ---

// A turn that meets all targets and has a stone in the zone of every refutation; false if none was found.
bool defence_find(SearchThread *thread, const Targets *targets, const Refutations *all, Turn *turn);

// --- The loop over turns (turns.c) ---

typedef struct {
    int depth, alpha, beta;
    unsigned ply;
    bool is_forced; // stopping the opponent's rows takes all stones
    bool has_zone;  // turns must touch the zone that was set last, or threaten
} TurnNode;

typedef struct {
    int best;
    Bound bound;
    const Turn *turn;
    bool is_pruned; // turns were left out
} TurnOutcome;

typedef struct {
    TurnNode node;   // alpha rises with every better turn
    unsigned tried;  // turns that were not refuted by a VCDT
    bool takes_all;  // no turn is pruned by refutations
    bool is_refuted; // the last turn was refuted by a VCDT
    TurnOutcome outcome;
} TurnLoop;

// Cells to try for each stone of a turn, by depth.
Widths turn_widths(const Rules *rules, int depth);

// Raises the scores of the turn of the transposition table and of killer moves.
void turn_list_order(const TurnState *state, const TurnList *list, const TtEntry *entry, unsigned ply);

// Searches the turns of a list.
void turn_loop_list(SearchThread *thread, const TurnList *list, TurnLoop *loop);

// If all turns of the list lose: searches up to `most` others that touch the zones of all refutations.
void turn_loop_defences(SearchThread *thread, const Targets *targets, TurnLoop *loop, unsigned most);

// Stores a result in the transposition table.
void turn_store(SearchThread *thread, const TurnOutcome *outcome, int depth, bool is_complete);
