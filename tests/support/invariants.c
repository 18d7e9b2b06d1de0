#include "support/invariants.h"

#include "game/diagram.h"
#include "game/notation.h"

#include <string.h>

// The cells of a board as they are needed here, and the facts that many checks share.
typedef struct {
    const Board *board;
    const NaiveBoard *naive;
    int width, height;
    char winner;
    bool over;
    Error *error;
} Check;

static Status differs(const Check *check, int column, int row, const char *what)
{
    char name[CELL_TEXT_SIZE];
    cell_format(cell_at((unsigned)column, (unsigned)row), name);
    return error_set(check->error, STATUS_FAILED, "%s differs on %s", what, name);
}

static char letter_at(const Check *check, int column, int row)
{
    bool inside = column >= 0 && column < check->width && row >= 0 && row < check->height;
    return inside ? check->naive->cell[column][row] : ' ';
}

// --- Turn, count, winner ---

static Status check_turn(const Check *check)
{
    const Board *board = check->board;
    const Rules *rules = &check->naive->rules;
    int stones = check->naive->stones, left = naive_left(rules, stones), empty = check->width * check->height - stones;
    char winner = ".XO"[board_winner(board)];
    if (winner != check->winner)
        return error_set(check->error, STATUS_FAILED, "the winner is %c, not %c", check->winner, winner);
    if (board_is_over(board) != check->over)
        return error_set(check->error, STATUS_FAILED, "the end of the game differs");
    if ((int)board_count(board) != stones)
        return error_set(check->error, STATUS_FAILED, "%d stones, not %u", stones, board_count(board));
    if ("XO"[board_side(board)] != naive_side(rules, stones))
        return error_set(check->error, STATUS_FAILED, "the side to move differs");
    int expected = check->over ? 0 : left < empty ? left : empty;
    if ((int)board_stones_left(board) != expected)
        return error_set(check->error, STATUS_FAILED, "%d stones left, not %u", expected, board_stones_left(board));
    return STATUS_OK;
}

// --- Cells and legality ---

static bool should_be_legal(const Check *check, int column, int row)
{
    if (check->over || letter_at(check, column, row) != '.')
        return false;
    return !check->naive->rules.gravity || row == 0 || letter_at(check, column, row - 1) != '.';
}

// All cells, and those just outside where there is room for their names.
static Status check_cells(const Check *check)
{
    Cell legal[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(check->board, legal), at = 0;
    for (int row = 0; row <= check->height && row < RULES_SIDE_MAX; row++)
        for (int column = 0; column <= check->width && column < RULES_SIDE_MAX; column++) {
            Cell cell = cell_at((unsigned)column, (unsigned)row);
            bool expected = should_be_legal(check, column, row);
            if (board_is_legal(check->board, cell) != expected)
                return differs(check, column, row, "legality");
            if (expected && (at >= count || legal[at++] != cell))
                return differs(check, column, row, "the list of legal cells");
            char letter = letter_at(check, column, row);
            if (board_has(check->board, cell) != (letter != ' '))
                return differs(check, column, row, "being on the board");
            if (letter != ' ' && "XO."[board_stone(check->board, cell)] != letter)
                return differs(check, column, row, "the stone");
        }
    return at == count ? STATUS_OK : error_set(check->error, STATUS_FAILED, "%u legal cells, not %u", at, count);
}

static Status check_drop_rows(const Check *check)
{
    for (int column = 0; check->naive->rules.gravity && column < check->width; column++) {
        int row = 0;
        while (row < check->height && letter_at(check, column, row) != '.')
            row++;
        if ((int)board_drop_row(check->board, (unsigned)column) != row)
            return differs(check, column, 0, "the row a stone falls to");
    }
    return STATUS_OK;
}

// --- Lines and keys ---

// The lines as board.h describes them: rows, columns, rising, falling, one after another.
static Status check_lines(const Check *check)
{
    static _Thread_local uint64_t line[BOARD_LINES_MAX][2];
    int width = check->width, height = check->height, diagonals = width + height - 1;
    int count = width + height + 2 * diagonals;
    memset(line, 0, sizeof line);
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            if (letter_at(check, x, y) == '.')
                continue;
            int side = letter_at(check, x, y) == 'X' ? 0 : 1;
            line[y][side] |= UINT64_C(1) << x;
            line[height + x][side] |= UINT64_C(1) << y;
            line[height + width + (x - y + height - 1)][side] |= UINT64_C(1) << x;
            line[height + width + diagonals + x + y][side] |= UINT64_C(1) << x;
        }
    if (check->board->line_count != count)
        return error_set(check->error, STATUS_FAILED, "%d lines, not %d", count, check->board->line_count);
    for (int i = 0; i < count; i++)
        if (line[i][0] != check->board->line[i][0] || line[i][1] != check->board->line[i][1])
            return error_set(check->error, STATUS_FAILED, "line %d differs", i);
    return STATUS_OK;
}

static Status check_key(const Check *check)
{
    uint64_t key = 0;
    for (int x = 0; x < check->width; x++)
        for (int y = 0; y < check->height; y++)
            if (letter_at(check, x, y) != '.')
                key ^= zobrist_stone[cell_at((unsigned)x, (unsigned)y)][letter_at(check, x, y) == 'X' ? 0 : 1];
    if (check->board->state.stones_key != key)
        return error_set(check->error, STATUS_FAILED, "the key of the stones differs");
    return STATUS_OK;
}

