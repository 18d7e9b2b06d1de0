// The walk through the positions of a tree proof, with the zones of wins.
#include "solver/tree/tree_check.h"

#include "base/memory.h"
#include "game/notation.h"
#include "game/symmetry.h"

#include <stdlib.h>
#include <string.h>

enum { POLL = 4096, UNITS_MAX = RULES_CELLS_MAX };

struct TreeCheck {
    TreeBoard *board;
    const TreeSource *source;
    const TreeWatch *watch;
    TreeFacts *facts;
    uint8_t **frames; // levels of the positions of the current line, and of defaults
    unsigned frame_count, frames_used;
    uint16_t line[2 * RULES_CELLS_MAX]; // stones of the current line; TREE_NONE for a pass
    unsigned line_length, stones;       // stones counts those of passes
    const char *fault;
    uint16_t fault_line[2 * RULES_CELLS_MAX];
    unsigned fault_length;
    unsigned symmetries;
    uint16_t *picture;                // the image of each cell under each symmetry
    unsigned first_done, first_count; // replies to the first turn
    bool first_known;
};

TreeCheck *tree_check_open(TreeBoard *board)
{
    TreeCheck *check = memory_new(1, sizeof *check);
    check->board = board;
    check->symmetries = symmetry_count(&board->rules);
    check->picture = memory_new((size_t)check->symmetries * board->cell_count, sizeof *check->picture);
    for (unsigned s = 0; s < check->symmetries; s++)
        for (unsigned cell = 0; cell < board->cell_count; cell++)
            check->picture[s * board->cell_count + cell] =
                (uint16_t)tree_number(board, symmetry_cell(&board->rules, s, tree_cell(board, cell)));
    return check;
}

void tree_check_close(TreeCheck *check)
{
    if (check == NULL)
        return;
    for (unsigned i = 0; i < check->frame_count; i++)
        free(check->frames[i]);
    free(check->frames);
    free(check->picture);
    free(check);
}

// --- Levels ---

static uint8_t *new_frame(TreeCheck *check)
{
    if (check->frames_used == check->frame_count) {
        check->frames = memory_resize(check->frames, check->frame_count + 1, sizeof *check->frames);
        check->frames[check->frame_count++] = memory_new(check->board->cell_count, 1);
    }
    uint8_t *frame = check->frames[check->frames_used++];
    memset(frame, TREE_NEVER, check->board->cell_count);
    return frame;
}

static void lower(uint8_t *level, unsigned to)
{
    if (*level > to)
        *level = (uint8_t)to;
}

void tree_zone_add(const TreeBoard *board, uint8_t *restrict into, const uint8_t *restrict from)
{
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        into[cell] = into[cell] < from[cell] ? into[cell] : from[cell];
}

void tree_zone_add_default(const TreeBoard *board, uint8_t *restrict into, const uint8_t *restrict from,
                           unsigned stones)
{
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (from[cell] != TREE_NEVER)
            lower(&into[cell], from[cell] > stones ? from[cell] - stones : 1);
}

static void lower_row(const TreeBoard *board, unsigned row, unsigned to, uint8_t *zone)
{
    for (unsigned i = 0; i < board->k; i++)
        if (board->stone[tree_row(board, row)[i]] == TREE_EMPTY)
            lower(&zone[tree_row(board, row)[i]], to);
}

void tree_zone_add_rows(const TreeBoard *board, unsigned stones, unsigned most, uint8_t *zone)
{
    for (unsigned lacks = 1; lacks <= stones + most && lacks <= board->k; lacks++)
        for (unsigned group = 0; group < board->padded_rows / TREE_GROUP; group++)
            for (uint32_t rows = tree_rows_with(board, TREE_OPPONENT, group, board->k - lacks); rows != 0;
                 rows &= rows - 1)
                lower_row(board, group * TREE_GROUP + bits_lowest(rows), lacks > stones ? lacks - stones : 1, zone);
}

// --- The walk ---

static bool at_fault(TreeCheck *check, const char *words)
{
    if (check->fault == NULL) {
        check->fault = words;
        check->fault_length = check->line_length;
        memcpy(check->fault_line, check->line, check->line_length * sizeof *check->line);
    }
    return false;
}

