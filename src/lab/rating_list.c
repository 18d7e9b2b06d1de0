// Fits ratings to the results in the database and writes them as JSON.
#include "lab/rating_list.h"

#include "base/memory.h"
#include "lab/report.h"

#include <stdlib.h>

Status rating_list_fit(RatingList *list, const RatingOptions *options, Error *error)
{
    unsigned n = list->results.agent_count;
    if (n < 2)
        return error_set(error, STATUS_FAILED, "the database holds no games between different players to rate");
    if (n > RATINGS_MAX_AGENTS)
        return error_set(error, STATUS_FAILED, "%u players are more than the %d that can be rated; choose a game", n,
                         RATINGS_MAX_AGENTS);
    list->ratings = memory_new(n, sizeof *list->ratings);
    list->order = memory_new(n, sizeof *list->order);
    list->table = database_results_table(&list->results);
    Status status = ratings_fit(&(RatingGames){list->table, n}, options, list->ratings, &list->fit, error);
    if (status == STATUS_OK)
        ratings_order(list->ratings, n, list->order);
    return status;
}

static json_t *faults_json(DatabaseFaults faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults.illegal, "timeout", (int)faults.timeout, "crash",
                     (int)faults.crash);
}

json_t *rating_list_json(const RatingList *list)
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

void rating_list_close(RatingList *list)
{
    free(list->table);
    free(list->ratings);
    free(list->order);
    database_results_close(&list->results);
    *list = (RatingList){0};
}
