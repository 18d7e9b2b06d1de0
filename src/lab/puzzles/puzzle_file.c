// Reads and writes collections of puzzles. docs/puzzles.md describes the format.
#include "lab/puzzles/puzzle.h"

#include "base/memory.h"
#include "game/fen.h"
#include "game/notation.h"
#include "lab/puzzles/puzzle_packing.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "krow puzzles 1";

// --- Writing ---

static void write_turn(const char *word, const PuzzleTurn *turn, Text *text)
{
    text_add(text, "%s", word);
    for (unsigned i = 0; i < turn->count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(turn->cells[i], name);
        text_add(text, " %s", name);
    }
    text_add(text, "\n");
}

static void write_puzzle(const Puzzle *puzzle, Text *text)
{
    text_add(text, "\npuzzle %u\nstart %s\n", puzzle->number, puzzle->start);
    if (puzzle->last.count > 0)
        write_turn("last", &puzzle->last, text);
    text_add(text, "goal %s\n", puzzle_goal_name(puzzle->goal));
    write_turn("solution", &puzzle->solution, text);
    text_add(text, "turns %u\ntempting %u\nlevels", puzzle->turns, puzzle->tempting);
    for (unsigned i = 0; i < puzzle->level_count; i++)
        text_add(text, " %u/%u", puzzle->levels[i].solved, puzzle->levels[i].tried);
    text_add(text, "\nrating %.0f %.0f\n", puzzle->rating, puzzle->error);
    if (puzzle->proof_length > 0)
        puzzle_pack("proof ", (Span){puzzle->proof, puzzle->proof_length}, text);
}

void puzzles_write(const Puzzles *puzzles, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&puzzles->rules, game);
    text_add(text, "%s\ngame %s\nmade %llu %llu\n", magic, game, (unsigned long long)puzzles->seed,
             (unsigned long long)puzzles->games);
    for (unsigned i = 0; i < puzzles->count; i++)
        write_puzzle(&puzzles->list[i], text);
}

// --- Reading ---

// The words of a file, in their order. Those from WORD_PUZZLE on repeat.
typedef enum {
    WORD_GAME,
    WORD_MADE,
    WORD_PUZZLE,
    WORD_START,
    WORD_LAST,
    WORD_GOAL,
    WORD_SOLUTION,
    WORD_TURNS,
    WORD_TEMPTING,
    WORD_LEVELS,
    WORD_RATING,
    WORD_PROOF,
    WORDS
} Word;

static const char *const words[WORDS] = {"game",     "made",  "puzzle",   "start",  "last",   "goal",
                                         "solution", "turns", "tempting", "levels", "rating", "proof"};

typedef struct {
    Puzzles *puzzles;
    Puzzle puzzle; // being read
    Text packed;   // its proof so far
    Game *game;    // its position
    size_t line;
    Word expected;
} Reader;

static Status bad(Error *error, const char *what, Span word)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: '%.*s'", what, SPAN_PRINT(word));
}

static Status read_number(Span *value, int64_t most, int64_t *number, Error *error)
{
    Span word = {0};
    if (!span_next_word(value, " ", &word))
        return error_set(error, STATUS_BAD_INPUT, "a number is missing");
    return span_to_int(word, 0, most, number) ? STATUS_OK : bad(error, "not a valid number", word);
}

static Status read_unsigned(Span value, unsigned most, unsigned *number, Error *error)
{
    int64_t read = 0;
    Status status = read_number(&value, most, &read, error);
    *number = (unsigned)read;
    return status == STATUS_OK && span_trim(value).length > 0 ? bad(error, "unexpected text", value) : status;
}

static Status read_made(Puzzles *puzzles, Span value, Error *error)
{
    int64_t seed = 0, games = 0;
    Status status = read_number(&value, INT64_MAX, &seed, error);
    if (status == STATUS_OK)
        status = read_number(&value, INT64_MAX, &games, error);
    puzzles->seed = (uint64_t)seed;
    puzzles->games = (uint64_t)games;
    return status;
}

static Status read_turn(Span value, const Rules *rules, PuzzleTurn *turn, Error *error)
{
    Span word = {0};
    Cell cells[PUZZLE_STONES_MAX];
    unsigned count = 0;
    while (span_next_word(&value, " ", &word)) {
        if (count == PUZZLE_STONES_MAX)
            return bad(error, "too many cells", word);
        Status status = cell_parse(word, rules, &cells[count], error);
        if (status != STATUS_OK)
            return status;
        for (unsigned i = 0; i < count; i++)
            if (cells[i] == cells[count])
                return bad(error, "the cell occurs twice", word);
        count++;
    }
    *turn = puzzle_turn_of(cells, count);
    return count > 0 ? STATUS_OK : error_set(error, STATUS_BAD_INPUT, "cells are missing");
}

