// The log file of krow prove.
#include "lab/prove/prove_log.h"

#include "base/checksum.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { SUM_DIGITS = 8 };

struct ProveLog {
    FILE *file;
    char *path;
};

static Status io_error(const char *path, Error *error)
{
    return error_set(error, STATUS_IO, "'%s': %s", path, strerror(errno));
}

static Status bad_line(const char *path, uint64_t number, const char *words, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "'%s', line %" PRIu64 ": %s", path, number, words);
}

// Cuts the checksum off a line; false if it is wrong.
static bool cut_sum(Span *line)
{
    char digits[SUM_DIGITS + 1];
    if (line->length < SUM_DIGITS + 1 || line->at[line->length - SUM_DIGITS - 1] != ' ')
        return false;
    Span words = {line->at, line->length - SUM_DIGITS - 1};
    (void)snprintf(digits, sizeof digits, "%08" PRIx32, checksum_crc32(words));
    bool is_right = memcmp(digits, line->at + line->length - SUM_DIGITS, SUM_DIGITS) == 0;
    *line = words;
    return is_right;
}

// Reads the lines; `end` gets the length of the whole ones.
static Status read_lines(ProveLog *log, const char *header, Prove *prove, uint64_t *lines, long *end, Error *error)
{
    char *text = NULL;
    size_t capacity = 0;
    Span left = span_of(header);
    Status status = STATUS_OK;
    ssize_t length;
    *lines = 0;
    *end = 0;
    for (uint64_t number = 1; status == STATUS_OK && (length = getline(&text, &capacity, log->file)) > 0; number++) {
        Span line = {text, (size_t)length - 1}, expected = {0};
        if (text[length - 1] != '\n')
            break;
        if (span_next_part(&left, '\n', &expected)) {
            if (!spans_equal(line, expected))
                status = bad_line(log->path, number, "this log is of another proof, or of other options", error);
        } else if (!cut_sum(&line)) {
            status = bad_line(log->path, number, "damaged: the checksum does not match", error);
        } else if (!prove_replay(prove, line)) {
            status = bad_line(log->path, number, "this finding does not fit the lines before it", error);
        } else {
            ++*lines;
        }
        *end += length;
    }
    free(text);
    if (status == STATUS_OK && ferror(log->file) != 0)
        status = io_error(log->path, error);
    if (left.length > 0) // new, or killed while the header was written
        *end = 0;
    return status;
}

Status prove_log_open(ProveLog **log, const char *path, const char *header, Prove *prove, uint64_t *lines, Error *error)
{
    ProveLog *opened = memory_new(1, sizeof *opened);
    long end = 0;
    opened->path = memory_copy_text(path);
    opened->file = fopen(path, "a+e");
    if (opened->file == NULL) {
        Status status = io_error(path, error);
        prove_log_close(opened);
        return status;
    }
    Status status = STATUS_OK;
    if (flock(fileno(opened->file), LOCK_EX | LOCK_NB) != 0)
        status = error_set(error, STATUS_FAILED, "'%s' is in use by another process", path);
    rewind(opened->file);
    if (status == STATUS_OK)
        status = read_lines(opened, header, prove, lines, &end, error);
    if (status == STATUS_OK && ftruncate(fileno(opened->file), end) != 0)
        status = io_error(path, error);
    if (status == STATUS_OK && end == 0 &&
        (fwrite(header, strlen(header), 1, opened->file) != 1 || fflush(opened->file) != 0))
        status = io_error(path, error);
    if (status != STATUS_OK) {
        prove_log_close(opened);
        return status;
    }
    prove_settle(prove);
    *log = opened;
    return STATUS_OK;
}

bool prove_log_add(ProveLog *log, Span line)
{
    Span words = {line.at, line.length - 1}; // without the line feed
    Text text = {0};
    text_add_span(&text, words);
    text_add(&text, " %08" PRIx32 "\n", checksum_crc32(words));
    bool is_added = fwrite(text.data, text.length, 1, log->file) == 1 && fflush(log->file) == 0;
    text_close(&text);
    return is_added;
}

Status prove_log_sync(ProveLog *log, Error *error)
{
    return fsync(fileno(log->file)) == 0 ? STATUS_OK : io_error(log->path, error);
}

void prove_log_close(ProveLog *log)
{
    if (log == NULL)
        return;
    if (log->file != NULL)
        (void)fclose(log->file);
    free(log->path);
    free(log);
}
