// Tests of connection strings: which are valid, and that passwords are never shown.
#include "store/db/connection.h"
#include "store/db/database.h"
#include "support/check.h"

#include <string.h>

static void test_which_texts(void **state)
{
    (void)state;
    const char *const texts[] = {
        "postgresql://host/name", "postgres://",          "postgresql:whatever", "host=lab dbname=krow",
        "dbname = krow",          "hots=lab dbname=krow", "service=lab",         "dbname='a b' user=x"};
    const char *const files[] = {
        "krow.db", "/tmp/host=lab/krow.db", "./dbname=krow", "a=b.db", "", "none", "postgres", "mydbname=x"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_true(connection_is_text(texts[i]));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        assert_false(connection_is_text(files[i]));
}

static void assert_shown(const char *where, const char *expected)
{
    Text shown = {0};
    Error error = {0};
    assert_done(connection_show(where, &shown, &error), error);
    assert_string_equal(shown.data, expected);
    text_close(&shown);
}

static void test_what_is_shown(void **state)
{
    (void)state;
    assert_shown("postgresql://", "postgresql://");
    assert_shown("postgresql://me@lab:7777/krow", "user=me dbname=krow host=lab port=7777");
    assert_shown("postgresql://me:secret@lab/krow", "user=me dbname=krow host=lab");
    assert_shown("postgresql://lab/krow?password=secret&sslpassword=secret", "dbname=krow host=lab");
    assert_shown("host=lab password='sec ret' dbname=its", "dbname=its host=lab");
    assert_shown("dbname='a b\\\\c\\'d'", "dbname='a b\\\\c\\'d'");
    assert_int_equal(connection_secret("host=lab dbname=x"), SECRET_NONE);
    assert_int_equal(connection_secret("host=lab password=x"), SECRET_CERTAIN);
    assert_int_equal(connection_secret("postgresql://u:x@lab"), SECRET_CERTAIN);
    assert_int_equal(connection_secret("host=lab passwort"), SECRET_POSSIBLE);
}

// Texts that are wrong in every place: the database is not opened, and the error does not say the secret.
static void test_wrong_texts(void **state)
{
    (void)state;
    const char *const texts[] = {"postgresql://me:geheim%ZZ@lab/krow",
                                 "postgresql://me:ge@heim@lab/krow",
                                 "postgresql://me:x@geheim:geheim/krow",
                                 "postgresql:geheim",
                                 "host=lab password geheim",
                                 "host=lab password='geheim",
                                 "host=lab geheim",
                                 "postgresql://lab/krow?geheim",
                                 "postgresql://lab/krow?password=geheim%0",
                                 "postgresql://[geheim/krow",
                                 "host=lab password=geheim port=x dbname=",
                                 "host=lab pasword=geheim",
                                 "postgresql://lab/krow?pasword=geheim",
                                 "postgresql://me:geheim@127.0.0.1:1/krow",
                                 "host=/nowhere dbname=krow password=geheim",
                                 "service=nowhere password=geheim"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Database *db = NULL;
        Error error = {0};
        assert_true(connection_is_text(texts[i]));
        assert_true(database_open(texts[i], &db, &error) != STATUS_OK);
        assert_null(db);
        assert_true(error.text[0] != '\0');
        const char *reported = strstr(error.text, "heim");
        // A host is no secret.
        if (reported != NULL && strstr(texts[i], "x@geheim") == NULL)
            fail_msg("'%s' is reported: %s", texts[i], error.text);
        error = (Error){0};
        assert_true(database_open_to_read(texts[i], &db, &error) != STATUS_OK);
        assert_null(db);
    }
    Database *db = NULL;
    Error error = {0};
    assert_refused(database_open("host=lab prot=5432", &db, &error), error, "\"prot\"");
    assert_failed(database_open("host=/nowhere dbname=krow", &db, &error), STATUS_IO, error, "cannot open");
}

TEST_GROUP(connection)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_texts),
        cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_wrong_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
