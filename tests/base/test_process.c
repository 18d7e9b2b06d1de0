// Tests of child processes: their output, unread input, how they end. Deadlines are in the past or far in the future,
// so that no test depends on the speed of the machine.
#include "support/check.h"
#include "support/groups.h"

#include "base/clock.h"
#include "base/process/process.h"
#include "base/process/words.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double far_ahead = 60, shortly = 0.05;

static Process *start_limited(const char *script, SpawnLimits limits)
{
    Process *process = test_calloc(1, sizeof *process);
    Words argv = {0};
    Error error = {0};
    words_add_list(&argv, (const char *const[]){"/bin/sh", "-c", script, NULL});
    SpawnSpec spec = {.argv = argv.at, .limits = limits};
    assert_done(process_start(process, &spec, &error), error);
    words_close(&argv);
    return process;
}

static Process *start(const char *script)
{
    return start_limited(script, (SpawnLimits){0});
}

// Ends the process and checks that nothing is left.
static void finish(Process *process)
{
    pid_t pid = process->child.pid;
    process_kill(process);
    process_kill(process);
    assert_true(group_is_gone(pid));
    test_free(process);
}

static ProcessResult read_within(Process *process, double seconds, Span *line)
{
    return process_read_line(process, clock_seconds() + seconds, line);
}

