#include "store/paths.h"

#include "base/file.h"

#include <stdlib.h>

typedef enum { FOLDER_MADE, FOLDER_AS_IT_IS } Folder;

static Status path_in(const char *variable, const char *below_home, const char *name, Folder made, Text *path,
                      Error *error)
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
    Status status = made == FOLDER_MADE ? file_make_folder(path->data, error) : STATUS_OK;
    text_add(path, "/%s", name);
    return status;
}

Status path_of_data(const char *name, Text *path, Error *error)
{
    return path_in("XDG_DATA_HOME", ".local/share", name, FOLDER_MADE, path, error);
}

Status path_of_data_to_read(const char *name, Text *path, Error *error)
{
    return path_in("XDG_DATA_HOME", ".local/share", name, FOLDER_AS_IT_IS, path, error);
}

Status path_of_state(const char *name, Text *path, Error *error)
{
    return path_in("XDG_STATE_HOME", ".local/state", name, FOLDER_MADE, path, error);
}
