// Games between records and rows.
#include "store/database_internal.h"
#include "store/database_jobs.h"

#include "rules/fen.h"
#include "rules/notation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fault_names[] = {
    [FAULT_NONE] = NULL, [FAULT_ILLEGAL] = "illegal", [FAULT_TIMEOUT] = "timeout", [FAULT_CRASH] = "crash"};

// --- Columns of a record ---

// Stones and times are text, not bytes: they can be read and searched at an SQL prompt, and a game of 60 stones is no
// more than 300 characters.
static void add_word(Text *text, const char *word)
{
    if (text->length > 0)
        text_add_span(text, (Span){" ", 1});
    text_add_span(text, span_of(word));
}

static void add_stones(Text *text, const GameRecord *record, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(record->stones[i].cell, cell);
        add_word(text, cell);
    }
}

static void add_times(Text *text, const GameRecord *record)
{
    bool any = false;
    for (unsigned i = 0; i < record->count && !any; i++)
        any = record->stones[i].ms >= 0;
    for (unsigned i = 0; i < record->count && any; i++) {
        char number[16] = "-";
        if (record->stones[i].ms >= 0)
            (void)snprintf(number, sizeof number, "%d", record->stones[i].ms);
        add_word(text, number);
    }
}

// SGF properties: for each place that has some, the number of stones before it, the length, and the text as it was:
// "0 9:C[hello]…12 4:C[!]".
static void add_kept(Text *text, const GameRecord *record)
{
    for (unsigned i = 0; record->kept.length > 0 && i <= record->count; i++) {
        Span kept = record_kept(record, i);
        if (kept.length == 0)
            continue;
        text_add(text, "%u %zu:", i, kept.length);
        text_add_span(text, kept);
    }
}

Status game_columns_fill(GameColumns *columns, const GameRecord *record, Error *error)
{
    Text *texts[] = {&columns->setup, &columns->stones, &columns->times, &columns->kept};
    rules_format(&record->rules, columns->rules);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        texts[i]->length = 0;
        text_add_span(texts[i], (Span){"", 0}); // there and ended, even if nothing follows
    }
    if (record->setup != NULL)
        fen_write(record->setup, &columns->setup);
    add_stones(&columns->stones, record, record->count);
    add_times(&columns->times, record);
    add_kept(&columns->kept, record);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i]->failed)
            return error_set(error, STATUS_NO_MEMORY, "no memory for a game");
    return STATUS_OK;
}

void game_columns_close(GameColumns *columns)
{
    text_close(&columns->setup);
    text_close(&columns->stones);
    text_close(&columns->times);
    text_close(&columns->kept);
}

// --- Adding ---

