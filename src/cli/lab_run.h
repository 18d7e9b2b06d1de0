// Matches and tournaments of the command line: options become a MatchRun, and Ctrl-C ends it.
#pragma once

#include "cli/common_options.h"
#include "lab/engine_log.h"

// The options override what the event says.
Status lab_apply(MatchRun *run, const CommandLine *line, const LabOptions *options, Error *error);

// Opens the run with the database and --resume of the command line; from now on Ctrl-C ends it.
Status lab_open(MatchRun *run, const CommandLine *line, const LabOptions *options, DatabaseKind kind, Error *error);

// Refuses --workers without a database.
Status lab_check_workers(const WorkersOption *workers, const char *db, Error *error);

// The command line of `krow match` and `krow tournament`.
typedef struct {
    CommandLine line;
    LabOptions lab;
    const char *report, *pgn, *sgf, *log; // files; NULL: none
    bool openbench;
} LabArgs;

// Fills the event from a match or tournament file.
Status lab_read_file(Tournament *event, const char *path, Error *error);

// --report, --pgn, --sgf, --log, --resign, --draw, --json, --quiet, --db, --no-sandbox and lab_options.
extern const CliOption lab_command_options[];

typedef struct {
    DatabaseKind kind;
    Status (*prepare)(MatchRun *run, const LabArgs *args, Error *error); // fills the event
    Status (*report)(const MatchRun *run, const LabArgs *args, Error *error);
    const char *interrupted; // the message after Ctrl-C
} LabCommand;

// Prepares, plays and reports, also after Ctrl-C.
Status lab_command(const LabCommand *command, const LabArgs *args, Error *error);

// The match that --match names, "last" or a number; 0 if it was not given (`text` NULL).
Status lab_find_match(Database *db, const char *text, int64_t *id, Error *error);
