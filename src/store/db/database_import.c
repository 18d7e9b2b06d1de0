// Games that no match played: imported from files, each once, and saved by the web board.
#include "base/memory.h"
#include "base/utf8.h"
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a with 128 bits (Fowler, Noll, Vo): accidental collisions are negligible, and it is easy to implement for
// another database. It does not protect against collisions made on purpose.
typedef struct {
    uint8_t bytes[16];
} Hash;

__extension__ typedef unsigned __int128 Wide;

static Wide hash_add(Wide hash, Span bytes)
{
    const Wide prime = (Wide)1 << 88 | 0x13b;
    for (size_t i = 0; i < bytes.length; i++)
        hash = (hash ^ (uint8_t)bytes.at[i]) * prime;
    return hash * prime; // ends the text with a zero byte, so that "ab", "c" is not "a", "bc"
}

// Without times, since formats that lack some write others instead; and without the reason and SGF properties.
static Hash hash_of(const GameRecord *record, const GameColumns *columns)
{
    const char *result = result_name(record->result);
    const char *texts[] = {columns->rules, columns->setup.data, columns->stones.data, result != NULL ? result : "",
                           record->first,  record->second,      record->event,        record->date};
    Wide hash = (Wide)UINT64_C(0x6c62272e07bb0142) << 64 | UINT64_C(0x62b821756295c58d);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = hash_add(hash, span_of(texts[i]));
    Hash bytes;
    for (unsigned i = 0; i < sizeof bytes.bytes; i++)
        bytes.bytes[i] = (uint8_t)(hash >> (120 - 8 * i));
    return bytes;
}

// A file may contain the same short game several times on purpose. The n-th of them is copy n and equals only the n-th
// of an earlier import of the file.
typedef struct {
    uint64_t key;
    unsigned count; // 0: empty
} SeenEntry;

// Open addressing, at most half full.
typedef struct DatabaseSeen {
    SeenEntry *entries;
    size_t capacity; // a power of two
    size_t used;
} DatabaseSeen;

