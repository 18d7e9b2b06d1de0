// Starting a child process with limits.
#include "base/process/spawn.h"

#include "base/process/background.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// --- The child, between fork and exec: only calls that are safe after a fork among threads ---

// Both ends of the four pipes; `failure` returns errno if the program cannot be started.
typedef struct {
    int in[2], out[2], errs[2], failure[2];
} Pipes;

static void set_limits(const SpawnLimits *limits)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (limits->memory > 0)
        (void)setrlimit(RLIMIT_AS, &(struct rlimit){limits->memory, limits->memory});
    if (limits->file_size > 0)
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){limits->file_size, limits->file_size});
}

// Ignored and blocked signals would survive exec.
static void reset_signals(void)
{
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// Passes the files of a sandbox on. Returns the last descriptor that the program gets, or -1. The first ones have
// higher numbers than those that are overwritten.
static int pass_files(const SpawnSpec *spec)
{
    int files[2], last = SPAWN_OUTPUT;
    for (int i = 0; i < 2; i++) {
        files[i] = spec->passed[i] > 0 ? fcntl(spec->passed[i], F_DUPFD_CLOEXEC, SPAWN_LAST + 1) : 0;
        if (files[i] < 0)
            return -1;
    }
    for (int i = 0; i < 2; i++)
        if (files[i] > 0 && (last = dup2(files[i], SPAWN_PASSED + i)) < 0)
            return -1;
    return last;
}

// Executes the program, or returns with errno set.
static void become(const SpawnSpec *spec, const Pipes *pipes, pid_t parent)
{
    (void)setsid();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        return; // the parent ended before the call above
    reset_signals();
    ssize_t put = spec->group > 0 ? write(spec->group, "0", 1) : 0; // guard.c finds out whether it has worked
    (void)put;
    int last = spec->is_sandboxed ? pass_files(spec) : STDERR_FILENO;
    if (last < 0 || dup2(pipes->in[0], STDIN_FILENO) < 0 ||
        dup2(pipes->out[1], spec->is_sandboxed ? SPAWN_OUTPUT : STDOUT_FILENO) < 0 ||
        dup2(pipes->errs[1], STDERR_FILENO) < 0 || (spec->is_sandboxed && dup2(STDERR_FILENO, STDOUT_FILENO) < 0))
        return;
    // Closes descriptors that were opened without close-on-exec elsewhere.
    (void)close_range((unsigned)last + 1, ~0u, CLOSE_RANGE_CLOEXEC);
    set_limits(&spec->limits);
    (void)execve(spec->argv[0], spec->argv, spec->environment != NULL ? spec->environment : environ);
}

static void run_child(const SpawnSpec *spec, const Pipes *pipes, pid_t parent)
{
    become(spec, pipes, parent);
    int reason = errno;
    ssize_t put = write(pipes->failure[1], &reason, sizeof reason);
    (void)put;
    _exit(127); // this process is not krow: it has no caller to return to
}

// --- The parent ---

static void close_one(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static void close_pipes(Pipes *pipes)
{
    int *ends[] = {pipes->in, pipes->out, pipes->errs, pipes->failure};
    for (int i = 0; i < 4; i++) {
        close_one(&ends[i][0]);
        close_one(&ends[i][1]);
    }
}

// Opens a pipe whose descriptors do not collide with those that dup2 overwrites in the child.
static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (ends[i] <= SPAWN_LAST) {
            int low = ends[i];
            ends[i] = fcntl(low, F_DUPFD_CLOEXEC, SPAWN_LAST + 1);
            (void)close(low);
        }
    return ends[0] >= 0 && ends[1] >= 0;
}

static bool open_pipes(Pipes *pipes)
{
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    return open_pipe(pipes->in) && open_pipe(pipes->out) && open_pipe(pipes->errs) && open_pipe(pipes->failure);
}

static int take(int *fd)
{
    int taken = *fd;
    *fd = -1;
    (void)fcntl(taken, F_SETFL, O_NONBLOCK);
    return taken;
}

// The errno that the child reported; 0 if exec closed the pipe.
static int failure_of(int fd)
{
    int reason = 0;
    ssize_t got = 0;
    do
        got = read(fd, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof reason ? reason : 0;
}

static void reap(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

// Forks and waits until the program runs. Returns errno, or 0.
static int start(const SpawnSpec *spec, Pipes *pipes, Spawned *spawned)
{
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0)
        run_child(spec, pipes, parent);
    close_one(&pipes->failure[1]);
    int reason = failure_of(pipes->failure[0]);
    int pidfd = reason == 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    if (reason == 0 && pidfd < 0)
        reason = errno;
    if (reason != 0) {
        (void)kill(-pid, SIGKILL);
        reap(pid);
        return reason;
    }
    *spawned = (Spawned){pid, pidfd, take(&pipes->in[1]), take(&pipes->out[0]), take(&pipes->errs[0])};
    return 0;
}

// --- The thread that makes all children ---

typedef struct Request {
    const SpawnSpec *spec;
    Pipes *pipes;
    Spawned *spawned;
    int reason;
    bool done;
    struct Request *next;
} Request;

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    pthread_cond_t asked, answered;
    Request *first; // requests not yet served
    int reason;     // errno if the thread could not be created
} maker = {.once = PTHREAD_ONCE_INIT,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .asked = PTHREAD_COND_INITIALIZER,
           .answered = PTHREAD_COND_INITIALIZER};

static void *make_children(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&maker.lock);
    for (;;) {
        while (maker.first == NULL)
            (void)pthread_cond_wait(&maker.asked, &maker.lock);
        Request *request = maker.first;
        maker.first = request->next;
        (void)pthread_mutex_unlock(&maker.lock);
        request->reason = start(request->spec, request->pipes, request->spawned);
        (void)pthread_mutex_lock(&maker.lock);
        request->done = true;
        (void)pthread_cond_broadcast(&maker.answered);
    }
    return NULL;
}

static void begin_making(void)
{
    maker.reason = background_start(make_children);
}

static int ask(Request *request)
{
    (void)pthread_once(&maker.once, begin_making);
    if (maker.reason != 0)
        return maker.reason;
    (void)pthread_mutex_lock(&maker.lock);
    request->next = maker.first;
    maker.first = request;
    (void)pthread_cond_signal(&maker.asked);
    while (!request->done)
        (void)pthread_cond_wait(&maker.answered, &maker.lock);
    (void)pthread_mutex_unlock(&maker.lock);
    return request->reason;
}

Status spawn(const SpawnSpec *spec, Spawned *spawned, Error *error)
{
    *spawned = (Spawned){-1, -1, -1, -1, -1};
    Pipes pipes;
    int reason = open_pipes(&pipes) ? 0 : errno;
    Request request = {.spec = spec, .pipes = &pipes, .spawned = spawned};
    if (reason == 0)
        reason = ask(&request);
    close_pipes(&pipes);
    if (reason != 0)
        return error_set(error, STATUS_IO, "cannot start '%s': %s", spec->argv[0], strerror(reason));
    return STATUS_OK;
}
