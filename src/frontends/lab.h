// The laboratory behind `krow match`, `krow tournament` and the matches of the web board: an event is played, kept and
// counted. What it is asked for on a command line is read by lab_args.h.
#pragma once

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
    bool by_workers;          // workers of the database play it: lab_workers.h
    const char *title;        // what it is, in the list of their jobs; NULL: who plays
    unsigned opening_turns;   // at most so many turns of an opening that is made; 0: the usual recipe
    unsigned part;            // play only so many games of each pair for now, an even number; 0: all
    Database *db;             // NULL: nothing is kept
    int64_t match;            // in the database
    bool is_found;            // it was begun before
    unsigned resumed;         // games that were there already
    unsigned beyond;          // games of the match that are there, but not of this part
    const atomic_bool *stop;  // raised by whoever wants it to end; NULL: nobody does
    const RunnerWatch *watch; // who looks on while games are played; NULL: nobody
    bool quiet;
    Progress progress;
    char **names; // of the agents, told apart where two are the same
    // Told each game when it is counted, those played before among them: in order of numbers, as long as one job plays.
    // NULL: nobody.
    void (*told)(void *context, const Results *results, const GameCounts *counts);
    void *told_context;
} Lab;

// Where games are kept, and whether those that are there count.
typedef struct {
    const char *path;   // of the database; NULL: the usual one; "none": nothing is kept
    bool resumes;       // go on with the same match, if it was begun before
    int64_t match;      // go on with this very match, whose spec must be the same; 0: any
    const char *origin; // who begins it, for DatabaseMatch; NULL: the command line
} LabStore;

// Checks the event, gets the openings, opens the database, and finds the games played before if that is asked for.
Status lab_open_event(Lab *lab, const LabStore *store, DatabaseKind kind, Error *error);

// What lab_open_event does before the database: the names, the openings unless they are there, the empty results.
Status lab_set_up(Lab *lab, Error *error);

// Plays what is left to play; may be called again after it was stopped. STATUS_INTERRUPTED when `stop` was raised, with
// everything finished kept.
Status lab_run(Lab *lab, Error *error);

void lab_close(Lab *lab);

// A game of the match as the database keeps it. The record is filled, and to be closed also after a failure; `reason`
// has room for the words, both are lent to the game.
enum { LAB_REASON_SIZE = FAULT_TEXT_SIZE + 40 };
Status lab_game_of(const Duel *duel, const char *const *agents, int64_t match, GameRecord *record,
                   char reason[LAB_REASON_SIZE], DatabaseGame *game, Error *error);

// Counts a game that the database holds, unless it was counted before.
void lab_count_stored(Lab *lab, const DatabaseGame *stored);

// How far it is, in words for a line of progress.
void lab_words(const Lab *lab, char *words, size_t size);

// Openings of a file, for games of these rules. A format may stand in front of the name: pos-top:FILE.
Status lab_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error);

// The SPRT of a match now, if one was asked for.
SprtState lab_sprt(const Lab *lab);
