// Topics and the event streams of their listeners: messages are shared, counted, and replaced by key.
#include "web/http/stream.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    PENDING_MAX = 96, // messages of different keys that wait for a listener; the oldest is lost then
    KEPT_MAX = 80,    // keys a topic keeps
    KEY_SIZE = 32,
};

// One message, shared by all listeners that will receive it.
typedef struct {
    unsigned owners; // under the lock of the topic
    WebAudience audience;
    char key[KEY_SIZE];
    size_t length;
    char bytes[];
} Message;

struct WebStream {
    WebTopic *topic;
    WebStream *next;
    WebSleeper sleeper;
    bool sleeps, ended, beats;
    bool takes_updates;
    Message *current; // being sent
    size_t sent;      // of it
    unsigned count;
    Message *pending[PENDING_MAX]; // the oldest first
};

struct WebTopic {
    pthread_mutex_t lock; // of all members below, and of the streams
    unsigned owners, listeners;
    double left;
    WebStream *streams;
    unsigned count;
    Message *kept[KEPT_MAX];
};

// --- Messages ---

static Message *message_make(const char *event, const char *key, const json_t *data)
{
    size_t size = json_dumpb(data, NULL, 0, JSON_COMPACT | JSON_REAL_PRECISION(9));
    size_t head = strlen("event: \ndata: ") + strlen(event);
    Message *message = memory_new(1, sizeof *message + head + size + 3);
    *message = (Message){.owners = 1};
    (void)strncat(message->key, key, KEY_SIZE - 1);
    (void)snprintf(message->bytes, head + 1, "event: %s\ndata: ", event);
    (void)json_dumpb(data, message->bytes + head, size, JSON_COMPACT | JSON_REAL_PRECISION(9));
    message->length = head + size + 2;
    message->bytes[message->length - 2] = message->bytes[message->length - 1] = '\n';
    return message;
}

static Message *plain_message(const char *text)
{
    Message *message = memory_new(1, sizeof *message + strlen(text));
    *message = (Message){.owners = 1, .length = strlen(text)};
    memcpy(message->bytes, text, message->length);
    return message;
}

static void message_release(Message *message)
{
    if (message != NULL && --message->owners == 0)
        free(message);
}

static int find_key(Message *const *list, unsigned count, const char *key)
{
    for (unsigned i = 0; i < count; i++)
        if (strncmp(list[i]->key, key, KEY_SIZE - 1) == 0)
            return (int)i;
    return -1;
}

static void take_out(Message **list, unsigned *count, unsigned at)
{
    message_release(list[at]);
    --*count;
    for (unsigned i = at; i < *count; i++)
        list[i] = list[i + 1];
}

// Adds a message at the end. It replaces one with the same key, or the oldest when the list is full: messages stay in
// the order of the newest of each key.
static void put(Message **list, unsigned *count, unsigned max, Message *message)
{
    int old = message->key[0] != '\0' ? find_key(list, *count, message->key) : -1;
    if (old >= 0)
        take_out(list, count, (unsigned)old);
    else if (*count == max)
        take_out(list, count, 0);
    message->owners++;
    list[(*count)++] = message;
}

// --- Streams ---

static void wake(WebStream *stream)
{
    if (!stream->sleeps)
        return;
    stream->sleeps = false;
    stream->sleeper.wake(stream->sleeper.context);
}

WebStream *web_stream_open(WebTopic *topic, WebSleeper sleeper, bool takes_updates)
{
    WebStream *stream = memory_new(1, sizeof *stream);
    stream->topic = web_topic_hold(topic);
    stream->sleeper = sleeper;
    stream->takes_updates = takes_updates;
    stream->current = plain_message("retry: 1000\n\n");
    WEB_LOCK(&topic->lock);
    for (unsigned i = 0; i < topic->count; i++)
        if (takes_updates || topic->kept[i]->audience != WEB_TO_UPDATES)
            put(stream->pending, &stream->count, PENDING_MAX, topic->kept[i]);
    stream->next = topic->streams;
    topic->streams = stream;
    topic->listeners++;
    return stream;
}

void web_stream_close(WebStream *stream)
{
    if (stream == NULL)
        return;
    WebTopic *topic = stream->topic;
    (void)pthread_mutex_lock(&topic->lock);
    WebStream **at = &topic->streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    if (--topic->listeners == 0)
        topic->left = clock_seconds();
    message_release(stream->current);
    for (unsigned i = 0; i < stream->count; i++)
        message_release(stream->pending[i]);
    (void)pthread_mutex_unlock(&topic->lock);
    free(stream);
    web_topic_release(topic);
}

