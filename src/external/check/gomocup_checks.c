// The checks of the Gomocup protocol: commands and answers. gomocup_search_checks.c has those about time and searches.
#include "external/check/gomocup_checks_internal.h"

#include <stdio.h>
#include <string.h>

// --- The beginning, and moves ---

bool gomocup_check_start(Check *check)
{
    return check_start(check) && gomocup_start_board(check);
}

// The pauses separate the lines, so that an engine that loses lines which arrive early or together still passes.
bool gomocup_check_moves(Check *check)
{
    check->pause = CHECK_PAUSE;
    return check_start(check) && gomocup_start_board(check) && gomocup_limit(check, check->options->time) &&
           check_wait(check, CHECK_PAUSE) && gomocup_begin(check) && gomocup_turns(check, 3) &&
           gomocup_start_board(check) && gomocup_turns(check, 3);
}

bool gomocup_check_about(Check *check)
{
    Span line = {0};
    if (!gomocup_open(check) || !check_send(check, "ABOUT"))
        return false;
    check_expect(check, "name=\"...\", version=\"...\", ...");
    if (!gomocup_line(check, &line))
        return false;
    bool names = line.length > 5 && strncmp(line.at, "name", 4) == 0 && memchr(line.at, '=', line.length) != NULL;
    return names || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

// START is answered after everything before it, so a second answer to the move comes before OK.
bool gomocup_check_one_answer(Check *check)
{
    check->pause = CHECK_PAUSE;
    return check_start(check) && gomocup_start_board(check) && gomocup_limit(check, check->options->time) &&
           check_wait(check, CHECK_PAUSE) && gomocup_begin(check) && gomocup_start_board(check);
}

// --- Positions ---

bool gomocup_check_board(Check *check)
{
    return gomocup_open(check) && gomocup_board(check, 8) && gomocup_move(check) && gomocup_turn(check) &&
           gomocup_board(check, 9) && gomocup_move(check);
}

// The second position has fewer stones: an engine that keeps the first complains, or calls free cells occupied.
bool gomocup_check_board_again(Check *check)
{
    if (!gomocup_open(check) || !gomocup_board(check, 12) || !gomocup_move(check) || !gomocup_board(check, 3) ||
        !gomocup_move(check))
        return false;
    check->lattice = 0;
    return gomocup_turns(check, 3);
}

static bool play_full_board(Check *check)
{
    Cell free_cell = CELL_NONE;
    Rules rules = check->game.board.rules;
    if (!check_full_board(&rules, &check->game, &free_cell))
        return check_skip(check, "no full board without a row was found for these rules");
    const Board *board = &check->game.board;
    Text lines = {0};
    text_add(&lines, "BOARD%s", check->line_end);
    for (unsigned i = 0; i < rules_cells(&rules); i++) {
        char text[16];
        Cell cell = cell_at(i % rules.width, i / rules.width);
        gomocup_cell_text(check, cell, text);
        if (cell != free_cell)
            text_add(&lines, "%s,%d%s", text, board_stone(board, cell) == (Stone)board_side(board) ? 1 : 2,
                     check->line_end);
    }
    text_add(&lines, "DONE%s", check->line_end);
    bool sent = check_send_bytes(check, lines.data);
    text_close(&lines);
    return sent && gomocup_move(check);
}

bool gomocup_check_full_board(Check *check)
{
    return gomocup_open(check) && play_full_board(check);
}

// Starts a board that an engine may refuse.
static bool start_other(Check *check, uint8_t width, uint8_t height)
{
    Rules rules = check->game.board.rules;
    Span line = {0};
    rules.width = width;
    rules.height = height;
    game_init(&check->game, &rules);
    check->lattice = 0;
    bool sent =
        width == height ? check_send(check, "START %d", width) : check_send(check, "RECTSTART %d,%d", width, height);
    check_expect(check, "OK, or ERROR for a board that is not supported");
    if (!sent || !gomocup_line(check, &line))
        return false;
    if (gomocup_is_refusal(line))
        return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    return span_is_ignoring_case(line, "OK") || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

bool gomocup_check_rectangle(Check *check)
{
    return gomocup_open(check) && start_other(check, 20, 12) && gomocup_begin(check) && gomocup_turns(check, 3) &&
           play_full_board(check);
}

bool gomocup_check_size_20(Check *check)
{
    return gomocup_open(check) && start_other(check, 20, 20) && gomocup_begin(check) && gomocup_turns(check, 3) &&
           play_full_board(check);
}

// --- Lines ---

bool gomocup_check_crlf(Check *check)
{
    check->line_end = "\r\n";
    return gomocup_open(check) && gomocup_begin(check) && gomocup_turn(check) && gomocup_board(check, 4) &&
           gomocup_move(check);
}

bool gomocup_check_several_lines(Check *check)
{
    return check_start(check) && gomocup_start_board(check) &&
           check_send_bytes(check, "INFO timeout_turn 1000\nINFO timeout_match 0\nBEGIN\n") && gomocup_move(check);
}

bool gomocup_check_split_lines(Check *check)
{
    return gomocup_open(check) && gomocup_start_board(check) && check_send_bytes(check, "BE") &&
           check_wait(check, 0.2) && check_send_bytes(check, "GIN\n") && gomocup_move(check);
}

bool gomocup_check_unknown(Check *check)
{
    Span line = {0};
    if (!gomocup_open(check) || !gomocup_begin(check) || !check_send(check, "KROWTEST"))
        return false;
    check_expect(check, "UNKNOWN or ERROR for a command that does not exist");
    if (!gomocup_line(check, &line))
        return false;
    if (!gomocup_is_refusal(line))
        return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    return gomocup_turn(check);
}

// A stone on an occupied cell and one off the board: any answer will do if the engine survives.
bool gomocup_check_wrong_input(Check *check)
{
    char text[16];
    Span line = {0};
    const Rules *rules = &check->game.board.rules;
    if (!gomocup_open(check) || !gomocup_begin(check))
        return false;
    gomocup_cell_text(check, game_last(&check->game), text);
    if (!check_send(check, "TURN %s", text))
        return false;
    check_expect(check, "ERROR for a stone on an occupied cell");
    if (!gomocup_line(check, &line) || !check_send(check, "TURN %d,%d", rules->width, rules->height))
        return false;
    check_expect(check, "ERROR for a stone off the board");
    return gomocup_line(check, &line) && gomocup_start_board(check) && gomocup_begin(check);
}

bool gomocup_check_line_after_move(Check *check)
{
    if (!gomocup_open(check))
        return false;
    for (int i = 0; i < 4; i++) {
        bool moved = i == 0 ? gomocup_begin(check) : gomocup_turn(check);
        if (!moved || !check_send(check, "START %d", check->game.board.rules.width))
            return false;
        check_expect(check, "OK: the line was sent directly after a move");
        Span line = {0};
        if (!gomocup_line(check, &line))
            return false;
        if (!span_is_ignoring_case(line, "OK"))
            return check_fail(check, "'%.*s'", SPAN_PRINT(line));
        check_new_game(check);
    }
    return true;
}

// --- INFO ---

bool gomocup_check_info_first(Check *check)
{
    return check_start(check) && check_send(check, "INFO timeout_turn 1000") &&
           check_send(check, "INFO max_memory 100000000") && check_send(check, "INFO rule 0") &&
           gomocup_start_board(check) && gomocup_limit(check, check->options->time) && gomocup_begin(check);
}

bool gomocup_check_info_unknown(Check *check)
{
    return gomocup_open(check) && check_send(check, "INFO krow_test_key 17") &&
           check_send(check, "INFO krow_test_key_with_text some words") && check_send(check, "INFO evaluate 3,3") &&
           check_send(check, "INFO show_detail 0") && gomocup_start_board(check) && gomocup_begin(check);
}

bool gomocup_check_folder(Check *check)
{
    return gomocup_open(check) && check_send(check, "INFO folder /tmp") && gomocup_start_board(check) &&
           gomocup_begin(check) && gomocup_turn(check);
}

// --- RESTART, TAKEBACK, PLAY ---

// Reads OK, or the refusal of an optional command.
static bool read_optional_ok(Check *check, const char *after)
{
    Span line = {0};
    check_expect(check, "OK after %s", after);
    if (!gomocup_line(check, &line))
        return false;
    if (gomocup_is_refusal(line))
        return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    return span_is_ignoring_case(line, "OK") || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

bool gomocup_check_restart(Check *check)
{
    if (!gomocup_open(check) || !gomocup_turns(check, 3) || !check_send(check, "RESTART") ||
        !read_optional_ok(check, "RESTART"))
        return false;
    check_new_game(check);
    return gomocup_turns(check, 3);
}

bool gomocup_check_takeback(Check *check)
{
    if (!gomocup_open(check) || !gomocup_begin(check) || !gomocup_turn(check))
        return false;
    for (int i = 0; i < 2; i++) {
        char text[16];
        gomocup_cell_text(check, game_last(&check->game), text);
        if (!check_send(check, "TAKEBACK %s", text) || !read_optional_ok(check, "TAKEBACK"))
            return false;
        (void)game_undo(&check->game);
    }
    check->lattice = 0;
    return gomocup_turns(check, 2);
}

bool gomocup_check_play(Check *check)
{
    char text[16];
    Span line = {0};
    if (!gomocup_open(check))
        return false;
    Cell cell = check_quiet_cell(check);
    gomocup_cell_text(check, cell, text);
    if (!check_send(check, "PLAY %s", text))
        return false;
    check_expect(check, "%s, the stone that PLAY places", text);
    if (!gomocup_line(check, &line))
        return false;
    if (gomocup_is_refusal(line))
        return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    if (!span_is(line, text))
        return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    game_play(&check->game, cell);
    return gomocup_turn(check);
}

// --- Swap2 ---

static bool reads_cells(Check *check, Span line, unsigned count)
{
    Span rest = line, word = {0};
    unsigned found = 0;
    Game game;
    game_copy(&game, &check->game);
    while (span_next_word(&rest, " \t", &word)) {
        Span y_text = word, x_text = {0};
        int64_t x = 0, y = 0;
        const Rules *rules = &game.board.rules;
        if (!span_next_part(&y_text, ',', &x_text) || !span_to_int(x_text, 0, rules->width - 1, &x) ||
            !span_to_int(y_text, 0, rules->height - 1, &y) || game_is_over(&game) ||
            !board_is_legal(&game.board, cell_at((unsigned)x, (unsigned)(rules->height - 1 - y))))
            return false;
        game_play(&game, cell_at((unsigned)x, (unsigned)(rules->height - 1 - y)));
        found++;
    }
    return found == count;
}

static bool ask_swap2(Check *check, unsigned stones)
{
    Text lines = {0};
    Span line = {0};
    check_new_game(check);
    text_add(&lines, "SWAP2BOARD\n");
    for (unsigned i = 0; i < stones; i++) {
        char text[16];
        Cell cell = check_quiet_cell(check);
        gomocup_cell_text(check, cell, text);
        game_play(&check->game, cell);
        text_add(&lines, "%s\n", text);
    }
    text_add(&lines, "DONE\n");
    bool sent = check_send_bytes(check, lines.data);
    text_close(&lines);
    check_expect(check, "%s",
                 stones == 0   ? "three free cells x,y x,y x,y"
                 : stones == 3 ? "SWAP, a free cell, or two free cells"
                               : "SWAP or a free cell");
    if (!sent || !gomocup_line(check, &line))
        return false;
    if (gomocup_is_refusal(line))
        return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    bool right = stones == 0 ? reads_cells(check, line, 3)
                             : span_is(line, "SWAP") || reads_cells(check, line, 1) ||
                                   (stones == 3 && reads_cells(check, line, 2));
    return right || check_fail(check, "'%.*s'", SPAN_PRINT(line));
}

bool gomocup_check_swap2(Check *check)
{
    return gomocup_open(check) && ask_swap2(check, 0) && gomocup_start_board(check) && ask_swap2(check, 3) &&
           gomocup_start_board(check) && ask_swap2(check, 5);
}
