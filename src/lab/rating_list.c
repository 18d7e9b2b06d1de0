// Fits ratings to the results in the database and writes them as JSON.
#include "lab/rating_list.h"

#include <stdlib.h>

Status rating_list_fit(RatingList *list, const RatingOptions *options, Error *error)
{
    unsigned n = list->results.agent_count;
    if (n < 2)
        return error_set(error, STATUS_FAILED, "the database has no games between different players");
    if (n > RATINGS_MAX_AGENTS)
        return error_set(error, STATUS_FAILED, "%u players exceed the limit of %d; select a game with --game", n,
                         RATINGS_MAX_AGENTS);
    Tally *table = database_results_table(&list->results);
    Status status = report_rate_games(&(RatingGames){table, n}, options, &list->rated, error);
    free(table);
    return status;
}

json_t *rating_list_json(const RatingList *list)
{
    json_t *agents = json_array(), *table = json_array();
    for (unsigned i = 0; i < list->results.agent_count; i++) {
        const DatabaseAgent *agent = &list->results.agents[list->rated.order[i]];
        const AgentRating *rating = &list->rated.ratings[list->rated.order[i]];
        json_t *row = report_agent_json(agent->name, rating, rating->games, agent->faults);
        (void)json_object_set_new(row, "imported", json_boolean(agent->is_foreign));
        (void)json_object_set_new(row, "group", json_integer(rating->group));
        (void)json_array_append_new(agents, row);
    }
    for (unsigned i = 0; i < list->results.pair_count; i++) {
        const DatabasePair *pair = &list->results.pairs[i];
        (void)json_array_append_new(
            table, json_pack("{s:s, s:s, s:i, s:i, s:i}", "first", list->results.agents[pair->first].name, "second",
                             list->results.agents[pair->second].name, "wins", (int)pair->games.wins, "draws",
                             (int)pair->games.draws, "losses", (int)pair->games.losses));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "agents", agents, "table", table, "first_advantage",
                     report_number(list->rated.fit.advantage), "first_advantage_error",
                     report_number(list->rated.fit.advantage_error));
}

void rating_list_close(RatingList *list)
{
    report_rated_close(&list->rated);
    database_results_close(&list->results);
    *list = (RatingList){0};
}
