// Runs the web server without threads of its own, for the fuzz target `http`. Replaces MHD_start_daemon and
// web_pool_add
// (-Wl,--wrap): the server polls only in MHD_run, and what it passes to threads waits until http_driver_work runs it.
#pragma once

#include <stdbool.h>

// Between these calls the functions are replaced. A pause keeps the server.
void http_driver_begin(void);
void http_driver_pause(void);
void http_driver_end(void);

// Runs what waits; false if there is nothing.
bool http_driver_work(void);
