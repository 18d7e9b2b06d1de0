// Shared by the files of external engines: the two protocols, start, and faults of the process.
#pragma once

#include "external/external.h"

// Five in a row, one stone a turn. Coordinates are x,y from 0 with the origin at the top left.
extern const ExternalProtocol external_gomocup;
bool external_gomocup_can_say(const Rules *rules);

// A protocol like UCI for all games of krow. The option `Game` sets the rules; cells, positions and rules have krow's
// notation.
extern const ExternalProtocol external_ugi;

// In seconds of wall-clock time, by default.
static const double external_start_seconds = 10; // for the greeting, for setting the rules, and for another game
static const double external_stop_seconds = 1;   // to answer after a request to stop

// The limit above, or that of the settings; and the moment when it ends, from now on.
double external_start_limit(const ExternalEngine *engine);
double external_start_deadline(const ExternalEngine *engine);

// Starts the program and detects its protocol. On failure returns false and sets the fault, like all functions below.
bool external_start(ExternalEngine *engine);

// Reports that the program has ended or closed its output.
bool external_fail_ended(ExternalEngine *engine);

// True for PROCESS_OK, else the fault of this result; `waited_for` is the text of a timeout.
bool external_fail_as(ExternalEngine *engine, ProcessResult result, const char *waited_for);
