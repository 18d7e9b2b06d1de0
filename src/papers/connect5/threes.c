// Wins by fours and threes: the replies to a three, and the search over them.
#include "papers/connect5/threes.h"

#include "agents/search/minimax_table.h"
#include "base/memory.h"
#include "papers/connect5/forcing.h"
#include "threats/fours.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEQUENCES = 60,   // cap of each search for forcing sequences
    MOVES_MAX = 64,   // attacker's moves per position: those with the fewest replies
    REPLIES_MAX = 48, // a three with more replies is not searched
    LEVELS_MAX = 40,  // attacker's moves on a line of the search, including answers to fours
    PAIRS_MAX = 512,  // defender's windows at one step of a sequence
};

struct Threes {
    Forcing *forcing;
    Table table;
    Fours fours;
    Board board;
    Side attacker, defender;
    Limits limits;
    uint64_t nodes;
    unsigned level;
    bool out;    // a limit has been reached: results are meaningless until the search has returned
    bool is_cut; // some position below the current one might be won with more threes
    FourPair pairs[PAIRS_MAX];
};

// The result of a search: the number of stones to the end, 0 if no win was found.
typedef unsigned Stones;

bool threes_suits(const Rules *rules)
{
    return forcing_suits(rules) && !rules->gravity;
}

Status threes_open(Threes **search, const Rules *rules, size_t table_bytes, Error *error)
{
    assert(threes_suits(rules));
    Threes *made = memory_new(1, sizeof *made);
    Status status = table_open(&made->table, table_bytes, error);
    made->forcing = forcing_open(rules, SEQUENCES);
    fours_init(&made->fours, rules);
    *search = made;
    if (status != STATUS_OK) {
        threes_close(made);
        *search = NULL;
    }
    return status;
}

void threes_close(Threes *search)
{
    if (search == NULL)
        return;
    forcing_close(search->forcing);
    table_close(&search->table);
    free(search);
}

// The side to move passes. With one stone per turn only the side changes.
static void pass(Board *board)
{
    board->state.turn ^= UINT64_C(1) << 32;
}

// Searches forcing sequences of the attacker, who is to move. The clock is read each time, which costs far less than
// the search.
static bool force(Threes *search, ForcingResult *result)
{
    search->nodes++;
    search->out = search->out || limits_reached_every(&search->limits, search->nodes - 1, 1);
    forcing_run(search->forcing, &search->board, SEQUENCES, result);
    return result->won;
}

// --- Replies to a three ---

// Cells as bits of rows, and as a list in the order of examination.
typedef struct {
    uint64_t rows[RULES_SIDE_MAX];
    unsigned count;
    Cell cells[REPLIES_MAX]; // the first ones, in the order they were added
} Replies;

static void add_reply(Replies *replies, Cell cell)
{
    uint64_t *row = &replies->rows[cell_row(cell)];
    if ((*row & cell_bit_in_row(cell)) != 0)
        return;
    *row |= cell_bit_in_row(cell);
    if (replies->count < REPLIES_MAX)
        replies->cells[replies->count] = cell;
    replies->count++;
}

static void add_pairs(Threes *search, Replies *replies, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        add_reply(replies, search->pairs[i].cell[0]);
        add_reply(replies, search->pairs[i].cell[1]);
    }
}

// Adds the empty cells of windows in which a side lacks two stones: windows through a cell or, with CELL_NONE, of the
// whole board. With more than PAIRS_MAX the three is not searched.
static void add_lacking(Threes *search, Replies *replies, Cell cell, Side side)
{
    unsigned count = cell == CELL_NONE
                         ? fours_all(&search->fours, &search->board, side, search->pairs, PAIRS_MAX).count
                         : fours_pairs(&search->fours, &search->board, cell, side, NULL, search->pairs, PAIRS_MAX);
    if (count == PAIRS_MAX)
        replies->count = REPLIES_MAX + 1;
    add_pairs(search, replies, count);
}

