// Another program that plays: started, asked, watched and ended. What it is asked and how it answers is one of two
// protocols (external_gomocup.c, external_ugi.c), found out at the first start.
//
// Whatever the program does is an event of the game: a fault in the decision. After a fault it is ended with all its
// processes, and started again when it is asked next.
#pragma once

#include "agents/agent.h"
#include "base/process/process.h"
#include "base/process/words.h"

// What a line means while the program introduces itself.
typedef enum {
    GREETING_OTHER,   // nothing to this protocol
    GREETING_KNOWN,   // a word only this protocol has: more is to come
    GREETING_DONE,    // it is ready
    GREETING_REFUSED, // it does not want to play this
} Greeting;

// What a line means while the program is asked for a turn.
typedef enum {
    ANSWER_OTHER, // no answer; it may have reported something about its thinking
    ANSWER_TURN,  // the stones are in the decision, not yet checked
    ANSWER_WRONG, // it should be an answer but is not
} Answer;

typedef struct ExternalEngine ExternalEngine;

typedef struct {
    const char *name;
    const char *farewell, *stop; // commands: end, answer at once
    // The first command, and the lines that come back.
    void (*greet)(ExternalEngine *engine, Text *out);
    Greeting (*greeting)(ExternalEngine *engine, Span line);
    // After the greeting, and before every further game. False: see external_fail.
    bool (*set_up)(ExternalEngine *engine, double deadline);
    bool (*new_game)(ExternalEngine *engine, double deadline);
    // The commands that ask for a turn. `knows_turn`: all it does not know is the last stone, which is not its own.
    void (*ask)(ExternalEngine *engine, const Game *game, const Budget *budget, bool knows_turn, Text *out);
    // One line of what comes back; complaints have been sorted out.
    Answer (*answer)(ExternalEngine *engine, const Game *game, Span line, Decision *decision);
} ExternalProtocol;

enum { ENGINE_INFO_KEYS = 6 };

struct ExternalEngine {
    const ExternalProtocol *protocol; // NULL: not yet known
    Rules rules;
    bool sandboxed;
    Words argv;
    Process process;
    bool greeted; // it has introduced itself since it was started
    Text out;     // commands being written
    // The game as the program knows it, up to and with its own last answer.
    bool in_game;
    // When it last answered, and how long it has been left alone since then in the turn under way.
    double answered, rested;
    BoardState start;
    unsigned known;
    Cell stones[RULES_CELLS_MAX];
    // What went wrong; `words` is the last complaint of the program itself.
    Fault fault;
    char fault_text[FAULT_TEXT_SIZE], words[FAULT_TEXT_SIZE];
    // Used by the protocols.
    int64_t info[ENGINE_INFO_KEYS]; // values of Gomocup's INFO keys that it has received
    bool takes_rules;               // it has UGI's option Game
};

// --- The functions of an agent; the state is an ExternalEngine ---

// Starts a command (see words_split). The error says what was wrong; the engine is closed then.
Status external_open(void *state, const AgentConfig *config, Error *error);

// The next question is about another game. Starts the program if it is not running, so that this takes none of the
// game's time; where that fails, external_decide tries it again and says why.
void external_new_game(void *state);

void external_decide(void *state, const Game *game, const AgentTask *task, Decision *decision);

// Nothing of it is left afterwards.
void external_close(void *state);

// --- For the protocols ---

// Remembers what went wrong; returns false.
bool external_fail(ExternalEngine *engine, Fault fault, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Sends engine->out, and empties it.
bool external_send(ExternalEngine *engine, double deadline);

// Waits until a line is this word. Other lines are skipped, but a complaint means that the word will not come.
bool external_await(ExternalEngine *engine, const char *word, double deadline);

// Keeps a line in which the program complains, for the text of a fault.
void external_note_words(ExternalEngine *engine, Span line);

// The turn time in milliseconds that is reported to a program: that of the budget, else what is left on the clock of
// the side to move, else a default.
int64_t external_reported_ms(const Budget *budget, Side side);
int64_t external_ms(double seconds); // rounded down, but at least 1
