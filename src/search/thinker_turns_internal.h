// What the parts of the search through turns share (thinker_turns.c): rows that can be completed, lists of turns, and
// the search for wins by threats alone.
#pragma once

#include "rules/zobrist.h"
#include "search/thinker_internal.h"

typedef struct {
    Cell stones[THINKER_TURN_MAX];
    uint8_t count;
    bool wins;
    bool threatens; // makes a row that could be completed in the next turn
    int score;      // for the order
} Turn;

// --- Rows (thinker_turns_rows.c) ---

// The empty cells of a row that could be completed in a turn.
typedef struct {
    Cell cell[THINKER_TURN_MAX];
    unsigned count;
} Target;

enum { TARGETS_MAX = 128 };

typedef struct {
    unsigned count;
    Target target[TARGETS_MAX];
} Targets;

// The fewest stones with which the side to move completes a row in this turn, in an order in which they can be placed;
// returns how many, 0 if it cannot. Exact, also under gravity, where stones that must be put below are counted.
unsigned rows_finish(const Field *field, Cell stones[THINKER_TURN_MAX]);

// The rows that a side completes in a turn of p stones. Those that find no room are left out; and under gravity, with
// more than one stone a turn, all are: a row may then be stopped in other ways than by one of its cells.
void rows_targets(const Field *field, Side side, Targets *targets);

// The smallest number of cells that meet all targets, `most` + 1 if it is more than `most`. Where this takes too long
// it may say less than is true, never more.
unsigned rows_least(const Targets *targets, unsigned most);

// The same for those targets that none of some cells meets.
unsigned rows_least_besides(const Targets *targets, const Cell *cells, unsigned count, unsigned most);

// The first target that none of these cells meets; `count` of the targets if there is none.
unsigned rows_first_unmet(const Targets *targets, const Cell *cells, unsigned count);

// --- Windows (thinker_turns_windows.c) ---

enum {
    WINDOW_OTHER = 1 << 8, // for each stone of the other side
    HITS_MAX = TARGETS_MAX,
};

// The windows of a cell in one direction: they have numbers that follow one another.
typedef struct {
    uint16_t first, count;
} WindowRange;

// By window: its first cell, the step to the next, whether there is a cell before it and after it, and for each side
// what it lacks, plus WINDOW_OTHER for each stone of the other. By cell: its windows, and whose stone is there.
typedef struct {
    unsigned width, height, k, p, cells, count;
    bool is_exact;
    Cell *first;
    int16_t *step;
    uint8_t *ends;
    uint8_t *direction;
    WindowRange (*ranges)[4];
    uint16_t *lack[2];
    uint8_t *stone; // 0, or 1 + side
    unsigned stone_count;
    uint64_t key; // as Field.state.stones_key
    // The stones and passes that have been followed since the field was set.
    Cell *followed;
    unsigned followed_count;
} WindowMap;

// Windows that a side can complete in a turn.
typedef struct {
    unsigned count;
    uint16_t window[HITS_MAX];
} Hits;

Status window_map_open(WindowMap *map, const Rules *rules, Error *error);
void window_map_close(WindowMap *map); // safe on a zeroed one

// The position of a field that has just been set; later the one that it has come to by playing and taking back.
void window_map_begin(WindowMap *map, const Field *field);
void window_map_follow(WindowMap *map, const Field *field);

// A stone, and the same taken back. Windows that it brings to what can be completed in a turn are added to the hits,
// as far as there is room; NULL: they are not asked for.
void window_map_put(WindowMap *map, Cell cell, Side side, Hits *hits);
void window_map_take(WindowMap *map, Cell cell, Side side);

// The windows that lack at most `most` stones of a side, as far as there is room. Returns how many.
unsigned window_map_find(const WindowMap *map, Side side, unsigned most, uint16_t *windows, unsigned room);

// Under `exact` an own stone beside the window makes the row too long.
bool window_fits(const WindowMap *map, unsigned window, Side side);

// The empty cells of a window; those of windows that fit.
void window_target(const WindowMap *map, unsigned window, Target *target);
void window_targets(const WindowMap *map, const Hits *hits, Side side, Targets *targets);

static inline Cell window_cell(const WindowMap *map, unsigned window, unsigned number)
{
    return (Cell)(map->first[window] + (int)number * map->step[window]);
}

// More than any window lacks, if the other side has a stone in it.
static inline unsigned window_lack(const WindowMap *map, unsigned window, Side side)
{
    return map->lack[side][window];
}

// --- Lists of turns (thinker_turns_list.c) ---

typedef struct {
    unsigned count;
    bool is_cut; // some turns are not in it that might be good
    Turn *turns;
} TurnList;

enum {
    TURN_POOL = 1 << 15,
    LIST_MAX = 1024,   // turns in a list
    CHOICES_MAX = 128, // cells looked at for one stone
    PLY_MAX = 200,
    HISTORY_MAX = 1 << 13,
    ZONE_MAX = 256,
    REFUTATIONS_MAX = 32,
    DEFEND_WIDTH = 16, // cells of a zone that are tried for a stone
};

