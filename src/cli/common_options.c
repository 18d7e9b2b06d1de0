// Options that several commands share.
#include "cli/common_options.h"

const CliOption workers_options[] = {
    CLI_OPTION(WorkersOption, is_used, "workers", CLI_FLAG, NULL,
               "Let workers of the database play (see krow worker) and wait for them"),
    CLI_OPTION(WorkersOption, how.unit, "unit", CLI_WHOLE, "PAIRS", "With --workers: pairs of games per unit of work",
               .min = 1, .max = 2048),
    CLI_OPTION(WorkersOption, how.lease, "lease", CLI_SECONDS, "SECONDS",
               "With --workers: reassign games from a worker idle this long"),
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

Status pattern_options_set(const PatternOptions *options, const char *game, PatternSetName *name, Error *error)
{
    if (game != NULL && options->game != NULL)
        return error_set(error, STATUS_BAD_INPUT, "the game is given twice: '%s' and --game '%s'", game, options->game);
    return pattern_sets_name(options->set, game != NULL ? game : options->game, name, error);
}

DatabasePatternChoice pattern_options_choice(const PatternOptions *options)
{
    return (DatabasePatternChoice){options->number, options->has_tier ? (int)options->tier : -1};
}

Status pattern_options_read(const PatternOptions *options, const char *db, const PatternSetName *name,
                            PatternList *list, Error *error)
{
    Database *database = NULL;
    DatabasePatternChoice choice = pattern_options_choice(options);
    Status status = pattern_sets_database_to_read(db, &database, error);
    if (status == STATUS_OK)
        status = pattern_sets_read(database, name, choice, list, error);
    if (status == STATUS_OK && list->count == 0)
        status = pattern_sets_no_pattern(name, choice, error);
    database_close(database);
    return status;
}
