// trap_engine in UGI.
#include "support/trap_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int number_after(const char *text, const char *key, int otherwise)
{
    const char *at = strstr(text, key);
    return at != NULL ? (int)strtol(at + strlen(key), NULL, 10) : otherwise;
}

static void set_game(TrapEngine *my, const char *text)
{
    if (strcmp(text, "connect4") == 0)
        text = "7x6:k=4,gravity";
    else if (strcmp(text, "connect6") == 0)
        text = "19x19:k=6,p=2";
    else if (strcmp(text, "tictactoe") == 0)
        text = "3x3:k=3";
    (void)sscanf(text, "%dx%d", &my->width, &my->height); // NOLINT(cert-err34-c)
    my->per_turn = is_trap(my, "one_stone") ? 1 : number_after(text, ",p=", 1);
    my->gravity = strstr(text, "gravity") != NULL;
    clear_board(my, 1);
}

// Rows from the top, as in the board here; then the side and the stones left.
static const char *read_fen(TrapEngine *my, const char *at)
{
    int x = 0, y = 0;
    for (; *at != ' ' && *at != '\0'; at++) {
        if (*at == '/') {
            y++;
            x = 0;
        } else if (*at >= '0' && *at <= '9') {
            char *end = NULL;
            x += (int)strtol(at, &end, 10);
            at = end - 1;
        } else if (x < TRAP_SIDE_MAX && y < TRAP_SIDE_MAX) {
            my->taken[x++][y] = true;
        }
    }
    my->left = 1;
    return at;
}

static void set_position(TrapEngine *my, const char *at)
{
    if (is_trap(my, "dies_of_wrong_input") && strstr(at, "zz") != NULL)
        exit(4);
    clear_board(my, 1);
    if (strncmp(at, "fen ", 4) == 0)
        at = read_fen(my, at + 4);
    const char *moves = strstr(at, "moves ");
    for (at = moves != NULL ? moves + 6 : ""; *at >= 'a';) {
        int x = *at++ - 'a';
        char *end = NULL;
        int y = my->height - (int)strtol(at, &end, 10);
        (void)place(my, x, y);
        at = *end == ' ' ? end + 1 : end;
    }
}

static void move_ugi(TrapEngine *my)
{
    char cells[256] = "";
    size_t length = 0;
    misbehave(my);
    say(is_trap(my, "bad_info") ? "info depth three nodes many" : "info depth 3 score cp 7 nodes 100 time 1 pv a1");
    for (int i = my->left; i > 0 && my->placed < my->width * my->height; i--) {
        int x = 0, y = 0;
        find_free(my, &x, &y);
        (void)place(my, x, y);
        if (is_trap(my, "occupied") && my->moves > 1)
            x = 0, y = my->height - 1;
        length += (size_t)snprintf(cells + length, sizeof cells - length, "%s%c%d", length > 0 ? "," : "", 'a' + x,
                                   is_trap(my, "off_board") ? 99 : my->height - y);
    }
    say("bestmove %s", cells[0] != '\0' && !(my->width == 3 && my->placed == 6) ? cells : "none");
    misbehave_after(my);
}

// `go infinite`: answers isready, and moves at stop.
static void search_until_stop(TrapEngine *my)
{
    char line[TRAP_LINE_SIZE];
    if (is_trap(my, "infinite")) {
        move_ugi(my);
        return;
    }
    if (is_trap(my, "deaf_in_search"))
        hang();
    while (next_line(my, line)) {
        if (strcmp(line, "quit") == 0 && !is_trap(my, "ignores_quit_in_search"))
            exit(0);
        if (strcmp(line, "isready") == 0 && !is_trap(my, "not_ready_in_search"))
            say("readyok");
        if (strcmp(line, "stop") == 0 && !is_trap(my, "ignores_stop"))
            break;
    }
    move_ugi(my);
}

void hear_ugi(TrapEngine *my, const char *line)
{
    static const char *const option = "setoption name Game value ";
    if (strcmp(line, "ugi") == 0) {
        if (is_trap(my, "banner"))
            say("My engine, version 3");
        say("id name trap");
        say("option name Game type string default 15x15:k=5");
        say("option name Threads type spin default 1 min 1 max 2");
        say("ugiok");
    } else if (strcmp(line, "isready") == 0) {
        say("readyok");
    } else if (strncmp(line, option, strlen(option)) == 0) {
        set_game(my, line + strlen(option));
    } else if (strncmp(line, "setoption", 9) == 0) {
        if (is_trap(my, "dies_of_unknown") && strstr(line, "KrowTest") != NULL)
            exit(1);
        if (is_trap(my, "hangs_with_threads") && strstr(line, "Threads value 2") != NULL)
            hang();
    } else if (strncmp(line, "position ", 9) == 0) {
        set_position(my, line + 9);
    } else if (strcmp(line, "go infinite") == 0) {
        search_until_stop(my);
    } else if (strncmp(line, "go ", 3) == 0) {
        my->limit = number_after(line, "movetime ", 5000) / 1000.0;
        if (is_trap(my, "ignores_match_time") && strstr(line, "p1time") != NULL)
            rest(60);
        move_ugi(my);
    } else if (strcmp(line, "stop") == 0 && is_trap(my, "moves_at_stop")) {
        say("bestmove a1");
    } else if (strncmp(line, "query ", 6) == 0) {
        say(strstr(line, "p1turn") != NULL ? "response true"
            : strstr(line, "over") != NULL ? "response false"
                                           : "response none");
    } else if (strcmp(line, "quit") == 0) {
        if (is_trap(my, "ignores_end"))
            hang();
        exit(0);
    } else if (is_trap(my, "answers_unknown") && strcmp(line, "uginewgame") != 0) {
        say("what?");
    }
}
