// Shared by the parts of the search: threads, transposition table, and the interface of a search variant.
#pragma once

#include "engine/search/search.h"

// --- The table ---

typedef enum { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT } Bound;

// A stored position. The best turn: its first stone in `move`, and with several stones per turn its second in `second`.
typedef struct {
    int score; // proven scores count stones from this position
    int value; // the static evaluation, or SEARCH_NO_VALUE
    int depth;
    Bound bound;
    Cell move, second; // CELL_NONE: none
} TtEntry;

enum { SEARCH_NO_VALUE = INT16_MIN };

typedef struct TranspositionTable TranspositionTable;

Status tt_open(TranspositionTable **table, size_t megabytes, Error *error);
void tt_close(TranspositionTable *table); // NULL is fine
void tt_clear(TranspositionTable *table);
void tt_age(TranspositionTable *table); // starts another search: older entries are replaced first
bool tt_probe(const TranspositionTable *table, uint64_t key, TtEntry *entry);
void tt_store(TranspositionTable *table, uint64_t key, const TtEntry *entry);
void tt_prefetch(const TranspositionTable *table, uint64_t key);

// Proven scores count stones from the root in the tree, and from the position in the table; `placed` stones lie
// between.
static inline int score_to_tt(int score, unsigned placed)
{
    return score >= SEARCH_PROVEN ? score + (int)placed : score <= -SEARCH_PROVEN ? score - (int)placed : score;
}

static inline int score_from_tt(int score, unsigned placed)
{
    return score >= SEARCH_PROVEN ? score - (int)placed : score <= -SEARCH_PROVEN ? score + (int)placed : score;
}

// The score of a game that is won, or lost, `placed` stones after the root.
static inline int score_win_in(unsigned placed)
{
    return SEARCH_WIN - (int)placed;
}

static inline int score_loss_in(unsigned placed)
{
    return (int)placed - SEARCH_WIN;
}

// An evaluation that proves nothing.
static inline int score_clamp(int value)
{
    return value > SEARCH_VALUE_MAX ? SEARCH_VALUE_MAX : value < -SEARCH_VALUE_MAX ? -SEARCH_VALUE_MAX : value;
}

// --- A thread ---

typedef struct SearchThread SearchThread;

// A search variant.
typedef struct {
    size_t state_size; // memory of a thread besides SearchThread
    // Sets up the zeroed state of a thread once; NULL: nothing to do. `clear` discards what was learned in another
    // game.
    void (*open)(SearchThread *thread);
    void (*clear)(SearchThread *thread);
    // Starts the search of another position, which thread->patterns has.
    void (*begin)(SearchThread *thread);
    // Searches the position of thread->patterns to a depth in turns within a window, except the turns in
    // thread->excluded, and sets thread->best to the best turn and its principal variation. Returns its score. After
    // search_poll has stopped the search, the score is invalid, but thread->best is the best turn that was fully
    // searched and exceeded alpha at this depth, or empty.
    int (*root)(SearchThread *thread, int depth, int alpha, int beta);
} SearchVariant;

extern const SearchVariant search_single, search_turns, search_gravity;

struct SearchThread {
    Search *search;
    const SearchVariant *variant;
    TranspositionTable *table;
    PatternBoard patterns; // the position, with its threats
    Evaluator evaluator;   // follows the pattern board
    unsigned number;       // of the thread, from 0
    unsigned root_count;   // stones on the board at the root
    unsigned deepest;
    bool is_stopped;
    bool is_complete; // set by the variant: the tree was searched to the end of every game
    unsigned excluded_count;
    SearchTurn excluded[SEARCH_LINES_MAX];
    SearchLine best;
    _Atomic uint64_t nodes;
    void *state; // of the variant; owned
};

// Opens and closes all of a thread except its transposition table: pattern board, evaluator (NULL: the default for the
// rules) and search variant. The pattern tables are borrowed.
Status search_thread_open(SearchThread *thread, const PatternTables *tables, const EvaluatorKind *evaluator,
                          const Rules *rules, Error *error);
void search_thread_close(SearchThread *thread); // safe on a zeroed one

// Sets another position. The variant's `begin` follows.
static inline void search_set(SearchThread *thread, const Board *board)
{
    pattern_board_set(&thread->patterns, board);
    thread->root_count = thread->patterns.state.count;
    evaluator_set(&thread->evaluator, &thread->patterns);
}

// Stones placed since the root.
static inline unsigned search_placed(const SearchThread *thread)
{
    return thread->patterns.state.count - thread->root_count;
}

static inline void search_play(SearchThread *thread, Cell cell)
{
    pattern_board_play(&thread->patterns, cell);
    evaluator_play(&thread->evaluator, &thread->patterns, cell);
}

static inline void search_undo(SearchThread *thread)
{
    pattern_board_undo(&thread->patterns);
    evaluator_undo(&thread->evaluator, &thread->patterns);
}

// The static evaluation for the side to move; it proves nothing, and need not be precise far from the window.
static inline int search_value(SearchThread *thread, int alpha, int beta)
{
    return score_clamp(evaluator_value(&thread->evaluator, &thread->patterns, alpha, beta));
}

// Counts a node and checks the limits; true if the search must end. Must be called at every node.
bool search_poll(SearchThread *thread);

// The depth in the table of searches that reached the end of every game: larger than any other.
enum { SEARCH_DEPTH_FINAL = 50 };

static inline int tt_depth(int depth, bool is_complete)
{
    return is_complete ? SEARCH_DEPTH_FINAL : depth < SEARCH_DEPTH_FINAL ? depth : SEARCH_DEPTH_FINAL - 1;
}

// Whether an entry decides a search of this depth and window, and its score. Proven entries and those of searches to
// the end of every game hold at any depth. `placed` are the stones since the root.
bool search_tt_cutoff(SearchThread *thread, const TtEntry *entry, unsigned placed, int depth, int alpha, int beta,
                      int *score);

// Whether two turns have the same stones, in any order.
bool stones_are_same(const Cell *a, unsigned a_count, const Cell *b, unsigned b_count);

static inline bool search_turn_is(const SearchTurn *turn, const Cell *stones, unsigned count)
{
    return stones_are_same(turn->stones, turn->count, stones, count);
}