// Checks that the solution is a whole turn of legal stones.
static Status check_solution(const Reader *reader, Error *error)
{
    const PuzzleTurn *turn = &reader->puzzle.solution;
    Board board;
    board_copy(&board, &reader->game->board);
    unsigned wanted = board_stones_left(&board);
    for (unsigned i = 0; i < turn->count; i++) {
        if (!board_is_legal(&board, turn->cells[i]))
            return error_set(error, STATUS_BAD_INPUT, "the solution is not a legal turn");
        (void)board_play(&board, turn->cells[i]);
    }
    if (turn->count != wanted)
        return error_set(error, STATUS_BAD_INPUT, "the solution has %u stones, but the turn has %u", turn->count,
                         wanted);
    return STATUS_OK;
}

static Status check_last(const Reader *reader, Error *error)
{
    const Board *board = &reader->game->board;
    const PuzzleTurn *last = &reader->puzzle.last;
    Stone other = board_side(board) == SIDE_FIRST ? STONE_SECOND : STONE_FIRST;
    for (unsigned i = 0; i < last->count; i++)
        if (board_stone(board, last->cells[i]) != other)
            return error_set(error, STATUS_BAD_INPUT, "the last turn names a cell without a stone of the opponent");
    return STATUS_OK;
}

static Status read_levels(Puzzle *puzzle, Span value, Error *error)
{
    Span word = {0};
    while (span_next_word(&value, " ", &word)) {
        Span solved = {0}, all = word;
        int64_t done = 0, tried = 0;
        (void)span_next_part(&all, '/', &solved);
        if (puzzle->level_count == PUZZLE_LEVELS_MAX || !span_to_int(all, 0, UINT16_MAX, &tried) ||
            !span_to_int(solved, 0, tried, &done))
            return bad(error, "not the attempts of a level as SOLVED/TRIED", word);
        puzzle->levels[puzzle->level_count++] = (PuzzleLevel){(uint16_t)done, (uint16_t)tried};
    }
    return STATUS_OK;
}

static Status read_start(Reader *reader, Span value, Error *error)
{
    Status status = fen_read(value, &reader->puzzles->rules, reader->game, error);
    if (status == STATUS_OK && game_is_over(reader->game))
        status = error_set(error, STATUS_BAD_INPUT, "the game is over");
    Text text = {0};
    if (status == STATUS_OK)
        fen_write(&reader->game->board, &text);
    reader->puzzle.start = text.data;
    return status;
}

static Status read_rating(Puzzle *puzzle, Span value, Error *error)
{
    int64_t rating = 0, spread = 0;
    Status status = read_number(&value, 10000, &rating, error);
    if (status == STATUS_OK)
        status = read_number(&value, 10000, &spread, error);
    puzzle->rating = (double)rating;
    puzzle->error = (double)spread;
    return status;
}

// Ends the puzzle that is being read.
static Status end_puzzle(Reader *reader, Error *error)
{
    Puzzle *puzzle = &reader->puzzle;
    if (puzzle->number == 0)
        return STATUS_OK;
    if (reader->expected < WORD_PROOF)
        return error_set(error, STATUS_BAD_INPUT, "puzzle %u has no line '%s …'", puzzle->number,
                         words[reader->expected]);
    Status status = STATUS_OK;
    Text proof = {0};
    if (reader->packed.length > 0)
        status = puzzle_unpack((Span){reader->packed.data, reader->packed.length}, &proof, error);
    if (status != STATUS_OK)
        return status;
    puzzle->proof = proof.data;
    puzzle->proof_length = proof.length;
    puzzles_add(reader->puzzles, puzzle);
    *puzzle = (Puzzle){0};
    text_close(&reader->packed);
    return STATUS_OK;
}

static Status begin_puzzle(Reader *reader, Span value, Error *error)
{
    const Puzzles *puzzles = reader->puzzles;
    Status status = end_puzzle(reader, error);
    unsigned number = 0, before = puzzles->count > 0 ? puzzles->list[puzzles->count - 1].number : 0;
    if (status == STATUS_OK)
        status = read_unsigned(value, PUZZLES_MAX, &number, error);
    if (status == STATUS_OK && number <= before)
        status = error_set(error, STATUS_BAD_INPUT, "the number %u is not higher than the one before", number);
    reader->puzzle.number = number;
    return status;
}

