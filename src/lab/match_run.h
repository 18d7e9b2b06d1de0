// Runs of `krow match`, `krow tournament` and the matches of the web board: plays, stores and counts the games of a
// tournament. cli/lab_run.h reads the command line.
#pragma once

#include "lab/jobs/job_verify.h"
#include "lab/match_games.h"
#include "match/results.h"
#include "match/tournament.h"
#include "store/db/database.h"
#include "view/progress.h"

enum { MATCH_RUN_REASON_SIZE = FAULT_TEXT_SIZE + 40 };

// Why an agent lost a game by a fault.
typedef struct {
    unsigned game, agent; // numbers from 0
    char reason[MATCH_RUN_REASON_SIZE];
} MatchFault;

enum { MATCH_FAULTS_MAX = 100 };

struct MatchRun {
    Tournament event;
    Openings openings; // a caller may set them before match_run_open_event if the tournament has none
    Results results;
    MatchFault *faults; // the first MATCH_FAULTS_MAX, in order of counting
    unsigned fault_count;
    bool has_sprt;
    Sprt sprt;
    AgentHost host;
    unsigned jobs;
    bool by_workers;         // workers of the database play it: lab_workers.h
    const char *title;       // of the job for workers; NULL: the names of the players
    unsigned opening_turns;  // maximum turns of a generated opening; 0: the default recipe
    unsigned part;           // play only this even number of games of each pair for now; 0: all
    Database *db;            // NULL: nothing is stored
    int64_t match;           // in the database
    bool is_found;           // an earlier run has begun the match
    unsigned resumed;        // number of games that were stored before
    unsigned beyond;         // number of stored games of the match outside of this part
    const atomic_bool *stop; // ends the run when raised; NULL: never
    const DuelWatch *watch;  // observes the games; NULL: none
    double verify; // with workers: share of the units that are played again; stored games then count at the end
    JobVerification verification; // what that has found
    Reporter *reporter;           // NULL: no output
    Progress progress;
    char **names; // of the agents, made unique
    // Called for each counted game, including stored ones; in order of numbers if `jobs` is 1. NULL: none.
    void (*on_game)(void *context, const Results *results, const GameCounts *counts);
    void *on_game_context;
    bool notes_games; // a line for each game that ends, to the reporter
    bool has_begun;   // to play
    bool keeps_sgf;   // for report_sgf
    Text *sgf;        // of each game; NULL: none yet
};

// What to do if the database has a match with the same settings, and so with the same games.
typedef enum {
    MATCH_ONCE,   // fail
    MATCH_RESUME, // continue it
    MATCH_AGAIN,  // choose a new seed
    MATCH_REPEAT, // play the same games again
} MatchRepeat;

// Where games are stored, and whether stored games count.
typedef struct {
    const char *path; // of the database; NULL: the default; "none": nothing is stored
    MatchRepeat repeat;
    int64_t match;      // continue this match, whose spec must be the same; 0: any
    const char *origin; // for DatabaseMatch; NULL: the command line
} MatchRunStore;

// Checks the event, prepares the openings, opens the database, and reads stored games if requested.
Status match_run_open_event(MatchRun *run, const MatchRunStore *store, DatabaseKind kind, Error *error);

// The part of match_run_open_event before the database: names, openings unless they are set, and empty results.
Status match_run_set_up(MatchRun *run, Error *error);

// Plays the missing games; may be called again after it was stopped. STATUS_INTERRUPTED if `stop` was raised; finished
// games are stored.
Status match_run_play(MatchRun *run, Error *error);

void match_run_close(MatchRun *run);

// Converts a game for the database. `record` and `reason` are borrowed by `game`; close the record also after a
// failure.
Status match_run_game_of(const Duel *duel, const char *const *agents, int64_t match, GameRecord *record,
                         char reason[MATCH_RUN_REASON_SIZE], DatabaseGame *game, Error *error);

// Counts a stored game unless it was counted before.
void match_run_count_stored(MatchRun *run, const DatabaseGame *stored);

// Progress of a run, in this process or by workers: the beginning, each step, and the end, which marks the match as
// finished if `status` is STATUS_OK and the run includes all its games.
void match_run_begin(MatchRun *run);
void match_run_show(MatchRun *run);
Status match_run_end(MatchRun *run, Status status, Error *error);

// Reads an openings file for games of these rules. The name may have a format prefix: pos-top:FILE.
Status match_run_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error);

// The state of the match's SPRT, which must exist, and whether an SPRT has reached a decision.
SprtState match_run_sprt(const MatchRun *run);
bool match_run_is_decided(const MatchRun *run);
