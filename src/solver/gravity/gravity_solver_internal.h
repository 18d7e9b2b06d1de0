// What the parts of the exact solver share: positions, the table, one thread's search, and the engines, which are the
// same search compiled for words of different sizes (gravity_search_internal.h).
#pragma once

#include "solver/gravity/gravity_solver.h"

#include <pthread.h>

// Wide enough for every board the solver takes.
__extension__ typedef unsigned __int128 GravityWide;

enum {
    GRAVITY_POLL = 4096,      // nodes between two looks at the clock and the flags
    GRAVITY_COLUMNS_MAX = 64, // columns of a board of one row
    GRAVITY_BUSY = 1 << 12,   // places for positions that threads are busy with
};

// A position as words: columns one after another from the left, each from its bottom row upwards with a spare bit on
// top, so that a row of stones never runs from one column into the next. Whose turn it was in the game does not matter:
// stones are those of the side to move, or the other's.
typedef struct {
    GravityWide own;  // stones of the side to move
    GravityWide mask; // all stones
} GravityPosition;

// What the table knows about a position.
typedef struct {
    int low, high; // bounds of the score
    unsigned work; // about the logarithm of the nodes spent
} GravityFound;

// Buckets of two entries: the one that took the most work, and the newest. An entry is as many words as a position, and
// holds the part of the key that the place of the bucket does not give, so that no position is ever taken for another.
typedef struct {
    _Atomic uint64_t *words;
    unsigned bucket_bits; // logarithm of the number of buckets
    unsigned key_bits;    // of a position: (height + 1) * width
    unsigned score_bits, data_bits;
    int score_base; // added to scores, so that they are not negative
} GravityTable;

typedef struct GravityEngine GravityEngine;

// One thread's search.
typedef struct {
    const void *shape; // the engine's masks and shifts
    GravityTable *early, *late;
    unsigned late_empty; // positions with no more empty cells are kept in `late`
    const Limits *limits;
    atomic_ullong *alive;    // of ExactWatch
    const atomic_bool *halt; // raised when a thread has the answer
    _Atomic uint64_t *busy;  // positions that threads are busy with, by hash; NULL with one thread
    uint64_t nodes;
    uint64_t node_limit; // of this thread; UINT64_MAX is none
    uint32_t countdown;  // nodes until the next look at limits
    bool stopped;
} GravitySearch;

// Looks at flags, clock and nodes; true when the search has to end.
bool gravity_search_poll(GravitySearch *search);

struct GravityEngine {
    size_t shape_size;
    void (*shape_init)(void *shape, const Rules *rules);
    // Whether the score is above alpha: a lower bound above alpha, or an upper bound that is not above it. The result
    // means nothing when the search was stopped.
    int (*probe)(GravitySearch *search, const GravityPosition *position, int alpha);
    // An upper bound of the score by parity alone, or the largest score: for tests.
    int (*bound)(const void *shape, const GravityPosition *position);
    // The cells that complete a row for the side to move, and for the other.
    void (*threats)(const void *shape, const GravityPosition *position, GravityWide threats[2]);
};

// For one board, and for all whose positions go into that many bits: rows of four (no side shorter than that) or of any
// length.
extern const GravityEngine gravity_engine_7x6, gravity_engine_64_fours, gravity_engine_128_fours, gravity_engine_64,
    gravity_engine_128;

// At least `bytes` if the entries need it: the number of buckets decides how much of a key an entry holds.
Status gravity_table_open(GravityTable *table, const Rules *rules, size_t bytes, Error *error);
void gravity_table_clear(GravityTable *table);
void gravity_table_close(GravityTable *table); // safe on a zeroed table

// --- Threads ---

typedef struct GravityCrew GravityCrew;

// A thread besides the one that asks.
typedef struct {
    pthread_t thread;
    GravityCrew *crew;
    GravitySearch search;
} GravityHelper;

struct GravityCrew {
    const GravityEngine *engine;
    GravitySearch first; // of the thread that asks
    GravityHelper *helpers;
    unsigned helper_count;
    _Atomic uint64_t *busy;
    bool opened;
    // The question under way. It is changed while no helper is at work, and handed over with the lock held.
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    uint64_t round;
    unsigned at_work; // helpers
    bool quit;
    GravityPosition position;
    int alpha;
    atomic_bool answered, halt;
    int score; // of the first that answered
};

// Whether the score of a position is above alpha.
typedef struct {
    GravityPosition position;
    int alpha;
    uint64_t nodes; // of all threads together; UINT64_MAX is no limit
    bool alone;     // too small a question for several threads
    const Limits *limits;
    atomic_ullong *alive; // of ExactWatch
} GravityQuestion;

// Close it also when it could not be opened; safe on a zeroed crew.
Status gravity_threads_open(GravityCrew *crew, const GravityEngine *engine, const GravitySearch *first,
                            unsigned threads, Error *error);
void gravity_threads_close(GravityCrew *crew);

// False when the question was not answered within its limits.
bool gravity_threads_ask(GravityCrew *crew, const GravityQuestion *question, int *score);

// Nodes of all threads since the crew was opened.
uint64_t gravity_threads_nodes(const GravityCrew *crew);
