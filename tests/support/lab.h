// A database in a fresh folder, and small games to fill it with, for the tests of the database.
//
// The same tests run on both engines. With $KROW_TEST_POSTGRES (tests/support/postgres.py) databases are schemas of
// that server, made and removed with the folder; without it they are files.
#pragma once

#include "store/db/database.h"
#include "support/check.h"

enum { LAB_PATH_SIZE = 512 };

// A folder for each test, removed after it: setup and teardown of cmocka.
int lab_make_folder(void **state);
int lab_remove_folder(void **state);
#define LAB_TEST(test) cmocka_unit_test_setup_teardown(test, lab_make_folder, lab_remove_folder)

// Runs a group of tests that hold for both engines, and with files those of a second list too, which are about files.
int lab_run_tests(const char *name, const struct CMUnitTest *both, size_t both_count, const struct CMUnitTest *files,
                  size_t file_count);
#define LAB_RUN(both, files)                                                                                           \
    lab_run_tests(#both, both, sizeof(both) / sizeof((both)[0]), files, sizeof(files) / sizeof((files)[0]))
bool lab_is_postgres(void);

// A path below the folder of the test, valid until the next call with the same buffer.
const char *lab_path(char path[LAB_PATH_SIZE], const char *name);

// The place of a database of this name: a file below the folder, or a connection text.
const char *lab_db(char path[LAB_PATH_SIZE], const char *name);

// Removes it, with all that is in it.
void lab_remove_db(const char *name);

// Opens krow.db; the test fails if it cannot.
Database *lab_open(void);

// Begins a match of these rules with this spec.
int64_t lab_begin(Database *db, const char *rules, const char *spec);

// The same in a database of an older version, whose table of matches has fewer columns.
int64_t lab_begin_old(const char *path, const char *rules, const char *spec);

// While a database of an older version has the columns of games that it lacks, lab_add works on it.
void lab_lend_columns(const char *path, bool has_them);

// A random game of tic-tac-toe that depends on the seed alone. Close the record.
void lab_record(GameRecord *record, uint64_t seed);

// Adds the game whose seed is its number. Uses no test library, so threads and children can use it.
Status lab_add(Database *db, int64_t match, int64_t number, Error *error);

// The same with numbers of the agents' own: two of the first side and one of the second.
Status lab_add_counted(Database *db, int64_t match, int64_t number, Error *error);

// The games of a match are exactly those from 0 to count - 1, each with the stones of its number, and the database is
// whole. Returns their count.
int64_t lab_check_match(Database *db, int64_t match);

// How many games a walk with this filter meets.
unsigned lab_count(Database *db, const DatabaseFilter *filter);

// Imports the games of a text (at most 8), a batch each; that many must be new and that many known.
void lab_import(Database *db, const char *source, const char *text, uint64_t added, uint64_t known);

// Runs SQL on a database behind krow's back, and gives the first number of the first row.
int64_t lab_sql(const char *path, const char *sql);

// The version of its tables, changed behind krow's back, and whether it has a table.
int64_t lab_version(const char *path);
void lab_set_version(const char *path, int64_t version);
bool lab_has_table(const char *path, const char *name);

// Starts a child that writes int64_t numbers, each larger than the one before, to `report` until it is killed after so
// many seconds. Returns the last number it wrote, or -1. The child must not end by itself.
int64_t lab_kill(int (*child)(int report, void *context), void *context, double seconds);

// How often a test kills: $KROW_TEST_KILLS, or as often as it usually does.
int64_t lab_kills(int64_t usual);
