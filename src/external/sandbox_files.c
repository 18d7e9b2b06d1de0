// Finds the files of a command and shows them to the engine.
#include "external/sandbox_files.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Files of the host ---

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

bool sandbox_find_program(const char *name, char path[PATH_MAX])
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

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
    (void)snprintf(folder, PATH_MAX, "%s", path);
    *(strrchr(folder, '/') == folder ? folder + 1 : strrchr(folder, '/')) = '\0';
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

// --- Places inside ---

// The number of a folder or file that is shown; a new one if `host` is shown for the first time.
static size_t number_of(SandboxPlaces *places, const char *host, bool *is_new)
{
    size_t i = 0;
    while (i < places->hosts.count && strcmp(places->hosts.at[i], host) != 0)
        i++;
    *is_new = i == places->hosts.count;
    if (*is_new)
        words_add(&places->hosts, "%s", host);
    return i + 1;
}

// Makes the folder for a folder or file of the host, the first time. bubblewrap would create it for its owner only.
static bool make_folder(SandboxPlaces *places, const char *host, const char *folder, char inside[PATH_MAX])
{
    bool is_new = false;
    size_t number = number_of(places, host, &is_new);
    if (places->keeps_paths)
        (void)snprintf(inside, PATH_MAX, "%s", folder);
    else
        (void)snprintf(inside, PATH_MAX, "/engine/%zu", number);
    if (is_new && !places->keeps_paths)
        words_add_list(places->options, (const char *const[]){"--dir", "/engine", NULL});
    if (is_new)
        words_add_list(places->options, (const char *const[]){"--dir", inside, NULL});
    return is_new;
}

static void show_folder(SandboxPlaces *places, const char *path, char inside[PATH_MAX])
{
    if (make_folder(places, path, path, inside))
        words_add_list(places->options, (const char *const[]){"--ro-bind", path, inside, NULL});
}

// Shows a file and the other files of its folder; of a folder that is too broad only the file.
static void show_file(SandboxPlaces *places, const char *path, char inside[PATH_MAX])
{
    char folder[PATH_MAX], place[PATH_MAX];
    folder_of(path, folder);
    bool is_alone = is_too_much(folder);
    bool is_new = false;
    if (is_alone)
        is_new = make_folder(places, path, folder, place);
    else
        show_folder(places, folder, place);
    (void)join(inside, span_of(place), name_of(path));
    if (is_new)
        words_add_list(places->options, (const char *const[]){"--ro-bind", path, inside, NULL});
}

static void show(SandboxPlaces *places, const char *path, char inside[PATH_MAX])
{
    if (is_system(path))
        (void)snprintf(inside, PATH_MAX, "%s", path);
    else if (is_folder(path))
        show_folder(places, path, inside);
    else
        show_file(places, path, inside);
}

// Whether the target of a link is where the link says, also inside.
static bool is_whole(const char *path, const char *real)
{
    char folder[PATH_MAX], target[PATH_MAX];
    folder_of(path, folder);
    folder_of(real, target);
    return strcmp(path, real) == 0 || is_system(real) || (strcmp(folder, target) == 0 && !is_too_much(folder));
}

void sandbox_show_program(SandboxPlaces *places, const char *path, char inside[PATH_MAX])
{
    char real[PATH_MAX], target[PATH_MAX], place[PATH_MAX], alone[PATH_MAX + 8];
    bool is_elsewhere = realpath(path, real) != NULL && !is_whole(path, real);
    if (is_elsewhere)
        show(places, real, target);
    if (!is_elsewhere || places->keeps_paths) {
        show(places, path, inside);
        return;
    }
    // A link of the same name in a folder of its own, because the one of the host leads nowhere.
    (void)snprintf(alone, sizeof alone, "link to %s", path);
    (void)make_folder(places, alone, "", place);
    (void)join(inside, span_of(place), name_of(path));
    words_add_list(places->options, (const char *const[]){"--symlink", target, inside, NULL});
}

// Words without a dot or slash never name a file.
void sandbox_show_word(SandboxPlaces *places, const char *word, char inside[PATH_MAX])
{
    char path[PATH_MAX];
    bool names_file = strpbrk(word, "./") != NULL && realpath(word, path) != NULL;
    if (names_file && !(is_folder(path) && is_too_much(path)))
        show(places, path, inside);
    else
        (void)snprintf(inside, PATH_MAX, "%s", word);
}
