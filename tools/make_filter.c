// Writes the filter of system calls for engines in the sandbox as C source, at build time: krow itself does not need
// libseccomp. docs/external-engines.md gives the reasons of the lists.
//
// Calls that a program may try on purpose, and that no engine needs, fail with EPERM. All others that are not listed,
// also those of later kernels, fail with ENOSYS as on an older kernel: programs then use what they have used before.
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <unistd.h>

// --- The lists, separated by blanks; calls that this architecture does not have are passed over ---

static const char *const allowed[] = {
    // memory
    "brk mmap mmap2 mprotect mremap munmap madvise mincore msync mlock mlock2 mlockall munlock munlockall membarrier "
    "pkey_alloc pkey_free pkey_mprotect remap_file_pages cacheflush",
    // open files
    "read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek _llseek close close_range dup dup2 "
    "dup3 fcntl fcntl64 flock fsync fdatasync sync_file_range fallocate ftruncate ftruncate64 fadvise64 fadvise64_64 "
    "arm_fadvise64_64 readahead sendfile sendfile64 copy_file_range pipe pipe2",
    // files and folders
    "open openat openat2 creat access faccessat faccessat2 stat stat64 lstat lstat64 fstat fstat64 fstatat64 "
    "newfstatat "
    "statx oldstat oldlstat oldfstat statfs statfs64 fstatfs fstatfs64 getdents getdents64 readdir readlink readlinkat "
    "getcwd chdir fchdir mkdir mkdirat rmdir rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat "
    "mknod mknodat truncate truncate64 chmod fchmod fchmodat chown chown32 fchown fchown32 fchownat lchown lchown32 "
    "umask utime utimes utimensat utimensat_time64 futimesat getxattr lgetxattr fgetxattr listxattr llistxattr "
    "flistxattr sync syncfs",
    // waiting
    "poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 epoll_create epoll_create1 epoll_ctl "
    "epoll_ctl_old epoll_wait epoll_wait_old epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd signalfd4 "
    "inotify_init inotify_init1 inotify_add_watch inotify_rm_watch futex futex_time64 futex_waitv nanosleep "
    "clock_nanosleep clock_nanosleep_time64 pause restart_syscall",
    // time
    "time gettimeofday clock_gettime clock_gettime64 clock_getres clock_getres_time64 times alarm getitimer setitimer "
    "timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime timer_settime64 "
    "timerfd_create timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64",
    // signals
    "kill tkill tgkill rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend "
    "rt_sigtimedwait rt_sigtimedwait_time64 rt_tgsigqueueinfo sigaction sigpending sigprocmask sigreturn sigsuspend "
    "sigaltstack signal pidfd_open pidfd_send_signal",
    // processes and threads; clone without new namespaces follows below
    "fork vfork execve execveat exit exit_group wait4 waitid waitpid getpid getppid gettid getpgid getpgrp setpgid "
    "getsid setsid set_tid_address set_robust_list get_robust_list set_thread_area get_thread_area set_tls arch_prctl "
    "prctl rseq sched_yield sched_getaffinity sched_setaffinity sched_getattr sched_getparam sched_getscheduler "
    "sched_setscheduler sched_setparam sched_setattr sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval sched_rr_get_interval_time64 getpriority setpriority nice ioprio_get getrlimit ugetrlimit "
    "setrlimit prlimit64 getrusage getcpu",
    // users; without privileges these change nothing
    "getuid getuid32 geteuid geteuid32 getgid getgid32 getegid getegid32 getgroups getgroups32 getresuid getresuid32 "
    "getresgid getresgid32 setuid setuid32 setgid setgid32 setgroups setgroups32 setresuid setresuid32 setresgid "
    "setresgid32 setreuid setreuid32 setregid setregid32 setfsuid setfsuid32 setfsgid setfsgid32 capget capset",
    // sockets; those of some families follow below
    "bind connect listen accept accept4 getsockname getpeername getsockopt setsockopt send sendto sendmsg sendmmsg "
    "recv recvfrom recvmsg recvmmsg recvmmsg_time64 shutdown",
    // the system; no terminal is open, and none can be opened, so that ioctl cannot reach one
    "uname sysinfo getrandom ioctl",
};

static const char *const forbidden[] = {
    // namespaces and mounts
    "unshare setns mount umount umount2 pivot_root chroot fsopen fsconfig fsmount fspick move_mount open_tree "
    "mount_setattr",
    // other processes
    "ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp",
    // large parts of the kernel with a history of holes
    "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register add_key request_key keyctl "
    "modify_ldt vm86 vm86old vmsplice",
    // memory that no process shows: limits that are watched would miss it
    "memfd_create memfd_secret shmget shmat shmctl shmdt",
    // files by number, past their folders; watching all files
    "open_by_handle_at name_to_handle_at fanotify_init fanotify_mark",
    // the system
    "init_module finit_module delete_module create_module kexec_load kexec_file_load reboot swapon swapoff acct "
    "quotactl quotactl_fd settimeofday stime clock_settime clock_settime64 adjtimex clock_adjtime clock_adjtime64 "
    "sethostname setdomainname iopl ioperm vhangup syslog lookup_dcookie uselib _sysctl",
};

