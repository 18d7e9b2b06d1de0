// Checks positions drawn as text: run_boards FOLDER reads all its .txt files and reports in TAP, a line a position.
//
//     % anything after a percent sign at the beginning of a line is a comment
//     game 9x3:k=5                   begins a position
//     name corner                    optional, for `canonical`
//     . . . . . . . . .              optional rows and turn line of a diagram (game/diagram.h); without: empty board
//     . . X X X . . . .
//     . . . . . . . . .
//     turn X 1
//     moves a1 b2                    optional stones played after it (game/notation.h)
//     turn -> O 1                    facts: what must hold then
//
// Facts: turn (side, stones left), stones (on the board), winner (first, second, draw, none), over (yes, no), line (all
// winning cells), legal (these are), illegal (these are not), legal count (how many), wins (all cells that win at once
// for the side to move), canonical (`same as NAME`, `different from NAME`), error (words of the refusal), threats first
// and threats second (the counts: `sliding 2 marked 1 exact 1`, under gravity also `in_play 2`), answers first and
// answers second (all smallest sets of cells with which that side stops the threats of the other: `e5 or a1+b2`).
//
// Besides, of every position: drawn and read it is the same, the naive board sees the same winner, and every symmetric
// picture has the same winner and as many winning cells.
#include "base/file.h"
#include "bench/common/naive_board.h"
#include "game/diagram.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "threats/threats.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64, NAME_SIZE = 32, FILES_MAX = 200 };

typedef struct {
    char name[NAME_SIZE];
    Board canonical;
} Named;

// The position that is being read, and what has been said about it.
typedef struct {
    const char *file;
    int line; // of its `game`
    char rules[128];
    char name[NAME_SIZE];
    Text diagram, moves;
    bool built;
    Status status; // of building it
    Error error;
    Game game;
    unsigned facts;
    bool failed;
} Position;

static Named named[NAMES_MAX]; // of the file
static unsigned named_count;
static unsigned tests, failures;

static void complain(Position *position, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void complain(Position *position, int line, const char *format, ...)
{
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    printf("# %s:%d: %s\n", position->file, line, words);
    position->failed = true;
}

static void print_board(const Board *board)
{
    Text text = {0};
    diagram_write(board, &text);
    Span rest = {text.data, text.length}, line = {0};
    while (span_next_part(&rest, '\n', &line))
        printf("#     %.*s\n", (int)line.length, line.at);
    text_close(&text);
}

// --- What holds of every position ---

static void check_round_trip(Position *position)
{
    Text text = {0};
    Game read;
    Error error = {0};
    diagram_write(&position->game.board, &text);
    if (diagram_read((Span){text.data, text.length}, &position->game.board.rules, &read, &error) != STATUS_OK)
        complain(position, position->line, "cannot be read as it is written: %s", error.text);
    else if (board_key(&read.board) != board_key(&position->game.board) ||
             board_winner(&read.board) != board_winner(&position->game.board))
        complain(position, position->line, "is another position when it is written and read");
    text_close(&text);
}

static void check_naive_winner(Position *position)
{
    static NaiveBoard naive;
    const Board *board = &position->game.board;
    naive_init(&naive, &board->rules);
    for (unsigned x = 0; x < board->rules.width; x++)
        for (unsigned y = 0; y < board->rules.height; y++)
            naive.cell[x][y] = "XO."[board_stone(board, cell_at(x, y))];
    if (naive_winner(&naive) != ".XO"[board_winner(board)])
        complain(position, position->line, "the naive board sees another winner");
}

static void check_pictures(Position *position)
{
    const Board *board = &position->game.board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_winning_cells(board, cells);
    for (Symmetry symmetry = 1, end = (Symmetry)symmetry_count(&board->rules); symmetry < end; symmetry++) {
        Board picture;
        symmetry_board(board, symmetry, &picture);
        unsigned left = (unsigned)(board->state.turn & 0xffff);
        (void)board_set_turn(&picture, board_side(board), left); // looks for the winner again
        if (board_winner(&picture) != board_winner(board) || board_winning_cells(&picture, cells) != count)
            complain(position, position->line, "ends differently through symmetry %d", symmetry);
    }
}

// --- Facts ---

static bool fact_turn(const Game *game, Span value)
{
    char expected[32];
    (void)snprintf(expected, sizeof expected, "%c %u", side_letter(board_side(&game->board)),
                   board_stones_left(&game->board));
    return span_is(value, expected);
}

static bool fact_stones(const Game *game, Span value)
{
    int64_t count = 0;
    return span_to_int(value, 0, RULES_CELLS_MAX, &count) && count == board_count(&game->board);
}

static bool fact_winner(const Game *game, Span value)
{
    Winner winner = board_winner(&game->board);
    return span_is(value, winner == WINNER_FIRST    ? "first"
                          : winner == WINNER_SECOND ? "second"
                          : game_is_over(game)      ? "draw"
                                                    : "none");
}

static bool fact_over(const Game *game, Span value)
{
    return span_is(value, game_is_over(game) ? "yes" : "no");
}

// Whether the words of `value` are exactly these cells, in any order; "none" for no cells.
static bool are_cells(const Game *game, Span value, const Cell *cells, unsigned count)
{
    if (span_is(value, "none"))
        return count == 0;
    unsigned found = 0, words = 0;
    Span word = {0};
    for (; span_next_word(&value, " ", &word); words++) {
        Cell cell = CELL_NONE;
        if (cell_parse(word, &game->board.rules, &cell, NULL) != STATUS_OK)
            return false;
        for (unsigned i = 0; i < count; i++)
            found += cells[i] == cell;
    }
    return found == count && words == count;
}

static bool fact_line(const Game *game, Span value)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_winning_cells(&game->board, cells);
    return are_cells(game, value, cells, count);
}

