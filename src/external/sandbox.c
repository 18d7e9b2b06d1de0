// The sandbox in which external engines run.
#include "external/sandbox.h"

#include "external/sandbox_filter.h"

#include <glob.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Programs and files ---

static bool is_program(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

static bool join(char path[PATH_MAX], Span folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)folder.length, folder.at, name);
    return length > 0 && length < PATH_MAX;
}

// The absolute path of a program. Links are not resolved, since some programs check the name they are called by.
static bool find_program(const char *name, char path[PATH_MAX])
{
    char here[PATH_MAX];
    if (name[0] == '/')
        return join(path, (Span){"", 0}, name + 1) && is_program(path);
    if (strchr(name, '/') != NULL)
        return getcwd(here, sizeof here) != NULL && join(path, span_of(here), name) && is_program(path);
    const char *variable = getenv("PATH");
    Span rest = span_of(variable != NULL ? variable : "/usr/local/bin:/usr/bin:/bin"), folder = {0};
    while (span_next_part(&rest, ':', &folder))
        if (folder.length > 0 && folder.at[0] == '/' && join(path, folder, name) && is_program(path))
            return true;
    return false;
}

static Status find_or_say(const char *name, char path[PATH_MAX], Error *error)
{
    if (find_program(name, path))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "there is no executable program '%s'", name);
}

// Whether `path` is `folder` or lies below it.
static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// Whether every engine can read a path anyway.
static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr",   "/bin",    "/sbin", "/lib",      "/lib32",
                                          "/lib64", "/libx32", "/opt",  "/nix/store"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (lies_in(path, folders[i]))
            return true;
    return false;
}

// Folders that are too broad to share: the root, shared temporary ones, the home folder and those above it.
static bool is_too_much(const char *folder)
{
    const char *home = getenv("HOME");
    return strcmp(folder, "/") == 0 || strcmp(folder, "/tmp") == 0 || strcmp(folder, "/var/tmp") == 0 ||
           strcmp(folder, "/root") == 0 || strcmp(folder, "/home") == 0 ||
           (home != NULL && home[0] == '/' && lies_in(home, folder));
}

// Lets an engine read a file (an absolute path) and the other files of its folder.
static void show_beside(Words *argv, const char *path)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", path);
    *(strrchr(folder, '/') == folder ? folder + 1 : strrchr(folder, '/')) = '\0';
    if (is_system(path))
        return;
    const char *shown = is_too_much(folder) ? path : folder;
    // --dir first, since bubblewrap would create parents of a mount for their owner only.
    words_add_list(argv, (const char *const[]){"--dir", folder, "--ro-bind", shown, shown, NULL});
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

// Lets an engine read a folder (an absolute path) that its command names, and nothing beside it.
static void show_folder(Words *argv, const char *path)
{
    if (!is_system(path) && !is_too_much(path))
        words_add_list(argv, (const char *const[]){"--dir", path, "--ro-bind", path, path, NULL});
}

// Shares a file and its link target, or a folder.
static void show_file(Words *argv, const char *path)
{
    char real[PATH_MAX];
    if (is_folder(path)) {
        show_folder(argv, path);
        return;
    }
    show_beside(argv, path);
    if (realpath(path, real) != NULL && strcmp(real, path) != 0)
        show_beside(argv, real);
}

// Whether a word of the command names a file or folder, such as a script of an interpreter. Words without a dot or
// slash never do.
static bool names_file(const char *word, char path[PATH_MAX])
{
    return strpbrk(word, "./") != NULL && realpath(word, path) != NULL;
}

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

// The command, with absolute paths of its files, since the sandbox has another working folder.
static void add_command(Words *argv, const Words *command, const char *program)
{
    char path[PATH_MAX];
    words_add(argv, "%s", program);
    for (size_t i = 1; i < command->count; i++)
        words_add(argv, "%s", names_file(command->at[i], path) ? path : command->at[i]);
}

// Namespaces, users, files and environment.
static void add_options(Words *options, const Words *command, const char *program)
{
    static const char *const variables[][2] = {
        {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", "/run/krow"}, {"TMPDIR", "/tmp"}, {"LANG", "C.UTF-8"}};
    char path[PATH_MAX];
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
    show_file(options, program);
    for (size_t i = 1; i < command->count; i++)
        if (names_file(command->at[i], path))
            show_file(options, path);
    words_add_list(options, (const char *const[]){"--remount-ro", "/dev", "--remount-ro", "/", "--clearenv", NULL});
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        words_add_list(options, (const char *const[]){"--setenv", variables[i][0], variables[i][1], NULL});
    words_add_list(options, (const char *const[]){"--chdir", "/run/krow", NULL});
    if (sandbox_filter_is_available()) {
        words_add(options, "--seccomp");
        words_add(options, "%d", SPAWN_LAST);
    }
}

static Status wrap(const Words *command, const char *program, Sandboxed *sandboxed, Error *error)
{
    char bwrap[PATH_MAX];
    Words *argv = &sandboxed->argv;
    if (!find_program("bwrap", bwrap))
        return error_set(
            error, STATUS_FAILED,
            "cannot start the sandbox: bubblewrap (bwrap) is not installed; install it or use --no-sandbox");
    add_options(&sandboxed->options, command, program);
    words_add(argv, "%s", bwrap);
    words_add(argv, "--args");
    words_add(argv, "%d", SPAWN_PASSED);
    words_add(argv, "--");
    add_user_change(argv);
    // Inside, because the kernel then counts the processes of this user namespace or of this user alone.
    words_add(argv, "prlimit");
    unsigned most = sandboxed->limits.processes > 0 ? sandboxed->limits.processes : SANDBOX_PROCESSES;
    words_add(argv, "--nproc=%u:%u", most, most);
    words_add(argv, "--");
    // Its own output is the pipe that bubblewrap does not hold.
    words_add_list(argv, (const char *const[]){"sh", "-c", "exec \"$@\" >&3 3>&-", "sh", NULL});
    add_command(argv, command, program);
    return STATUS_OK;
}

Status sandbox_prepare(const Words *command, const SandboxLimits *limits, bool is_used, Sandboxed *sandboxed,
                       Error *error)
{
    char program[PATH_MAX];
    sandboxed->is_used = is_used;
    sandboxed->limits = *limits;
    Status status = find_or_say(command->at[0], program, error);
    if (status != STATUS_OK)
        return status;
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
