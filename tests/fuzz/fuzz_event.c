// Tournament files: what is accepted, written as canonical text and read again, gives the same text.
#include "match/event.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Event event, again;
    event_init(&event);
    event_init(&again);
    Text first = {0}, second = {0};
    Error error = {0};
    Status status = event_read(&event, (Span){(const char *)data, size}, &error);
    if (status != STATUS_OK && error.text[0] == '\0')
        abort();
    if (status == STATUS_OK && event.has_rules) {
        event_write(&event, NULL, &first);
        if (event_read(&again, (Span){first.data, first.length}, NULL) != STATUS_OK)
            abort();
        event_write(&again, NULL, &second);
        if (strcmp(first.data, second.data) != 0)
            abort();
    }
    text_close(&first);
    text_close(&second);
    event_close(&event);
    event_close(&again);
    return 0;
}
