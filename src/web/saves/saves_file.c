// Files of games that are not in the database yet: JSON with the game as SGF.
#include "web/saves/saves_internal.h"

#include "base/file.h"
#include "base/memory.h"
#include "store/formats/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, FILE_SIZE_MAX = 4 << 20 };

static const char ending[] = ".json";

static void path_of_save(const char *folder, const char *key, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "%s/%s%s", folder, key, ending);
}

bool web_save_key_is_good(const char *key)
{
    size_t length = strlen(key);
    return length > 8 && length < DATABASE_KEY_SIZE &&
           strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == length;
}

void web_save_date(int64_t ms, char *text, size_t size)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm local;
    if (localtime_r(&seconds, &local) == NULL || strftime(text, size, "%Y-%m-%d", &local) == 0)
        text[0] = '\0';
}

Status saves_file_write(const char *folder, const WebSave *save, Error *error)
{
    char path[PATH_SIZE];
    Text sgf = {0};
    Status status = formats_write(&save->record, format_find(span_of("sgf")), &sgf, error);
    json_t *object =
        json_pack("{s:i, s:s, s:I, s:I, s:s}", "format", 1, "key", save->key, "started", (json_int_t)save->started,
                  "ended", (json_int_t)save->ended, "sgf", sgf.data != NULL ? sgf.data : "");
    char *text = json_dumps(object, JSON_COMPACT);
    path_of_save(folder, save->key, path);
    if (status == STATUS_OK)
        status = text != NULL ? file_write_private(path, span_of(text), error)
                              : error_set(error, STATUS_FAILED, "the game has texts that are not UTF-8");
    json_decref(object);
    free(text);
    text_close(&sgf);
    return status;
}

void saves_file_remove(const char *folder, const char *key)
{
    char path[PATH_SIZE];
    path_of_save(folder, key, path);
    (void)unlink(path);
}

static bool take_record(void *context, const FormatItem *item)
{
    GameRecord *record = context;
    if (item->record == NULL)
        return false;
    *record = *item->record;
    *item->record = (GameRecord){0};
    return false;
}

// The game of a file; NULL if it is damaged.
static SaveJob *read_save(const json_t *object)
{
    const char *key = json_string_value(json_object_get(object, "key"));
    const char *sgf = json_string_value(json_object_get(object, "sgf"));
    if (json_integer_value(json_object_get(object, "format")) != 1 || key == NULL || !web_save_key_is_good(key) ||
        sgf == NULL)
        return NULL;
    SaveJob *job = memory_new(1, sizeof *job);
    (void)snprintf(job->save.key, sizeof job->save.key, "%s", key);
    job->save.started = json_integer_value(json_object_get(object, "started"));
    job->save.ended = json_integer_value(json_object_get(object, "ended"));
    const FormatOptions options = {.format = format_find(span_of("sgf"))};
    (void)formats_read(span_of(sgf), &options, take_record, &job->save.record, NULL);
    if (job->save.record.count > 0)
        return job;
    save_job_close(job);
    return NULL;
}

static SaveJob *load(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    Text text = {0};
    Error error = {0};
    SaveJob *job = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (file_read(path, FILE_SIZE_MAX, &text, &error) == STATUS_OK) {
        json_t *object = json_loadb(text.data, text.length, 0, NULL);
        job = read_save(object);
        json_decref(object);
    }
    text_close(&text);
    if (job == NULL)
        (void)fprintf(stderr, "A saved game cannot be read, and is skipped: %s%s%s\n", path,
                      error.text[0] != '\0' ? ": " : "", error.text);
    return job;
}

static int is_save(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), tail = sizeof ending - 1;
    return length > tail && strcmp(entry->d_name + length - tail, ending) == 0;
}

Status saves_files_read(const char *folder, SaveTaker *take, void *context, Error *error)
{
    struct dirent **entries = NULL;
    Status status = file_make_private_folder(folder, error);
    if (status != STATUS_OK)
        return status;
    int count = scandir(folder, &entries, is_save, alphasort);
    if (count < 0)
        return error_set(error, STATUS_IO, "cannot read the folder '%s': %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        SaveJob *job = load(folder, entries[i]->d_name);
        if (job != NULL)
            take(context, job);
        free(entries[i]);
    }
    free(entries);
    return STATUS_OK;
}
