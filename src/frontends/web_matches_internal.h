// What the parts of the matches share. A Contest is a match or tournament that this program plays, has played, or read
// from the database to show it.
#pragma once

#include "frontends/lab.h"
#include "frontends/web_matches.h"

#include <pthread.h>

// What a server can afford.
enum {
    CONTEST_AGENTS_MAX = 16,
    CONTEST_GAMES_MAX = 20000, // in all
    CONTEST_OPENINGS_MAX = 1000,
    CONTEST_RUNNING_MAX = 2, // at the same time
    CONTEST_JOBS_MAX = 16,
    CONTEST_KEPT_MAX = 40, // in memory
    CONTEST_LISTED_MAX = 100,
    CONTEST_LAST_MAX = 8, // stones of a last turn that are told
};

typedef enum {
    CONTEST_RUNNING,
    CONTEST_PAUSED,
    CONTEST_DONE,
    CONTEST_CANCELLED,
    CONTEST_FAILED,
    CONTEST_ELSEWHERE, // begun by another program and not finished: it may be playing it now
} ContestState;

// A game in play.
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
} ContestBoard;

typedef struct Contest Contest;

struct Contest {
    Contest *next;
    WebMatches *matches;

    // What never changes.
    int64_t id;
    int64_t created;
    WebTopic *topic;
    DatabaseKind kind;
    unsigned openings; // as the event has them
    unsigned jobs;
    unsigned holders; // those who look at it; guarded by the lock of all matches

    // The laboratory: its event, names and SPRT never change while others look, all else belongs to the thread that
    // plays.
    Lab lab;
    RunnerWatch watch;
    atomic_bool stop;
    bool has_lab; // it is ready to play
    bool is_ours; // begun on the web board

    bool has_thread; // to be joined; this and the next belong to whoever makes it go on or end
    pthread_t thread;

    pthread_mutex_t lock; // of all that follows
    Results shown;        // what was counted so far
    double begun;         // clock_seconds when this stretch of play began
    int64_t finished;
    int64_t stored;  // games in the database when it was read
    unsigned before; // games that were there when this stretch of play began
    ContestState state;
    bool is_open;    // `shown` is
    bool is_playing; // the thread is at work; while it stops the state is what it will be
    bool is_changed; // since it was last sent
    char error[ERROR_TEXT_SIZE];
    ContestBoard boards[CONTEST_JOBS_MAX];
};

struct WebMatches {
    WebContext *context;
    pthread_mutex_t acts; // held by whoever makes a match go on, pause or end: one after another
    pthread_mutex_t lock; // of what follows; nobody waits for a thread with it
    pthread_cond_t changed;
    Contest *list;     // newest first
    unsigned reserved; // matches that are being begun
    int64_t next;      // number of the next match where there is no database
    bool ends;
    pthread_t ticker;
    bool has_ticker;
};

// --- web_matches.c: the list, and playing ---

// The match with this number, read from the database if it is not in memory; NULL with STATUS_OK where there is none.
// To be dropped.
Status contest_find(WebMatches *matches, int64_t id, Contest **result, Error *error);
void contest_drop(Contest *contest);

// Room for one more match that is played: to be given back, when it has begun or cannot begin.
Status contest_reserve(WebMatches *matches, WebReply *reply, Error *error);
void contest_give_back(WebMatches *matches);

// Takes a contest that is ready to play into the list, held, and begins to play.
Status contest_enter(WebMatches *matches, Contest *contest, Error *error);

// Each takes a held contest; after contest_go it may be another one, which is held instead.
Status contest_go(Contest **contest, WebReply *reply, Error *error);
Status contest_pause(Contest *contest, WebReply *reply, Error *error);
Status contest_cancel(Contest *contest, WebReply *reply, Error *error);

Contest *contest_make(WebMatches *matches, Error *error);
void contest_free(Contest *contest);

// Calls a function for each match in memory, with its lock held.
void contest_each(WebMatches *matches, void (*visit)(void *context, const Contest *contest), void *context);

// Tells those who listen all there is.
void contest_send(Contest *contest);

// --- web_matches_start.c: where they come from ---

// The match that a body asks for, not yet played.
Status contest_from_body(WebMatches *matches, const json_t *body, Contest **result, WebReply *reply, Error *error);

// The match of the database with this number, to be looked at; NULL where there is none.
Status contest_from_store(WebMatches *matches, int64_t id, Contest **result, Error *error);

// Reads what has become of a match that somebody else plays, or may play.
Status contest_refresh(Contest *contest, Error *error);

// The same match once more, ready to be played on.
Status contest_revive(Contest *old, Contest **result, WebReply *reply, Error *error);

// The event of a spec of the database, and how many openings it has.
Status contest_read_spec(const char *spec, Event *event, unsigned *openings, Error *error);

// Games that can be played at once: as many as the machine has cores.
unsigned contest_jobs_most(void);

bool contest_has_database(const WebMatches *matches);

// --- web_matches_json.c: what is told ---

const char *contest_state_name(ContestState state);

// With the lock of the contest held: its table, ratings and statistics, and its boards if they are asked for.
json_t *contest_json(const Contest *contest, bool with_boards);
json_t *contest_board_json(const Contest *contest, unsigned slot);
json_t *contest_brief(const Contest *contest);

// What the laboratory knows as far as others may see it: borrows all of it, with what was counted so far.
Lab contest_view(const Contest *contest);

// Handlers of web_matches_export.c.
WebHandler web_matches_get_export;
