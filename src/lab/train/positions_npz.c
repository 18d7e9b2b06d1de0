// NumPy archives: npy arrays in a zip file.
#include "lab/train/positions_npz.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "game/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARRAYS = 5,
    NPY_HEAD = 128, // of an array, with its padding
    ZIP_LOCAL = 30,
    ZIP_CENTRAL = 46,
    ZIP_END = 22,
    ZIP_VERSION = 20,      // see APPNOTE.TXT of PKWARE
    ZIP_DATE = 1 << 5 | 1, // 1 January 1980: the same games, the same file
    OUTSIDE = 3,
};

typedef struct {
    const char *name, *type; // of NumPy
    unsigned size;           // of an element, in bytes
    bool has_cells;          // an element for each cell
} Array;

static const Array arrays[ARRAYS] = {
    {"board", "|u1", 1, true},   {"stones_left", "<u2", 2, false}, {"score", "<i2", 2, false},
    {"result", "|i1", 1, false}, {"game", "<u4", 4, false},
};

typedef struct {
    const ScoredGames *files;
    unsigned count;
    unsigned width, height; // of the largest board
    uint64_t positions;
    unsigned games;
    Text text;
    struct {
        size_t at, size;
        uint32_t checksum;
    } parts[ARRAYS];
} Archive;

// --- Bytes ---

static void put(Text *text, uint64_t number, unsigned bytes)
{
    char data[8];
    for (unsigned i = 0; i < bytes; i++)
        data[i] = (char)(number >> (8 * i) & 0xff);
    text_add_span(text, (Span){data, bytes});
}

// --- Positions ---

typedef struct {
    const ScoredGame *game;
    const Board *board;
    unsigned stone;  // number of the next stone
    uint32_t number; // of the game
} Position;

static void put_board(Archive *archive, const Board *board)
{
    Stone own = board_side(board) == SIDE_FIRST ? STONE_FIRST : STONE_SECOND;
    for (unsigned row = 0; row < archive->height; row++)
        for (unsigned column = 0; column < archive->width; column++) {
            Cell cell = cell_at(column, row);
            Stone stone = board_has(board, cell) ? board_stone(board, cell) : STONE_NONE;
            put(&archive->text, !board_has(board, cell) ? OUTSIDE : stone == STONE_NONE ? 0 : stone == own ? 1 : 2, 1);
        }
}

static void put_element(Archive *archive, unsigned array, const Position *position)
{
    const ScoredGame *game = position->game;
    int result = board_side(position->board) == SIDE_FIRST ? game->doubled - 1 : 1 - game->doubled;
    switch (array) {
    case 0:
        put_board(archive, position->board);
        break;
    case 1:
        put(&archive->text, board_stones_left(position->board), 2);
        break;
    case 2:
        put(&archive->text, (uint16_t)game->scores[position->stone], 2);
        break;
    case 3:
        put(&archive->text, (uint8_t)result, 1);
        break;
    default:
        put(&archive->text, position->number, 4);
        break;
    }
}

static void put_game(Archive *archive, unsigned array, const ScoredGame *game, const Rules *family, uint32_t number)
{
    Board board;
    Rules rules = *family;
    rules.width = game->width;
    rules.height = game->height;
    board_init(&board, &rules);
    for (unsigned i = 0; i < game->count; i++) {
        if (game->scores[i] != SCORED_NONE)
            put_element(archive, array, &(Position){game, &board, i, number});
        board_play(&board, game->stones[i]);
    }
}

static void put_array(Archive *archive, unsigned array)
{
    ScoredGame *game = memory_new(1, sizeof *game);
    uint32_t number = 0;
    for (unsigned file = 0; file < archive->count; file++)
        for (unsigned i = 0; i < archive->files[file].count; i++) {
            scored_games_get(&archive->files[file], i, game);
            put_game(archive, array, game, &archive->files[file].rules, number++);
        }
    free(game);
}

// --- The archive ---

// The header of an array, padded with blanks to a multiple of 64 bytes.
static void put_npy_head(Archive *archive, const Array *array)
{
    char shape[64], text[NPY_HEAD];
    if (array->has_cells)
        (void)snprintf(shape, sizeof shape, "(%llu, %u, %u)", (unsigned long long)archive->positions, archive->height,
                       archive->width);
    else
        (void)snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)archive->positions);
    (void)snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", array->type, shape);
    text_add_span(&archive->text, (Span){"\x93NUMPY\x01", 7});
    put(&archive->text, 0, 1);
    put(&archive->text, NPY_HEAD - 10, 2);
    text_add(&archive->text, "%-*s\n", NPY_HEAD - 11, text);
}