static const char *or_else(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

// The stones of the opening are the beginning of those of the game: the text up to the n-th blank.
static Status opening_text(const DatabaseGame *game, const GameColumns *columns, Text *opening, Error *error)
{
    Span rest = {columns->stones.data, columns->stones.length}, word = {0};
    for (unsigned i = 0; i < game->opening; i++)
        (void)span_next_word(&rest, " ", &word);
    text_add_span(opening, (Span){columns->stones.data, (size_t)(word.at + word.length - columns->stones.data)});
    return opening->failed ? error_set(error, STATUS_NO_MEMORY, "no memory for an opening") : STATUS_OK;
}

static Status add_opening(Database *db, const DatabaseGame *game, const GameColumns *columns, Text *opening,
                          Error *error)
{
    if (game->opening == 0)
        return STATUS_OK;
    Status status = opening_text(game, columns, opening, error);
    if (status != STATUS_OK)
        return status;
    Query query = query_use(db, QUERY_OPENING_ADD);
    query_bind_text(&query, columns->rules);
    query_bind_text(&query, columns->setup.data);
    query_bind_text(&query, opening->data);
    query_bind_int(&query, game->opening);
    return query_run(&query, error);
}

static void bind_if(Query *query, bool is_known, int64_t value)
{
    if (is_known)
        query_bind_int(query, value);
    else
        query_bind_id(query, 0);
}

// In the order of the columns of QUERY_GAME_ADD.
static void bind_game(Query *query, const DatabaseGame *game, const GameColumns *columns, const GameOrigin *origin,
                      const char *opening)
{
    const GameRecord *record = game->record;
    bool is_played = game->match != 0;
    query_bind_id(query, game->match);
    bind_if(query, is_played, game->number);
    query_bind_text(query, origin->source);
    query_bind_text(query, columns->rules);
    query_bind_text(query, or_else(game->first, record->first));
    query_bind_int(query, origin->is_foreign);
    query_bind_text(query, or_else(game->second, record->second));
    query_bind_int(query, origin->is_foreign);
    query_bind_text(query, columns->rules);
    query_bind_text(query, columns->setup.data);
    query_bind_text(query, opening); // NULL finds no opening
    // Seeds use all 64 bits; the column holds the same bits as a signed number.
    bind_if(query, is_played, (int64_t)game->seed);
    query_bind_text(query, result_name(record->result));
    query_bind_text(query, fault_names[game->fault]);
    query_bind_text(query, game->fault != FAULT_NONE ? side_name(game->faulty) : NULL);
    query_bind_id(query, game->started);
    query_bind_id(query, game->ended);
    query_bind_text(query, or_else(game->reason, record->reason));
    query_bind_text(query, record->event);
    query_bind_text(query, record->date);
    query_bind_blob(query, origin->hash);
    query_bind_int(query, origin->copy);
    query_bind_text(query, record->setup != NULL ? columns->setup.data : NULL);
    query_bind_text(query, columns->stones.data);
    query_bind_text(query, columns->times.length > 0 ? columns->times.data : NULL);
    query_bind_blob(query, (Span){columns->kept.data, columns->kept.length});
}

Status database_insert_game(Database *db, const DatabaseGame *game, const GameColumns *columns,
                            const GameOrigin *origin, int64_t *id, Error *error)
{
    Text opening = {0};
    *id = 0;
    Status status = add_opening(db, game, columns, &opening, error);
    if (status == STATUS_OK) {
        Query query = query_use(db, QUERY_GAME_ADD);
        bind_game(&query, game, columns, origin, opening.data);
        if (query_row(&query))
            *id = query_int(&query, 0);
        status = query_run(&query, error);
        if (query_is_orphan(&query))
            status = error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)game->match);
    }
    text_close(&opening);
    return status;
}

// Numbers use all 64 bits; the column holds the same bits as a signed number.
static Status add_own(Database *db, int64_t id, Side side, const OwnCounts *own, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < own->count && status == STATUS_OK; i++) {
        Query query = query_use(db, QUERY_GAME_COUNT_ADD);
        query_bind_int(&query, id);
        query_bind_text(&query, side_name(side));
        query_bind_text(&query, own->list[i].name);
        query_bind_int(&query, (int64_t)own->list[i].value);
        status = query_run(&query, error);
    }
    return status;
}

Status database_insert_played(Database *db, const DatabaseGame *game, const GameColumns *columns, Error *error)
{
    int64_t id = 0;
    Status status = database_insert_game(db, game, columns, &(GameOrigin){0}, &id, error);
    if (status == STATUS_OK && id == 0)
        status = error_set(error, STATUS_FAILED, "game %lld of match %lld is in the database already",
                           (long long)game->number, (long long)game->match);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = add_own(db, id, (Side)side, &game->own[side], error);
    return status;
}

static Status add_game(Database *db, const DatabaseGame *game, const GameColumns *columns, Error *error)
{
    Status status = database_add_agent(db, or_else(game->first, game->record->first), false, error);
    if (status == STATUS_OK)
        status = database_add_agent(db, or_else(game->second, game->record->second), false, error);
    return status == STATUS_OK ? database_insert_played(db, game, columns, error) : status;
}

Status database_add_game(Database *db, const DatabaseGame *game, Error *error)
{
    assert(game->match != 0 && game->opening <= game->record->count);
    GameColumns columns = {0};
    Status status = game_columns_fill(&columns, game->record, error);
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
        status = transaction_end(db, add_game(db, game, &columns, error), error);
    game_columns_close(&columns);
    return status;
}

// --- Reading ---

// A game in memory of its own, so that the sink runs without the lock and without a statement under way: that would
// hold an old state of the database, on which this connection could not write.
typedef struct {
    DatabaseGame game;
    GameRecord record;
    Text first, second, reason, source;
} GameReader;

static void keep_text(Text *text, const char *from)
{
    text->length = 0;
    text_add_span(text, span_of(from));
}

Result result_of_name(const char *name)
{
    for (Result result = RESULT_FIRST; result <= RESULT_DRAW; result++)
        if (strcmp(result_name(result), name) == 0)
            return result;
    return RESULT_NONE;
}

