// The opening book of the engine: turns of canonical positions, found by key.
#include "engine/book/engine_book.h"

#include "base/memory.h"
#include "game/notation.h"
#include "game/symmetry.h"

#include <stdlib.h>
#include <string.h>

#define BOOK(game, stones, turns, score) {game, stones, turns, score},
static const EngineBookLine shipped[] = {
#include "engine/book/engine_book.def"
};
#undef BOOK

// A turn of a canonical position. The turns of a position are adjacent.
typedef struct {
    uint64_t key;
    EngineBookTurn turn;
} Entry;

struct EngineBook {
    unsigned count; // of entries
    Entry *entries; // owned
    size_t capacity;
};

static Status read_turn(Span text, const Board *board, Symmetry symmetry, EngineBookTurn *turn, Error *error)
{
    Span rest = text, word = {0};
    Status status = STATUS_OK;
    while (span_next_word(&rest, ",", &word)) {
        Cell cell = CELL_NONE;
        status = turn->count < board_stones_left(board) && turn->count < ENGINE_BOOK_STONES
                     ? cell_parse(word, &board->rules, &cell, error)
                     : error_set(error, STATUS_BAD_INPUT, "'%.*s' has too many stones", SPAN_PRINT(text));
        if (status == STATUS_OK && !board_is_legal(board, cell))
            status = error_set(error, STATUS_BAD_INPUT, "'%.*s' is not free", SPAN_PRINT(word));
        if (status != STATUS_OK)
            return status;
        turn->stones[turn->count++] = symmetry_cell(&board->rules, symmetry, cell);
    }
    return turn->count == board_stones_left(board)
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "'%.*s' has too few stones", SPAN_PRINT(text));
}

static Status add_line(EngineBook *book, const Rules *rules, const EngineBookLine *line, Error *error)
{
    Game game;
    Board canonical;
    game_init(&game, rules);
    Status status = game_read(&game, span_of(line->stones), error);
    if (status != STATUS_OK)
        return status;
    Symmetry symmetry = symmetry_canonical(&game.board, &canonical);
    Span rest = span_of(line->turns), word = {0};
    while (status == STATUS_OK && span_next_word(&rest, " ", &word)) {
        book->entries = array_grow(book->entries, &book->capacity, book->count + 1, sizeof *book->entries);
        Entry *entry = &book->entries[book->count++];
        *entry = (Entry){.key = board_key(&canonical), .turn = {.score = line->score}};
        status = read_turn(word, &game.board, symmetry, &entry->turn, error);
    }
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = ((const Entry *)a)->key, y = ((const Entry *)b)->key;
    return (x > y) - (x < y);
}

Status engine_book_read(EngineBook **book, const Rules *rules, const EngineBookLine *lines, unsigned line_count,
                        Error *error)
{
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    *book = NULL;
    EngineBook *opened = memory_new(1, sizeof *opened);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < line_count && status == STATUS_OK; i++)
        if (strcmp(lines[i].game, game) == 0) {
            status = add_line(opened, rules, &lines[i], error);
            if (status != STATUS_OK)
                error_prefix(error, "the opening book after '%s': ", lines[i].stones);
        }
    if (status != STATUS_OK || opened->count == 0) {
        engine_book_close(opened);
        return status;
    }
    qsort(opened->entries, opened->count, sizeof opened->entries[0], compare_keys);
    *book = opened;
    return STATUS_OK;
}

// The compiled-in data are checked like any other data.
Status engine_book_open(EngineBook **book, const Rules *rules, Error *error)
{
    return engine_book_read(book, rules, shipped, sizeof shipped / sizeof shipped[0], error);
}

void engine_book_close(EngineBook *book)
{
    if (book != NULL)
        free(book->entries);
    free(book);
}

// A random symmetry that leads to this canonical position.
static Symmetry draw_symmetry(const Board *board, uint64_t key, Rng *rng)
{
    Symmetry tuner[SYMMETRY_MAX] = {0};
    unsigned count = 0;
    Board picture;
    for (Symmetry i = 0; i < symmetry_count(&board->rules); i++) {
        symmetry_board(board, i, &picture);
        if (board_key(&picture) == key)
            tuner[count++] = i;
    }
    assert(count > 0); // at least the symmetry that produced it
    return tuner[rng_below(rng, count)];
}

// The first entry of a position.
static const Entry *find_first(const EngineBook *book, uint64_t key)
{
    const Entry wanted = {.key = key};
    const Entry *found = bsearch(&wanted, book->entries, book->count, sizeof wanted, compare_keys);
    while (found != NULL && found > book->entries && found[-1].key == key)
        found--;
    return found;
}

// The number of entries of a position from the first one.
static unsigned count_same(const EngineBook *book, const Entry *first)
{
    unsigned count = 0;
    while (first + count < book->entries + book->count && first[count].key == first->key)
        count++;
    return count;
}

// Brings a turn of the canonical position back to the board; false if it is not legal there.
static bool turn_back(const Board *board, Symmetry back, EngineBookTurn *turn)
{
    for (unsigned i = 0; i < turn->count; i++) {
        turn->stones[i] = symmetry_cell(&board->rules, back, turn->stones[i]);
        if (!board_is_legal(board, turn->stones[i]))
            return false;
    }
    return true;
}

unsigned engine_book_turns(const EngineBook *book, const Board *board, EngineBookTurn *turns, unsigned most)
{
    Board canonical;
    Symmetry back = symmetry_inverse(symmetry_canonical(board, &canonical));
    const Entry *first = find_first(book, board_key(&canonical));
    unsigned entries = first != NULL ? count_same(book, first) : 0, count = 0;
    for (unsigned i = 0; i < entries && count < most; i++) {
        turns[count] = first[i].turn;
        if (turn_back(board, back, &turns[count]))
            count++;
    }
    return count;
}

bool engine_book_find(const EngineBook *book, const Board *board, Rng *rng, EngineBookTurn *turn)
{
    Board canonical;
    (void)symmetry_canonical(board, &canonical);
    uint64_t key = board_key(&canonical);
    const Entry *first = find_first(book, key);
    if (first == NULL)
        return false;
    unsigned count = count_same(book, first);
    *turn = first[count > 1 ? rng_below(rng, count) : 0].turn;
    return turn_back(board, symmetry_inverse(draw_symmetry(board, key, rng)), turn);
}
