// krow ratings: the rating list of what the database holds.
#include "frontends/commands.h"
#include "frontends/output.h"
#include "frontends/report.h"
#include "match/ratings.h"
#include "store/database.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    DatabaseResults results;
    Tally *table;
    AgentRating *ratings;
    unsigned *order;
    RatingFit fit;
} List;

// "NAME=RATING" or NAME, which is then 0.
static Status find_anchor(const char *text, const List *list, RatingOptions *options, Error *error)
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

static Status rate(List *list, const Args *args, Error *error)
{
    unsigned n = list->results.agent_count;
    if (n < 2)
        return error_set(error, STATUS_FAILED, "the database holds no games between different players to rate");
    if (n > RATINGS_MAX_AGENTS)
        return error_set(error, STATUS_FAILED, "%u players are more than the %d that can be rated; choose with --game",
                         n, RATINGS_MAX_AGENTS);
    list->ratings = calloc(n, sizeof *list->ratings);
    list->order = calloc(n, sizeof *list->order);
    if (list->ratings == NULL || list->order == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for ratings");
    RatingOptions options = {.first_advantage = true};
    Status status = database_results_table(&list->results, &list->table, error);
    if (status == STATUS_OK && args->anchor != NULL)
        status = find_anchor(args->anchor, list, &options, error);
    if (status == STATUS_OK)
        status = ratings_fit(list->table, n, &options, list->ratings, &list->fit, error);
    if (status == STATUS_OK)
        ratings_order(list->ratings, n, list->order);
    return status;
}

static Status keep(Database *db, const List *list, const Rules *rules, Error *error)
{
    unsigned n = list->results.agent_count;
    DatabaseRating *rows = calloc(n, sizeof *rows);
    if (rows == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for ratings");
    for (unsigned i = 0; i < n; i++) {
        const AgentRating *rating = &list->ratings[i];
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

static json_t *faults_json(DatabaseFaults faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults.illegal, "timeout", (int)faults.timeout, "crash",
                     (int)faults.crash);
}

static json_t *to_json(const List *list)
{
    json_t *agents = json_array(), *table = json_array();
    for (unsigned i = 0; i < list->results.agent_count; i++) {
        unsigned agent = list->order[i];
        const AgentRating *rating = &list->ratings[agent];
        (void)json_array_append_new(
            agents, json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:b, s:i}", "name",
                              list->results.agents[agent].name, "rating", report_number(rating->rating), "error",
                              report_number(rating->error), "games", (int)tally_games(rating->games), "wins",
                              (int)rating->games.wins, "draws", (int)rating->games.draws, "losses",
                              (int)rating->games.losses, "faults", faults_json(list->results.agents[agent].faults),
                              "imported", list->results.agents[agent].is_foreign, "group", (int)rating->group));
    }
    for (unsigned i = 0; i < list->results.pair_count; i++) {
        const DatabasePair *pair = &list->results.pairs[i];
        (void)json_array_append_new(
            table, json_pack("{s:s, s:s, s:i, s:i, s:i}", "first", list->results.agents[pair->first].name, "second",
                             list->results.agents[pair->second].name, "wins", (int)pair->games.wins, "draws",
                             (int)pair->games.draws, "losses", (int)pair->games.losses));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "agents", agents, "table", table, "first_advantage",
                     report_number(list->fit.advantage), "first_advantage_error",
                     report_number(list->fit.advantage_error));
}

static void print(const List *list)
{
    (void)printf("%-44s %8s %7s %7s %6s %6s %6s\n", "player", "rating", "±95 %", "games", "wins", "draws", "losses");
    for (unsigned i = 0; i < list->results.agent_count; i++) {
        unsigned agent = list->order[i];
        const AgentRating *rating = &list->ratings[agent];
        (void)printf("%3u. %-39.39s %8.1f %7.1f %7.0f %6u %6u %6u\n", i + 1, list->results.agents[agent].name,
                     rating->rating, rating->error, tally_games(rating->games), rating->games.wins, rating->games.draws,
                     rating->games.losses);
    }
    (void)printf("\nadvantage of the first player: %+.1f ± %.1f Elo\n", list->fit.advantage, list->fit.advantage_error);
    if (list->fit.groups > 1)
        (void)printf("%u groups of players have not met; their ratings cannot be compared\n", list->fit.groups);
}

static Status run(const Args *args, Error *error)
{
    Rules rules;
    DatabaseFilter filter = {0};
    if (args->game != NULL) {
        Status status = rules_parse(span_of(args->game), &rules, error);
        if (status != STATUS_OK)
            return status;
        filter.rules = &rules;
    }
    Database *db = NULL;
    List list = {0};
    Status status = database_open(args->db, &db, error);
    if (status == STATUS_OK)
        status = database_results(db, &filter, &list.results, error);
    if (status == STATUS_OK)
        status = rate(&list, args, error);
    if (status == STATUS_OK)
        status = keep(db, &list, filter.rules, error);
    if (status == STATUS_OK && args->json)
        status = output_json(to_json(&list), error);
    else if (status == STATUS_OK)
        print(&list);
    free(list.table);
    free(list.ratings);
    free(list.order);
    database_results_close(&list.results);
    database_close(db);
    return status;
}

static const struct argp_option options[] = {
    {"game", ARG_GAME, "GAME", 0, "Only games of these rules", 0},
    {"anchor", ARG_ANCHOR, "AGENT[=RATING]", 0, "This agent's rating is fixed (at 0 unless given); else the mean is 0",
     0},
    OPTION_DB,
    OPTION_JSON,
    {0},
};

const Command command_ratings = {
    .name = "ratings",
    .words = "",
    .summary = "Rating list of what the database holds",
    .about =
        "Bradley-Terry ratings with draws and the advantage of the first player, with 95 % errors. The list is kept in "
        "the database.",
    .options = options,
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
