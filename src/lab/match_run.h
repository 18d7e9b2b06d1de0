// The laboratory behind `krow match`, `krow tournament` and the matches of the web board: plays, stores and counts the
// games of a tournament. cli/lab_run.h reads its command line.
#pragma once

#include "match/results.h"
#include "match/tournament.h"
#include "store/db/database.h"
#include "view/progress.h"

typedef struct {
    Tournament event;
    Openings openings; // may be given before match_run_open by a caller whose tournament asks for none
    Results results;
    bool has_sprt;
    Sprt sprt;
    AgentHost host;
    unsigned jobs;
    bool by_workers;         // workers of the database play it: lab_workers.h
    const char *title;       // what it is, in the list of their jobs; NULL: who plays
    unsigned opening_turns;  // at most that many turns of an opening that is made; 0: the usual recipe
    unsigned part;           // play only that many games of each pair for now, an even number; 0: all
    Database *db;            // NULL: nothing is kept
    int64_t match;           // in the database
    bool is_found;           // it was begun before
    unsigned resumed;        // games that were there already
    unsigned beyond;         // games of the match that are there, but not of this part
    const atomic_bool *stop; // raised by a caller that wants it to end; NULL: never
    const DuelWatch *watch;  // watches the games while they are played; NULL: none
    Reporter *reporter;      // NULL: nothing is shown
    Progress progress;
    char **names; // of the agents, distinguished where two are the same
    // Called for each game when it is counted, those played before among them: in order of numbers, as long as one job
    // plays. NULL: none.
    void (*on_game)(void *context, const Results *results, const GameCounts *counts);
    void *on_game_context;
} MatchRun;

// Where games are kept, and whether those that are there count.
typedef struct {
    const char *path;   // of the database; NULL: the usual one; "none": nothing is kept
    bool resumes;       // continue the same match, if it was begun before
    int64_t match;      // continue this match, whose spec must be the same; 0: any
    const char *origin; // who begins it, for DatabaseMatch; NULL: the command line
} MatchRunStore;

// Checks the event, gets the openings, opens the database, and finds the games played before if that is asked for.
Status match_run_open_event(MatchRun *run, const MatchRunStore *store, DatabaseKind kind, Error *error);

// What match_run_open_event does before the database: the names, the openings unless they are there, the empty results.
Status match_run_set_up(MatchRun *run, Error *error);

// Plays what is left to play; may be called again after it was stopped. STATUS_INTERRUPTED when `stop` was raised, with
// everything finished kept.
Status match_run_play(MatchRun *run, Error *error);

void match_run_close(MatchRun *run);

// A game of the match as the database keeps it. The record is filled, and to be closed also after a failure; `reason`
// has room for the words, both are lent to the game.
enum { MATCH_RUN_REASON_SIZE = FAULT_TEXT_SIZE + 40 };
Status match_run_game_of(const Duel *duel, const char *const *agents, int64_t match, GameRecord *record,
                         char reason[MATCH_RUN_REASON_SIZE], DatabaseGame *game, Error *error);

// Counts a game that the database holds, unless it was counted before.
void match_run_count_stored(MatchRun *run, const DatabaseGame *stored);

// Progress while games are played, in this process or by workers: the beginning, each step, and the end, which marks
// the match as finished if `status` is STATUS_OK and all its games were asked for.
void match_run_begin(MatchRun *run);
void match_run_show(MatchRun *run);
Status match_run_end(MatchRun *run, Status status, Error *error);

// Openings of a file, for games of these rules. A format may stand in front of the name: pos-top:FILE.
Status match_run_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error);

// The SPRT of a match now, if one was asked for, and whether it has come to a decision.
SprtState match_run_sprt(const MatchRun *run);
bool match_run_is_decided(const MatchRun *run);
