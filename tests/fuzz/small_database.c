// The small database: what is in it, and the file in memory.
#include "fuzz/small_database.h"

#include "fuzz/fuzz.h"
#include "game/notation.h"
#include "store/db/database_books.h"
#include "store/db/database_patterns.h"
#include "store/db/jobs/database_jobs.h"
#include "store/formats/formats.h"

#include <sqlite3.h>

enum { TIME = 1700000000 };

#define DONE(call) REQUIRE((call) == STATUS_OK)

// A folder that cannot exist.
const char small_database_path[] = "/dev/null/krow.db";

// --- The file ---

static sqlite3_vfs *memory;
static sqlite3_file *file; // open until the end, since the file ends with its last connection

static void open_file(void)
{
    int flags = 0;
    memory = sqlite3_vfs_find("memdb");
    REQUIRE(memory != NULL && sqlite3_vfs_register(memory, 1) == SQLITE_OK);
    file = calloc(1, (size_t)memory->szOsFile);
    REQUIRE(file != NULL);
    REQUIRE(memory->xOpen(memory, small_database_path, file,
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB, &flags) == SQLITE_OK);
}

void small_database_write(Span bytes)
{
    sqlite3_int64 size = 0;
    REQUIRE(bytes.length == 0 || file->pMethods->xWrite(file, bytes.at, (int)bytes.length, 0) == SQLITE_OK);
    REQUIRE(file->pMethods->xTruncate(file, (sqlite3_int64)bytes.length) == SQLITE_OK);
    REQUIRE(file->pMethods->xFileSize(file, &size) == SQLITE_OK && size == (sqlite3_int64)bytes.length);
}

// --- The content ---

// Games of tic-tac-toe: all results, and one that stops early.
static const char *const games[] = {"b2 a1 c1 a3 a2 c2 b3 b1 c3", "b2 a1 c1 a3 c2 a2", "b2 b1 a1 c3 a3 a2 c1",
                                    "a1 b2 b1 c1 a3 a2 c2", "c1 b2 a1"};
enum { GAMES = sizeof games / sizeof games[0] };

static const char imported[] =
    "(;GM[4]SZ[9]KR[9x9:k=5]PB[one]PW[someone else]EV[club]DT[2020-02-29]RE[B+R]AB[aa][bb]AW[cc][dd]PL[B]"
    ";B[ee]BL[7]C[a stone];W[de];B[ff]LB[ff:x];W[gg])";

static void read_game(const char *moves, GameRecord *record)
{
    static const Rules rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1};
    Game game;
    game_init(&game, &rules);
    DONE(game_read(&game, span_of(moves), NULL));
    *record = (GameRecord){0};
    DONE(record_from_game(record, &game, NULL));
    for (unsigned i = 0; i < record->count; i++)
        record->stones[i].ms = (int32_t)(100 * i);
}

static void add_match(Database *db)
{
    int64_t match = 0;
    DatabaseMatch new = {.kind = DATABASE_TOURNAMENT,
                         .rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1},
                         .spec = "agents random adjacent",
                         .sprt = "0 5 0.05 0.05",
                         .origin = "web",
                         .created = TIME};
    DONE(database_begin_match(db, &new, &match, NULL));
    for (unsigned i = 0; i < GAMES; i++) {
        GameRecord record;
        read_game(games[i], &record);
        DatabaseGame game = {.match = match,
                             .number = i,
                             .first = i % 2 == 0 ? "random" : "adjacent:depth=1",
                             .second = i % 2 == 0 ? "adjacent:depth=1" : "random",
                             .opening = 1,
                             .seed = 1000 + i,
                             .started = TIME + i,
                             .ended = TIME + i + 1,
                             .record = &record};
        if (record.result == RESULT_NONE) {
            game.fault = FAULT_TIMEOUT;
            game.faulty = SIDE_SECOND;
            record.result = RESULT_FIRST;
            game.reason = "timeout";
        }
        REQUIRE(own_counts_add(&game.own[0], "nodes", 10 + i) && own_counts_add(&game.own[1], "depth", i));
        DONE(database_add_game(db, &game, NULL));
        record_close(&record);
    }
    DONE(database_finish_match(db, match, TIME + 9, NULL));
}

static bool add_imported(void *context, const FormatItem *item)
{
    DatabaseImport import = {.source = "club.sgf"};
    REQUIRE(item->record != NULL);
    DONE(database_import(context, &import, item->record, 1, NULL));
    database_import_close(&import);
    return true;
}

