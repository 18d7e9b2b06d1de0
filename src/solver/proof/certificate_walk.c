// The walk through all positions of a certificate.
#include "base/limits.h"
#include "base/memory.h"
#include "solver/proof/certificate_internal.h"
#include "threats/lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_EVERY = 4096 }; // positions between checks of the stop flag

// --- Beginning and end ---

static void set_turns(CertificateWalk *walk)
{
    walk->turn = board_turn_after(&walk->start, walk->start.state.turn, walk->layer);
    walk->next_turn = board_turn_after(&walk->start, walk->start.state.turn, walk->layer + 1);
}

Status walk_no_memory(Error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "not enough memory for the proof");
}

// The memory left for the next layer.
static uint64_t memory_left(const CertificateWalk *walk)
{
    uint64_t taken = position_set_bytes(&walk->now) + walk->kept_bytes;
    return taken < walk->options.memory ? walk->options.memory - taken : 0;
}

static Status add_next(CertificateWalk *walk, const uint64_t *key, Error *error)
{
    if (!position_set_add(&walk->next, key, memory_left(walk)))
        return error_set(error, STATUS_NO_MEMORY,
                         "%zu positions after %u stones are not all of them, and %llu MB of memory are taken",
                         walk->next.count, walk->layer + 1, (unsigned long long)(walk->options.memory >> 20));
    return STATUS_OK;
}

// --- Ends ---

