// Paths of user data by the XDG base directory specification.
#include "store/paths.h"

#include "base/file.h"

#include <stdlib.h>

// A folder of the specification: the variable that names it, and its default below the home folder.
typedef struct {
    const char *variable, *below_home;
} BaseFolder;

static const BaseFolder data_folder = {"XDG_DATA_HOME", ".local/share"};
static const BaseFolder state_folder = {"XDG_STATE_HOME", ".local/state"};

static Status path_in(const BaseFolder *base, const char *name, bool makes, Text *path, Error *error)
{
    text_close(path);
    const char *folder = getenv(base->variable), *home = getenv("HOME");
    // The specification says that relative paths in these variables are to be ignored.
    if (folder != NULL && folder[0] == '/')
        text_add(path, "%s/krow", folder);
    else if (home != NULL && home[0] == '/')
        text_add(path, "%s/%s/krow", home, base->below_home);
    else
        return error_set(error, STATUS_IO, "neither %s nor HOME names a folder for files", base->variable);
    Status status = makes ? file_make_folder(path->data, error) : STATUS_OK;
    text_add(path, "/%s", name);
    return status;
}

Status path_of_data(const char *name, Text *path, Error *error)
{
    return path_in(&data_folder, name, true, path, error);
}

Status path_of_data_to_read(const char *name, Text *path, Error *error)
{
    return path_in(&data_folder, name, false, path, error);
}

Status path_of_state(const char *name, Text *path, Error *error)
{
    return path_in(&state_folder, name, true, path, error);
}
