// Tests of whole files: written content can be read, and a failure leaves only the old file.
#include "base/file.h"
#include "store/paths.h"
#include "support/check.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

// A new folder for each test, removed afterwards.
static char folder[PATH_SIZE];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/krow-test-XXXXXX", base != NULL ? base : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[PATH_SIZE + 32];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT(cert-env33-c): the path is our own
}

// A path in the test's folder.
static const char *below(char path[2 * PATH_SIZE], const char *name)
{
    (void)snprintf(path, (size_t)2 * PATH_SIZE, "%s/%s", folder, name);
    return path;
}

// The number of files and folders in a folder.
static int entries(const char *path)
{
    DIR *open = opendir(path);
    assert_non_null(open);
    int count = -2; // . and ..
    while (readdir(open) != NULL)
        count++;
    (void)closedir(open);
    return count;
}

static void assert_content(const char *path, const char *expected, size_t length)
{
    Text text = {0};
    Error error = {0};
    assert_done(file_read(path, 1 << 20, &text, &error), error);
    assert_int_equal(text.length, length);
    assert_memory_equal(text.data, expected, length);
    assert_int_equal(text.data[length], '\0');
    text_close(&text);
}

static void test_write_then_read(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Error error = {0};
    below(path, "a");
    assert_done(file_write(path, span_of("old"), &error), error);
    assert_content(path, "old", 3);
    assert_done(file_write(path, (Span){"ne\0w\n", 5}, &error), error);
    assert_content(path, "ne\0w\n", 5);
    assert_done(file_write(path, (Span){0}, &error), error);
    assert_content(path, "", 0);
    assert_int_equal(entries(folder), 1);
}

static void test_large_files(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    char path[2 * PATH_SIZE], *content = malloc(SIZE);
    assert_non_null(content);
    for (int i = 0; i < SIZE; i++)
        content[i] = (char)('a' + i % 26);
    Error error = {0};
    assert_done(file_write(below(path, "large"), (Span){content, SIZE}, &error), error);
    assert_content(path, content, SIZE);
    Text text = {0};
    assert_done(file_read(path, SIZE, &text, &error), error);
    assert_refused(file_read(path, SIZE - 1, &text, &error), error, "is larger than 99999 bytes");
    assert_null(text.data);
    text_close(&text);
    free(content);
}

static void test_reading_what_is_not_there(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Text text = {0};
    text_add(&text, "before");
    Error error = {0};
    assert_failed(file_read(below(path, "none"), 100, &text, &error), STATUS_IO, error, "/none': No such file");
    assert_null(text.data);
    assert_failed(file_read(folder, 100, &text, &error), STATUS_IO, error, "Is a directory");
    assert_null(text.data);
}

static void test_writing_into_a_missing_folder(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Error error = {0};
    assert_failed(file_write(below(path, "none/a"), span_of("x"), &error), STATUS_IO, error, "/none/a': No such file");
    assert_int_equal(entries(folder), 0);
}

static void test_writing_over_a_folder(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Error error = {0};
    assert_int_equal(mkdir(below(path, "folder"), 0777), 0);
    assert_failed(file_write(path, span_of("x"), &error), STATUS_IO, error, "is not a regular file");
    assert_int_equal(entries(folder), 1);
    assert_int_equal(entries(path), 0);
}

static void test_devices_are_left_alone(void **state)
{
    (void)state;
    Error error = {0};
    assert_failed(file_write("/dev/null", span_of("x"), &error), STATUS_IO, error, "is not a regular file");
    struct stat device;
    assert_int_equal(stat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
}

static void test_names_that_cannot_be(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE], name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    Error error = {0};
    assert_failed(file_write(below(path, name), span_of("x"), &error), STATUS_IO, error, "name too long");
    assert_failed(file_write("", span_of("x"), &error), STATUS_IO, error, "cannot write ''");
    assert_int_equal(entries(folder), 0);
}

