// The checks of UGI.
#include "external/check/check_internal.h"

#include "base/clock.h"
#include "external/sandbox.h"

#include <math.h>

static const double stop_seconds = 1; // to answer after stop

static bool no_option(Check *check, const char *name)
{
    check->result->sent.length = 0;
    text_add(&check->result->sent, "ugi");
    check_expect(check, "option name %s ...", name);
    return check_unsupported(check, "no such option");
}

// --- Games ---

static bool check_start_ugi(Check *check)
{
    return ugi_open(check);
}

static bool check_moves(Check *check)
{
    check->pause = CHECK_PAUSE;
    if (!ugi_open(check) || !ugi_turns(check, 3))
        return false;
    check_new_game(check);
    return check_send(check, "uginewgame") && ugi_ready(check) && ugi_quiet_turn(check) && ugi_turns(check, 3);
}

static bool check_one_answer(Check *check)
{
    check->pause = CHECK_PAUSE;
    return ugi_open(check) && ugi_turns(check, 1) && ugi_ready(check);
}

static bool check_fen(Check *check)
{
    Cell free_cell = CELL_NONE;
    if (!ugi_open(check))
        return false;
    Rules rules = check->game.board.rules;
    if (!check_full_board(&rules, &check->game, &free_cell))
        return check_skip(check, "no full board without a row was found for these rules");
    return ugi_go(check, "movetime %.0f", check->options->time * 1000);
}

// Plays another game of the family, if the engine has the option Game.
static bool play_game(Check *check, const char *game)
{
    if (!ugi_open(check))
        return false;
    if (!check->has_game)
        return no_option(check, "Game");
    return ugi_set_game(check, game) && ugi_turns(check, 3);
}

static bool check_connect6(Check *check)
{
    return play_game(check, "connect6");
}

static bool check_gravity(Check *check)
{
    return play_game(check, "connect4");
}

static bool check_rectangle(Check *check)
{
    return play_game(check, "20x12:k=5");
}

static bool check_last_stone(Check *check)
{
    static const char *const stones[] = {"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3"};
    if (!ugi_open(check))
        return false;
    if (!check->has_game)
        return no_option(check, "Game");
    if (!ugi_set_game(check, "tictactoe"))
        return false;
    for (unsigned i = 0; i < 8; i++)
        game_play(&check->game, cell_at((unsigned)(stones[i][0] - 'a'), (unsigned)(stones[i][1] - '1')));
    return ugi_go(check, "movetime %.0f", check->options->time * 1000);
}

// --- Lines ---

static bool check_crlf(Check *check)
{
    check->line_end = "\r\n";
    return ugi_open(check) && ugi_turns(check, 2);
}

static bool check_several_lines(Check *check)
{
    return ugi_open(check) && check_send_bytes(check, "uginewgame\nposition startpos\ngo movetime 100\n") &&
           ugi_best(check);
}

static bool check_split_line(Check *check)
{
    return ugi_open(check) && ugi_position(check) && check_send_bytes(check, "go move") && check_wait(check, 0.1) &&
           check_send_bytes(check, "time 100\n") && ugi_best(check);
}

static bool check_line_after_move(Check *check)
{
    for (int i = 0; i < 4; i++)
        if ((i == 0 && !ugi_open(check)) || !ugi_turns(check, 1) || !ugi_ready(check))
            return false;
    return true;
}

static bool check_unknown(Check *check)
{
    return ugi_open(check) && check_send(check, "krowtest 1 2 3") && ugi_ready(check) && ugi_turns(check, 1);
}

static bool check_unknown_option(Check *check)
{
    return ugi_open(check) && check_send(check, "setoption name KrowTest value 17") && ugi_ready(check) &&
           ugi_turns(check, 1);
}

static bool check_wrong_position(Check *check)
{
    return ugi_open(check) && check_send(check, "position startpos moves zz99 a0 a1 a1") && ugi_ready(check) &&
           check_send(check, "position fen 1/2/3 X") && ugi_ready(check) && ugi_turns(check, 2);
}

// --- Limits ---

static bool check_turn_time(Check *check)
{
    check->judges = true;
    return ugi_open(check) && ugi_turns(check, 4);
}

static bool check_fast(Check *check)
{
    if (!ugi_open(check))
        return false;
    check->judges = true;
    check->limit = 0.1;
    for (int i = 0; i < 6 && !game_is_over(&check->game); i++)
        if (!ugi_go(check, "movetime 100") || !ugi_quiet_turn(check))
            return false;
    return true;
}

