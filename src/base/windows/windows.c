// Functions of glibc for Windows.
#include "base/windows/windows.h"

#include <stdint.h>

void *memrchr(const void *bytes, int byte, size_t length)
{
    const unsigned char *at = bytes;
    while (length > 0)
        if (at[--length] == (unsigned char)byte)
            return (void *)(uintptr_t)&at[length];
    return NULL;
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : realloc(old, bytes);
}

// qsort_s of Windows passes the context first.
typedef struct {
    int (*compare)(const void *, const void *, void *);
    void *context;
} Order;

static int compare_in(void *context, const void *a, const void *b)
{
    const Order *order = context;
    return order->compare(a, b, order->context);
}

void qsort_r(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    Order order = {compare, context};
    qsort_s(items, count, size, compare_in, &order);
}
