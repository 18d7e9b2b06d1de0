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

Status web_secret_make(char *secret, size_t size, Error *error)
{
    for (size_t i = 0; i + 1 < size; i += 2) {
        unsigned char byte = 0;
        if (getrandom(&byte, 1, 0) != 1)
            return error_set(error, STATUS_FAILED, "cannot generate a random token: %s", strerror(errno));
        (void)snprintf(secret + i, 3, "%02x", byte);
    }
    return STATUS_OK;
}

bool web_secret_is(const char *secret, const char *text)
{
    unsigned char difference = 0;
    size_t length = strlen(secret);
    if (length == 0 || text == NULL || strlen(text) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(text[i] ^ secret[i]);
    return difference == 0;
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
    return web_secret_make(guard->token, sizeof guard->token, error);
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
    return web_secret_is(guard->token, text);
}

// Whether a request has the token, or none is required.
static bool is_trusted(const WebGuard *guard, const WebHeaders *headers)
{
    static const char bearer[] = "Bearer ";
    size_t length = sizeof bearer - 1;
    const char *given = headers->authorization;
    return guard->token[0] == '\0' || web_guard_is_token(guard, headers->cookie) ||
           web_guard_is_token(guard, headers->token) ||
           (given != NULL && strncasecmp(given, bearer, length) == 0 && web_guard_is_token(guard, given + length));
}

WebVerdict web_guard_check(const WebGuard *guard, const WebHeaders *headers)
{
    if (!is_our_host(guard, headers->host))
        return (WebVerdict){403, "this server does not answer to that name; open the address that krow serve printed"};
    if (is_from_elsewhere(headers))
        return (WebVerdict){403, "the request comes from another site"};
    bool is_wrong = headers->token != NULL && guard->token[0] != '\0' && !web_guard_is_token(guard, headers->token);
    if ((is_wrong || !headers->is_open) && !is_trusted(guard, headers))
        return (WebVerdict){401, "the token is missing; open the address that krow serve printed, with its token"};
    if (strcmp(headers->method, "GET") != 0 && strcmp(headers->method, "HEAD") != 0 && !is_json(headers->type))
        return (WebVerdict){415, "the Content-Type must be application/json"};
    return (WebVerdict){0};
}
