// Whole files in.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

Status file_read(const char *path, size_t limit, Text *text, Error *error)
{
    text_close(text);
    bool from_stdin = strcmp(path, "-") == 0;
    const char *name = from_stdin ? "standard input" : path;
    int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, STATUS_IO, "cannot read '%s': %s", name, strerror(errno));
    Status status = STATUS_OK;
    for (;;) {
        char chunk[16384];
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = error_set(error, STATUS_IO, "cannot read '%s': %s", name, strerror(errno));
        if (got <= 0)
            break;
        if ((size_t)got > limit - text->length) {
            status = error_set(error, STATUS_BAD_INPUT, "'%s' is larger than %zu bytes", name, limit);
            break;
        }
        if (!text_reserve(text, (size_t)got)) {
            status = error_set(error, STATUS_NO_MEMORY, "no memory for '%s'", name);
            break;
        }
        text_add_span(text, (Span){chunk, (size_t)got});
    }
    if (!from_stdin)
        (void)close(fd);
    text_add(text, "%s", "");
    if (status != STATUS_OK)
        text_close(text);
    return status;
}
