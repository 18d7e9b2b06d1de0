// Positions as short texts, the keys of opening books.
#include "game/encoding.h"

#include <gmp.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {[ENCODING_RELATIVE] = "relative", [ENCODING_ABSOLUTE] = "absolute"};

const char *encoding_name(Encoding encoding)
{
    return names[encoding];
}

bool encoding_find(Span name, Encoding *encoding)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (span_is(name, names[i])) {
            *encoding = (Encoding)i;
            return true;
        }
    return false;
}

// --- Indices ---

int encoding_index(const Rules *rules, Encoding encoding, Cell origin, Cell cell)
{
    int column = (int)cell_column(cell), row = (int)cell_row(cell), n = rules->width;
    if (encoding == ENCODING_ABSOLUTE)
        return row * n + column;
    return (row - (int)cell_row(origin)) * (2 * n - 1) + column - (int)cell_column(origin);
}

// The offset of an index from the origin in columns and rows; columns from -(n - 1) to n - 1.
static void offset_of(const Rules *rules, Encoding encoding, int index, int *columns, int *rows)
{
    int n = rules->width, factor = encoding == ENCODING_ABSOLUTE ? n : 2 * n - 1;
    int shifted = encoding == ENCODING_ABSOLUTE ? index : index + n - 1;
    *rows = shifted >= 0 ? shifted / factor : -((factor - 1 - shifted) / factor);
    *columns = index - *rows * factor;
}

bool encoding_cell(const Rules *rules, Encoding encoding, Cell origin, int index, Cell *cell)
{
    int column = 0, row = 0;
    offset_of(rules, encoding, index, &column, &row);
    if (encoding == ENCODING_RELATIVE) {
        column += (int)cell_column(origin);
        row += (int)cell_row(origin);
    }
    if (!rules_have_cell(rules, column, row))
        return false;
    *cell = cell_at((unsigned)column, (unsigned)row);
    return true;
}

// --- Lists ---

// Stones are first set as bits of rows, from which they come in order.
void encoding_lists(const Board *board, Encoding encoding, Symmetry symmetry, Cell origin, StoneLists *lists)
{
    const Rules *rules = &board->rules;
    for (int side = 0; side < 2; side++) {
        uint64_t rows[RULES_SIDE_MAX] = {0};
        for (unsigned row = 0; row < rules->height; row++)
            for (uint64_t stones = board->line[row][side]; stones != 0; stones &= stones - 1) {
                Cell cell = symmetry_cell(rules, symmetry, cell_at(bits_lowest(stones), row));
                rows[cell_row(cell)] |= cell_bit_in_row(cell);
            }
        unsigned count = 0;
        for (unsigned row = 0; row < rules->height; row++)
            for (uint64_t stones = rows[row]; stones != 0; stones &= stones - 1) {
                Cell cell = cell_at(bits_lowest(stones), row);
                lists->index[side][count++] = (int16_t)encoding_index(rules, encoding, origin, cell);
            }
        lists->count[side] = count;
    }
}

int encoding_compare(const StoneLists *a, const StoneLists *b)
{
    for (int side = 0; side < 2; side++) {
        if (a->count[side] != b->count[side])
            return a->count[side] < b->count[side] ? -1 : 1;
        for (unsigned i = 0; i < a->count[side]; i++)
            if (a->index[side][i] != b->index[side][i])
                return a->index[side][i] < b->index[side][i] ? -1 : 1;
    }
    return 0;
}

bool encoding_board(const StoneLists *lists, const Rules *rules, Encoding encoding, Cell origin, Board *board)
{
    board_init(board, rules);
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < lists->count[side]; i++) {
            Cell cell = 0;
            if (!encoding_cell(rules, encoding, origin, lists->index[side][i], &cell))
                return false;
            board_put(board, cell, (Side)side);
        }
    return true;
}

// --- Lists as text ---

void encoding_write_list(const int16_t *list, unsigned count, Text *text)
{
    for (unsigned i = 0; i < count; i++) {
        char number[16];
        int length = snprintf(number, sizeof number, "%s%d", i > 0 ? " " : "", list[i]);
        text_add_span(text, (Span){number, (size_t)length});
    }
    text_add_span(text, (Span){"", 0});
}

// Parses a canonical number: no plus sign, no leading zeros.
static bool read_index(Span word, int64_t *number)
{
    bool negative = word.length > 0 && word.at[0] == '-';
    Span digits = {word.at + negative, word.length - negative};
    if (digits.length == 0 || digits.at[0] < '0' || digits.at[0] > '9')
        return false;
    if (digits.at[0] == '0' && (digits.length > 1 || negative))
        return false;
    return span_to_int(word, INT16_MIN, INT16_MAX, number);
}

bool encoding_read_list(Span text, int16_t list[RULES_CELLS_MAX], unsigned *count)
{
    Span word = {0};
    bool ends_in_blank = text.length > 0 && text.at[text.length - 1] == ' ';
    *count = 0;
    while (span_next_part(&text, ' ', &word)) {
        int64_t number = 0;
        if (*count == RULES_CELLS_MAX || !read_index(word, &number) || (*count > 0 && number <= list[*count - 1]))
            return false;
        list[(*count)++] = (int16_t)number;
    }
    return !ends_in_blank;
}

