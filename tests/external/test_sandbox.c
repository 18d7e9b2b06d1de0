// Tests of the sandbox of external engines: what it lets them do, and what it forbids. The engines are
// support/fake_engine.c and support/sandbox_probe.c. On machines that cannot make a sandbox they are skipped.
#include "support/check.h"
#include "support/external.h"
#include "support/groups.h"

#include "base/clock.h"
#include "external/sandbox_report.h"
#include "match/referee.h"

#include <errno.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether the failure shows that this machine cannot make one; the tests of it need that.
static bool lacks_sandbox(const Error *error)
{
    return strstr(error->text, "bubblewrap") != NULL || strstr(error->text, "the sandbox could not") != NULL;
}

static bool open_in_sandbox(Agent *agent, const char *game, const char *arguments)
{
    Error error = {0};
    Status status = open_engine(agent, game, arguments, true, &error);
    if (status == STATUS_OK)
        return true;
    if (status != STATUS_FAILED || !lacks_sandbox(&error))
        assert_done(status, error);
    print_message("# no sandbox here: %s\n", error.text);
    return false;
}

static void test_games_in_the_sandbox(void **state)
{
    (void)state;
    Agent agent;
    Game game;
    if (!open_in_sandbox(&agent, "gomoku", "gomocup"))
        skip();
    begin_game(&game, "gomoku");
    play_out(&agent, &game, false, UINT32_MAX);
    assert_true(game_is_over(&game));
    close_agent(&agent);
    assert_true(open_in_sandbox(&agent, "connect6", "ugi ignore_end"));
    close_agent(&agent);
}

// A port on this machine's own address that takes connections.
static int listen_here(uint16_t *port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, 4) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void test_what_the_sandbox_forbids(void **state)
{
    (void)state;
    Agent agent;
    Game game;
    static Decision decision;
    uint16_t port = 0;
    int listener = listen_here(&port);
    char command[64];
    (void)snprintf(command, sizeof command, "gomocup probe-%u", port);
    if (!open_in_sandbox(&agent, "gomoku", command))
        skip();
    begin_game(&game, "gomoku");
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_ILLEGAL);
    assert_non_null(strstr(decision.fault_text, "probe uid=0 here=1 tmp=1 folder=0 usr=0 root=0"));
    assert_non_null(strstr(decision.fault_text, "outside=0 net=0"));
    int64_t chunks = 99, forks = 999;
    Span text = span_of(strstr(decision.fault_text, "chunks=") + strlen("chunks=")), word = {0};
    assert_true(span_next_word(&text, " ", &word) && span_to_int(word, 0, 100, &chunks));
    text.at += strlen(" forks=");
    text.length -= strlen(" forks=");
    assert_true(span_next_word(&text, " ", &word) && span_to_int(word, 0, 1000, &forks));
    assert_true(chunks < 16); // of 256 MiB
    assert_true(forks < SANDBOX_PROCESSES);
    assert_true(group_is_gone(engine_of(&agent)->process.child.pid));
    agent_close(&agent);
    (void)close(listener);
}

static void test_crashes_in_the_sandbox(void **state)
{
    (void)state;
    Agent agent;
    Game game;
    static Decision decision;
    if (!open_in_sandbox(&agent, "gomoku", "gomocup crash"))
        skip();
    begin_game(&game, "gomoku");
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_CRASH);
    assert_non_null(strstr(decision.fault_text, "signal 11"));
    assert_true(group_is_gone(engine_of(&agent)->process.child.pid));
    agent_close(&agent);
}

// An engine that closes its output and lives cannot answer any more. It must not use up its time.
static void test_closed_output_in_the_sandbox(void **state)
{
    (void)state;
    Agent agent;
    Game game;
    static Decision decision;
    if (!open_in_sandbox(&agent, "gomoku", "gomocup close_output"))
        skip();
    begin_game(&game, "gomoku");
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_CRASH);
    assert_non_null(strstr(decision.fault_text, "closed its output"));
    agent_close(&agent);
}

// --- Files ---

// A folder with shown/inside, hidden and a link to a program in another one.
typedef struct {
    char base[32], shown[64], inside[64], hidden[64], link[64];
} Folders;

