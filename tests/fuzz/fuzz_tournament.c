// Tournament files: an accepted file, written as canonical text and read again, gives the same text.
#include "fuzz/fuzz.h"
#include "match/tournament.h"

#include <stdlib.h>
#include <string.h>

FUZZ_TARGET(tournament)
{
    Tournament event, again;
    tournament_init(&event);
    tournament_init(&again);
    Text first = {0}, second = {0};
    Error error = {0};
    Status status = tournament_read(&event, (Span){(const char *)data, size}, &error);
    if (status != STATUS_OK && error.text[0] == '\0')
        abort();
    if (status == STATUS_OK && event.has_rules) {
        tournament_write(&event, NULL, &first);
        if (tournament_read(&again, (Span){first.data, first.length}, NULL) != STATUS_OK)
            abort();
        tournament_write(&again, NULL, &second);
        if (strcmp(first.data, second.data) != 0)
            abort();
    }
    text_close(&first);
    text_close(&second);
    tournament_close(&event);
    tournament_close(&again);
    return 0;
}
