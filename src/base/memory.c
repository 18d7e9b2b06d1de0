// Small allocations that end the program when memory runs out.
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Nothing is flushed or released: stored data survives a kill anyway, and unwinding would need memory.
_Noreturn void memory_exhausted(void)
{
    static const char message[] = "krow: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(1);
}

static void *checked(void *memory)
{
    if (memory == NULL)
        memory_exhausted();
    return memory;
}

void *memory_new(size_t count, size_t size)
{
    return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *memory_resize(void *old, size_t count, size_t size)
{
    return checked(reallocarray(old, count > 0 ? count : 1, size > 0 ? size : 1));
}

void *memory_malloc(size_t size)
{
    return checked(malloc(size > 0 ? size : 1));
}

// Windows has other functions for aligned memory, which free() cannot release.
#ifdef _WIN32
void *memory_aligned(size_t alignment, size_t size)
{
    return _aligned_malloc(size, alignment);
}

void memory_aligned_free(void *memory)
{
    _aligned_free(memory);
}
#else
void *memory_aligned(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void memory_aligned_free(void *memory)
{
    free(memory);
}
#endif

char *memory_copy(const char *bytes, size_t length)
{
    char *copy = memory_malloc(length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *memory_copy_text(const char *text)
{
    return memory_copy(text, strlen(text));
}

void *array_try_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    if (items != NULL && count <= *capacity)
        return items;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < count)
        wanted *= 2;
    items = reallocarray(items, wanted, size);
    if (items != NULL)
        *capacity = wanted;
    return items;
}

void *array_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    return count <= *capacity ? items : checked(array_try_grow(items, capacity, count, size));
}
