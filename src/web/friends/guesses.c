// Wrong secrets of each address within the last minute.
#include "web/friends/guesses.h"

#include <stdio.h>
#include <string.h>

static const double window = 60; // seconds

bool guesses_may(const Guesses *guesses, const char *peer, double now)
{
    for (int i = 0; i < GUESSES_ADDRESSES; i++)
        if (guesses->of[i].count > 0 && strcmp(guesses->of[i].peer, peer) == 0)
            return guesses->of[i].count < GUESSES_MAX || now - guesses->of[i].since >= window;
    return true;
}

void guesses_count(Guesses *guesses, const char *peer, double now)
{
    int at = 0;
    for (int i = 0; i < GUESSES_ADDRESSES; i++) {
        if (guesses->of[i].count > 0 && strcmp(guesses->of[i].peer, peer) == 0) {
            at = i;
            break;
        }
        if (guesses->of[i].count == 0 || (guesses->of[at].count > 0 && guesses->of[i].since < guesses->of[at].since))
            at = i;
    }
    bool is_same = guesses->of[at].count > 0 && strcmp(guesses->of[at].peer, peer) == 0;
    if (!is_same || now - guesses->of[at].since >= window) {
        guesses->of[at].count = 0;
        guesses->of[at].since = now;
        (void)snprintf(guesses->of[at].peer, sizeof guesses->of[at].peer, "%s", peer);
    }
    guesses->of[at].count++;
}
