// Consistency checks of an opening book.
#include "agents/book/book_check.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void book_check_close(BookCheck *check)
{
    book_view_close(&check->view);
    text_close(&check->text);
}

// Books whose codes do not say everything: see the header.
static bool is_vague(const BookSpec *spec)
{
    return spec->encoding == ENCODING_RELATIVE && spec->symmetric && spec->rules.q > 1;
}

// --- Positions ---

// Puts the stones on the board of check->game, with the first stone at `origin`. The rest of the first turn may be
// confused with that stone: only the first stone of each image depends on them, and that is the image of this one if q
// = 1 or if there is only one image.
static void set_position(BookCheck *check, const StoneLists *lists, Cell origin, Side side)
{
    const BookSpec *spec = &check->graph->spec;
    Game *game = &check->game;
    bool good = encoding_board(lists, &spec->rules, spec->encoding, origin, &game->board);
    assert(good);
    (void)good;
    game->played = (uint16_t)board_count(&game->board);
    for (unsigned i = 0; i < spec->rules.q && i < game->played; i++)
        game->stones[i] = origin;
    (void)board_set_turn(&game->board, side, game->played == 0 ? spec->rules.q : spec->rules.p);
}

static bool has_stones_in_the_air(const Board *board)
{
    for (unsigned row = 1; row < board->rules.height; row++)
        if ((board_occupied_row(board, row) & ~board_occupied_row(board, row - 1)) != 0)
            return true;
    return false;
}

// Computes the view of the position on the board, where all stones are known in order, so that it always has a code.
static void see(BookCheck *check, unsigned depth)
{
    bool has_code = book_view(&check->view, &check->graph->spec, &check->game, depth);
    assert(has_code);
    (void)has_code;
}

Status book_check_code(BookCheck *check, unsigned depth, Span code, Error *error)
{
    const BookSpec *spec = &check->graph->spec;
    Cell origin = 0;
    Status status = encoding_read(code, &spec->rules, spec->encoding, &check->before, error);
    if (status != STATUS_OK)
        return status;
    (void)encoding_place(&check->before, &spec->rules, spec->encoding, &origin); // it has just been read
    set_position(check, &check->before, origin, (Side)(depth % 2));
    if (spec->rules.gravity && has_stones_in_the_air(&check->game.board))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' has floating stones", SPAN_PRINT(code));
    if (!spec->symmetric || is_vague(spec))
        return STATUS_OK;
    see(check, depth);
    return spans_equal((Span){check->view.code.data, check->view.code.length}, code)
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT,
                           "'%.*s' is not the smallest picture of its position, which a symmetric book has",
                           SPAN_PRINT(code));
}

// --- Links ---

// Sets check->after to the stones before and those of the turn. False if a cell is occupied.
static bool add_turn(BookCheck *check, Side side, unsigned count)
{
    const StoneLists *before = &check->before;
    StoneLists *after = &check->after;
    *after = *before;
    for (unsigned i = 0; i < count; i++) {
        if (encoding_has(before, 0, check->turn[i]) || encoding_has(before, 1, check->turn[i]) ||
            after->count[side] == RULES_CELLS_MAX)
            return false;
        after->index[side][after->count[side]++] = check->turn[i];
    }
    qsort(after->index[side], after->count[side], sizeof after->index[side][0], encoding_compare_indices);
    return true;
}

// Whether the stones can be a turn on the board of check->game: a whole one, or one that ends the game. Indices ascend
// with rows, as gravity requires.
static bool is_turn(BookCheck *check, unsigned count)
{
    Board *board = &check->game.board;
    Side side = board_side(board);
    unsigned wanted = board_stones_left(board); // 0 after the end
    if (count > wanted)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if ((board_legal_row(board, cell_row(check->cells[i])) >> cell_column(check->cells[i]) & 1) == 0)
            return false;
        board_put(board, check->cells[i], side);
    }
    (void)board_set_turn(board, side_other(side), board->rules.p);
    return count == wanted || board_is_over(board);
}