static void add_saved(Database *db)
{
    GameRecord record;
    int64_t id = 0;
    read_game(games[1], &record);
    DatabaseSavedGame saved = {"0123456789abcdef", TIME, TIME + 60, &record};
    DONE(database_save_game(db, &saved, &id, NULL));
    record_close(&record);
}

static void add_book(Database *db)
{
    BookGraph graph = {.spec = {.name = "b",
                                .rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1},
                                .encoding = ENCODING_ABSOLUTE,
                                .turns = 4}};
    for (unsigned i = 0; i < GAMES; i++) {
        Game game;
        game_init(&game, &graph.spec.rules);
        DONE(game_read(&game, span_of(games[i]), NULL));
        DONE(book_graph_add(&graph, game.stones, game.played, (BookCounts){i % 2, 0, 1 - i % 2}, NULL));
    }
    book_graph_sort(&graph);
    DONE(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, TIME, NULL));
    book_graph_close(&graph);
}

static void add_patterns(Database *db)
{
    static const char *const texts[] = {".xxxx.", ".xxx./--x--/--x--/--.--"};
    Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    for (unsigned i = 0; i < 2; i++) {
        Pattern pattern;
        uint64_t kept = 0;
        DONE(pattern_parse(span_of(texts[i]), i + 1, &pattern, NULL));
        DONE(database_learn_patterns(db, &(DatabaseLearned){"s", &rules, &pattern, 1, TIME}, &kept, NULL));
        REQUIRE(kept == 1);
    }
}

static void add_job(Database *db)
{
    int64_t job = 0, worker = 0;
    DatabaseUnit unit = {0};
    DatabaseJob new = {.work = JOB_SOLVE,
                       .title = "solve",
                       .spec = "solve",
                       .openings = "a1\nb2\nc3\n",
                       .build = "x",
                       .unit = 2,
                       .lease = 1000};
    const DatabaseRange range = {0, 3};
    DONE(database_add_job(db, &new, &(DatabaseJobUnits){.ranges = &range, .count = 1}, &job, NULL));
    DONE(database_add_worker(db, &(DatabaseWorker){.name = "w", .slots = 1, .build = "x", .words = "ready"}, &worker,
                             NULL));
    DONE(database_claim_unit(db, &(DatabaseClaim){.worker = worker, .job = job, .token = 7, .most = 1, .slots = 1},
                             &unit, NULL));
    const char *const answer = "first 3";
    DatabaseUnitResult result = {.unit = unit, .answers = &answer, .count = unit.games > 0};
    DONE(database_finish_unit(db, &result, NULL, NULL, NULL));
}

static void fill(Database *db)
{
    static const DatabaseRating ratings[] = {{"random", false, -50, 30, 5}, {"adjacent:depth=1", false, 50, 30, 5}};
    add_match(db);
    DONE(formats_read(span_of(imported), NULL, add_imported, db, NULL));
    add_saved(db);
    add_book(db);
    add_patterns(db);
    DONE(database_save_ratings(db, &(DatabaseRatingList){"all", NULL, TIME}, ratings, 2, NULL));
    add_job(db);
}

// Small pages, and no time of today.
static const char tidy[] =
    "UPDATE jobs SET created = 1700000000000;"
    "UPDATE units SET claimed = 1700000000000, finished = 1700000000000 WHERE claimed IS NOT NULL;"
    "UPDATE units SET expires = 1700000000000 WHERE expires IS NOT NULL;"
    "UPDATE workers SET started = 1700000000000, seen = 1700000000000;"
    "PRAGMA page_size = 512; VACUUM";

Span small_database(void)
{
    static unsigned char *bytes;
    static sqlite3_int64 size;
    if (bytes != NULL)
        return (Span){(const char *)bytes, (size_t)size};
    Database *db = NULL;
    sqlite3 *handle = NULL;
    Error error = {0};
    open_file();
    DONE(database_open(small_database_path, &db, &error));
    fill(db);
    database_close(db);
    REQUIRE(sqlite3_open(small_database_path, &handle) == SQLITE_OK);
    REQUIRE(sqlite3_exec(handle, tidy, NULL, NULL, NULL) == SQLITE_OK);
    bytes = sqlite3_serialize(handle, "main", &size, 0);
    REQUIRE(bytes != NULL && sqlite3_close(handle) == SQLITE_OK);
    return (Span){(const char *)bytes, (size_t)size};
}
