// Boards drawn as text: reading and writing.
#include "game/diagram.h"

#include "game/notation.h"

#include <string.h>

typedef struct {
    Board board;
    unsigned rows_read;
    unsigned stones[2]; // of each side
    bool has_turn;
    Side side;
    unsigned stones_left; // of the turn line
} Reader;

// Reads one row of the diagram, counted from the top.
static Status read_row(Reader *reader, Span line, int number, Error *error)
{
    const Rules *rules = &reader->board.rules;
    if (reader->rows_read == rules->height)
        return error_set(error, STATUS_BAD_INPUT, "line %d: more than the %d rows of the board", number, rules->height);
    unsigned row = rules->height - 1u - reader->rows_read, column = 0;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        if (c == ' ' || c == '\t')
            continue;
        if (strchr(".XxOo", c) == NULL || c == '\0')
            return error_set(error, STATUS_BAD_INPUT, "line %d, column %d: '%c' is none of '.', 'X' and 'O'%s", number,
                             (int)i + 1, c >= ' ' && c <= '~' ? c : '?', c == '0' ? " (write the letter O)" : "");
        if (column == rules->width)
            return error_set(error, STATUS_BAD_INPUT, "line %d, column %d: more than the %d cells of a row", number,
                             (int)i + 1, rules->width);
        if (c != '.') {
            Side side = c == 'X' || c == 'x' ? SIDE_FIRST : SIDE_SECOND;
            board_put(&reader->board, cell_at(column, row), side);
            reader->stones[side]++;
        }
        column++;
    }
    if (column < rules->width)
        return error_set(error, STATUS_BAD_INPUT, "line %d: %u cells, but a row has %d", number, column, rules->width);
    reader->rows_read++;
    return STATUS_OK;
}

// Reads the words after "turn": a side, and the stones left (default p).
static Status read_turn(Reader *reader, Span words, int number, Error *error)
{
    const Rules *rules = &reader->board.rules;
    Span side = {0}, left = {0}, more = {0};
    int64_t stones_left = rules->p;
    bool good =
        span_next_word(&words, " \t", &side) && (span_is_ignoring_case(side, "X") || span_is_ignoring_case(side, "O"));
    if (good && span_next_word(&words, " \t", &left))
        good = span_to_int(left, 0, INT64_MAX, &stones_left) && !span_next_word(&words, " \t", &more);
    if (!good)
        return error_set(error, STATUS_BAD_INPUT, "line %d: the turn is written 'turn X 1' or 'turn O 2'", number);
    reader->has_turn = true;
    reader->side = span_is_ignoring_case(side, "X") ? SIDE_FIRST : SIDE_SECOND;
    // Only the first turn of a game may have more than p stones.
    bool opening = reader->side == SIDE_FIRST && reader->stones[SIDE_SECOND] == 0;
    int most = opening && rules->q > rules->p ? rules->q : rules->p;
    if (stones_left < 1 || stones_left > most)
        return error_set(error, STATUS_BAD_INPUT, "line %d: %lld stones left, but a turn of these rules has 1 to %d",
                         number, (long long)stones_left, most);
    reader->stones_left = (unsigned)stones_left;
    return STATUS_OK;
}

static Status read_lines(Reader *reader, Span text, Error *error)
{
    Span line = {0};
    for (int number = 1; span_next_part(&text, '\n', &line); number++) {
        line = span_trim(line);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        if (reader->has_turn)
            return error_set(error, STATUS_BAD_INPUT, "line %d: nothing may follow the turn", number);
        Span rest = line, word = {0};
        bool is_turn = span_next_word(&rest, " \t", &word) && span_is_ignoring_case(word, "turn");
        if (is_turn && reader->rows_read < reader->board.rules.height)
            return error_set(error, STATUS_BAD_INPUT, "line %d: the turn comes after %d rows, but there are only %u",
                             number, reader->board.rules.height, reader->rows_read);
        Status status = is_turn ? read_turn(reader, rest, number, error) : read_row(reader, line, number, error);
        if (status != STATUS_OK)
            return status;
    }
    if (reader->rows_read < reader->board.rules.height)
        return error_set(error, STATUS_BAD_INPUT, "the diagram ends after %u rows, but the board has %d",
                         reader->rows_read, reader->board.rules.height);
    return STATUS_OK;
}

