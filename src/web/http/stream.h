// An event stream (Server-Sent Events): the messages that one listener of a topic still has to receive. api.h has the
// topics.
//
// The thread that writes to the socket reads from the stream. When the stream is empty, the connection is suspended
// until a message arrives; both happen under the lock of the topic, so that no message is missed.
#pragma once

#include "web/http/api.h"

#include <sys/types.h>

typedef struct WebStream WebStream;

typedef struct {
    void *context;
    void (*sleep)(void *context); // by the thread that reads
    void (*wake)(void *context);  // by any thread, once after each sleep
} WebSleeper;

// Begins with the stored messages of the topic. Holds the topic.
WebStream *web_stream_open(WebTopic *topic, WebSleeper sleeper, bool takes_updates);
void web_stream_close(WebStream *stream); // NULL is allowed

// The next bytes, at most `size`. 0: none now, and the stream sleeps; -1: the stream has ended.
ssize_t web_stream_read(WebStream *stream, char *bytes, size_t size);

// Sends a comment if nothing else waits, so that a lost connection is noticed.
void web_stream_beat(WebStream *stream);

void web_stream_end(WebStream *stream);
