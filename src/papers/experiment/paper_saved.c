// Results of pieces in a file of the folder options->saved, so that an interrupted run continues with the next piece.
// The first line describes the trial and the run; the results of another description are dropped. Each further line is
// a number and the result of this piece.
#include "papers/experiment/paper_internal.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 1 << 28 };

static void add_words(Text *text, const char *const *words)
{
    for (; *words != NULL; words++)
        text_add(text, " %s", *words);
}

// Everything that decides the results, in one line.
static void describe(const PaperWork *work, Text *text)
{
    const PaperTrial *trial = work->trial;
    const DuelLimits *limits = &trial->limits;
    text_add(text, "krow " KROW_VERSION " %s seed %llu scale %.17g pieces %u limits %u %llu %u %g %g", trial->game,
             (unsigned long long)work->options->seed, work->options->scale, work->count, limits->depth,
             (unsigned long long)limits->nodes, limits->max_turns, limits->turn_seconds, limits->clock_seconds);
    add_words(text, trial->agents);
    text_add(text, " asked");
    add_words(text, trial->asked);
}

static bool is_saved(const PaperWork *work)
{
    return work->options->saved != NULL && work->trial->table != NULL;
}

// "000/agents", trial 2: FOLDER/000-agents-2.txt.
static void write_path(const PaperWork *work, Text *path)
{
    Span table = span_of(work->trial->table), paper = {0};
    (void)span_next_part(&table, '/', &paper);
    text_add(path, "%s/%.*s-%.*s-%u.txt", work->options->saved, SPAN_PRINT(paper), SPAN_PRINT(table),
             work->trial->number);
}

static unsigned read_pieces(PaperWork *work, Span rest, bool *is_done)
{
    Span line = {0}, word = {0};
    unsigned count = 0;
    int64_t number = 0;
    while (memchr(rest.at, '\n', rest.length) != NULL && span_next_part(&rest, '\n', &line)) {
        bool good = span_next_part(&line, ' ', &word) && span_to_int(word, 0, (int64_t)work->count - 1, &number) &&
                    !is_done[number] && work->pieces->read(work, (unsigned)number, line);
        if (!good)
            continue;
        is_done[number] = true;
        count++;
    }
    return count;
}

Status paper_read_saved(PaperWork *work, bool *is_done, unsigned *count, Error *error)
{
    *count = 0;
    if (!is_saved(work))
        return STATUS_OK;
    Text path = {0}, head = {0}, text = {0};
    write_path(work, &path);
    describe(work, &head);
    Status status = STATUS_OK;
    Span rest = {0}, first = {0};
    if (!work->options->fresh && file_read(path.data, FILE_MAX, &text, NULL) == STATUS_OK)
        rest = (Span){text.data, text.length};
    if (rest.length > 0 && span_next_part(&rest, '\n', &first) && span_is(first, head.data))
        *count = read_pieces(work, rest, is_done);
    // The file is written anew: a kill may have left half a line.
    text_add(&head, "\n");
    for (unsigned i = 0; i < work->count; i++)
        if (is_done[i]) {
            text_add(&head, "%u ", i);
            work->pieces->write(work, i, &head);
            text_add(&head, "\n");
        }
    status = file_write(path.data, (Span){head.data, head.length}, error);
    text_close(&path);
    text_close(&head);
    text_close(&text);
    return status;
}

Status paper_save_piece(const PaperWork *work, unsigned number, Error *error)
{
    if (!is_saved(work))
        return STATUS_OK;
    Text path = {0}, line = {0};
    write_path(work, &path);
    text_add(&line, "%u ", number);
    work->pieces->write(work, number, &line);
    text_add(&line, "\n");
    FILE *file = fopen(path.data, "a");
    bool good = file != NULL && fwrite(line.data, 1, line.length, file) == line.length;
    good = file != NULL && fclose(file) == 0 && good;
    Status status = good ? STATUS_OK : error_set(error, STATUS_IO, "cannot write to %s", path.data);
    text_close(&path);
    text_close(&line);
    return status;
}
