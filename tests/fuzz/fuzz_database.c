// Database files: a small database that is edited. The lines of an input:
//
//     1200 ff00ff          these bytes at this offset
//     cut 5000             the file ends there
//     games.stones 3 a1 b2 the value of a column in the row with this number: a text, #12 a number, - NULL
//
// An input that begins like a file of SQLite is the whole file instead. Whatever the file is: it is opened or refused
// with words; what reads it ends; and `db check` finds every change of a game, a book or a pattern, unless the checksum
// of a row was changed too, which anyone can compute.
#include "fuzz/fuzz.h"
#include "fuzz/small_database.h"
#include "lab/damaged.h"
#include "store/db/database_books.h"
#include "store/db/database_patterns.h"
#include "store/db/database_search.h"
#include "store/db/database_tables.h"
#include "store/db/jobs/database_jobs.h"
#include "store/formats/formats.h"

#include <ctype.h>
#include <sqlite3.h>

enum { EDITS_MAX = 24, NAME_SIZE = 32 };

// --- Edits ---

// A connection to a copy of these bytes, which belongs to it.
static sqlite3 *connect_to(Span bytes)
{
    sqlite3 *handle = NULL;
    unsigned char *copy = sqlite3_malloc64(bytes.length + 1);
    REQUIRE(copy != NULL && sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
    memcpy(copy, bytes.at, bytes.length);
    REQUIRE(sqlite3_deserialize(handle, "main", copy, (sqlite3_int64)bytes.length, (sqlite3_int64)bytes.length,
                                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    return handle;
}

static bool is_name(Span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!islower((unsigned char)text.at[i]) && text.at[i] != '_')
            return false;
    return text.length > 0 && text.length < NAME_SIZE;
}

static void bind_value(sqlite3_stmt *statement, Span value)
{
    int64_t number = 0;
    if (span_is(value, "-"))
        (void)sqlite3_bind_null(statement, 1);
    else if (value.length > 1 && value.at[0] == '#' &&
             span_to_int((Span){value.at + 1, value.length - 1}, INT64_MIN, INT64_MAX, &number))
        (void)sqlite3_bind_int64(statement, 1, number);
    else
        (void)sqlite3_bind_text(statement, 1, value.at, (int)value.length, SQLITE_STATIC);
}

// "games.stones 3 a1 b2". A line that SQLite refuses has no effect.
static void edit_row(sqlite3 *handle, Span line)
{
    Span place = {0}, row = {0}, table = {0};
    int64_t number = 0;
    char sql[3 * NAME_SIZE + 64];
    sqlite3_stmt *statement = NULL;
    if (!span_next_word(&line, " ", &place) || !span_next_word(&line, " ", &row) ||
        !span_to_int(row, 0, INT64_MAX, &number) || !span_next_part(&place, '.', &table) || !is_name(table) ||
        !is_name(place))
        return;
    (void)snprintf(sql, sizeof sql, "UPDATE OR IGNORE %.*s SET %.*s = ? WHERE rowid = ?", SPAN_PRINT(table),
                   SPAN_PRINT(place));
    if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) == SQLITE_OK && statement != NULL) {
        bind_value(statement, span_trim(line));
        (void)sqlite3_bind_int64(statement, 2, number);
        (void)sqlite3_step(statement);
    }
    (void)sqlite3_finalize(statement);
}

static bool is_row_edit(Span line)
{
    return line.length > 0 && isalpha((unsigned char)line.at[0]) && memchr(line.at, '.', line.length) != NULL;
}

// Row by row, past the checks of the tables.
static void edit_rows(Span input, Text *bytes)
{
    sqlite3 *handle = connect_to((Span){bytes->data, bytes->length});
    Span line = {0};
    sqlite3_int64 size = 0;
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)NULL);
    REQUIRE(sqlite3_exec(handle, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL) == SQLITE_OK);
    for (unsigned i = 0; i < EDITS_MAX && span_next_part(&input, '\n', &line); i++)
        if (is_row_edit(line))
            edit_row(handle, line);
    unsigned char *edited = sqlite3_serialize(handle, "main", &size, 0);
    REQUIRE(edited != NULL);
    bytes->length = 0;
    text_add_span(bytes, (Span){(const char *)edited, (size_t)size});
    sqlite3_free(edited);
    REQUIRE(sqlite3_close(handle) == SQLITE_OK);
}

