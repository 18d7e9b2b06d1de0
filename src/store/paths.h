// Paths of the files that krow keeps for the user, by the XDG base directory specification.
#pragma once

#include "base/status.h"
#include "base/text.h"

// A place for files, whose folder is made; to read data it is not.
typedef enum {
    PATH_DATA,         // $XDG_DATA_HOME/krow, else ~/.local/share/krow
    PATH_DATA_TO_READ, // the same
    PATH_STATE,        // $XDG_STATE_HOME/krow, else ~/.local/state/krow: history, the game in progress
} PathPlace;

// The path of a file in such a place.
Status path_of(PathPlace place, const char *name, Text *path, Error *error);
