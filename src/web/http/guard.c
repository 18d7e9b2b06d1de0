// Checks host, origin, token and content type of a request before anything else.
#include "web/http/guard.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

static bool is_address(const char *text)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

static bool is_loopback(const char *address)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, address, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

static Status make_token(char token[WEB_TOKEN_SIZE], Error *error)
{
    unsigned char bytes[(WEB_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return error_set(error, STATUS_FAILED, "cannot generate a random token: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return STATUS_OK;
}

Status web_guard_open(WebGuard *guard, const char *bind, Error *error)
{
    *guard = (WebGuard){0};
    if (strcmp(bind, "localhost") == 0)
        bind = "127.0.0.1";
    if (!is_address(bind))
        return error_set(error, STATUS_BAD_INPUT,
                         "--bind: '%s' is not an address; use one such as 127.0.0.1, 0.0.0.0 or ::1", bind);
    (void)snprintf(guard->address, sizeof guard->address, "%s", bind);
    guard->is_loopback = is_loopback(bind);
    if (guard->is_loopback)
        return STATUS_OK;
    if (gethostname(guard->name, sizeof guard->name - 1) != 0)
        guard->name[0] = '\0';
    return make_token(guard->token, error);
}

// The name in a Host header: without the port, and without the brackets of an IPv6 address.
static bool host_name(const char *host, char name[256])
{
    const char *end = NULL;
    if (host[0] == '[') {
        end = strchr(host, ']');
        host++;
    } else {
        end = strchr(host, ':');
        end = end != NULL ? end : host + strlen(host);
    }
    if (end == NULL || end == host || end - host >= 256)
        return false;
    memcpy(name, host, (size_t)(end - host));
    name[end - host] = '\0';
    const char *port = *end == ']' ? end + 1 : end;
    int64_t number = 0;
    return *port == '\0' || (*port == ':' && span_to_int(span_of(port + 1), 1, 65535, &number));
}

// Other sites can make a name point here (DNS rebinding), but not an address.
static bool is_our_host(const WebGuard *guard, const char *host)
{
    char name[256];
    if (host == NULL || !host_name(host, name))
        return false;
    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (guard->is_loopback)
        return is_loopback(name);
    return is_address(name) || (guard->name[0] != '\0' && strcasecmp(name, guard->name) == 0);
}

static bool is_our_origin(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    return strncasecmp(origin, scheme, length) == 0 && strcasecmp(origin + length, host) == 0;
}

// Whether the headers of a browser name another site as the sender. Any site may link to the page.
static bool is_from_elsewhere(const WebHeaders *headers)
{
    if (headers->origin != NULL && !is_our_origin(headers->origin, headers->host))
        return true;
    if (headers->site == NULL || strcmp(headers->site, "same-origin") == 0 || strcmp(headers->site, "none") == 0)
        return false;
    bool is_link = headers->mode != NULL && strcmp(headers->mode, "navigate") == 0;
    return !(is_link && strcmp(headers->method, "GET") == 0 && strncmp(headers->path, "/api/", 5) != 0);
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t length = sizeof json - 1;
    return type != NULL && strncasecmp(type, json, length) == 0 &&
           (type[length] == '\0' || type[length] == ';' || type[length] == ' ');
}

bool web_guard_is_token(const WebGuard *guard, const char *text)
{
    unsigned char difference = 0;
    if (text == NULL || strlen(text) != WEB_TOKEN_SIZE - 1)
        return false;
    for (size_t i = 0; i < WEB_TOKEN_SIZE - 1; i++)
        difference |= (unsigned char)(text[i] ^ guard->token[i]);
    return difference == 0;
}

static bool is_known(const WebGuard *guard, const WebHeaders *headers)
{
    static const char bearer[] = "Bearer ";
    size_t length = sizeof bearer - 1;
    const char *given = headers->authorization;
    return web_guard_is_token(guard, headers->cookie) || web_guard_is_token(guard, headers->token) ||
           (given != NULL && strncasecmp(given, bearer, length) == 0 && web_guard_is_token(guard, given + length));
}

WebVerdict web_guard_check(const WebGuard *guard, const WebHeaders *headers)
{
    if (!is_our_host(guard, headers->host))
        return (WebVerdict){403, "this server does not answer to that name; open the address that krow serve printed"};
    if (is_from_elsewhere(headers))
        return (WebVerdict){403, "the request comes from another site"};
    if (guard->token[0] != '\0' && !is_known(guard, headers))
        return (WebVerdict){401, "the token is missing; open the address that krow serve printed, with its token"};
    if (strcmp(headers->method, "GET") != 0 && strcmp(headers->method, "HEAD") != 0 && !is_json(headers->type))
        return (WebVerdict){415, "the Content-Type must be application/json"};
    return (WebVerdict){0};
}
