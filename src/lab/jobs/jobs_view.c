// Writes jobs and workers as JSON, with derived values such as speed and remaining time.
#include "lab/jobs/jobs_view.h"

#include "view/json_view.h"

const char *job_word(const DatabaseJob *job)
{
    if (job->work != JOB_GAMES)
        return job_kind_name(job->work);
    return job->kind == DATABASE_MATCH ? "match" : "tournament";
}

const char *job_things(const DatabaseJob *job)
{
    static const char *const things[] = {[JOB_GAMES] = "games", [JOB_SOLVE] = "positions", [JOB_PAPER] = "pieces"};
    return things[job->work];
}

int64_t job_left(const DatabaseJob *job)
{
    return job->games - job->done - job->aside;
}

double job_speed(const DatabaseJob *job, int64_t now)
{
    enum { SHORTEST = 1000, WINDOW = 60000 }; // ms; `recent` is counted over the window
    int64_t age = now - job->created;
    // The server's clock may differ from ours.
    int64_t span = age < SHORTEST ? SHORTEST : age < WINDOW ? age : WINDOW;
    return (double)job->recent * 1000 / (double)span;
}

double job_seconds_left(const DatabaseJob *job, int64_t now)
{
    int64_t left = job_left(job);
    if (left == 0)
        return 0;
    return job->state == JOB_OPEN && job->recent > 0 ? (double)left / job_speed(job, now) : -1;
}

static json_t *number_or_null(int64_t number)
{
    return number != 0 ? json_integer((json_int_t)number) : json_null();
}

json_t *job_json(const DatabaseJob *job, int64_t now)
{
    double left = job_seconds_left(job, now);
    return json_pack(
        "{s:I, s:s, s:s, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:I, s:o, s:f, s:I, s:I, s:o}", "id",
        (json_int_t)job->id, "kind", job_word(job), "work", job_kind_name(job->work), "title", view_text(job->title),
        "match", number_or_null(job->match), "state", job_state_name(job->state), "games", (json_int_t)job->games,
        "done", (json_int_t)job->done, "held", (json_int_t)job->held, "aside", (json_int_t)job->aside, "units",
        (json_int_t)job->units, "failures", (json_int_t)job->failures, "games_per_second", job_speed(job, now),
        "seconds_left", left >= 0 ? json_real(left) : json_null(), "created", (json_int_t)job->created, "finished",
        number_or_null(job->finished), "verify", job->verify, "verified", (json_int_t)job->agreed, "unverified",
        (json_int_t)job->pending, "reason", job->reason != NULL ? view_text(job->reason) : json_null());
}

json_t *worker_json(const DatabaseWorker *worker)
{
    return json_pack("{s:I, s:o, s:i, s:I, s:I, s:I, s:I, s:o, s:b, s:o, s:o, s:o}", "id", (json_int_t)worker->id,
                     "name", view_text(worker->name), "slots", (int)worker->slots, "games", (json_int_t)worker->games,
                     "held", (json_int_t)worker->held, "started", (json_int_t)worker->started, "seen",
                     (json_int_t)worker->seen, "ended", number_or_null(worker->ended), "is_alive", worker->is_alive,
                     "build", view_text(worker->build), "words", view_text(worker->words), "quarantine",
                     worker->quarantine != NULL ? view_text(worker->quarantine) : json_null());
}
