// Adds games: from records to rows.
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

#include "game/fen.h"
#include "game/notation.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *fault_name(Fault fault)
{
    static const char *const names[] = {
        [FAULT_NONE] = NULL, [FAULT_ILLEGAL] = "illegal", [FAULT_TIMEOUT] = "timeout", [FAULT_CRASH] = "crash"};
    return names[fault];
}

Fault fault_of_name(const char *name)
{
    for (Fault fault = FAULT_ILLEGAL; fault <= FAULT_CRASH; fault++)
        if (strcmp(fault_name(fault), name) == 0)
            return fault;
    return FAULT_NONE;
}

// Stones and times are stored as text, so that they can be read and searched with SQL; 60 stones are at most 300
// characters.
static void add_word(Text *text, const char *word)
{
    if (text->length > 0)
        text_add_span(text, (Span){" ", 1});
    text_add_span(text, span_of(word));
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

// SGF properties: for each position that has some, the number of stones before it, the length, and the original text:
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

void game_columns_fill(GameColumns *columns, const GameRecord *record)
{
    Text *texts[] = {&columns->setup, &columns->stones, &columns->times, &columns->kept};
    rules_format(&record->rules, columns->rules);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        texts[i]->length = 0;
        text_add_span(texts[i], (Span){"", 0}); // terminated, even if nothing follows
    }
    if (record->setup != NULL)
        fen_write(record->setup, &columns->setup);
    for (unsigned i = 0; i < record->count; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(record->stones[i].cell, cell);
        add_word(&columns->stones, cell);
    }
    add_times(&columns->times, record);
    add_kept(&columns->kept, record);
}

void game_columns_close(GameColumns *columns)
{
    text_close(&columns->setup);
    text_close(&columns->stones);
    text_close(&columns->times);
    text_close(&columns->kept);
}

static const char *or_else(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

static Status add_opening(Database *db, const DatabaseGame *game, const GameColumns *columns, Text *opening,
                          Error *error)
{
    if (game->opening == 0)
        return STATUS_OK;
    // The opening's stones are the first ones of the game: the text up to the n-th blank.
    Span rest = {columns->stones.data, columns->stones.length}, word = {0};
    for (unsigned i = 0; i < game->opening; i++)
        (void)span_next_word(&rest, " ", &word);
    text_add_span(opening, (Span){columns->stones.data, (size_t)(word.at + word.length - columns->stones.data)});
    return query_execute(db, QUERY_OPENING_ADD,
                         VALUES(value_text(columns->rules), value_text(columns->setup.data), value_text(opening->data),
                                value_int(game->opening)),
                         NULL, error);
}

static Value value_if(bool is_known, int64_t number)
{
    return is_known ? value_int(number) : value_id(0);
}

static const char *faulty_name(const DatabaseGame *game)
{
    return game->fault != FAULT_NONE ? side_name(game->faulty) : NULL;
}

#define AGENT_VALUES(side) value_text(or_else(game->side, record->side)), value_int(origin->is_foreign)
#define OPENING_VALUES value_text(columns->rules), value_text(columns->setup.data), value_text(opening)

// The values of a new row.
typedef struct {
    const DatabaseGame *game;
    const GameColumns *columns;
    const GameOrigin *origin;
    const char *opening; // NULL: none; no opening is equal to NULL
} GameRow;

uint64_t checksum_of_counts(const OwnCounts own[2])
{
    uint64_t sum = 0;
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < own[side].count; i++)
            sum += checksum_of(VALUES(value_int(side), value_text(own[side].list[i].name),
                                      value_int((int64_t)own[side].list[i].value)));
    return sum;
}

// Of the values that readers see, in the order of checked_columns in database_games_read.c.
static uint64_t checksum_of_new(const GameRow *row)
{
    const DatabaseGame *game = row->game;
    const GameColumns *columns = row->columns;
    const GameRecord *record = game->record;
    bool is_played = game->match != 0;
    return checksum_of_counts(game->own) +
           checksum_of(VALUES(
               value_id(game->match), value_if(is_played, game->number), value_text(row->origin->source),
               value_text(columns->rules), value_text(or_else(game->first, record->first)),
               value_text(or_else(game->second, record->second)), value_id(game->opening),
               value_if(is_played, (int64_t)game->seed), value_text(result_name(record->result)),
               value_text(fault_name(game->fault)), value_text(faulty_name(game)), value_id(game->started),
               value_id(game->ended), value_text(or_else(game->reason, record->reason)), value_text(record->event),
               value_text(record->date), value_text(record->setup != NULL ? columns->setup.data : NULL),
               value_text(columns->stones.data), value_text(columns->times.length > 0 ? columns->times.data : NULL),
               value_blob((Span){columns->kept.data, columns->kept.length})));
}

static Query game_query(Database *db, QueryName name, const GameRow *row)
{
    const DatabaseGame *game = row->game;
    const GameColumns *columns = row->columns;
    const GameOrigin *origin = row->origin;
    const char *opening = row->opening;
    const GameRecord *record = game->record;
    bool is_played = game->match != 0;
    uint64_t checksum = checksum_of_new(row);
#define GAME_COLUMN_BOUND(name, column, value, read, ...) , __VA_ARGS__
    return query_with(db, name, VALUES(value_id(game->match) GAME_COLUMNS(GAME_COLUMN_BOUND)));
#undef GAME_COLUMN_BOUND
}

Status database_insert_game(Database *db, const DatabaseGame *game, const GameColumns *columns, GameOrigin *origin,
                            Error *error)
{
    Text opening = {0};
    origin->id = 0;
    Status status = add_opening(db, game, columns, &opening, error);
    if (status == STATUS_OK) {
        const GameRow row = {game, columns, origin, opening.data};
        Query query = game_query(db, QUERY_GAME_ADD, &row);
        status = query_number(&query, &origin->id, error);
        if (query_is_orphan(&query))
            status = error_set(error, STATUS_FAILED, "the database has no match %lld", (long long)game->match);
    }
    text_close(&opening);
    return status;
}

Status database_replace_game(Database *db, const DatabaseGame *game, const GameColumns *columns, GameOrigin *origin,
                             Error *error)
{
    const GameRow row = {game, columns, origin, NULL};
    Query query = game_query(db, QUERY_GAME_SAVE, &row);
    Status status = query_number(&query, &origin->id, error);
    // The row may have kept values of the one before it.
    return status == STATUS_OK ? database_seal_game(db, origin->id, error) : status;
}

// Values use all 64 bits; the column has the same bits as a signed number.
static Status add_own(Database *db, int64_t id, Side side, const OwnCounts *own, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < own->count && status == STATUS_OK; i++)
        status = query_execute(db, QUERY_GAME_COUNT_ADD,
                               VALUES(value_int(id), value_text(side_name(side)), value_text(own->list[i].name),
                                      value_int((int64_t)own->list[i].value)),
                               NULL, error);
    return status;
}

Status database_insert_played(Database *db, const DatabaseGame *game, const GameColumns *columns, Error *error)
{
    GameOrigin origin = {0};
    Status status = database_insert_game(db, game, columns, &origin, error);
    if (status == STATUS_OK && origin.id == 0)
        status = error_set(error, STATUS_FAILED, "game %lld of match %lld is in the database already",
                           (long long)game->number, (long long)game->match);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = add_own(db, origin.id, (Side)side, &game->own[side], error);
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
    game_columns_fill(&columns, game->record);
    Status status = IN_TRANSACTION(db, add_game(db, game, &columns, error), error);
    game_columns_close(&columns);
    return status;
}
