// Reads games: from rows to records.
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "game/fen.h"
#include "game/notation.h"

#include <stdio.h>
#include <stdlib.h>

// A copy of a game, so that the sink runs without the lock and without an open statement: that would hold an old
// snapshot of the database, on which this connection could not write.
typedef struct {
    DatabaseGame game;
    GameRecord record;
    RowTexts texts;
    Game replayed;
    bool has_checksum; // that is to be compared
    uint64_t checksum; // of the counts, if nothing was changed
    bool has_sum;      // the row is damaged and has a checksum: that of the counts, if it was stored like this
    uint64_t sum;
} GameReader;

// Moves the properties before the next stone from the column to the record; see add_kept in database_games.c.
static bool read_kept(GameRecord *record, Span *kept)
{
    Span rest = *kept, index = {0}, length = {0};
    int64_t stones = 0, bytes = 0;
    if (rest.length == 0)
        return true;
    if (!span_next_part(&rest, ' ', &index) || !span_to_int(index, 0, RULES_CELLS_MAX, &stones) ||
        !span_next_part(&rest, ':', &length) || !span_to_int(length, 1, (int64_t)rest.length, &bytes))
        return false;
    if (stones != record->count)
        return true;
    text_add_span(&record->kept, (Span){rest.at, (size_t)bytes});
    *kept = (Span){rest.at + bytes, rest.length - (size_t)bytes};
    return true;
}

static Status read_stones(GameRecord *record, Span stones, Span times, Span kept, Error *error)
{
    Span word = {0}, time = {0};
    bool good = read_kept(record, &kept);
    while (good && span_next_word(&stones, " ", &word)) {
        RecordStone stone = {.ms = RECORD_MS_UNKNOWN};
        int64_t ms = RECORD_MS_UNKNOWN;
        Status status = cell_parse(word, &record->rules, &stone.cell, error);
        if (status != STATUS_OK)
            return status;
        if (span_next_word(&times, " ", &time) && !span_is(time, "-"))
            good = span_to_int(time, 0, INT32_MAX, &ms);
        stone.ms = (int32_t)ms;
        status = record_add(record, stone, error);
        if (status != STATUS_OK)
            return status;
        good = good && read_kept(record, &kept);
    }
    return good ? STATUS_OK : error_set(error, STATUS_FAILED, "the times or properties are damaged");
}

static Status read_setup(GameRecord *record, Span text, Error *error)
{
    Game game;
    Status status = fen_read(text, &record->rules, &game, error);
    if (status == STATUS_OK)
        record_set_up(record, &game.board);
    return status;
}

// The columns of the checksum of a game, with a letter for the type of each.
static const struct {
    GameColumn column;
    char type;
} checked_columns[] = {
    {GAME_MATCH, 'i'},  {GAME_NUMBER, 'i'},  {GAME_SOURCE, 't'}, {GAME_RULES, 't'},  {GAME_FIRST, 't'},
    {GAME_SECOND, 't'}, {GAME_OPENING, 'i'}, {GAME_SEED, 'i'},   {GAME_RESULT, 't'}, {GAME_FAULT, 't'},
    {GAME_FAULTY, 't'}, {GAME_STARTED, 'i'}, {GAME_ENDED, 'i'},  {GAME_REASON, 't'}, {GAME_EVENT, 't'},
    {GAME_DATE, 't'},   {GAME_SETUP, 't'},   {GAME_STONES, 't'}, {GAME_TIMES, 't'},  {GAME_KEPT, 'b'},
};

