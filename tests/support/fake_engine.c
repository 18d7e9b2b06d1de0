// A program for tests of external engines: fake_engine PROTOCOL [MODE [NUMBER]]. It plays the first legal cells by the
// Gomocup protocol or UGI; MODE chooses how it misbehaves. It is built separately without sanitizers, which do not work
// within its limits.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIDE_MAX = 64, LINE_MAX_ = 65536 };

static struct {
    bool ugi;
    const char *mode;
    long number; // of turns it plays before it misbehaves
    const char *line_end;
    int width, height, stones_a_turn, first_stones;
    bool gravity;
    int placed, left;               // stones on the board and left in the turn
    bool taken[SIDE_MAX][SIDE_MAX]; // by column and row from the bottom
    int turns;
} my = {.mode = "", .line_end = "\n", .width = 15, .height = 15, .stones_a_turn = 1, .first_stones = 1};

static bool mode_is(const char *mode)
{
    return strcmp(my.mode, mode) == 0;
}

static void say(const char *line)
{
    (void)printf("%s%s", line, my.line_end);
    (void)fflush(stdout);
}

static _Noreturn void hang(void)
{
    for (;;)
        (void)pause();
}

static void *idle(void *unused)
{
    (void)unused;
    hang();
}

// --- The board ---

static void place(int column, int row)
{
    if (column < 0 || row < 0 || column >= my.width || row >= my.height || my.taken[column][row])
        say("ERROR the manager placed a stone on no free cell");
    else
        my.taken[column][row] = true;
    my.placed++;
    if (--my.left == 0)
        my.left = my.stones_a_turn;
}

static void clear_board(void)
{
    memset(my.taken, 0, sizeof my.taken);
    my.placed = 0;
    my.left = my.first_stones;
}

static void find_cell(int *column, int *row)
{
    for (*row = 0; *row < my.height; (*row)++)
        for (*column = 0; *column < my.width; (*column)++)
            if (!my.taken[*column][*row])
                return;
    *column = *row = 0;
}

// --- What it does instead of an answer ---

static _Noreturn void flood(const char *text)
{
    for (;;)
        if (fputs(text, stdout) == EOF)
            exit(9);
}

// A child that keeps all pipes open for a long time.
static void leave_child(void)
{
    if (fork() == 0) {
        (void)signal(SIGTERM, SIG_IGN);
        (void)sleep(100);
        _exit(0);
    }
}

// Children that wait; in mode `eat` each uses some memory.
static void leave_children(int children)
{
    enum { EACH = 40 << 20 };
    for (int i = 0; i < children; i++) {
        pid_t pid = fork();
        if (pid < 0)
            exit(7);
        if (pid > 0)
            continue;
        if (mode_is("eat") &&
            mmap(NULL, EACH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
            _exit(1);
        hang();
    }
}

static int count_forks(void)
{
    int count = 0;
    while (count < 1000) {
        pid_t pid = fork();
        if (pid == 0)
            hang();
        if (pid < 0)
            break;
        count++;
    }
    return count;
}

static bool can_write(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(path);
    }
    return fd >= 0;
}

// Whether the port of the test, which listens on this machine, can be reached: not from a network of one's own.
static bool can_connect(const char *port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(port, NULL, 10))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool there = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    (void)close(fd);
    return there;
}