static void make_folders(Folders *folders)
{
    (void)snprintf(folders->base, sizeof folders->base, "/tmp/krow-test-XXXXXX");
    assert_non_null(mkdtemp(folders->base));
    assert_int_equal(chmod(folders->base, 0755), 0);
    (void)snprintf(folders->shown, sizeof folders->shown, "%s/shown", folders->base);
    (void)snprintf(folders->inside, sizeof folders->inside, "%s/shown/inside", folders->base);
    (void)snprintf(folders->hidden, sizeof folders->hidden, "%s/hidden", folders->base);
    (void)snprintf(folders->link, sizeof folders->link, "%s/linked", folders->base);
    assert_int_equal(mkdir(folders->shown, 0755), 0);
    assert_int_equal(mkdir(folders->inside, 0755), 0);
    assert_int_equal(mkdir(folders->hidden, 0755), 0);
    assert_int_equal(symlink(getenv("FAKE_ENGINE"), folders->link), 0);
}

static void remove_folders(const Folders *folders)
{
    (void)unlink(folders->link);
    (void)rmdir(folders->hidden);
    (void)rmdir(folders->inside);
    (void)rmdir(folders->shown);
    (void)rmdir(folders->base);
}

static Status open_command(Agent *agent, const char *command, Error *error)
{
    Rules rules = rules_of("gomoku");
    return agent_open_with(agent, span_of(command), &rules, &(AgentHost){0}, error);
}

// Starts a program that says something and ends.
static void expect_said(const char *command, const char *words)
{
    Agent agent;
    Error error = {0};
    Status status = open_command(&agent, command, &error);
    if (lacks_sandbox(&error))
        return;
    assert_int_equal(status, STATUS_FAILED);
    if (strstr(error.text, words) == NULL)
        fail_msg("%s: %s", command, error.text);
}

// An engine sees a folder that its command names, under another name, and nothing beside it. With paths=host, folders
// keep their names. A program behind a link starts with the name of the link.
static void test_folders_in_the_sandbox(void **state)
{
    (void)state;
    Folders folders;
    Agent agent;
    Error error = {0};
    char command[512];
    make_folders(&folders);
    (void)snprintf(command, sizeof command, "exec:sh -c 'echo $0 $(ls $0) $(ls $0/..) $(ls -d %s) end >&2' %s",
                   folders.base, folders.shown);
    expect_said(command, "/engine/1 inside 1 end");
    (void)snprintf(command, sizeof command, "exec:sh,paths=host -c 'echo $0 $(ls $0) $(ls $0/..) end >&2' %s",
                   folders.shown);
    (void)snprintf(command + 256, sizeof command - 256, "%s inside shown end", folders.shown);
    expect_said(command, command + 256);
    (void)snprintf(command, sizeof command, "exec:%s gomocup", folders.link);
    Status status = open_command(&agent, command, &error);
    bool lacks = lacks_sandbox(&error);
    if (!lacks) {
        assert_done(status, error);
        assert_non_null(
            strstr(engine_of(&agent)->sandboxed.argv.at[engine_of(&agent)->sandboxed.argv.count - 2], "/linked"));
        close_agent(&agent);
    }
    remove_folders(&folders);
    if (lacks)
        skip();
}

// Starts the probe, which prints what it could do and ends.
static void run_probe(const char *arguments, Error *error)
{
    char command[4096];
    Agent agent;
    Rules rules = rules_of("gomoku");
    const char *program = getenv("SANDBOX_PROBE");
    assert_non_null(program);
    (void)snprintf(command, sizeof command, "exec:'%s' %s", program, arguments);
    Status status = agent_open_with(&agent, span_of(command), &rules, &(AgentHost){0}, error);
    if (!lacks_sandbox(error))
        assert_int_equal(status, STATUS_FAILED);
}

