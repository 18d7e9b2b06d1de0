#include "frontends/prompt.h"

#include "frontends/interrupt.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static PromptEditor *editor_open(void)
{
    PromptEditor *editor = calloc(1, sizeof *editor);
    if (editor == NULL)
        return NULL;
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
    (void)el_source(editor->line, NULL);
    return editor;
}

void prompt_open(Prompt *prompt)
{
    *prompt = (Prompt){0};
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
