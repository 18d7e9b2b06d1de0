// Openings of a match: reads or generates them, and puts them into their order.
#include "lab/match_openings.h"

#include "base/file.h"
#include "base/memory.h"
#include "store/formats/formats.h"
#include "store/paths.h"

#include <stdlib.h>
#include <string.h>

// --- Files ---

enum { OPENING_FILE_MAX = 64 << 20 };

typedef struct {
    Openings *openings;
    const Rules *rules;
    Status status;
    Error *error;
} OpeningSink;

static bool take_opening(void *context, const FormatItem *item)
{
    OpeningSink *sink = context;
    if (item->record == NULL)
        return true;
    const GameRecord *record = item->record;
    if (!rules_equal(&record->rules, sink->rules) || record->setup != NULL) {
        sink->status =
            error_set(sink->error, STATUS_BAD_INPUT, "line %zu: the opening is for another game", item->line);
        return false;
    }
    Cell stones[RULES_CELLS_MAX];
    for (unsigned i = 0; i < record->count; i++)
        stones[i] = record->stones[i].cell;
    openings_add(sink->openings, stones, record->count);
    return true;
}

static Status parse_openings(Span text, const FormatOptions *options, Openings *openings, Error *error)
{
    OpeningSink sink = {.openings = openings, .rules = options->rules, .error = error};
    Status status = formats_read(text, options, take_opening, &sink, error);
    if (status == STATUS_OK)
        status = sink.status;
    for (unsigned i = 0; status == STATUS_OK && i < openings->count; i++) {
        Game game;
        game_init(&game, options->rules);
        status = opening_play(&openings->list[i], &game, error);
        if (status != STATUS_OK)
            error_prefix(error, "opening %u: ", i + 1);
    }
    if (status == STATUS_OK && openings->count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "the file has no openings");
    return status;
}

Status match_run_read_openings(const char *path, const Rules *rules, Openings *openings, Error *error)
{
    Text text = {0};
    FormatOptions options = {.format = format_prefix(&path), .rules = rules};
    Status status = file_read(path, OPENING_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        Span whole = {text.data, text.length};
        if (options.format == NULL)
            status = format_guess(path, whole, &options.format, error);
        if (status == STATUS_OK)
            status = parse_openings(whole, &options, openings, error);
        if (status != STATUS_OK)
            error_prefix(error, "openings '%s': ", path);
    }
    text_close(&text);
    return status;
}

// --- Generation ---

// The file that keeps generated openings: its name has all that determines them.
static Status cache_path(const Tournament *event, Text *path, Error *error)
{
    char game[RULES_TEXT_SIZE];
    Text name = {0};
    rules_format(&event->rules, game);
    text_add(&name, "openings-" KROW_VERSION "-%s-%u-%llu.txt", game, event->openings, (unsigned long long)event->seed);
    Status status = path_of(PATH_CACHE, name.data, path, error);
    text_close(&name);
    return status;
}

// Whether the openings of the event are in the cache. A damaged file is as good as none.
static bool read_cache(const Tournament *event, const char *path, Openings *openings)
{
    Text named = {0};
    text_add(&named, "cells:%s", path);
    bool is_good = match_run_read_openings(named.data, &event->rules, openings, NULL) == STATUS_OK &&
                   openings->count == event->openings;
    if (!is_good)
        openings_close(openings);
    text_close(&named);
    return is_good;
}

// Without a cache they are made again the next time.
static void write_cache(const Tournament *event, const char *path, const Openings *openings)
{
    Text text = {0};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < openings->count && status == STATUS_OK; i++) {
        GameRecord record = {.rules = event->rules};
        const Opening *opening = &openings->list[i];
        for (unsigned j = 0; j < opening->count && status == STATUS_OK; j++)
            status = record_add(&record, (RecordStone){.cell = opening->stones[j], .ms = RECORD_MS_UNKNOWN}, NULL);
        if (status == STATUS_OK)
            status = formats_write(&record, format_find(span_of("cells")), &text, NULL);
        record_close(&record);
    }
    if (status == STATUS_OK)
        (void)file_write(path, (Span){text.data, text.length}, NULL);
    text_close(&text);
}