// A full disk, simulated with a file size limit: the old file must stay unchanged, without a partial new file.
static void test_a_write_that_fails_halfway(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE], content[8192];
    memset(content, 'c', sizeof content);
    Error error = {0};
    assert_done(file_write(below(path, "a"), span_of("old"), &error), error);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    Status status = file_write(path, (Span){content, sizeof content}, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_failed(status, STATUS_IO, error, "File too large");
    assert_content(path, "old", 3);
    assert_int_equal(entries(folder), 1);
}

static void test_temporary_names_that_are_taken(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE], name[64];
    (void)snprintf(name, sizeof name, "a.%ld-0.tmp", (long)getpid());
    Error error = {0};
    assert_done(file_write(below(path, name), span_of("mine"), &error), error);
    assert_done(file_write(below(path, "a"), span_of("new"), &error), error);
    assert_content(path, "new", 3);
    assert_content(below(path, name), "mine", 4);
    assert_int_equal(entries(folder), 2);
}

static void test_folders_are_made(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Error error = {0};
    assert_done(file_make_folder(below(path, "x/y/z"), &error), error);
    assert_int_equal(entries(path), 0);
    assert_done(file_make_folder(path, &error), error);
    assert_done(file_make_folder(below(path, "x/y/z/"), &error), error);
    assert_done(file_write(below(path, "file"), span_of("x"), &error), error);
    assert_failed(file_make_folder(below(path, "file/x"), &error), STATUS_IO, error, "cannot create the folder");
    assert_failed(file_make_folder(below(path, "file"), &error), STATUS_IO, error, "cannot create the folder");
}

static void test_whether_a_file_could_be_written(void **state)
{
    (void)state;
    char path[2 * PATH_SIZE];
    Error error = {0};
    assert_done(file_check_writable(below(path, "new"), &error), error);
    assert_int_equal(entries(folder), 0);
    assert_done(file_write(below(path, "old"), span_of("x"), &error), error);
    assert_done(file_check_writable(path, &error), error);
    assert_int_equal(entries(folder), 1);
    assert_failed(file_check_writable(below(path, "no/new"), &error), STATUS_IO, error, "cannot write");
    assert_failed(file_check_writable(folder, &error), STATUS_IO, error, "not a regular file");
}

static void test_places_of_data_and_state(void **state)
{
    (void)state;
    char expected[2 * PATH_SIZE];
    Text path = {0};
    Error error = {0};
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    assert_int_equal(setenv("XDG_STATE_HOME", "not/absolute", 1), 0);
    assert_int_equal(setenv("HOME", folder, 1), 0);
    assert_done(path_of(PATH_DATA, "krow.db", &path, &error), error);
    assert_string_equal(path.data, below(expected, "krow/krow.db"));
    assert_int_equal(entries(below(expected, "krow")), 0);
    assert_done(path_of(PATH_STATE, "history", &path, &error), error);
    assert_string_equal(path.data, below(expected, ".local/state/krow/history"));
    assert_int_equal(entries(below(expected, ".local/state/krow")), 0);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_failed(path_of(PATH_STATE, "history", &path, &error), STATUS_IO, error, "set XDG_STATE_HOME or HOME");
    text_close(&path);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

TEST_GROUP(file)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(test_write_then_read),
        IN_A_FOLDER(test_large_files),
        IN_A_FOLDER(test_reading_what_is_not_there),
        IN_A_FOLDER(test_writing_into_a_missing_folder),
        IN_A_FOLDER(test_writing_over_a_folder),
        IN_A_FOLDER(test_devices_are_left_alone),
        IN_A_FOLDER(test_names_that_cannot_be),
        IN_A_FOLDER(test_a_write_that_fails_halfway),
        IN_A_FOLDER(test_temporary_names_that_are_taken),
        IN_A_FOLDER(test_folders_are_made),
        IN_A_FOLDER(test_whether_a_file_could_be_written),
        IN_A_FOLDER(test_places_of_data_and_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
