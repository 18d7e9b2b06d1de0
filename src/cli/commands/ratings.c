// krow ratings: a rating list of the games in the database for each game.
#include "base/memory.h"
#include "cli/commands.h"
#include "lab/books.h"
#include "lab/rating_list.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    CommandLine line;
    const char *game, *anchor; // NULL: not given
} RatingsArgs;

typedef struct {
    Rules rules;
    RatingList list;
    bool is_rated; // with at least two players
} GameRatings;

typedef struct {
    const RatingsArgs *args;
    Database *db;
    GameRatings *games;
    size_t count, capacity;
    size_t rated;
    bool anchored; // the anchor plays in one of the games
} RatingLists;

static bool find_agent(const RatingList *list, Span name, RatingOptions *options)
{
    for (unsigned i = 0; i < list->results.agent_count; i++)
        if (span_is(name, list->results.agents[i].name)) {
            options->anchor = i;
            options->anchored = true;
        }
    return options->anchored;
}

// "NAME=RATING", or NAME, which is then 0. Options of agents contain equals signs too.
static Status find_anchor(const char *text, const RatingList *list, RatingOptions *options, Error *error)
{
    const char *equals = strrchr(text, '=');
    if (find_agent(list, span_of(text), options) || equals == NULL)
        return STATUS_OK;
    Span name = {text, (size_t)(equals - text)};
    if (find_agent(list, name, options) && !span_to_real(span_of(equals + 1), &options->anchor_rating))
        return error_set(error, STATUS_BAD_INPUT, "--anchor: '%s' is not a rating", equals + 1);
    return STATUS_OK;
}

// Stores the list; krow itself does not need it, so a database without write permission is no error.
static void keep(const RatingLists *ratings, const RatingList *list, const Rules *rules)
{
    Error error = {0};
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
    if (database_save_ratings(ratings->db, &about, rows, n, &error) != STATUS_OK)
        reporter_note(ratings->args->line.reporter, "The list is not stored: %s", error.text);
    free(rows);
}

static void print_groups(const RatingList *list)
{
    if (list->rated.fit.groups < 2)
        return;
    (void)printf("Players of different groups have not met; their ratings cannot be compared:\n");
    for (unsigned group = 0; group < list->rated.fit.groups; group++) {
        const char *before = "";
        (void)printf("  group %u:", group + 1);
        for (unsigned i = 0; i < list->results.agent_count; i++) {
            unsigned agent = list->rated.order[i];
            if (list->rated.ratings[agent].group != group)
                continue;
            (void)printf("%s %s", before, list->results.agents[agent].name);
            before = ",";
        }
        (void)printf("\n");
    }
}

static void print(const RatingList *list, const Rules *rules)
{
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    (void)printf("%s\n%-44s %8s %7s %7s %6s %6s %6s\n", game, "player", "rating", "±95 %", "games", "wins", "draws",
                 "losses");
    for (unsigned i = 0; i < list->results.agent_count; i++) {
        unsigned agent = list->rated.order[i];
        const AgentRating *rating = &list->rated.ratings[agent];
        (void)printf("%3u. %-39.39s %8.1f %7.1f %7.0f %6u %6u %6u\n", i + 1, list->results.agents[agent].name,
                     rating->rating, rating->error, tally_games(rating->games), rating->games.wins, rating->games.draws,
                     rating->games.losses);
    }
    (void)printf("advantage of the first player: %+.1f ± %.1f Elo\n", list->rated.fit.advantage,
                 list->rated.fit.advantage_error);
    print_groups(list);
}

static Status rate(RatingLists *ratings, GameRatings *game, Error *error)
{
    const RatingsArgs *args = ratings->args;
    RatingOptions fit = {.first_advantage = true};
    DatabaseFilter filter = {.rules = &game->rules};
    Status status = database_results(ratings->db, &filter, &game->list.results, error);
    // Of several games, one that only a single agent has played is no reason to stop.
    if (status == STATUS_OK && game->list.results.agent_count < 2 && args->game == NULL)
        return STATUS_OK;
    if (status == STATUS_OK && args->anchor != NULL)
        status = find_anchor(args->anchor, &game->list, &fit, error);
    if (status == STATUS_OK)
        status = rating_list_fit(&game->list, &fit, error);
    game->is_rated = status == STATUS_OK;
    ratings->rated += game->is_rated;
    ratings->anchored = ratings->anchored || fit.anchored;
    return status;
}

