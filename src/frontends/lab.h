// The laboratory behind `krow match` and `krow tournament`: an event is played, kept, counted and reported.
#pragma once

#include "frontends/args.h"
#include "frontends/progress.h"
#include "match/event.h"
#include "match/results.h"
#include "store/database.h"

typedef struct {
    Event event;
    Openings openings; // may be given before lab_open by whoever lets the event ask for none
    Results results;
    bool has_sprt;
    Sprt sprt;
    AgentHost host;
    unsigned jobs;
    unsigned opening_turns; // at most so many turns of an opening that is made; 0: the usual recipe
    unsigned part;          // play only so many games of each pair for now, an even number; 0: all
    Database *db;           // NULL: nothing is kept
    int64_t match;          // in the database
    bool is_found;          // it was begun before
    unsigned resumed;       // games that were there already
    unsigned beyond;        // games of the match that are there, but not of this part
    bool quiet;
    Progress progress;
    char **names; // of the agents, told apart where two are the same
    // Told each game when it is counted, those played before among them: in order of numbers, as long as one job plays.
    // NULL: nobody.
    void (*told)(void *context, const Results *results, const GameCounts *counts);
    void *told_context;
} Lab;

// Event options of the command line (--game, --games, --openings, --time, …) over what the event says.
Status lab_read_args(Lab *lab, const Args *args, Error *error);

// Checks the event, gets the openings, opens the database, and finds the games played before if `resume` is asked for.
Status lab_open(Lab *lab, const Args *args, DatabaseKind kind, Error *error);

// Plays what is left to play. STATUS_INTERRUPTED after Ctrl-C, with everything finished kept.
Status lab_run(Lab *lab, Error *error);

void lab_close(Lab *lab);

// What `krow match` and `krow tournament` differ in.
typedef struct {
    DatabaseKind kind;
    Status (*prepare)(Lab *lab, const Args *args, Error *error); // fills the event
    Status (*report)(const Lab *lab, const Args *args, Error *error);
    const char *interrupted; // what is said after Ctrl-C
} LabCommand;

// Prepares, plays and reports; after Ctrl-C what was played so far is reported all the same.
Status lab_command(const LabCommand *command, const Args *args, Error *error);

// Openings of a file, for games of these rules. A format may stand in front of the name: pos-top:FILE.
Status lab_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error);

// The match that --match names, "last" or a number; 0 where it was not given (`text` NULL).
Status lab_find_match(Database *db, const char *text, int64_t *id, Error *error);

// The SPRT of a match now, if one was asked for.
SprtState lab_sprt(const Lab *lab);
