// Results on standard output.
#include "cli/output/output.h"

#include "base/file.h"
#include "game/notation.h"

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

Status output_write(const Text *text, const char *path, Error *error)
{
    if (path != NULL)
        return file_write(path, (Span){text->length > 0 ? text->data : "", text->length}, error);
    (void)fwrite(text->data, 1, text->length, stdout);
    return STATUS_OK;
}

void output_print_cells(const Cell *cells, unsigned count, FILE *out)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)fprintf(out, "%s%s", i > 0 ? " " : "", name);
    }
}

bool output_has_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}
