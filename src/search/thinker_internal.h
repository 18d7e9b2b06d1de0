// What the parts of the thinker share: its threads, their table, and what a search through the tree has to provide.
#pragma once

#include "search/thinker.h"

// --- The table ---

typedef enum { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT } Bound;

// What is kept of a position. The move is the first stone of the best turn; for the search through turns it is `turn`'s
// first two.
typedef struct {
    int score; // from this position on: proven scores count stones from here
    int value; // the evaluation, THINKER_NO_VALUE if it was not asked for
    int depth;
    Bound bound;
    Cell move, second; // CELL_NONE: none
} TableEntry;

enum { THINKER_NO_VALUE = INT16_MIN };

typedef struct ThinkerTable ThinkerTable;

Status thinker_table_open(ThinkerTable **table, size_t megabytes, Error *error);
void thinker_table_close(ThinkerTable *table); // NULL is fine
void thinker_table_clear(ThinkerTable *table);
void thinker_table_age(ThinkerTable *table); // another search begins: what is old gives way
bool thinker_table_find(const ThinkerTable *table, uint64_t key, TableEntry *entry);
void thinker_table_keep(ThinkerTable *table, uint64_t key, const TableEntry *entry);
void thinker_table_prefetch(const ThinkerTable *table, uint64_t key);

// Proven scores in the tree count stones from the root, in the table from the position: `placed` are the stones since.
static inline int thinker_to_table(int score, unsigned placed)
{
    return score >= THINKER_PROVEN ? score + (int)placed : score <= -THINKER_PROVEN ? score - (int)placed : score;
}

static inline int thinker_from_table(int score, unsigned placed)
{
    return score >= THINKER_PROVEN ? score - (int)placed : score <= -THINKER_PROVEN ? score + (int)placed : score;
}

// The score of a game that is won, or lost, when so many stones have been placed since the root.
static inline int thinker_won(unsigned placed)
{
    return THINKER_WIN - (int)placed;
}

static inline int thinker_lost(unsigned placed)
{
    return (int)placed - THINKER_WIN;
}

// An evaluation that proves nothing.
static inline int thinker_limit(int value)
{
    return value > THINKER_VALUE_MAX ? THINKER_VALUE_MAX : value < -THINKER_VALUE_MAX ? -THINKER_VALUE_MAX : value;
}

// --- A thread ---

typedef struct Worker Worker;

// A way through the tree.
typedef struct {
    // Memory of a thread besides Worker, taken once; `clear` forgets what was learned in another game.
    Status (*open)(Worker *worker, Error *error);
    void (*close)(Worker *worker);
    void (*clear)(Worker *worker);
    // Another position is to be thought about; worker->field has been set.
    void (*begin)(Worker *worker);
    // Searches the position of worker->field to a depth in turns within a window, turns in worker->excluded left aside,
    // and puts the best turn and the expected play into worker->best. Returns its score; what it returns when
    // worker_poll has said to stop means nothing, but worker->best is then still the best turn that was searched to
    // the end and found above alpha at this depth, or empty.
    int (*root)(Worker *worker, int depth, int alpha, int beta);
} ThinkerWay;

extern const ThinkerWay thinker_single, thinker_turns, thinker_drop;

struct Worker {
    Thinker *thinker;
    const ThinkerWay *way;
    ThinkerTable *table;
    Field field;
    unsigned number; // of the thread, from 0
    unsigned deepest;
    bool is_stopped;
    bool is_complete; // the way: the tree was searched to the ends of all games at this depth
    unsigned excluded_count;
    ThinkerTurn excluded[THINKER_LINES_MAX];
    ThinkerLine best;
    _Atomic uint64_t nodes;
    void *state; // of the way
    uint64_t random;
};

// Counts a node; true when the search has to end. To be asked at every node.
bool worker_poll(Worker *worker);

// Depths in the table for searches that may come to the ends of all games: that is deeper than any other.
enum { THINKER_DEPTH_FINAL = 50 };

static inline int thinker_kept_depth(int depth, bool is_complete)
{
    return is_complete ? THINKER_DEPTH_FINAL : depth < THINKER_DEPTH_FINAL ? depth : THINKER_DEPTH_FINAL - 1;
}

// Whether an entry answers for such a search, and with what. What it has from a search to the ends of all games holds
// at any depth, and what is proven too. `placed` are the stones since the root.
bool worker_table_answers(Worker *worker, const TableEntry *entry, unsigned placed, int depth, int alpha, int beta,
                          int *score);

bool thinker_turn_is(const ThinkerTurn *turn, const Cell *stones, unsigned count);
