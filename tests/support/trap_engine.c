// An engine for tests of krow check-engine: trap_engine PROTOCOL [TRAP]. It plays Gomocup or UGI correctly on the first
// free cells, except for the one trap that is named. It is built without sanitizers, which do not work within the
// limits of engines.
#include "support/trap_engine.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

bool is_trap(const TrapEngine *my, const char *trap)
{
    return strcmp(my->trap, trap) == 0;
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    (void)printf("\n");
    (void)fflush(stdout);
}

void rest(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    (void)nanosleep(&time, NULL);
}

_Noreturn void hang(void)
{
    for (;;)
        rest(1000);
}

// --- Input ---

static bool has_input(TrapEngine *my, double seconds)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return my->length > 0 || poll(&input, 1, (int)(seconds * 1000)) > 0;
}

// Reads what has arrived; false at the end.
static bool fill(TrapEngine *my)
{
    ssize_t count = read(STDIN_FILENO, my->input + my->length, sizeof my->input - 1 - my->length);
    if (count <= 0)
        return false;
    my->length += (size_t)count;
    my->input[my->length] = '\0';
    return true;
}

// The next line without its line end. An engine that takes each read for one line loses lines that arrive together, or
// a line that arrives in parts.
bool next_line(TrapEngine *my, char line[TRAP_LINE_SIZE])
{
    while (memchr(my->input, '\n', my->length) == NULL)
        if (!fill(my) || (is_trap(my, "no_partial_lines") && my->length > 0))
            break;
    if (my->length == 0)
        return false;
    char *end = memchr(my->input, '\n', my->length);
    size_t length = end != NULL ? (size_t)(end - my->input) : my->length;
    memcpy(line, my->input, length);
    line[length] = '\0';
    size_t used = end != NULL ? length + 1 : length;
    if (is_trap(my, "one_line_per_read"))
        used = my->length;
    memmove(my->input, my->input + used, my->length - used);
    my->length -= used;
    if (length > 0 && line[length - 1] == '\r' && !is_trap(my, "no_crlf"))
        line[length - 1] = '\0';
    return true;
}

// --- The board ---

void clear_board(TrapEngine *my, int left)
{
    memset(my->taken, 0, sizeof my->taken);
    my->placed = 0;
    my->left = left;
}

void find_free(const TrapEngine *my, int *x, int *y)
{
    for (*y = my->height - 1; *y >= 0; (*y)--)
        for (*x = 0; *x < my->width; (*x)++)
            if (!my->taken[*x][*y])
                return;
    *x = *y = 0;
}

bool place(TrapEngine *my, int x, int y)
{
    if (x < 0 || y < 0 || x >= my->width || y >= my->height || my->taken[x][y])
        return false;
    my->taken[x][y] = true;
    my->placed++;
    if (--my->left == 0)
        my->left = my->per_turn;
    return true;
}

// --- Traps of a move ---

static void use_memory(void)
{
    size_t size = (size_t)400 << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
        for (size_t i = 0; i < size; i += 4096)
            memory[i] = 1;
}

// A search of this many seconds, which input ends for an engine with that trap.
static void search(TrapEngine *my, double seconds)
{
    if (is_trap(my, "input_ends_search"))
        (void)has_input(my, seconds);
    else
        rest(seconds);
}

// Whether a check waits for a search: not with very long limits, which other checks replace by clocks.
bool is_long_search(const TrapEngine *my)
{
    return my->limit >= 1 && my->limit < 30;
}

void misbehave(TrapEngine *my)
{
    my->moves++;
    if (is_trap(my, "hang"))
        hang();
    if (is_trap(my, "crash"))
        (void)raise(SIGSEGV);
    if (is_trap(my, "exit"))
        exit(3);
    if (is_trap(my, "flood"))
        for (;;)
            if (puts("MESSAGE nothing to say") == EOF)
                exit(9);
    if (is_trap(my, "garbage"))
        say("I play here");
    if (is_trap(my, "slow_now") || (is_trap(my, "slow") && my->moves == 4) ||
        (is_trap(my, "slow_when_fast") && my->limit < 0.3))
        rest(my->limit + 2);
    if (is_trap(my, "memory") && my->moves == 1)
        use_memory();
    if (is_trap(my, "input_ends_search") && is_long_search(my))
        search(my, 0.7);
    if (is_trap(my, "no_restart_in_search") && is_long_search(my))
        rest(0.3);
    if (is_trap(my, "deaf_in_search") && is_long_search(my) && my->limit > 5)
        hang();
}

// After a move: what an engine must not do.
void misbehave_after(TrapEngine *my)
{
    char line[TRAP_LINE_SIZE];
    if (is_trap(my, "two_answers"))
        say("7,7");
    if (is_trap(my, "ponders"))
        while (!has_input(my, 0))
            ;
    if (is_trap(my, "loses_line") && has_input(my, 0.03))
        (void)next_line(my, line);
}

int main(int argc, char **argv)
{
    static TrapEngine engine = {.trap = "", .width = 15, .height = 15, .per_turn = 1, .left = 1, .limit = 5};
    static char line[TRAP_LINE_SIZE];
    bool ugi = argc > 1 && strcmp(argv[1], "ugi") == 0;
    engine.trap = argc > 2 ? argv[2] : "";
    if (is_trap(&engine, "hang_at_start"))
        hang();
    if (is_trap(&engine, "exit_at_start"))
        return 7;
    while (next_line(&engine, line))
        (ugi ? hear_ugi : hear_gomocup)(&engine, line);
    return 0;
}
