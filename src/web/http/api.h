// Requests of the web board: handlers, the table of routes, and topics for listeners.
//
// A handler receives a request whose route, origin, token and body have been checked, and fills a reply. It uses no
// sockets. The thread that serves all connections answers a route that is not marked WEB_SLOW, within about a
// millisecond; another thread answers a slow one while its connection waits.
#pragma once

#include "agents/agent.h"
#include "web/http/lock.h"

#include <jansson.h>

enum {
    WEB_PARAMETERS_MAX = 2,   // parts of a path in braces
    WEB_QUERIES_MAX = 16,     // values after the question mark
    WEB_FIELD_SIZE = 32,      // a name of a field
    WEB_BODY_USUAL = 1 << 16, // bytes of a body, unless the route allows more
    WEB_PEER_SIZE = 48,       // the address of a client; of IPv6 the network alone
    WEB_COOKIE_SIZE = 200,
};

typedef struct WebContext WebContext; // state between requests
typedef struct WebTopic WebTopic;     // sends events to listeners: a session, a match

typedef struct {
    const char *name, *value;
} WebQuery;

typedef struct {
    const char *parameter[WEB_PARAMETERS_MAX]; // the values of {…} in the path, in order
    WebQuery query[WEB_QUERIES_MAX];
    unsigned query_count;
    const json_t *body; // an object; empty for a request without a body
    const char *seat;   // the cookie krow_seat; NULL if absent
    char peer[WEB_PEER_SIZE];
    const atomic_bool *stop; // raised when the answer is not wanted any more; NULL: never
} WebRequest;

// Zeroed is "200, no content". At most one of `json`, `text` and `topic` is set; the server releases them.
typedef struct {
    unsigned status; // HTTP; 0: 200, or after a failure the one of its Status (web_status)
    json_t *json;
    Text text;                    // sent unchanged, as a file to save
    char name[64];                // of that file
    const char *type;             // of that file; NULL: text/plain
    char cookie[WEB_COOKIE_SIZE]; // to set; "" for none
    WebTopic *topic;              // starts an event stream: stored messages of the topic, then new ones
    bool takes_updates;           // the listener of this stream receives updates instead of whole states
    char field[WEB_FIELD_SIZE];   // of a failure: the field that is wrong, "" for none
    unsigned line;                // of a failure: the line of a text in the body, 0 for none
} WebReply;

typedef struct WebRoute WebRoute;

// A request and its answer in the making.
typedef struct {
    WebContext *context;
    const WebRoute *route;
    const WebRequest *request;
    const json_t *body; // the object whose fields are read: the body of the request, or an object inside it
    WebReply *reply;
    Error *error; // the first failure of the functions that read fields and query parameters
} WebCall;

// On a failure the server sends {"error": the text, "field", "line"}. Set reply->status for anything but what
// web_status makes of the Status.
typedef Status WebHandler(WebCall *call);

typedef enum {
    WEB_SLOW = 1,    // may take longer than a millisecond: files, the database
    WEB_THINKS = 2,  // takes about a second: waits for a thread of the agents' pool, and polls web_stop
    WEB_LARGE = 4,   // the body may have WEB_BODY_LARGE bytes
    WEB_SEAT = 8,    // needs no token: the handler checks the cookie or the invitation of a seat
    WEB_PROVES = 16, // with WEB_THINKS: takes several seconds
} WebRouteFlags;

enum { WEB_BODY_LARGE = 4 << 20 };

typedef struct WebSession WebSession; // a game (session.h)

// A table ends with a zeroed route. Paths are relative to /api/v1: "/sessions/{id}/play".
struct WebRoute {
    const char *method; // GET, POST or DELETE
    const char *path;
    WebHandler *handler;
    unsigned flags;
    const char *summary; // for docs/openapi.json
    const char *names;   // of the fields of a POST, or the query parameters of a GET; any other is refused. NULL: any
    Status (*action)(WebSession *session, WebCall *call); // of web_play_act
    int64_t change;                                       // of handlers that make one of several changes
};

// The tables of the program, NULL at the end.
extern const WebRoute *const web_route_tables[];

// --- Requests ---

// Query parameters and fields are read one after another. The first error is kept, with the name of the field: check
// call->error->status once, after all have been read.

// Raised when the answer is not wanted any more: the client or the session is gone, or the server ends.
const atomic_bool *web_stop(const WebCall *call);

// The value of a query parameter; NULL when it is absent.
const char *web_query(const WebCall *call, const char *name);

// A whole number, `usual` when the parameter is absent or wrong.
int64_t web_query_int(WebCall *call, const char *name, int64_t min, int64_t max, int64_t usual);

// The number in the path, from 1; 0 if it is invalid.
int64_t web_path_id(const WebCall *call);

// The call with an object of its body as its body. `names`: the fields it may have, separated by blanks.
WebCall web_inner(WebCall *call, const json_t *object, const char *names);

