// SGF FF[4]: from the properties of a game to its rules, position and stones.
#include "store/formats/format_sgf_internal.h"

#include "game/diagram.h"
#include "game/notation.h"

// Two letters have their origin top left, a krow cell such as bk60 has row 1 at the bottom.
static bool point_cell(Sgf *sgf, SgfPoint point, Cell *cell)
{
    const Rules *rules = &sgf->reader->record.rules;
    Span value = point.value;
    Error error = {0};
    bool is_cell = value.length >= 2 && value.at[value.length - 1] >= '0' && value.at[value.length - 1] <= '9';
    if (is_cell)
        return cell_parse(value, rules, cell, &error) == STATUS_OK || reader_fail_with(sgf->reader, point.line, &error);
    if (value.length == 0)
        return reader_fail(sgf->reader, point.line, "passes are not supported");
    return sgf_point(value, rules, cell) ||
           reader_fail(sgf->reader, point.line, "[%.*s] is not a point of a %dx%d board", SPAN_PRINT(value),
                       rules->width, rules->height);
}

// Whether a colour moves twice in succession.
static bool moves_twice(const SgfPoints *moves)
{
    for (size_t i = 1; i < moves->count; i++)
        if (moves->list[i].white == moves->list[i - 1].white)
            return true;
    return false;
}

// Parses SZ[n] or SZ[columns:rows]; 0 and 0 if absent.
static bool read_size(Sgf *sgf, int64_t *width, int64_t *height)
{
    *width = *height = 0;
    if (sgf->size.length == 0)
        return true;
    Span rows = sgf->size, columns = {0};
    (void)span_next_part(&rows, ':', &columns);
    if (columns.length == sgf->size.length)
        rows = columns;
    return (span_to_int(span_trim(columns), 1, INT32_MAX, width) &&
            span_to_int(span_trim(rows), 1, INT32_MAX, height)) ||
           reader_fail(sgf->reader, sgf->size_line, "SZ[%.*s] is not a size; write SZ[19] or SZ[7:6]",
                       SPAN_PRINT(sgf->size));
}

static bool choose_rules(Sgf *sgf)
{
    FormatReader *reader = sgf->reader;
    const Rules *rules = &reader->record.rules, *given = reader->options.rules;
    int64_t width = 0, height = 0;
    if (!read_size(sgf, &width, &height))
        return false;
    if (sgf->has_rules)
        return sgf->size.length == 0 || (rules->width == width && rules->height == height) ||
               reader_fail(reader, sgf->size_line, "SZ[%.*s] and the rules KR[%dx%d…] are different boards",
                           SPAN_PRINT(sgf->size), rules->width, rules->height);
    if (sgf->genre != 4 && given == NULL)
        return reader_fail(reader, reader->begin_line,
                           "GM[%lld] is another kind of game (4 is five in a row); specify the rules to read it anyway",
                           (long long)sgf->genre);
    Rules usual = {.k = 5, .p = 1, .q = 1};
    if (moves_twice(&sgf->moves))
        usual = (Rules){.k = 6, .p = 2, .q = 1};
    int64_t side = usual.p == 2 ? 19 : 15; // default without SZ
    if (width == 0 && given != NULL)
        return reader_use_board(reader, reader->begin_line, given->width, given->height, usual);
    return reader_use_board(reader, width != 0 ? sgf->size_line : reader->begin_line, width != 0 ? width : side,
                            width != 0 ? height : side, usual);
}

static bool put_stone(Sgf *sgf, Board *board, SgfPoint point, Cell cell)
{
    if (board_stone(board, cell) != STONE_NONE)
        return reader_fail(sgf->reader, point.line, "[%.*s] is set up twice", SPAN_PRINT(point.value));
    board_put(board, cell, point.white ? SIDE_SECOND : SIDE_FIRST);
    return true;
}

