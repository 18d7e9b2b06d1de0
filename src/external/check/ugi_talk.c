// Steps of the checks in UGI.
#include "external/check/check_internal.h"

#include "game/fen.h"
#include "game/notation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t";

// --- Lines ---

// Notes the number of a line of search info, and the first line whose values are not numbers.
static void note_info(Check *check, Span line)
{
    Span rest = line, word = {0}, value = {0};
    int64_t number = 0;
    while (span_next_word(&rest, blanks, &word)) {
        if (span_is(word, "pv") || span_is(word, "string"))
            return;
        bool counts = span_is(word, "depth") || span_is(word, "nodes") || span_is(word, "time") ||
                      span_is(word, "multipv") || span_is(word, "nps");
        if (!counts)
            continue;
        bool right = span_next_word(&rest, blanks, &value) && span_to_int(value, 0, INT64_MAX, &number);
        if (right && span_is(word, "multipv") && number > check->multipv)
            check->multipv = (unsigned)(number < UINT32_MAX ? number : UINT32_MAX);
        if (!right && check->bad_info[0] == '\0')
            (void)snprintf(check->bad_info, sizeof check->bad_info, "%.*s", SPAN_PRINT(span_trim(line)));
    }
}

bool ugi_line(Check *check, Span *line)
{
    double seconds = (isfinite(check->limit) ? check->limit : 0) + check->options->patience;
    CheckRead read = CHECK_LINE;
    for (;;) {
        Span rest = {0}, first = {0};
        read = check_read(check, seconds, line);
        if (read != CHECK_LINE)
            return check_fail(check, "nothing in %g s", seconds);
        rest = *line;
        bool is_info = span_next_word(&rest, blanks, &first) && span_is(first, "info");
        if (is_info)
            note_info(check, rest);
        if (line->length > 0 && !is_info)
            return true;
    }
}

bool ugi_ready(Check *check)
{
    Span line = {0};
    if (!check_send(check, "isready"))
        return false;
    check_expect(check, "readyok after isready");
    if (!ugi_line(check, &line))
        return false;
    return span_is(line, "readyok") || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

// --- The beginning ---

static void note_option(Check *check, Span line)
{
    Span word = {0}, name = {0};
    if (!span_next_word(&line, blanks, &word) || !span_is(word, "option") || !span_next_word(&line, blanks, &word) ||
        !span_is(word, "name") || !span_next_word(&line, blanks, &name))
        return;
    check->has_game |= span_is_ignoring_case(name, "Game");
    check->has_threads |= span_is_ignoring_case(name, "Threads");
    check->has_hash |= span_is_ignoring_case(name, "Hash");
    check->has_multipv |= span_is_ignoring_case(name, "MultiPV");
}

static bool greet(Check *check)
{
    Span line = {0}, first = {0};
    if (!check_send(check, "ugi"))
        return false;
    check_expect(check, "lines 'id ...' and 'option ...', then ugiok");
    do {
        if (!ugi_line(check, &line))
            return false;
        Span rest = line;
        (void)span_next_word(&rest, blanks, &first);
        note_option(check, line);
        if (!span_is(first, "id") && !span_is(first, "option") && !span_is(line, "ugiok"))
            return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    } while (!span_is(line, "ugiok"));
    return true;
}

bool ugi_set_game(Check *check, const char *text)
{
    Rules rules;
    if (rules_parse(span_of(text), &rules, NULL) != STATUS_OK)
        return check_skip(check, "no such game: %s", text);
    game_init(&check->game, &rules);
    check->lattice = 0;
    return check_send(check, "setoption name Game value %s", text) && ugi_ready(check);
}

bool ugi_open(Check *check)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&check->options->rules, game);
    check->limit = 0;
    if (!check_start(check) || !greet(check))
        return false;
    check->limit = check->options->time;
    return check->has_game ? ugi_set_game(check, game) : ugi_ready(check);
}

// --- Turns ---

bool ugi_position(Check *check)
{
    Text text = {0};
    if (board_count(&check->game.board) == check->game.played) {
        text_add(&text, "position startpos");
    } else {
        text_add(&text, "position fen ");
        fen_write(&check->game.board, &text);
    }
    if (board_count(&check->game.board) == check->game.played && check->game.played > 0) {
        text_add(&text, " moves ");
        game_write(&check->game, &text);
    }
    bool sent = check_send(check, "%s", text.data);
    text_close(&text);
    return sent;
}

// "bestmove h8,i9": places the stones of the turn.
static bool take_turn(Check *check, Span line)
{
    Span rest = line, word = {0}, cells = {0};
    (void)span_next_word(&rest, blanks, &word);
    (void)span_next_word(&rest, blanks, &cells);
    Span all = cells, name = {0};
    Side side = board_side(&check->game.board);
    Error error = {0};
    while (span_next_part(&all, ',', &name)) {
        Cell cell = CELL_NONE;
        if (game_is_over(&check->game) || board_side(&check->game.board) != side)
            return check_fail(check, "'%.*s', more stones than the turn has", SPAN_PRINT(line));
        if (cell_parse(name, &check->game.board.rules, &cell, &error) != STATUS_OK ||
            game_try(&check->game, cell, &error) != STATUS_OK)
            return check_fail(check, "'%.*s': %s", SPAN_PRINT(line), error.text);
    }
    if (!game_is_over(&check->game) && board_side(&check->game.board) == side)
        return check_fail(check, "'%.*s', fewer stones than the turn has", SPAN_PRINT(line));
    return true;
}

static void expect_best(Check *check)
{
    unsigned left = board_stones_left(&check->game.board);
    check_expect(check, "bestmove with %u free cell%s", left, left == 1 ? "" : "s, with commas");
}

bool ugi_take_best(Check *check, Span line)
{
    Span rest = line, first = {0};
    expect_best(check);
    if (!span_next_word(&rest, blanks, &first) || !span_is(first, "bestmove"))
        return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    return take_turn(check, line) && check_time(check);
}

bool ugi_best(Check *check)
{
    Span line = {0};
    expect_best(check);
    return ugi_line(check, &line) && ugi_take_best(check, line);
}

bool ugi_go(Check *check, const char *format, ...)
{
    Text words = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&words, format, arguments);
    va_end(arguments);
    check->multipv = 0;
    bool right = ugi_position(check) && check_send(check, "go %s", words.data) && ugi_best(check);
    text_close(&words);
    return right;
}

bool ugi_quiet_turn(Check *check)
{
    Side side = board_side(&check->game.board);
    while (!game_is_over(&check->game) && board_side(&check->game.board) == side) {
        Cell cells[RULES_CELLS_MAX], cell = check_quiet_cell(check);
        if (cell == CELL_NONE) {
            unsigned count = board_legal_cells(&check->game.board, cells);
            cell = cells[count / 2];
        }
        game_play(&check->game, cell);
    }
    return true;
}

bool ugi_turns(Check *check, unsigned count)
{
    for (unsigned i = 0; i < count && !game_is_over(&check->game); i++)
        if (!ugi_go(check, "movetime %.0f", check->options->time * 1000) || !ugi_quiet_turn(check))
            return false;
    return true;
}
