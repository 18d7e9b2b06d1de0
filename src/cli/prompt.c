// Reads lines from a person: libedit on a terminal, plain lines from a pipe.
#include "cli/prompt.h"

#include "base/memory.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

enum { HISTORY_SIZE = 200 };

struct PromptEditor {
    EditLine *line;
    History *history;
    char question[128];
};

static char *question_of(EditLine *line)
{
    PromptEditor *editor = NULL;
    (void)el_get(line, EL_CLIENTDATA, &editor);
    return editor->question;
}

// Waits for a key or a signal. SIGINT is let in only while waiting: a Ctrl-C that comes between the prompt and the
// waiting would otherwise go unnoticed until the next key. False when it came.
static bool wait_for_key(EditLine *line)
{
    sigset_t interrupt, before;
    (void)sigemptyset(&interrupt);
    (void)sigaddset(&interrupt, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    bool interrupted = false, ready = false;
    while (!ready && !interrupted) {
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        ready = ppoll(&input, 1, NULL, &before) > 0;
        interrupted = atomic_load(interrupt_flag());
        // Another signal: the window changed its size, and libedit's handler knows the new one.
        if (!ready && !interrupted)
            (void)el_set(line, EL_REFRESH);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !interrupted;
}

// What libedit calls for each character: 1 and the character, 0 at the end, -1 when interrupted.
static int read_character(EditLine *line, wchar_t *character)
{
    mbstate_t state = {0};
    for (;;) {
        char byte = 0;
        if (atomic_load(interrupt_flag()) || !wait_for_key(line))
            return -1;
        ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got <= 0)
            return got < 0 && errno == EINTR ? -1 : 0;
        size_t used = mbrtowc(character, &byte, 1, &state);
        if (used == (size_t)-2)
            continue;
        // Zero is a key (Ctrl-@); bytes that are not text are passed on unchanged.
        if (used == 0 || used == (size_t)-1)
            *character = (unsigned char)byte;
        return 1;
    }
}

static PromptEditor *editor_open(void)
{
    PromptEditor *editor = memory_new(1, sizeof *editor);
    editor->line = el_init("krow", stdin, stdout, stderr);
    editor->history = history_init();
    if (editor->line == NULL || editor->history == NULL) {
        if (editor->line != NULL)
            el_end(editor->line);
        if (editor->history != NULL)
            history_end(editor->history);
        free(editor);
        return NULL;
    }
    HistEvent event;
    (void)history(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
    (void)history(editor->history, &event, H_SETUNIQUE, 1);
    (void)el_set(editor->line, EL_CLIENTDATA, editor);
    (void)el_set(editor->line, EL_PROMPT, question_of);
    (void)el_set(editor->line, EL_EDITOR, "emacs");
    // libedit redraws the line when the window changes its size, and passes Ctrl-C on to our own handler.
    (void)el_set(editor->line, EL_SIGNAL, 1);
    (void)el_set(editor->line, EL_HIST, history, editor->history);
    (void)el_set(editor->line, EL_GETCFN, read_character);
    (void)el_source(editor->line, NULL);
    return editor;
}

void prompt_open(Prompt *prompt)
{
    *prompt = (Prompt){0};
    (void)setlocale(LC_CTYPE, "");
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        prompt->editor = editor_open();
}

static Span without_end(const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    return (Span){text, length};
}

static PromptResult read_edited(PromptEditor *editor, const char *question, Span *line)
{
    (void)snprintf(editor->question, sizeof editor->question, "%s", question);
    int count = 0;
    (void)fflush(stdout);
    const char *text = el_gets(editor->line, &count);
    if (interrupt_take()) {
        (void)printf("\n");
        return PROMPT_INTERRUPT;
    }
    if (text == NULL || count <= 0) {
        (void)printf("\n");
        return PROMPT_END;
    }
    *line = without_end(text, (size_t)count);
    HistEvent event;
    if (line->length > 0)
        (void)history(editor->history, &event, H_ENTER, text);
    return PROMPT_LINE;
}

PromptResult prompt_read(Prompt *prompt, const char *question, Span *line)
{
    if (prompt->editor != NULL)
        return read_edited(prompt->editor, question, line);
    ssize_t length = getline(&prompt->buffer, &prompt->buffer_size, stdin);
    if (length < 0 && interrupt_take()) {
        clearerr(stdin);
        return PROMPT_INTERRUPT;
    }
    if (length < 0)
        return PROMPT_END;
    *line = without_end(prompt->buffer, (size_t)length);
    return PROMPT_LINE;
}

void prompt_close(Prompt *prompt)
{
    if (prompt->editor != NULL) {
        el_end(prompt->editor->line);
        history_end(prompt->editor->history);
        free(prompt->editor);
    }
    free(prompt->buffer);
    *prompt = (Prompt){0};
}
