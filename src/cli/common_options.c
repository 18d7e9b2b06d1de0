// Options that several commands share.
#include "cli/common_options.h"

#include "lab/books.h"

const CliOption workers_options[] = {
    CLI_OPTION(WorkersOption, is_used, "workers", CLI_FLAG, NULL,
               "Let workers of the database play (see krow worker) and wait for them"),
    CLI_OPTION(WorkersOption, how.unit, "unit", CLI_WHOLE, "PAIRS", "With --workers: pairs of games per unit of work",
               .min = 1, .max = 2048),
    CLI_OPTION(WorkersOption, how.lease, "lease", CLI_SECONDS, "SECONDS",
               "With --workers: reassign games from a worker idle this long"),
    CLI_OPTION(WorkersOption, how.verify, "verify", CLI_SHARE, "SHARE",
               "With --workers: let other workers play this share of the units again, 0 to 1; quarantine false ones"),
    {0},
};

const CliOption lab_options[] = {
    OPTION_JOBS(LabOptions),
    OPTION_TIME(LabOptions),
    OPTION_CLOCK(LabOptions),
    OPTION_NODES(LabOptions),
    OPTION_DEPTH(LabOptions),
    OPTION_TURNS(LabOptions),
    CLI_OPTION(LabOptions, seed, "seed", CLI_WHOLE, "N", "Random seed; the same seed replays the same games",
               .max = INT64_MAX, .given = offsetof(LabOptions, has_seed)),
    CLI_ROWS(LabOptions, workers, workers_options),
    {0},
};

const CliOption repeat_options[] = {
    CLI_OPTION(LabOptions, resumes, "resume", CLI_FLAG, NULL, "Continue the same games if they were started before"),
    CLI_OPTION(LabOptions, again, "again", CLI_FLAG, NULL, "If the same games are stored, play with a new seed"),
    {0},
};

Status patterns_args_set(const PatternsArgs *args, const char *game, PatternSetName *name, Error *error)
{
    if (game != NULL && args->game != NULL)
        return error_set(error, STATUS_BAD_INPUT, "the game is given twice: '%s' and --game '%s'", game, args->game);
    return pattern_sets_name(args->set, game != NULL ? game : args->game, name, error);
}

DatabasePatternChoice patterns_args_choice(const PatternsArgs *args)
{
    return (DatabasePatternChoice){args->number, args->has_tier ? (int)args->tier : -1};
}

Status patterns_args_read(const PatternsArgs *args, const PatternSetName *name, PatternList *list, Error *error)
{
    Database *db = NULL;
    DatabasePatternChoice choice = patterns_args_choice(args);
    Status status = database_for("patterns", args->line.db, OPEN_TO_READ, &db, error);
    if (status == STATUS_OK)
        status = pattern_sets_read(db, name, choice, list, error);
    if (status == STATUS_OK && list->count == 0)
        status = pattern_sets_no_pattern(name, choice, error);
    database_close(db);
    return status;
}