static void place(TreeCheck *check, unsigned cell, TreeStone side)
{
    tree_board_place(check->board, cell, side);
    check->line[check->line_length++] = (uint16_t)cell;
    check->stones++;
}

static void take(TreeCheck *check, unsigned cell)
{
    tree_board_take(check->board, cell);
    check->line_length--;
    check->stones--;
}

static bool is_stopped(TreeCheck *check)
{
    const TreeWatch *watch = check->watch;
    if (watch == NULL || check->facts->positions % POLL != 0)
        return false;
    if (watch->progress != NULL)
        watch->progress(watch->context, check->facts, check->first_done, check->first_count);
    return stop_is_raised(watch->stop);
}

static unsigned stones_possible(const TreeBoard *board, unsigned stones)
{
    unsigned empty = board->cell_count - board->stones;
    return stones < empty ? stones : empty;
}

static void end_line(TreeCheck *check, unsigned row)
{
    unsigned length = check->stones + check->board->k - check->board->count[TREE_OWNER][row];
    if (length > check->facts->depth)
        check->facts->depth = length;
}

// The levels of a position: those up to `most` are wanted.
typedef struct {
    uint8_t *level;
    unsigned most;
} Zone;

static bool walk_opponent(TreeCheck *check, unsigned stones, const uint8_t *tried, Zone zone);

// The owner places this many stones.
static bool walk_owner(TreeCheck *check, unsigned stones, Zone zone)
{
    TreeBoard *board = check->board;
    check->facts->positions++;
    stones = stones_possible(board, stones);
    if (is_stopped(check))
        return false;
    unsigned row = tree_board_completes(board, TREE_OWNER, stones), cell;
    if (row < board->row_count) {
        lower_row(board, row, 1, zone.level);
        end_line(check, row);
        return true;
    }
    if (stones == 0)
        return at_fault(check, "the board is full");
    if (!check->source->answer(check->source->context, board, &cell))
        return false;
    if (cell >= board->cell_count || board->stone[cell] != TREE_EMPTY)
        return at_fault(check, "the answer is not an empty cell");
    check->facts->answers++;
    place(check, cell, TREE_OWNER);
    bool holds = stones > 1 ? walk_owner(check, stones - 1, zone) : walk_opponent(check, board->rules.p, NULL, zone);
    take(check, cell);
    lower(&zone.level[cell], 1);
    return holds;
}

// The win after a pass. An owner that threatens to complete a row does so.
static bool walk_default(TreeCheck *check, Zone zone, unsigned stones)
{
    check->line[check->line_length++] = TREE_NONE;
    check->stones += stones;
    bool holds = walk_owner(check, check->board->rules.p, zone);
    check->line_length--;
    check->stones -= stones;
    return holds;
}

// Which symmetries leave the position as it is, as bits.
static unsigned own_symmetries(const TreeCheck *check)
{
    const TreeBoard *board = check->board;
    unsigned found = 0;
    for (unsigned s = 0; s < check->symmetries; s++) {
        const uint16_t *picture = check->picture + (size_t)s * board->cell_count;
        unsigned cell = 0;
        while (cell < board->cell_count && board->stone[cell] == board->stone[picture[cell]])
            cell++;
        found |= (unsigned)(cell == board->cell_count) << s;
    }
    return found;
}

static bool is_lowest(const TreeCheck *check, unsigned symmetries, unsigned cell)
{
    for (unsigned s = 0; s < check->symmetries; s++)
        if ((symmetries >> s & 1) != 0 && check->picture[s * check->board->cell_count + cell] < cell)
            return false;
    return true;
}

// Levels of the replies that symmetries replace.
static void close_under(const TreeCheck *check, unsigned symmetries, uint8_t *zone)
{
    unsigned cells = check->board->cell_count;
    uint8_t before[RULES_CELLS_MAX];
    memcpy(before, zone, cells);
    for (unsigned s = 1; s < check->symmetries; s++)
        for (unsigned cell = 0; (symmetries >> s & 1) != 0 && cell < cells; cell++)
            lower(&zone[check->picture[s * cells + cell]], before[cell]);
}