static bool check_clock(Check *check)
{
    double left = 2 * check->options->time;
    if (!ugi_open(check))
        return false;
    check->judges = true;
    for (int i = 0; i < 4 && !game_is_over(&check->game); i++) {
        check->limit = left;
        if (!ugi_go(check, "p1time %.0f p2time %.0f p1inc 0 p2inc 0", left * 1000, left * 1000) ||
            !ugi_quiet_turn(check))
            return false;
        left = fmax(left - check->taken, 0.01);
    }
    return true;
}

static bool check_depth_nodes(Check *check)
{
    return ugi_open(check) && ugi_go(check, "depth 2") && ugi_quiet_turn(check) && ugi_go(check, "nodes 500") &&
           ugi_quiet_turn(check) && ugi_go(check, "depth 1 nodes 100 movetime 1000");
}

static bool check_memory_limit(Check *check)
{
    return ugi_open(check) && (!check->has_hash || check_send(check, "setoption name Hash value 64")) &&
           ugi_ready(check) && ugi_turns(check, 3) && check_memory(check, SANDBOX_REPORTED_MEMORY);
}

static bool check_rest(Check *check)
{
    return ugi_open(check) && ugi_turns(check, 2) && check_idle(check);
}

static bool check_threads(Check *check)
{
    if (!ugi_open(check))
        return false;
    if (!check->has_threads)
        return no_option(check, "Threads");
    return check_send(check, "setoption name Threads value 2") && ugi_ready(check) && ugi_turns(check, 3);
}

// After the first turns, because many engines consider only the centre of an empty board.
static bool check_multipv(Check *check)
{
    if (!ugi_open(check))
        return false;
    if (!check->has_multipv)
        return no_option(check, "MultiPV");
    if (!check_send(check, "setoption name MultiPV value 3") || !ugi_ready(check) || !ugi_turns(check, 1) ||
        !ugi_go(check, "movetime %.0f", check->options->time * 1000))
        return false;
    check_expect(check, "info lines with multipv 1 to 3");
    return check->multipv == 3 || check_fail(check, "the highest is multipv %u", check->multipv);
}

static bool check_info(Check *check)
{
    if (!ugi_open(check) || !ugi_turns(check, 2))
        return false;
    check_expect(check, "whole numbers after depth, nodes, time and multipv of info lines");
    return check->bad_info[0] == '\0' || check_fail(check, "'info %s'", check->bad_info);
}

// --- During a search ---

static double long_turn(const Check *check)
{
    return fmax(1, 4 * check->options->time);
}

static bool check_ready_during(Check *check)
{
    check_expect(check, "readyok during a search");
    if (!ugi_open(check) || !ugi_quiet_turn(check) || !ugi_position(check) || !check_send(check, "go infinite") ||
        !check_wait(check, 0.1) || !ugi_ready(check) || !check_send(check, "stop"))
        return false;
    check->limit = stop_seconds;
    return ugi_best(check);
}

static bool check_infinite(Check *check)
{
    Span line = {0}, first = {0};
    if (!ugi_open(check) || !ugi_position(check) || !check_send(check, "go infinite"))
        return false;
    double end = clock_seconds() + 0.4;
    check_expect(check, "no bestmove before stop");
    for (CheckRead read = CHECK_LINE; read == CHECK_LINE;) {
        read = check_read(check, fmax(end - clock_seconds(), 0), &line);
        if (read == CHECK_BROKEN)
            return false;
        Span rest = line;
        if (read == CHECK_LINE && span_next_word(&rest, " ", &first) && span_is(first, "bestmove"))
            return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    }
    check->limit = stop_seconds;
    check->judges = true;
    return check_send(check, "stop") && ugi_best(check);
}

static bool check_stop_alone(Check *check)
{
    return ugi_open(check) && check_send(check, "stop") && check_wait(check, 0.05) && ugi_ready(check) &&
           ugi_turns(check, 1);
}

static bool is_info(Span line)
{
    Span first = {0};
    return !span_next_word(&line, " \t", &first) || span_is(first, "info");
}

// See check_undisturbed.
static bool search_again(Check *check, double disturb, double *taken)
{
    Span line = {0};
    *taken = 0;
    check_new_game(check);
    (void)ugi_quiet_turn(check);
    if (!ugi_position(check) || !check_send(check, "go movetime %.0f", long_turn(check) * 1000))
        return false;
    double begin = check->sent_at;
    if (disturb > 0 && check_early_line(check, disturb, is_info, &line))
        return ugi_take_best(check, line);
    if ((disturb > 0 && !check_send(check, "setoption name Hash value 16")) || !ugi_best(check))
        return false;
    *taken = clock_seconds() - begin;
    return true;
}

static bool check_input(Check *check)
{
    return ugi_open(check) && check_undisturbed(check, search_again) && ugi_ready(check);
}

// --- The end of games and of the program ---