static bool side_has_won(const Board *board, Side side)
{
    return board_winner(board) == (side == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
}

// Whether a stone of the side to move on a legal cell completes a row.
static bool wins_at(Board *board, Cell cell)
{
    Side side = board_side(board);
    BoardState before = board_play(board, cell);
    bool won = side_has_won(board, side);
    board_undo(board, cell, before);
    return won;
}

static bool wins_at_once(Board *board)
{
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            if (wins_at(board, cell_at(bits_lowest(legal), row)))
                return true;
    return false;
}

typedef enum { CHILD_LISTED, CHILD_PROVED, CHILD_LOST, CHILD_DRAWN } Child;

// Records the length of a proved line.
static Child proved(CertificateWalk *walk, unsigned stones)
{
    if (stones > walk->facts.depth)
        walk->facts.depth = stones;
    return CHILD_PROVED;
}

// Classifies a position after `stones` stones of the walk. After a stone of the opponent, judge_reply finds wins faster
// and has checked the room for rows.
static Child judge_end(CertificateWalk *walk, const Board *board, unsigned stones)
{
    if (side_has_won(board, side_other(walk->claim.side)))
        return CHILD_LOST;
    if (side_has_won(board, walk->claim.side))
        return proved(walk, stones);
    if (board_count(board) < board->cells)
        return CHILD_LISTED;
    return walk->claim.wins ? CHILD_DRAWN : proved(walk, stones);
}

static Child judge(CertificateWalk *walk, Board *board, unsigned stones)
{
    Child child = judge_end(walk, board, stones);
    if (child != CHILD_LISTED)
        return child;
    if (!walk->claim.wins && pairing_is_needless(walk, board))
        return proved(walk, stones);
    if (board_side(board) != walk->claim.side)
        return CHILD_LISTED;
    unsigned left = walk->version == CERTIFICATE_TURNS ? board_stones_left(board) : 1;
    if (left > 1 ? lines_can_complete(board, walk->claim.side, left) : wins_at_once(board))
        return proved(walk, stones + left);
    return CHILD_LISTED;
}

static const char *fault_text(const CertificateWalk *walk, Child child)
{
    if (child == CHILD_DRAWN)
        return "the board is full and neither side has won";
    return walk->claim.side == SIDE_FIRST ? "the second player has won" : "the first player has won";
}

// Reports an error at the position after a stone.
static Status fault_after(CertificateWalk *walk, Cell cell, Side side, Child child, Error *error)
{
    walk->has_fault = true;
    walk->fault_layer = walk->layer + 1;
    position_view_key_after(&walk->view, cell, side, walk->fault_key);
    return error_set(error, STATUS_BAD_INPUT, "%s", fault_text(walk, child));
}

Status walk_fault(CertificateWalk *walk, Status status, Error *error, const char *words)
{
    walk->has_fault = true;
    walk->fault_layer = walk->layer;
    position_view_key(&walk->view, walk->fault_key);
    return error_set(error, status, "%s", words);
}

// --- Opening and closing ---

// Allocates the answers of this layer, all unknown.
static Status open_answers(CertificateWalk *walk, Error *error)
{
    size_t bytes = walk->now.count * sizeof(Cell);
    if (!walk->keeps || !walk_is_own(walk) || bytes == 0)
        return STATUS_OK;
    Cell *answers = malloc(bytes);
    if (answers == NULL)
        return walk_no_memory(error);
    memset(answers, 0xff, bytes); // CELL_NONE
    walk->kept_answers[walk->layer] = answers;
    return STATUS_OK;
}

Status walk_begin(CertificateWalk *walk, Error *error)
{
    uint64_t key[POSITION_WORDS_MAX];
    Child child = judge(walk, &walk->view.board, 0);
    position_view_key(&walk->view, key);
    if (child == CHILD_LOST || child == CHILD_DRAWN)
        return walk_fault(walk, STATUS_BAD_INPUT, error, fault_text(walk, child));
    if (child == CHILD_LISTED && !position_set_add(&walk->now, key, memory_left(walk)))
        return walk_no_memory(error);
    return open_answers(walk, error);
}

CertificateWalk *walk_open(const WalkTask *task, bool keeps)
{
    const Board *start = task->start;
    CertificateWalk *walk = memory_new(1, sizeof *walk);
    walk->claim = walk->facts.claim = task->claim;
    walk->version = task->version;
    walk->options = task->options != NULL ? *task->options : (CertificateOptions){0};
    if (walk->options.memory == 0)
        walk->options.memory = CERTIFICATE_MEMORY;
    walk->keeps = keeps;
    walk->next_limit = UINT64_MAX;
    board_copy(&walk->start, start);
    for (unsigned line = 0; line < start->line_count; line++)
        walk->line_cells[line] = lines_mask(start, line);
    set_turns(walk);
    position_view_begin(&walk->view, start);
    walk->now.words = walk->next.words = walk->view.words;
    if (keeps) {
        size_t layers = start->cells + 2u;
        walk->kept = memory_new(layers, sizeof *walk->kept);
        walk->kept_answers = memory_new(layers, sizeof *walk->kept_answers);
    }
    return walk;
}

void walk_close(CertificateWalk *walk)
{
    if (walk == NULL)
        return;
    for (unsigned i = 0; i < walk->layer && walk->kept != NULL; i++)
        position_set_close(&walk->kept[i]);
    for (unsigned i = 0; i <= walk->layer && walk->kept_answers != NULL; i++)
        free(walk->kept_answers[i]);
    free(walk->kept);
    free((void *)walk->kept_answers);
    position_set_close(&walk->now);
    position_set_close(&walk->next);
    free(walk);
}

void walk_load(CertificateWalk *walk, size_t i)
{
    position_view_load(&walk->view, position_set_key(&walk->now, i), walk->turn);
}

static Status report(CertificateWalk *walk, size_t done, Error *error)
{
    const CertificateOptions *options = &walk->options;
    if (done % REPORT_EVERY != 0)
        return STATUS_OK;
    if (options->progress != NULL)
        options->progress(options->context, &walk->facts, walk->layer, done, walk->now.count);
    if (stop_is_raised(options->stop))
        return error_set(error, STATUS_INTERRUPTED, "interrupted after %llu answers",
                         (unsigned long long)walk->facts.answers);
    return STATUS_OK;
}

Status walk_each(CertificateWalk *walk, WalkStep *step, void *context, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < walk->now.count && status == STATUS_OK; i++) {
        status = report(walk, i, error);
        if (status != STATUS_OK)
            break;
        walk_load(walk, i);
        status = step(walk, context, i, error);
    }
    return status;
}

static void keep_layer(CertificateWalk *walk)
{
    walk->kept_bytes += position_set_bytes(&walk->now) + walk->now.count * sizeof(Cell);
    walk->kept[walk->layer] = walk->now;
    walk->now = (PositionSet){.words = walk->view.words};
}