bool tree_check_is_symmetric(const TreeCheck *check)
{
    return own_symmetries(check) != 1;
}

bool tree_check_is_lowest(const TreeCheck *check, unsigned cell)
{
    return is_lowest(check, own_symmetries(check), cell);
}

void tree_check_close_zone(const TreeCheck *check, uint8_t *zone)
{
    close_under(check, own_symmetries(check), zone);
}

static bool walk_reply(TreeCheck *check, unsigned cell, unsigned stones, const uint8_t *tried, Zone zone)
{
    unsigned frame = check->frames_used;
    uint8_t *after = new_frame(check);
    place(check, cell, TREE_OPPONENT);
    bool holds = stones > 1 ? walk_opponent(check, stones - 1, tried, (Zone){after, zone.most})
                            : walk_owner(check, check->board->rules.p, (Zone){after, zone.most});
    take(check, cell);
    tree_zone_add(check->board, zone.level, after);
    check->frames_used = frame;
    return holds;
}

// The replies that need an answer of their own: those of level `stones` or less in the zone of the default.
typedef struct {
    const uint8_t *level;
    unsigned stones, symmetries;
    const uint8_t *tried; // cells that other replies of this turn include already; NULL: none
} Replies;

static bool walk_replies(TreeCheck *check, const Replies *replies, Zone zone)
{
    const TreeBoard *board = check->board;
    bool holds = true, is_first = !check->first_known;
    unsigned frame = check->frames_used;
    uint8_t *tried = replies->stones > 1 ? new_frame(check) : NULL;
    if (tried != NULL && replies->tried != NULL)
        memcpy(tried, replies->tried, board->cell_count);
    if (is_first) {
        check->first_known = true;
        for (unsigned cell = 0; cell < board->cell_count; cell++)
            check->first_count += board->stone[cell] == TREE_EMPTY && replies->level[cell] <= replies->stones &&
                                  is_lowest(check, replies->symmetries, cell);
    }
    for (unsigned cell = 0; cell < board->cell_count && holds; cell++) {
        if (board->stone[cell] != TREE_EMPTY || replies->level[cell] > replies->stones ||
            !is_lowest(check, replies->symmetries, cell) || (replies->tried != NULL && replies->tried[cell] == 0))
            continue;
        holds = walk_reply(check, cell, replies->stones, tried, zone);
        if (tried != NULL)
            tried[cell] = 0;
        check->first_done += is_first;
    }
    check->frames_used = frame;
    return holds;
}

// Counts the turns of so many stones; larger numbers become INT64_MAX.
static void count_replies(TreeCheck *check, unsigned stones)
{
    uint64_t turns = 1, empty = check->board->cell_count - check->board->stones, sum = check->facts->replies;
    if (stones > empty - stones)
        stones = (unsigned)(empty - stones);
    for (uint64_t i = 0; i < stones; i++) {
        // C(n, i + 1) = C(n, i) (n - i) / (i + 1), in parts that stay small.
        uint64_t whole = turns / (i + 1), rest = turns % (i + 1), factor = empty - i;
        if (whole > (uint64_t)INT64_MAX / factor - 1) {
            turns = INT64_MAX;
            break;
        }
        turns = whole * factor + rest * factor / (i + 1);
    }
    check->facts->replies = sum < INT64_MAX - turns ? sum + turns : INT64_MAX;
}

// Whether the next positions of the tree are those after a pass. False if the source has ended.
static bool read_replies(TreeCheck *check, TreeReplies *replies)
{
    const TreeBoard *board = check->board;
    *replies = TREE_DEFAULT_REPLY;
    return tree_board_completes(board, TREE_OWNER, board->rules.p) < board->row_count ||
           check->source->replies(check->source->context, replies);
}

