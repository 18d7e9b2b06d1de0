// Paths of the files that krow keeps for the user, by the XDG base directory specification.
#pragma once

#include "base/status.h"
#include "base/text.h"

// A folder for files, which is created unless it is only for reading; only its owner can open it.
typedef enum {
    PATH_DATA,         // $XDG_DATA_HOME/krow, else ~/.local/share/krow
    PATH_DATA_TO_READ, // the same
    PATH_CACHE,        // $XDG_CACHE_HOME/krow, else ~/.cache/krow: can be made again
    PATH_STATE,        // $XDG_STATE_HOME/krow, else ~/.local/state/krow: history, the game in progress
} PathPlace;

Status path_of(PathPlace place, const char *name, Text *path, Error *error);