static bool all_have_legality(const Game *game, Span value, bool legal)
{
    Span word = {0};
    unsigned count = 0;
    for (; span_next_word(&value, " ", &word); count++) {
        Cell cell = CELL_NONE;
        if (cell_parse(word, &game->board.rules, &cell, NULL) != STATUS_OK ||
            board_is_legal(&game->board, cell) != legal)
            return false;
    }
    return count > 0;
}

static bool fact_legal(const Game *game, Span value)
{
    return all_have_legality(game, value, true);
}

static bool fact_illegal(const Game *game, Span value)
{
    return all_have_legality(game, value, false);
}

static bool fact_legal_count(const Game *game, Span value)
{
    Cell cells[RULES_CELLS_MAX];
    int64_t count = 0;
    return span_to_int(value, 0, RULES_CELLS_MAX, &count) && count == board_legal_cells(&game->board, cells);
}

static bool fact_wins(const Game *game, Span value)
{
    Cell cells[RULES_CELLS_MAX], wins[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells), found = 0;
    Board board = game->board;
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&board, cells[i]);
        if (board_winner(&board) != WINNER_NONE)
            wins[found++] = cells[i];
        board_undo(&board, cells[i], before);
    }
    return are_cells(game, value, wins, found);
}

// Whether a piece begins with these words; they are cut off.
static bool cut_words(Span *value, const char *words)
{
    size_t length = strlen(words);
    if (value->length < length || memcmp(value->at, words, length) != 0)
        return false;
    *value = span_trim((Span){value->at + length, value->length - length});
    return true;
}

static bool fact_canonical(const Game *game, Span value)
{
    bool same = cut_words(&value, "same as ");
    if (!same && !cut_words(&value, "different from "))
        return false;
    Board canonical;
    (void)symmetry_canonical(&game->board, &canonical);
    for (unsigned i = 0; i < named_count; i++)
        if (span_is(value, named[i].name)) {
            const Board *other = &named[i].canonical;
            bool equal = rules_equal(&canonical.rules, &other->rules) && board_key(&canonical) == board_key(other) &&
                         memcmp(canonical.line, other->line, canonical.line_count * sizeof canonical.line[0]) == 0;
            return equal == same;
        }
    return false;
}