static Status make_random(MatchRun *run, Error *error)
{
    const Tournament *event = &run->event;
    OpeningRecipe recipe = opening_recipe(&event->rules, event->seed);
    recipe.stop = run->stop;
    if (run->opening_turns > 0)
        recipe.max_turns = run->opening_turns;
    return openings_make(&recipe, &event->rules, event->openings, &run->openings, error);
}

static void show_made(void *context, unsigned made)
{
    progress_show(context, made, "");
}

// Random openings if the game does not have enough balanced ones.
static Status make_balanced(MatchRun *run, const char *path, Error *error)
{
    const Tournament *event = &run->event;
    Progress progress;
    OpeningRecipe recipe = opening_recipe_balanced(&event->rules, event->seed, event->openings);
    recipe.stop = run->stop;
    recipe.progress = show_made;
    recipe.context = &progress;
    progress_begin(&progress, run->reporter, event->openings, 0);
    progress.things = "openings";
    Error reason = {0};
    Status status = openings_make(&recipe, &event->rules, event->openings, &run->openings, &reason);
    if (run->reporter != NULL)
        reporter_end(run->reporter);
    if (status == STATUS_OK && path != NULL)
        write_cache(event, path, &run->openings);
    if (status == STATUS_OK)
        return status;
    if (run->stop != NULL && atomic_load(run->stop))
        return error_set(error, status, "%s", reason.text);
    reporter_note(run->reporter, "The openings are random: %s", reason.text);
    openings_close(&run->openings);
    return make_random(run, error);
}

static Status generate(MatchRun *run, Error *error)
{
    const Tournament *event = &run->event;
    if (!event->balanced)
        return make_random(run, error);
    Text path = {0};
    bool has_path = cache_path(event, &path, NULL) == STATUS_OK;
    Status status = STATUS_OK;
    if (!has_path || !read_cache(event, path.data, &run->openings))
        status = make_balanced(run, has_path ? path.data : NULL, error);
    text_close(&path);
    return status;
}

// --- Order ---

// Shuffles with a seed of its own, so that the games of the match do not depend on the number of openings.
static void shuffle(Openings *openings, uint64_t seed)
{
    static const uint64_t purpose = 0x6f70656e; // "open"
    Rng rng = rng_make(rng_derive(seed, purpose));
    for (unsigned i = openings->count; i > 1; i--) {
        unsigned j = rng_below(&rng, i);
        Opening other = openings->list[i - 1];
        openings->list[i - 1] = openings->list[j];
        openings->list[j] = other;
    }
}

// Begins with opening number `start`, from 0.
static void rotate(Openings *openings, unsigned start)
{
    Opening *list = memory_new(openings->count, sizeof *list);
    for (unsigned i = 0; i < openings->count; i++)
        list[i] = openings->list[(start + i) % openings->count];
    free(openings->list);
    openings->list = list;
    openings->capacity = openings->count;
}

static Status put_in_order(MatchRun *run, Error *error)
{
    const Tournament *event = &run->event;
    unsigned count = run->openings.count;
    if ((event->random_order || event->start > 1) && count == 0)
        return error_set(error, STATUS_BAD_INPUT, "an order or a start of openings needs openings");
    if (event->start > count && event->start > 1)
        return error_set(error, STATUS_BAD_INPUT, "there is no opening %u; there are %u", event->start, count);
    if (event->random_order)
        shuffle(&run->openings, event->seed);
    if (event->start > 1)
        rotate(&run->openings, event->start - 1);
    return STATUS_OK;
}

Status match_openings_get(MatchRun *run, Error *error)
{
    const Tournament *event = &run->event;
    Status status = STATUS_OK;
    if (event->openings_file != NULL)
        status = match_run_read_openings(event->openings_file, &event->rules, &run->openings, error);
    else if (event->openings > 0)
        status = generate(run, error);
    return status == STATUS_OK ? put_in_order(run, error) : status;
}
