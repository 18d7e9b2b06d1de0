// Turn generation of the double-threat search: the sets of stones that make enough threats.
//
// A core is a minimal set of stones after which at least `target` stones are needed to stop the threats. Without any
// one of its stones fewer suffice: a threat through the stone's cell is lost, or has one more cell where it can be
// stopped. So each stone of a core is in a window that is a threat afterwards, and the core has at least as many cells
// of this window as it lacked to be one. Call that many empty cells of one window, or one cell of a window that was a
// threat before, an option: a core is a union of options. This also holds under `exact`, where stones may spoil
// threats, since removing a stone cannot spoil one.
//
// The stones of a turn beyond its core meet the threats of the defender; the rest are free. Without `exact` an own
// stone never does harm, so that any cell will do if a free stone does not matter.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    CellSet stones;
    int32_t rank; // higher is better
} DoubleThreatTurn;

enum {
    TURNS_OPTIONS_MAX = 4096,
    TURNS_TARGETS_MAX = 4096,
    TURNS_EVER = UINT8_MAX, // any number of turns
    TURNS_POLL = 64,        // sets of stones examined between two polls
};

// Where free stones are tried: on any one cell, in windows where they are likely to help, wherever they can matter.
// Most wins need only the first.
typedef enum { FREE_ANYWHERE, FREE_LIKELY, FREE_ALL } FreeStones;

typedef struct {
    unsigned target; // the defender must need at least so many stones: p, or p + 1 to win at once
    unsigned later;  // turns of the attacker that may follow before the last one
    FreeStones free;
    unsigned below; // the defender must need fewer stones than this; 0: no bound
} TurnsWanted;

// Called while a list is made, which takes long on large boards; true ends it.
typedef bool (*TurnsPoll)(void *context);

// Working memory of the turn generation, reused for every position.
typedef struct {
    TurnsPoll poll; // set once, with its context
    void *poll_context;
    uint64_t looked; // sets of stones examined
    bool out;        // the poll has ended the list
    WindowTally *tally;
    Side side;
    unsigned stones; // of the turn
    TurnsWanted wanted;
    DoubleThreatTurn *list;
    unsigned count, most;
    bool is_full; // a list had no room: turns may be missing
    bool is_cut;  // left out free stones that would matter in more turns
    unsigned option_count, single_count;
    CellSet options[TURNS_OPTIONS_MAX];      // options of one stone first
    uint8_t single_least[TURNS_OPTIONS_MAX]; // stones needed against an option of one stone alone
    unsigned open_count;
    uint16_t open[TURNS_TARGETS_MAX]; // windows of the attacker that are threats or that the turn can turn into threats
    unsigned base_count;
    uint16_t base[TURNS_TARGETS_MAX]; // windows that are threats before the turn
    unsigned held_count;
    CellSet held[TURNS_TARGETS_MAX]; // threats of the defender, to be met
    CellSet targets[TURNS_TARGETS_MAX];
    Cell free[RULES_CELLS_MAX]; // empty cells, those that matter first
    unsigned free_count, free_matters;
} Turns;

// Prepares for the position of the tally, with the attacker to move. False if no turn makes threats or the defender's
// threats cannot be met.
bool turns_begin(Turns *turns, WindowTally *tally);

// Lists every wanted turn, best ranked first; of those that win at once, one. The tally must be as it was at
// turns_begin.
void turns_make(Turns *turns, const TurnsWanted *wanted, DoubleThreatTurn *list, unsigned most);

// --- The search. Numbers of turns do not include the one that completes the row. ---

enum {
    TURNS_MAX = 1 << 17, // of all positions on the current line
    ANSWERS_OF_TURN =
        WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX * WINDOW_TALLY_P_MAX, // each stone one of p cells
};

// A transposition table entry.
typedef struct {
    uint64_t key;
    uint32_t age;
    uint8_t won;  // in this many turns; 0: not known
    uint8_t lost; // no win in this many turns, with `free` or less
    uint8_t free; // a FreeStones
    CellSet turn; // that wins
} Entry;

struct DoubleThreat {
    Entry *entries;
    uint64_t mask; // number of entries, a power of two, less 1
    uint32_t age;
    DoubleThreatTurn *turn_list; // a stack with a section for each position of the current line
    unsigned turn_count;
    CellSet *answer_list; // likewise
    unsigned answer_count;
    // The current search.
    Limits limits;
    unsigned singles; // turns per line that may leave the defender free stones
    FreeStones free;
    uint64_t nodes;
    bool out;        // a limit was reached: results from here on are invalid
    bool incomplete; // some list had no room
    Board root;
    WindowTally tally;
    Turns turns;
};

// Won in so many turns, or not won in so many.
typedef struct {
    bool won;
    uint8_t turns;
} Finding;

static inline uint64_t double_threat_key(const DoubleThreat *search, unsigned singles)
{
    return board_key(&search->tally.board) ^ singles * UINT64_C(0xd6e8feb86659fd93);
}

static inline Entry *double_threat_entry(const DoubleThreat *search, unsigned singles)
{
    return &search->entries[double_threat_key(search, singles) & search->mask];
}

// Whether the table answers the question; if not, `finding` is the best result that it has.
bool double_threat_recall(const DoubleThreat *search, unsigned singles, unsigned turns, Finding *finding);

// Stores a result in the table and returns it.
Finding double_threat_remember(DoubleThreat *search, unsigned singles, Finding finding, const CellSet *turn);

static inline uint8_t double_threat_turns_before(uint8_t turns)
{
    return turns == TURNS_EVER ? (uint8_t)TURNS_EVER : (uint8_t)(turns + 1);
}

// Plays the stones of a turn and takes them back; returns and needs the state before the first of them.
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

// Stores all threats of the attacker after its turn, which is on the board, in turns.targets; returns how many, more
// than TURNS_TARGETS_MAX if there is no room. An answer leaves no threats, so the turn made all of them; only the first
// turn may have begun before the search.
unsigned double_threat_targets(DoubleThreat *search, const CellSet *turn);

// Pushes the answers to the attacker's threats; none if the threats cannot be stopped or the row is complete. The
// attacker's turn is on the board and leaves the defender no free stone.
unsigned double_threat_push_answers(DoubleThreat *search, const CellSet *turn, const CellSet **answers);

// Whether the attacker, whose turn begins or continues, wins within `turns` turns.
Finding double_threat_attack(DoubleThreat *search, unsigned turns);

// Whether a turn without free stones wins against every answer within `turns` turns, of which `singles` may leave free
// stones. The longest defence counts.
typedef Finding DoubleThreatTry(DoubleThreat *search, const CellSet *turn, unsigned turns, unsigned singles);
DoubleThreatTry double_threat_try_turn;

// Tries the `count` turns on top of the stack until one wins, and pops them. If none wins, returns the smallest number
// of turns in which one of them does not win; TURNS_EVER without turns.
Finding double_threat_try_each(DoubleThreat *search, unsigned count, unsigned turns, unsigned singles,
                               DoubleThreatTry *try_turn, CellSet *turn);

// double_threat_attack with each of FreeStones, until one wins.
Finding double_threat_attack_in_steps(DoubleThreat *search, unsigned turns);
