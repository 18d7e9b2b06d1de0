// Makes, reads and removes control groups: folders and files of the file system cgroup2.
#include "base/process/cgroup.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double removal_seconds = 0.2; // for the processes of a group to end
static const char prefix[] = "krow-";

// --- Files of a group ---

static bool path_of(const char *folder, const char *name, char path[CGROUP_PATH_SIZE])
{
    int length = snprintf(path, CGROUP_PATH_SIZE, "%s/%s", folder, name);
    return length > 0 && length < CGROUP_PATH_SIZE;
}

static bool write_text(const char *folder, const char *name, const char *text)
{
    char path[CGROUP_PATH_SIZE];
    int fd = path_of(folder, name, path) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    bool is_done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        (void)close(fd);
    return is_done;
}

static bool write_number(const char *folder, const char *name, uint64_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64, number);
    return write_text(folder, name, text);
}

static void read_text(const char *folder, const char *name, char *text, size_t size)
{
    char path[CGROUP_PATH_SIZE];
    text[0] = '\0';
    int fd = path_of(folder, name, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got = fd >= 0 ? read(fd, text, size - 1) : 0;
    text[got > 0 ? got : 0] = '\0';
    if (fd >= 0)
        (void)close(fd);
}

// The number after a key in lines "key number"; 0 without the key.
static uint64_t number_of(const Cgroup *group, const char *name, const char *key)
{
    char text[4096];
    size_t length = strlen(key);
    read_text(group->path, name, text, sizeof text);
    for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, key, length) == 0 && at[length] == ' ')
            return strtoull(at + length, NULL, 10);
    }
    return 0;
}

// --- Where groups can be made ---

static struct {
    pthread_once_t once;
    char base[CGROUP_PATH_SIZE]; // "": nowhere
} found = {.once = PTHREAD_ONCE_INIT};

static bool has_word(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    char after = at != NULL ? at[strlen(word)] : 'x';
    return at != NULL && (at == text || at[-1] == ' ') && (after == ' ' || after == '\n' || after == '\0');
}

// Whether the groups in this folder get the controllers; switches them on where that is allowed. A group with processes
// of its own cannot have them, except for the root.
static bool has_controllers(const char *folder)
{
    char text[256];
    read_text(folder, "cgroup.subtree_control", text, sizeof text);
    if (!has_word(text, "memory") || !has_word(text, "pids")) {
        (void)write_text(folder, "cgroup.subtree_control", "+memory +pids");
        read_text(folder, "cgroup.subtree_control", text, sizeof text);
    }
    return has_word(text, "memory") && has_word(text, "pids");
}

static bool is_usable(const char *folder)
{
    return access(folder, W_OK) == 0 && has_controllers(folder);
}

// Where the file system is mounted: "NUMBER NUMBER 0:1 / /sys/fs/cgroup … - cgroup2 …".
static bool find_mount(char mount[CGROUP_PATH_SIZE])
{
    char line[4096], root[256];
    bool is_found = false;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL)
        is_found = strstr(line, " - cgroup2 ") != NULL && sscanf(line, "%*d %*d %*s %255s %511s", root, mount) == 2;
    if (file != NULL)
        (void)fclose(file);
    return is_found;
}

// The group of krow itself: "0::/path".
static bool find_own(const char *mount, char own[CGROUP_PATH_SIZE])
{
    char line[4096];
    bool is_found = false;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        int length = strncmp(line, "0::/", 4) == 0 ? snprintf(own, CGROUP_PATH_SIZE, "%s%s", mount, line + 3) : 0;
        is_found = length > 0 && length < CGROUP_PATH_SIZE;
    }
    if (file != NULL)
        (void)fclose(file);
    size_t length = is_found ? strlen(own) : 0;
    if (length > 1 && own[length - 1] == '/')
        own[length - 1] = '\0';
    return is_found;
}