// Whether some image of the stones on the board, around some stone of the first player, has the code.
static bool has_picture(BookCheck *check, const StoneLists *code)
{
    const BookSpec *spec = &check->graph->spec;
    const Board *board = &check->game.board;
    for (Symmetry symmetry = 0; symmetry < symmetry_count(&spec->rules); symmetry++)
        for (unsigned row = 0; row < spec->rules.height; row++)
            for (uint64_t stones = board->line[row][SIDE_FIRST]; stones != 0; stones &= stones - 1) {
                Cell origin = symmetry_cell(&spec->rules, symmetry, cell_at(bits_lowest(stones), row));
                encoding_lists(board, spec->encoding, symmetry, origin, &check->pictures);
                if (encoding_compare(&check->pictures, code) == 0)
                    return true;
            }
    return false;
}

// Checks the name of the turn; the board is still the one before it.
static Status check_name(BookCheck *check, unsigned depth, Span turn, unsigned count, Error *error)
{
    see(check, depth);
    check->text.length = 0;
    book_write_turn(&check->view, check->cells, count, &check->text);
    return spans_equal((Span){check->text.data, check->text.length}, turn)
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "the turn '%.*s' should be called '%s' here", SPAN_PRINT(turn),
                           check->text.data);
}

// Checks that the position on the board is that of a node.
static Status check_arrival(BookCheck *check, unsigned to, bool *arrives, Error *error)
{
    const BookGraph *graph = check->graph;
    const BookSpec *spec = &graph->spec;
    Span code = span_of(book_graph_code(graph, to));
    check->game.played = (uint16_t)board_count(&check->game.board);
    if (is_vague(spec)) {
        Status status = encoding_read(code, &spec->rules, spec->encoding, &check->before, error);
        *arrives = status == STATUS_OK && has_picture(check, &check->before);
        return status;
    }
    see(check, graph->nodes[to].depth);
    *arrives = spans_equal((Span){check->view.code.data, check->view.code.length}, code);
    return STATUS_OK;
}

Status book_check_link(BookCheck *check, unsigned from, Span turn, unsigned to, Error *error)
{
    const BookGraph *graph = check->graph;
    const BookSpec *spec = &graph->spec;
    unsigned depth = graph->nodes[from].depth, count = 0;
    Cell origin = 0;
    // 1. The turn by itself.
    if (!encoding_read_list(turn, check->turn, &count) || count == 0)
        return error_set(error, STATUS_BAD_INPUT, "no rising list of numbers for a turn: '%.*s'", SPAN_PRINT(turn));
    // 2. The stones before and after it.
    Status status =
        encoding_read(span_of(book_graph_code(graph, from)), &spec->rules, spec->encoding, &check->before, error);
    if (status != STATUS_OK)
        return status;
    if (!add_turn(check, (Side)(depth % 2), count) ||
        !encoding_place(&check->after, &spec->rules, spec->encoding, &origin))
        return error_set(error, STATUS_BAD_INPUT, "the turn '%.*s' is not on free cells of the board at node %u",
                         SPAN_PRINT(turn), from + 1);
    // 3. Its name, which the board before it decides.
    set_position(check, &check->before, origin, (Side)(depth % 2));
    for (unsigned i = 0; i < count; i++)
        (void)encoding_cell(&spec->rules, spec->encoding, origin, check->turn[i], &check->cells[i]);
    if (!is_vague(spec) || depth == 0)
        status = check_name(check, depth, turn, count, error);
    if (status != STATUS_OK)
        return status;
    // 4. Where it leads.
    for (unsigned i = 0; i < spec->rules.q; i++)
        check->game.stones[i] = origin;
    bool arrives = false;
    if (!is_turn(check, count))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no turn at node %u", SPAN_PRINT(turn), from + 1);
    if (graph->nodes[to].depth == depth + 1)
        status = check_arrival(check, to, &arrives, error);
    if (status == STATUS_OK && !arrives)
        status = error_set(error, STATUS_BAD_INPUT, "node %u does not lead to node %u by the turn '%.*s'", from + 1,
                           to + 1, SPAN_PRINT(turn));
    return status;
}

