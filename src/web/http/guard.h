// Access control: checks of host name, origin and token, as functions of the headers.
#pragma once

#include "base/status.h"

#include <stdbool.h>

enum { WEB_TOKEN_SIZE = 33 }; // 32 digits

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
} WebHeaders;

typedef struct {
    unsigned status; // 0: allowed; else 400, 401, 403 or 415
    const char *error;
} WebVerdict;

// Pages of other sites must not reach the server: neither by a name that points here (Host), nor by requests of a
// browser that has both open (Origin, Sec-Fetch-Site), nor by a form (Content-Type). If other machines can connect,
// every request needs the token.
WebVerdict web_guard_check(const WebGuard *guard, const WebHeaders *headers);

// Compares a text with the token in constant time.
bool web_guard_is_token(const WebGuard *guard, const char *text);
