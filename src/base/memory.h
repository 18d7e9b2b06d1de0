// Small allocations, which cannot fail: when memory runs out, the program prints one message and exits with status 1.
// Stored data survives this as it survives a kill. Large allocations (transposition tables, solver memory, whole files,
// request bodies) use malloc and return a Status. docs/adr/0013-memory.md has the reasons.
#pragma once

#include <stddef.h>

// Zeroed memory for `count` items of `size` bytes. The caller frees it with free().
void *memory_new(size_t count, size_t size);

// Memory for `count` items with the old content; new items are not initialised.
void *memory_resize(void *old, size_t count, size_t size);

// Uninitialised memory, for libraries that take an allocator.
void *memory_malloc(size_t size);

// Ends the program as above: for functions of libraries that report a lack of memory.
_Noreturn void memory_exhausted(void);

// Memory whose address is a multiple of `alignment`, for large tables: NULL if memory runs out. The size is a multiple
// of the alignment.
void *memory_aligned(size_t alignment, size_t size);
void memory_aligned_free(void *memory); // NULL is fine

char *memory_copy_text(const char *text);
char *memory_copy(const char *bytes, size_t length); // terminated

// Makes room for `count` items in an array that grows by doubling: items = array_grow(items, &capacity, count + 1,
// sizeof *items). Returns the array, which may have moved.
void *array_grow(void *items, size_t *capacity, size_t count, size_t size);

// The same for large arrays: NULL if memory runs out; the array and its capacity then stay as they were.
void *array_try_grow(void *items, size_t *capacity, size_t count, size_t size);
