// The checks of the Gomocup protocol about time, resources, commands during a search, and the end; and the list of all.
#include "external/check/gomocup_checks_internal.h"

#include "base/clock.h"
#include "external/sandbox.h"

#include <math.h>

static const double stop_seconds = 1; // to answer after YXSTOP

// --- Time ---

static bool check_turn_time(Check *check)
{
    check->judges = true;
    return gomocup_open(check) && gomocup_begin(check) && gomocup_turns(check, 3);
}

static bool check_fast(Check *check)
{
    check->judges = true;
    return gomocup_open(check) && gomocup_limit(check, 0.1) && gomocup_begin(check) && gomocup_turns(check, 3) &&
           gomocup_start_board(check) && gomocup_turns(check, 4);
}

// timeout_turn 0 asks for a move at once.
static bool check_no_time(Check *check)
{
    if (!gomocup_open(check) || !gomocup_limit(check, 0))
        return false;
    check->limit = 1;
    check->judges = true;
    return gomocup_begin(check) && gomocup_turns(check, 3);
}

// The clock of the game, shorter than the turn time, runs down as at a tournament.
static bool check_match_time(Check *check)
{
    double left = 2 * check->options->time;
    if (!gomocup_open(check) || !gomocup_limit(check, 60) || !check_send(check, "INFO timeout_match %.0f", left * 1000))
        return false;
    check->judges = true;
    for (int i = 0; i < 4; i++) {
        check->limit = left;
        if (!check_send(check, "INFO time_left %.0f", fmax(left, 0) * 1000) ||
            !(i == 0 ? gomocup_begin(check) : gomocup_turn(check)))
            return false;
        left -= check->taken;
    }
    return true;
}

// A clock that has run out, as after a manager's grace: the move is due at once.
static bool check_time_over(Check *check)
{
    if (!gomocup_open(check) || !check_send(check, "INFO timeout_match 10000") ||
        !check_send(check, "INFO time_left -50"))
        return false;
    check->limit = 1;
    check->judges = true;
    return gomocup_begin(check) && gomocup_turn(check);
}

// --- Resources ---

static bool check_memory_limit(Check *check)
{
    return gomocup_open(check) && gomocup_begin(check) && gomocup_turns(check, 3) &&
           check_memory(check, SANDBOX_REPORTED_MEMORY);
}

static bool check_rest(Check *check)
{
    return gomocup_open(check) && gomocup_begin(check) && gomocup_turn(check) && check_idle(check);
}

static bool check_threads(Check *check)
{
    return gomocup_open(check) && check_send(check, "INFO thread_num 2") && gomocup_begin(check) &&
           gomocup_turns(check, 2) && check_send(check, "INFO thread_num 1") && gomocup_turn(check);
}

// --- During a search ---

static double long_turn(const Check *check)
{
    return fmax(1, 4 * check->options->time);
}

// Searches a fixed position; see check_undisturbed.
static bool search_again(Check *check, double disturb, double *taken)
{
    Span line = {0};
    *taken = 0;
    if (!gomocup_board(check, 4))
        return false;
    double begin = check->sent_at;
    if (disturb > 0 && check_early_line(check, disturb, gomocup_is_remark, &line))
        return gomocup_take_move(check, line);
    if ((disturb > 0 && !check_send(check, "INFO time_left 2147483647")) || !gomocup_move(check))
        return false;
    *taken = clock_seconds() - begin;
    return true;
}

static bool check_input(Check *check)
{
    return gomocup_open(check) && gomocup_limit(check, long_turn(check)) && check_undisturbed(check, search_again) &&
           gomocup_start_board(check);
}

static bool check_restart_during(Check *check)
{
    Span line = {0};
    if (!gomocup_open(check) || !gomocup_limit(check, long_turn(check)) || !gomocup_board(check, 4) ||
        !check_wait(check, 0.1) || !check_send(check, "RESTART"))
        return false;
    check_expect(check, "OK after RESTART, possibly after the move");
    do {
        if (!gomocup_late_line(check, &line))
            return false;
        if (gomocup_is_refusal(line))
            return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    } while (!span_is_ignoring_case(line, "OK"));
    check_new_game(check);
    return gomocup_limit(check, check->options->time) && gomocup_begin(check) && gomocup_turn(check);
}

