// Counts wrong secrets for each address of a client, to refuse those who guess.
#pragma once

#include "web/http/api.h"

enum {
    GUESSES_MAX = 10,      // wrong secrets of an address within a minute
    GUESSES_ADDRESSES = 64 // addresses that are remembered; the oldest is forgotten
};

typedef struct {
    struct {
        char peer[WEB_PEER_SIZE];
        unsigned count;
        double since; // the first one of this minute
    } of[GUESSES_ADDRESSES];
} Guesses;

// Whether an address may try a secret. `now`: clock_seconds.
bool guesses_may(const Guesses *guesses, const char *peer, double now);

// Counts a wrong one.
void guesses_count(Guesses *guesses, const char *peer, double now);
