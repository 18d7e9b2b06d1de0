// Shared by the files of the gravity solver: positions, the table, the search of a thread, and the engines: the same
// search compiled for several word sizes (gravity_search_internal.h).
#pragma once

#include "solver/gravity/gravity_solver.h"

#include <pthread.h>

// Wide enough for every supported board.
__extension__ typedef unsigned __int128 GravityWide;

enum {
    GRAVITY_POLL = 4096,      // nodes between checks of the clock and the flags
    GRAVITY_COLUMNS_MAX = 64, // columns of a board of one row
    GRAVITY_BUSY = 1 << 12,   // places for positions that threads are searching
};

// A position as words: columns from the left, each from its bottom row upwards with a spare bit on top, so that a row
// of stones never runs from one column into the next. The side that moved in the game does not matter.
typedef struct {
    GravityWide own;  // stones of the side to move
    GravityWide mask; // all stones
} GravityPosition;

// The table's facts about a position.
typedef struct {
    int low, high; // bounds of the score
    unsigned work; // about half of the logarithm of the nodes spent
} GravityFound;

// Buckets of two entries: the one with the most work, and the newest. An entry has as many words as a position and
// holds the part of the key that the bucket index does not determine, so that positions are never confused.
typedef struct {
    _Atomic uint64_t *words;
    unsigned bucket_bits; // logarithm of the number of buckets
    unsigned key_bits;    // of a position: (height + 1) * width
    unsigned score_bits, data_bits;
    int score_base; // added to scores to make them non-negative
} GravityTable;

typedef struct GravityEngine GravityEngine;

// The search of a thread.
typedef struct {
    const void *shape; // the engine's masks and shifts
    GravityTable *early, *late;
    unsigned late_empty; // positions with at most this many empty cells use `late`
    const Limits *limits;
    atomic_ullong *alive;    // of ExactWatch
    const atomic_bool *halt; // raised when a thread has the answer
    _Atomic uint64_t *busy;  // positions that threads are searching, by hash; NULL with one thread
    uint64_t nodes;
    uint64_t node_limit; // of this thread; UINT64_MAX: none
    uint32_t countdown;  // nodes until the next check of the limits
    bool stopped;
} GravitySearch;

// Checks flags, clock and nodes; true if the search must end.
bool gravity_search_poll(GravitySearch *search);

struct GravityEngine {
    size_t shape_size;
    void (*shape_init)(void *shape, const Rules *rules);
    // Whether the score is above alpha: returns a lower bound above alpha, or an upper bound that is not. The result is
    // invalid if the search was stopped.
    int (*probe)(GravitySearch *search, const GravityPosition *position, int alpha);
    // An upper bound of the score by parity alone, or the largest score: for tests.
    int (*bound)(const void *shape, const GravityPosition *position);
    // The cells that complete a row for the side to move, and for the other.
    void (*threats)(const void *shape, const GravityPosition *position, GravityWide threats[2]);
};

// For one board, and for all boards whose positions fit that many bits: rows of four (no side shorter than that) or of
// any length.
extern const GravityEngine gravity_engine_7x6, gravity_engine_64_fours, gravity_engine_128_fours, gravity_engine_64,
    gravity_engine_128;

// More than `bytes` if necessary: the number of buckets determines how much of a key an entry must hold.
Status gravity_table_open(GravityTable *table, const Rules *rules, size_t bytes, Error *error);
void gravity_table_clear(GravityTable *table);
void gravity_table_close(GravityTable *table); // safe on a zeroed table

typedef struct GravityCrew GravityCrew;

// A thread in addition to the calling one.
typedef struct {
    pthread_t thread;
    GravityCrew *crew;
    GravitySearch search;
} GravityHelper;

struct GravityCrew {
    const GravityEngine *engine;
    GravitySearch first; // of the calling thread
    GravityHelper *helpers;
    unsigned helper_count;
    _Atomic uint64_t *busy;
    bool opened;
    // The current question. It is changed only while no helper is working, and handed over with the lock held.
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    uint64_t round;
    unsigned at_work; // helpers
    bool quit;
    GravityPosition position;
    int alpha;
    atomic_bool answered, halt;
    int score; // of the first answer
};

// Whether the score of a position is above alpha.
typedef struct {
    GravityPosition position;
    int alpha;
    uint64_t nodes; // of all threads together; UINT64_MAX: no limit
    bool alone;     // the question is too small for several threads
    const Limits *limits;
    atomic_ullong *alive; // of ExactWatch
} GravityQuestion;

// Must be closed even if opening fails; closing is safe on a zeroed crew.
Status gravity_threads_open(GravityCrew *crew, const GravityEngine *engine, const GravitySearch *first,
                            unsigned threads, Error *error);
void gravity_threads_close(GravityCrew *crew);

// False if the question was not answered within its limits.
bool gravity_threads_ask(GravityCrew *crew, const GravityQuestion *question, int *score);

// Nodes of all threads since the crew was opened.
uint64_t gravity_threads_nodes(const GravityCrew *crew);