Fault fault_of_name(const char *name)
{
    for (Fault fault = FAULT_ILLEGAL; fault <= FAULT_CRASH; fault++)
        if (strcmp(fault_names[fault], name) == 0)
            return fault;
    return FAULT_NONE;
}

// Moves the properties that stand before the next stone from the column to the record; see add_kept.
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
    return !record->kept.failed;
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
    return good ? STATUS_OK : error_set(error, STATUS_FAILED, "its times or properties are damaged");
}

static Status read_setup(GameRecord *record, Span text, Error *error)
{
    Game game;
    Status status = fen_read(text, &record->rules, &game, error);
    return status == STATUS_OK ? record_set_up(record, &game.board, error) : status;
}

// In the order of the columns of QUERY_GAME.
static Status read_row(GameReader *reader, const Query *row, Error *error)
{
    GameRecord *record = &reader->record;
    DatabaseGame *game = &reader->game;
    game->match = query_int(row, 0);
    game->number = query_int(row, 1);
    keep_text(&reader->source, query_text(row, 2));
    keep_text(&reader->first, query_text(row, 4));
    keep_text(&reader->second, query_text(row, 5));
    game->opening = (unsigned)query_int(row, 6);
    game->seed = (uint64_t)query_int(row, 7);
    record->result = result_of_name(query_text(row, 8));
    game->fault = fault_of_name(query_text(row, 9));
    game->faulty = strcmp(query_text(row, 10), side_name(SIDE_SECOND)) == 0 ? SIDE_SECOND : SIDE_FIRST;
    game->started = query_int(row, 11);
    game->ended = query_int(row, 12);
    keep_text(&reader->reason, query_text(row, 13));
    record_set_text(record->first, query_bytes(row, 4));
    record_set_text(record->second, query_bytes(row, 5));
    record_set_text(record->reason, query_bytes(row, 13));
    record_set_text(record->event, query_bytes(row, 14));
    record_set_text(record->date, query_bytes(row, 15));
    Status status = rules_parse(query_bytes(row, 3), &record->rules, error);
    if (status == STATUS_OK && !query_is_null(row, 16))
        status = read_setup(record, query_bytes(row, 16), error);
    if (status == STATUS_OK)
        status = read_stones(record, query_bytes(row, 17), query_bytes(row, 18), query_bytes(row, 19), error);
    if (status == STATUS_OK && (reader->first.failed || reader->second.failed || reader->reason.failed ||
                                reader->source.failed || record->kept.failed))
        status = error_set(error, STATUS_NO_MEMORY, "no memory for a game");
    return status;
}

// In the order of the columns of QUERY_GAME_COUNTS.
static Status read_own(Database *db, int64_t id, OwnCounts own[2], Error *error)
{
    bool good = true;
    Query query = query_use(db, QUERY_GAME_COUNTS);
    query_bind_int(&query, id);
    while (good && query_row(&query)) {
        Side side = strcmp(query_text(&query, 0), side_name(SIDE_SECOND)) == 0 ? SIDE_SECOND : SIDE_FIRST;
        good = own_counts_add(&own[side], query_text(&query, 1), (uint64_t)query_int(&query, 2));
    }
    Status status = query_end(&query, error);
    return status == STATUS_OK && !good ? error_set(error, STATUS_FAILED, "its counts are damaged") : status;
}

static void lend_texts(GameReader *reader)
{
    reader->game.first = reader->first.data;
    reader->game.second = reader->second.data;
    reader->game.reason = reader->reason.data;
    reader->game.source = reader->game.match == 0 ? reader->source.data : NULL;
    reader->game.record = &reader->record;
}

static Status read_game(Database *db, int64_t id, GameReader *reader, bool *found, Error *error)
{
    record_clear(&reader->record);
    reader->game = (DatabaseGame){.id = id};
    Status status = STATUS_OK;
    *found = false;
    database_lock(db);
    Query query = query_use(db, QUERY_GAME);
    query_bind_int(&query, id);
    if (query_row(&query)) {
        *found = true;
        status = read_row(reader, &query, error);
    }
    Status ended = query_end(&query, error);
    if (ended == STATUS_OK && status == STATUS_OK && reader->game.match != 0)
        status = read_own(db, id, reader->game.own, error);
    database_unlock(db);
    if (ended != STATUS_OK)
        return ended;
    if (status != STATUS_OK) {
        error_prefix(error, "game %lld of the database: ", (long long)id);
        return status;
    }
    lend_texts(reader);
    return STATUS_OK;
}