// All replies that may refute the sequence of the last search for forcing sequences. The board is that of the search,
// before and after.
static void find_replies(Threes *search, const ForcingResult *won, Replies *replies)
{
    unsigned length = 0;
    const ForcingStep *steps = forcing_sequence(search->forcing, won->sequences, &length);
    memset(replies, 0, offsetof(Replies, cells));
    // 1. Its own cells, the first ones first.
    for (unsigned i = 0; i < length; i++) {
        add_reply(replies, steps[i].move);
        add_reply(replies, steps[i].answer);
    }
    // 2. Step by step, cells that could give the defender a threat after a move; before the last move, its threats.
    for (unsigned i = 0; i < length; i++) {
        if (i + 1 == length)
            add_lacking(search, replies, steps[i].move, search->attacker);
        fours_flip(&search->board, steps[i].move, search->attacker);
        add_lacking(search, replies, i > 0 ? steps[i - 1].answer : (Cell)CELL_NONE, search->defender);
        fours_flip(&search->board, steps[i].answer, search->defender);
    }
    for (unsigned i = 0; i < length; i++) {
        fours_flip(&search->board, steps[i].move, search->attacker);
        fours_flip(&search->board, steps[i].answer, search->defender);
    }
}

// The effect of the attacker's last stone.
typedef enum { MOVE_NOTHING, MOVE_THREE, MOVE_FOUR, MOVE_WINS } MoveKind;

// Returns the effect of the attacker's stone on the board, and the replies to it. `stones` receives the number of
// stones to the end after any other reply, including that reply. The defender is to move and has no threat.
static MoveKind look_at_move(Threes *search, Cell move, Replies *replies, Stones *stones)
{
    FourTargets threats = {0};
    ForcingResult result;
    fours_targets(&search->fours, &search->board, move, search->attacker, &threats);
    *stones = 2; // any reply, and the row
    if (threats.count > 1)
        return MOVE_WINS;
    if (threats.count == 1) {
        memset(replies, 0, offsetof(Replies, cells));
        add_reply(replies, threats.cell);
        return MOVE_FOUR;
    }
    pass(&search->board);
    bool won = force(search, &result);
    if (won)
        find_replies(search, &result, replies);
    pass(&search->board);
    *stones = result.stones + 1;
    return won && replies->count <= REPLIES_MAX ? MOVE_THREE : MOVE_NOTHING;
}

// --- The search ---

static Stones attack(Threes *search, unsigned threes, Cell *move);

// Whether the attacker's last stone wins against every reply; returns the length of the longest defence. The defender
// is to move and has no threat.
static Stones defend(Threes *search, Cell move, unsigned threes)
{
    Replies replies;
    Stones longest = 0;
    MoveKind kind = look_at_move(search, move, &replies, &longest);
    if (kind == MOVE_NOTHING || kind == MOVE_WINS)
        return kind == MOVE_WINS ? longest : 0;
    for (unsigned i = 0; i < replies.count && !search->out; i++) {
        Cell reply = replies.cells[i], next = CELL_NONE;
        if (!board_is_legal(&search->board, reply))
            continue;
        BoardState before = board_play(&search->board, reply);
        Stones after = board_is_over(&search->board) ? 0 : attack(search, threes, &next);
        board_undo(&search->board, reply, before);
        if (after == 0)
            return 0;
        longest = after + 1 > longest ? after + 1 : longest;
    }
    return longest;
}

static Stones try_move(Threes *search, Cell move, unsigned threes)
{
    if (search->level == LEVELS_MAX) {
        search->is_cut = true;
        return 0;
    }
    BoardState before = board_play(&search->board, move);
    search->level++;
    Stones after = board_is_over(&search->board) ? 0 : defend(search, move, threes);
    search->level--;
    board_undo(&search->board, move, before);
    return after > 0 ? after + 1 : 0;
}

typedef struct {
    Cell cell;
    uint16_t replies;
} Move;

// Inserts a move into the list, which is sorted by the number of replies; drops the last if the list is full.
static void insert_move(Move *moves, unsigned *count, Move move)
{
    unsigned at = *count < MOVES_MAX ? (*count)++ : MOVES_MAX;
    for (; at > 0 && moves[at - 1].replies > move.replies; at--)
        if (at < MOVES_MAX)
            moves[at] = moves[at - 1];
    if (at < MOVES_MAX)
        moves[at] = move;
}

