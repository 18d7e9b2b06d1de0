// A parallel loop.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Processes one item in thread number `thread`; false ends the loop.
typedef bool ParallelItem(void *context, unsigned thread, uint64_t item);

// Processes the items 0 to count - 1 in up to `threads` threads, including the calling one (number 0). Each item is
// claimed once, in order; an item that has started is always finished. Returns when all threads have ended, false if an
// item returned false. If the system refuses a thread, fewer are used.
bool parallel_for(unsigned threads, uint64_t count, ParallelItem *run, void *context);