// No process inside shows the folder of the program: neither mounts, arguments, environment nor the name of the host.
static void test_host_paths(void **state)
{
    (void)state;
    Error error = {0};
    char arguments[4096] = "shows ", *folder = strdup(getenv("SANDBOX_PROBE"));
    *strrchr(folder, '/') = '\0';
    size_t length = strlen(folder), begin = strlen(arguments);
    for (size_t i = 0; i < length; i++) // reversed, since the arguments of the probe are visible
        arguments[begin + i] = folder[length - 1 - i];
    (void)setenv("KROW_TEST_FOLDER", folder, 1);
    run_probe(arguments, &error);
    (void)unsetenv("KROW_TEST_FOLDER");
    free(folder);
    if (lacks_sandbox(&error))
        skip();
    if (strstr(error.text, "worked: end") == NULL)
        fail_msg("%s", error.text);
}

// No forbidden system call works, nor those of other architectures, and programs notice nothing worse than an error.
static void test_system_calls(void **state)
{
    (void)state;
    Error error = {0};
    run_probe("calls", &error);
    if (lacks_sandbox(&error))
        skip();
    if (strstr(error.text, "worked: end") == NULL)
        fail_msg("%s", error.text);
}

// --- Limits for all processes of an engine ---

static void expect_limit(const char *settings, const char *mode, bool sandboxed, const char *words)
{
    char command[4096];
    Agent agent;
    Game game;
    Error error = {0};
    static Decision decision;
    Rules rules = rules_of("gomoku");
    (void)snprintf(command, sizeof command, "exec:'%s',%s gomocup %s", getenv("FAKE_ENGINE"), settings, mode);
    Status status = agent_open_with(&agent, span_of(command), &rules, &(AgentHost){.no_sandbox = !sandboxed}, &error);
    if (sandboxed && lacks_sandbox(&error))
        return;
    if (status != STATUS_OK && strstr(error.text, words) != NULL)
        return; // on a very slow machine the start alone uses that much processor time
    assert_done(status, error);
    begin_game(&game, "gomoku");
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_CRASH);
    if (strstr(decision.fault_text, words) == NULL)
        fail_msg("%s, %s: %s", settings, mode, decision.fault_text);
    close_agent(&agent);
}

// An engine that uses all the processes it may goes on, and the reason of its end names the limit.
static void expect_full(void)
{
    Agent agent;
    Game game;
    Error error = {0};
    static Decision decision;
    char command[4096];
    Rules rules = rules_of("gomoku");
    (void)snprintf(command, sizeof command, "exec:'%s',process_limit=8 gomocup fill", getenv("FAKE_ENGINE"));
    Status status = agent_open_with(&agent, span_of(command), &rules, &(AgentHost){0}, &error);
    if (lacks_sandbox(&error))
        return;
    assert_done(status, error);
    begin_game(&game, "gomoku");
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_string_equal(decision.fault_text, "");
    assert_done(referee_play(&game, &decision, &error), error);
    play_text(&game, "h8");
    const Guard *guard = &engine_of(&agent)->process.guard;
    for (double end = clock_seconds() + ample; !guard->is_grouped && !atomic_load(&guard->is_full);) {
        assert_true(clock_seconds() < end);
        clock_sleep(0.01);
    }
    decide(&agent, &game, (Budget){.seconds = ample}, &decision);
    assert_int_equal(decision.fault, FAULT_CRASH);
    assert_non_null(strstr(decision.fault_text, "exit status 6; it had reached its limit of 8 processes and threads"));
    close_agent(&agent);
}

// Each process is within the limits, all of them together are not.
static void expect_limits(void)
{
    expect_limit("memory_limit=64", "eat", true, "it used more than 64 MB of memory in all its processes");
    expect_limit("memory_limit=64", "eat", false, "it used more than 64 MB of memory in all its processes");
    expect_limit("process_limit=4", "children", false, "4 processes and threads");
    expect_limit("cpu_limit=0.5", "spin", true, "it used more than 0.5 s of processor time in a game");
    expect_full();
}

// By the kernel where krow can make control groups, and watched by krow.
static void test_limits(void **state)
{
    (void)state;
    bool has_groups = guard_has_groups();
    print_message("# limits for all processes: %s\n", has_groups ? "control groups, and watched" : "watched");
    (void)setenv("KROW_CGROUP", "none", 1);
    expect_limits();
    (void)unsetenv("KROW_CGROUP");
    if (has_groups)
        expect_limits();
}