// Cells as bits of rows.
typedef struct {
    uint64_t row[RULES_SIDE_MAX];
} Zone;

// What refuted turns of a position: another turn that has no stone in such a zone is refuted the same way.
typedef struct {
    unsigned count;
    Zone zone[REFUTATIONS_MAX];
} Refutations;

// How many cells are tried for each stone of a turn.
typedef struct {
    uint8_t of[THINKER_TURN_MAX];
} Widths;

// A win that threats force: stones until the row is complete at most, 0 if none was found.
typedef struct {
    unsigned stones;
    Turn turn;
} Attack;

typedef struct AttackEntry AttackEntry;
typedef struct AttackRoom AttackRoom;

typedef struct {
    Turn *pool; // a stack of lists
    unsigned pool_used;
    unsigned root_count; // stones on the board at the root
    int root_depth;
    uint8_t *is_excluded; // by cell: those that have been tried for an earlier stone of the turn
    uint8_t *is_near;     // by cell: those that are looked at for the stones of a turn
    uint8_t *zone;        // by cell: where a stone may disturb what the other side threatens
    unsigned zone_count;
    Cell zone_cells[ZONE_MAX];
    int16_t *bonus;      // by cell: the middle of the board, a little
    int32_t *history[2]; // by cell
    Cell (*pv)[THINKER_PV_MAX];
    uint8_t *pv_count;
    Turn (*killers)[2];
    Targets *targets;         // one a ply
    Refutations *refutations; // likewise
    bool is_zone_fresh;       // the zone is that of the win by threats that ended the search of a position just now
    WindowMap windows;
    AttackRoom *attack_room;
    AttackEntry *attack_table;
    uint64_t attack_nodes, attack_limit;
    uint64_t root_attack_nodes; // of these, for a win of the side to move at the root
} TurnState;

// As a ThinkerWay has them (thinker_turns_state.c).
Status turn_state_open(Worker *worker, Error *error);
void turn_state_close(Worker *worker);
void turn_state_clear(Worker *worker);
void turn_state_begin(Worker *worker);

static inline TurnState *turn_state(const Worker *worker)
{
    return worker->state;
}

// Stones placed since the root.
static inline unsigned turn_placed(const Worker *worker)
{
    return worker->field.state.count - turn_state(worker)->root_count;
}

// Stones the side to move will place now.
static inline unsigned turn_stones(const Field *field)
{
    unsigned empty = (unsigned)field->cells - field->state.count;
    return field->state.turn_left < empty ? field->state.turn_left : empty;
}

// Turns of the side to move, each set of stones once. With targets every turn meets all of them. The list is on top of
// the pool; give it back with turn_list_drop.
// With a zone turns are left out that have no stone in it and make no threat.
TurnList turn_list_make(Worker *worker, const Targets *targets, const Widths *widths, bool has_zone);

// The best of those that have not come yet, when `number` of them have; it changes the order of the list.
const Turn *turn_list_next(const TurnList *list, unsigned number);
void turn_list_drop(TurnState *state, const TurnList *list);

// The order a stone on a cell has in lists.
int turn_cell_score(const Worker *worker, Cell cell);

// Plays the stones of a turn, or up to the one that wins; returns how many, which turn_undo takes back.
unsigned turn_play(Field *field, const Turn *turn);
void turn_undo(Field *field, unsigned count);

// --- Wins by threats (thinker_turns_attack.c) ---

// Takes and gives back what the search needs.
Status attack_open(TurnState *state, const Rules *rules, Error *error);
void attack_close(TurnState *state);
void attack_clear(TurnState *state);
void attack_begin(TurnState *state, const Field *field); // another position, which the field has been set to

// Whether games of these rules have such a search: more than one stone a turn, no gravity.
static inline bool attack_suits(const Rules *rules)
{
    return rules->p >= 2 && rules->p <= 4 && !rules->gravity;
}

// Looks for a win of the side to move in so many turns after this one at most, and so many positions. Every turn leaves
// the other side no free stone, so that all its answers are tried.
Attack attack_find(Worker *worker, unsigned turns, uint64_t nodes);

// The same for the other side, if this one passed. The zone is then where its stones and rows would be.
Attack attack_threat(Worker *worker, unsigned turns, uint64_t nodes);

// Sets the zone of a win of the side to move that attack_find has just found.
void attack_set_zone(Worker *worker, const Attack *found);

// --- Refutations (thinker_turns_zone.c) ---

// Whether no stone of the turn is in the zone.
bool zone_misses(const Zone *zone, const Turn *turn);

// Keeps the zone that was set last as that of a refutation of turns at a ply.
void refutations_add(TurnState *state, unsigned ply);

// Whether what refuted another turn refutes this one. Not certain, as its stones may help those with which the threats
// are answered: turns that are left out for this prove nothing.
bool refutations_refute(const Refutations *all, const Turn *turn);

// --- Defences (thinker_turns_defend.c) ---

// A turn that meets all targets and has a stone in the zone of every refutation; false if none was found.
bool defence_find(Worker *worker, const Targets *targets, const Refutations *all, Turn *turn);
