// Paths of user data by the XDG base directory specification.
#include "store/paths.h"

#include "base/file.h"

#include <stdlib.h>

// Folders of the specification: the variable that names one, and its default below the home folder.
static const struct {
    const char *variable, *below_home;
} folders[] = {
    [PATH_DATA] = {"XDG_DATA_HOME", ".local/share"},
    [PATH_DATA_TO_READ] = {"XDG_DATA_HOME", ".local/share"},
    [PATH_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    [PATH_STATE] = {"XDG_STATE_HOME", ".local/state"},
};

Status path_of(PathPlace place, const char *name, Text *path, Error *error)
{
    text_close(path);
    const char *folder = getenv(folders[place].variable), *home = getenv("HOME");
    // The specification requires that relative paths are ignored.
    if (folder != NULL && folder[0] == '/')
        text_add(path, "%s/krow", folder);
    else if (home != NULL && home[0] == '/')
        text_add(path, "%s/%s/krow", home, folders[place].below_home);
    else
        return error_set(error, STATUS_IO, "no folder for files: set %s or HOME", folders[place].variable);
    Status status = place != PATH_DATA_TO_READ ? file_make_private_folder(path->data, error) : STATUS_OK;
    text_add(path, "/%s", name);
    return status;
}