#define assert_line(process, text)                                                                                     \
    do {                                                                                                               \
        Span line_ = {0};                                                                                              \
        assert_int_equal(read_within(process, far_ahead, &line_), PROCESS_OK);                                         \
        if (!span_is(line_, text)) {                                                                                   \
            print_error("line '%.*s', expected '%s'\n", SPAN_PRINT(line_), text);                                      \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

#define assert_end(process) assert_int_equal(read_within(process, far_ahead, &(Span){0}), PROCESS_ENDED)

static void send_text(Process *process, const char *text)
{
    assert_int_equal(process_write(process, span_of(text), clock_seconds() + far_ahead), PROCESS_OK);
}

static void test_talk(void **state)
{
    (void)state;
    Process *process = start("while read -r line; do echo \"$line!\"; done");
    for (int i = 0; i < 100; i++) {
        send_text(process, "hello\n");
        assert_line(process, "hello!");
    }
    Span line = {0};
    assert_int_equal(read_within(process, shortly, &line), PROCESS_LATE);
    assert_int_equal(process_read_line(process, 0, &line), PROCESS_LATE);
    send_text(process, "a\nb\n");
    assert_line(process, "a!");
    assert_line(process, "b!");
    finish(process);
}

// Lines that have arrived are read without waiting; others are not waited for.
static void test_lines_that_have_arrived(void **state)
{
    (void)state;
    Process *process = start("read -r x; printf 'a\\nb\\nc'; read -r x; printf 'd\\n' >&2; read -r x");
    Span line = {0};
    assert_int_equal(process_read_arrived(process, &line), PROCESS_LATE);
    send_text(process, "\n");
    assert_line(process, "a");
    ProcessResult result = process_read_arrived(process, &line);
    while (result == PROCESS_LATE) // the program writes in two pieces, perhaps
        result = process_read_arrived(process, &line);
    assert_true(span_is(line, "b"));
    assert_int_equal(process_read_arrived(process, &line), PROCESS_LATE); // "c" has no line end yet
    send_text(process, "\n\n");
    while ((result = process_read_arrived(process, &line)) == PROCESS_LATE)
        ;
    assert_int_equal(result, PROCESS_OK);
    assert_true(span_is(line, "c"));
    assert_int_equal(process_read_arrived(process, &line), PROCESS_ENDED);
    finish(process);
}

// A program that has closed its input: no signal, neither while writing nor afterwards.
static void test_quiet_writing(void **state)
{
    (void)state;
    Process *process = start("exec <&-; echo closed; exec sleep 100");
    assert_line(process, "closed");
    sigset_t before, after;
    process_quiet_begin(&before);
    assert_int_equal(process_write(process, span_of("x\n"), clock_seconds() + far_ahead), PROCESS_ENDED);
    assert_int_equal(process_write(process, span_of("x\n"), clock_seconds() + far_ahead), PROCESS_ENDED);
    process_quiet_end(&before);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    assert_int_equal(sigismember(&after, SIGPIPE), 0);
    assert_int_equal(process_write(process, span_of("x\n"), clock_seconds() + far_ahead), PROCESS_ENDED);
    finish(process);
}

static void test_ends_of_lines(void **state)
{
    (void)state;
    Process *process = start("printf 'a\\nb\\r\\nc\\rd\\r'; read -r x; printf '\\ne\\r\\r\\n\\n\\nlast'");
    assert_line(process, "a");
    assert_line(process, "b");
    assert_line(process, "c");
    assert_line(process, "d");
    send_text(process, "\n");
    assert_line(process, "e");
    assert_line(process, "");
    assert_line(process, "");
    assert_line(process, "");
    assert_line(process, "last");
    assert_end(process);
    assert_end(process);
    finish(process);
}

// Lines that follow a full buffer, repeatedly.
static void test_much_output(void **state)
{
    (void)state;
    Process *process = start("i=0; while [ $i -lt 20000 ]; do echo \"line $i\"; i=$((i + 1)); done");
    for (int i = 0; i < 20000; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "line %d", i);
        assert_line(process, text);
    }
    assert_end(process);
    finish(process);
}

static ProcessResult read_all(Process *process)
{
    Span line = {0};
    ProcessResult result = PROCESS_OK;
    for (double end = clock_seconds() + far_ahead; result == PROCESS_OK;)
        result = process_read_line(process, end, &line);
    return result;
}

static void test_floods(void **state)
{
    (void)state;
    Process *process = start("yes");
    assert_int_equal(read_all(process), PROCESS_FLOOD);
    assert_true(process->turn_output < PROCESS_TURN_MAX + PROCESS_LINE_MAX + 1);
    process_next_turn(process);
    assert_int_equal(read_all(process), PROCESS_FLOOD);
    finish(process);
    process = start("yes | tr -d '\\n'");
    assert_int_equal(read_all(process), PROCESS_FLOOD);
    assert_true(process->turn_output <= PROCESS_LINE_MAX);
    finish(process);
    // Standard error is not output, and it must not delay the timeout.
    process = start("yes >&2");
    assert_int_equal(read_within(process, shortly, &(Span){0}), PROCESS_LATE);
    finish(process);
    // A line that grows slowly and never ends, so that the timeout comes before the length limit.
    process = start("while :; do printf x; sleep 0.001; done");
    assert_int_equal(read_within(process, shortly, &(Span){0}), PROCESS_LATE);
    finish(process);
}

static void test_a_program_that_does_not_read(void **state)
{
    (void)state;
    enum { MUCH = 1 << 20 };
    char *much = test_malloc(MUCH);
    memset(much, 'x', MUCH);
    Process *process = start("sleep 100");
    assert_int_equal(process_write(process, (Span){much, MUCH}, clock_seconds() + shortly), PROCESS_LATE);
    finish(process);
    // A program that prints and does not read must not block forever.
    process = start("yes");
    assert_int_equal(process_write(process, (Span){much, MUCH}, clock_seconds() + shortly), PROCESS_LATE);
    finish(process);
    // A program that has exited causes a result, not a signal.
    process = start("exit 3");
    assert_end(process);
    ProcessResult result = PROCESS_OK;
    for (int i = 0; i < 1000 && result == PROCESS_OK; i++)
        result = process_write(process, (Span){much, MUCH}, clock_seconds() + far_ahead);
    assert_int_equal(result, PROCESS_ENDED);
    finish(process);
    // A program that reads slowly.
    process = start("sleep 0.05; wc -c");
    assert_int_equal(process_write(process, (Span){much, MUCH}, clock_seconds() + far_ahead), PROCESS_OK);
    process_end(process, (Span){0}, far_ahead);
    assert_false(process->forced);
    finish(process);
    test_free(much);
}

static void expect_end(const char *script, const char *words, const char *last_words)
{
    Process *process = start(script);
    assert_end(process);
    process_end(process, (Span){0}, far_ahead);
    char text[PROCESS_TEXT_SIZE];
    process_describe_end(process, text);
    assert_string_equal(text, words);
    process_last_words(process, text);
    assert_string_equal(text, last_words);
    finish(process);
}

static void test_how_it_ended(void **state)
{
    (void)state;
    expect_end("exit 0", "it ended with exit status 0", "");
    expect_end("echo one >&2; echo two >&2; exit 3", "it ended with exit status 3", "two");
    expect_end("kill -SEGV $$", "it was ended by signal 11 (Segmentation fault)", "");
    expect_end("kill -KILL $$", "it was ended by signal 9 (Killed)", "");
    expect_end("exit 139", "it ended with exit status 139, as after signal 11 (Segmentation fault)", "");
    expect_end("i=0; while [ $i -lt 3000 ]; do echo \"line $i\" >&2; i=$((i + 1)); done; printf 'a\\001b\\n\\n' >&2",
               "it ended with exit status 0", "a?b");
}

static void test_asking_to_end(void **state)
{
    (void)state;
    Process *process = start("read -r x; [ \"$x\" = bye ] && exit 5");
    process_end(process, span_of("bye\n"), far_ahead);
    char text[PROCESS_TEXT_SIZE];
    process_describe_end(process, text);
    assert_string_equal(text, "it ended with exit status 5");
    finish(process);
    process = start("trap '' TERM; echo ready; while :; do sleep 1; done");
    assert_line(process, "ready");
    process_end(process, span_of("bye\n"), shortly);
    process_describe_end(process, text);
    assert_string_equal(text, "it had to be terminated");
    finish(process);
}

// Children of the program keep its pipes open and outlive it.
static void test_children_of_the_program(void **state)
{
    (void)state;
    Process *process = start("sleep 100 & sleep 100 & echo ready; exit 0");
    assert_line(process, "ready");
    assert_end(process);
    finish(process);
    process = start("(trap '' TERM; sleep 100) & echo ready; read -r x");
    assert_line(process, "ready");
    pid_t group = process->child.pid;
    process_end(process, (Span){0}, far_ahead);
    assert_true(group_is_gone(group));
    finish(process);
}

static void test_what_cannot_be_started(void **state)
{
    (void)state;
    Process process = {0};
    Error error = {0};
    int before = open_descriptors();
    char *const missing[] = {"/no/such/program", NULL};
    assert_failed(process_start(&process, &(SpawnSpec){.argv = missing}, &error), STATUS_IO, error,
                  "'/no/such/program': No such file");
    char *const folder[] = {"/", NULL};
    assert_failed(process_start(&process, &(SpawnSpec){.argv = folder}, &error), STATUS_IO, error, "Permission denied");
    assert_int_equal(process_read_line(&process, 0, &(Span){0}), PROCESS_ENDED);
    assert_int_equal(process_write(&process, span_of("x"), 0), PROCESS_ENDED);
    process_end(&process, span_of("x"), 1);
    assert_int_equal(open_descriptors(), before);
}

static void test_limits(void **state)
{
    (void)state;
    SpawnLimits limits = {.memory = (uint64_t)1 << 30, .file_size = 1 << 20};
    Process *process = start_limited("ulimit -c; ulimit -v; ulimit -f", limits);
    assert_line(process, "0");
    assert_line(process, "1048576");
    assert_line(process, "2048");
    finish(process);
}

// A program always gets three descriptors, default signals and its own session.
static void test_what_is_inherited(void **state)
{
    (void)state;
    int loose = open("/dev/null", O_RDONLY); // NOLINT(android-cloexec-open): that is the point
    (void)signal(SIGUSR1, SIG_IGN);
    Process *process = start("ls /proc/self/fd | wc -l; kill -USR1 $$; echo lives");
    assert_line(process, "4"); // its three descriptors and the folder that ls reads
    assert_end(process);
    assert_int_equal(getpgid(0) == process->child.pid, 0);
    finish(process);
    (void)signal(SIGUSR1, SIG_DFL);
    (void)close(loose);
}

// --- Threads ---

static void *start_and_leave(void *argument)
{
    static char *const argv[] = {"/bin/cat", NULL};
    Process *process = argument;
    return process_start(process, &(SpawnSpec){.argv = argv}, NULL) == STATUS_OK ? argument : NULL;
}

// The kernel ties a child to the thread that created it; the program must outlive the thread that requested it.
static void test_a_thread_that_ends(void **state)
{
    (void)state;
    Process *process = test_calloc(1, sizeof *process);
    pthread_t thread;
    void *started = NULL;
    assert_int_equal(pthread_create(&thread, NULL, start_and_leave, process), 0);
    assert_int_equal(pthread_join(thread, &started), 0);
    assert_ptr_equal(started, process);
    send_text(process, "still there\n");
    assert_line(process, "still there");
    finish(process);
}

static void *start_many(void *argument)
{
    static char *const argv[] = {"/bin/cat", NULL};
    Process *process = calloc(1, sizeof *process);
    bool good = process != NULL;
    for (int i = 0; good && i < 20; i++) {
        Span line = {0};
        double end = clock_seconds() + far_ahead;
        good = process_start(process, &(SpawnSpec){.argv = argv}, NULL) == STATUS_OK &&
               process_write(process, span_of("hello\n"), end) == PROCESS_OK &&
               process_read_line(process, end, &line) == PROCESS_OK && span_is(line, "hello");
        // Exits only if no other process keeps its input open.
        if (good)
            process_end(process, (Span){0}, far_ahead);
        good = good && !process->forced;
    }
    free(process);
    return good ? argument : NULL;
}

static void test_many_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int before = open_descriptors();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, start_many, threads), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
    assert_int_equal(open_descriptors(), before);
}

TEST_GROUP(process)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talk),
        cmocka_unit_test(test_lines_that_have_arrived),
        cmocka_unit_test(test_quiet_writing),
        cmocka_unit_test(test_ends_of_lines),
        cmocka_unit_test(test_much_output),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_a_program_that_does_not_read),
        cmocka_unit_test(test_how_it_ended),
        cmocka_unit_test(test_asking_to_end),
        cmocka_unit_test(test_children_of_the_program),
        cmocka_unit_test(test_what_cannot_be_started),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_what_is_inherited),
        cmocka_unit_test(test_a_thread_that_ends),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
