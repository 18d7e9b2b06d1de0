// A child process that exchanges lines with krow. No call waits longer than its deadline, and output is bounded: a
// flood is reported, not stored.
//
// Deadlines are moments of clock_seconds(). Lines may end with LF, CR LF or CR; the line end is removed.
#pragma once

#include "base/process/guard.h"
#include "base/process/spawn.h"
#include "base/text.h"

#include <signal.h>

enum {
    PROCESS_LINE_MAX = 64 << 10, // bytes of a line; a turn of 4096 stones fits
    PROCESS_TURN_MAX = 4 << 20,  // bytes of output between two calls of process_next_turn
    PROCESS_ERRS_SIZE = 512,     // bytes kept of the end of standard error
    PROCESS_TEXT_SIZE = 200,
};

typedef enum {
    PROCESS_OK,
    PROCESS_LATE,  // the deadline has passed
    PROCESS_ENDED, // the program has ended or closed its output
    PROCESS_FLOOD, // a line or the output of a turn is too long
} ProcessResult;

// A zeroed struct is a process that is not running. One that runs stays in its place.
typedef struct {
    Spawned child;
    bool running;       // started and not yet ended by process_end or process_kill
    bool output_closed; // its standard output has ended
    bool after_cr;      // the last line ended with CR; an LF directly after it belongs to it
    bool forced;        // it was terminated by krow
    int wait_status;    // of a program that is no longer running
    Guard guard;        // of the limits for all its processes
    size_t begin;       // start of the unread part of `input`
    size_t scanned;     // no line end before this position
    size_t end;         // end of the unread part
    size_t turn_output; // bytes of output in this turn
    size_t errs_length;
    char errs[PROCESS_ERRS_SIZE];
    char input[PROCESS_LINE_MAX];
} Process;

Status process_start(Process *process, const SpawnSpec *spec, Error *error);

// Sends a text. PROCESS_LATE if the program does not read it.
ProcessResult process_write(Process *process, Span text, double deadline);

// Reads the next line, valid until the next call. With a deadline in the past: a line that has already arrived, or
// PROCESS_LATE.
ProcessResult process_read_line(Process *process, double deadline, Span *line);

// A line that has already arrived, or PROCESS_LATE: as above with one system call.
ProcessResult process_read_arrived(Process *process, Span *line);

// Between these calls, process_write of this thread needs no system calls to protect it from SIGPIPE.
void process_quiet_begin(sigset_t *before);
void process_quiet_end(const sigset_t *before);

// Resets the count of output bytes.
void process_next_turn(Process *process);

// Ends the program: sends `farewell` (may be empty), closes its input and waits for `grace` seconds; then SIGTERM, then
// SIGKILL. No member of its process group survives, even if the program ended by itself. Safe if not running.
void process_end(Process *process, Span farewell, double grace);

// Kills the program at once.
void process_kill(Process *process);

// Describes how it ended: "it ended with exit status 3", "it was ended by signal 11 (Segmentation fault)", "it used
// more than 512 MB of memory in all its processes". Only after it has ended.
void process_describe_end(const Process *process, char text[PROCESS_TEXT_SIZE]);

// The last line on standard error, without unprintable characters; may be empty.
void process_last_words(const Process *process, char text[PROCESS_TEXT_SIZE]);
