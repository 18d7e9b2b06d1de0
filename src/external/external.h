// An external engine: started, asked, watched and ended. It speaks one of two protocols (external_gomocup.c,
// external_ugi.c), detected at the first start.
//
// Every failure of the program is a fault in the decision, an event of the game. After a fault all its processes are
// ended, and it is restarted for the next decision.
#pragma once

#include "agents/agent.h"
#include "base/process/family.h"
#include "external/sandbox.h"

// What a line means while the program introduces itself.
typedef enum {
    GREETING_OTHER,   // unrelated to this protocol
    GREETING_KNOWN,   // specific to this protocol; more lines follow
    GREETING_DONE,    // it is ready
    GREETING_REFUSED, // it refuses this game
} Greeting;

// What a line means while the program is asked for a turn.
typedef enum {
    ANSWER_OTHER, // not an answer; possibly search info
    ANSWER_TURN,  // the stones are in the decision, not yet checked
    ANSWER_WRONG, // an invalid answer
} Answer;

typedef struct ExternalEngine ExternalEngine;

typedef struct {
    const char *name;
    const char *farewell, *stop; // commands: end, answer at once
    // The first command, and the meaning of reply lines.
    void (*greet)(ExternalEngine *engine, Text *out);
    Greeting (*greeting)(ExternalEngine *engine, Span line);
    // After the greeting, and before every further game. False: see external_fail.
    bool (*set_up)(ExternalEngine *engine, double deadline);
    bool (*new_game)(ExternalEngine *engine, double deadline);
    // The commands that request a turn. `knows_turn`: the engine lacks only the opponent's last stone.
    void (*ask)(ExternalEngine *engine, const Game *game, const Budget *budget, bool knows_turn, Text *out);
    // The meaning of one reply line that is not a complaint.
    Answer (*answer)(ExternalEngine *engine, const Game *game, Span line, Decision *decision);
} ExternalProtocol;

enum { ENGINE_INFO_KEYS = 6 };

struct ExternalEngine {
    const ExternalProtocol *protocol; // NULL: not yet known
    Rules rules;
    AgentSettings settings; // borrowed from the agent
    const AgentLog *log;    // NULL: none
    const char *player;     // for the log, borrowed from the agent
    Sandboxed sandboxed;
    Process process;
    bool greeted; // it has sent its greeting since its start
    Text out;     // commands being written
    // The game as the program knows it, up to and with its own last answer.
    bool in_game;
    // When it last answered, and how long it has waited since then in the current turn.
    double answered, rested;
    Family family; // found at the start of the game
    BoardState start;
    unsigned known;
    Cell stones[RULES_CELLS_MAX];
    // The last fault; `words` is the last complaint of the program.
    Fault fault;
    char fault_text[FAULT_TEXT_SIZE], words[FAULT_TEXT_SIZE];
    // Used by the protocols.
    int64_t info[ENGINE_INFO_KEYS]; // values of Gomocup's INFO keys that it has received
    bool takes_rules;               // it has UGI's option Game
};

// --- The functions of an agent; the state is an ExternalEngine ---

// Starts a command (see words_split). Closes the engine on an error.
Status external_open(void *state, const AgentConfig *config, Error *error);

// Announces another game. Starts the program if necessary, outside the game's time; if that fails, external_decide
// tries again and reports the reason.
void external_new_game(void *state);

void external_decide(void *state, const Game *game, const AgentTask *task, Decision *decision);

// Ends all its processes.
void external_close(void *state);

// --- For the protocols ---

// Stores a fault; returns false.
bool external_fail(ExternalEngine *engine, Fault fault, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Reads a line; see process_read_line.
ProcessResult external_read_line(ExternalEngine *engine, double deadline, Span *line);

// Writes a line to the log, if there is one; see AgentLog.
void external_log(const ExternalEngine *engine, char direction, Span text);

// Sends engine->out, and empties it.
bool external_send(ExternalEngine *engine, double deadline);

// Waits until a line is this word. Skips other lines, but fails on a complaint.
bool external_await(ExternalEngine *engine, const char *word, double deadline);

// Stores a complaint of the program for the text of a fault.
void external_note_words(ExternalEngine *engine, Span line);

// The turn time in milliseconds that is reported to a program: from the budget, else the time left of the side to move,
// else a default.
int64_t external_reported_ms(const Budget *budget, Side side);
int64_t external_ms(double seconds); // rounded down, but at least 1
