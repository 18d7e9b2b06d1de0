// The opening explorer: how the stored games of some rules continued from a position, and how they ended. It keeps the
// stones of all these games in memory and compares every game with the position, in any order of the stones and in all
// symmetric images; most games differ within the first stones, so that no index of positions is needed.
//
// A continuation is the rest of the turn: a whole turn or, in the middle of a turn, the stones that complete it. The
// order of stones within a turn does not matter. Symmetric continuations count as one. Games from set-up positions,
// without a result, or with a fault are left out, as in opening books.
//
// An Explorer is not thread-safe.
#pragma once

#include "game/symmetry.h"
#include "store/db/database_search.h"

typedef struct Explorer Explorer;

enum { EXPLORER_GAMES_MAX = 2000000 }; // later games are left out

Explorer *explorer_open(const Rules *rules);
void explorer_close(Explorer *explorer); // NULL is fine
const Rules *explorer_rules(const Explorer *explorer);

// Reads the games that were stored since the last call, or all of them if some are gone. Stops at the deadline
// (clock_seconds; 0: never); the next call then continues. `db` may be NULL: no games.
Status explorer_update(Explorer *explorer, Database *db, double deadline, bool *is_complete, Error *error);

// The number of games that were read and count.
uint64_t explorer_games(const Explorer *explorer);

// Results of games.
typedef struct {
    uint64_t first, draws, second; // wins of the first side, draws, wins of the second side
} ExplorerCounts;

static inline uint64_t explorer_count(ExplorerCounts counts)
{
    return counts.first + counts.draws + counts.second;
}

typedef struct {
    ExplorerCounts counts;
    size_t stones; // index into `stones` of the position
    unsigned count;
} ExplorerMove;

typedef struct {
    ExplorerCounts counts; // of the games that had the position
    ExplorerMove *moves;   // owned; most games first
    size_t move_count, move_capacity;
    Cell *stones; // owned
    size_t stone_count, stone_capacity;
    size_t *slots; // owned: hash table of `moves` while they are counted
    size_t slot_count;
} ExplorerPosition;

// Fills a zeroed position. Close it.
void explorer_find(const Explorer *explorer, const Board *board, ExplorerPosition *found);
void explorer_position_close(ExplorerPosition *position);

// Finds or adds a continuation, without counting a game. The index stays valid until the moves are sorted.
size_t explorer_position_move(ExplorerPosition *position, const Cell *stones, unsigned count);
void explorer_position_sort(ExplorerPosition *position);

// Whether a game from the empty board can have these stones with this side to move and this many stones left.
bool explorer_is_regular(const Board *board);

// The least of the symmetric images of a continuation: of the images under the symmetries of this position. Sorts the
// stones, at most `board_stones_left`.
typedef struct {
    Rules rules;
    unsigned count;
    Symmetry symmetries[SYMMETRY_MAX];
} ExplorerFrame;

void explorer_frame_init(ExplorerFrame *frame, const Board *board);
void explorer_frame_apply(const ExplorerFrame *frame, Cell *stones, unsigned count);
