// Status codes, and the text that explains a failure to a person.
#pragma once

// One list: the enum, the texts and the exit codes all come from it.
//   X(name, exit status of the program, text)
#define STATUS_LIST(X)                                                                                                 \
    X(OK, 0, "done")                                                                                                   \
    X(BAD_INPUT, 2, "the call or the input was wrong")                                                                 \
    X(IO, 1, "a file or a terminal could not be read or written")                                                      \
    X(NO_MEMORY, 1, "memory ran out")                                                                                  \
    X(INTERRUPTED, 1, "interrupted")                                                                                   \
    X(FAILED, 1, "it could not be done")

typedef enum {
#define STATUS_ENUM(name, exit_status, text) STATUS_##name,
    STATUS_LIST(STATUS_ENUM)
#undef STATUS_ENUM
} Status;

enum { ERROR_TEXT_SIZE = 512 };

// What went wrong, in words. The last failure is the one kept.
typedef struct {
    Status status;
    char text[ERROR_TEXT_SIZE];
} Error;

// Fills `error` (which may be NULL) and returns `status`, so that a failure is one line: return error_set(...).
Status error_set(Error *error, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Puts words in front of the text of an error, for instance the file it came from.
void error_prefix(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *status_text(Status status);
int status_exit(Status status);