static bool check_yxstop(Check *check)
{
    Span line = {0};
    check->limit = 10 * long_turn(check);
    if (!gomocup_open(check) || !gomocup_limit(check, 10 * long_turn(check)) || !gomocup_board(check, 4) ||
        !check_wait(check, 0.2) || !check_send(check, "YXSTOP"))
        return false;
    double stopped = check->sent_at;
    check->limit = 0;
    check_expect(check, "a move within %g s of YXSTOP", stop_seconds);
    for (;;) {
        double late = stopped + stop_seconds + check->options->tolerance - clock_seconds();
        CheckRead read = check_read(check, fmax(late, 0), &line);
        if (read == CHECK_BROKEN)
            return false;
        if (read == CHECK_LATE)
            return check_unsupported(check, "no move in %.1f s", clock_seconds() - stopped);
        if (gomocup_is_refusal(line))
            return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
        if (!gomocup_is_remark(line))
            break;
        if (!gomocup_agree(check, line))
            return false;
    }
    // An engine that had moved before YXSTOP may refuse the command only now.
    check_new_game(check);
    if (!check_send(check, "START %d", check->game.board.rules.width) || !gomocup_line(check, &line))
        return false;
    if (gomocup_is_refusal(line))
        return check_unsupported(check, "'%.*s'", SPAN_PRINT(line));
    return gomocup_limit(check, check->options->time) && gomocup_begin(check);
}

// --- The end ---

static bool check_end(Check *check)
{
    return gomocup_open(check) && gomocup_begin(check) && check_send(check, "END") && check_exit(check);
}

static bool check_end_during(Check *check)
{
    return gomocup_open(check) && gomocup_limit(check, 10 * long_turn(check)) && gomocup_board(check, 4) &&
           check_wait(check, 0.2) && check_send(check, "END") && check_exit(check);
}

const CheckKind check_gomocup[] = {
    {"start", "answers START with OK", gomocup_check_start, CHECK_GATE},
    {"one-answer", "gives one answer per move and no other output", gomocup_check_one_answer, CHECK_GATE},
    {"moves", "plays legal moves after BEGIN and TURN", gomocup_check_moves, CHECK_GATE},
    {"several-lines", "reads lines that arrive together", gomocup_check_several_lines, CHECK_GATE},
    {"line-after-move", "reads a line that follows its move at once", gomocup_check_line_after_move, CHECK_PACES},
    {"about", "introduces itself after ABOUT", gomocup_check_about, CHECK_PLAIN},
    {"board", "plays in positions given by BOARD", gomocup_check_board, CHECK_PLAIN},
    {"board-again", "forgets the old position at a second BOARD", gomocup_check_board_again, CHECK_PLAIN},
    {"full-board", "finds the only free cell of a board", gomocup_check_full_board, CHECK_PLAIN},
    {"rectangle", "plays on 20 columns and 12 rows", gomocup_check_rectangle, CHECK_PLAIN},
    {"size-20", "plays on 20x20", gomocup_check_size_20, CHECK_PLAIN},
    {"crlf", "reads lines that end with CR LF", gomocup_check_crlf, CHECK_PLAIN},
    {"split-line", "reads a line that arrives in two parts", gomocup_check_split_lines, CHECK_PLAIN},
    {"unknown-command", "answers an unknown command and plays on", gomocup_check_unknown, CHECK_PLAIN},
    {"wrong-input", "survives stones on occupied cells and off the board", gomocup_check_wrong_input, CHECK_PLAIN},
    {"info-first", "accepts INFO before START", gomocup_check_info_first, CHECK_PLAIN},
    {"info-unknown", "ignores unknown keys of INFO without an answer", gomocup_check_info_unknown, CHECK_PLAIN},
    {"folder", "accepts INFO folder", gomocup_check_folder, CHECK_PLAIN},
    {"restart", "begins another game after RESTART", gomocup_check_restart, CHECK_PLAIN},
    {"takeback", "takes back stones", gomocup_check_takeback, CHECK_PLAIN},
    {"play", "places the stone that PLAY names", gomocup_check_play, CHECK_PLAIN},
    {"swap2", "answers SWAP2BOARD with 0, 3 and 5 stones", gomocup_check_swap2, CHECK_PLAIN},
    {"turn-time", "keeps the time limit of a turn", check_turn_time, CHECK_PLAIN},
    {"fast-moves", "moves in 0.1 s", check_fast, CHECK_PLAIN},
    {"no-time", "moves at once with timeout_turn 0", check_no_time, CHECK_PLAIN},
    {"match-time", "keeps the time left for the game", check_match_time, CHECK_PLAIN},
    {"time-over", "moves at once when no time is left", check_time_over, CHECK_PLAIN},
    {"memory", "uses at most 350 MiB", check_memory_limit, CHECK_PLAIN},
    {"idle", "rests while the opponent is to move", check_rest, CHECK_PLAIN},
    {"threads", "plays with thread_num 2", check_threads, CHECK_PLAIN},
    {"input", "goes on searching when a line arrives", check_input, CHECK_PLAIN},
    {"restart-in-search", "obeys RESTART during a search", check_restart_during, CHECK_PLAIN},
    {"stop", "answers at once after YXSTOP", check_yxstop, CHECK_PLAIN},
    {"end", "exits within a second of END", check_end, CHECK_PLAIN},
    {"end-in-search", "exits within a second of END during a search", check_end_during, CHECK_PLAIN},
    {0},
};
