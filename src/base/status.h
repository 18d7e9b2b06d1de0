// Status codes and error texts.
#pragma once

// The enum, the texts and the exit codes all come from this list.
// X(name, exit status of the program, text)
#define STATUS_LIST(X)                                                                                                 \
    X(OK, 0, "done")                                                                                                   \
    X(BAD_INPUT, 2, "invalid call or input")                                                                           \
    X(IO, 1, "cannot read or write a file or terminal")                                                                \
    X(NO_MEMORY, 1, "out of memory")                                                                                   \
    X(INTERRUPTED, 1, "interrupted")                                                                                   \
    X(FAILED, 1, "the operation failed")

typedef enum {
#define STATUS_ENUM(name, exit_status, text) STATUS_##name,
    STATUS_LIST(STATUS_ENUM)
#undef STATUS_ENUM
} Status;

enum { ERROR_TEXT_SIZE = 512 };

// The text of the most recent failure.
typedef struct {
    Status status;
    char text[ERROR_TEXT_SIZE];
} Error;

// Texts of errors may quote files and programs; both functions make them one line without control characters.
//
// Fills `error` (may be NULL) and returns `status`, so that a failure is one line: return error_set(...).
Status error_set(Error *error, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Prefixes the error text, for example with the file name.
void error_prefix(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *status_text(Status status);
int status_exit(Status status);
