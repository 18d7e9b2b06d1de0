// The addresses at which other machines reach the server.
#include "web/friends/friends_internal.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>

static void add_address(json_t *list, const char *host, unsigned port)
{
    bool is_v6 = strchr(host, ':') != NULL;
    (void)json_array_append_new(list, json_sprintf(is_v6 ? "http://[%s]:%u" : "http://%s:%u", host, port));
}

static void add_interface(json_t *list, const struct ifaddrs *interface, bool with_v6, unsigned port)
{
    char text[INET6_ADDRSTRLEN];
    union {
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
    if (interface->ifa_addr == NULL || !(interface->ifa_flags & IFF_UP) || (interface->ifa_flags & IFF_LOOPBACK))
        return;
    if (interface->ifa_addr->sa_family == AF_INET) {
        memcpy(&address.v4, interface->ifa_addr, sizeof address.v4);
        if (inet_ntop(AF_INET, &address.v4.sin_addr, text, sizeof text) != NULL)
            add_address(list, text, port);
    } else if (interface->ifa_addr->sa_family == AF_INET6 && with_v6) {
        memcpy(&address.v6, interface->ifa_addr, sizeof address.v6);
        // An address of the link needs the name of the interface, which a Host header cannot have.
        if (!IN6_IS_ADDR_LINKLOCAL(&address.v6.sin6_addr) &&
            inet_ntop(AF_INET6, &address.v6.sin6_addr, text, sizeof text) != NULL)
            add_address(list, text, port);
    }
}

json_t *friends_reach_json(const WebReach *reach)
{
    const WebGuard *guard = reach->guard;
    json_t *list = json_array();
    bool is_any = strcmp(guard->address, "0.0.0.0") == 0 || strcmp(guard->address, "::") == 0;
    struct ifaddrs *interfaces = NULL;
    if (!guard->is_loopback && !is_any)
        add_address(list, guard->address, reach->port);
    else if (is_any && getifaddrs(&interfaces) == 0) {
        for (const struct ifaddrs *interface = interfaces; interface != NULL; interface = interface->ifa_next)
            add_interface(list, interface, strcmp(guard->address, "::") == 0, reach->port);
        freeifaddrs(interfaces);
    }
    return json_pack("{s:b, s:o}", "loopback", guard->is_loopback, "addresses", list);
}
