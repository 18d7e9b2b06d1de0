// Matches and tournaments of the command line: what is asked for, and Ctrl-C.
#pragma once

#include "frontends/args.h"
#include "frontends/lab.h"

// Event options of the command line (--game, --games, --openings, --time, …) over what the event says.
Status lab_read_args(Lab *lab, const Args *args, Error *error);

// lab_open_event with the database and --resume of a command line; from now on Ctrl-C ends the match.
Status lab_open(Lab *lab, const Args *args, DatabaseKind kind, Error *error);

// Plays what is left to play, here or with --workers by those of the database.
Status lab_run_as_asked(Lab *lab, const Args *args, Error *error);

// Whether there is a database for --workers, if that is asked for.
Status lab_check_workers(const Args *args, Error *error);

// What is said after Ctrl-C with --workers.
#define LAB_WORKERS_GO_ON "interrupted; the workers go on, and --resume looks on; see krow jobs"

// What `krow match` and `krow tournament` differ in.
typedef struct {
    DatabaseKind kind;
    Status (*prepare)(Lab *lab, const Args *args, Error *error); // fills the event
    Status (*report)(const Lab *lab, const Args *args, Error *error);
    const char *interrupted; // what is said after Ctrl-C
} LabCommand;

// Prepares, plays and reports; after Ctrl-C what was played so far is reported all the same.
Status lab_command(const LabCommand *command, const Args *args, Error *error);

// The match that --match names, "last" or a number; 0 where it was not given (`text` NULL).
Status lab_find_match(Database *db, const char *text, int64_t *id, Error *error);
