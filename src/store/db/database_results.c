// Results of pairs, and ratings.
#include "store/db/database_internal.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The columns of FILTERED_PAIRS: name and origin of both agents, three results, three faults of each agent.
enum { COLUMN_FIRST = 0, COLUMN_SECOND = 2, COLUMN_TALLY = 4, COLUMN_FAULTS_FIRST = 7, COLUMN_FAULTS_SECOND = 10 };

// An agent as one side of one pair. After sorting, the entries of an agent are adjacent and are merged.
typedef struct {
    DatabaseAgent agent; // its name is owned unless it was moved
    size_t place;        // 2 * the index of its pair + its side
} ResultPlayer;

typedef struct {
    DatabasePair *pairs;   // owned
    ResultPlayer *players; // owned, two of each pair
    unsigned count;
    size_t pair_capacity, player_capacity;
} PairRows;

static ResultPlayer read_player(const Query *row, int column, int faults, size_t place)
{
    DatabaseAgent agent = {.name = memory_copy_text(query_text(row, column)),
                           .is_foreign = query_int(row, column + 1) != 0,
                           .faults = {.illegal = (uint32_t)query_int(row, faults),
                                      .timeout = (uint32_t)query_int(row, faults + 1),
                                      .crash = (uint32_t)query_int(row, faults + 2)}};
    utf8_clean_line(agent.name);
    return (ResultPlayer){agent, place};
}

static void add_pair_row(PairRows *rows, const Query *row)
{
    size_t n = rows->count++, first = 2 * n;
    rows->pairs = array_grow(rows->pairs, &rows->pair_capacity, n + 1, sizeof *rows->pairs);
    rows->players = array_grow(rows->players, &rows->player_capacity, first + 2, sizeof *rows->players);
    rows->pairs[n] = (DatabasePair){.games = {.wins = (uint32_t)query_int(row, COLUMN_TALLY),
                                              .draws = (uint32_t)query_int(row, COLUMN_TALLY + 1),
                                              .losses = (uint32_t)query_int(row, COLUMN_TALLY + 2)}};
    rows->players[first] = read_player(row, COLUMN_FIRST, COLUMN_FAULTS_FIRST, first);
    rows->players[first + 1] = read_player(row, COLUMN_SECOND, COLUMN_FAULTS_SECOND, first + 1);
}

static Status read_pairs(Database *db, const DatabaseFilter *filter, PairRows *pairs, Error *error)
{
    database_lock(db);
    query_set_deadline(db, filter != NULL ? filter->deadline : 0);
    DatabaseFilter wanted = filter != NULL ? *filter : (DatabaseFilter){0};
    wanted.without_saved = wanted.origin != DATABASE_SAVED;
    Query row = query_filtered(db, FILTERED_PAIRS, &wanted);
    while (query_row(&row))
        add_pair_row(pairs, &row);
    bool is_late = query_ran_out(&row);
    Status status = query_end(&row, error);
    query_set_deadline(db, 0);
    database_unlock(db);
    if (status == STATUS_OK && is_late)
        return error_set(error, STATUS_FAILED, "counting the games takes too long");
    return status;
}

static int compare_agents(const DatabaseAgent *a, const DatabaseAgent *b)
{
    int by_origin = (int)a->is_foreign - (int)b->is_foreign;
    return by_origin != 0 ? by_origin : strcmp(a->name, b->name);
}

static int compare_players(const void *left, const void *right)
{
    return compare_agents(&((const ResultPlayer *)left)->agent, &((const ResultPlayer *)right)->agent);
}

static int compare_pairs(const void *left, const void *right)
{
    const DatabasePair *a = left, *b = right;
    int by_first = (a->first > b->first) - (a->first < b->first);
    return by_first != 0 ? by_first : (a->second > b->second) - (a->second < b->second);
}

// Adds a player to the last agent if it is the same, else makes a new one; returns its index.
static unsigned merge_player(DatabaseResults *results, ResultPlayer *player)
{
    DatabaseAgent *last = results->agent_count > 0 ? &results->agents[results->agent_count - 1] : NULL;
    if (last == NULL || compare_agents(last, &player->agent) != 0) {
        assert(results->agents != NULL);
        results->agents[results->agent_count] = player->agent;
        player->agent.name = NULL; // moved
        return results->agent_count++;
    }
    last->faults.illegal += player->agent.faults.illegal;
    last->faults.timeout += player->agent.faults.timeout;
    last->faults.crash += player->agent.faults.crash;
    return results->agent_count - 1;
}

