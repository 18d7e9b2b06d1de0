// The functions of POSIX and glibc that the engine uses and Windows lacks. Builds for Windows include this header in
// every file (src/meson.build), so that the sources need no conditions. It declares no open() or close(), which are
// names of functions of agents.
#pragma once

#include <locale.h>
#include <stddef.h>
#include <stdlib.h>

// Files: bytes are never translated, and children inherit none.
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)

// Numbers in the C locale.
#define locale_t _locale_t
#define newlocale(mask, name, base) _create_locale(LC_ALL, name)
#define strtod_l _strtod_l
#define freelocale _free_locale

void *memrchr(const void *bytes, int byte, size_t length);
void *reallocarray(void *old, size_t count, size_t size);
void qsort_r(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context);