// Without bubblewrap, or with one that cannot set up a sandbox, nothing is started, and the message says what to do.
static void test_no_sandbox_no_start(void **state)
{
    (void)state;
    Agent agent;
    Error error = {0};
    const char *found = getenv("PATH");
    char *path = strdup(found != NULL ? found : "");
    (void)setenv("PATH", "/nonexistent", 1);
    assert_failed(open_engine(&agent, "gomoku", "gomocup", true, &error), STATUS_FAILED, error, "--no-sandbox");
    assert_non_null(strstr(error.text, "bubblewrap"));
    char folder[] = "/tmp/krow-test-XXXXXX", fake[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(fake, sizeof fake, "%s/bwrap", folder);
    FILE *file = fopen(fake, "we");
    assert_non_null(file);
    (void)fputs("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", file);
    assert_int_equal(fchmod(fileno(file), 0755), 0);
    assert_int_equal(fclose(file), 0);
    (void)setenv("PATH", folder, 1);
    assert_failed(open_engine(&agent, "gomoku", "gomocup", true, &error), STATUS_FAILED, error, "--no-sandbox");
    assert_non_null(strstr(error.text, "bwrap: No permissions"));
    (void)setenv("PATH", path, 1);
    (void)unlink(fake);
    (void)rmdir(folder);
    free(path);
}

// --- What is missing ---

static bool deny_filters(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool is_done = filter != NULL && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 0) == 0 &&
                   seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_done;
}

static void keep_warning(void *context, const char *text)
{
    text_add(context, "%s\n", text);
}

static Protection protection_of(const Sandboxed *sandboxed, const char *name)
{
    Protection list[PROTECTIONS_MAX];
    unsigned count = sandbox_protections(sandboxed, list);
    assert_true(count <= PROTECTIONS_MAX);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i];
    fail_msg("there is no protection '%s'", name);
    return (Protection){0};
}

// Engines run on a kernel without filters of system calls, and the user hears of it once. The last test, since it makes
// this program believe that it runs on such a kernel.
static void test_missing_protections(void **state)
{
    (void)state;
    Sandboxed used = {.is_used = true}, unused = {.is_used = false};
    assert_int_equal(protection_of(&used, "system calls").state, PROTECTION_IN_FORCE);
    assert_int_equal(protection_of(&unused, "system calls").state, PROTECTION_OFF);
    assert_int_equal(protection_of(&unused, "process count").state, PROTECTION_OFF);
    assert_non_null(strstr(protection_of(&used, "memory").detail, "at most 4096 MB"));
    assert_true(deny_filters());
    assert_int_equal(protection_of(&used, "system calls").state, PROTECTION_MISSING);
    Text warnings = {0};
    AgentHost host = {.warn = keep_warning, .warn_context = &warnings};
    Rules rules = rules_of("gomoku");
    char command[4096];
    (void)snprintf(command, sizeof command, "exec:'%s' gomocup", getenv("FAKE_ENGINE"));
    for (int i = 0; i < 2; i++) {
        Agent agent;
        Error error = {0};
        Status status = agent_open_with(&agent, span_of(command), &rules, &host, &error);
        if (lacks_sandbox(&error)) {
            text_close(&warnings);
            skip();
        }
        assert_done(status, error);
        close_agent(&agent);
    }
    assert_string_equal(warnings.data,
                        "The sandbox of engines lacks a protection here: system calls: this kernel has no "
                        "filters of system calls\n");
    text_close(&warnings);
}

TEST_GROUP(sandbox)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_in_the_sandbox),   cmocka_unit_test(test_what_the_sandbox_forbids),
        cmocka_unit_test(test_crashes_in_the_sandbox), cmocka_unit_test(test_closed_output_in_the_sandbox),
        cmocka_unit_test(test_folders_in_the_sandbox), cmocka_unit_test(test_host_paths),
        cmocka_unit_test(test_system_calls),           cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_sandbox_no_start),    cmocka_unit_test(test_missing_protections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
