// A loop whose items are done by several threads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Does one item in the thread of this number; false ends the loop.
typedef bool ParallelItem(void *context, unsigned thread, uint64_t item);

// Does the items 0 … count - 1 in up to `threads` threads, the caller's among them (number 0). Items are claimed in
// order, each once. Returns when all threads have ended; false when an item returned false. Items that were begun are
// always finished. Where the system refuses a thread, fewer do the work.
bool parallel_for(unsigned threads, uint64_t count, ParallelItem *run, void *context);