static void put_zip_fields(Archive *archive, unsigned i)
{
    put(&archive->text, 0, 4); // flags, method: stored
    put(&archive->text, (uint64_t)ZIP_DATE << 16, 4);
    put(&archive->text, archive->parts[i].checksum, 4);
    put(&archive->text, archive->parts[i].size, 4);
    put(&archive->text, archive->parts[i].size, 4);
    put(&archive->text, strlen(arrays[i].name) + 4, 2); // of "board.npy"
    put(&archive->text, 0, 2);
}

static void put_part(Archive *archive, unsigned i)
{
    Text *text = &archive->text;
    size_t head = text->length;
    archive->parts[i].at = head;
    put(text, 0x04034b50, 4);
    put(text, ZIP_VERSION, 2);
    put_zip_fields(archive, i);
    text_add(text, "%s.npy", arrays[i].name);
    size_t begin = text->length;
    put_npy_head(archive, &arrays[i]);
    put_array(archive, i);
    archive->parts[i].size = text->length - begin;
    archive->parts[i].checksum = checksum_crc32((Span){text->data + begin, text->length - begin});
    // Now that they are known, the fields of the head are written again.
    size_t end = text->length;
    text->length = head + 6;
    char after = text->data[begin - strlen(arrays[i].name) - 4];
    put_zip_fields(archive, i);
    text->data[begin - strlen(arrays[i].name) - 4] = after; // text ends with a zero byte
    text->length = end;
}

static void put_directory(Archive *archive)
{
    Text *text = &archive->text;
    size_t begin = text->length;
    for (unsigned i = 0; i < ARRAYS; i++) {
        put(text, 0x02014b50, 4);
        put(text, ZIP_VERSION, 2);
        put(text, ZIP_VERSION, 2);
        put_zip_fields(archive, i);
        put(text, 0, 8); // comment, disk, internal attributes, half of the external ones
        put(text, 0, 2);
        put(text, archive->parts[i].at, 4);
        text_add(text, "%s.npy", arrays[i].name);
    }
    size_t size = text->length - begin;
    put(text, 0x06054b50, 4);
    put(text, 0, 4);
    put(text, ARRAYS, 2);
    put(text, ARRAYS, 2);
    put(text, size, 4);
    put(text, begin, 4);
    put(text, 0, 2);
}

// The size of all arrays, and the largest board.
static size_t measure(Archive *archive)
{
    ScoredGame *game = memory_new(1, sizeof *game);
    for (unsigned file = 0; file < archive->count; file++)
        for (unsigned i = 0; i < archive->files[file].count; i++) {
            scored_games_get(&archive->files[file], i, game);
            archive->width = game->width > archive->width ? game->width : archive->width;
            archive->height = game->height > archive->height ? game->height : archive->height;
            archive->games++;
            for (unsigned stone = 0; stone < game->count; stone++)
                archive->positions += game->scores[stone] != SCORED_NONE;
        }
    free(game);
    size_t row = (size_t)archive->width * archive->height + 9;
    return archive->positions * row + (size_t)ARRAYS * (NPY_HEAD + ZIP_LOCAL + ZIP_CENTRAL + 64) + ZIP_END;
}

Status positions_write_npz(const ScoredGames *files, unsigned count, const char *path, PositionsReport *report,
                           Error *error)
{
    Archive archive = {.files = files, .count = count};
    size_t size = measure(&archive);
    *report = (PositionsReport){archive.positions, archive.games};
    if (size > UINT32_MAX)
        return error_set(error, STATUS_BAD_INPUT, "%llu positions do not fit into a file of 4 GiB; use fewer games",
                         (unsigned long long)archive.positions);
    if (!text_reserve(&archive.text, size))
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for %llu positions",
                         (unsigned long long)archive.positions);
    for (unsigned i = 0; i < ARRAYS; i++)
        put_part(&archive, i);
    put_directory(&archive);
    Status status = file_write(path, (Span){archive.text.data, archive.text.length}, error);
    text_close(&archive.text);
    return status;
}
