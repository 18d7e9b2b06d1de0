// Reads the family of a process from /proc.
#include "base/process/family.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Adds the children that the main thread of process number `which` has started; false if they cannot be read. A process
// with more threads ends the search anyway.
static bool add_children(Family *family, unsigned which)
{
    char path[64], list[256];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)family->pids[which], (int)family->pids[which]);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, list, sizeof list - 1);
    (void)close(fd);
    if (length < 0 || (size_t)length == sizeof list - 1)
        return false;
    list[length] = '\0';
    for (char *at = list, *after = NULL;; at = after) {
        long pid = strtol(at, &after, 10);
        if (after == at)
            return true;
        if (family->count == FAMILY_MAX)
            return false;
        family->pids[family->count++] = (pid_t)pid;
    }
}

// An open folder is asked for its links in half the time of a path, and never means another process.
static bool open_threads(Family *family, unsigned which)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)family->pids[which]);
    family->threads[which] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return family->threads[which] >= 0;
}

void family_find(Family *family, pid_t pid)
{
    *family = (Family){.count = 1, .pids = {pid}};
    for (unsigned i = 0; i < FAMILY_MAX; i++)
        family->threads[i] = -1;
    for (unsigned i = 0; i < family->count; i++)
        if (!open_threads(family, i) || !add_children(family, i)) {
            family_close(family);
            return;
        }
}

void family_close(Family *family)
{
    for (unsigned i = 0; i < family->count; i++)
        if (family->threads[i] >= 0)
            (void)close(family->threads[i]);
    *family = (Family){0};
}

// The folder of a process's threads has a link for each of them, besides the usual two.
static bool has_one_thread(int threads)
{
    struct stat info;
    return fstat(threads, &info) == 0 && info.st_nlink == 3;
}

bool family_is_single_threaded(const Family *family)
{
    for (unsigned i = 0; i < family->count; i++)
        if (!has_one_thread(family->threads[i]))
            return false;
    return family->count > 0;
}
