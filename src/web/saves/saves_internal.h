// Shared by the queue of saved games and its files.
#pragma once

#include "web/saves/saves.h"

typedef struct SaveJob SaveJob;

struct SaveJob {
    WebSave save;
    int64_t reviewed; // the number of a game whose review is stored; 0: a game is saved
    SaveJob *next;
};

void save_job_close(SaveJob *job);

// Writes the game of a job to its file.
Status saves_file_write(const char *folder, const WebSave *save, Error *error);
void saves_file_remove(const char *folder, const char *key);

// Passes the games of all files to `take`; damaged files are named on stderr and left alone.
typedef void SaveTaker(void *context, SaveJob *job);
Status saves_files_read(const char *folder, SaveTaker *take, void *context, Error *error);
