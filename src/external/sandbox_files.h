// The files of a command: where they are, and where the engine in the sandbox sees them.
//
// A folder of the host appears as /engine/1, /engine/2, … inside, so that the engine does not learn where it lies. With
// `keeps_paths` folders keep their paths, for programs that contain them.
#pragma once

#include "base/process/words.h"

#include <limits.h>
#include <stdbool.h>

// Zeroed: nothing is shown yet. Close it with words_close(&places.hosts).
typedef struct {
    bool keeps_paths;
    Words *options; // of bubblewrap, which mounts the folders
    Words hosts;    // folders and files that are shown: the first one is /engine/1
} SandboxPlaces;

// The absolute path of a program. Links are not resolved, since some programs check the name they are called by.
bool sandbox_find_program(const char *name, char path[PATH_MAX]);

// Shows a program, and gives the path that it has inside.
void sandbox_show_program(SandboxPlaces *places, const char *path, char inside[PATH_MAX]);

// The word of a command as the engine gets it: if it names a file or folder, this is shown, and `inside` is its path.
void sandbox_show_word(SandboxPlaces *places, const char *word, char inside[PATH_MAX]);
