// An event stream (Server-Sent Events): what one listener of a topic has still to be sent. web_api.h has the topics.
//
// Whoever writes to the socket reads from the stream. Where there is nothing to read it is put to sleep, and woken when
// something comes; both happen under the lock of the topic, so that nothing comes in between.
#pragma once

#include "frontends/web_api.h"

#include <sys/types.h>

typedef struct WebStream WebStream;

typedef struct {
    void *context;
    void (*sleep)(void *context); // by the thread that reads
    void (*wake)(void *context);  // by any thread, once after each sleep
} WebSleeper;

// Begins with what the topic keeps. Holds the topic.
Status web_stream_open(WebStream **result, WebTopic *topic, WebSleeper sleeper, Error *error);
void web_stream_close(WebStream *stream); // NULL is fine

// The next bytes, at most `size`. 0: there are none now, and it sleeps; -1: the stream has ended.
ssize_t web_stream_read(WebStream *stream, char *bytes, size_t size);

// A comment, so that a lost connection is noticed, if nothing else is to be sent.
void web_stream_beat(WebStream *stream);

// Nothing more is sent.
void web_stream_end(WebStream *stream);
