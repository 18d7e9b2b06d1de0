// A game in a browser: the tree of stones, players, clocks and searches. The lock of a session is held while code reads
// or changes it, and never during a search.
#pragma once

#include "match/outcome.h"
#include "store/files/gamefile.h"
#include "store/files/record.h"
#include "web/http/api.h"
#include "web/session/tree.h"

// docs/api.md describes each request.
extern const WebRoute web_play_routes[];
extern const WebRoute web_insight_routes[]; // analysis of a position
extern const WebRoute web_files_routes[];

enum {
    WEB_SESSIONS_MAX = 400,
    WEB_SEARCHES_MAX = 40, // simultaneous searches, without turns of agents
    WEB_ID_SIZE = 25,
    WEB_LINES_MAX = 8,
    WEB_TURN_SECONDS_MAX = 60,
    WEB_SAID_SIZE = 256,
    WEB_UPDATES_MAX = 48, // kept after a state, for later listeners; below the number of messages that a topic keeps
};

typedef enum { WEB_PERSON, WEB_AGENT, WEB_LEVEL } WebPlayerKind;

typedef struct {
    WebPlayerKind kind;
    unsigned level;
    char given[WEB_AGENT_SIZE]; // the agent as requested
    char agent[WEB_AGENT_SIZE]; // as opened
} WebPlayer;

typedef struct {
    bool is_on;
    int64_t initial, increment; // milliseconds
    int64_t left[2];            // at the last change
    double since;               // clock_seconds when the clock of the side to move started; 0: stopped
} WebClock;

// Players and times, as a request sets them. A session changes only when all of them are valid.
typedef struct {
    WebPlayer players[2];
    double seconds; // of a turn of an agent
    WebClock clock;
} WebSettings;

typedef struct WebTurn WebTurn;         // a turn that an agent decides (turn.c)
typedef struct WebAnalysis WebAnalysis; // analysis of the position (analysis.c)
typedef struct WebScan WebScan;         // review of the whole game (scan.c)

struct WebSession {
    WebContext *context;
    pthread_mutex_t lock; // of all members below
    char id[WEB_ID_SIZE];
    bool is_gone; // removed from the list
    bool is_live; // agents move and clocks run; false while the user browses the game
    Rules rules;
    uint64_t version;
    WebTree tree;
    WebNodeId current;
    Game game; // at the current node
    WebSettings settings;
    char names[2][GAMEFILE_NAME_SIZE]; // from a game file; "" for the default names
    WebNodeId end_node;                // where the game ended other than by a row or a full board
    Result end_result;                 // RESULT_NONE: not ended so
    char end_reason[GAMEFILE_WORD_SIZE];
    char said[WEB_SAID_SIZE]; // last event, for screen readers
    double asked;             // clock_seconds of the last request
    uint64_t seed;
    WebTopic *topic;
    unsigned updates;        // that the topic keeps after a state
    uint64_t updated;        // version of the newest of them
    bool has_whole_listener; // a listener asked for a state after every change
    WebTurn *turn;           // under way; NULL for none
    struct {
        bool on, cells;
        bool is_done;          // the analysis is complete
        unsigned lines, depth; // depth in stones; 0: no limit
        WebAnalysis *job;      // under way; NULL for none
    } analysis;
    struct {
        WebScan *job;    // under way; NULL for none
        WebScan *paused; // stopped before its end; NULL for none
        json_t *result;  // last result; NULL for none
    } scan;
    struct {
        bool is_on, is_due;     // finished games are saved; the present one has just ended
        char base[WEB_ID_SIZE]; // of the keys of its games
        unsigned number;        // of the game, from 1
        int64_t started;        // clock_unix_ms
        int64_t id;             // of the saved game in the database; 0: none
    } save;
    int64_t library; // the game of the database that it was opened from; 0: none

    // Members of the list of sessions, under its lock.
    unsigned owners;
    double used; // clock_seconds of the last request
    WebSession *next;
};

// --- The list (sessions.c) ---

WebSessions *web_sessions_open(void);
void web_sessions_close(WebSessions *sessions); // NULL is allowed

// Stops all searches and drops all sessions.
void web_sessions_clear(WebSessions *sessions);

// A new session, held once for the caller. Drops the least recently used one if there are too many.
Status web_sessions_add(WebSessions *sessions, WebContext *context, WebSession **result, Error *error);

// The session of this id, held and locked; NULL if it does not exist. web_session_leave unlocks and releases it.
WebSession *web_session_enter(WebSessions *sessions, const char *id);
void web_session_leave(WebSession *session);

WebSession *web_session_hold(WebSession *session);
void web_session_release(WebSession *session);

// Removes it from the list; false if it does not exist.
bool web_sessions_remove(WebSessions *sessions, const char *id);

// Call it a few times per second, for clocks, searches without listeners and waiting turns.
void web_sessions_tick(WebSessions *sessions);

unsigned web_sessions_count(WebSessions *sessions);

// Whether one more search may run besides turns of agents; call `web_sessions_search_end` after it.
bool web_sessions_search_begin(WebSessions *sessions);
void web_sessions_search_end(WebSessions *sessions);

