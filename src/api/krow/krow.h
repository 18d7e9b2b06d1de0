// libkrow: k-in-a-row games of the family Connect(m,n,k,p,q). docs/library.md has an introduction and an example.
//
// Ownership: krow_…_new, _copy, _open and _from_… return objects that the caller frees with krow_…_free or _close.
// Pointers that are passed in are not kept.
//
// Threads: objects are independent of each other. One object may be used by one thread at a time, or by several threads
// that only call functions with a const parameter. krow_agent_stop and krow_exact_stop may be called at any time.
//
// Memory: when a small allocation fails, the library writes "krow: out of memory" to standard error and ends the
// process with status 1. Large allocations (transposition tables, solver memory) fail with KROW_NO_MEMORY.
#ifndef KROW_KROW_H
#define KROW_KROW_H

#include <krow/agent.h>
#include <krow/batch.h>
#include <krow/board.h>
#include <krow/error.h>
#include <krow/exact.h>
#include <krow/game.h>
#include <krow/notation.h>
#include <krow/rules.h>
#include <krow/threats.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library, for example "0.1.0".
KROW_API const char *krow_version(void);

#ifdef __cplusplus
}
#endif

#endif
