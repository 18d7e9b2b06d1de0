// krow prove without its command line.
#include "lab/prove/prove_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "game/fen.h"
#include "game/notation.h"
#include "lab/prove/prove_log.h"
#include "view/json_view.h"

#include <stdlib.h>

enum { SYNC_SECONDS = 30, MEGABYTE = 1 << 20 };

typedef struct {
    ProveRun *run;
    const ProveRunOptions *options;
    Prove *prove;
    ProveLog *log;
    double begun, synced;
    unsigned proved_before; // replies to the first stone, by an earlier run
} Proving;

static bool add_line(void *context, Span line)
{
    Proving *proving = context;
    return proving->log == NULL || prove_log_add(proving->log, line);
}

// What must be the same when a run is continued.
static void write_header(const Game *game, const ProveRunOptions *options, Text *header)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&game->board.rules, rules);
    text_add(header, "krow proof search 1\ngame %s\nstart ", rules);
    fen_write(&game->board, header);
    text_add(header, "\nclaim %s\nsearches %u %u\n", certificate_claim_text((CertificateClaim){options->owner, true}),
             options->threat_nodes > 0 ? options->threat_nodes : PROVE_THREAT_NODES,
             options->engine_nodes > 0 ? options->engine_nodes : PROVE_ENGINE_NODES);
}

static Status open_search(Proving *proving, const Game *game, Error *error)
{
    const ProveRunOptions *options = proving->options;
    ProveOptions how = {.start = &game->board,
                        .owner = options->owner,
                        .threat_nodes = options->threat_nodes,
                        .engine_nodes = options->engine_nodes,
                        .log = add_line,
                        .context = proving,
                        .stop = options->stop};
    Text header = {0};
    Status status = prove_open(&proving->prove, &how, error);
    write_header(game, options, &header);
    if (status == STATUS_OK && options->log != NULL)
        status =
            prove_log_open(&proving->log, options->log, header.data, proving->prove, &proving->run->resumed, error);
    text_close(&header);
    return status;
}

static void show_progress(Proving *proving)
{
    Reporter *reporter = proving->options->reporter;
    if (reporter == NULL || !reporter->is_due(reporter))
        return;
    ProveFacts facts = prove_facts(proving->prove);
    Cell stone;
    unsigned proved, count = prove_count_replies(proving->prove, &stone, &proved);
    char positions[32], searches[32], cell[CELL_TEXT_SIZE];
    Text text = {0};
    text_add(&text, "%s positions, %s searches, proof number %u", view_number(facts.positions, positions),
             view_number(facts.searches, searches), facts.proof);
    if (count > 0 && stone != CELL_NONE) {
        cell_format(stone, cell);
        text_add(&text, ", after %s %u of %u replies proved", cell, proved, count);
    } else if (count > 0) {
        text_add(&text, ", %u of %u replies proved", proved, count);
    }
    // The replies that are left may take longer than those before.
    if (proved > proving->proved_before)
        progress_add_wait(&text,
                          (clock_seconds() - proving->begun) * (count - proved) / (proved - proving->proved_before));
    reporter_show(reporter, "%s", text.data);
    text_close(&text);
}

static const char *limit_reached(const Proving *proving, const ProveFacts *facts)
{
    const ProveRunOptions *options = proving->options;
    uint64_t megabytes = options->memory > 0 ? options->memory : PROVE_MEMORY;
    if (stop_is_raised(options->stop))
        return "interrupted";
    if (options->seconds > 0 && clock_seconds() - proving->begun >= options->seconds)
        return "time limit";
    if (options->searches > 0 && facts->searches >= options->searches)
        return "limit of searches";
    return facts->bytes / MEGABYTE >= megabytes ? "memory limit" : NULL;
}

