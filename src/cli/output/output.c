// Results on standard output.
#include "cli/output/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Status output_json(json_t *object, Error *error)
{
    int failed = object == NULL || json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15)) != 0;
    json_decref(object);
    if (failed)
        return error_set(error, STATUS_IO, "the JSON could not be written");
    (void)putchar('\n');
    return STATUS_OK;
}

bool output_has_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}