// --- The whole ---

typedef struct {
    uint64_t wins, ties, losses;
} Sums;

static void add_counts(Sums *sums, BookCounts counts)
{
    sums->wins += counts.wins;
    sums->ties += counts.ties;
    sums->losses += counts.losses;
}

static bool is_within(Sums some, Sums all)
{
    return some.wins <= all.wins && some.ties <= all.ties && some.losses <= all.losses;
}

static Sums sums_of(BookCounts counts)
{
    return (Sums){counts.wins, counts.ties, counts.losses};
}

static Status check_root(const BookGraph *graph, unsigned *node, Error *error)
{
    if (graph->node_count == 0)
        return graph->games == 0 ? STATUS_OK
                                 : error_set(error, STATUS_BAD_INPUT, "there are games, but no node for them");
    *node = 0;
    if (graph->nodes[0].depth != 0)
        return error_set(error, STATUS_BAD_INPUT, "the first node is not the empty board");
    Sums all = sums_of(graph->nodes[0].counts);
    uint64_t games = all.wins + all.ties + all.losses;
    if (games != graph->games)
        return error_set(error, STATUS_BAD_INPUT, "the empty board was seen %llu times in %llu games",
                         (unsigned long long)games, (unsigned long long)graph->games);
    *node = graph->node_count;
    return STATUS_OK;
}

// A game that reached a position reached one of its predecessors.
static Status check_nodes(const BookGraph *graph, const Sums *from, unsigned *node, Error *error)
{
    bool is_whole = !is_vague(&graph->spec);
    for (*node = 0; *node < graph->node_count; ++*node) {
        Sums here = sums_of(graph->nodes[*node].counts), above = from[*node];
        if (here.wins + here.ties + here.losses == 0)
            return error_set(error, STATUS_BAD_INPUT, "node %u is of no game", *node + 1);
        if (*node == 0 || !is_whole)
            continue;
        if (above.wins + above.ties + above.losses == 0)
            return error_set(error, STATUS_BAD_INPUT, "no link leads to node %u", *node + 1);
        if (!is_within(here, above))
            return error_set(error, STATUS_BAD_INPUT, "node %u was seen more often than the nodes that lead to it",
                             *node + 1);
    }
    return STATUS_OK;
}

// The number of games must not grow from one turn to the next.
static Status check_depths(const BookGraph *graph, Sums *at, Error *error)
{
    for (unsigned i = 0; i < graph->node_count; i++)
        add_counts(&at[graph->nodes[i].depth], graph->nodes[i].counts);
    for (unsigned depth = 1; depth <= graph->spec.turns; depth++)
        if (!is_within(at[depth], at[depth - 1]))
            return error_set(error, STATUS_BAD_INPUT, "there are more games after %u turns than after %u", depth,
                             depth - 1);
    return STATUS_OK;
}

Status book_check_graph(const BookGraph *graph, unsigned *node, Error *error)
{
    *node = graph->node_count;
    Sums *from = memory_new((size_t)graph->node_count + 1, sizeof *from);
    Sums *at = memory_new((size_t)graph->spec.turns + 1, sizeof *at);
    Status status = check_root(graph, node, error);
    for (unsigned i = 0; i < graph->link_count && status == STATUS_OK; i++)
        add_counts(&from[graph->links[i].to], graph->nodes[graph->links[i].from].counts);
    if (status == STATUS_OK)
        status = check_nodes(graph, from, node, error);
    if (status == STATUS_OK)
        status = check_depths(graph, at, error);
    free(from);
    free(at);
    return status;
}
