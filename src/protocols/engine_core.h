// The threads of an engine: one reads lines into a queue, one hands them to the protocol in order and thinks, one
// watches the clock. So nothing the manager sends is lost while the engine thinks, and input alone never ends a search.
//
// A line that says stop acts at once: it ends every search that lines before it have asked for, also those that are
// still in the queue. At a line that says quit the same happens, everything before it is still answered, and the engine
// ends. The end of the input lets searches with a limit finish.
#pragma once

#include "protocols/engine.h"

// A search that ignores its stop flag is abandoned this long after a line that says quit. Managers give a second.
#define ENGINE_QUIT_SECONDS 0.7

typedef struct {
    int input, output;              // file descriptors
    const EngineProtocol *protocol; // NULL: the first line decides
    void (*abandon)(void);          // ends the program while a search will not; called by another thread
} EngineCoreConfig;

// Serves until the input ends or says quit. Sets engine->host.
Status engine_core_run(Engine *engine, const EngineCoreConfig *config, Error *error);