// Lists all threes and fours.
static unsigned find_moves(Threes *search, Move moves[MOVES_MAX])
{
    uint64_t rows[RULES_SIDE_MAX];
    unsigned count = 0;
    fours_cells(&search->fours, &search->board, search->attacker, FOURS_LACKING_MAX, rows);
    for (unsigned row = 0; row < search->board.rules.height; row++)
        for (uint64_t cells = rows[row]; cells != 0 && !search->out; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            Replies replies;
            Stones stones = 0;
            BoardState before = board_play(&search->board, cell);
            MoveKind kind = look_at_move(search, cell, &replies, &stones);
            board_undo(&search->board, cell, before);
            if (kind != MOVE_NOTHING)
                insert_move(moves, &count, (Move){cell, (uint16_t)(kind == MOVE_WINS ? 0 : replies.count)});
        }
    return count;
}

static Stones try_moves(Threes *search, unsigned threes, Cell *move)
{
    Move moves[MOVES_MAX];
    unsigned count = find_moves(search, moves);
    for (unsigned i = 0; i < count && !search->out; i++) {
        Stones stones = try_move(search, moves[i].cell, threes - 1);
        *move = moves[i].cell;
        if (stones > 0)
            return stones;
    }
    return 0;
}

static void remember(Threes *search, unsigned threes, Stones stones, Cell move)
{
    TableEntry entry = {.key = board_key(&search->board),
                        .value = stones,
                        .best = move,
                        .depth = (uint8_t)threes,
                        .bound = BOUND_EXACT,
                        .proven = !search->is_cut};
    table_put(&search->table, &entry);
}

// Whether the table has a sufficient result. Proven entries and wins hold for any number of threes.
static bool recall(Threes *search, unsigned threes, Stones *stones, Cell *move)
{
    const TableEntry *entry = table_find(&search->table, board_key(&search->board));
    if (entry == NULL || (entry->value == 0 && !entry->proven && entry->depth < threes))
        return false;
    search->is_cut = search->is_cut || (entry->value == 0 && !entry->proven);
    *stones = (Stones)entry->value;
    *move = entry->best;
    return true;
}

// Whether the attacker, who is to move, wins with at most this number of threes.
static Stones attack(Threes *search, unsigned threes, Cell *move)
{
    ForcingResult forced;
    Stones stones = 0;
    // 1. Existing threats: an own one wins; one threat of the defender must be answered, two cannot be.
    FoursFound found = fours_all(&search->fours, &search->board, search->attacker, search->pairs, 0);
    *move = found.own.count > 0 ? found.own.cell : found.other.cell;
    if (found.own.count > 0 || found.other.count > 1)
        return found.own.count > 0 ? 1 : 0;
    if (recall(search, threes, &stones, move))
        return stones;
    bool was_cut = search->is_cut;
    search->is_cut = false;
    if (found.other.count == 1)
        stones = try_move(search, *move, threes);
    // 2. Forcing sequences alone, then threes.
    else if (force(search, &forced)) {
        stones = forced.stones;
        *move = forced.move;
    } else if (threes > 0)
        stones = try_moves(search, threes, move);
    else
        search->is_cut = true;
    if (search->out)
        return 0;
    remember(search, threes, stones, *move);
    search->is_cut = search->is_cut || was_cut;
    return stones;
}

void threes_run(Threes *search, const Board *board, const Limits *limits, ThreesResult *result)
{
    assert(!board_is_over(board));
    unsigned most = limits->depth > 0 && limits->depth < THREES_MAX ? limits->depth : (unsigned)THREES_MAX;
    *result = (ThreesResult){.move = CELL_NONE};
    board_copy(&search->board, board);
    search->attacker = board_side(board);
    search->defender = side_other(search->attacker);
    search->limits = *limits;
    search->nodes = 0;
    search->out = false;
    search->is_cut = board_stones_left(board) == 1; // a longer first turn is not searched
    table_clear(&search->table);
    for (unsigned threes = 0; threes <= most && !result->won && !search->out && search->is_cut; threes++) {
        search->is_cut = false;
        result->stones = attack(search, threes, &result->move);
        result->won = result->stones > 0 && !search->out;
        result->threes = threes;
    }
    result->nodes = search->nodes;
    if (!result->won)
        *result = (ThreesResult){.move = CELL_NONE, .nodes = search->nodes};
}
