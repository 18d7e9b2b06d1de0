// krow patterns check: whether patterns really win.
#include "frontends/commands.h"
#include "frontends/output.h"
#include "frontends/pattern_check.h"
#include "frontends/pattern_sets.h"
#include "store/patternfile.h"

#include <stdlib.h>

typedef struct {
    const Args *args;
    PatternSetName name;
    Database *db;
    PatternList list;
    PatternCheck check;
    PatternProofResult *results; // of each pattern
    size_t checked;              // fewer than there are after Ctrl-C
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

static Status check_all(Checking *checking, Error *error)
{
    checking->results = calloc(checking->list.count, sizeof *checking->results);
    if (checking->results == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for patterns");
    Status status = pattern_check_open(&checking->check, &checking->name.rules, checking->args, error);
    for (size_t i = 0; i < checking->list.count && status == STATUS_OK; i++) {
        PatternProofResult *result = &checking->results[i];
        if (!pattern_check_run(&checking->check, &checking->list.list[i].pattern, result))
            return STATUS_OK;
        checking->checked++;
        if (!checking->args->json && !checking->args->quiet)
            print_odd(&checking->list.list[i], result->verdict);
    }
    return status;
}

// The database was opened without the need to write it, which comes only now.
static Status forget_refuted(Checking *checking, Error *error)
{
    Database *db = NULL;
    const PatternSetName *name = &checking->name;
    Status status = pattern_sets_database(checking->args->db, &db, error);
    for (size_t i = 0; i < checking->checked && status == STATUS_OK; i++) {
        DatabasePatternChoice choice = {checking->list.list[i].number, -1};
        uint64_t forgotten = 0;
        if (checking->results[i].verdict == PATTERN_REFUTED)
            status = database_forget_patterns(db, name->set, &name->rules, choice, &forgotten, error);
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
    if (checking->args->json)
        return report_json(checking, error);
    (void)printf("%zu pattern%s of the set '%s' for %s: %llu proved, %llu refuted, %llu undecided", checking->checked,
                 output_plural(checking->checked), checking->name.set, checking->name.game,
                 (unsigned long long)of[PATTERN_PROVED], (unsigned long long)of[PATTERN_REFUTED],
                 (unsigned long long)of[PATTERN_UNDECIDED]);
    if (checking->args->forgets_refuted)
        (void)printf("; %llu forgotten", (unsigned long long)checking->forgotten);
    (void)printf("\n");
    return STATUS_OK;
}

static Status read_patterns(Checking *checking, Error *error)
{
    const Args *args = checking->args;
    DatabasePatternChoice choice = pattern_sets_choice(args);
    Status status = pattern_sets_name(args, args->word_count > 0 ? args->words[0] : NULL, &checking->name, error);
    if (status == STATUS_OK)
        status = pattern_set_check_rules(&checking->name.rules, error);
    if (status == STATUS_OK)
        status = pattern_sets_database_to_read(args->db, &checking->db, error);
    if (status == STATUS_OK)
        status = pattern_sets_read(checking->db, &checking->name, choice, &checking->list, error);
    if (status == STATUS_OK && checking->list.count == 0)
        status = pattern_sets_no_pattern(&checking->name, choice, error);
    return status;
}

// What is left to complain about.
static Status conclude(const Checking *checking, Error *error)
{
    uint64_t refuted = checking->check.of_verdict[PATTERN_REFUTED];
    if (checking->checked < checking->list.count)
        return STATUS_INTERRUPTED;
    if (refuted == 0 || checking->args->forgets_refuted)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "%llu pattern%s %s not hold; --forget-refuted removes %s",
                     (unsigned long long)refuted, output_plural(refuted), refuted == 1 ? "does" : "do",
                     refuted == 1 ? "it" : "them");
}

static Status run(const Args *args, Error *error)
{
    Checking checking = {.args = args};
    Status status = read_patterns(&checking, error);
    if (status == STATUS_OK)
        status = check_all(&checking, error);
    if (status == STATUS_OK && args->forgets_refuted && checking.check.of_verdict[PATTERN_REFUTED] > 0)
        status = forget_refuted(&checking, error);
    if (status == STATUS_OK)
        status = report(&checking, error);
    if (status == STATUS_OK)
        status = conclude(&checking, error);
    pattern_check_close(&checking.check);
    free(checking.results);
    pattern_list_close(&checking.list);
    database_close(checking.db);
    return status;
}

static const struct argp_option options[] = {
    {"game", ARG_GAME, "GAME", 0, "The game, as the word GAME (gomoku unless given)", 0},
    OPTION_SET,
    {"number", ARG_NUMBER, "N", 0, "Only the pattern with this number", 0},
    {"tier", ARG_TIER, "T", 0, "Only patterns of this tier", 0},
    {"nodes", ARG_NODES, "N", 0, "Look at no more than N positions a pattern (10000000 unless given)", 0},
    {"time", ARG_TIME, "SECONDS", 0, "Think no longer than this about a pattern", 0},
    {"forget-refuted", ARG_FORGET_REFUTED, NULL, 0, "Remove patterns that do not win from the database", 0},
    OPTION_BOOK_DB,
    OPTION_JSON,
    {"quiet", ARG_QUIET, NULL, 0, "Only the numbers, not the patterns", 0},
    {0},
};

const Command command_patterns_check = {
    .name = "check",
    .words = "[GAME]",
    .summary = "Prove that patterns win",
    .about =
        "An exact search: the owner may play on the empty cells of the pattern only, the other side anywhere, and "
        "moves "
        "first. A pattern is proved, refuted, or undecided where the limit came first; those that are not proved are "
        "listed. The exit status is 1 if there are refuted ones, unless they are removed.",
    .options = options,
    .max_words = 1,
    .run = run,
};
