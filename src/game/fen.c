// Positions in one line of text.
#include "game/fen.h"

#include "game/diagram.h"

#include <string.h>

// The line is expanded to a diagram, and the diagram reader checks it.
static Status spread_row(Span row, int number, const Rules *rules, Text *diagram, Error *error)
{
    unsigned cells = 0;
    for (size_t i = 0; i < row.length;) {
        size_t digits = 0;
        while (i + digits < row.length && row.at[i + digits] >= '0' && row.at[i + digits] <= '9')
            digits++;
        int64_t run = 1;
        if (digits > 0 && !span_to_int((Span){row.at + i, digits}, 1, rules->width, &run))
            return error_set(error, STATUS_BAD_INPUT, "row %d: '%.*s' empty cells, but a row has %d", number,
                             (int)(digits < 20 ? digits : 20), row.at + i, rules->width);
        if (digits == 0 && (row.at[i] == '\0' || strchr("XxOo", row.at[i]) == NULL))
            return error_set(error, STATUS_BAD_INPUT, "row %d, character %d: neither X, O nor a number", number,
                             (int)i + 1);
        cells += (unsigned)run;
        if (cells > rules->width)
            return error_set(error, STATUS_BAD_INPUT, "row %d has more than %d cells", number, rules->width);
        for (int64_t n = 0; n < run; n++)
            text_add(diagram, "%c", digits > 0 ? '.' : row.at[i]);
        i += digits > 0 ? digits : 1;
    }
    if (cells < rules->width)
        return error_set(error, STATUS_BAD_INPUT, "row %d has %u cells, but a row has %d", number, cells, rules->width);
    text_add(diagram, "\n");
    return STATUS_OK;
}

Status fen_read(Span text, const Rules *rules, Game *game, Error *error)
{
    Span rest = text, rows = {0}, row = {0}, side = {0}, left = {0}, more = {0};
    bool whole = span_next_word(&rest, " \t\r\n", &rows) && span_next_word(&rest, " \t\r\n", &side) &&
                 span_next_word(&rest, " \t\r\n", &left) && !span_next_word(&rest, " \t\r\n", &more);
    if (!whole)
        return error_set(error, STATUS_BAD_INPUT, "a position is written 'ROWS SIDE STONES', such as '3/1X1/3 O 1'");
    Text diagram = {0};
    Status status = STATUS_OK;
    for (int number = 1; status == STATUS_OK && span_next_part(&rows, '/', &row); number++)
        status = number > rules->height
                     ? error_set(error, STATUS_BAD_INPUT, "more than the %d rows of the board", rules->height)
                     : spread_row(row, number, rules, &diagram, error);
    if (status == STATUS_OK) {
        text_add(&diagram, "turn %.*s %.*s\n", SPAN_PRINT(side), SPAN_PRINT(left));
        status = diagram_read((Span){diagram.data, diagram.length}, rules, game, error);
    }
    text_close(&diagram);
    return status;
}

void fen_write(const Board *board, Text *text)
{
    for (unsigned row = board->rules.height; row-- > 0;) {
        unsigned empty = 0;
        for (unsigned column = 0; column < board->rules.width; column++) {
            Stone stone = board_stone(board, cell_at(column, row));
            if (stone == STONE_NONE) {
                empty++;
                continue;
            }
            if (empty > 0)
                text_add(text, "%u", empty);
            empty = 0;
            text_add(text, "%c", side_letter((Side)stone));
        }
        if (empty > 0)
            text_add(text, "%u", empty);
        text_add(text, "%s", row > 0 ? "/" : "");
    }
    text_add(text, " %c %u", side_letter(board_side(board)), (unsigned)(board->state.turn & 0xffff));
}