Status walk_advance(CertificateWalk *walk, Error *error)
{
    walk->facts.positions += walk->now.count;
    if (walk->keeps)
        keep_layer(walk);
    else
        position_set_close(&walk->now);
    walk->now = walk->next;
    walk->next = (PositionSet){.words = walk->view.words};
    walk->next_limit = UINT64_MAX;
    walk->layer++;
    set_turns(walk);
    return open_answers(walk, error);
}

// --- Replies of the opponent ---

// Cells where the side would complete a row if it were to move instead of the opponent. Stones of the opponent
// elsewhere do not change them.
//
// If the side may use several stones (`left` > 1): whether it could complete a row in its turn, and the cells that all
// such windows have in common, the only ones where a stone of the opponent stops all of them.
typedef struct {
    unsigned left;                 // stones that the side may use
    bool has_window;               // with several stones
    unsigned count;                // cells
    uint64_t rows[RULES_SIDE_MAX]; // the cells, as bits
} WinningCells;

// Keeps the common cells that this window has too.
static void add_window(WinningCells *wins, const Board *board, unsigned line, uint64_t empty)
{
    uint64_t cells[RULES_SIDE_MAX] = {0};
    for (; empty != 0; empty &= empty - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(empty));
        cells[cell_row(cell)] |= cell_bit_in_row(cell);
    }
    for (unsigned row = 0; row < board->rules.height; row++)
        wins->rows[row] = wins->has_window ? wins->rows[row] & cells[row] : cells[row];
    wins->has_window = true;
}

static void find_winning_windows(const CertificateWalk *walk, const Board *board, WinningCells *wins)
{
    Side side = walk->claim.side;
    uint64_t window_cells = bits_low(board->rules.k);
    wins->has_window = false;
    for (unsigned line = 0; line < board->line_count; line++) {
        uint64_t own = board->line[line][side], other = board->line[line][side_other(side)];
        for (uint64_t low = lines_windows(board, walk->line_cells[line] & ~other); low != 0; low &= low - 1) {
            uint64_t window = window_cells << bits_lowest(low), empty = window & ~own;
            if (bits_count(empty) <= wins->left && row_window_wins(&board->rules, own, window))
                add_window(wins, board, line, empty);
        }
    }
}

// `turn` is the one after the opponent's stone.
static void find_winning_cells(const CertificateWalk *walk, Board *board, uint64_t turn, WinningCells *wins)
{
    unsigned empty = board->cells - board_count(board) - 1, left = (unsigned)(turn & 0xffff);
    wins->left = walk->version == CERTIFICATE_STONES ? 1 : left < empty ? left : empty;
    if (wins->left > 1) {
        find_winning_windows(walk, board, wins);
        return;
    }
    BoardState state = board->state;
    board->state.turn = turn - (UINT64_C(1) << 16);
    wins->count = 0;
    for (unsigned row = 0; row < board->rules.height; row++) {
        wins->rows[row] = 0;
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            if (wins_at(board, cell_at(bits_lowest(legal), row)))
                wins->rows[row] |= legal & -legal;
        wins->count += bits_count(wins->rows[row]);
    }
    board->state = state;
}

// Whether the side completes a row after the reply on the board: at one of these cells, or under gravity on top of the
// reply.
static bool still_wins(const WinningCells *wins, Board *board, Cell reply)
{
    unsigned row = cell_row(reply);
    unsigned taken = wins->rows[row] >> cell_column(reply) & 1;
    if (wins->left > 1)
        return wins->has_window && !taken;
    if (wins->count > taken)
        return true;
    Cell above = cell_at(cell_column(reply), row + 1);
    return board->rules.gravity && row + 1u < board->rules.height && wins_at(board, above);
}

// `wins` is NULL if the opponent continues its turn.
static Child judge_reply(CertificateWalk *walk, Board *board, const WinningCells *wins, Cell reply)
{
    Child child = judge_end(walk, board, walk->layer + 1);
    if (child == CHILD_LISTED && wins != NULL && still_wins(wins, board, reply))
        return proved(walk, walk->layer + 1 + wins->left);
    return child;
}

// The file has too few answers: the last position found has none.
static Status refuse_too_many(CertificateWalk *walk, const uint64_t *key, Error *error)
{
    walk->has_fault = true;
    walk->fault_layer = walk->layer + 1;
    memcpy(walk->fault_key, key, walk->view.words * sizeof *key);
    return error_set(error, STATUS_BAD_INPUT, "there is no answer to this; the file has %llu for this many stones",
                     (unsigned long long)walk->next_limit);
}