static bool are_counts(const Game *game, Side side, Span value)
{
    const Board *board = &game->board;
    char expected[96];
    int length = snprintf(expected, sizeof expected, "sliding %u marked %u exact %u", threats_sliding(board, side),
                          threats_marked(board, side), threats_exact(board, side).count);
    if (board->rules.gravity)
        (void)snprintf(expected + length, sizeof expected - (size_t)length, " in_play %u",
                       threats_in_play(board, side).count);
    return span_is(value, expected);
}

static bool fact_threats_first(const Game *game, Span value)
{
    return are_counts(game, SIDE_FIRST, value);
}

static bool fact_threats_second(const Game *game, Span value)
{
    return are_counts(game, SIDE_SECOND, value);
}

// The answers as text, in their order.
static bool are_answers(const Game *game, Side side, Span value)
{
    ThreatAnswers answers;
    threats_answers(&game->board, side_other(side), &answers);
    Text text = {0};
    for (unsigned i = 0; i < answers.count * answers.size; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(answers.cells[i], name);
        text_add(&text, "%s%s", i == 0 ? "" : i % answers.size == 0 ? " or " : "+", name);
    }
    bool same = span_is(value, answers.count > 0 ? text.data : "none");
    text_close(&text);
    threats_answers_close(&answers);
    return same;
}

static bool fact_answers_first(const Game *game, Span value)
{
    return are_answers(game, SIDE_FIRST, value);
}

static bool fact_answers_second(const Game *game, Span value)
{
    return are_answers(game, SIDE_SECOND, value);
}

static const struct {
    const char *name;
    bool (*holds)(const Game *game, Span value);
} facts[] = {
    {"turn", fact_turn},
    {"stones", fact_stones},
    {"winner", fact_winner},
    {"over", fact_over},
    {"line", fact_line},
    {"legal", fact_legal},
    {"illegal", fact_illegal},
    {"legal count", fact_legal_count},
    {"wins", fact_wins},
    {"canonical", fact_canonical},
    {"threats first", fact_threats_first},
    {"threats second", fact_threats_second},
    {"answers first", fact_answers_first},
    {"answers second", fact_answers_second},
};

static void check_fact(Position *position, int line, Span key, Span value)
{
    size_t i = 0, count = sizeof facts / sizeof facts[0];
    while (i < count && !span_is(key, facts[i].name))
        i++;
    if (i == count) {
        complain(position, line, "there is no fact '%.*s'", SPAN_PRINT(key));
    } else if (position->status != STATUS_OK) {
        if (!position->failed)
            complain(position, line, "the position is refused: %s", position->error.text);
    } else if (!facts[i].holds(&position->game, value)) {
        complain(position, line, "'%.*s' does not hold: %.*s", SPAN_PRINT(key), (int)value.length, value.at);
        print_board(&position->game.board);
    }
}

static void check_error(Position *position, int line, Span value)
{
    char words[ERROR_TEXT_SIZE];
    (void)snprintf(words, sizeof words, "%.*s", (int)value.length, value.at);
    if (position->status == STATUS_OK)
        complain(position, line, "the position is accepted, without the error '%s'", words);
    else if (strstr(position->error.text, words) == NULL)
        complain(position, line, "the error is '%s'", position->error.text);
}

// --- Reading a file ---

static void remember(Position *position)
{
    if (position->name[0] == '\0')
        return;
    if (named_count == NAMES_MAX) {
        complain(position, position->line, "too many names");
        return;
    }
    Named *entry = &named[named_count++];
    (void)snprintf(entry->name, sizeof entry->name, "%s", position->name);
    (void)symmetry_canonical(&position->game.board, &entry->canonical);
}