// --- Rules ---

// `failure` 0 allows a call.
static int add_names(scmp_filter_ctx filter, const char *names, int failure)
{
    uint32_t action = failure == 0 ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO((uint32_t)failure);
    int result = 0;
    for (const char *at = names; *at != '\0' && result == 0; at += strspn(at, " ")) {
        char name[32] = "";
        size_t length = strcspn(at, " ");
        memcpy(name, at, length < sizeof name ? length : sizeof name - 1);
        at += length;
        int number = seccomp_syscall_resolve_name(name);
        if (number != __NR_SCMP_ERROR) // unknown to this version of libseccomp
            result = seccomp_rule_add(filter, action, number, 0);
    }
    return result;
}

// clone() may make threads and processes, but no namespaces. clone3 has its flags in memory, where no filter sees them:
// it fails with ENOSYS, and libraries use clone instead.
static int add_clone(scmp_filter_ctx filter)
{
    static const unsigned namespaces[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                          CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
    enum { COUNT = sizeof namespaces / sizeof namespaces[0] };
#ifdef __s390__
    enum { FLAGS = 1 };
#else
    enum { FLAGS = 0 };
#endif
    uint64_t all = 0;
    int result = 0;
    for (unsigned i = 0; i < COUNT && result == 0; i++) {
        all |= namespaces[i];
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                  SCMP_CMP(FLAGS, SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i]));
    }
    if (result == 0)
        result =
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_CMP(FLAGS, SCMP_CMP_MASKED_EQ, all, 0));
    return result;
}

// Other families reach parts of the kernel that no engine needs; the network itself is an empty namespace.
static int add_sockets(scmp_filter_ctx filter)
{
    static const int families[] = {AF_UNIX, AF_INET, AF_INET6};
    int result = 0;
    for (unsigned i = 0; i < sizeof families / sizeof families[0] && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
                                  SCMP_CMP(0, SCMP_CMP_EQ, (scmp_datum_t)families[i], 0));
    if (result == 0)
        result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 1,
                                  SCMP_CMP(0, SCMP_CMP_EQ, (scmp_datum_t)AF_UNIX, 0));
    return result;
}

// The usual personalities, and the question which one it is.
static int add_personality(scmp_filter_ctx filter)
{
    static const uint64_t kinds[] = {PER_LINUX, PER_LINUX32, ADDR_NO_RANDOMIZE, PER_LINUX32 | ADDR_NO_RANDOMIZE,
                                     0xffffffff};
    int result = 0;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0] && result == 0; i++)
        result =
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(personality), 1, SCMP_CMP(0, SCMP_CMP_EQ, kinds[i], 0));
    return result;
}

// Programs for 32 bits run, too.
static int add_architectures(scmp_filter_ctx filter)
{
    int result = 0;
    if (seccomp_arch_native() == SCMP_ARCH_X86_64)
        result = seccomp_arch_add(filter, SCMP_ARCH_X86);
    else if (seccomp_arch_native() == SCMP_ARCH_AARCH64)
        result = seccomp_arch_add(filter, SCMP_ARCH_ARM);
    return result == -EEXIST ? 0 : result;
}

static int add_rules(scmp_filter_ctx filter)
{
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); // a binary tree instead of a chain
    if (result == 0)
        result = add_architectures(filter);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0] && result == 0; i++)
        result = add_names(filter, allowed[i], 0);
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0] && result == 0; i++)
        result = add_names(filter, forbidden[i], EPERM);
    int (*const parts[])(scmp_filter_ctx) = {add_clone, add_sockets, add_personality};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && result == 0; i++)
        result = parts[i](filter);
    return result;
}

// --- The program ---

enum { PROGRAM_MAX = 4096 * 8 }; // bytes: the longest filter that the kernel accepts

// The length of the program, or 0. libseccomp writes to a file only.
static size_t compile(unsigned char bytes[PROGRAM_MAX])
{
    int file = memfd_create("filter", MFD_CLOEXEC);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    bool is_done = file >= 0 && filter != NULL && add_rules(filter) == 0 && seccomp_export_bpf(filter, file) == 0;
    ssize_t length = is_done ? pread(file, bytes, PROGRAM_MAX, 0) : 0;
    seccomp_release(filter);
    if (file >= 0)
        (void)close(file);
    return length > 0 ? (size_t)length : 0;
}

int main(void)
{
    static unsigned char bytes[PROGRAM_MAX];
    size_t length = compile(bytes);
    if (length == 0) {
        (void)fprintf(stderr, "make_filter: libseccomp cannot build the filter\n");
        return 1;
    }
    (void)printf("// Made by tools/make_filter.c.\n#include \"external/sandbox_filter.h\"\n\n"
                 "const size_t sandbox_filter_size = %zu;\nconst unsigned char sandbox_filter_bytes[] = {",
                 length);
    for (size_t i = 0; i < length; i++)
        (void)printf("%s%u,", i % 32 == 0 ? "\n" : "", bytes[i]);
    (void)printf("\n};\n");
    return fflush(stdout) == 0 ? 0 : 1;
}
