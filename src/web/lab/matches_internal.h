// Shared by the parts of the matches. A WebMatch is a match or tournament that this program plays, has played, or has
// read from the database.
#pragma once

#include "lab/books.h"
#include "lab/match_run.h"
#include "web/lab/matches.h"

enum {
    CONTEST_AGENTS_MAX = 16,
    CONTEST_GAMES_MAX = 20000, // in all
    CONTEST_OPENINGS_MAX = 1000,
    CONTEST_RUNNING_MAX = 2, // at the same time
    CONTEST_JOBS_MAX = 16,
    CONTEST_KEPT_MAX = 40, // in memory
    CONTEST_LISTED_MAX = 100,
    CONTEST_LAST_MAX = 8, // stones of the last turn that are sent
};

typedef enum {
    CONTEST_RUNNING,
    CONTEST_PAUSED,
    CONTEST_DONE,
    CONTEST_CANCELLED,
    CONTEST_FAILED,
    CONTEST_ELSEWHERE, // started by another program, not finished, possibly still running
} WebMatchState;

typedef struct {
    bool is_used, is_changed;
    unsigned number, agents[2];
    Board board;
    unsigned last_count;
    Cell last[CONTEST_LAST_MAX];
    Result result;
    Reason reason;
    double seconds[2], clock[2];
    bool has_clock;
} WebMatchBoard;

typedef struct WebMatch WebMatch;

struct WebMatch {
    WebMatch *next;
    WebMatches *matches;

    // Never changes.
    int64_t id;
    int64_t created;
    WebTopic *topic;
    DatabaseKind kind;
    unsigned openings; // of the event
    unsigned jobs;
    unsigned holders; // requests that use it; guarded by the lock of all matches

    // Its event, names and SPRT never change while the match is shared; the rest belongs to the thread that plays.
    MatchRun run;
    DuelWatch watch;
    atomic_bool stop;
    bool has_lab; // it is ready to play
    bool is_ours; // started on the web board

    bool has_thread; // to be joined; this and the next are guarded by `acts`
    pthread_t thread;

    pthread_mutex_t lock; // of all that follows
    Results shown;        // the results so far
    double begun;         // clock_seconds when play last started
    int64_t finished;
    int64_t stored;  // games in the database when it was read
    unsigned before; // games that existed when play last started
    WebMatchState state;
    bool is_open;    // `shown` is
    bool is_playing; // the thread is playing; `state` is the future one while it stops
    bool is_changed; // since the last message
    char error[ERROR_TEXT_SIZE];
    WebMatchBoard boards[CONTEST_JOBS_MAX];
};

struct WebMatches {
    WebContext *context;
    pthread_mutex_t acts; // held while a match is resumed, paused or cancelled
    pthread_mutex_t lock; // of what follows; not held while waiting for a thread
    pthread_cond_t changed;
    WebMatch *list;    // newest first
    unsigned reserved; // matches that are being started
    int64_t next;      // number of the next match without a database
    bool ends;
    pthread_t ticker;
    bool has_ticker;
};

// --- matches.c: the list; matches_play.c: playing ---

// The match with this number, read from the database if it is not in memory; NULL with STATUS_OK if it does not exist.
// To be dropped.
Status web_match_find(WebMatches *matches, int64_t id, WebMatch **result, Error *error);
void web_match_drop(WebMatch *web_match);

// Reserves room for one more running match; give it back when the match has started or failed to start.
Status web_match_reserve(WebMatches *matches, WebCall *call);
void web_match_give_back(WebMatches *matches);

// Adds a match that is ready to the list, held, and begins to play.
Status web_match_enter(WebMatches *matches, WebMatch *web_match, Error *error);

// Each takes a held web_match; after web_match_go it may be another one, which is held instead.
Status web_match_go(WebMatch **web_match, WebCall *call);
Status web_match_stop(WebMatch *web_match, WebMatchState next, WebCall *call); // CONTEST_PAUSED or CONTEST_CANCELLED

WebMatch *web_match_make(WebMatches *matches);
void web_match_free(WebMatch *web_match);
bool web_match_is_playing(WebMatch *web_match);
WebMatchState web_match_state(WebMatch *web_match);
void web_match_join(WebMatch *web_match);                        // waits for the end of its thread
void web_match_enlist(WebMatches *matches, WebMatch *web_match); // held; call with the lock of the list
void web_match_free_spare(WebMatches *matches);                  // frees those beyond CONTEST_KEPT_MAX

// Calls a function for each match in memory, with its lock held.
void web_match_each(WebMatches *matches, void (*visit)(void *context, const WebMatch *web_match), void *context);

// Sends the whole state to all listeners.
void web_match_send(WebMatch *web_match);

// --- matches_start.c: from requests and from the database ---

// The match described by a body, not yet played.
Status web_match_from_body(WebCall *call, WebMatch **result);

// The match of the database with this number, to be shown; NULL if it does not exist.
Status web_match_from_store(WebMatches *matches, int64_t id, WebMatch **result, Error *error);

// Reads the state of a match that another program plays or may play.
Status web_match_refresh(WebMatch *web_match, Error *error);

// The same match again, ready to be resumed.
Status web_match_revive(WebMatch *old, WebMatch **result, WebCall *call);

// Takes over the stored row of a match, without its games.
Status web_match_take(WebMatch *web_match, const DatabaseMatch *match, Error *error);

// Games that can be played at once: as many as the machine has cores.
unsigned web_match_jobs_most(void);

// --- matches_json.c ---

const char *web_match_state_name(WebMatchState state);

// With the lock of the web_match held: its table, ratings and statistics, and its boards on request.
json_t *web_match_json(const WebMatch *web_match, bool with_boards);
json_t *web_match_board_json(const WebMatch *web_match, unsigned slot);
json_t *web_match_brief(const WebMatch *web_match);

// A view of the match with the results so far; borrows everything.
MatchRun web_match_view(const WebMatch *web_match);