static size_t allocate(void)
{
    size_t chunks = 0, size = (size_t)1 << 28;
    while (chunks < 64 && mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        chunks++;
    return chunks;
}

// Tries what a sandbox forbids, and reports the result in an invalid answer.
static void probe(const char *beside)
{
    char folder[4096], outside[4096], line[512], here[256];
    (void)snprintf(folder, sizeof folder, "%s.probe", beside);
    // A file next to the folder of the program, not in it.
    (void)snprintf(outside, sizeof outside, "%.*s/../build.ninja", (int)(strrchr(beside, '/') - beside), beside);
    const char *where = getcwd(here, sizeof here);
    size_t chunks = allocate();
    (void)snprintf(line, sizeof line,
                   "probe uid=%d here=%d tmp=%d folder=%d usr=%d root=%d outside=%d net=%d chunks=%zu forks=%d",
                   getuid() == 0, where != NULL && can_write("here"), can_write("/tmp/krow-probe"), can_write(folder),
                   can_write("/usr/krow-probe"), can_write("/krow-probe"), access(outside, F_OK) == 0,
                   can_connect(my.mode + strlen("probe-")), chunks, count_forks());
    say(line);
}

static void misbehave(const char *program)
{
    if (mode_is("hang"))
        hang();
    if (mode_is("exit"))
        exit(3);
    if (mode_is("complain_and_exit")) {
        (void)fprintf(stderr, "first line\nit all went wrong\n");
        exit(4);
    }
    if (mode_is("crash"))
        (void)raise(SIGSEGV);
    if (mode_is("killed"))
        (void)kill(getpid(), SIGKILL);
    if (mode_is("flood"))
        flood("MESSAGE nothing to say\n");
    if (mode_is("long_line"))
        flood("nothing to say ");
    if (mode_is("garbage"))
        say("bestmove b2b or not b2b");
    if (mode_is("off"))
        say(my.ugi ? "bestmove zz99" : "99,99");
    if (mode_is("taken"))
        say(my.ugi ? "bestmove a1" : "0,14");
    if (mode_is("late"))
        (void)usleep((useconds_t)my.number * 1000);
    if (mode_is("error"))
        say("ERROR I do not want to");
    if (mode_is("error"))
        hang();
    if (mode_is("close_output")) {
        (void)close(STDOUT_FILENO);
        hang();
    }
    if (mode_is("orphan")) {
        leave_child();
        exit(5);
    }
    if (mode_is("child"))
        leave_child();
    if (mode_is("chatter")) {
        say("MESSAGE Depth 3 | Eval 5");
        say("DEBUG something");
        say("UNKNOWN whatever");
        say("");
        say("name=\"late\"");
    }
    while (mode_is("spin")) {
    }
    if (mode_is("partial")) {
        (void)printf("%s", my.ugi ? "bestmove a" : "3,");
        (void)fflush(stdout);
        hang();
    }
    if (mode_is("eat") || mode_is("children")) {
        leave_children(mode_is("eat") ? 3 : 6);
        hang();
    }
    if (mode_is("fill")) { // as many processes as there may be; ends in the next turn
        if (my.turns > my.number + 1)
            exit(6);
        (void)count_forks();
    }
    if (mode_is("fork_bomb")) {
        (void)count_forks();
        hang();
    }
    if (mode_is("errs"))
        for (int i = 0; i < 20000; i++)
            (void)fprintf(stderr, "far more than a pipe holds, line %d\n", i);
    if (mode_is("trickle"))
        for (;;) {
            (void)printf("MESSAGE\n");
            (void)fflush(stdout);
            (void)usleep(1000);
        }
    if (strncmp(my.mode, "probe-", 6) == 0)
        probe(program);
}

// --- Gomocup: x from the left, y from the top ---

static void answer_gomocup(const char *program)
{
    int column = 0, row = 0;
    char line[64];
    my.turns++;
    if (my.turns > my.number || mode_is("late"))
        misbehave(program);
    find_cell(&column, &row);
    if (!mode_is("suggest"))
        place(column, row);
    (void)snprintf(line, sizeof line, "%s%d,%d", mode_is("suggest") ? "SUGGEST " : "", column, my.height - 1 - row);
    say(line);
}

static void place_gomocup(const char *text)
{
    int x = -1, y = -1;
    if (sscanf(text, "%d,%d", &x, &y) == 2) // NOLINT(cert-err34-c): a wrong number is no free cell
        place(x, my.height - 1 - y);
}

static bool is_command(const char *line, const char *command)
{
    return strncasecmp(line, command, strlen(command)) == 0;
}

static bool start_gomocup(const char *line)
{
    int width = 0, height = 0;
    if (sscanf(line, "RECTSTART %d,%d", &width, &height) != 2) { // NOLINT(cert-err34-c)
        if (sscanf(line, "START %d", &width) != 1)               // NOLINT(cert-err34-c)
            return false;
        height = width;
    }
    my.width = width;
    my.height = height;
    clear_board();
    say(width > 20 || mode_is("refuse") ? "ERROR unsupported size" : "OK");
    if (mode_is("deaf"))
        hang();
    return true;
}

static bool in_board;

static void hear_board(const char *line, const char *program)
{
    in_board = !is_command(line, "DONE");
    if (in_board)
        place_gomocup(line);
    else
        answer_gomocup(program);
}

static void hear_gomocup(const char *line, const char *program)
{
    if (in_board) {
        hear_board(line, program);
    } else if (is_command(line, "RESTART")) {
        clear_board();
        say(mode_is("no_restart") ? "UNKNOWN command" : "OK");
    } else if (is_command(line, "BEGIN")) {
        answer_gomocup(program);
    } else if (is_command(line, "PLAY ")) {
        place_gomocup(line + 5);
        say(line + 5);
    } else if (is_command(line, "TURN ")) {
        place_gomocup(line + 5);
        answer_gomocup(program);
    } else if (is_command(line, "BOARD")) {
        clear_board();
        in_board = true;
    } else if (is_command(line, "ABOUT")) {
        say("name=\"fake\", version=\"1\", author=\"tests\", country=\"none\"");
    } else if (is_command(line, "END")) {
        if (!mode_is("ignore_end"))
            exit(0);
    } else if (is_command(line, "YXSTOP")) {
        say("MESSAGE stopping");
    } else if (!is_command(line, "INFO ") && !start_gomocup(line) && !mode_is("silent")) {
        if (mode_is("exit_on_unknown"))
            exit(1);
        say("UNKNOWN command");
    }
}

// --- UGI ---

static int number_after(const char *text, const char *key, int otherwise)
{
    const char *at = strstr(text, key);
    return at != NULL ? atoi(at + strlen(key)) : otherwise; // NOLINT(cert-err34-c): krow writes it
}

static void set_game(const char *text)
{
    (void)sscanf(text, "%dx%d", &my.width, &my.height); // NOLINT(cert-err34-c)
    my.stones_a_turn = number_after(text, ",p=", 1);
    my.first_stones = number_after(text, ",q=", 1);
    my.gravity = strstr(text, "gravity") != NULL;
}

// "ROWS SIDE LEFT": rows from the top.
static const char *read_fen(const char *at)
{
    int row = my.height - 1, column = 0;
    for (; *at != ' '; at++) {
        if (*at == '/') {
            row--;
            column = 0;
        } else if (*at >= '0' && *at <= '9') {
            column += (int)strtol(at, NULL, 10);
            while (at[1] >= '0' && at[1] <= '9')
                at++;
        } else {
            my.taken[column++][row] = true;
        }
    }
    char *end = NULL;
    my.left = (int)strtol(at + 3, &end, 10);
    return end;
}

static void set_position(const char *at)
{
    clear_board();
    if (strncmp(at, "fen ", 4) == 0)
        at = read_fen(at + 4);
    const char *moves = strstr(at, "moves ");
    at = moves != NULL ? moves + 6 : "";
    while (*at >= 'a') {
        int column = *at++ - 'a';
        if (*at >= 'a')
            column = 26 * (column + 1) + *at++ - 'a';
        char *end = NULL;
        place(column, (int)strtol(at, &end, 10) - 1);
        at = *end == ' ' ? end + 1 : end;
    }
}

static void answer_ugi(const char *program)
{
    char line[LINE_MAX_] = "bestmove ";
    my.turns++;
    if (my.turns > my.number || mode_is("late"))
        misbehave(program);
    say("info depth 2 nodes 77 score cp -12 pv a1 b1");
    say("info depth 3 multipv 2 score cp 99 nodes 1000 pv c1");
    say(mode_is("proof") ? "info depth 5 nodes 80 score win 9" : "info string depth 99");
    int stones = my.left + (mode_is("too_many") ? 1 : 0);
    for (int i = 0; i < stones && my.placed < my.width * my.height; i++) {
        int column = 0, row = 0;
        find_cell(&column, &row);
        my.taken[column][row] = true;
        my.placed++;
        char cell[16], second[2] = {(char)('a' + column % 26), '\0'};
        (void)snprintf(cell, sizeof cell, "%s%c%s%d", i > 0 ? "," : "",
                       column < 26 ? 'a' + column : 'a' + column / 26 - 1, column < 26 ? "" : second, row + 1);
        (void)strncat(line, cell, sizeof line - strlen(line) - 1);
    }
    say(line);
}

static void hear_ugi(const char *line, const char *program)
{
    static const char *const option = "setoption name Game value ";
    if (strcmp(line, "ugi") == 0) {
        if (mode_is("slow_start"))
            (void)sleep(1);
        say("id name fake");
        if (!mode_is("one_game"))
            say("option name Game type string default 15x15:k=5");
        say("ugiok");
    } else if (strcmp(line, "isready") == 0) {
        say("readyok");
    } else if (strcmp(line, "quit") == 0) {
        exit(0);
    } else if (strncmp(line, option, strlen(option)) == 0) {
        set_game(line + strlen(option));
        if (mode_is("refuse"))
            say("info string error: not this game");
    } else if (strncmp(line, "position ", 9) == 0) {
        set_position(line + 9);
    } else if (strncmp(line, "go ", 3) == 0) {
        answer_ugi(program);
    }
}

int main(int argc, char **argv)
{
    static char line[LINE_MAX_];
    my.ugi = argc > 1 && strcmp(argv[1], "ugi") == 0;
    my.mode = argc > 2 ? argv[2] : "";
    my.number = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    my.line_end = mode_is("crlf") ? "\r\n" : mode_is("cr") ? "\r" : "\n";
    pthread_t thread;
    if (mode_is("hang_at_start") || (mode_is("threads") && pthread_create(&thread, NULL, idle, NULL) != 0))
        hang();
    if (mode_is("exit_at_start"))
        return 7;
    if (mode_is("ignore_end"))
        (void)signal(SIGTERM, SIG_IGN);
    (void)setvbuf(stdin, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        (my.ugi ? hear_ugi : hear_gomocup)(line, argv[0]);
    }
    if (mode_is("ignore_end"))
        hang();
    return 0;
}
