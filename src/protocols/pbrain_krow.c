// pbrain-krow: the engine alone, for managers of Gomocup that start a program without arguments. It speaks the same
// protocols as `krow engine`.
#include "base/clock.h"
#include "protocols/engine_core.h"

#include <stdio.h>
#include <unistd.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

// The manager has sent END and waits one second, and a search ignores its stop flag.
static void leave_now(void)
{
    _exit(0);
}

// Lines end with LF alone, as on other systems.
static void use_plain_bytes(void)
{
#ifdef _WIN32
    (void)_setmode(STDIN_FILENO, _O_BINARY);
    (void)_setmode(STDOUT_FILENO, _O_BINARY);
#endif
}

int main(void)
{
    EngineCoreConfig config = {.input = STDIN_FILENO, .output = STDOUT_FILENO, .abandon = leave_now};
    Engine engine;
    Error error = {0};
    use_plain_bytes();
    engine_init(&engine, agent_open_with);
    engine_set_seed(&engine, (uint64_t)clock_unix_ms());
    Status status = engine_core_run(&engine, &config, &error);
    engine_close(&engine);
    if (status == STATUS_OK)
        return 0;
    (void)fprintf(stderr, "pbrain-krow: %s\n", error.text);
    return 1;
}
