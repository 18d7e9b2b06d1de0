// A match as a file: a report, or its games.
#include "web/lab/matches_internal.h"

#include "lab/report.h"
#include "store/formats/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPORT_BYTES_MAX = 32 << 20 };

// --- Reports ---

static void write_json(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    bool is_match = run->event.agent_count == 2;
    json_t *object = is_match ? report_match_json(run) : report_tournament_json(run, rated);
    char *dump = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    text_add(text, "%s\n", dump != NULL ? dump : "null");
    free(dump);
    json_decref(object);
}

static void write_pgn(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    (void)rated;
    report_pgn_text(run, text);
}

static const struct {
    const char *name, *type;
    void (*write)(const MatchRun *run, const RatedAgents *rated, Text *text);
} reports[] = {
    {"json", "application/json", write_json},
    {"pgn", "application/x-chess-pgn", write_pgn},
    {"html", "text/html; charset=utf-8", report_html_text},
};

static Status write_report(WebMatch *web_match, unsigned which, WebCall *call)
{
    RatedAgents rated = {0};
    (void)pthread_mutex_lock(&web_match->lock);
    MatchRun run = web_match_view(web_match);
    Status status = report_rate(&run, &rated, call->error);
    if (status == STATUS_OK)
        reports[which].write(&run, &rated, &call->reply->text);
    (void)pthread_mutex_unlock(&web_match->lock);
    report_rated_close(&rated);
    call->reply->type = reports[which].type;
    return status;
}

// --- Games ---

typedef struct {
    const Format *format;
    Text *text;
    Status status;
    Error *error;
} Export;

static bool write_game(void *context, const DatabaseGame *game)
{
    Export *export = context;
    export->status = formats_write(game->record, export->format, export->text, export->error);
    if (export->status == STATUS_OK && export->text->length > EXPORT_BYTES_MAX)
        export->status = error_set(export->error, STATUS_FAILED,
                                   "The games are too many for one file here; krow export --match writes them.");
    return export->status == STATUS_OK;
}

static Status write_games(WebMatch *web_match, const Format *format, WebCall *call)
{
    Database *db = NULL;
    Export export = {format, &call->reply->text, STATUS_OK, call->error};
    DatabaseFilter filter = {.match = web_match->id};
    if (!web_match_has_database(web_match->matches))
        return web_fail(call, 409, "format", "The games are not kept: there is no database.");
    Status status = database_open_to_read(web_match->matches->context->db, &db, call->error);
    if (status == STATUS_OK && db != NULL)
        status = database_each_game(db, &filter, write_game, &export, call->error);
    database_close(db);
    if (status == STATUS_OK)
        status = export.status;
    return status;
}

static Status export_as(WebMatch *web_match, const char *name, WebCall *call)
{
    for (unsigned i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (strcmp(reports[i].name, name) == 0)
            return write_report(web_match, i, call);
    const Format *format = format_find(span_of(name));
    if (format == NULL || format->write == NULL)
        return web_fail(call, 400, "format", "'%.20s' is no format that can be written.", name);
    return write_games(web_match, format, call);
}

Status web_matches_get_export(WebCall *call)
{
    WebMatch *web_match = NULL;
    const char *format = web_query(call, "format");
    Status status = web_match_of(call, &web_match);
    if (web_match != NULL)
        status = export_as(web_match, format != NULL ? format : "json", call);
    if (status == STATUS_OK && call->reply->text.length == 0) // no game yet: a file all the same
        text_add(&call->reply->text, "\n");
    if (status == STATUS_OK)
        (void)snprintf(call->reply->name, sizeof call->reply->name, "krow-match-%lld.%s", (long long)web_path_id(call),
                       format != NULL ? format : "json");
    else
        text_close(&call->reply->text);
    web_match_drop(web_match);
    return status;
}
