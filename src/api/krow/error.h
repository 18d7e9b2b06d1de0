// Status codes and error messages of libkrow.
#ifndef KROW_ERROR_H
#define KROW_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Marks the functions that the shared library exports.
#if defined(__GNUC__)
#define KROW_API __attribute__((visibility("default")))
#else
#define KROW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    KROW_OK,
    KROW_BAD_INPUT,   // an argument or a text is wrong
    KROW_IO,          // a file or a pipe cannot be read or written
    KROW_NO_MEMORY,   // a large allocation was refused, such as a transposition table
    KROW_INTERRUPTED, // stopped by the caller
    KROW_FAILED,      // everything else
} KrowStatus;

enum { KROW_ERROR_TEXT_SIZE = 512 };

// The reason of a failure. Functions that take a KrowError fill it when they fail; NULL is allowed.
typedef struct {
    KrowStatus status;
    char text[KROW_ERROR_TEXT_SIZE];
} KrowError;

// A short description of a status, in static storage.
KROW_API const char *krow_status_text(KrowStatus status);

#ifdef __cplusplus
}
#endif

#endif
