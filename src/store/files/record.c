// Records of games: building, replaying and checking them.
#include "store/files/record.h"

#include "base/memory.h"

#include <stdlib.h>

void record_close(GameRecord *record)
{
    free(record->setup);
    free(record->stones);
    free(record->variations);
    text_close(&record->branches);
    text_close(&record->kept);
    *record = (GameRecord){0};
}

void record_clear(GameRecord *record)
{
    free(record->setup);
    GameRecord empty = {.stones = record->stones,
                        .capacity = record->capacity,
                        .branches = record->branches,
                        .variations = record->variations,
                        .variation_capacity = record->variation_capacity,
                        .kept = record->kept};
    empty.kept.length = empty.branches.length = 0;
    *record = empty;
}

Status record_add(GameRecord *record, RecordStone stone, Error *error)
{
    if (record->count == RULES_CELLS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "more than %d stones, the number of cells of the largest board",
                         RULES_CELLS_MAX);
    record->stones = array_grow(record->stones, &record->capacity, record->count + 1u, sizeof *record->stones);
    stone.kept = (uint32_t)record->kept.length;
    record->stones[record->count++] = stone;
    return STATUS_OK;
}

Status record_add_variation(GameRecord *record, unsigned after, Span text, Error *error)
{
    if (record->variation_count == RECORD_VARIATIONS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "more than %d variations", RECORD_VARIATIONS_MAX);
    record->variations = array_grow(record->variations, &record->variation_capacity, record->variation_count + 1u,
                                    sizeof *record->variations);
    RecordVariation variation = {.after = after, .begin = (uint32_t)record->branches.length};
    text_add_span(&record->branches, text);
    variation.end = (uint32_t)record->branches.length;
    record->variations[record->variation_count++] = variation;
    return STATUS_OK;
}

void record_set_up(GameRecord *record, const Board *board)
{
    if (record->setup == NULL)
        record->setup = memory_new(1, sizeof *record->setup);
    board_copy(record->setup, board);
}

Status record_from_game(GameRecord *record, const Game *game, Error *error)
{
    record->rules = game->board.rules;
    record->result = result_of_board(&game->board);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < game->played && status == STATUS_OK; i++)
        status = record_add(record, (RecordStone){.cell = game->stones[i], .ms = RECORD_MS_UNKNOWN}, error);
    Board setup;
    if (status == STATUS_OK && gamefile_set_up(game, &setup))
        record_set_up(record, &setup);
    return status;
}

Status record_replay(const GameRecord *record, Game *game, unsigned *stone, Error *error)
{
    if (record->setup != NULL)
        game_init_from(game, record->setup);
    else
        game_init(game, &record->rules);
    for (unsigned i = 0; i < record->count; i++) {
        if (game_try(game, record->stones[i].cell, error) == STATUS_OK)
            continue;
        error_prefix(error, "stone %u: ", i + 1);
        if (stone != NULL)
            *stone = i;
        return STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}

Status record_check(GameRecord *record, Game *game, unsigned *stone, Error *error)
{
    Status status = record_replay(record, game, stone, error);
    if (status != STATUS_OK)
        return status;
    status = gamefile_settle(&record->result, &game->board, error);
    if (status != STATUS_OK && stone != NULL)
        *stone = record->count;
    return status;
}

Span record_kept(const GameRecord *record, unsigned stones)
{
    size_t begin = stones > 0 ? record->stones[stones - 1].kept : 0;
    size_t end = stones < record->count ? record->stones[stones].kept : record->kept.length;
    return (Span){record->kept.length > 0 ? record->kept.data + begin : "", end - begin};
}
