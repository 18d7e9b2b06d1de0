// trap_engine in the Gomocup protocol.
#include "support/trap_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void move_gomocup(TrapEngine *my)
{
    int x = 0, y = 0;
    misbehave(my);
    find_free(my, &x, &y);
    if (is_trap(my, "occupied") && my->placed > 0)
        for (y = 0; !my->taken[x][y];)
            if (++x == my->width && ++y > 0)
                x = 0;
    (void)place(my, x, y);
    if (is_trap(my, "off_board"))
        x = my->width;
    say("%d,%d", x, y);
    misbehave_after(my);
}

static void turn_gomocup(TrapEngine *my, const char *text)
{
    int x = -1, y = -1;
    (void)sscanf(text, "%d,%d", &x, &y); // NOLINT(cert-err34-c)
    if (is_trap(my, "dies_of_wrong_input") && (x >= my->width || x < 0 || my->taken[x][y]))
        exit(4);
    if (place(my, x, y))
        move_gomocup(my);
    else
        say("ERROR not a free cell");
}

static void answer_swap2(TrapEngine *my)
{
    if (is_trap(my, "swap2"))
        say(my->placed == 0 ? "7,7" : "SWAP");
    else
        say(my->placed == 0 ? "0,0 1,0 5,5" : "SWAP");
}

static void list_gomocup(TrapEngine *my, const char *line)
{
    int x = -1, y = -1;
    if (strncasecmp(line, "DONE", 4) == 0) {
        my->in_list = false;
        (void)(my->is_swap2 ? answer_swap2(my) : move_gomocup(my));
    } else if (sscanf(line, "%d,%d", &x, &y) == 2) { // NOLINT(cert-err34-c)
        (void)place(my, x, y);
    }
}

static bool is_command(const char *line, const char *command)
{
    size_t length = strlen(command);
    return strncasecmp(line, command, length) == 0 && (line[length] == '\0' || line[length] == ' ');
}

static void start_gomocup(TrapEngine *my, const char *line)
{
    int width = 0, height = 0;
    static bool started;
    if (sscanf(line, "RECTSTART %d,%d", &width, &height) != 2) { // NOLINT(cert-err34-c)
        (void)sscanf(line, "START %d", &width);                  // NOLINT(cert-err34-c)
        height = width;
    }
    if (is_trap(my, "banner") && !started)
        say("My engine, version 3");
    started = true;
    my->width = is_trap(my, "rectangle") && width != height ? height : width;
    my->height = height;
    clear_board(my, 1);
    say("OK");
}

static void info_gomocup(TrapEngine *my, const char *line, bool started)
{
    int number = 0;
    if (sscanf(line, "INFO timeout_turn %d", &number) == 1) // NOLINT(cert-err34-c)
        my->limit = number / 1000.0;
    if (is_trap(my, "needs_start") && !started)
        exit(5);
    if (is_trap(my, "answers_info") && strstr(line, "krow_test") != NULL)
        say("UNKNOWN key");
    if (is_trap(my, "hangs_with_threads") && strstr(line, "thread_num 2") != NULL)
        hang();
    if (is_trap(my, "ignores_match_time") && strstr(line, "timeout_match") != NULL && strstr(line, "_match 0") == NULL)
        my->trap = "slow_now";
    if (is_trap(my, "ignores_time_left") && strstr(line, "time_left -") != NULL)
        my->trap = "slow_now";
    if (is_trap(my, "folder") && strstr(line, "folder") != NULL)
        exit(6);
}

static void takeback_gomocup(TrapEngine *my, const char *text)
{
    int x = 0, y = 0;
    if (sscanf(text, "%d,%d", &x, &y) == 2 && !is_trap(my, "takeback")) // NOLINT(cert-err34-c)
        my->taken[x][y] = false;
    say("OK");
}

static void play_gomocup(TrapEngine *my, const char *text)
{
    int x = 0, y = 0;
    if (sscanf(text, "%d,%d", &x, &y) == 2) // NOLINT(cert-err34-c)
        (void)place(my, x, y);
    if (is_trap(my, "play"))
        say("OK");
    else
        say("%d,%d", x, y);
}

void hear_gomocup(TrapEngine *my, const char *line)
{
    static bool started;
    if (my->in_list) {
        list_gomocup(my, line);
    } else if (is_command(line, "START") || is_command(line, "RECTSTART")) {
        started = true;
        start_gomocup(my, line);
    } else if (is_command(line, "INFO")) {
        info_gomocup(my, line, started);
    } else if (is_command(line, "BEGIN")) {
        move_gomocup(my);
    } else if (is_command(line, "TURN")) {
        turn_gomocup(my, line + 4);
    } else if (is_command(line, "BOARD") || is_command(line, "SWAP2BOARD")) {
        my->in_list = true;
        my->is_swap2 = is_command(line, "SWAP2BOARD");
        if (!is_trap(my, "keeps_board"))
            clear_board(my, 1);
    } else if (is_command(line, "RESTART")) {
        if (!is_trap(my, "restart"))
            clear_board(my, 1);
        if (!is_trap(my, "no_restart_in_search") || !is_long_search(my))
            say("OK");
    } else if (is_command(line, "TAKEBACK")) {
        takeback_gomocup(my, line + 8);
    } else if (is_command(line, "PLAY")) {
        play_gomocup(my, line + 4);
    } else if (is_command(line, "ABOUT")) {
        say(is_trap(my, "about") ? "krow's trap" : "name=\"trap\", version=\"1\"");
    } else if (is_command(line, "END")) {
        if (is_trap(my, "ignores_end"))
            hang();
        exit(0);
    } else if (is_trap(my, "dies_of_unknown")) {
        exit(1);
    } else if (!is_trap(my, "silent_unknown")) {
        say("UNKNOWN command");
    }
}
