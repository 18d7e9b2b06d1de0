// The sandbox in which external engines run.
#include "external/sandbox.h"

#include "external/sandbox_files.h"
#include "external/sandbox_filter.h"

#include <glob.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Arguments of bubblewrap ---

// Top-level folders of the system, some of which are links on most systems.
static void show_system(Words *argv)
{
    static const char *const folders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    static const char *const files[] = {"/etc/ld.so.cache",  "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                        "/etc/alternatives", "/etc/localtime",  "/opt",
                                        "/nix/store"};
    words_add_list(argv, (const char *const[]){"--ro-bind", "/usr", "/usr", NULL});
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char target[PATH_MAX];
        ssize_t length = readlink(folders[i], target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        words_add_list(argv, length > 0 ? (const char *const[]){"--symlink", target, folders[i], NULL}
                                        : (const char *const[]){"--ro-bind-try", folders[i], folders[i], NULL});
    }
    // bubblewrap would create it for its owner only, who is another user where krow runs as root.
    words_add_list(argv, (const char *const[]){"--dir", "/etc", NULL});
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        words_add_list(argv, (const char *const[]){"--ro-bind-try", files[i], files[i], NULL});
}

// Debian keeps settings of the Java runtime, without which many programs end, outside of its folder.
static void show_java(Words *argv)
{
    glob_t found = {0};
    if (glob("/etc/java-*", GLOB_ONLYDIR, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            words_add_list(argv, (const char *const[]){"--ro-bind-try", found.gl_pathv[i], found.gl_pathv[i], NULL});
    globfree(&found);
}

static void add_scratch(Words *argv, const char *folder)
{
    words_add_list(argv, (const char *const[]){"--perms", "1777", "--size", NULL});
    words_add(argv, "%d", SANDBOX_SCRATCH);
    words_add_list(argv, (const char *const[]){"--tmpfs", folder, NULL});
}

// As root, each sandbox gets its own user, in systemd's range for such users: root could read everything, and the
// number of its processes is not limited.
static void add_user(Words *argv)
{
    if (geteuid() == 0)
        words_add_list(argv, (const char *const[]){"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add",
                                                   "CAP_SETGID", NULL});
    else
        // The kernel code behind further user namespaces is large; an engine has no use for them.
        words_add_list(argv, (const char *const[]){"--unshare-user", "--disable-userns", NULL});
}

static void add_user_change(Words *argv)
{
    enum { FIRST_USER = 61184, USERS = 65520 - 61184 };
    static atomic_uint started;
    unsigned user = FIRST_USER + ((unsigned)getpid() * 16 + atomic_fetch_add(&started, 1)) % USERS;
    if (geteuid() != 0)
        return;
    words_add(argv, "setpriv");
    words_add(argv, "--reuid=%u", user);
    words_add(argv, "--regid=%u", user);
    words_add_list(argv, (const char *const[]){"--clear-groups", "--inh-caps=-all", "--no-new-privs", "--", NULL});
}

// The command as the engine gets it, with the files that it names, which are shown.
static void show_command(SandboxPlaces *places, const Words *command, const char *program, Words *inside)
{
    char path[PATH_MAX];
    sandbox_show_program(places, program, path);
    words_add(inside, "%s", path);
    for (size_t i = 1; i < command->count; i++) {
        // A word that is too long for a path names no file.
        bool is_short = strlen(command->at[i]) < sizeof path;
        if (is_short)
            sandbox_show_word(places, command->at[i], path);
        words_add(inside, "%s", is_short ? path : command->at[i]);
    }
}

// Namespaces, users and files.
static void add_options(SandboxPlaces *places, const Words *command, const char *program, Words *inside)
{
    Words *options = places->options;
    words_add_list(options,
                   (const char *const[]){"--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-net",
                                         "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", NULL});
    add_user(options);
    show_system(options);
    show_java(options);
    words_add_list(options, (const char *const[]){"--proc", "/proc", "--dev", "/dev", NULL});
    add_scratch(options, "/dev/shm");
    add_scratch(options, "/tmp");
    add_scratch(options, "/run/krow");
    show_command(places, command, program, inside);
    words_add_list(options, (const char *const[]){"--remount-ro", "/dev", "--remount-ro", "/", NULL});
    words_add_list(options, (const char *const[]){"--chdir", "/run/krow", NULL});
    if (sandbox_filter_is_available()) {
        words_add(options, "--seccomp");
        words_add(options, "%d", SPAWN_LAST);
    }
}

// A user of its own, a limit of processes, and an output that bubblewrap does not hold.
static void add_start(Words *argv, const SandboxSettings *settings)
{
    unsigned most = settings->processes > 0 ? settings->processes : SANDBOX_PROCESSES;
    add_user_change(argv);
    // Inside, because the kernel then counts the processes of this user namespace or of this user alone.
    words_add(argv, "prlimit");
    words_add(argv, "--nproc=%u:%u", most, most);
    words_add(argv, "--");
    words_add_list(argv, (const char *const[]){"sh", "-c", "exec \"$@\" >&3 3>&-", "sh", NULL});
}

static Status wrap(const Words *command, const char *program, Sandboxed *sandboxed, Error *error)
{
    char bwrap[PATH_MAX];
    Words *argv = &sandboxed->argv;
    SandboxPlaces places = {.keeps_paths = sandboxed->settings.keeps_paths, .options = &sandboxed->options};
    Words inside = {0};
    if (!sandbox_find_program("bwrap", bwrap))
        return error_set(
            error, STATUS_FAILED,
            "cannot start the sandbox: bubblewrap (bwrap) is not installed; install it or use --no-sandbox");
    add_options(&places, command, program, &inside);
    words_add(argv, "%s", bwrap);
    words_add(argv, "--args");
    words_add(argv, "%d", SPAWN_PASSED);
    words_add(argv, "--");
    add_start(argv, &sandboxed->settings);
    words_add_list(argv, (const char *const *)inside.at);
    words_close(&inside);
    words_close(&places.hosts);
    return STATUS_OK;
}

Status sandbox_prepare(const Words *command, const SandboxSettings *settings, bool is_used, Sandboxed *sandboxed,
                       Error *error)
{
    char program[PATH_MAX];
    sandboxed->is_used = is_used;
    sandboxed->settings = *settings;
    if (!sandbox_find_program(command->at[0], program))
        return error_set(error, STATUS_BAD_INPUT, "there is no executable program '%s'", command->at[0]);
    if (is_used)
        return wrap(command, program, sandboxed, error);
    words_add(&sandboxed->argv, "%s", program);
    words_add_list(&sandboxed->argv, (const char *const *)(command->at + 1));
    return STATUS_OK;
}

bool sandbox_has_failed(const char *last_words)
{
    return strncmp(last_words, "bwrap: ", 7) == 0 || strncmp(last_words, "setpriv: ", 9) == 0 ||
           strncmp(last_words, "prlimit: ", 9) == 0;
}