// --- The game (game.c); the session is locked ---

// Whether a page shows it: an event stream is open, or a request arrived within the last seconds.
bool web_session_is_watched(WebSession *session);

// Begins a game from a position. Players, times and clocks stay.
void web_session_start(WebSession *session, const Board *root);

// Takes over the tree of another game (takes `tree`).
void web_session_replace(WebSession *session, WebTree *tree);

// Goes to any node; stops searches of other positions.
void web_session_goto(WebSession *session, WebNodeId id);

// Plays stones of one turn from the current node, and marks them as visited last.
Status web_session_play(WebSession *session, const Cell *stones, unsigned count, int64_t ms, Error *error);

// Whether the game is over at the current node, and how.
bool web_session_is_over(const WebSession *session);
Result web_session_result(const WebSession *session);
void web_session_end(WebSession *session, Result result, const char *reason);

// Sends the change to all listeners and starts due searches; call it after every change. Listeners of updates receive
// an update of the state before it, or the whole state if an update cannot describe the change. Returns what they
// receive, owned by the caller.
json_t *web_session_changed(WebSession *session);

// The same, and returns what a client needs that has the state of the version `known` (-1: none).
json_t *web_session_answer(WebSession *session, int64_t known);

// Makes the present state the one with which later listeners begin.
void web_session_offer(WebSession *session);

// --- Saving finished games (save.c) ---

void web_save_begin(WebSession *session); // another game begins
void web_save_flush(WebSession *session); // saves the game if it has just ended
json_t *web_save_json(const WebSession *session);

// Reads the field `save`: "new", or the key of a game that goes on here.
Status web_save_read(WebCall *call, WebSession *session);

// Stores the review with the game of the database that the session was opened from.
void web_save_review(WebSession *session);

// --- Clocks (clock.c) ---

void web_clock_start(WebSession *session);   // from the beginning
void web_clock_restore(WebSession *session); // as it stood at the current node

// Charges the side to move with the time until now, or with `ms` if that is not below 0.
void web_clock_charge(WebSession *session, int64_t ms);

void web_clock_run(WebSession *session); // starts or stops it, as the game requires
bool web_clock_is_over(const WebSession *session);
json_t *web_clock_json(const WebSession *session);

// --- The state (state.c) ---

json_t *web_session_json(WebSession *session);

// What a change of single nodes has changed since the version before, its `base`: the changed nodes, and everything of
// the state but what follows from the nodes or changes with the whole tree alone.
json_t *web_session_update_json(WebSession *session);

// Why a game ended, as a sentence; null while it continues. `reason`: if the board does not show it.
json_t *web_reason_json(const Board *board, Result result, const char *reason);

// Describes the last turn, and the side to move or the winner, for screen readers.
void web_say(const Game *game, Result result, char said[WEB_SAID_SIZE]);

// --- Searches ---

// Starts the search of the agent to move, unless it runs. (turn.c)
void web_turn_schedule(WebSession *session);
void web_turn_stop(WebSession *session);
void web_turn_report(WebSession *session); // sends its progress
void web_turn_share(WebSession *session);  // ends a long one if others wait for a thread
json_t *web_turn_json(const WebSession *session);

// The same for the analysis of the position. (analysis.c)
void web_analysis_schedule(WebSession *session);
void web_analysis_stop(WebSession *session);
void web_analysis_share(WebSession *session); // ends a slice if others wait

// And for the review of the whole line through the current node. (scan.c)
Status web_scan_start(WebSession *session, Error *error);
void web_scan_stop(WebSession *session);
void web_scan_forget(WebSession *session);  // the rest of a stopped one
WebHandler web_scan_try;                    // judges another turn
void web_scan_restore(WebSession *session); // of a game that was reviewed before it was opened

// --- Requests (play.c) ---

// The session of a request, held and locked; NULL, and 404, if it does not exist.
WebSession *web_play_enter(WebCall *call);

// The cell that the field "cell" names, or the lowest empty one of "column".
Status web_play_cell(WebCall *call, const Game *game, Cell *cell);

// Runs the action of the route on the session of a request, which is locked, and answers with the state.
WebHandler web_play_act;

// The game at the node that the field or query parameter "node" names; the session is not locked afterwards. 404 as
// above.
Status web_play_game(WebCall *call, Game *game);

// --- Files (files.c): variations, comments and evaluations ---

// Replaces the game of a locked session. Keeps the players if they support the rules.
Status web_files_open(WebSession *session, const GameRecord *record, Error *error);

// The game of a locked session as a record, to be closed.
Status web_files_record(const WebSession *session, GameRecord *record, Error *error);

// The same for the line to the current node.
Status web_files_record_here(const WebSession *session, GameRecord *record, Error *error);

// --- Settings (settings.c) ---

// Applies `sides`, `time` and `clock` of a body to the settings. Agents are checked against the rules.
Status web_settings_read(WebCall *call, const Rules *rules, WebSettings *settings);

// Whether the players support these rules, for new rules with the same players.
Status web_settings_check(WebCall *call, const WebSettings *settings, const Rules *rules);