// Whether a field is present and not null.
bool web_field_has(const WebCall *call, const char *name);

// Each returns the value of the field, or NULL or `usual` when it is absent or wrong. Texts are borrowed from the body,
// have at most `max` bytes, and no zero bytes.
const char *web_field_text(WebCall *call, const char *name, size_t max);
int64_t web_field_int(WebCall *call, const char *name, int64_t min, int64_t max, int64_t usual);
double web_field_real(WebCall *call, const char *name, double min, double max, double usual);
bool web_field_bool(WebCall *call, const char *name, bool usual);
const json_t *web_field_object(WebCall *call, const char *name);
const json_t *web_field_array(WebCall *call, const char *name, size_t max);

// Reports a required field that is absent.
void web_field_need(WebCall *call, const char *name);

// jansson cannot iterate over a const object.
json_t *web_iterable(const json_t *object);

// Refuses the fields or query parameters that the route does not list.
Status web_check_names(WebCall *call);

// Fills in the failure: HTTP status and field (NULL for none). Returns the Status, so that a failure is one line:
// return web_fail(call, 409, NULL, "the game is over").
Status web_fail(WebCall *call, unsigned http, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// After a failure, names the field that caused it. Returns `status`.
Status web_blame(WebCall *call, const char *field, Status status);

// The HTTP status of a Status: 400 for wrong input, 409 for an impossible request, 503 when memory ran out, else 500.
unsigned web_status(Status status);

// A number for JSON, null for 0: an unknown moment, a match that does not exist.
json_t *web_number_json(int64_t number);

// The colour of a side: "Black", "White"; with gravity "Red", "Yellow".
const char *web_side_name(const Rules *rules, Side side);

// --- Topics ---

// A topic sends messages to its listeners and keeps the newest message of each key for later ones. A slow listener
// misses messages that a newer one of the same key has replaced, and never delays others. Any thread may call these.
WebTopic *web_topic_open(void);
WebTopic *web_topic_hold(WebTopic *topic); // one more owner; reply->topic is one
void web_topic_release(WebTopic *topic);   // the last owner frees it; NULL is allowed

// Sends an event; takes `data`. It replaces older messages with the same `key`: the event's name, or "board 3". With
// `keeps`, later listeners receive it too.
void web_topic_send(WebTopic *topic, const char *event, const char *key, bool keeps, json_t *data);

// A topic can serve two kinds of listeners: those that receive whole states and those that receive updates of them
// (reply->takes_updates). A kept state is for all later listeners, a kept update for later listeners of updates.
typedef enum { WEB_TO_ALL, WEB_TO_WHOLE, WEB_TO_UPDATES } WebAudience;

// As above, with `keeps`, to some of the present listeners.
void web_topic_send_to(WebTopic *topic, WebAudience audience, const char *event, const char *key, json_t *data);

// Drops the kept message of a key.
void web_topic_forget(WebTopic *topic, const char *key);

// Ends the streams of all listeners.
void web_topic_end(WebTopic *topic);

// The number of listeners; and the time when the last one left, as clock_seconds (the time of opening if none came).
unsigned web_topic_listeners(WebTopic *topic);
double web_topic_left(WebTopic *topic);

// --- Agents over HTTP ---

// Whether an agent may be opened for a client: only built-in ones, without a command, a file or another agent that has
// one, and with numbers within the limits of a server. On success `text` is the agent to open. Otherwise reply->status
// is 403 for what is never allowed and 400 for wrong input.
enum {
    WEB_AGENT_SIZE = 256,
    // Stones of a turn: agents that rate cells need seconds for many, and cannot be stopped meanwhile.
    WEB_TURN_MAX = 16,
};
Status web_agent_check(WebCall *call, const char *field, const char *agent, const Rules *rules,
                       char text[WEB_AGENT_SIZE]);

// --- State of the server ---

typedef struct WebPool WebPool;           // threads for agents (pool.h)
typedef struct WebStops WebStops;         // requests that think (stops.h)
typedef struct WebSessions WebSessions;   // games of people (session.h)
typedef struct WebMatches WebMatches;     // matches of agents (matches.h)
typedef struct WebJobs WebJobs;           // jobs of workers (jobs.h)
typedef struct WebFriends WebFriends;     // games between two seats (friends.h)
typedef struct WebExplorers WebExplorers; // games of the database in memory (explore.h)
typedef struct WebSaves WebSaves;         // finished games that are saved (saves.h)

struct WebContext {
    const AgentHost *host; // books and patterns for agents
    const char *db;        // as given by --db: NULL for the default database, "none" for none
    WebPool *pool;
    WebStops *stops; // NULL: requests that think only end with the server
    WebSessions *sessions;
    WebMatches *matches;
    WebJobs *jobs;
    WebFriends *friends;
    WebExplorers *explorers;
    WebSaves *saves;  // NULL: finished games are not saved
    atomic_bool stop; // the server stops: agents should answer at once
};