bool encoding_has(const StoneLists *lists, int side, int index)
{
    for (unsigned i = 0; i < lists->count[side]; i++)
        if (lists->index[side][i] == index)
            return true;
    return false;
}

// The bounding box of the stones, as offsets from the origin.
static void find_box(const StoneLists *lists, const Rules *rules, int low[2], int high[2])
{
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < lists->count[side]; i++) {
            int at[2] = {0, 0};
            offset_of(rules, ENCODING_RELATIVE, lists->index[side][i], &at[0], &at[1]);
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
                high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
            }
        }
}

static bool is_on_board(const StoneLists *lists, const Rules *rules)
{
    int cells = (int)rules_cells(rules);
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < lists->count[side]; i++)
            if (lists->index[side][i] < 0 || lists->index[side][i] >= cells)
                return false;
    return true;
}

bool encoding_place(const StoneLists *lists, const Rules *rules, Encoding encoding, Cell *origin)
{
    int low[2] = {0, 0}, high[2] = {0, 0}; // the origin is on the board
    *origin = 0;
    if (encoding == ENCODING_ABSOLUTE)
        return is_on_board(lists, rules);
    find_box(lists, rules, low, high);
    if (high[0] - low[0] >= rules->width || high[1] - low[1] >= rules->height)
        return false;
    *origin = cell_at((unsigned)-low[0], (unsigned)-low[1]);
    return true;
}

// Whether all offsets fit on one board, no two stones share a cell, and the origin is a stone of the first player.
static bool fits(const StoneLists *lists, const Rules *rules)
{
    Cell origin = 0;
    for (unsigned i = 0; i < lists->count[1]; i++)
        if (encoding_has(lists, 0, lists->index[1][i]))
            return false;
    bool is_empty = lists->count[0] == 0 && lists->count[1] == 0;
    return encoding_place(lists, rules, ENCODING_RELATIVE, &origin) && (is_empty || encoding_has(lists, 0, 0));
}

static Status read_relative(Span text, const Rules *rules, StoneLists *lists, Error *error)
{
    Span rest = text, first = {0};
    bool has_stroke = memchr(text.at, '/', text.length) != NULL;
    (void)span_next_part(&rest, '/', &first);
    if (!has_stroke || !encoding_read_list(first, lists->index[0], &lists->count[0]) ||
        !encoding_read_list(rest, lists->index[1], &lists->count[1]))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not two rising lists of numbers with a stroke between",
                         SPAN_PRINT(text));
    if (!fits(lists, rules))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no position around a first stone on a %ux%u board",
                         SPAN_PRINT(text), rules->width, rules->height);
    return STATUS_OK;
}

// --- Numbers ---

// 3^4096 has 1955 decimal digits.
enum { DECIMALS_MAX = 1955 };

// Writes the digits v_i, last cell first, as a base-3 number that GMP converts to decimal. GMP ends the program if
// memory runs out; the largest number here takes 812 bytes.
static void write_absolute(const StoneLists *lists, const Rules *rules, Text *text)
{
    unsigned cells = rules_cells(rules);
    char digits[RULES_CELLS_MAX + 1], decimal[DECIMALS_MAX + 2];
    memset(digits, '0', cells);
    digits[cells] = '\0';
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < lists->count[side]; i++)
            digits[(int)cells - 1 - lists->index[side][i]] = (char)('1' + side);
    mpz_t number;
    (void)mpz_init_set_str(number, digits, 3);
    text_add_span(text, span_of(mpz_get_str(decimal, 10, number)));
    mpz_clear(number);
}

static bool is_decimal(Span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.length > 0 && text.length <= DECIMALS_MAX && (text.at[0] != '0' || text.length == 1);
}

static Status read_absolute(Span text, const Rules *rules, StoneLists *lists, Error *error)
{
    unsigned cells = rules_cells(rules);
    lists->count[0] = lists->count[1] = 0;
    if (!is_decimal(text))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no position: not a number", SPAN_PRINT(text));
    char decimal[DECIMALS_MAX + 1], digits[RULES_CELLS_MAX + 8]; // 1955 nines have 4098 digits in base 3
    memcpy(decimal, text.at, text.length);
    decimal[text.length] = '\0';
    mpz_t number;
    (void)mpz_init_set_str(number, decimal, 10);
    size_t length = strlen(mpz_get_str(digits, 3, number));
    mpz_clear(number);
    if (length > cells)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no position: larger than those of a %ux%u board",
                         SPAN_PRINT(text), rules->width, rules->height);
    for (unsigned i = 0; i < length; i++) {
        int side = digits[length - 1 - i] - '1';
        if (side >= 0)
            lists->index[side][lists->count[side]++] = (int16_t)i;
    }
    return STATUS_OK;
}

void encoding_write(const StoneLists *lists, const Rules *rules, Encoding encoding, Text *text)
{
    if (encoding == ENCODING_ABSOLUTE) {
        write_absolute(lists, rules, text);
        return;
    }
    encoding_write_list(lists->index[0], lists->count[0], text);
    text_add_span(text, (Span){"/", 1});
    encoding_write_list(lists->index[1], lists->count[1], text);
}

Status encoding_read(Span text, const Rules *rules, Encoding encoding, StoneLists *lists, Error *error)
{
    return encoding == ENCODING_ABSOLUTE ? read_absolute(text, rules, lists, error)
                                         : read_relative(text, rules, lists, error);
}
