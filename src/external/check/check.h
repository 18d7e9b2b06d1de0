// Conformance checks of an external engine: scripted conversations with known traps, each with a fresh process.
// docs/check-engine.md lists them.
//
// A check passes, fails, or finds that the engine does not support something optional. After a failed gate (the engine
// does not start, or does not play) the other checks are skipped. Nothing waits longer than its limit.
#pragma once

#include "external/sandbox.h"
#include "game/rules.h"

#include <stdatomic.h>

typedef enum { CHECK_PASSED, CHECK_FAILED, CHECK_UNSUPPORTED, CHECK_SKIPPED } CheckOutcome;

typedef struct {
    const char *name;  // "line-after-move"
    const char *title; // what must hold
    CheckOutcome outcome;
    double seconds; // duration
    // Of a check that did not pass: the last commands, the answer to expect, and what came instead.
    Text sent, expected, came;
    Text lines;          // the conversation: "> " sent, "< " received
    bool sandbox_failed; // the sandbox did not start the program; `came` says why
} CheckResult;

typedef enum { CHECK_GOMOCUP, CHECK_UGI, CHECK_DETECT } CheckProtocol;

typedef struct {
    const Sandboxed *engine; // the program with its sandbox
    CheckProtocol protocol;
    Rules rules;
    double time;      // seconds of a normal turn
    double tolerance; // an answer this late still counts
    double patience;  // seconds to wait beyond a limit before an engine counts as silent
    const char *only; // names of checks, separated by commas; NULL: all
    const atomic_bool *stop;
    // Receives every result when it is known; NULL: not wanted.
    void (*publish)(void *context, const CheckResult *result);
    void *context;
} CheckOptions;

typedef struct {
    CheckProtocol protocol; // known
    unsigned count;
    CheckResult *results; // owned
    unsigned outcomes[4]; // how many of each
} CheckReport;

// Runs the checks. Fails if a name of `only` is unknown, if the protocol cannot express the rules, if the program
// cannot be executed, or when stopped; an engine that fails checks is not an error. Close the report in any case.
Status check_run(const CheckOptions *options, CheckReport *report, Error *error);
void check_close(CheckReport *report);

// "pass", "fail", "not supported", "skipped".
const char *check_outcome_name(CheckOutcome outcome);
const char *check_protocol_name(CheckProtocol protocol); // "gomocup", "ugi"
