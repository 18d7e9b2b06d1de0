// Steps of the checks in the Gomocup protocol.
#include "external/check/check_internal.h"

#include "external/sandbox.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool begins_with(Span line, const char *word)
{
    size_t length = strlen(word);
    return line.length >= length && strncasecmp(line.at, word, length) == 0 &&
           (line.length == length || strchr(" \t:=,", line.at[length]) != NULL);
}

bool gomocup_is_remark(Span line)
{
    return line.length == 0 || begins_with(line, "MESSAGE") || begins_with(line, "DEBUG") ||
           begins_with(line, "SUGGEST");
}

bool gomocup_is_refusal(Span line)
{
    return begins_with(line, "UNKNOWN") || begins_with(line, "ERROR");
}

bool gomocup_agree(Check *check, Span line)
{
    Span word = {0};
    return !begins_with(line, "SUGGEST") || !span_next_word(&line, " \t:=", &word) ||
           check_send(check, "PLAY %.*s", SPAN_PRINT(span_trim(line)));
}

static bool next_line(Check *check, bool agrees, Span *line)
{
    double patience = check->options->patience, seconds = (isfinite(check->limit) ? check->limit : 0) + patience;
    CheckRead read = CHECK_LINE;
    do
        read = check_read(check, seconds, line);
    while (read == CHECK_LINE && gomocup_is_remark(*line) && (!agrees || gomocup_agree(check, *line)));
    return read == CHECK_LINE || check_fail(check, "nothing in %g s", seconds);
}

bool gomocup_line(Check *check, Span *line)
{
    return next_line(check, true, line);
}

bool gomocup_late_line(Check *check, Span *line)
{
    return next_line(check, false, line);
}

bool gomocup_ok(Check *check, const char *after)
{
    Span line = {0};
    check_expect(check, "OK after %s", after);
    if (!gomocup_line(check, &line))
        return false;
    return span_is_ignoring_case(line, "OK") || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

// --- Moves ---

void gomocup_cell_text(const Check *check, Cell cell, char text[16])
{
    (void)snprintf(text, 16, "%u,%u", cell_column(cell), check->game.board.rules.height - 1u - cell_row(cell));
}

static bool read_cell(const Rules *rules, Span line, Cell *cell)
{
    Span rest = line, x_text = {0};
    int64_t x = 0, y = 0;
    if (!span_next_part(&rest, ',', &x_text) || !span_to_int(span_trim(x_text), 0, rules->width - 1, &x) ||
        !span_to_int(span_trim(rest), 0, rules->height - 1, &y))
        return false;
    *cell = cell_at((unsigned)x, (unsigned)(rules->height - 1 - y));
    return true;
}

static void expect_move(Check *check)
{
    const Rules *rules = &check->game.board.rules;
    check_expect(check, "a move x,y on a free cell, 0,0 to %d,%d", rules->width - 1, rules->height - 1);
}

bool gomocup_take_move(Check *check, Span line)
{
    Cell cell = CELL_NONE;
    const Rules *rules = &check->game.board.rules;
    expect_move(check);
    if (!read_cell(rules, line, &cell))
        return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    if (board_stone(&check->game.board, cell) != STONE_NONE)
        return check_fail(check, "'%.*s', which is occupied", SPAN_PRINT(line));
    game_play(&check->game, cell);
    return check_time(check);
}

bool gomocup_move(Check *check)
{
    Span line = {0};
    expect_move(check);
    return gomocup_line(check, &line) && gomocup_take_move(check, line);
}

bool gomocup_begin(Check *check)
{
    return check_send(check, "BEGIN") && gomocup_move(check);
}

bool gomocup_turn(Check *check)
{
    char text[16];
    if (game_is_over(&check->game))
        return true; // the engine has won, since quiet stones do not disturb it
    Cell cell = check_quiet_cell(check);
    if (cell == CELL_NONE)
        return check_skip(check, "the board is too small for this check");
    gomocup_cell_text(check, cell, text);
    game_play(&check->game, cell);
    return check_send(check, "TURN %s", text) && gomocup_move(check);
}

bool gomocup_turns(Check *check, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!gomocup_turn(check))
            return false;
    return true;
}

// --- Positions ---

bool gomocup_send_stones(Check *check)
{
    const Board *board = &check->game.board;
    Text lines = {0};
    text_add(&lines, "BOARD%s", check->line_end);
    for (unsigned i = 0; i < check->game.played; i++) {
        char text[16];
        gomocup_cell_text(check, check->game.stones[i], text);
        bool own = game_side_of(&check->game, i) == board_side(board);
        text_add(&lines, "%s,%d%s", text, own ? 1 : 2, check->line_end);
    }
    text_add(&lines, "DONE%s", check->line_end);
    bool sent = check_send_bytes(check, lines.data);
    text_close(&lines);
    return sent;
}

bool gomocup_board(Check *check, unsigned stones)
{
    check_new_game(check);
    for (unsigned i = 0; i < stones; i++) {
        Cell cell = check_quiet_cell(check);
        if (cell == CELL_NONE)
            return check_skip(check, "the board is too small for this check");
        game_play(&check->game, cell);
    }
    return gomocup_send_stones(check);
}

// --- The beginning ---

bool gomocup_limit(Check *check, double seconds)
{
    check->limit = seconds;
    return check_send(check, "INFO timeout_turn %.0f", seconds * 1000);
}

bool gomocup_start_board(Check *check)
{
    const Rules *rules = &check->game.board.rules;
    check_new_game(check);
    if (rules->width == rules->height)
        return check_send(check, "START %d", rules->width) && gomocup_ok(check, "START");
    return check_send(check, "RECTSTART %d,%d", rules->width, rules->height) && gomocup_ok(check, "RECTSTART");
}

bool gomocup_open(Check *check)
{
    check->limit = 0;
    return check_start(check) && gomocup_start_board(check) &&
           check_send(check, "INFO max_memory %d", SANDBOX_REPORTED_MEMORY) &&
           check_send(check, "INFO timeout_match 0") && check_send(check, "INFO time_left 2147483647") &&
           check_send(check, "INFO game_type 1") &&
           check_send(check, "INFO rule %d", check->game.board.rules.exact ? 1 : 0) &&
           gomocup_limit(check, check->options->time);
}