// The opponent places this many stones, the last ones of its turn if `tried` is not NULL.
static bool walk_opponent(TreeCheck *check, unsigned stones, const uint8_t *tried, Zone zone)
{
    TreeBoard *board = check->board;
    TreeReplies how;
    check->facts->positions++;
    stones = stones_possible(board, stones);
    if (stones == 0)
        return at_fault(check, "the board is full");
    if (tree_board_completes(board, TREE_OPPONENT, stones) < board->row_count)
        return at_fault(check, "the opponent completes a row");
    if (!read_replies(check, &how))
        return false;
    if (tried == NULL)
        count_replies(check, stones);
    unsigned frame = check->frames_used;
    uint8_t *level = new_frame(check);
    Replies replies = {level, stones, 1, tried};
    bool holds = true;
    if (how == TREE_DEFAULT_REPLY) {
        holds = walk_default(check, (Zone){level, zone.most + stones}, stones);
        tree_zone_add_default(board, zone.level, level, stones);
    } else {
        memset(level, 1, board->cell_count);
        replies.symmetries = tried == NULL ? own_symmetries(check) : 1;
    }
    tree_zone_add_rows(board, stones, zone.most, zone.level);
    holds = holds && walk_replies(check, &replies, zone);
    if (replies.symmetries != 1)
        close_under(check, replies.symmetries, zone.level);
    check->frames_used = frame;
    return holds;
}

bool tree_check_run(TreeCheck *check, TreeTurn turn, const TreeSource *source, const TreeWatch *watch, TreeFacts *facts,
                    unsigned most, uint8_t *zone)
{
    *facts = (TreeFacts){0};
    check->source = source;
    check->watch = watch;
    check->facts = facts;
    check->frames_used = check->line_length = check->stones = 0;
    check->first_done = check->first_count = 0;
    check->first_known = watch == NULL;
    check->fault = NULL;
    uint8_t *level = new_frame(check);
    Zone wanted = {level, zone != NULL ? most : 0};
    bool holds = turn.side == TREE_OWNER ? walk_owner(check, turn.stones, wanted)
                                         : walk_opponent(check, turn.stones, NULL, wanted);
    if (holds && zone != NULL)
        memcpy(zone, level, check->board->cell_count);
    return holds;
}

const char *tree_check_fault(const TreeCheck *check, Text *line)
{
    char cell[CELL_TEXT_SIZE];
    for (unsigned i = 0; check->fault != NULL && i < check->fault_length; i++) {
        unsigned number = check->fault_line[i];
        if (number != TREE_NONE)
            cell_format(tree_cell(check->board, number), cell);
        text_add(line, "%s%s", i > 0 ? " " : "", number == TREE_NONE ? "(pass)" : cell);
    }
    return check->fault;
}

// --- Trees in memory ---

void tree_words_add(TreeWords *words, unsigned word)
{
    words->words = array_grow(words->words, &words->capacity, words->count + 1, sizeof *words->words);
    words->words[words->count++] = (uint16_t)word;
}

void tree_words_append(TreeWords *words, const TreeWords *more)
{
    words->words = array_grow(words->words, &words->capacity, words->count + more->count, sizeof *words->words);
    if (more->count > 0)
        memcpy(words->words + words->count, more->words, more->count * sizeof *words->words);
    words->count += more->count;
}

void tree_words_close(TreeWords *words)
{
    free(words->words);
    *words = (TreeWords){0};
}

static bool read_answer(void *context, const TreeBoard *board, unsigned *cell)
{
    (void)board;
    TreeWordsReader *reader = context;
    if (reader->at >= reader->words->count)
        return false;
    *cell = reader->words->words[reader->at++];
    return true;
}

static bool read_how(void *context, TreeReplies *replies)
{
    TreeWordsReader *reader = context;
    if (reader->at >= reader->words->count)
        return false;
    unsigned word = reader->words->words[reader->at++];
    *replies = word == TREE_WORD_DEFAULT ? TREE_DEFAULT_REPLY : TREE_ALL_REPLIES;
    return word == TREE_WORD_DEFAULT || word == TREE_WORD_ALL;
}

TreeSource tree_words_source(TreeWordsReader *reader)
{
    return (TreeSource){.context = reader, .answer = read_answer, .replies = read_how};
}
