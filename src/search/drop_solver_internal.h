// What the parts of the exact solver share: positions, the table, one thread's search, and the engines, which are the
// same search compiled for words of different sizes (drop_search_internal.h).
#pragma once

#include "search/drop_solver.h"

#include <pthread.h>

// Wide enough for every board the solver takes.
__extension__ typedef unsigned __int128 DropWide;

enum {
    DROP_POLL = 4096,      // nodes between two looks at the clock and the flags
    DROP_COLUMNS_MAX = 64, // columns of a board of one row
    DROP_BUSY = 1 << 12,   // places for positions that threads are busy with
};

// A position as words: columns one after another from the left, each from its bottom row upwards with a spare bit on
// top, so that a row of stones never runs from one column into the next. Whose turn it was in the game does not matter:
// stones are those of the side to move, or the other's.
typedef struct {
    DropWide own;  // stones of the side to move
    DropWide mask; // all stones
} DropPosition;

// What the table knows about a position.
typedef struct {
    int low, high; // bounds of the score
    unsigned work; // about the logarithm of the nodes spent
} DropFound;

// Buckets of two entries: the one that took the most work, and the newest. An entry is as many words as a position, and
// holds what the place of the bucket does not tell of the key, so that no position is ever taken for another.
typedef struct {
    _Atomic uint64_t *words;
    unsigned bucket_bits; // logarithm of the number of buckets
    unsigned key_bits;    // of a position: (height + 1) * width
    unsigned score_bits, data_bits;
    int score_base; // added to scores, so that they are not negative
} DropTable;

typedef struct DropEngine DropEngine;

// One thread's search.
typedef struct {
    const void *shape; // the engine's masks and shifts
    DropTable *early, *late;
    unsigned late_empty; // positions with no more empty cells are kept in `late`
    const DropSolverLimits *limits;
    const atomic_bool *halt; // raised when a thread has the answer
    _Atomic uint64_t *busy;  // positions that threads are busy with, by hash; NULL with one thread
    uint64_t nodes;
    uint64_t node_limit; // of this thread; UINT64_MAX is none
    uint32_t countdown;  // nodes until the next look at limits
    bool stopped;
} DropSearch;

// Looks at flags, clock and nodes; true when the search has to end.
bool drop_search_poll(DropSearch *search);

struct DropEngine {
    unsigned word_bits;
    size_t shape_size;
    void (*shape_init)(void *shape, const Rules *rules);
    // Whether the score is above alpha: a lower bound above alpha, or an upper bound that is not above it. The result
    // means nothing when the search was stopped.
    int (*probe)(DropSearch *search, const DropPosition *position, int alpha);
    // An upper bound of the score by parity alone, or the largest score: for tests.
    int (*bound)(const void *shape, const DropPosition *position);
    // The cells that complete a row for the side to move, and for the other.
    void (*threats)(const void *shape, const DropPosition *position, DropWide threats[2]);
};

// For one board, and for all whose positions go into so many bits: rows of four (no side shorter than that) or of any
// length.
extern const DropEngine drop_engine_7x6, drop_engine_64_fours, drop_engine_128_fours, drop_engine_64, drop_engine_128;

// At least `bytes` if the entries need it: the number of buckets decides how much of a key an entry holds.
Status drop_table_open(DropTable *table, const Rules *rules, size_t bytes, Error *error);
void drop_table_clear(DropTable *table);
void drop_table_close(DropTable *table); // safe on a zeroed table

// --- Threads ---

typedef struct DropCrew DropCrew;

// A thread besides the one that asks.
typedef struct {
    pthread_t thread;
    DropCrew *crew;
    DropSearch search;
} DropHelper;

struct DropCrew {
    const DropEngine *engine;
    DropSearch first; // of the thread that asks
    DropHelper *helpers;
    unsigned helper_count;
    _Atomic uint64_t *busy;
    bool opened;
    // The question under way. It is changed while no helper is at work, and handed over with the lock held.
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    uint64_t round;
    unsigned at_work; // helpers
    bool quit;
    DropPosition position;
    int alpha;
    atomic_bool answered, halt;
    int score; // of the first that answered
};

// Whether the score of a position is above alpha.
typedef struct {
    DropPosition position;
    int alpha;
    uint64_t nodes; // of all threads together; UINT64_MAX is no limit
    bool alone;     // too small a question for several threads
    const DropSolverLimits *limits;
} DropQuestion;

// Close it also when it could not be opened; safe on a zeroed crew.
Status drop_crew_open(DropCrew *crew, const DropEngine *engine, const DropSearch *first, unsigned threads,
                      Error *error);
void drop_crew_close(DropCrew *crew);

// False when the question was not answered within its limits.
bool drop_crew_ask(DropCrew *crew, const DropQuestion *question, int *score);

// Nodes of all threads since the crew was opened.
uint64_t drop_crew_nodes(const DropCrew *crew);