static Status build(Position *position)
{
    Rules rules = {0};
    Error *error = &position->error;
    Status status = rules_parse(span_of(position->rules), &rules, error);
    if (status != STATUS_OK)
        return status;
    if (position->diagram.length == 0)
        game_init(&position->game, &rules);
    else
        status = diagram_read((Span){position->diagram.data, position->diagram.length}, &rules, &position->game, error);
    if (status == STATUS_OK && position->moves.length > 0)
        status = game_read(&position->game, (Span){position->moves.data, position->moves.length}, error);
    return status;
}

static void build_once(Position *position)
{
    if (position->built)
        return;
    position->built = true;
    position->status = build(position);
    if (position->status != STATUS_OK)
        return;
    remember(position);
    check_round_trip(position);
    check_naive_winner(position);
    check_pictures(position);
}

static void finish(Position *position)
{
    if (position->line > 0) {
        if (position->facts == 0)
            complain(position, position->line, "a position without facts");
        tests++;
        failures += position->failed;
        printf("%s %u - %s:%d %s\n", position->failed ? "not ok" : "ok", tests, position->file, position->line,
               position->rules);
    }
    text_close(&position->diagram);
    text_close(&position->moves);
    *position = (Position){.file = position->file};
}

static void copy_word(Span value, char *to, size_t size)
{
    (void)snprintf(to, size, "%.*s", (int)value.length, value.at);
}

static void read_fact(Position *position, int number, Span line, const char *arrow)
{
    Span key = span_trim((Span){line.at, (size_t)(arrow - line.at)});
    Span value = span_trim((Span){arrow + 2, line.length - (size_t)(arrow + 2 - line.at)});
    build_once(position);
    position->facts++;
    if (span_is(key, "error"))
        check_error(position, number, value);
    else
        check_fact(position, number, key, value);
}

static void read_line(Position *position, int number, Span line)
{
    Span rest = line, word = {0};
    (void)span_next_word(&rest, " \t", &word);
    rest = span_trim(rest);
    const char *arrow = memmem(line.at, line.length, "->", 2);
    if (span_is(word, "game")) {
        finish(position);
        position->line = number;
        copy_word(rest, position->rules, sizeof position->rules);
    } else if (position->line == 0) {
        position->line = number;
        position->facts = 1;
        complain(position, number, "'%.*s' comes before 'game'", SPAN_PRINT(word));
    } else if (arrow != NULL) {
        read_fact(position, number, line, arrow);
    } else if (position->built) {
        complain(position, number, "'%.*s' comes after a fact", SPAN_PRINT(word));
    } else if (span_is(word, "name")) {
        copy_word(rest, position->name, sizeof position->name);
    } else if (span_is(word, "moves")) {
        text_add(&position->moves, "%.*s ", (int)rest.length, rest.at);
    } else {
        text_add(&position->diagram, "%.*s\n", (int)line.length, line.at);
    }
}

static void run_file(const char *path)
{
    static Position position;
    position = (Position){.file = path};
    named_count = 0;
    Text text = {0};
    Error error = {0};
    unsigned before = tests;
    if (file_read(path, 1 << 20, &text, &error) != STATUS_OK)
        printf("# %s\n", error.text);
    Span rest = {text.data, text.length}, line = {0};
    for (int number = 1; span_next_part(&rest, '\n', &line); number++) {
        line = span_trim(line);
        if (line.length > 0 && line.at[0] != '%')
            read_line(&position, number, line);
    }
    finish(&position);
    if (tests == before) {
        tests++;
        failures++;
        printf("not ok %u - %s holds no position\n", tests, path);
    }
    text_close(&text);
}

static int is_board_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    int count = argc == 2 ? scandir(argv[1], &entries, is_board_file, alphasort) : -1;
    if (count <= 0) {
        printf("Bail out! no boards; usage: run_boards FOLDER\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        Text path = {0};
        text_add(&path, "%s/%s", argv[1], entries[i]->d_name);
        run_file(path.data);
        text_close(&path);
        free(entries[i]);
    }
    free(entries);
    printf("1..%u\n", tests);
    return failures == 0 ? 0 : 1;
}
