// What the files of an external engine share: the two protocols, its start, and faults of its process.
#pragma once

#include "external/external.h"

// Five in a row, one stone a turn. Coordinates are x,y from 0 with the origin at the top left.
extern const ExternalProtocol external_gomocup;
bool external_gomocup_can_say(const Rules *rules);

// A protocol like UCI that can express any game of the family. The rules go by the option `Game`; cells, positions and
// rules are written as everywhere in krow.
extern const ExternalProtocol external_ugi;

// In seconds of wall-clock time.
static const double external_start_seconds = 10; // to introduce itself, to set the rules, to begin another game
static const double external_stop_seconds = 1;   // to answer after a request to stop

// Starts the program and finds out its protocol. False with the fault in the engine, like all functions below.
bool external_start(ExternalEngine *engine);

// The program has ended, or acts as if it had.
bool external_fail_ended(ExternalEngine *engine);

// True for PROCESS_OK, else the fault of this result; `waited_for` is the text of a timeout.
bool external_fail_as(ExternalEngine *engine, ProcessResult result, const char *waited_for);
