// Lines typed by a person: with editing and history on a terminal, plain lines from a pipe.
#pragma once

#include "base/text.h"

typedef enum {
    PROMPT_LINE,      // a line was typed
    PROMPT_INTERRUPT, // Ctrl-C; what was typed is dropped
    PROMPT_END,       // Ctrl-D, the end of a pipe, or a terminal that closed
} PromptResult;

typedef struct PromptEditor PromptEditor;

typedef struct {
    PromptEditor *editor; // NULL: standard input is no terminal
    char *buffer;         // for plain lines
    size_t buffer_size;
} Prompt;

void prompt_open(Prompt *prompt);

// Shows `question` and reads a line, without its end, into `line`, valid until the next call.
PromptResult prompt_read(Prompt *prompt, const char *question, Span *line);

void prompt_close(Prompt *prompt);