// The same position set up stone by stone: state, key and winner must be those of the board that was played.
static Status check_set_up(const Check *check)
{
    static _Thread_local Board copy;
    board_init(&copy, &check->naive->rules);
    for (int x = 0; x < check->width; x++)
        for (int y = 0; y < check->height; y++)
            if (letter_at(check, x, y) != '.')
                board_put(&copy, cell_at((unsigned)x, (unsigned)y),
                          letter_at(check, x, y) == 'X' ? SIDE_FIRST : SIDE_SECOND);
    int stones = check->naive->stones, left = naive_left(&check->naive->rules, stones);
    Side side = naive_side(&check->naive->rules, stones) == 'X' ? SIDE_FIRST : SIDE_SECOND;
    unsigned won = board_set_turn(&copy, side, (unsigned)left);
    if (won != (check->winner == '.' ? 0u : check->winner == 'X' ? 1u : 2u))
        return error_set(check->error, STATUS_FAILED, "the winner of the position set up differs");
    if (copy.state.turn != check->board->state.turn || board_key(&copy) != board_key(check->board))
        return error_set(check->error, STATUS_FAILED, "the state of the position set up differs");
    return STATUS_OK;
}

// --- Rows that win ---

// Whether a word holds a row of the right length, bit by bit.
static bool word_wins(const Rules *rules, uint64_t word)
{
    int length = 0;
    for (int i = 0; i <= 64; i++) {
        if (i < 64 && (word >> i & 1) != 0) {
            length++;
            continue;
        }
        if (rules->exact ? length == rules->k : length >= rules->k)
            return true;
        length = 0;
    }
    return false;
}

// Whether the stone on a cell is part of a winning row, counted from it in both directions.
static bool stone_wins(const Check *check, int column, int row)
{
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    char letter = letter_at(check, column, row);
    for (int d = 0; d < 4; d++) {
        int dx = directions[d][0], dy = directions[d][1], length = 1;
        for (int i = 1; letter_at(check, column + i * dx, row + i * dy) == letter; i++)
            length++;
        for (int i = 1; letter_at(check, column - i * dx, row - i * dy) == letter; i++)
            length++;
        if (check->naive->rules.exact ? length == check->naive->rules.k : length >= check->naive->rules.k)
            return true;
    }
    return false;
}

// The fast and the plain test for a win, at one stone.
static Status check_stone_wins(const Check *check, int column, int row)
{
    const Board *board = check->board;
    Cell cell = cell_at((unsigned)column, (unsigned)row);
    Side side = letter_at(check, column, row) == 'X' ? SIDE_FIRST : SIDE_SECOND;
    CellLines at = board_lines_of(board, cell);
    FourLines lines = {board->line[at.row][side], board->line[at.column][side], board->line[at.rising][side],
                       board->line[at.falling][side]};
    bool any = false;
    for (int i = 0; i < 4; i++)
        any = any || word_wins(&board->rules, lines[i]);
    if (board_lines_win(board, &lines) != any)
        return differs(check, column, row, "board_lines_win");
    if (board_wins_at(board, cell, side) != stone_wins(check, column, row))
        return differs(check, column, row, "board_wins_at");
    return STATUS_OK;
}

static Status check_wins(const Check *check)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_winning_cells(check->board, cells), at = 0;
    for (int row = 0; row < check->height; row++)
        for (int column = 0; column < check->width; column++) {
            char letter = letter_at(check, column, row);
            if (letter == '.')
                continue;
            Status status = check_stone_wins(check, column, row);
            if (status != STATUS_OK)
                return status;
            if (letter == check->winner && stone_wins(check, column, row) &&
                (at >= count || cells[at++] != cell_at((unsigned)column, (unsigned)row)))
                return differs(check, column, row, "the list of winning cells");
        }
    return at == count ? STATUS_OK : error_set(check->error, STATUS_FAILED, "%u winning cells, not %u", at, count);
}

Status invariants_check(const Board *board, const NaiveBoard *naive, Error *error)
{
    Check check = {.board = board, .naive = naive, .error = error};
    check.width = naive->rules.width;
    check.height = naive->rules.height;
    check.winner = naive_winner(naive);
    check.over = check.winner != '.' || naive->stones == check.width * check.height;
    static Status (*const checks[])(const Check *) = {check_turn, check_cells,  check_drop_rows, check_lines,
                                                      check_key,  check_set_up, check_wins};
    Status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < sizeof checks / sizeof checks[0]; i++)
        status = checks[i](&check);
    return status;
}

void invariants_draw(const Board *board, const NaiveBoard *naive, Text *text)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&naive->rules, rules);
    text_add(text, "game %s\n", rules);
    diagram_write(board, text);
    text_add(text, "played");
    for (int i = 0; i < naive->stones; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cell_at((unsigned)naive->column[i], (unsigned)naive->row[i]), name);
        text_add(text, " %s", name);
    }
    text_add(text, "\n");
}
