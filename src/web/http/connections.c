// Limits of connections. The server's library has a limit for silence only, so that a client that sends a byte now and
// then would keep its connection for ever.
#include "web/http/connections.h"

#include "base/clock.h"
#include "base/memory.h"
#include "web/http/lock.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

// Seconds until the headers of the first request are complete; and of a later one, after the answer before it. The
// second is longer than the silence after which the library closes a connection.
static const double first_seconds = 10, next_seconds = 30;

void web_connections_open(WebConnections *connections)
{
    *connections = (WebConnections){0};
    (void)pthread_mutex_init(&connections->lock, NULL);
}

void web_connections_close(WebConnections *connections)
{
    while (connections->first != NULL)
        web_connections_remove(connections, connections->first);
    (void)pthread_mutex_destroy(&connections->lock);
}

void web_address_format(const struct sockaddr *from, char text[WEB_ADDRESS_SIZE], bool *is_local)
{
    union {
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    text[0] = '\0';
    *is_local = false;
    if (from == NULL)
        return;
    bool is_v4 = from->sa_family == AF_INET;
    memcpy(&address, from, is_v4 ? sizeof address.v4 : sizeof address.v6);
    if (is_v4) {
        *is_local = ntohl(address.v4.sin_addr.s_addr) >> 24 == 127;
        (void)inet_ntop(AF_INET, &address.v4.sin_addr, text, WEB_ADDRESS_SIZE);
        return;
    }
    enum { NETWORK_BYTES = 8, MAPPED_V4 = 12 };
    struct in6_addr *v6 = &address.v6.sin6_addr;
    bool is_mapped = IN6_IS_ADDR_V4MAPPED(v6);
    *is_local = IN6_IS_ADDR_LOOPBACK(v6) || (is_mapped && v6->s6_addr[MAPPED_V4] == 127);
    if (!is_mapped)
        memset(v6->s6_addr + NETWORK_BYTES, 0, sizeof v6->s6_addr - NETWORK_BYTES);
    (void)inet_ntop(AF_INET6, v6, text, WEB_ADDRESS_SIZE);
}

// The library notices the end of a connection that was shut down, and removes it.
static void drop(WebConnection *connection)
{
    connection->is_dropped = true;
    (void)shutdown(connection->fd, SHUT_RDWR);
}

static void drop_oldest(WebConnections *connections)
{
    WebConnection *oldest = NULL;
    for (WebConnection *at = connections->first; at != NULL; at = at->next)
        if (!at->in_request && !at->is_dropped &&
            (oldest == NULL || at->is_new > oldest->is_new ||
             (at->is_new == oldest->is_new && at->since < oldest->since)))
            oldest = at;
    if (oldest != NULL)
        drop(oldest);
}

bool web_connections_admit(WebConnections *connections, const struct sockaddr *from)
{
    char address[WEB_ADDRESS_SIZE];
    bool is_local = false;
    unsigned same = 0;
    web_address_format(from, address, &is_local);
    WEB_LOCK(&connections->lock);
    for (const WebConnection *at = connections->first; at != NULL && !is_local; at = at->next)
        same += !at->is_dropped && strcmp(at->address, address) == 0;
    if (same >= WEB_ADDRESS_CONNECTIONS)
        return false;
    if (connections->count >= WEB_CONNECTIONS_CROWDED)
        drop_oldest(connections);
    return true;
}

WebConnection *web_connections_add(WebConnections *connections, int fd, const struct sockaddr *from)
{
    WebConnection *connection = memory_new(1, sizeof *connection);
    *connection = (WebConnection){.fd = fd, .since = clock_seconds(), .is_new = true};
    web_address_format(from, connection->address, &connection->is_local);
    WEB_LOCK(&connections->lock);
    connection->next = connections->first;
    connections->first = connection;
    connections->count++;
    return connection;
}

void web_connections_remove(WebConnections *connections, WebConnection *connection)
{
    WEB_LOCK(&connections->lock);
    WebConnection **at = &connections->first;
    while (*at != NULL && *at != connection)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = connection->next;
    connections->count--;
    free(connection);
}

void web_connections_begin(WebConnections *connections, WebConnection *connection)
{
    WEB_LOCK(&connections->lock);
    connection->in_request = true;
    connection->is_new = false;
}

void web_connections_end(WebConnections *connections, WebConnection *connection)
{
    WEB_LOCK(&connections->lock);
    connection->in_request = connection->is_slow = false;
    connection->since = clock_seconds();
}

bool web_connections_wait(WebConnections *connections, WebConnection *connection)
{
    unsigned same = 0;
    WEB_LOCK(&connections->lock);
    for (const WebConnection *at = connections->first; at != NULL && !connection->is_local; at = at->next)
        same += at->is_slow && strcmp(at->address, connection->address) == 0;
    connection->is_slow = same < WEB_ADDRESS_SLOW_REQUESTS;
    return connection->is_slow;
}

void web_connections_tick(WebConnections *connections, double now)
{
    WEB_LOCK(&connections->lock);
    for (WebConnection *at = connections->first; at != NULL; at = at->next)
        if (!at->in_request && !at->is_dropped && now - at->since > (at->is_new ? first_seconds : next_seconds))
            drop(at);
}
