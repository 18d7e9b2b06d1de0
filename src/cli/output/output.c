// Results on standard output.
#include "cli/output/output.h"

#include "base/file.h"
#include "base/utf8.h"
#include "game/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Writes JSON with escapes for those control characters and direction marks that JSON allows in a string: they would
// reach the terminal. All of them are in the basic plane, and none occurs outside of strings.
static int put_json(const char *bytes, size_t length, void *out)
{
    size_t begin = 0;
    for (size_t at = 0, size = 0; at < length; at += size) {
        size = utf8_char((Span){bytes + at, length - at});
        size = size > 0 ? size : 1;
        if (!utf8_is_control(bytes + at, size))
            continue;
        (void)fwrite(bytes + begin, 1, at - begin, out);
        (void)fprintf(out, "\\u%04x", utf8_code(bytes + at, size));
        begin = at + size;
    }
    (void)fwrite(bytes + begin, 1, length - begin, out);
    return ferror((FILE *)out) != 0 ? -1 : 0;
}

Status output_json(json_t *object, Error *error)
{
    int failed =
        object == NULL || json_dump_callback(object, put_json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15)) != 0;
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
    size_t length = text->length;
    // A file must keep what the games say; a terminal must not obey it.
    if (isatty(STDOUT_FILENO) && length > 0) {
        utf8_clean_lines(text->data);
        length = strlen(text->data);
    }
    (void)fwrite(text->data, 1, length, stdout);
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