static bool check_game_over(Check *check)
{
    Span line = {0};
    if (!ugi_open(check))
        return false;
    if (!check->has_game)
        return no_option(check, "Game");
    if (!ugi_set_game(check, "tictactoe") || !check_send(check, "position startpos moves a1 a2 b1 b2 c1") ||
        !check_send(check, "go movetime 100"))
        return false;
    check_expect(check, "bestmove none, for a game that is over");
    return ugi_line(check, &line) && (span_is(line, "bestmove none") || check_fail(check, "'%.*s'", SPAN_PRINT(line)));
}

static bool ask(Check *check, const char *question, const char *answer)
{
    Span line = {0};
    if (!check_send(check, "query %s", question) || !check_send(check, "isready"))
        return false;
    check_expect(check, "%s", answer);
    if (!ugi_line(check, &line))
        return false;
    if (span_is(line, "readyok"))
        return check_unsupported(check, "no answer");
    if (!span_is(line, answer))
        return check_fail(check, "'%.*s'", SPAN_PRINT(line));
    return ugi_line(check, &line) && (span_is(line, "readyok") || check_fail(check, "'%.*s'", SPAN_PRINT(line)));
}

static bool check_query(Check *check)
{
    return ugi_open(check) && check_send(check, "position startpos") && ask(check, "p1turn", "response true") &&
           ask(check, "gameover", "response false") && ask(check, "result", "response none");
}

static bool check_quit(Check *check)
{
    return ugi_open(check) && ugi_turns(check, 1) && check_send(check, "quit") && check_exit(check);
}

static bool check_quit_during(Check *check)
{
    return ugi_open(check) && ugi_position(check) && check_send(check, "go infinite") && check_wait(check, 0.2) &&
           check_send(check, "quit") && check_exit(check);
}

const CheckKind check_ugi[] = {
    {"start", "answers ugi with ugiok and isready with readyok", check_start_ugi, CHECK_GATE},
    {"one-answer", "gives one bestmove per go and no other output", check_one_answer, CHECK_GATE},
    {"moves", "plays legal turns", check_moves, CHECK_GATE},
    {"line-after-move", "reads a line that follows its move at once", check_line_after_move, CHECK_PACES},
    {"full-board", "finds the only free cell of a position fen", check_fen, CHECK_PLAIN},
    {"last-stone", "fills the last cell of tic-tac-toe", check_last_stone, CHECK_PLAIN},
    {"rectangle", "plays on 20 columns and 12 rows", check_rectangle, CHECK_PLAIN},
    {"connect6", "plays two stones per turn", check_connect6, CHECK_PLAIN},
    {"gravity", "plays Connect Four", check_gravity, CHECK_PLAIN},
    {"crlf", "reads lines that end with CR LF", check_crlf, CHECK_PLAIN},
    {"several-lines", "reads lines that arrive together", check_several_lines, CHECK_PLAIN},
    {"split-line", "reads a line that arrives in two parts", check_split_line, CHECK_PLAIN},
    {"unknown-command", "survives an unknown command", check_unknown, CHECK_PLAIN},
    {"unknown-option", "survives an unknown option", check_unknown_option, CHECK_PLAIN},
    {"wrong-input", "survives impossible positions", check_wrong_position, CHECK_PLAIN},
    {"turn-time", "keeps movetime", check_turn_time, CHECK_PLAIN},
    {"fast-moves", "moves in 0.1 s", check_fast, CHECK_PLAIN},
    {"match-time", "keeps p1time and p2time", check_clock, CHECK_PLAIN},
    {"limits", "answers go depth and go nodes", check_depth_nodes, CHECK_PLAIN},
    {"memory", "uses at most 350 MiB", check_memory_limit, CHECK_PLAIN},
    {"idle", "rests while the opponent is to move", check_rest, CHECK_PLAIN},
    {"threads", "plays with 2 threads", check_threads, CHECK_PLAIN},
    {"multipv", "reports several lines with MultiPV", check_multipv, CHECK_PLAIN},
    {"info", "reports search info in numbers", check_info, CHECK_PLAIN},
    {"ready-in-search", "answers isready during a search", check_ready_during, CHECK_PLAIN},
    {"stop", "searches until stop with go infinite, then answers", check_infinite, CHECK_PLAIN},
    {"stop-alone", "ignores stop without a search", check_stop_alone, CHECK_PLAIN},
    {"input", "goes on searching when a line arrives", check_input, CHECK_PLAIN},
    {"game-over", "answers go in a finished game", check_game_over, CHECK_PLAIN},
    {"query", "answers query", check_query, CHECK_PLAIN},
    {"end", "exits within a second of quit", check_quit, CHECK_PLAIN},
    {"end-in-search", "exits within a second of quit during a search", check_quit_during, CHECK_PLAIN},
    {0},
};
