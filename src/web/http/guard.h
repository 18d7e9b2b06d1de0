// Access control: checks of host name, origin and token, as functions of the headers.
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { WEB_TOKEN_SIZE = 33 }; // 32 digits: 128 random bits

// Fills a text of `size` bytes with random hexadecimal digits from the system; `size` is odd.
Status web_secret_make(char *secret, size_t size, Error *error);

// Compares a text with a secret in constant time. An empty secret equals nothing.
bool web_secret_is(const char *secret, const char *text);

typedef struct {
    bool is_loopback;           // bound to this machine alone
    char address[64];           // bound address, without brackets
    char name[256];             // of this machine; "" for none
    char token[WEB_TOKEN_SIZE]; // "": none required
} WebGuard;

// `bind`: the address of --bind. If other machines can reach it, a token is generated.
Status web_guard_open(WebGuard *guard, const char *bind, Error *error);

// The headers of a request; NULL for an absent one.
typedef struct {
    const char *method, *path;
    const char *host, *origin, *site, *mode; // Host, Origin, Sec-Fetch-Site, Sec-Fetch-Mode
    const char *type;                        // Content-Type
    const char *cookie, *authorization;      // the cookie krow_token alone
    const char *token;                       // in the query of the page itself
    bool is_open;                            // needs no token: a file of the page, or a route with WEB_SEAT
} WebHeaders;

typedef struct {
    unsigned status; // 0: allowed; else 400, 401, 403 or 415
    const char *error;
} WebVerdict;

// Pages of other sites must not reach the server: neither by a name that points here (Host), nor by requests of a
// browser that has both open (Origin, Sec-Fetch-Site), nor by a form (Content-Type). If other machines can connect,
// every request that is not open needs the token.
WebVerdict web_guard_check(const WebGuard *guard, const WebHeaders *headers);

bool web_guard_is_token(const WebGuard *guard, const char *text);
