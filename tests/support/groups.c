#include "support/groups.h"

#include "base/clock.h"
#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

// "PID (NAME) STATE PARENT GROUP …"
static bool lives_in(const char *pid, pid_t group)
{
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    char line[512] = "";
    if (file == NULL)
        return false;
    const char *got = fgets(line, sizeof line, file);
    (void)fclose(file);
    const char *name_end = got != NULL ? strrchr(line, ')') : NULL;
    if (name_end == NULL || name_end[1] != ' ')
        return false;
    Span rest = span_of(name_end + 1), word[3] = {{0}};
    int64_t number = 0;
    for (int i = 0; i < 3; i++)
        if (!span_next_word(&rest, " ", &word[i]))
            return false;
    return span_to_int(word[2], 0, INT32_MAX, &number) && number == group && !span_is(word[0], "Z") &&
           !span_is(word[0], "X");
}

static bool any_lives(pid_t group)
{
    DIR *folder = opendir("/proc");
    bool found = false;
    for (const struct dirent *entry = NULL; folder != NULL && !found && (entry = readdir(folder)) != NULL;)
        found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && lives_in(entry->d_name, group);
    if (folder != NULL)
        (void)closedir(folder);
    return found;
}

bool group_is_gone(pid_t group)
{
    for (double end = clock_seconds() + 20; clock_seconds() < end; clock_sleep(0.005))
        if (!any_lives(group))
            return true;
    return false;
}

int open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        (void)closedir(folder);
    return count;
}
