// Limits of connections: a deadline for the headers of a request, and a number of connections and slow requests for
// each address beyond this machine. A server with many connections drops the oldest one that has not sent a request.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

enum {
    WEB_CONNECTIONS_MAX = 1000,
    WEB_CONNECTIONS_CROWDED = 700,  // connections above which those without a request make room
    WEB_ADDRESS_CONNECTIONS = 100,  // of an address beyond this machine
    WEB_ADDRESS_SLOW_REQUESTS = 16, // likewise, that wait at the same time
    WEB_ADDRESS_SIZE = 48,
};

typedef struct WebConnection WebConnection;
struct WebConnection {
    int fd;
    char address[WEB_ADDRESS_SIZE]; // of the client; of IPv6 the network alone; "" if unknown
    bool is_local;                  // a client of this machine
    double since;                   // clock_seconds of the start, or of the end of the last request
    bool is_new;                    // has not sent a request yet
    bool in_request;                // the headers are complete, the answer is not
    bool is_slow;                   // waits for a thread
    bool is_dropped;
    WebConnection *next;
};

typedef struct {
    pthread_mutex_t lock; // of all that follows
    WebConnection *first;
    unsigned count;
} WebConnections;

void web_connections_open(WebConnections *connections);
void web_connections_close(WebConnections *connections);

// Writes the address of a client, without its port. A network of IPv6 belongs to one household.
void web_address_format(const struct sockaddr *from, char text[WEB_ADDRESS_SIZE], bool *is_local);

// Whether a new connection is allowed; makes room for it.
bool web_connections_admit(WebConnections *connections, const struct sockaddr *from);

WebConnection *web_connections_add(WebConnections *connections, int fd, const struct sockaddr *from);
void web_connections_remove(WebConnections *connections, WebConnection *connection);

// The headers of a request have arrived; its answer has been sent.
void web_connections_begin(WebConnections *connections, WebConnection *connection);
void web_connections_end(WebConnections *connections, WebConnection *connection);

// Whether a slow request may wait, and that it does; call web_connections_end after it.
bool web_connections_wait(WebConnections *connections, WebConnection *connection);

// Call it a few times per second, with clock_seconds: drops connections whose headers are late.
void web_connections_tick(WebConnections *connections, double now);
