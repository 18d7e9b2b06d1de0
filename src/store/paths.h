// Paths of the files that krow keeps for the user, by the XDG base directory specification.
#pragma once

#include "base/status.h"
#include "base/text.h"

// The path of a file in krow's data folder ($XDG_DATA_HOME/krow, else ~/.local/share/krow); the folder is made.
Status path_of_data(const char *name, Text *path, Error *error);

// The same for a file that is only read: no folder is made.
Status path_of_data_to_read(const char *name, Text *path, Error *error);

// A file in the state folder ($XDG_STATE_HOME/krow, else ~/.local/state/krow): history, the game in progress. The
// folder is made.
Status path_of_state(const char *name, Text *path, Error *error);
