// The line of play that leads to a fault in a certificate, for the error message.
#include "base/memory.h"
#include "game/notation.h"
#include "solver/proof/certificate_internal.h"

#include <stdlib.h>
#include <string.h>

// A walk has layers of positions, not lines of play. To report a line that ends in an error, the walk is repeated with
// all layers stored; then, from the error backwards, each layer is searched for a position that leads to the next one.
// Positions of layers may be mirrored against each other, so the stones are found last, from the start forwards.

// Repeats the walk up to the layer before the error, including its answers. False if that fails.
static bool walk_again(CertificateWalk *walk, const CertificateWalk *fault, BitReader reader)
{
    Status status = STATUS_OK;
    while (walk->layer + 1 < fault->fault_layer && status == STATUS_OK) {
        status = walk_is_own(walk) ? walk_read_layer(walk, &reader, NULL) : walk_expand(walk, NULL);
        if (status == STATUS_OK)
            status = walk_advance(walk, NULL);
    }
    if (status == STATUS_OK && walk_is_own(walk))
        (void)walk_read_layer(walk, &reader, NULL); // its error has been reported
    return status == STATUS_OK;
}

static bool leads_to(const PositionView *view, Cell cell, const uint64_t *key)
{
    uint64_t after[POSITION_WORDS_MAX];
    position_view_key_after(view, cell, board_side(&view->board), after);
    return memcmp(after, key, view->words * sizeof *key) == 0;
}

// The legal cell that leads to a key; CELL_NONE if none does.
static Cell cell_to(const PositionView *view, const uint64_t *key)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&view->board, cells);
    for (unsigned i = 0; i < count; i++)
        if (leads_to(view, cells[i], key))
            return cells[i];
    return CELL_NONE;
}

// The position of a layer that leads to a key, by the strategy's answer where the side is to move.
static bool find_before(CertificateWalk *walk, unsigned layer, const uint64_t *key, uint64_t *before)
{
    const PositionSet *set = layer == walk->layer ? &walk->now : &walk->kept[layer];
    const Cell *answers = walk->kept_answers[layer];
    uint64_t turn = board_turn_after(&walk->start, walk->start.state.turn, layer);
    for (size_t i = 0; i < set->count; i++) {
        if (answers != NULL && answers[i] == CELL_NONE)
            continue;
        position_view_load(&walk->view, position_set_key(set, i), turn);
        if (answers != NULL ? leads_to(&walk->view, answers[i], key) : cell_to(&walk->view, key) != CELL_NONE) {
            memcpy(before, position_set_key(set, i), set->words * sizeof *before);
            return true;
        }
    }
    return false;
}

// The stones from the start through the positions of a line.
static bool play_line(CertificateWalk *walk, const uint64_t *keys, unsigned layers, Game *game)
{
    game_init_from(game, &walk->start);
    for (unsigned i = 1; i <= layers; i++) {
        position_view_begin(&walk->view, &game->board);
        Cell cell = cell_to(&walk->view, keys + (size_t)i * walk->view.words);
        if (cell == CELL_NONE)
            return false;
        game_play(game, cell);
    }
    return true;
}

static bool find_line(CertificateWalk *walk, const CertificateWalk *fault, BitReader reader, Game *game)
{
    unsigned layers = fault->fault_layer, words = walk->view.words;
    uint64_t *keys = memory_new((layers + 1) * (size_t)words, sizeof *keys);
    bool found = walk_again(walk, fault, reader);
    if (found)
        memcpy(keys + (size_t)layers * words, fault->fault_key, words * sizeof *keys);
    for (unsigned i = layers; i-- > 0 && found;)
        found = find_before(walk, i, keys + (size_t)(i + 1) * words, keys + (size_t)i * words);
    found = found && play_line(walk, keys, layers, game);
    free(keys);
    return found;
}

static void report_line(const Game *game, Error *error)
{
    Text stones = {0};
    game_write(game, &stones);
    if (stones.length > 0)
        error_prefix(error, "after %.*s%s: ", stones.length < 300 ? (int)stones.length : 300, stones.data,
                     stones.length < 300 ? "" : " …");
    else
        error_prefix(error, "at the start: ");
    text_close(&stones);
}

void walk_report_line(const CertificateWalk *fault, BitReader reader, Error *error)
{
    if (!fault->has_fault || error == NULL)
        return;
    CertificateOptions options = {.memory = fault->options.memory, .stop = fault->options.stop};
    CertificateWalk *walk = walk_open(&(WalkTask){&fault->start, fault->claim, fault->version, &options}, true);
    Game *game = memory_new(1, sizeof *game);
    game_init_from(game, &fault->start);
    if (fault->fault_layer == 0 || (walk_begin(walk, NULL) == STATUS_OK && find_line(walk, fault, reader, game)))
        report_line(game, error);
    walk_close(walk);
    free(game);
}