// The order of agents and pairs depends on their names only.
static void merge_pairs(DatabaseResults *results, const PairRows *rows)
{
    size_t players = 2 * (size_t)rows->count;
    results->pairs = rows->pairs;
    results->pair_count = rows->count;
    results->agents = memory_new(players, sizeof *results->agents);
    qsort(rows->players, players, sizeof *rows->players, compare_players);
    for (size_t i = 0; i < players; i++) {
        DatabasePair *pair = &rows->pairs[rows->players[i].place / 2];
        unsigned *place = rows->players[i].place % 2 == 0 ? &pair->first : &pair->second;
        *place = merge_player(results, &rows->players[i]);
    }
    qsort(results->pairs, results->pair_count, sizeof *results->pairs, compare_pairs);
}

Status database_results(Database *db, const DatabaseFilter *filter, DatabaseResults *results, Error *error)
{
    *results = (DatabaseResults){0};
    PairRows rows = {0};
    Status status = read_pairs(db, filter, &rows, error);
    if (status == STATUS_OK && rows.count > 0)
        merge_pairs(results, &rows); // moves the pairs
    else
        free(rows.pairs);
    for (size_t i = 0; i < 2 * (size_t)rows.count; i++)
        free(rows.players[i].agent.name);
    free(rows.players);
    return status;
}

void database_results_close(DatabaseResults *results)
{
    for (unsigned i = 0; i < results->agent_count; i++)
        free(results->agents[i].name);
    free(results->agents);
    free(results->pairs);
    *results = (DatabaseResults){0};
}

Tally *database_results_table(const DatabaseResults *results)
{
    size_t side = results->agent_count;
    Tally *table = memory_new(side * side, sizeof *table);
    for (unsigned i = 0; i < results->pair_count; i++) {
        const DatabasePair *pair = &results->pairs[i];
        table[pair->first * side + pair->second] = pair->games;
    }
    return table;
}

Status database_each_score(Database *db, int64_t match, DatabaseScoreSink *sink, void *context, Error *error)
{
    bool has_more = true;
    database_lock(db);
    Query row = query_with(db, QUERY_GAME_SCORES, VALUES(value_int(match)));
    while (has_more && query_row(&row)) {
        DatabaseScore score = {.number = query_int(&row, 0),
                               .result = result_of_name(query_bytes(&row, 1)),
                               .fault = fault_of_name(query_text(&row, 2)),
                               .faulty = row_side(&row, 3)};
        has_more = sink(context, &score);
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

Status database_each_rules(Database *db, DatabaseRulesSink *sink, void *context, Error *error)
{
    bool has_more = true;
    database_lock(db);
    Query row = query_with(db, QUERY_GAME_RULES, NO_VALUES);
    while (has_more && query_row(&row)) {
        Rules rules;
        if (rules_parse(query_bytes(&row, 0), &rules, NULL) == STATUS_OK)
            has_more = sink(context, &rules, (uint64_t)query_int(&row, 1));
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// The parameters that identify a list.
#define LIST_VALUES(list) value_text((list)->name), (list)->rules != NULL ? value_rules((list)->rules) : value_text("")

static Status add_rating(Database *db, int64_t list, const DatabaseRating *rating, Error *error)
{
    Status status = database_add_agent(db, rating->agent, rating->is_foreign, error);
    if (status != STATUS_OK)
        return status;
    return query_execute(db, QUERY_RATING_ADD,
                         VALUES(value_int(list), value_text(rating->agent), value_int(rating->is_foreign),
                                value_real(rating->rating), value_real(rating->error), value_int(rating->games)),
                         NULL, error);
}

static Status save(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                   Error *error)
{
    int64_t id = 0;
    Status status =
        query_execute(db, QUERY_RATING_LIST_ADD, VALUES(LIST_VALUES(list), value_int(list->computed)), &id, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_rating(db, id, &ratings[i], error);
    return status;
}

Status database_save_ratings(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                             Error *error)
{
    return IN_TRANSACTION(db, save(db, list, ratings, count, error), error);
}
