// krow ratings: the rating list of the games in the database.
#include "base/memory.h"
#include "cli/commands.h"
#include "lab/rating_list.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    CommandLine line;
    const char *game, *anchor; // NULL: not given
} RatingsArgs;

// "NAME=RATING" or NAME, which is then 0.
static Status find_anchor(const char *text, const RatingList *list, RatingOptions *options, Error *error)
{
    const char *equals = strrchr(text, '=');
    Span name = span_of(text);
    if (equals != NULL && span_to_real(span_of(equals + 1), &options->anchor_rating))
        name.length = (size_t)(equals - text);
    for (unsigned i = 0; i < list->results.agent_count; i++)
        if (span_is(name, list->results.agents[i].name)) {
            options->anchor = i;
            options->anchored = true;
            return STATUS_OK;
        }
    return error_set(error, STATUS_BAD_INPUT, "--anchor: '%.*s' has no game in the database", SPAN_PRINT(name));
}

static Status keep(Database *db, const RatingList *list, const Rules *rules, Error *error)
{
    unsigned n = list->results.agent_count;
    DatabaseRating *rows = memory_new(n, sizeof *rows);
    for (unsigned i = 0; i < n; i++) {
        const AgentRating *rating = &list->rated.ratings[i];
        rows[i] = (DatabaseRating){.agent = list->results.agents[i].name,
                                   .is_foreign = list->results.agents[i].is_foreign,
                                   .rating = rating->rating,
                                   .error = rating->error,
                                   .games = (uint32_t)tally_games(rating->games)};
    }
    DatabaseRatingList about = {.name = "ratings", .rules = rules, .computed = (int64_t)time(NULL) * 1000};
    Status status = database_save_ratings(db, &about, rows, n, error);
    free(rows);
    return status;
}

static void print(const RatingList *list)
{
    (void)printf("%-44s %8s %7s %7s %6s %6s %6s\n", "player", "rating", "±95 %", "games", "wins", "draws", "losses");
    for (unsigned i = 0; i < list->results.agent_count; i++) {
        unsigned agent = list->rated.order[i];
        const AgentRating *rating = &list->rated.ratings[agent];
        (void)printf("%3u. %-39.39s %8.1f %7.1f %7.0f %6u %6u %6u\n", i + 1, list->results.agents[agent].name,
                     rating->rating, rating->error, tally_games(rating->games), rating->games.wins, rating->games.draws,
                     rating->games.losses);
    }
    (void)printf("\nadvantage of the first player: %+.1f ± %.1f Elo\n", list->rated.fit.advantage,
                 list->rated.fit.advantage_error);
    if (list->rated.fit.groups > 1)
        (void)printf("%u groups of players have not met; their ratings cannot be compared\n", list->rated.fit.groups);
}

static Status run(const void *options, Error *error)
{
    const RatingsArgs *args = options;
    Rules rules;
    DatabaseFilter filter = {0};
    if (args->game != NULL) {
        Status status = rules_parse(span_of(args->game), &rules, error);
        if (status != STATUS_OK)
            return status;
        filter.rules = &rules;
    }
    Database *db = NULL;
    RatingList list = {0};
    RatingOptions fit = {.first_advantage = true};
    Status status = database_open(args->line.db, &db, error);
    if (status == STATUS_OK)
        status = database_results(db, &filter, &list.results, error);
    if (status == STATUS_OK)
        status = args->anchor != NULL ? find_anchor(args->anchor, &list, &fit, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = rating_list_fit(&list, &fit, error);
    if (status == STATUS_OK)
        status = keep(db, &list, filter.rules, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(rating_list_json(&list), error);
    else if (status == STATUS_OK)
        print(&list);
    rating_list_close(&list);
    database_close(db);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(RatingsArgs, game, "game", CLI_TEXT, "GAME", "Only games of these rules"),
    CLI_OPTION(RatingsArgs, anchor, "anchor", CLI_TEXT, "AGENT[=RATING]",
               "Fix the rating of AGENT (default rating 0); without --anchor the mean is 0"),
    OPTION_DB,
    OPTION_JSON,
    CLI_END(RatingsArgs),
};

const Command command_ratings = {
    .name = "ratings",
    .summary = "Print a rating list of the games in the database",
    .about = "Bradley-Terry ratings with draws and the advantage of the first player, with 95 % errors. The list is "
             "stored in the database.",
    .options = options,
    .run = run,
};
