// krow patterns check: proves that patterns win.
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/books.h"
#include "lab/learn/pattern_sets.h"
#include "papers/patterns/pattern_check.h"
#include "store/files/patternfile.h"
#include "view/json_view.h"

#include <stdlib.h>

typedef struct {
    const PatternsArgs *args;
    PatternSetName name;
    PatternList list;
    PatternCheck check;
    PatternProofResult *results; // of each pattern
    size_t checked;              // not all of them after Ctrl-C
    uint64_t forgotten;
} Checking;

// Those that do not win, or of which it is not known.
static void print_odd(const DatabasePattern *stored, PatternVerdict verdict)
{
    char code[PATTERN_TEXT_SIZE];
    if (verdict == PATTERN_PROVED)
        return;
    pattern_format(&stored->pattern, code);
    (void)printf("%8lld  tier %-2u  %-9s  %s\n", (long long)stored->number, stored->pattern.tier,
                 pattern_verdict_name(verdict), code);
}

static void check_all(Checking *checking)
{
    checking->results = memory_new(checking->list.count, sizeof *checking->results);
    pattern_check_open(&checking->check, &checking->name.rules, &checking->args->budget, interrupt_catch());
    for (size_t i = 0; i < checking->list.count; i++) {
        PatternProofResult *result = &checking->results[i];
        if (!pattern_check_run(&checking->check, &checking->list.list[i].pattern, result))
            return;
        checking->checked++;
        if (!checking->args->line.json && !checking->args->line.quiet)
            print_odd(&checking->list.list[i], result->verdict);
    }
}

// Opens the database for writing, which only this needs.
static Status forget_refuted(Checking *checking, Error *error)
{
    Database *db = NULL;
    const PatternSetName *name = &checking->name;
    Status status = database_for("patterns", checking->args->line.db, OPEN_TO_WRITE, &db, error);
    for (size_t i = 0; i < checking->checked && status == STATUS_OK; i++) {
        DatabaseForget which = {name->set, &name->rules, {checking->list.list[i].number, -1}};
        uint64_t forgotten = 0;
        if (checking->results[i].verdict == PATTERN_REFUTED)
            status = database_forget_patterns(db, &which, &forgotten, error);
        checking->forgotten += forgotten;
    }
    database_close(db);
    return status;
}

static Status report_json(const Checking *checking, Error *error)
{
    const uint64_t *of = checking->check.of_verdict;
    json_t *all = pattern_list_json(&checking->list);
    while (json_array_size(all) > checking->checked)
        (void)json_array_remove(all, json_array_size(all) - 1);
    for (size_t i = 0; i < checking->checked; i++) {
        const PatternProofResult *result = &checking->results[i];
        json_t *pattern = json_array_get(all, i);
        (void)json_object_set_new(pattern, "verdict", json_string(pattern_verdict_name(result->verdict)));
        (void)json_object_set_new(pattern, "moves",
                                  result->verdict == PATTERN_PROVED ? json_integer(result->moves) : json_null());
        (void)json_object_set_new(pattern, "nodes", json_integer((json_int_t)result->nodes));
    }
    return output_json(json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "game", checking->name.game, "set",
                                 checking->name.set, "proved", (json_int_t)of[PATTERN_PROVED], "refuted",
                                 (json_int_t)of[PATTERN_REFUTED], "undecided", (json_int_t)of[PATTERN_UNDECIDED],
                                 "forgotten", (json_int_t)checking->forgotten, "patterns", all),
                       error);
}

static Status report(const Checking *checking, Error *error)
{
    const uint64_t *of = checking->check.of_verdict;
    if (checking->args->line.json)
        return report_json(checking, error);
    (void)printf("%zu pattern%s of the set '%s' for %s: %llu proved, %llu refuted, %llu undecided", checking->checked,
                 view_plural(checking->checked), checking->name.set, checking->name.game,
                 (unsigned long long)of[PATTERN_PROVED], (unsigned long long)of[PATTERN_REFUTED],
                 (unsigned long long)of[PATTERN_UNDECIDED]);
    if (checking->args->forgets_refuted)
        (void)printf("; %llu forgotten", (unsigned long long)checking->forgotten);
    (void)printf("\n");
    return STATUS_OK;
}

static Status read_patterns(Checking *checking, Error *error)
{
    const PatternsArgs *args = checking->args;
    Status status = patterns_args_set(args, args->line.words[0], &checking->name, error);
    if (status == STATUS_OK)
        status = pattern_set_check_rules(&checking->name.rules, error);
    if (status == STATUS_OK)
        status = patterns_args_read(args, &checking->name, &checking->list, error);
    return status;
}

// Fails if refuted patterns remain.
static Status conclude(const Checking *checking, Error *error)
{
    uint64_t refuted = checking->check.of_verdict[PATTERN_REFUTED];
    if (checking->checked < checking->list.count)
        return STATUS_INTERRUPTED;
    if (refuted == 0 || checking->args->forgets_refuted)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "%llu pattern%s %s not hold; --forget-refuted removes %s",
                     (unsigned long long)refuted, view_plural(refuted), refuted == 1 ? "does" : "do",
                     refuted == 1 ? "it" : "them");
}

static Status run(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    Checking checking = {.args = args};
    Status status = read_patterns(&checking, error);
    if (status == STATUS_OK)
        check_all(&checking);
    if (status == STATUS_OK && args->forgets_refuted && checking.check.of_verdict[PATTERN_REFUTED] > 0)
        status = forget_refuted(&checking, error);
    if (status == STATUS_OK)
        status = report(&checking, error);
    if (status == STATUS_OK)
        status = conclude(&checking, error);
    pattern_check_close(&checking.check);
    free(checking.results);
    pattern_list_close(&checking.list);
    return status;
}

static const CliOption options[] = {
    OPTION_PATTERN_GAME,
    OPTION_SET,
    OPTION_NUMBER,
    OPTION_TIER,
    CLI_OPTION(PatternsArgs, budget.nodes, "nodes", CLI_WHOLE, "N",
               "Search at most N positions per pattern (default 10000000)", .min = 1, .max = INT64_MAX),
    CLI_OPTION(PatternsArgs, budget.seconds, "time", CLI_SECONDS, "SECONDS", "Search at most SECONDS per pattern"),
    CLI_OPTION(PatternsArgs, forgets_refuted, "forget-refuted", CLI_FLAG, NULL,
               "Remove patterns that do not win from the database"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    CLI_OPTION(PatternsArgs, line.quiet, "quiet", CLI_FLAG, NULL, "Print only the counts, not the patterns",
               .letter = 'q'),
    CLI_END(PatternsArgs),
};

const Command command_patterns_check = {
    .name = "check",
    .words = "[GAME]",
    .summary = "Prove that patterns win",
    .about = "In an exact search, the owner may play only on the empty cells of the pattern; the other side may play "
             "anywhere and moves first. A pattern is proved, refuted, or undecided if a limit ends the search. "
             "Patterns that are not proved are listed. The exit status is 1 if refuted patterns remain.",
    .options = options,
    .run = run,
};
