#include "store/paths.h"

#include "base/file.h"

#include <stdlib.h>

static Status path_in(const char *variable, const char *below_home, const char *name, Text *path, Error *error)
{
    text_close(path);
    const char *folder = getenv(variable), *home = getenv("HOME");
    // The specification says that relative paths in these variables are to be ignored.
    if (folder != NULL && folder[0] == '/')
        text_add(path, "%s/krow", folder);
    else if (home != NULL && home[0] == '/')
        text_add(path, "%s/%s/krow", home, below_home);
    else
        return error_set(error, STATUS_IO, "neither %s nor HOME says where files may be kept", variable);
    if (path->failed)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a path");
    Status status = file_make_folder(path->data, error);
    text_add(path, "/%s", name);
    return status;
}

Status path_of_data(const char *name, Text *path, Error *error)
{
    return path_in("XDG_DATA_HOME", ".local/share", name, path, error);
}

Status path_of_state(const char *name, Text *path, Error *error)
{
    return path_in("XDG_STATE_HOME", ".local/state", name, path, error);
}