static void close_reader(GameReader *reader)
{
    record_close(&reader->record);
    text_close(&reader->first);
    text_close(&reader->second);
    text_close(&reader->reason);
    text_close(&reader->source);
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
        if (status == STATUS_OK && !found) // nobody removes games
            status = error_set(error, STATUS_FAILED, "game %lld of the database is gone", (long long)ids.list[i]);
        if (status == STATUS_OK && !sink(context, &reader.game))
            break;
    }
    free(ids.list);
    close_reader(&reader);
    return status;
}

Status database_read_game(Database *db, int64_t id, DatabaseGameSink *sink, void *context, bool *found, Error *error)
{
    GameReader reader = {0};
    Status status = read_game(db, id, &reader, found, error);
    if (status == STATUS_OK && *found)
        (void)sink(context, &reader.game);
    close_reader(&reader);
    return status;
}

// What agents counted in a game of a walk: side, name and value of each, in order of the games.
typedef struct {
    int64_t number;
    Side side;
    OwnCount count;
} WalkedCount;

typedef struct {
    WalkedCount *list; // owned
    size_t count, capacity, next;
} WalkedCounts;

static bool add_walked(WalkedCounts *counts, const Query *row)
{
    if (counts->count == counts->capacity) {
        size_t capacity = counts->capacity > 0 ? 2 * counts->capacity : 256;
        WalkedCount *list = realloc(counts->list, capacity * sizeof *list);
        if (list == NULL)
            return false;
        counts->list = list;
        counts->capacity = capacity;
    }
    WalkedCount *walked = &counts->list[counts->count++];
    *walked = (WalkedCount){.number = query_int(row, 0), .count.value = (uint64_t)query_int(row, 3)};
    walked->side = strcmp(query_text(row, 1), side_name(SIDE_SECOND)) == 0 ? SIDE_SECOND : SIDE_FIRST;
    (void)snprintf(walked->count.name, sizeof walked->count.name, "%s", query_text(row, 2));
    return true;
}

static Status read_walked(Database *db, int64_t match, int64_t number, unsigned most, WalkedCounts *counts,
                          Error *error)
{
    bool good = true;
    Query row = query_use(db, QUERY_GAMES_COUNTS_FROM);
    query_bind_int(&row, match);
    query_bind_int(&row, number);
    query_bind_int(&row, most);
    while (good && query_row(&row))
        good = add_walked(counts, &row);
    Status status = query_end(&row, error);
    return good ? status : error_set(error, STATUS_NO_MEMORY, "no memory for the counts of games");
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

static Status walk_games(Database *db, int64_t match, int64_t number, unsigned most, DatabaseGameSink *sink,
                         void *context, Error *error)
{
    GameReader reader = {0};
    WalkedCounts counts = {0};
    bool goes_on = true;
    Status status = read_walked(db, match, number, most, &counts, error);
    if (status != STATUS_OK) {
        free(counts.list);
        return status;
    }
    Query row = query_use(db, QUERY_GAMES_FROM);
    query_bind_int(&row, match);
    query_bind_int(&row, number);
    query_bind_int(&row, most);
    while (goes_on && status == STATUS_OK && query_row(&row)) {
        record_clear(&reader.record);
        reader.game = (DatabaseGame){.id = query_int(&row, 20)};
        status = read_row(&reader, &row, error);
        lend_texts(&reader);
        take_walked(&counts, &reader.game);
        goes_on = status == STATUS_OK && sink(context, &reader.game);
    }
    Status ended = query_end(&row, status == STATUS_OK ? error : NULL);
    free(counts.list);
    close_reader(&reader);
    return status != STATUS_OK ? status : ended;
}

Status database_each_game_from(Database *db, int64_t match, int64_t number, unsigned most, DatabaseGameSink *sink,
                               void *context, Error *error)
{
    Status status = transaction_begin_to_read(db, error);
    if (status != STATUS_OK)
        return status;
    return transaction_end(db, walk_games(db, match, number, most, sink, context, error), error);
}

Status database_game_numbers(Database *db, int64_t match, int64_t **numbers, size_t *count, Error *error)
{
    Numbers found = {0};
    database_lock(db);
    Query query = query_use(db, QUERY_GAME_NUMBERS);
    query_bind_int(&query, match);
    Status status = query_numbers(&query, &found, error);
    database_unlock(db);
    if (status != STATUS_OK || found.count == 0) {
        free(found.list);
        found = (Numbers){0};
    }
    *numbers = found.list;
    *count = found.count;
    return status;
}
