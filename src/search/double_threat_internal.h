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

#include "search/double_threat.h"

typedef struct {
    CellSet stones;
    int32_t rank; // the better the higher
} Turn;

enum {
    TURNS_OPTIONS_MAX = 4096,
    TURNS_TARGETS_MAX = 4096,
    TURNS_EVER = UINT8_MAX, // any number of turns
    TURNS_POLL = 64,        // sets of stones looked at between two questions whether to go on
};

// Where free stones are tried: on one cell, in windows where they are likely to help, wherever they can matter. Most
// wins need no more than the first.
typedef enum { FREE_ANYWHERE, FREE_LIKELY, FREE_ALL } FreeStones;

typedef struct {
    unsigned target; // stones that the defender shall need at least: p, or p + 1 to win at once
    unsigned later;  // turns of the attacker that may follow before the last one
    FreeStones free;
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
