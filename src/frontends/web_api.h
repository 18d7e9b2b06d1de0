// How a part of the web board answers requests: handlers, the table of routes, and what is sent to those who listen.
//
// A handler gets a request whose route, origin, token and body have been checked, and fills a reply. It knows nothing
// of sockets. A route that is not marked WEB_SLOW is answered by the thread that serves all connections, within a
// millisecond or so; a slow one by another thread, while its connection waits.
#pragma once

#include "agents/agent.h"

#include <jansson.h>

enum {
    WEB_PARAMETERS_MAX = 2,   // parts of a path in braces
    WEB_QUERIES_MAX = 12,     // values after the question mark
    WEB_FIELD_SIZE = 32,      // a name of a field
    WEB_BODY_USUAL = 1 << 16, // bytes of a body, unless the route allows more
};

typedef struct WebContext WebContext; // what the program keeps between requests
typedef struct WebTopic WebTopic;     // something to listen to, as a session or a match

typedef struct {
    const char *name, *value;
} WebQuery;

typedef struct {
    const char *parameter[WEB_PARAMETERS_MAX]; // what stands in the path for {…}, in order
    WebQuery query[WEB_QUERIES_MAX];
    unsigned query_count;
    const json_t *body; // an object; of a request without a body an empty one
} WebRequest;

// Zeroed is "200, nothing". One of `json`, `text` and `topic` is set at most; the server releases all of them.
typedef struct {
    unsigned status; // of HTTP; 0: 200, or of a failure what its Status means (web_status)
    json_t *json;
    Text text;                  // sent as it is, as a file to be kept
    char name[64];              // of that file
    const char *type;           // of that file; NULL: text/plain
    WebTopic *topic;            // an event stream begins: what the topic keeps, then what is sent to it
    char field[WEB_FIELD_SIZE]; // of a failure: the field that is wrong, "" for none
    unsigned line;              // of a failure: the line of a text in the body, 0 for none
} WebReply;

// On a failure the server sends {"error": the text, "field", "line"}. Set reply->status for anything but what
// web_status makes of the Status.
typedef Status WebHandler(WebContext *context, const WebRequest *request, WebReply *reply, Error *error);

typedef enum {
    WEB_SLOW = 1,   // may take longer than a millisecond: files, the database
    WEB_THINKS = 2, // takes long: waits for one of the threads that think, and polls context->stop
    WEB_LARGE = 4,  // the body may have WEB_BODY_LARGE bytes
} WebRouteFlags;

enum { WEB_BODY_LARGE = 4 << 20 };

// A table of these ends with a zeroed one. Paths stand below /api/v1: "/sessions/{id}/play".
typedef struct {
    const char *method; // GET, POST or DELETE
    const char *path;
    WebHandler *handler;
    unsigned flags;
    const char *words; // what it does, for docs/openapi.json
} WebRoute;

// The tables of the program, NULL at the end.
extern const WebRoute *const web_route_tables[];

// --- Requests ---

// A value after the question mark; NULL where it is not given.
const char *web_query(const WebRequest *request, const char *name);

// Fails on a query whose name is not among these words.
Status web_query_check(const WebRequest *request, const char *names, WebReply *reply, Error *error);

// A whole number there, `usual` where it is not given.
Status web_query_int(const WebRequest *request, const char *name, int64_t min, int64_t max, int64_t usual,
                     int64_t *number, WebReply *reply, Error *error);

// The fields of an object of a body, read one after another. The first thing that is wrong is kept, with the name of
// the field: ask fields.status once, after all have been read.
typedef struct {
    const json_t *object;
    WebReply *reply;
    Error *error;
    Status status;
} WebFields;

// `names`: all that may stand in the object, separated by blanks. Anything else is an error.
WebFields web_fields(const json_t *object, const char *names, WebReply *reply, Error *error);

// Whether a field is there, and not null.
bool web_field_has(const WebFields *fields, const char *name);

// Each returns what is told for it, or what stands for nothing (NULL, `usual`). Texts are borrowed from the body, at
// most `max` bytes, and without zeros.
const char *web_field_text(WebFields *fields, const char *name, size_t max);
int64_t web_field_int(WebFields *fields, const char *name, int64_t min, int64_t max, int64_t usual);
double web_field_real(WebFields *fields, const char *name, double min, double max, double usual);
bool web_field_bool(WebFields *fields, const char *name, bool usual);
const json_t *web_field_object(WebFields *fields, const char *name);
const json_t *web_field_array(WebFields *fields, const char *name, size_t max);

// Says that a field which is needed is not there.
void web_field_need(WebFields *fields, const char *name);

// Fills in the failure: the number of HTTP, and the field (NULL for none). Returns the status, so that it is one line:
// return web_fail(reply, 409, NULL, error, "the game is over").
Status web_fail(WebReply *reply, unsigned http, const char *field, Error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// What a Status means to a client: 400 for wrong input, 409 for what cannot be done, 503 where memory ran out, 500.
unsigned web_status(Status status);

// --- Those who listen ---

// A topic keeps the newest message of each key for those who come later, and gives every message to those who listen.
// Somebody slow misses messages that a newer one of the same key has replaced, and never holds anybody up. All of this
// may be called by any thread.
Status web_topic_open(WebTopic **result, Error *error);
WebTopic *web_topic_hold(WebTopic *topic); // one more owner; reply->topic is to be one
void web_topic_release(WebTopic *topic);   // the last one frees it; NULL is fine

// Sends an event (takes `data`). `key` tells what it replaces: the event's own name, or "board 3". Where `keeps`, it is
// kept for those who come later.
void web_topic_send(WebTopic *topic, const char *event, const char *key, bool keeps, json_t *data);

// Nothing of this key is kept any more.
void web_topic_forget(WebTopic *topic, const char *key);

// Ends the streams of all who listen.
void web_topic_end(WebTopic *topic);

// How many listen now; and since when nobody does, as clock_seconds (of the beginning where nobody ever did).
unsigned web_topic_listeners(WebTopic *topic);
double web_topic_left(WebTopic *topic);

// --- Agents over HTTP ---

// Whether an agent may be opened for somebody at the other end of a connection: one of the built-in ones, without a
// command, a file or another agent that has one, and with numbers within what a server can afford. On success `text` is
// the agent as it is to be opened. Otherwise reply->status is 403 for what is never allowed, 400 for what is wrong.
enum {
    WEB_AGENT_SIZE = 256,
    WEB_TURN_MAX =
        16, // stones of a turn: agents that rate cells take seconds for many, and cannot be stopped meanwhile
};
Status web_agent_check(const char *agent, const Rules *rules, const char *field, char text[WEB_AGENT_SIZE],
                       WebReply *reply, Error *error);

// --- What the program keeps ---

typedef struct WebPool WebPool;         // threads that think (web_pool.h)
typedef struct WebSessions WebSessions; // games of people (web_sessions.h)
typedef struct WebMatches WebMatches;   // matches of agents (web_matches.h)
typedef struct WebJobs WebJobs;         // jobs of workers (web_jobs.h)

struct WebContext {
    const AgentHost *host; // books and patterns for agents
    const char *db;        // as --db says it: NULL for the usual database, "none" for none
    WebPool *pool;
    WebSessions *sessions;
    WebMatches *matches;
    WebJobs *jobs;
    atomic_bool stop; // the server ends: whatever thinks should answer at once
};
