// Threads that serve the whole program until it ends.
#pragma once

// Starts a detached thread without signals, which other threads handle. Returns errno, or 0.
int background_start(void *(*run)(void *unused));
