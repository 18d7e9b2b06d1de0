// A program that tries what the sandbox forbids, and prints the names of what worked: sandbox_probe calls, or
// sandbox_probe shows WORD, which looks for a text in what /proc and the environment show.
//
// Without the filter of system calls each of these calls works, or fails with another error: its arguments are wrong.
#include <dirent.h>
#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

// --- System calls ---

static void expect(const char *name, long result, int failure)
{
    if (result != -1)
        (void)fprintf(stderr, " %s=works", name);
    else if (errno != failure)
        (void)fprintf(stderr, " %s=%d", name, errno);
}

static void try_memory_and_files(void)
{
    expect("memfd_create", syscall(SYS_memfd_create, "x", 0), EPERM);
    expect("shmget", syscall(SYS_shmget, 0, 4096, 0600), EPERM);
    expect("userfaultfd", syscall(SYS_userfaultfd, ~0), EPERM);
    expect("io_uring_setup", syscall(SYS_io_uring_setup, 0, NULL), EPERM);
    expect("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, NULL, 0), EPERM);
    expect("fanotify_init", syscall(SYS_fanotify_init, ~0, 0), EPERM);
    expect("vmsplice", syscall(SYS_vmsplice, -1, NULL, 0, 0), EPERM);
}

static void try_the_kernel(void)
{
    expect("bpf", syscall(SYS_bpf, -1, NULL, 0), EPERM);
    expect("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0), EPERM);
    expect("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1), EPERM);
    expect("add_key", syscall(SYS_add_key, "user", NULL, NULL, 0, 0), EPERM);
    expect("netlink", socket(AF_NETLINK, SOCK_RAW, 0), ENOSYS);
    expect("no such call", syscall(1000), ENOSYS);
}

static void try_other_processes(void)
{
    expect("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL), EPERM);
    expect("process_vm_readv", syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0), EPERM);
    expect("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 1, 0, 0), EPERM);
    expect("pidfd_getfd", syscall(SYS_pidfd_getfd, -1, 0, 0), EPERM);
}

// In processes of their own, since what follows would be elsewhere.
static void try_namespace(const char *name, int flag)
{
    pid_t pid = fork();
    if (pid == 0) {
        expect(name, syscall(SYS_unshare, flag), EPERM);
        _exit(0);
    }
    (void)waitpid(pid, NULL, 0);
    long child = syscall(SYS_clone, (unsigned long)(flag | SIGCHLD), NULL, NULL, NULL, 0);
    if (child == 0)
        _exit(0);
    expect(name, child, EPERM);
}

static void try_namespaces(void)
{
    try_namespace("CLONE_NEWUSER", CLONE_NEWUSER);
    try_namespace("CLONE_NEWUSER|CLONE_NEWNS", CLONE_NEWUSER | CLONE_NEWNS);
    expect("clone3", syscall(SYS_clone3, NULL, 0), ENOSYS);
    expect("setns", syscall(SYS_setns, -1, 0), EPERM);
    expect("open_tree", syscall(SYS_open_tree, -1, "", 0), EPERM);
}

// The calls of programs for 32 bits are filtered, too, and those of the ABI x32.
static void try_architectures(void)
{
#ifdef __x86_64__
    enum { GETPID_32 = 20, PTRACE_32 = 26, X32 = 0x40000000 };
    long result = 0;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(GETPID_32) : "memory", "r8", "r9", "r10", "r11");
    if (result == getpid()) { // this kernel has them
        __asm__ volatile("int $0x80"
                         : "=a"(result)
                         : "a"(PTRACE_32), "b"(PTRACE_TRACEME), "c"(0), "d"(0), "S"(0)
                         : "memory", "r8", "r9", "r10", "r11");
        errno = (int)-result;
        expect("ptrace of 32 bits", result < 0 ? -1 : result, EPERM);
    }
    expect("x32", syscall(X32 + SYS_getpid), ENOSYS);
#endif
}

// The first process of the sandbox is under the filter as well.
static void look_at_filters(void)
{
    static const char *const paths[] = {"/proc/self/status", "/proc/1/status"};
    for (int i = 0; i < 2; i++) {
        char line[256];
        bool has_filter = false, gains_nothing = false;
        FILE *file = fopen(paths[i], "re");
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            has_filter = has_filter || strcmp(line, "Seccomp:\t2\n") == 0;
            gains_nothing = gains_nothing || strcmp(line, "NoNewPrivs:\t1\n") == 0;
        }
        if (file == NULL || fclose(file) != 0 || !has_filter || !gains_nothing)
            (void)fprintf(stderr, " %s=unfiltered", paths[i]);
    }
}

// --- What is shown ---

static void look_in(const char *path, const char *word)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
    text[length] = '\0';
    if (strstr(text, word) != NULL)
        (void)fprintf(stderr, " %s", path);
}

static void reverse(char *word)
{
    for (size_t i = 0, length = strlen(word); i < length / 2; i++) {
        char c = word[i];
        word[i] = word[length - 1 - i];
        word[length - 1 - i] = c;
    }
}

// A reversed word, so that the arguments of this program do not contain it.
static void look_for(const char *reversed)
{
    char word[4096];
    (void)snprintf(word, sizeof word, "%s", reversed);
    static const char *const files[] = {"cmdline", "environ", "mounts", "cgroup"};
    char path[300];
    reverse(word);
    DIR *proc = opendir("/proc");
    for (struct dirent *entry = NULL; proc != NULL && (entry = readdir(proc)) != NULL;)
        for (size_t i = 0; i < sizeof files / sizeof files[0] && strtol(entry->d_name, NULL, 10) > 0; i++) {
            (void)snprintf(path, sizeof path, "/proc/%s/%s", entry->d_name, files[i]);
            look_in(path, word);
        }
    if (proc != NULL)
        (void)closedir(proc);
    struct utsname system;
    if (uname(&system) == 0 && strcmp(system.nodename, "sandbox") != 0)
        (void)fprintf(stderr, " host name");
    for (char **variable = environ; *variable != NULL; variable++)
        if (strstr(*variable, word) != NULL)
            (void)fprintf(stderr, " environment");
}

int main(int argc, char **argv)
{
    (void)fprintf(stderr, "worked:");
    if (argc > 2 && strcmp(argv[1], "shows") == 0) {
        look_for(argv[2]);
    } else {
        try_memory_and_files();
        try_the_kernel();
        try_other_processes();
        try_namespaces();
        try_architectures();
        look_at_filters();
    }
    (void)fprintf(stderr, " end\n");
    return 1;
}
