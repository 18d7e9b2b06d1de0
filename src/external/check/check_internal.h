// Shared by the checks: a conversation with one process of the engine, and steps that fail the check.
//
// A check is a chain of steps joined by &&: a step that fails notes what was sent, expected and received, and returns
// false.
#pragma once

#include "external/check/check.h"

#include "base/process/process.h"
#include "game/game.h"

// Seconds between an answer and the next command, in checks that are not about commands which come at once.
#define CHECK_PAUSE 0.1

enum { CHECK_TEXT_MAX = 200, CHECK_LINES_MAX = 64 << 10 };

typedef struct {
    const CheckOptions *options;
    CheckResult *result;
    Process process;
    const char *line_end;
    double pause;   // seconds between an answer and the next command; 0: none
    bool fresh;     // nothing was sent since the last answer
    double sent_at; // clock_seconds of the last command
    double taken;   // seconds from the last command to the last answer
    double limit;   // seconds of a turn as the engine knows it
    bool judges;    // a turn that takes longer than its limit and the tolerance is a failure
    bool seen_any;  // something other than remarks came since the start
    // The position. Gomocup's y counts from the top, rows of the game from the bottom.
    Game game;
    unsigned lattice; // cells of the lattice that were tried (see check_quiet_cell)
    // What a UGI engine offers.
    bool has_game, has_threads, has_hash, has_multipv;
    unsigned multipv;              // highest number of a line of the last search
    char bad_info[CHECK_TEXT_MAX]; // the first malformed line of search info
} Check;

typedef enum {
    CHECK_PLAIN,
    CHECK_GATE,  // after a failure, other checks are skipped
    CHECK_PACES, // after a failure, other checks pause between an answer and the next command
} CheckRole;

typedef struct {
    const char *name, *title;
    bool (*run)(Check *check);
    CheckRole role;
} CheckKind;

// Both end with a zeroed entry.
extern const CheckKind check_gomocup[], check_ugi[];

// --- Steps (check_talk.c) ---

bool check_start(Check *check); // starts the program
void check_stop(Check *check);  // kills it, if it runs

// The answer that the next step expects, for the report.
void check_expect(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Ends the check with a result; the text says what came. Returns false.
bool check_fail(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool check_unsupported(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool check_skip(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Sends one line, or bytes as they are.
bool check_send(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool check_send_bytes(Check *check, const char *bytes);

// Reads a line, remarks included. `seconds` from now; CHECK_LATE is not a failure yet.
typedef enum { CHECK_LINE, CHECK_LATE, CHECK_BROKEN } CheckRead;
CheckRead check_read(Check *check, double seconds, Span *line);

// Reads remarks for so many seconds; true with `line` as soon as something else comes. False: nothing came, or the
// check has failed.
bool check_early_line(Check *check, double seconds, bool (*is_remark)(Span line), Span *line);

// Whether searches of one position end when a line arrives. `search` searches it and sends a line after `disturb`
// seconds, unless that is 0; `*taken` is its duration, or 0 if it ended before the line was sent.
bool check_undisturbed(Check *check, bool (*search)(Check *check, double disturb, double *taken));

// Waits; false if the engine ends meanwhile or the user stops the checks.
bool check_wait(Check *check, double seconds);

// Fails a turn that took longer than allowed, if this check judges time.
bool check_time(Check *check);

// Expects the program to exit within a second of the last command.
bool check_exit(Check *check);

// --- Positions ---

void check_new_game(Check *check);

// The next free cell of a lattice (x + 2y divisible by 5) on which no two stones are neighbours in a line, so that
// stones placed there never complete a row of more than two. CELL_NONE: none left.
Cell check_quiet_cell(Check *check);

// Fills a board except for one cell, without a row of either side; the side with fewer stones is to move and has one
// stone left. False: no such board was found for these rules.
bool check_full_board(const Rules *rules, Game *game, Cell *free_cell);

// --- Resources of the program with all its children (check_process.c) ---

typedef struct {
    uint64_t memory;  // bytes: the sum of the peaks of the resident memory
    double processor; // seconds used so far
    double waited;    // seconds for which threads that exist now waited for a processor
} CheckUsage;

CheckUsage check_usage(const Check *check);
bool check_memory(Check *check, uint64_t limit); // fails if the program has used more
bool check_idle(Check *check);                   // fails if it computes while the other side is to move

// --- Gomocup (gomocup_talk.c) ---

bool gomocup_is_remark(Span line);
// Reads lines other than remarks; waits for the limit of a turn and the patience.
bool gomocup_line(Check *check, Span *line);
bool gomocup_late_line(Check *check, Span *line); // skips suggestions of a search that no longer counts

// Plays the cell of a line "SUGGEST x,y"; does nothing with other lines. False: nothing can be sent.
bool gomocup_agree(Check *check, Span line);
bool gomocup_ok(Check *check, const char *after);  // expects OK
bool gomocup_move(Check *check);                   // expects a free cell, and places the stone
bool gomocup_take_move(Check *check, Span line);   // the same for a line that has been read
bool gomocup_turn(Check *check);                   // TURN with a quiet cell, then gomocup_move
bool gomocup_turns(Check *check, unsigned count);  // several
bool gomocup_begin(Check *check);                  // BEGIN on the empty board, then gomocup_move
bool gomocup_limit(Check *check, double seconds);  // INFO timeout_turn
bool gomocup_open(Check *check);                   // starts the program, START, settings
bool gomocup_start_board(Check *check);            // START or RECTSTART, then OK; an empty board
bool gomocup_board(Check *check, unsigned stones); // BOARD with quiet stones, no answer read yet
bool gomocup_send_stones(Check *check);            // BOARD with the stones of check->game
bool gomocup_is_refusal(Span line);                // UNKNOWN or ERROR
void gomocup_cell_text(const Check *check, Cell cell, char text[16]);

// --- UGI (ugi_talk.c) ---

bool ugi_open(Check *check);  // starts the program, ugi, Game, isready
bool ugi_ready(Check *check); // isready, then readyok and nothing else
bool ugi_position(Check *check);
// Sends `go` with these words and reads the answer: a legal turn, which is placed.
bool ugi_go(Check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ugi_best(Check *check);                  // reads the answer alone
bool ugi_take_best(Check *check, Span line);  // the same for a line that has been read
bool ugi_quiet_turn(Check *check);            // the other side places quiet stones
bool ugi_turns(Check *check, unsigned count); // turns of the engine with answers between them
bool ugi_line(Check *check, Span *line);      // without info lines
bool ugi_set_game(Check *check, const char *game);