static int digit_of(char c)
{
    const char *digits = "0123456789abcdef", *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

// "1200 ff00ff" or "cut 5000".
static void edit_bytes(Span line, Text *bytes)
{
    Span word = {0}, value = {0};
    int64_t at = 0;
    if (!span_next_word(&line, " ", &word) || !span_next_word(&line, " ", &value))
        return;
    if (span_is(word, "cut") && span_to_int(value, 0, (int64_t)bytes->length, &at))
        bytes->length = (size_t)at;
    if (!span_to_int(word, 0, (int64_t)bytes->length - 1, &at))
        return;
    for (size_t i = 0; i + 1 < value.length && (size_t)at < bytes->length; i += 2, at++) {
        int high = digit_of(value.at[i]), low = digit_of(value.at[i + 1]);
        if (high >= 0 && low >= 0)
            bytes->data[at] = (char)(16 * high + low);
    }
}

static void edit(Span input, Text *bytes)
{
    static const char start[] = "SQLite format 3";
    if (input.length >= sizeof start && memcmp(input.at, start, sizeof start) == 0) {
        text_add_span(bytes, input);
        return;
    }
    Span rest = input, line = {0};
    bool has_rows = false;
    text_add_span(bytes, small_database());
    for (unsigned i = 0; i < EDITS_MAX && span_next_part(&rest, '\n', &line); i++)
        has_rows |= is_row_edit(line);
    if (has_rows)
        edit_rows(input, bytes);
    for (unsigned i = 0; i < EDITS_MAX && span_next_part(&input, '\n', &line); i++)
        if (!is_row_edit(line))
            edit_bytes(line, bytes);
}

// --- What is stored ---

// What `db check` protects, as any program sees it.
static const char protected_games[] =
    "SELECT g.id, g.match_id, g.number, s.name, g.game, a.name, b.name, o.length, g.seed, g.result, g.fault, g.faulty,"
    " g.started, g.ended, g.reason, g.event, g.date, g.setup, g.stones, g.times, g.kept FROM games g"
    " LEFT JOIN agents a ON a.id = g.first_id LEFT JOIN agents b ON b.id = g.second_id"
    " LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id ORDER BY g.id";
static const char *const protected[] = {
    protected_games,
    "SELECT game_id, side, name, value FROM game_counts ORDER BY 1, 2, 3",
    "SELECT id, name, game, encoding, is_symmetric, turns, games, built FROM books ORDER BY id",
    "SELECT id, book_id, depth, wins, ties, losses, code FROM book_nodes ORDER BY id",
    "SELECT from_id, turn, to_id FROM book_links ORDER BY 1, 2, 3",
    "SELECT id, game, set_name, tier, learned, code FROM patterns ORDER BY id",
};
static const char *const checksums[] = {"SELECT id, checksum FROM games ORDER BY id",
                                        "SELECT id, checksum FROM books ORDER BY id",
                                        "SELECT id, checksum FROM patterns ORDER BY id"};

// Adds the rows of a statement, a line each; false if they cannot be read.
static bool add_rows(sqlite3 *handle, const char *sql, Text *text)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *value = sqlite3_column_blob(statement, i);
            text_add(text, "%d %d ", sqlite3_column_type(statement, i), sqlite3_column_bytes(statement, i));
            if (sqlite3_column_type(statement, i) == SQLITE_INTEGER)
                text_add(text, "%lld", (long long)sqlite3_column_int64(statement, i));
            else if (value != NULL)
                text_add_span(text, (Span){value, (size_t)sqlite3_column_bytes(statement, i)});
        }
        text_add(text, "\n");
        code = SQLITE_OK;
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

static bool add_all_rows(Span bytes, const char *const *statements, size_t count, Text *text)
{
    sqlite3 *handle = connect_to(bytes);
    bool is_read = true;
    for (size_t i = 0; i < count && is_read; i++)
        is_read = add_rows(handle, statements[i], text);
    REQUIRE(sqlite3_close(handle) == SQLITE_OK);
    return is_read;
}

static bool is_same(Span bytes, const char *const *statements, size_t count, Text *kept)
{
    Text now = {0};
    if (kept->length == 0)
        REQUIRE(add_all_rows(small_database(), statements, count, kept));
    bool is_read = add_all_rows(bytes, statements, count, &now);
    bool same = is_read && now.length == kept->length && memcmp(now.data, kept->data, now.length) == 0;
    text_close(&now);
    return same;
}

// A file that the check found whole.
static void require_unchanged(Span bytes)
{
    static Text content, sums;
    if (is_same(bytes, checksums, sizeof checksums / sizeof checksums[0], &sums))
        REQUIRE(is_same(bytes, protected, sizeof protected / sizeof protected[0], &content));
}

// --- Reading ---

static void require_words(Status status, const Error *error)
{
    REQUIRE(status == STATUS_OK || (error->text[0] != '\0' && strlen(error->text) < sizeof error->text));
}

static void take_damage(void *context, const Damage *damage)
{
    (void)context;
    REQUIRE(damage->what[0] != '\0' && damage->reason[0] != '\0');
}

static bool go_on(void *context, uint64_t count)
{
    (void)context;
    (void)count;
    return true;
}

static void check(Database *db, Span bytes)
{
    DamageSearch search = {.found = take_damage, .goes_on = go_on};
    Error error = {0};
    REQUIRE(damage_search(&search, db, &error) == STATUS_OK);
    if (search.count == 0)
        require_unchanged(bytes);
    else
        REQUIRE(bytes.length != small_database().length || memcmp(bytes.at, small_database().at, bytes.length) != 0);
}

static void pass_damage(void *context, const DatabaseDamage *damage)
{
    (void)context;
    REQUIRE(damage->reason[0] != '\0');
}

static bool write_game(void *context, const DatabaseGame *game)
{
    Text text = {0};
    (void)context;
    (void)formats_write(game->record, format_find(span_of("sgf")), &text, NULL);
    text_close(&text);
    return true;
}