static bool take_rules(void *context, const Rules *rules, uint64_t games)
{
    (void)games;
    RatingLists *ratings = context;
    ratings->games = array_grow(ratings->games, &ratings->capacity, ratings->count + 1, sizeof *ratings->games);
    ratings->games[ratings->count++] = (GameRatings){.rules = *rules};
    return true;
}

static Status rate_all(RatingLists *ratings, Error *error)
{
    const RatingsArgs *args = ratings->args;
    Status status = STATUS_OK;
    for (size_t i = 0; i < ratings->count && status == STATUS_OK; i++)
        status = rate(ratings, &ratings->games[i], error);
    if (status == STATUS_OK && ratings->rated == 0)
        return error_set(error, STATUS_FAILED, "the database has no games between different players");
    if (status == STATUS_OK && args->anchor != NULL && !ratings->anchored)
        return error_set(error, STATUS_BAD_INPUT, "--anchor: '%s' has no game in the database", args->anchor);
    return status;
}

static json_t *game_json(const GameRatings *game)
{
    json_t *json = rating_list_json(&game->list);
    (void)json_object_set_new(json, "game", view_rules(&game->rules));
    return json;
}

// The fields of the first list, that of the game with the most games, and all lists.
static json_t *all_json(const RatingLists *ratings)
{
    json_t *lists = json_array();
    for (size_t i = 0; i < ratings->count; i++)
        if (ratings->games[i].is_rated)
            (void)json_array_append_new(lists, game_json(&ratings->games[i]));
    json_t *all = json_copy(json_array_get(lists, 0));
    (void)json_object_set_new(all, "lists", lists);
    return all;
}

static Status report(const RatingLists *ratings, Error *error)
{
    bool is_first = true;
    for (size_t i = 0; i < ratings->count; i++) {
        const GameRatings *game = &ratings->games[i];
        if (!game->is_rated)
            continue;
        keep(ratings, &game->list, &game->rules);
        if (ratings->args->line.json)
            continue;
        (void)printf("%s", is_first ? "" : "\n");
        print(&game->list, &game->rules);
        is_first = false;
    }
    return ratings->args->line.json ? output_json(all_json(ratings), error) : STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const RatingsArgs *args = options;
    RatingLists ratings = {.args = args};
    Rules rules;
    Status status = args->game != NULL ? rules_parse(span_of(args->game), &rules, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = database_for_reports("ratings", args->line.db, &ratings.db, error);
    if (status == STATUS_OK && args->game != NULL)
        (void)take_rules(&ratings, &rules, 0);
    else if (status == STATUS_OK)
        status = database_each_rules(ratings.db, take_rules, &ratings, error);
    if (status == STATUS_OK)
        status = rate_all(&ratings, error);
    if (status == STATUS_OK)
        status = report(&ratings, error);
    for (size_t i = 0; i < ratings.count; i++)
        rating_list_close(&ratings.games[i].list);
    free(ratings.games);
    database_close(ratings.db);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(RatingsArgs, game, "game", CLI_TEXT, "GAME", "Only games of these rules"),
    CLI_OPTION(RatingsArgs, anchor, "anchor", CLI_TEXT, "AGENT[=RATING]",
               "Fix the rating of AGENT (default rating 0); without --anchor the mean is 0"),
    OPTION_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(RatingsArgs),
};

const Command command_ratings = {
    .name = "ratings",
    .summary = "Print a rating list of the games in the database",
    .about =
        "Bradley-Terry ratings with draws and the advantage of the first player, with 95 % errors: a list for each "
        "game, since strength in one game says nothing about another. The lists are stored in the database.",
    .options = options,
    .run = run,
};
