// Writes the log of a match, line by line, so that it is complete after a crash.
#include "lab/engine_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool write_all(int file, Span text)
{
    while (text.length > 0) {
        ssize_t put = write(file, text.at, text.length);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0)
            text = (Span){text.at + put, text.length - (size_t)put};
    }
    return true;
}

static void write_line(void *context, const char *player, int process, char direction, Span text)
{
    EngineLog *log = context;
    struct timespec now;
    struct tm date;
    char when[32];
    Text line = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)localtime_r(&now.tv_sec, &date);
    (void)strftime(when, sizeof when, "%F %T", &date);
    text_add(&line, "%s.%03ld %s[%d] %c ", when, now.tv_nsec / 1000000, player, process, direction);
    text_add_span(&line, text);
    text_add(&line, "\n");
    (void)pthread_mutex_lock(&log->lock);
    log->has_failed = !write_all(log->file, (Span){line.data, line.length}) || log->has_failed;
    (void)pthread_mutex_unlock(&log->lock);
    text_close(&line);
}

Status engine_log_open(EngineLog *log, const char *path, Error *error)
{
    log->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->file < 0)
        return error_set(error, STATUS_FAILED, "cannot write '%s': %s", path, strerror(errno));
    log->is_open = true;
    (void)pthread_mutex_init(&log->lock, NULL);
    log->lent = (AgentLog){.context = log, .line = write_line};
    return STATUS_OK;
}

Status engine_log_close(EngineLog *log, Error *error)
{
    if (!log->is_open)
        return STATUS_OK;
    bool failed = close(log->file) != 0 || log->has_failed;
    (void)pthread_mutex_destroy(&log->lock);
    *log = (EngineLog){0};
    return failed ? error_set(error, STATUS_FAILED, "the log is incomplete: it could not be written") : STATUS_OK;
}
