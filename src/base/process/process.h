// A running program to talk with line by line. Nothing here waits longer than its deadline, and what a program prints
// is bounded: a flood is reported, not stored.
//
// Deadlines are moments of clock_seconds(). Lines end with LF, CR LF or CR, and come without their ends.
#pragma once

#include "base/process/spawn.h"
#include "base/text.h"

enum {
    PROCESS_LINE_MAX = 64 << 10, // bytes of a line: a turn of 4096 stones fits well
    PROCESS_TURN_MAX = 4 << 20,  // bytes of output between two calls of process_next_turn
    PROCESS_ERRS_SIZE = 512,     // what is kept of standard error: its end
    PROCESS_TEXT_SIZE = 200,
};

typedef enum {
    PROCESS_OK,
    PROCESS_LATE,  // the deadline has passed
    PROCESS_ENDED, // the program has ended or closed its output
    PROCESS_FLOOD, // a line or the output of a turn is too long
} ProcessResult;

// Zeroed is a process that is not running.
typedef struct {
    Spawned child;
    bool running;       // started and not yet ended by process_end or process_kill
    bool output_closed; // nothing more comes from its standard output
    bool after_cr;      // the last line ended with CR: an LF right after it belongs to it
    bool forced;        // it had not ended by itself
    int wait_status;    // of a program that is no longer running
    size_t begin;       // where the part of `input` begins that has not been handed out,
    size_t scanned;     // up to where it is known to hold no end of a line,
    size_t end;         // and where it ends
    size_t turn_output; // bytes printed in this turn
    size_t errs_length;
    char errs[PROCESS_ERRS_SIZE];
    char input[PROCESS_LINE_MAX];
} Process;

Status process_start(Process *process, const SpawnSpec *spec, Error *error);

// Sends a text. PROCESS_LATE when the program does not read.
ProcessResult process_write(Process *process, Span text, double deadline);

// The next line, valid until the next call. With a deadline in the past: a line that is there already, or PROCESS_LATE.
ProcessResult process_read_line(Process *process, double deadline, Span *line);

// Output is counted from zero again.
void process_next_turn(Process *process);

// Ends it: sends `farewell` (may be empty), closes its input and waits for `grace` seconds; then SIGTERM, then SIGKILL.
// In the end nothing of its process group is left, also where the program ended by itself. Safe when not running.
void process_end(Process *process, Span farewell, double grace);

// The same without asking.
void process_kill(Process *process);

// How it ended, in words: "it ended with exit status 3", "it was ended by signal 11 (Segmentation fault)". Only when
// it is no longer running.
void process_describe_end(const Process *process, char text[PROCESS_TEXT_SIZE]);

// The last line it wrote to standard error, without characters that do not print; empty if none exists.
void process_last_words(const Process *process, char text[PROCESS_TEXT_SIZE]);