static Status read_goal(Puzzle *puzzle, Span value, Error *error)
{
    puzzle->goal = span_is(value, "save") ? PUZZLE_SAVE : PUZZLE_WIN;
    return span_is(value, puzzle_goal_name(puzzle->goal)) ? STATUS_OK : bad(error, "neither win nor save", value);
}

static Status read_value(Reader *reader, Word word, Span value, Error *error)
{
    Puzzle *puzzle = &reader->puzzle;
    const Rules *rules = &reader->puzzles->rules;
    Status status = STATUS_OK;
    switch (word) {
    case WORD_GAME:
        return rules_parse(value, &reader->puzzles->rules, error);
    case WORD_MADE:
        return read_made(reader->puzzles, value, error);
    case WORD_PUZZLE:
        return begin_puzzle(reader, value, error);
    case WORD_START:
        return read_start(reader, value, error);
    case WORD_LAST:
        status = read_turn(value, rules, &puzzle->last, error);
        return status == STATUS_OK ? check_last(reader, error) : status;
    case WORD_GOAL:
        return read_goal(puzzle, value, error);
    case WORD_SOLUTION:
        status = read_turn(value, rules, &puzzle->solution, error);
        return status == STATUS_OK ? check_solution(reader, error) : status;
    case WORD_TURNS:
        return read_unsigned(value, RULES_CELLS_MAX, &puzzle->turns, error);
    case WORD_TEMPTING:
        return read_unsigned(value, RULES_CELLS_MAX, &puzzle->tempting, error);
    case WORD_LEVELS:
        return read_levels(puzzle, value, error);
    case WORD_RATING:
        return read_rating(puzzle, value, error);
    case WORD_PROOF:
    case WORDS:
        break;
    }
    text_add_span(&reader->packed, value);
    return STATUS_OK;
}

// Whether a word may stand here: the expected one, the one after an optional one, or a repetition.
static bool is_in_order(const Reader *reader, Word word)
{
    return word == reader->expected || (reader->expected == WORD_LAST && word == WORD_GOAL) ||
           (reader->expected == WORD_PROOF && word == WORD_PUZZLE);
}

static Status read_line(Reader *reader, Span line, Error *error)
{
    Span value = line, name = {0};
    unsigned word = 0;
    (void)span_next_part(&value, ' ', &name);
    while (word < WORDS && !span_is(name, words[word]))
        word++;
    if (word == WORDS || !is_in_order(reader, (Word)word))
        return error_set(error, STATUS_BAD_INPUT, "expected '%s', found '%.*s'", words[reader->expected],
                         SPAN_PRINT(name));
    Status status = read_value(reader, (Word)word, value, error);
    reader->expected = word == WORD_PROOF ? WORD_PROOF : (Word)(word + 1);
    return status;
}

static Status read_lines(Reader *reader, Span text, Error *error)
{
    Span line = {0};
    Status status = STATUS_OK;
    while (status == STATUS_OK && span_next_part(&text, '\n', &line)) {
        line = span_trim(line);
        reader->line++;
        if (reader->line == 1 && !span_is(line, magic))
            status = error_set(error, STATUS_BAD_INPUT, "not a file of puzzles: the first line is not '%s'", magic);
        else if (reader->line > 1 && line.length > 0 && line.at[0] != '#')
            status = read_line(reader, line, error);
    }
    if (status == STATUS_OK && reader->line == 0)
        status = error_set(error, STATUS_BAD_INPUT, "the file is empty");
    if (status == STATUS_OK && reader->expected < WORD_PUZZLE)
        status = error_set(error, STATUS_BAD_INPUT, "the line '%s …' is missing", words[reader->expected]);
    return status == STATUS_OK ? end_puzzle(reader, error) : status;
}

Status puzzles_read(Span text, Puzzles *puzzles, Error *error)
{
    Reader *reader = memory_new(1, sizeof *reader);
    reader->puzzles = puzzles;
    reader->game = memory_new(1, sizeof *reader->game);
    Status status = read_lines(reader, text, error);
    if (status != STATUS_OK)
        error_prefix(error, "line %zu: ", reader->line);
    puzzle_close(&reader->puzzle);
    text_close(&reader->packed);
    free(reader->game);
    free(reader);
    return status;
}
