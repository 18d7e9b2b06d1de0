// Units of questions that are no games: answered one after another and kept until they are handed in.
#include "base/memory.h"
#include "lab/workers/worker_internal.h"

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

static Status answer_one(Slot *slot, unsigned number, bool *is_done, Error *error)
{
    Text text = {0};
    Status status = slot->job.items->answer(slot->job.state, number, &text, is_done, error);
    FoundAnswers *answers = &slot->answers;
    if (status == STATUS_OK && *is_done) {
        answers->list = array_grow(answers->list, &answers->capacity, answers->count + 1, sizeof *answers->list);
        answers->list[answers->count++] = memory_copy_text(text.data != NULL ? text.data : "");
    }
    text_close(&text);
    return status;
}

Status worker_answer_unit(Slot *slot, Error *error)
{
    unsigned first = slot->unit.first, end = first + slot->unit.games;
    if (end < first || end > slot->job.items->count(slot->job.state))
        return error_set(error, STATUS_FAILED, "it has questions that the job does not have");
    Status status = STATUS_OK;
    bool is_done = true;
    for (unsigned i = first; i < end && is_done && status == STATUS_OK && !atomic_load(&slot->stop); i++) {
        is_done = false;
        status = answer_one(slot, i, &is_done, error);
        (void)atomic_fetch_add(&slot->turns, is_done);
    }
    return status;
}