static Status search(Proving *proving, Error *error)
{
    Status status = STATUS_OK;
    ProveRun *run = proving->run;
    for (;;) {
        run->facts = prove_facts(proving->prove);
        if (run->facts.state != PROVE_OPEN)
            return STATUS_OK;
        run->ended = limit_reached(proving, &run->facts);
        if (run->ended != NULL)
            return STATUS_OK;
        error->status = STATUS_OK;
        if (prove_step(proving->prove, error) == PROVE_OPEN && error->status != STATUS_OK)
            return error->status;
        show_progress(proving);
        if (proving->log != NULL && clock_seconds() > proving->synced + SYNC_SECONDS) {
            proving->synced = clock_seconds();
            status = prove_log_sync(proving->log, error);
            if (status != STATUS_OK)
                return status;
        }
    }
}

// Writes the proof, and verifies it as `krow verify` does.
static Status write_proof(Proving *proving, Error *error)
{
    const ProveRunOptions *options = proving->options;
    TreeWords words = {0};
    Text file = {0};
    reporter_note(options->reporter, "proved; writing the proof");
    Status status = prove_tree(proving->prove, &words, error);
    if (status == STATUS_OK) {
        TreeWordsReader reader = {&words, 0};
        TreeSource source = tree_words_source(&reader);
        status =
            certificate_write_tree(&proving->run->game->board, options->owner, &source, options->stop, &file, error);
    }
    tree_words_close(&words);
    CertificateOptions how = {.stop = options->stop};
    if (status == STATUS_OK)
        status = certificate_verify((Span){file.data, file.length}, &how, &proving->run->report, error);
    if (status == STATUS_OK)
        status = file_write(options->proof, (Span){file.data, file.length}, error);
    proving->run->has_proof = status == STATUS_OK;
    text_close(&file);
    return status;
}

Status prove_run(ProveRun *run, const Game *game, const ProveRunOptions *options, Error *error)
{
    *run = (ProveRun){.game = game, .owner = options->owner};
    Proving proving = {.run = run, .options = options, .begun = clock_seconds(), .synced = clock_seconds()};
    Status status = open_search(&proving, game, error);
    Cell stone;
    if (status == STATUS_OK)
        (void)prove_count_replies(proving.prove, &stone, &proving.proved_before);
    if (status == STATUS_OK)
        status = search(&proving, error);
    if (status == STATUS_OK)
        run->reply_count = prove_replies(proving.prove, run->replies, RULES_CELLS_MAX);
    if (status == STATUS_OK && run->facts.state == PROVE_PROVED && options->proof != NULL)
        status = write_proof(&proving, error);
    run->seconds = clock_seconds() - proving.begun;
    reporter_end(options->reporter);
    prove_log_close(proving.log);
    prove_close(proving.prove);
    return status;
}

json_t *prove_run_json(const ProveRun *run)
{
    static const char *const states[] = {[PROVE_OPEN] = "open", [PROVE_PROVED] = "proved", [PROVE_FAILED] = "failed"};
    json_t *replies = json_array();
    for (unsigned i = 0; i < run->reply_count; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(run->replies[i].cell, cell);
        (void)json_array_append_new(replies,
                                    json_pack("{s:s, s:b, s:I}", "cell", cell, "proved", run->replies[i].proof == 0,
                                              "proof_number", (json_int_t)run->replies[i].proof));
    }
    return json_pack(
        "{s:o, s:s, s:s, s:s?, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:f}", "game", view_rules(&run->game->board.rules),
        "side", side_name(run->owner), "state", states[run->facts.state], "ended", run->ended, "positions",
        (json_int_t)run->facts.positions, "wins_by_threats", (json_int_t)run->facts.proved, "searches",
        (json_int_t)run->facts.searches, "proof_number", (json_int_t)run->facts.proof, "resumed",
        (json_int_t)run->resumed, "first_stones", replies, "proof",
        run->has_proof ? json_pack("{s:I, s:I, s:I, s:I, s:i}", "bytes", (json_int_t)run->report.bytes, "answers",
                                   (json_int_t)run->report.claims[0].answers, "positions",
                                   (json_int_t)run->report.claims[0].positions, "replies",
                                   (json_int_t)run->report.claims[0].replies, "depth", (int)run->report.claims[0].depth)
                       : json_null(),
        "ms", run->seconds * 1000);
}