static Status take_reply(CertificateWalk *walk, const WinningCells *wins, Cell reply, Error *error)
{
    Board *board = &walk->view.board;
    Side side = board_side(board);
    BoardState before = board_play(board, reply);
    Child child = judge_reply(walk, board, wins, reply);
    board_undo(board, reply, before);
    if (child == CHILD_PROVED)
        return STATUS_OK;
    if (child != CHILD_LISTED)
        return fault_after(walk, reply, side, child, error);
    uint64_t key[POSITION_WORDS_MAX];
    position_view_key_after(&walk->view, reply, side, key);
    Status status = add_next(walk, key, error);
    if (status == STATUS_OK && walk->next.count > walk->next_limit)
        return refuse_too_many(walk, key, error);
    return status;
}

static Status expand_position(CertificateWalk *walk, void *context, size_t i, Error *error)
{
    (void)context;
    (void)i;
    Board *board = &walk->view.board;
    Cell cells[RULES_CELLS_MAX];
    WinningCells wins;
    unsigned count = board_legal_cells(board, cells);
    bool own = walk_next_is_own(walk) && board_count(board) + 1u < board->cells;
    if (own)
        find_winning_cells(walk, board, walk->next_turn, &wins);
    Status status = STATUS_OK;
    for (unsigned reply = 0; reply < count && status == STATUS_OK; reply++)
        status = take_reply(walk, own ? &wins : NULL, cells[reply], error);
    return status;
}

Status walk_expand(CertificateWalk *walk, Error *error)
{
    return walk_each(walk, expand_position, NULL, error);
}

// --- Answers ---

Status walk_answer(CertificateWalk *walk, size_t i, Cell cell, bool ends, Error *error)
{
    Board *board = &walk->view.board;
    if (walk->keeps)
        walk->kept_answers[walk->layer][i] = cell;
    walk->facts.answers++;
    BoardState before = board_play(board, cell);
    Child child = judge(walk, board, walk->layer + 1);
    board_undo(board, cell, before);
    if (child == CHILD_LOST || child == CHILD_DRAWN)
        return fault_after(walk, cell, walk->claim.side, child, error);
    if (child == CHILD_LISTED && ends)
        child = proved(walk, walk->layer + 1);
    if (child == CHILD_PROVED)
        return STATUS_OK;
    uint64_t key[POSITION_WORDS_MAX];
    position_view_key_after(&walk->view, cell, walk->claim.side, key);
    return add_next(walk, key, error);
}

bool walk_child(CertificateWalk *walk, Cell cell, uint64_t *key)
{
    CertificateFacts facts = walk->facts;
    BoardState before = board_play(&walk->view.board, cell);
    Child child = judge(walk, &walk->view.board, walk->layer + 1);
    board_undo(&walk->view.board, cell, before);
    walk->facts = facts;
    position_view_key_after(&walk->view, cell, walk->claim.side, key);
    return child == CHILD_LISTED;
}

// The number of replies of the opponent that need an answer.
static unsigned count_replies(const CertificateWalk *walk, Board *board)
{
    uint64_t turn = board_turn_after(board, board->state.turn, 1);
    bool own = (Side)(turn >> 32 & 1) == walk->claim.side;
    Cell cells[RULES_CELLS_MAX];
    WinningCells wins;
    unsigned count = board_legal_cells(board, cells), listed = 0;
    if (!own || board_count(board) + 1u == board->cells)
        return count;
    find_winning_cells(walk, board, turn, &wins);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(board, cells[i]);
        bool lost = side_has_won(board, side_other(walk->claim.side));
        listed += !lost && !still_wins(&wins, board, cells[i]);
        board_undo(board, cells[i], before);
        if (lost)
            return UINT_MAX;
    }
    return listed;
}

unsigned walk_replies(CertificateWalk *walk, Cell cell)
{
    Board *board = &walk->view.board;
    BoardState before = board_play(board, cell);
    bool own = board_side(board) == walk->claim.side;
    unsigned replies = board_is_over(board) || own ? 0 : count_replies(walk, board);
    board_undo(board, cell, before);
    return replies;
}