static bool pass_score(void *context, const DatabaseScore *score)
{
    (void)context;
    (void)score;
    return true;
}

static bool read_match(void *context, const DatabaseMatch *match)
{
    Error error = {0};
    require_words(database_each_score(context, match->id, pass_score, NULL, &error), &error);
    return true;
}

static bool pass_line(void *context, const DatabaseLine *line)
{
    (void)context;
    return line->stones.length < 1 << 20;
}

// The first rules of a list.
static bool keep_rules(void *context, const Rules *rules, uint64_t games)
{
    (void)games;
    *(Rules *)context = *rules;
    return false;
}

static bool pass_head(void *context, const DatabaseGameHead *head)
{
    (void)context;
    return head->moves != NULL;
}

static void read_games(Database *db)
{
    Error error = {0};
    DatabaseResults results = {0};
    DatabaseFound found;
    database_on_damage(db, pass_damage, NULL);
    require_words(database_each_game(db, NULL, write_game, NULL, &error), &error);
    DatabaseGameSearch search = {.filter = {.text = "b2"}, .limit = 10, .sink = pass_head};
    require_words(database_search_games(db, &search, &found, &error), &error);
    database_on_damage(db, NULL, NULL);
    require_words(database_each_game(db, NULL, write_game, NULL, &error), &error);
    Status status = database_results(db, NULL, &results, &error);
    require_words(status, &error);
    if (status == STATUS_OK)
        free(database_results_table(&results));
    database_results_close(&results);
    Rules rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1};
    require_words(database_each_rules(db, keep_rules, &rules, &error), &error);
    require_words(database_each_line(db, &(DatabaseLineRange){&rules, 0, 100}, pass_line, NULL, &error), &error);
    require_words(database_each_match(db, read_match, db, &error), &error);
}

static void pass_turn(void *context, Span turn, BookCounts counts)
{
    (void)context;
    (void)turn;
    (void)counts;
}

static bool read_book(void *context, const DatabaseBook *book)
{
    BookGraph graph = {0};
    Error error = {0};
    require_words(database_load_book(context, book->spec.name, &graph, &error), &error);
    book_graph_close(&graph);
    require_words(database_check_book(context, book->spec.name, &error), &error);
    BookKey key = {&book->spec, 1, "b2"};
    require_words(database_look_up(context, &key, &(BookSink){.turn = pass_turn}, &error), &error);
    return true;
}

static bool pass_pattern(void *context, const DatabasePattern *pattern)
{
    char text[PATTERN_TEXT_SIZE];
    (void)context;
    pattern_format(&pattern->pattern, text);
    return true;
}

static bool read_set(void *context, const DatabasePatternSet *set)
{
    Error error = {0};
    AgentPatternRange range = {set->name, &set->rules, 0};
    require_words(database_each_pattern(context, &range, pass_pattern, NULL, &error), &error);
    return true;
}

static bool pass_answer(void *context, unsigned number, const char *answer)
{
    (void)context;
    (void)number;
    return answer != NULL;
}

static bool read_job(void *context, const DatabaseJob *job)
{
    Error error = {0};
    require_words(database_each_answer_from(context, &(DatabaseAnswerRange){job->id, 0, 10}, pass_answer, NULL, &error),
                  &error);
    return true;
}

static bool pass_worker(void *context, const DatabaseWorker *worker)
{
    (void)context;
    return worker->name != NULL;
}

static bool pass_table(void *context, const DatabaseTable *table)
{
    (void)context;
    return table->name != NULL;
}

// Everything, or one of four parts: preparing the statements takes most of the time of an input.
static void read_part(Database *db, unsigned part, bool all)
{
    Error error = {0};
    DatabaseAbout about;
    if (all || part == 0)
        read_games(db);
    if (all || part == 1)
        require_words(database_each_book(db, read_book, db, &error), &error);
    if (all || part == 2) {
        require_words(database_each_pattern_set(db, read_set, db, &error), &error);
        require_words(database_describe(db, &about, &error), &error);
        require_words(database_each_table(db, true, pass_table, NULL, &error), &error);
    }
    if (all || part == 3) {
        require_words(database_each_job(db, read_job, db, &error), &error);
        require_words(database_each_worker(db, true, pass_worker, NULL, &error), &error);
    }
}

#ifdef FUZZ_LIBFUZZER
static const bool reads_all = false;
#else
static const bool reads_all = true;
#endif

FUZZ_TARGET(database)
{
    Database *db = NULL;
    Error error = {0};
    Text bytes = {0};
    (void)small_database(); // makes the file
    edit((Span){(const char *)data, size}, &bytes);
    small_database_write((Span){bytes.data, bytes.length});
    Status status = database_open(small_database_path, &db, &error);
    require_words(status, &error);
    if (status == STATUS_OK) {
        check(db, (Span){bytes.data, bytes.length});
        unsigned sum = 0;
        for (size_t i = 0; i < size; i++)
            sum += data[i];
        read_part(db, sum % 4, reads_all);
    }
    database_close(db);
    text_close(&bytes);
    return 0;
}
