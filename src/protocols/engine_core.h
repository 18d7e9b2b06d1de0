// The threads of an engine: one reads lines into a queue, one passes them to the protocol in order and searches, one
// watches the clock. So no line is lost during a search, and input alone never ends a search.
//
// A stop line acts at once: it ends every search that earlier lines have requested, also those still in the queue. A
// quit line does the same; all earlier lines are still answered, then the engine ends. At the end of the input,
// searches with a limit finish.
#pragma once

#include "protocols/engine.h"

// Seconds after a quit line until a search that ignores its stop flag is abandoned. Managers wait one second.
#define ENGINE_QUIT_SECONDS 0.7

typedef struct {
    int input, output;              // file descriptors
    const EngineProtocol *protocol; // NULL: the first line decides
    void (*abandon)(void);          // ends the program if a search does not stop; called by another thread
} EngineCoreConfig;

// Serves until the end of the input or a quit line. Sets engine->host.
Status engine_core_run(Engine *engine, const EngineCoreConfig *config, Error *error);
