// The turns of a double-threat search: which sets of stones make enough threats.
//
// A core is a smallest set of stones after which the threats need `target` stones to be stopped. Take one stone of it
// away, and less is needed: some threat through its cell is lost, or has one cell more to be stopped at. So each stone
// of a core is in a window that is a threat afterwards, and of which the core has at least as many cells as it lacked
// to be one. With an option being that many empty cells of one window, or one cell of a window that was a threat
// before, a core is a union of options. That holds under `exact` too, where stones may spoil threats, as one that is
// taken away cannot.
//
// What a turn has beyond its core meets the threats of the defender, and what is left then is free. Without `exact` an
// own stone never does harm, so that one cell is as good as another where a free stone does not matter.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    CellSet stones;
    int32_t rank; // the better the higher
} Turn;

enum {
    TURNS_OPTIONS_MAX = 4096,
    TURNS_TARGETS_MAX = 4096,
    TURNS_EVER = UINT8_MAX, // any number of turns
    TURNS_POLL = 64,        // sets of stones examined between two questions whether to continue
};

// Where free stones are tried: on one cell, in windows where they are likely to help, wherever they can matter. Most
// wins need no more than the first.
typedef enum { FREE_ANYWHERE, FREE_LIKELY, FREE_ALL } FreeStones;

typedef struct {
    unsigned target; // stones that the defender shall need at least: p, or p + 1 to win at once
    unsigned later;  // turns of the attacker that may follow before the last one
    FreeStones free;
    unsigned below; // and fewer than that many; 0: no bound
} TurnsWanted;

// Asked now and then while a list is made, which takes long on large boards; true ends it.
typedef bool (*TurnsPoll)(void *context);

// Working memory of one list, for one position after another.
typedef struct {
    TurnsPoll poll; // set once, with its context
    void *poll_context;
    uint64_t looked; // sets of stones
    bool out;        // the poll has ended the list
    WindowTally *tally;
    Side side;
    unsigned stones; // of the turn
    TurnsWanted wanted;
    Turn *list;
    unsigned count, most;
    bool is_full; // something did not find room: turns may be missing
    bool is_cut;  // free stones were left out that would matter in more turns
    unsigned option_count, single_count;
    CellSet options[TURNS_OPTIONS_MAX];      // those of one stone first
    uint8_t single_least[TURNS_OPTIONS_MAX]; // stones needed against an option of one stone alone
    unsigned open_count;
    uint16_t open[TURNS_TARGETS_MAX]; // windows of the attacker that the turn can make a threat of, or that are one
    unsigned base_count;
    uint16_t base[TURNS_TARGETS_MAX]; // those that threaten before the turn
    unsigned held_count;
    CellSet held[TURNS_TARGETS_MAX]; // threats of the defender, to be met
    CellSet targets[TURNS_TARGETS_MAX];
    Cell free[RULES_CELLS_MAX]; // empty cells, those that matter first
    unsigned free_count, free_matters;
} Turns;

// Looks at the position on the tally, with the attacker to move. False when there is no turn of this kind.
bool turns_begin(Turns *turns, WindowTally *tally);

// Every turn of the wanted kind, best ranked first; of those that win at once one is enough. The tally must stand as it
// did at turns_begin.
void turns_make(Turns *turns, const TurnsWanted *wanted, Turn *list, unsigned most);

// --- The search, for the files it is made of ---
//
// Turns are counted here without the one that completes the row.

enum {
    TURNS_MAX = 1 << 17, // of all positions on the way
    ANSWERS_OF_TURN =
        WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX, // each stone one of p cells
};

// What is known of a position: both hold for all times, the second for these free stones and fewer.
typedef struct {
    uint64_t key;
    uint32_t age;
    uint8_t won;  // in this many turns; 0: not known
    uint8_t lost; // no win in this many turns
    uint8_t free; // a FreeStones
    CellSet turn; // that wins
} Entry;

struct DoubleThreat {
    Entry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
    Turn *turn_list; // a stack: each position on the way has its part
    unsigned turn_count;
    CellSet *answer_list; // a stack like it
    unsigned answer_count;
    // Of the search under way.
    Limits limits;
    unsigned singles; // turns in a line that may leave the defender free stones
    FreeStones free;
    uint64_t nodes;
    bool out;        // a limit has been reached: what comes back from here on is worth nothing
    bool incomplete; // some list had no room
    Board root;
    WindowTally tally;
    Turns turns;
};

// Won in that many turns, or not won in that many.
typedef struct {
    bool won;
    uint8_t turns;
} Finding;

// The position on the tally, and how many single threats may occur.
static inline uint64_t double_threat_key(const DoubleThreat *search, unsigned singles)
{
    return board_key(&search->tally.board) ^ singles * UINT64_C(0xd6e8feb86659fd93);
}

static inline Entry *double_threat_entry(const DoubleThreat *search, unsigned singles)
{
    return &search->entries[double_threat_key(search, singles) & search->mask];
}

// Whether the table knows enough; if not, `finding` is what it does know.
bool double_threat_recall(const DoubleThreat *search, unsigned singles, unsigned turns, Finding *finding);

// Returns what was found.
Finding double_threat_remember(DoubleThreat *search, unsigned singles, Finding finding, const CellSet *turn);

// One more turn than what was found after an answer.
static inline uint8_t double_threat_turns_before(uint8_t turns)
{
    return turns == TURNS_EVER ? (uint8_t)TURNS_EVER : (uint8_t)(turns + 1);
}

// Plays stones of one turn, and takes them back; the state is the one before all of them.
static inline BoardState double_threat_play(WindowTally *tally, const CellSet *stones)
{
    BoardState before = tally->board.state;
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && stones->cell[i] != CELL_NONE; i++)
        (void)window_tally_play(tally, stones->cell[i]);
    return before;
}

static inline void double_threat_undo(WindowTally *tally, const CellSet *stones, BoardState before)
{
    for (unsigned i = cell_set_count(stones); i-- > 0;)
        window_tally_undo(tally, stones->cell[i], before);
}

// All threats of the attacker after his turn, which is on the board. After an answer there are none, so that but for
// the first turn, which may have been under way, the stones of a turn have made them all. They are in turns.targets;
// returns how many, more than TURNS_TARGETS_MAX where there was no room.
unsigned double_threat_targets(DoubleThreat *search, const CellSet *turn);

// The answers to the attacker's threats, on top of the stack; none when there are too many threats to stop, or the row
// is complete. The attacker's turn is on the board, and leaves the defender no free stone.
unsigned double_threat_push_answers(DoubleThreat *search, const CellSet *turn, const CellSet **answers);

// Whether the attacker, whose turn begins or continues, wins within that many turns.
Finding double_threat_attack(DoubleThreat *search, unsigned turns);

// Whether a turn that leaves no free stones wins against every answer within that many turns, of which `singles` may
// leave some. The answer that holds out longest counts.
typedef Finding DoubleThreatTry(DoubleThreat *search, const CellSet *turn, unsigned turns, unsigned singles);
DoubleThreatTry double_threat_try_turn;

// Tries the `count` turns on top of the stack until one wins, and takes them off. Not won in the fewest turns that one
// of them was not; without turns, for ever.
Finding double_threat_try_each(DoubleThreat *search, unsigned count, unsigned turns, unsigned singles,
                               DoubleThreatTry *try_turn, CellSet *turn);

// The same as double_threat_attack with more and more free stones.
Finding double_threat_attack_in_steps(DoubleThreat *search, unsigned turns);
