// Shared by the files of krow train.
#pragma once

#include "lab/train/train_run.h"

// The path of a file of the folder: "games-%u.scored" and so on.
__attribute__((format(printf, 3, 4))) void train_path(const TrainRun *run, char path[TRAIN_PATH_SIZE],
                                                      const char *format, ...);

// Reads train.json, if there is one: STATUS_BAD_INPUT if it belongs to other options. Writes it.
Status train_state_read(TrainRun *run, Error *error);
Status train_state_write(const TrainRun *run, Error *error);

// The network of a generation as an agent's option: a path, or options->from for 0.
void train_network_name(const TrainRun *run, unsigned generation, char name[TRAIN_PATH_SIZE]);

// Plays the matches of the gate that are missing. Sets `is_best`.
Status train_gate(TrainRun *run, unsigned number, Error *error);