static Status check_gravity(const Board *board, Error *error)
{
    if (!board->rules.gravity)
        return STATUS_OK;
    for (unsigned row = 1; row < board->rules.height; row++) {
        uint64_t floating = board_occupied_row(board, row) & ~board_occupied_row(board, row - 1);
        if (floating == 0)
            continue;
        char stone[CELL_TEXT_SIZE], below[CELL_TEXT_SIZE];
        cell_format(cell_at(bits_lowest(floating), row), stone);
        cell_format(cell_at(bits_lowest(floating), row - 1), below);
        return error_set(error, STATUS_BAD_INPUT, "the stone on %s floats: %s below it is empty", stone, below);
    }
    return STATUS_OK;
}

// The number of the first player's stones among the first `total`.
static unsigned first_stones(const Rules *rules, unsigned total)
{
    if (total <= rules->q)
        return total;
    unsigned after = total - rules->q, p = rules->p;
    unsigned rounds = after / (2 * p), beyond = after % (2 * p);
    return rules->q + rounds * p + (beyond > p ? beyond - p : 0);
}

// Infers the turn if there is no turn line. The numbers of stones must be those of a game.
static Status infer_turn(Reader *reader, Error *error)
{
    const Rules *rules = &reader->board.rules;
    unsigned total = reader->stones[0] + reader->stones[1];
    if (reader->stones[0] != first_stones(rules, total))
        return error_set(error, STATUS_BAD_INPUT,
                         "%u X and %u O: after %u stones of a game with p=%d, q=%d there are %u X and %u O "
                         "(a last line such as 'turn X 1' sets up any position)",
                         reader->stones[0], reader->stones[1], total, rules->p, rules->q, first_stones(rules, total),
                         total - first_stones(rules, total));
    uint64_t turn = board_turn_after(&reader->board, rules->q, total);
    reader->side = (Side)(turn >> 32 & 1);
    reader->stones_left = (unsigned)(turn & 0xffff);
    return STATUS_OK;
}

// Without a turn line, the winner of a finished game must have placed the last stone.
static Status check_winner(const Reader *reader, Error *error)
{
    const Board *board = &reader->board;
    Winner winner = board_winner(board);
    if (reader->has_turn || winner == WINNER_NONE)
        return STATUS_OK;
    Side side = winner == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND;
    uint64_t before = board_turn_after(board, board->rules.q, board_count(board) - 1);
    if ((Side)(before >> 32 & 1) == side)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%c has %d in a row, but by the numbers of stones %c placed the last one",
                     side_letter(side), board->rules.k, side_letter(side_other(side)));
}

Status diagram_read(Span text, const Rules *rules, Game *game, Error *error)
{
    Reader reader = {0};
    board_init(&reader.board, rules);
    Status status = read_lines(&reader, text, error);
    if (status == STATUS_OK)
        status = check_gravity(&reader.board, error);
    if (status == STATUS_OK && !reader.has_turn)
        status = infer_turn(&reader, error);
    if (status != STATUS_OK)
        return status;
    if (board_set_turn(&reader.board, reader.side, reader.stones_left) == 3)
        return error_set(error, STATUS_BAD_INPUT, "both X and O have %d in a row", rules->k);
    status = check_winner(&reader, error);
    if (status == STATUS_OK)
        game_init_from(game, &reader.board);
    return status;
}

void diagram_write(const Board *board, Text *text)
{
    for (unsigned row = board->rules.height; row-- > 0;)
        for (unsigned column = 0; column < board->rules.width; column++) {
            static const char letters[] = "XO.";
            text_add(text, "%c%c", letters[board_stone(board, cell_at(column, row))],
                     column + 1u < board->rules.width ? ' ' : '\n');
        }
    text_add(text, "turn %c %u\n", side_letter(board_side(board)), (unsigned)(board->state.turn & 0xffff));
}