// Removes groups that a killed krow has left: those with the number of a process that is gone.
static void remove_old(const char *base)
{
    DIR *folder = opendir(base);
    for (struct dirent *entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char path[CGROUP_PATH_SIZE];
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        long pid = strtol(entry->d_name + strlen(prefix), NULL, 10);
        if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH && path_of(base, entry->d_name, path))
            (void)rmdir(path); // fails while it has processes
    }
    if (folder != NULL)
        (void)closedir(folder);
}

static const char *chosen_folder(void)
{
    return getenv("KROW_CGROUP"); // NOLINT(concurrency-mt-unsafe): krow never changes its environment
}

static void find_base(void)
{
    char mount[CGROUP_PATH_SIZE] = "", own[CGROUP_PATH_SIZE] = "";
    const char *chosen = chosen_folder();
    if (chosen != NULL && chosen[0] != '\0') {
        if (strlen(chosen) < sizeof found.base && chosen[0] == '/' && is_usable(chosen))
            (void)snprintf(found.base, sizeof found.base, "%s", chosen);
    } else if (find_mount(mount) && find_own(mount, own)) {
        bool is_usable_here = is_usable(own);
        if (!is_usable_here && strlen(own) > strlen(mount)) {
            *strrchr(own, '/') = '\0';
            is_usable_here = is_usable(own);
        }
        if (is_usable_here)
            (void)snprintf(found.base, sizeof found.base, "%s", own);
    }
    if (found.base[0] != '\0')
        remove_old(found.base);
}

// --- A group ---

static bool set_limits(const Cgroup *group, uint64_t memory, unsigned tasks)
{
    // Without swap the limit is that of the whole; all processes end together. Not every kernel has these two files.
    (void)write_number(group->path, "memory.swap.max", 0);
    (void)write_number(group->path, "memory.oom.group", 1);
    return (memory == 0 || write_number(group->path, "memory.max", memory)) &&
           (tasks == 0 || write_number(group->path, "pids.max", tasks));
}

bool cgroup_open(Cgroup *group, uint64_t memory, unsigned tasks)
{
    static atomic_uint made;
    char name[64], path[CGROUP_PATH_SIZE];
    const char *chosen = chosen_folder();
    (void)pthread_once(&found.once, find_base);
    *group = (Cgroup){0};
    (void)snprintf(name, sizeof name, "%s%d-%u", prefix, (int)getpid(), atomic_fetch_add(&made, 1));
    bool is_off = found.base[0] == '\0' || (chosen != NULL && strcmp(chosen, "none") == 0);
    if (is_off || !path_of(found.base, name, group->path) || mkdir(group->path, 0755) != 0) {
        *group = (Cgroup){0};
        return false;
    }
    group->procs = path_of(group->path, "cgroup.procs", path) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (group->procs >= 0 && set_limits(group, memory, tasks))
        return true;
    cgroup_close(group);
    return false;
}

bool cgroup_is_used(const Cgroup *group)
{
    return number_of(group, "cgroup.events", "populated") == 1;
}

double cgroup_cpu(const Cgroup *group)
{
    return (double)number_of(group, "cpu.stat", "usage_usec") * 1e-6;
}

CgroupEvent cgroup_event(const Cgroup *group)
{
    if (number_of(group, "memory.events", "oom_kill") > 0)
        return CGROUP_MEMORY;
    return number_of(group, "pids.events", "max") > 0 ? CGROUP_TASKS : CGROUP_NOTHING;
}

void cgroup_close(Cgroup *group)
{
    if (group->path[0] == '\0')
        return;
    if (group->procs >= 0)
        (void)close(group->procs);
    (void)write_text(group->path, "cgroup.kill", "1");
    double end = clock_seconds() + removal_seconds;
    while (rmdir(group->path) != 0 && errno == EBUSY && clock_seconds() < end)
        clock_sleep(0.001);
    *group = (Cgroup){0};
}
