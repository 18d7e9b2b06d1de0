// Results of pairs, and ratings.
#include "store/db/database_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// --- Results ---

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
    DatabaseFaults *faults = &results->agents[*player->place].faults;
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
    Query row = query_use(db, QUERY_GAME_SCORES);
    query_bind_int(&row, match);
    while (goes_on && query_row(&row)) {
        DatabaseScore score = {.number = query_int(&row, 0),
                               .result = result_of_name(query_bytes(&row, 1)),
                               .fault = fault_of_name(query_text(&row, 2)),
                               .faulty =
                                   strcmp(query_text(&row, 3), side_name(SIDE_SECOND)) == 0 ? SIDE_SECOND : SIDE_FIRST};
        goes_on = sink(context, &score);
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// --- Ratings ---

static void bind_list(Query *query, const DatabaseRatingList *list)
{
    query_bind_text(query, list->name);
    if (list->rules != NULL)
        query_bind_rules(query, list->rules);
    else
        query_bind_text(query, "");
}

static Status add_list(Database *db, const DatabaseRatingList *list, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_RATING_LIST_ADD);
    bind_list(&query, list);
    query_bind_int(&query, list->computed);
    *id = query_row(&query) ? query_int(&query, 0) : 0;
    return query_run(&query, error);
}

static Status add_rating(Database *db, int64_t list, const DatabaseRating *rating, Error *error)
{
    Status status = database_add_agent(db, rating->agent, rating->is_foreign, error);
    if (status != STATUS_OK)
        return status;
    Query query = query_use(db, QUERY_RATING_ADD);
    query_bind_int(&query, list);
    query_bind_text(&query, rating->agent);
    query_bind_int(&query, rating->is_foreign);
    query_bind_real(&query, rating->rating);
    query_bind_real(&query, rating->error);
    query_bind_int(&query, rating->games);
    return query_run(&query, error);
}

static Status save(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                   Error *error)
{
    int64_t id = 0;
    Status status = add_list(db, list, &id, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_rating(db, id, &ratings[i], error);
    return status;
}

Status database_save_ratings(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                             Error *error)
{
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, save(db, list, ratings, count, error), error);
    return status;
}

static Status find_list(Database *db, DatabaseRatingList *list, int64_t *id, Error *error)
{
    Query query = query_use(db, QUERY_RATING_LIST);
    bind_list(&query, list);
    bool found = query_row(&query);
    *id = found ? query_int(&query, 0) : 0;
    list->computed = found ? query_int(&query, 1) : 0;
    return query_end(&query, error);
}

// All rows are copied before the sink sees the first: it runs without the lock.
typedef struct {
    char *name; // owned; what rating.agent is
    DatabaseRating rating;
} RatingRow;

typedef struct {
    RatingRow *rows;
    unsigned count;
    size_t capacity;
} RatingRows;

static void add_rating_row(RatingRows *rows, const Query *query)
{
    rows->rows = array_grow(rows->rows, &rows->capacity, rows->count + 1u, sizeof *rows->rows);
    char *name = memory_copy_text(query_text(query, 0));
    rows->rows[rows->count++] = (RatingRow){name,
                                            {.agent = name,
                                             .is_foreign = query_int(query, 1) != 0,
                                             .rating = query_real(query, 2),
                                             .error = query_real(query, 3),
                                             .games = (uint32_t)query_int(query, 4)}};
}

static Status read_ratings(Database *db, int64_t list, RatingRows *rows, Error *error)
{
    Query query = query_use(db, QUERY_RATINGS);
    query_bind_int(&query, list);
    while (query_row(&query))
        add_rating_row(rows, &query);
    return query_end(&query, error);
}

Status database_each_rating(Database *db, DatabaseRatingList *list, DatabaseRatingSink *sink, void *context,
                            Error *error)
{
    RatingRows rows = {0};
    int64_t id = 0;
    database_lock(db);
    Status status = find_list(db, list, &id, error);
    if (status == STATUS_OK)
        status = read_ratings(db, id, &rows, error);
    database_unlock(db);
    for (unsigned i = 0; i < rows.count && status == STATUS_OK; i++)
        if (!sink(context, &rows.rows[i].rating))
            break;
    for (unsigned i = 0; i < rows.count; i++)
        free(rows.rows[i].name);
    free(rows.rows);
    return status;
}