// A point, or a rectangle in a compressed list: upper left:lower right.
static bool put_points(Sgf *sgf, Board *board, SgfPoint point)
{
    SgfPoint corner = point;
    (void)span_next_part(&corner.value, ':', &point.value);
    Cell from = CELL_NONE, to = CELL_NONE;
    if (!point_cell(sgf, point, &from))
        return false;
    if (corner.value.length == 0)
        return put_stone(sgf, board, point, from);
    if (!point_cell(sgf, corner, &to))
        return false;
    for (unsigned row = cell_row(to); row <= cell_row(from); row++)
        for (unsigned column = cell_column(from); column <= cell_column(to); column++)
            if (!put_stone(sgf, board, point, cell_at(column, row)))
                return false;
    return true;
}

// The side to move after the set-up stones and its stones left: from PL, else from the moves, else from the rules.
static void choose_turn(const Sgf *sgf, const Board *board, Side *side, unsigned *left)
{
    const SgfPoints *moves = &sgf->moves;
    uint64_t turn = board_turn_after(board, board->rules.q, board_count(board));
    *side = (Side)(turn >> 32 & 1);
    *left = (unsigned)(turn & 0xffff);
    if (sgf->player == 0 && moves->count == 0)
        return;
    Side to_move = sgf->player != 0 ? (sgf->player == 'W' ? SIDE_SECOND : SIDE_FIRST)
                                    : (moves->list[0].white ? SIDE_SECOND : SIDE_FIRST);
    size_t run = 0;
    while (run < moves->count && moves->list[run].white == (to_move == SIDE_SECOND))
        run++;
    bool shown = run > 0 && run < moves->count && run <= board->rules.p;
    *left = shown ? (unsigned)run : to_move == *side ? *left : board->rules.p;
    *side = to_move;
}

static bool set_up(Sgf *sgf)
{
    if (sgf->setup.count == 0 && sgf->player != 'W' && sgf->left == 0)
        return true;
    FormatReader *reader = sgf->reader;
    Board board;
    Error error = {0};
    Side side = SIDE_FIRST;
    unsigned left = 0;
    board_init(&board, &reader->record.rules);
    for (size_t i = 0; i < sgf->setup.count; i++)
        if (!put_points(sgf, &board, sgf->setup.list[i]))
            return false;
    choose_turn(sgf, &board, &side, &left);
    left = sgf->left > 0 ? (unsigned)sgf->left : left;
    if (left > reader->record.rules.p && left > reader->record.rules.q)
        return reader_fail(reader, reader->begin_line, "KL: %u stones left are more than a turn has in these rules",
                           left);
    // Reading a diagram checks the position: floating stones, two winners, too many stones in a turn.
    Text drawing = {0};
    (void)board_set_turn(&board, side, left);
    diagram_write(&board, &drawing);
    bool good =
        diagram_read((Span){drawing.data, drawing.length}, &reader->record.rules, &reader->game, &error) == STATUS_OK;
    text_close(&drawing);
    if (good)
        record_set_up(&reader->record, &reader->game.board);
    return good ||
           reader_fail_with(reader, sgf->setup.count > 0 ? sgf->setup.list[0].line : reader->begin_line, &error);
}

// Sets the cells, and checks the colours of the moves against the rules.
static bool use_moves(Sgf *sgf)
{
    FormatReader *reader = sgf->reader;
    GameRecord *record = &reader->record;
    Board board;
    board_init(&board, &record->rules);
    uint64_t start = record->setup != NULL ? record->setup->state.turn : board.state.turn;
    for (size_t i = 0; i < sgf->moves.count; i++) {
        SgfPoint move = sgf->moves.list[i];
        Side turn = (Side)(board_turn_after(&board, start, (unsigned)i) >> 32 & 1);
        if (!point_cell(sgf, move, &record->stones[i].cell))
            return false;
        if (move.white != (turn == SIDE_SECOND))
            return reader_fail(reader, move.line, "stone %zu is %s, but %s is to move", i + 1,
                               move.white ? "white" : "black", turn == SIDE_SECOND ? "white" : "black");
    }
    return true;
}

bool sgf_build_game(Sgf *sgf)
{
    return choose_rules(sgf) && set_up(sgf) && use_moves(sgf);
}