static uint64_t checksum_of_game(const Query *row)
{
    enum { COUNT = sizeof checked_columns / sizeof checked_columns[0] };
    Value values[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        values[i] = query_value(row, (int)checked_columns[i].column, column_type_of(checked_columns[i].type));
    return checksum_of((Values){values, COUNT});
}

Status database_seal_game(Database *db, int64_t id, Error *error)
{
    Query row = query_with(db, QUERY_GAME, VALUES(value_int(id)));
    // Such games have no counts of agents.
    uint64_t checksum = query_row(&row) ? checksum_of_game(&row) : 0;
    Status status = query_end(&row, error);
    return status == STATUS_OK
               ? query_execute(db, QUERY_GAME_SEAL, VALUES(value_int((int64_t)checksum), value_int(id)), NULL, error)
               : status;
}

void database_check_changes(Database *db)
{
    db->checks_changes = true;
}

static Status read_columns(GameReader *reader, const Query *row, Error *error)
{
    GameRecord *record = &reader->record;
    DatabaseGame *game = &reader->game;
    game->id = query_int(row, GAME_ID);
    game->match = query_int(row, GAME_MATCH);
    game->number = query_int(row, GAME_NUMBER);
    game->opening = (unsigned)query_int(row, GAME_OPENING);
    game->seed = (uint64_t)query_int(row, GAME_SEED);
    game->fault = fault_of_name(query_text(row, GAME_FAULT));
    game->faulty = row_side(row, GAME_FAULTY);
    game->started = query_int(row, GAME_STARTED);
    game->ended = query_int(row, GAME_ENDED);
    reader->texts.count = 0;
    game->source = row_line(&reader->texts, row, GAME_SOURCE);
    game->first = row_line(&reader->texts, row, GAME_FIRST);
    game->second = row_line(&reader->texts, row, GAME_SECOND);
    game->reason = row_line(&reader->texts, row, GAME_REASON);
    game->record = record;
    reader->has_checksum = row->db->checks_changes && !query_is_null(row, GAME_CHECKSUM);
    if (reader->has_checksum) // that of the counts
        reader->checksum = (uint64_t)query_int(row, GAME_CHECKSUM) - checksum_of_game(row);
    record->result = result_of_name(query_bytes(row, GAME_RESULT));
    record_set_text(record->first, query_bytes(row, GAME_FIRST));
    record_set_text(record->second, query_bytes(row, GAME_SECOND));
    record_set_text(record->reason, query_bytes(row, GAME_REASON));
    record_set_text(record->event, query_bytes(row, GAME_EVENT));
    record_set_text(record->date, query_bytes(row, GAME_DATE));
    Status status = rules_parse(query_bytes(row, GAME_RULES), &record->rules, error);
    if (status == STATUS_OK && !query_is_null(row, GAME_SETUP))
        status = read_setup(record, query_bytes(row, GAME_SETUP), error);
    if (status == STATUS_OK)
        status = read_stones(record, query_bytes(row, GAME_STONES), query_bytes(row, GAME_TIMES),
                             query_bytes(row, GAME_KEPT), error);
    // Somebody else may have written the row: only what can be played counts.
    if (status == STATUS_OK)
        status = record_check(record, &reader->replayed, NULL, error);
    return status;
}

static Status read_row(GameReader *reader, const Query *row, Error *error)
{
    Status status = read_columns(reader, row, error);
    reader->has_sum = status != STATUS_OK && !query_is_null(row, GAME_CHECKSUM);
    if (reader->has_sum)
        reader->sum = (uint64_t)query_int(row, GAME_CHECKSUM) - checksum_of_game(row);
    return status;
}

void database_on_damage(Database *db, DatabaseDamageSink *sink, void *context)
{
    if (db == NULL)
        return;
    db->on_damage = sink;
    db->damage_context = context;
}

// Passes over a damaged game if that is wanted. `status` is that of reading the row.
static Status pass_over(Database *db, const GameReader *reader, Status status, bool *is_damaged, Error *error)
{
    const DatabaseGame *game = &reader->game;
    *is_damaged = status != STATUS_OK && db->on_damage != NULL;
    if (*is_damaged)
        db->on_damage(db->damage_context,
                      &(DatabaseDamage){
                          .id = game->id,
                          .match = game->match,
                          .number = game->number,
                          .reason = error != NULL ? error->text : "the row is damaged",
                          .was_changed = !reader->has_sum || reader->sum != checksum_of_counts(game->own),
                      });
    else if (status != STATUS_OK)
        error_prefix(error, "game %lld of the database: ", (long long)game->id);
    return *is_damaged ? STATUS_OK : status;
}

// In the order of the columns of QUERY_GAME_COUNTS.
static Status read_own(Database *db, int64_t id, OwnCounts own[2], bool *is_good, Error *error)
{
    bool good = true;
    Query query = query_with(db, QUERY_GAME_COUNTS, VALUES(value_int(id)));
    while (good && query_row(&query))
        good = own_counts_add(&own[row_side(&query, 0)], query_text(&query, 1), (uint64_t)query_int(&query, 2));
    *is_good = good;
    return query_end(&query, error);
}

static Status read_game(Database *db, int64_t id, GameReader *reader, bool *found, Error *error)
{
    record_clear(&reader->record);
    reader->game = (DatabaseGame){.id = id};
    Status status = STATUS_OK;
    database_lock(db);
    Query query = query_with(db, QUERY_GAME, VALUES(value_int(id)));
    *found = query_row(&query);
    if (*found)
        status = read_row(reader, &query, error);
    Status ended = query_end(&query, error);
    // A failure of the database does not mean that the game is damaged.
    bool is_good = true;
    if (ended == STATUS_OK && reader->game.match != 0)
        ended = read_own(db, id, reader->game.own, &is_good, error);
    database_unlock(db);
    if (ended != STATUS_OK)
        return ended;
    if (!is_good)
        status = error_set(error, STATUS_FAILED, "the counts are damaged");
    if (*found && status == STATUS_OK && reader->has_checksum &&
        reader->checksum != checksum_of_counts(reader->game.own))
        status = error_set(error, STATUS_FAILED, "the game was changed: its checksum is wrong");
    bool is_damaged = false;
    status = pass_over(db, reader, status, &is_damaged, error);
    *found = *found && !is_damaged;
    return status;
}

static void close_reader(GameReader *reader)
{
    record_close(&reader->record);
    row_texts_close(&reader->texts);
}

Status database_each_game(Database *db, const DatabaseFilter *filter, DatabaseGameSink *sink, void *context,
                          Error *error)
{
    Numbers ids = {0};
    GameReader reader = {0};
    database_lock(db);
    Query query = query_filtered(db, FILTERED_IDS, filter);
    Status status = query_numbers(&query, &ids, error);
    database_unlock(db);
    for (size_t i = 0; i < ids.count && status == STATUS_OK; i++) {
        bool found = false;
        status = read_game(db, ids.list[i], &reader, &found, error);
        // A saved game may have been removed meanwhile.
        if (status == STATUS_OK && found && !sink(context, &reader.game))
            break;
    }
    free(ids.list);
    close_reader(&reader);
    return status;
}

Status database_read_game(Database *db, int64_t id, DatabaseGameSink *sink, void *context, Error *error)
{
    GameReader reader = {0};
    bool found = false;
    Status status = read_game(db, id, &reader, &found, error);
    if (status == STATUS_OK && found)
        (void)sink(context, &reader.game);
    close_reader(&reader);
    return status;
}

// A count that an agent reported, with its game; lists are in the order of the games.
typedef struct {
    int64_t number;
    Side side;
    OwnCount count;
} WalkedCount;

typedef struct {
    WalkedCount *list; // owned
    size_t count, capacity, next;
} WalkedCounts;

static Query range_query(Database *db, QueryName name, const DatabaseGameRange *range)
{
    return query_with(db, name, VALUES(value_int(range->match), value_int(range->from), value_int(range->most)));
}

static void take_walked(WalkedCounts *counts, DatabaseGame *game)
{
    while (counts->next < counts->count && counts->list[counts->next].number < game->number)
        counts->next++;
    for (; counts->next < counts->count && counts->list[counts->next].number == game->number; counts->next++) {
        const WalkedCount *walked = &counts->list[counts->next];
        (void)own_counts_add(&game->own[walked->side], walked->count.name, walked->count.value);
    }
}

static Status walk_games(Database *db, const DatabaseGameRange *range, DatabaseGameSink *sink, void *context,
                         Error *error)
{
    GameReader reader = {0};
    WalkedCounts counts = {0};
    bool has_more = true;
    Query count = range_query(db, QUERY_GAMES_COUNTS_FROM, range);
    while (query_row(&count)) {
        counts.list = array_grow(counts.list, &counts.capacity, counts.count + 1, sizeof *counts.list);
        WalkedCount *walked = &counts.list[counts.count++];
        *walked = (WalkedCount){.number = query_int(&count, 0), .count.value = (uint64_t)query_int(&count, 3)};
        walked->side = row_side(&count, 1);
        (void)snprintf(walked->count.name, sizeof walked->count.name, "%s", query_text(&count, 2));
        utf8_clean_line(walked->count.name);
    }
    Status status = query_end(&count, error);
    if (status != STATUS_OK) {
        free(counts.list);
        return status;
    }
    Query row = range_query(db, QUERY_GAMES_FROM, range);
    while (has_more && status == STATUS_OK && query_row(&row)) {
        record_clear(&reader.record);
        reader.game = (DatabaseGame){0};
        bool is_damaged = false;
        Status read = read_row(&reader, &row, error);
        take_walked(&counts, &reader.game);
        status = pass_over(db, &reader, read, &is_damaged, error);
        has_more = status == STATUS_OK && (is_damaged || sink(context, &reader.game));
    }
    status = query_end_after(&row, status, error);
    free(counts.list);
    close_reader(&reader);
    return status;
}

Status database_each_game_from(Database *db, const DatabaseGameRange *range, DatabaseGameSink *sink, void *context,
                               Error *error)
{
    return IN_SNAPSHOT(db, walk_games(db, range, sink, context, error), error);
}

static Status remove_all(Database *db, const int64_t *ids, size_t count, uint64_t *removed, Error *error)
{
    Status status = STATUS_OK;
    *removed = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        int64_t id = 0;
        status = query_execute(db, QUERY_GAME_COUNTS_DELETE, VALUES(value_int(ids[i])), NULL, error);
        if (status == STATUS_OK)
            status = query_execute(db, QUERY_GAME_DELETE, VALUES(value_int(ids[i])), &id, error);
        *removed += id != 0;
    }
    return status;
}

Status database_remove_games(Database *db, const int64_t *ids, size_t count, uint64_t *removed, Error *error)
{
    return IN_TRANSACTION(db, remove_all(db, ids, count, removed, error), error);
}
