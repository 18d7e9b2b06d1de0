// Units of questions that are no games: answered one after another and kept until they are handed in.
#include "frontends/worker_internal.h"

#include <stdlib.h>
#include <string.h>

void worker_forget_answers(FoundAnswers *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        free(answers->list[i]);
    answers->count = 0;
}

void worker_close_answers(FoundAnswers *answers)
{
    worker_forget_answers(answers);
    free(answers->list);
    *answers = (FoundAnswers){0};
}

static bool make_room(FoundAnswers *answers, size_t wanted)
{
    if (wanted <= answers->capacity)
        return true;
    char **grown = realloc(answers->list, wanted * sizeof *grown);
    if (grown == NULL)
        return false;
    answers->list = grown;
    answers->capacity = wanted;
    return true;
}

static Status answer_one(Slot *slot, unsigned number, bool *is_done, Error *error)
{
    Text text = {0};
    Status status = slot->job.items->answer(slot->job.state, number, &text, is_done, error);
    char *answer = status == STATUS_OK && *is_done && !text.failed ? strdup(text.data != NULL ? text.data : "") : NULL;
    text_close(&text);
    if (status == STATUS_OK && *is_done && answer == NULL)
        status = error_set(error, STATUS_NO_MEMORY, "no memory for an answer");
    if (answer != NULL)
        slot->answers.list[slot->answers.count++] = answer;
    return status;
}

Status worker_answer_unit(Slot *slot, Error *error)
{
    unsigned first = slot->unit.first, end = first + slot->unit.games;
    if (end < first || end > slot->job.items->count(slot->job.state))
        return error_set(error, STATUS_FAILED, "it has questions that the job does not have");
    if (!make_room(&slot->answers, slot->unit.games))
        return error_set(error, STATUS_NO_MEMORY, "no memory for answers");
    Status status = STATUS_OK;
    bool is_done = true;
    for (unsigned i = first; i < end && is_done && status == STATUS_OK && !atomic_load(&slot->stop); i++) {
        is_done = false;
        status = answer_one(slot, i, &is_done, error);
        (void)atomic_fetch_add(&slot->turns, is_done);
    }
    return status;
}
