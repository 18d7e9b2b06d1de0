// Results of pairs, and ratings.
#include "store/db/database_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// The columns of FILTERED_PAIRS: name and origin of both, three results, three faults of each.
enum { COLUMN_FIRST = 0, COLUMN_SECOND = 2, COLUMN_TALLY = 4, COLUMN_FAULTS_FIRST = 7, COLUMN_FAULTS_SECOND = 10 };

// A row as it is read: agents by name.
typedef struct {
    DatabaseAgent players[2]; // names owned
    Tally games;
} PairRow;

typedef struct {
    PairRow *rows; // owned
    unsigned count;
    size_t capacity;
} PairRows;

// An agent as one side of one pair. Sorted by name, those of an agent stand together and become one.
typedef struct {
    DatabaseAgent *agent;
    unsigned *place; // in the pair: where the agent will stand
} Player;

static void read_player(DatabaseAgent *player, const Query *row, int column, int faults)
{
    player->name = memory_copy_text(query_text(row, column));
    player->is_foreign = query_int(row, column + 1) != 0;
    player->faults.illegal = (uint32_t)query_int(row, faults);
    player->faults.timeout = (uint32_t)query_int(row, faults + 1);
    player->faults.crash = (uint32_t)query_int(row, faults + 2);
}

static void add_pair_row(PairRows *pairs, const Query *row)
{
    pairs->rows = array_grow(pairs->rows, &pairs->capacity, pairs->count + 1u, sizeof *pairs->rows);
    PairRow *pair = &pairs->rows[pairs->count++];
    *pair = (PairRow){0};
    pair->games.wins = (uint32_t)query_int(row, COLUMN_TALLY);
    pair->games.draws = (uint32_t)query_int(row, COLUMN_TALLY + 1);
    pair->games.losses = (uint32_t)query_int(row, COLUMN_TALLY + 2);
    read_player(&pair->players[0], row, COLUMN_FIRST, COLUMN_FAULTS_FIRST);
    read_player(&pair->players[1], row, COLUMN_SECOND, COLUMN_FAULTS_SECOND);
}

static Status read_pairs(Database *db, const DatabaseFilter *filter, PairRows *pairs, Error *error)
{
    database_lock(db);
    query_set_deadline(db, filter != NULL ? filter->deadline : 0);
    Query row = query_filtered(db, FILTERED_PAIRS, filter);
    while (query_row(&row))
        add_pair_row(pairs, &row);
    bool is_late = query_ran_out(&row);
    Status status = query_end(&row, error);
    query_set_deadline(db, 0);
    database_unlock(db);
    if (status == STATUS_OK && is_late)
        return error_set(error, STATUS_FAILED, "there are too many games to count them in time");
    return status;
}

static int compare_players(const void *left, const void *right)
{
    const DatabaseAgent *a = ((const Player *)left)->agent, *b = ((const Player *)right)->agent;
    int by_origin = (int)a->is_foreign - (int)b->is_foreign;
    return by_origin != 0 ? by_origin : strcmp(a->name, b->name);
}

static int compare_pairs(const void *left, const void *right)
{
    const DatabasePair *a = left, *b = right;
    int by_first = (a->first > b->first) - (a->first < b->first);
    return by_first != 0 ? by_first : (a->second > b->second) - (a->second < b->second);
}

// Adds a player to the last agent, which is itself if it is the first of that name.
static void merge_player(DatabaseResults *results, Player *player, bool is_first)
{
    if (is_first) {
        results->agents[results->agent_count++] =
            (DatabaseAgent){.name = player->agent->name, .is_foreign = player->agent->is_foreign};
        player->agent->name = NULL; // taken
    }
    *player->place = results->agent_count - 1;
    FaultCounts *faults = &results->agents[*player->place].faults;
    faults->illegal += player->agent->faults.illegal;
    faults->timeout += player->agent->faults.timeout;
    faults->crash += player->agent->faults.crash;
}

// The order of agents and pairs depends on the names alone, not on who played when.
static void merge_pairs(DatabaseResults *results, const PairRows *pairs, Player *players)
{
    for (size_t i = 0; i < pairs->count; i++) {
        DatabasePair *pair = &results->pairs[i];
        pair->games = pairs->rows[i].games;
        players[2 * i] = (Player){&pairs->rows[i].players[0], &pair->first};
        players[2 * i + 1] = (Player){&pairs->rows[i].players[1], &pair->second};
    }
    results->pair_count = pairs->count;
    qsort(players, 2 * (size_t)pairs->count, sizeof *players, compare_players);
    bool is_first = true;
    for (unsigned i = 0; i < 2 * pairs->count; i++) {
        bool next_is_first = i + 1 < 2 * pairs->count && compare_players(&players[i], &players[i + 1]) != 0;
        merge_player(results, &players[i], is_first);
        is_first = next_is_first;
    }
    qsort(results->pairs, results->pair_count, sizeof *results->pairs, compare_pairs);
}

static void close_pairs(PairRows *pairs)
{
    for (unsigned i = 0; i < pairs->count; i++) {
        free(pairs->rows[i].players[0].name);
        free(pairs->rows[i].players[1].name);
    }
    free(pairs->rows);
}

Status database_results(Database *db, const DatabaseFilter *filter, DatabaseResults *results, Error *error)
{
    *results = (DatabaseResults){0};
    PairRows pairs = {0};
    Status status = read_pairs(db, filter, &pairs, error);
    if (status == STATUS_OK && pairs.count > 0) {
        Player *players = memory_new(2 * (size_t)pairs.count, sizeof *players);
        results->pairs = memory_new(pairs.count, sizeof *results->pairs);
        results->agents = memory_new(2 * (size_t)pairs.count, sizeof *results->agents);
        merge_pairs(results, &pairs, players);
        free(players);
    }
    close_pairs(&pairs);
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
    bool goes_on = true;
    database_lock(db);
    Query row = query_with(db, QUERY_GAME_SCORES, VALUES(value_int(match)));
    while (goes_on && query_row(&row)) {
        DatabaseScore score = {.number = query_int(&row, 0),
                               .result = result_of_name(query_bytes(&row, 1)),
                               .fault = fault_of_name(query_text(&row, 2)),
                               .faulty = row_side(&row, 3)};
        goes_on = sink(context, &score);
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// The parameters that name a list.
#define LIST_VALUES(list) value_text((list)->name), (list)->rules != NULL ? value_rules((list)->rules) : value_text("")

static Status add_rating(Database *db, int64_t list, const DatabaseRating *rating, Error *error)
{
    Status status = database_add_agent(db, rating->agent, rating->is_foreign, error);
    if (status != STATUS_OK)
        return status;
    return statement_run(db, QUERY_RATING_ADD,
                         VALUES(value_int(list), value_text(rating->agent), value_int(rating->is_foreign),
                                value_real(rating->rating), value_real(rating->error), value_int(rating->games)),
                         NULL, error);
}

static Status save(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                   Error *error)
{
    int64_t id = 0;
    Status status =
        statement_run(db, QUERY_RATING_LIST_ADD, VALUES(LIST_VALUES(list), value_int(list->computed)), &id, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_rating(db, id, &ratings[i], error);
    return status;
}

Status database_save_ratings(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                             Error *error)
{
    return IN_TRANSACTION(db, save(db, list, ratings, count, error), error);
}