// Takes the next message to send; false when none waits.
static bool advance(WebStream *stream)
{
    if (stream->current != NULL && stream->sent < stream->current->length)
        return true;
    message_release(stream->current);
    stream->current = NULL;
    stream->sent = 0;
    if (stream->count == 0)
        return false;
    stream->current = stream->pending[0];
    stream->current->owners++; // take_out releases it
    take_out(stream->pending, &stream->count, 0);
    return true;
}

static ssize_t read_locked(WebStream *stream, char *bytes, size_t size)
{
    static const char beat[] = ":\n\n";
    if (stream->ended)
        return -1;
    if (!advance(stream)) {
        if (stream->beats && size >= sizeof beat - 1) {
            stream->beats = false;
            memcpy(bytes, beat, sizeof beat - 1);
            return sizeof beat - 1;
        }
        stream->sleeps = true;
        stream->sleeper.sleep(stream->sleeper.context);
        return 0;
    }
    size_t left = stream->current->length - stream->sent, part = left < size ? left : size;
    memcpy(bytes, stream->current->bytes + stream->sent, part);
    stream->sent += part;
    return (ssize_t)part;
}

ssize_t web_stream_read(WebStream *stream, char *bytes, size_t size)
{
    WEB_LOCK(&stream->topic->lock);
    return read_locked(stream, bytes, size);
}

void web_stream_beat(WebStream *stream)
{
    WEB_LOCK(&stream->topic->lock);
    stream->beats = true;
    wake(stream);
}

void web_stream_end(WebStream *stream)
{
    WEB_LOCK(&stream->topic->lock);
    stream->ended = true;
    wake(stream);
}

// --- Topics ---

WebTopic *web_topic_open(void)
{
    WebTopic *topic = memory_new(1, sizeof *topic);
    (void)pthread_mutex_init(&topic->lock, NULL);
    topic->owners = 1;
    topic->left = clock_seconds();
    return topic;
}

WebTopic *web_topic_hold(WebTopic *topic)
{
    WEB_LOCK(&topic->lock);
    topic->owners++;
    return topic;
}

void web_topic_release(WebTopic *topic)
{
    if (topic == NULL)
        return;
    (void)pthread_mutex_lock(&topic->lock);
    bool is_last = --topic->owners == 0;
    (void)pthread_mutex_unlock(&topic->lock);
    if (!is_last)
        return;
    for (unsigned i = 0; i < topic->count; i++)
        message_release(topic->kept[i]);
    (void)pthread_mutex_destroy(&topic->lock);
    free(topic);
}

// Sends the message and takes it.
static void send_message(WebTopic *topic, Message *message, bool keeps)
{
    WEB_LOCK(&topic->lock);
    if (keeps)
        put(topic->kept, &topic->count, KEPT_MAX, message);
    for (WebStream *stream = topic->streams; stream != NULL; stream = stream->next) {
        if (message->audience != WEB_TO_ALL && stream->takes_updates != (message->audience == WEB_TO_UPDATES))
            continue;
        put(stream->pending, &stream->count, PENDING_MAX, message);
        wake(stream);
    }
    message_release(message);
}

void web_topic_send(WebTopic *topic, const char *event, const char *key, bool keeps, json_t *data)
{
    if (data == NULL) // not valid text
        return;
    Message *message = message_make(event, key, data);
    json_decref(data);
    send_message(topic, message, keeps);
}

void web_topic_send_to(WebTopic *topic, WebAudience audience, const char *event, const char *key, json_t *data)
{
    if (data == NULL)
        return;
    Message *message = message_make(event, key, data);
    message->audience = audience;
    json_decref(data);
    send_message(topic, message, true);
}

void web_topic_forget(WebTopic *topic, const char *key)
{
    WEB_LOCK(&topic->lock);
    int at = find_key(topic->kept, topic->count, key);
    if (at >= 0)
        take_out(topic->kept, &topic->count, (unsigned)at);
}

void web_topic_end(WebTopic *topic)
{
    WEB_LOCK(&topic->lock);
    for (WebStream *stream = topic->streams; stream != NULL; stream = stream->next) {
        stream->ended = true;
        wake(stream);
    }
}

unsigned web_topic_listeners(WebTopic *topic)
{
    WEB_LOCK(&topic->lock);
    return topic->listeners;
}

double web_topic_left(WebTopic *topic)
{
    WEB_LOCK(&topic->lock);
    return topic->left;
}