static SeenEntry *seen_slot(SeenEntry *entries, size_t capacity, uint64_t key)
{
    size_t at = key & (capacity - 1);
    while (entries[at].count != 0 && entries[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &entries[at];
}

static void seen_grow(DatabaseSeen *seen)
{
    size_t capacity = seen->capacity > 0 ? 2 * seen->capacity : 1024;
    SeenEntry *entries = memory_new(capacity, sizeof *entries);
    for (size_t i = 0; i < seen->capacity; i++)
        if (seen->entries[i].count != 0)
            *seen_slot(entries, capacity, seen->entries[i].key) = seen->entries[i];
    free(seen->entries);
    seen->entries = entries;
    seen->capacity = capacity;
}

// Counts a game and returns how often it was seen before. Part of the hash suffices: if two games of a file share it,
// one of them counts as a copy, in the same way at every import.
static unsigned seen_add(DatabaseSeen *seen, const Hash *hash)
{
    uint64_t key;
    memcpy(&key, hash->bytes, sizeof key);
    if (2 * seen->used >= seen->capacity)
        seen_grow(seen);
    SeenEntry *entry = seen_slot(seen->entries, seen->capacity, key);
    seen->used += entry->count == 0;
    *entry = (SeenEntry){key, entry->count + 1};
    return entry->count - 1;
}

// What identifies a game. Computed before the transaction, which may be retried.
typedef struct {
    Hash hash;
    unsigned copy;
} Identity;

typedef struct {
    const char *source;
    const GameRecord *records;
    Identity *identities;
    size_t count;
    uint64_t added;
} Batch;

static void identify(DatabaseImport *import, Batch *batch)
{
    GameColumns columns = {0};
    for (size_t i = 0; i < batch->count; i++) {
        game_columns_fill(&columns, &batch->records[i]);
        batch->identities[i].hash = hash_of(&batch->records[i], &columns);
        batch->identities[i].copy = seen_add(import->seen, &batch->identities[i].hash);
    }
    game_columns_close(&columns);
}

static Status import_one(Database *db, Batch *batch, size_t number, GameColumns *columns, Error *error)
{
    const GameRecord *record = &batch->records[number];
    const Identity *identity = &batch->identities[number];
    GameOrigin origin = {.is_foreign = true, .source = batch->source, .copy = identity->copy};
    origin.hash = (Span){(const char *)identity->hash.bytes, sizeof identity->hash.bytes};
    game_columns_fill(columns, record);
    Status status = database_add_agent(db, record->first, true, error);
    if (status == STATUS_OK)
        status = database_add_agent(db, record->second, true, error);
    if (status == STATUS_OK)
        status = database_insert_game(db, &(DatabaseGame){.record = record}, columns, &origin, error);
    batch->added += origin.id != 0;
    return status;
}

static Status import_all(Database *db, Batch *batch, Error *error)
{
    GameColumns columns = {0};
    batch->added = 0;
    Status status = query_execute(db, QUERY_SOURCE_ADD, VALUES(value_text(batch->source)), NULL, error);
    for (size_t i = 0; i < batch->count && status == STATUS_OK; i++)
        status = import_one(db, batch, i, &columns, error);
    game_columns_close(&columns);
    return status;
}

Status database_import(Database *db, DatabaseImport *import, const GameRecord *records, size_t count, Error *error)
{
    char cleaned[PATH_MAX];
    Batch batch = {.source = import->source, .records = records, .count = count};
    // File names may be any bytes; the database stores UTF-8.
    if (!utf8_is_valid(span_of(import->source))) {
        utf8_clean(span_of(import->source), cleaned, sizeof cleaned);
        batch.source = cleaned;
    }
    if (strcmp(batch.source, GAME_SAVED_SOURCE) == 0)
        batch.source = "./" GAME_SAVED_SOURCE; // the same file
    if (import->seen == NULL)
        import->seen = memory_new(1, sizeof *import->seen);
    batch.identities = memory_new(count, sizeof *batch.identities);
    identify(import, &batch);
    Status status = IN_TRANSACTION(db, import_all(db, &batch, error), error);
    free(batch.identities);
    if (status == STATUS_OK) {
        import->added += batch.added;
        import->known += count - batch.added;
    }
    return status;
}

void database_import_close(DatabaseImport *import)
{
    if (import->seen != NULL)
        free(import->seen->entries);
    free(import->seen);
    import->seen = NULL;
}

// --- Saved games ---

// The key takes the place of the hash, which identifies imported games; it is longer than any hash.
static Status save(Database *db, const DatabaseSavedGame *saved, const GameColumns *columns, int64_t *id, Error *error)
{
    Text key = {0};
    text_add(&key, "web board %s", saved->key);
    GameOrigin origin = {.is_foreign = true, .source = GAME_SAVED_SOURCE, .hash = {key.data, key.length}};
    DatabaseGame game = {.started = saved->started, .ended = saved->ended, .record = saved->record};
    Status status = query_execute(db, QUERY_SOURCE_ADD, VALUES(value_text(origin.source)), NULL, error);
    if (status == STATUS_OK)
        status = database_add_agent(db, saved->record->first, true, error);
    if (status == STATUS_OK)
        status = database_add_agent(db, saved->record->second, true, error);
    if (status == STATUS_OK)
        status = database_replace_game(db, &game, columns, &origin, error);
    *id = origin.id;
    text_close(&key);
    return status;
}

Status database_save_game(Database *db, const DatabaseSavedGame *game, int64_t *id, Error *error)
{
    assert(strlen(game->key) > 8 && strlen(game->key) < DATABASE_KEY_SIZE);
    GameColumns columns = {0};
    game_columns_fill(&columns, game->record);
    Status status = IN_TRANSACTION(db, save(db, game, &columns, id, error), error);
    game_columns_close(&columns);
    return status;
}

static Status review(Database *db, int64_t id, Value kept, const char *stones, int64_t *number, Error *error)
{
    Status status =
        query_execute(db, QUERY_GAME_REVIEWED, VALUES(kept, value_int(id), value_text(stones)), number, error);
    return status == STATUS_OK && *number != 0 ? database_seal_game(db, id, error) : status;
}

Status database_save_review(Database *db, int64_t id, const GameRecord *record, bool *is_stored, Error *error)
{
    int64_t number = 0;
    GameColumns columns = {0};
    game_columns_fill(&columns, record);
    Value kept = value_blob((Span){columns.kept.data, columns.kept.length});
    Status status = IN_TRANSACTION(db, review(db, id, kept, columns.stones.data, &number, error), error);
    *is_stored = number != 0;
    game_columns_close(&columns);
    return status;
}

Status database_remove_saved(Database *db, int64_t id, bool *is_removed, Error *error)
{
    int64_t number = 0;
    Status status = database_change(db, QUERY_GAME_REMOVE, VALUES(value_int(id)), &number, error);
    *is_removed = number != 0;
    return status;
}
