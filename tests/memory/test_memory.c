// Memory that runs out: each call runs in a child process with its n-th allocation failing, for every n. A failed small
// allocation ends the child with "krow: out of memory" and status 1; a large one is refused with STATUS_NO_MEMORY
// (docs/adr/0013-memory.md). Nothing else may happen, and what the child has stored must be whole. The linker replaces
// malloc and its relatives by the functions below (--wrap).
#include "agents/agent.h"
#include "agents/book/book_graph.h"
#include "base/file.h"
#include "base/memory.h"
#include "papers/connect5/forcing.h"
#include "papers/connect5/threes.h"
#include "papers/kagami/threat_space.h"
#include "papers/patterns/pattern_index.h"
#include "papers/patterns/pattern_proof.h"
#include "store/db/database_patterns.h"
#include "store/files/bookfile.h"
#include "store/files/gamefile.h"
#include "store/files/patternfile.h"
#include "support/lab.h"
#include "threats/search/double_threat.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LARGE = 8 << 20, // bytes from which on an allocation must be refused instead of ending the program
    EXIT_DONE = 40,  // the call succeeded
    EXIT_REFUSED,    // the call returned STATUS_NO_MEMORY
    EXIT_WRONG,      // it returned something else
    OUTPUT_SIZE = 4096
};

// What the child reports, in memory that both processes share.
typedef struct {
    unsigned long allocations;
    size_t failed_size; // of the allocation that failed; 0: none did
} Report;

static Report *report;        // NULL: allocations are not counted
static unsigned long fail_at; // 0: no allocation fails

static bool fails(size_t size)
{
    if (report == NULL || fail_at == 0 || ++report->allocations != fail_at)
        return false;
    report->failed_size = size;
    return true;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the linker's
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(count * size) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails(size) ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return fails(count * size) ? NULL : __real_reallocarray(old, count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails(size) ? NULL : __real_aligned_alloc(alignment, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// --- One call in a child process ---

typedef Status (*Call)(const void *context, Error *error);

static _Noreturn void run_child(Call call, const void *context, unsigned long n, int output)
{
    (void)dup2(output, STDERR_FILENO);
    (void)dup2(output, STDOUT_FILENO);
    Error error = {0};
    fail_at = n;
    Status status = call(context, &error);
    fail_at = 0;
    if (status != STATUS_OK && status != STATUS_NO_MEMORY)
        (void)fprintf(stderr, "status %d: %s\n", (int)status, error.text);
    // Not _exit: the address sanitizer looks for memory that was not released.
    exit(status == STATUS_OK ? EXIT_DONE : status == STATUS_NO_MEMORY ? EXIT_REFUSED : EXIT_WRONG);
}

// Runs the call with the n-th allocation failing and checks how it ends. False when there was no n-th allocation.
static bool fail_once(Call call, const void *context, unsigned long n)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)fflush(stdout);
    *report = (Report){0};
    pid_t child = fork();
    if (child == 0)
        run_child(call, context, n, ends[1]);
    assert_true(child > 0);
    assert_int_equal(close(ends[1]), 0);
    char output[OUTPUT_SIZE];
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length<sizeof output - 1; length += got> 0 ? (size_t)got : 0)
        got = read(ends[0], output + length, sizeof output - 1 - length);
    output[length] = '\0';
    assert_int_equal(close(ends[0]), 0);
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);

    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    bool aborted = code == 1 && strcmp(output, "krow: out of memory\n") == 0;
    bool refused = code == EXIT_REFUSED && length == 0;
    size_t failed = report->failed_size;
    bool right = failed == 0 ? code == EXIT_DONE && length == 0 : failed < LARGE ? aborted || refused : refused;
    if (!right)
        fail_msg("allocation %lu of %zu bytes fails: wait status 0x%x, output: %s", n, failed, (unsigned)ended, output);
    return failed > 0;
}

// Runs the call with the first, second, ... allocation failing, until all succeed. `check` looks at what was stored
// after each run.
static void fail_each(Call call, const void *context, void (*check)(const void *context, bool done))
{
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(report != MAP_FAILED);
    bool failed = true;
    for (unsigned long n = 1; failed; n++) {
        failed = fail_once(call, context, n);
        if (check != NULL)
            check(context, !failed);
        assert_true(failed || n > 1); // a call that needs no memory tests nothing
    }
    assert_int_equal(munmap(report, sizeof *report), 0);
    report = NULL;
}

// --- Small things ---

static Status make_small_things(const void *context, Error *error)
{
    (void)context;
    (void)error;
    size_t capacity = 0;
    free(memory_new(3, 5));
    free(memory_malloc(7));
    free(memory_copy("abc", 2));
    free(memory_copy_text("abc"));
    free(memory_resize(memory_new(1, 8), 100, 8));
    free(array_grow(array_grow(NULL, &capacity, 1, 4), &capacity, 100, 4));
    return STATUS_OK;
}

// Every function of memory.h ends the program; none returns a null pointer.
static void test_small_allocations(void **state)
{
    (void)state;
    fail_each(make_small_things, NULL, NULL);
}

static Status add_words(const void *context, Error *error)
{
    (void)context;
    (void)error;
    Text text = {0};
    for (int i = 0; i < 100; i++)
        text_add(&text, "%d words ", i);
    text_add_span(&text, span_of("and more"));
    Status status = strlen(text.data) == text.length ? STATUS_OK : STATUS_BAD_INPUT;
    text_close(&text);
    return status;
}

static void test_texts(void **state)
{
    (void)state;
    fail_each(add_words, NULL, NULL);
}

// As the program sets jansson up: no JSON lacks a part without anyone noticing.
static Status build_json(const void *context, Error *error)
{
    (void)context;
    (void)error;
    json_set_alloc_funcs(memory_malloc, free);
    json_t *json = json_array();
    for (int i = 0; i < 20; i++)
        json_array_append_new(json, json_pack("{s:i, s:s}", "number", i, "text", "words"));
    char *text = json_dumps(json, JSON_COMPACT);
    Status status = json_array_size(json) == 20 && text != NULL ? STATUS_OK : STATUS_BAD_INPUT;
    free(text);
    json_decref(json);
    return status;
}

static void test_json(void **state)
{
    (void)state;
    fail_each(build_json, NULL, NULL);
}

// --- Agents and searches ---

static Status open_agent(const void *context, Error *error)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};
    Agent agent;
    Status status = agent_open(&agent, span_of(context), &rules, error);
    agent_close(&agent);
    return status;
}

static void test_agents(void **state)
{
    (void)state;
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};
    unsigned opened = 0;
    for (int k = 0; k < agent_kind_count; k++) {
        char text[64];
        if (!agent_plays_alone(agent_kinds[k], &rules) || agent_kinds[k]->open == NULL)
            continue;
        (void)snprintf(text, sizeof text, "%s%s", agent_kinds[k]->name,
                       agent_kinds[k]->rate != NULL ? ":depth=2,table=16" : "");
        fail_each(open_agent, text, NULL);
        opened++;
    }
    assert_true(opened > 5);
}

static const Rules two_stones = {.width = 6, .height = 5, .k = 4, .p = 2, .q = 1};
static const Rules one_stone = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};

static Status open_double_threat(const void *context, Error *error)
{
    (void)context;
    DoubleThreat *search = NULL;
    Status status = double_threat_open(&search, &two_stones, 1000, error);
    bool right = (status == STATUS_OK) == (search != NULL);
    double_threat_close(search);
    return right ? status : STATUS_BAD_INPUT;
}

static void test_double_threat(void **state)
{
    (void)state;
    fail_each(open_double_threat, NULL, NULL);
}

static Status open_threat_space(const void *context, Error *error)
{
    (void)context;
    ThreatSpace *search = NULL;
    Status status = threat_space_open(&search, &two_stones, error);
    bool right = (status == STATUS_OK) == (search != NULL);
    threat_space_close(search);
    return right ? status : STATUS_BAD_INPUT;
}

static void test_threat_space(void **state)
{
    (void)state;
    fail_each(open_threat_space, NULL, NULL);
}

static Status open_forcing(const void *context, Error *error)
{
    (void)context;
    (void)error;
    forcing_close(forcing_open(&one_stone, 10));
    return STATUS_OK;
}

static Status open_threes(const void *context, Error *error)
{
    (void)context;
    Threes *threes = NULL;
    Status status = threes_open(&threes, &one_stone, 1000, error);
    bool right = (status == STATUS_OK) == (threes != NULL);
    threes_close(threes);
    return right ? status : STATUS_BAD_INPUT;
}

static void test_forcing(void **state)
{
    (void)state;
    fail_each(open_forcing, NULL, NULL);
    fail_each(open_threes, NULL, NULL);
}

static Status open_pattern_proof(const void *context, Error *error)
{
    (void)context;
    (void)error;
    pattern_proof_close(pattern_proof_open(&one_stone));
    return STATUS_OK;
}

static Status add_patterns(const void *context, Error *error)
{
    (void)context;
    static const char *const texts[] = {"xxxxx", ".xxxx.", "-xx../x----/x----", "x-x-x/.-.-./x-x-x"};
    PatternIndex *index = pattern_index_open();
    bool right = true;
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 4 && status == STATUS_OK; i++) {
        Pattern pattern;
        status = pattern_parse(span_of(texts[i]), 1, &pattern, error);
        pattern_index_add(index, &pattern);
        right = right && pattern_index_count(index) == i + 1 && pattern_index_has_part(index, &pattern);
    }
    pattern_index_close(index);
    return right ? status : STATUS_BAD_INPUT;
}

static void test_patterns(void **state)
{
    (void)state;
    fail_each(open_pattern_proof, NULL, NULL);
    fail_each(add_patterns, NULL, NULL);
}

// --- Files ---

static char folder[32], path[64];
static GameFile old_file, file;

static Status save(const void *context, Error *error)
{
    (void)context;
    return gamefile_save(&file, path, error);
}

// The file has its old content or the new one.
static void check_saved(const void *context, bool done)
{
    (void)context;
    static GameFile loaded;
    Error error = {0};
    assert_done(gamefile_load(path, &loaded, &error), error);
    bool is_new = loaded.game.played == file.game.played;
    assert_true(is_new || !done);
    assert_same_board(&loaded.game.board, is_new ? &file.game.board : &old_file.game.board);
    assert_done(gamefile_save(&old_file, path, &error), error);
}

static Status load(const void *context, Error *error)
{
    (void)context;
    static GameFile loaded;
    Status status = gamefile_load(path, &loaded, error);
    bool right = status != STATUS_OK || loaded.game.played == file.game.played;
    return right ? status : STATUS_BAD_INPUT;
}

static void set_up_file(const char *drawing)
{
    Game game;
    begin_game(&game, "6x5:k=4");
    if (drawing != NULL)
        read_drawing(&game, "6x5:k=4", drawing);
    gamefile_init(&old_file, &game);
    play_text(&game, "a1 b1 c1");
    gamefile_init(&file, &game);
    (void)snprintf(folder, sizeof folder, "/tmp/krow-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/game", folder);
}

static void save_and_load(const char *drawing)
{
    Error error = {0};
    set_up_file(drawing);
    assert_done(gamefile_save(&old_file, path, &error), error);
    fail_each(save, NULL, check_saved);
    assert_done(gamefile_save(&file, path, &error), error);
    fail_each(load, NULL, NULL);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_game_files(void **state)
{
    (void)state;
    save_and_load(NULL);
}

static void test_game_files_with_a_drawing(void **state)
{
    (void)state;
    save_and_load("......\n......\n......\n..XXX.\n...OOO\nturn O 1\n");
}

// --- Books and patterns ---

// A book from some games, written and read again.
static Status build_book(const void *context, Error *error)
{
    (void)context;
    BookGraph graph = {.spec = {.name = "a", .encoding = ENCODING_RELATIVE, .symmetric = true, .turns = 8}};
    BookGraph again = {0};
    Text text = {0};
    graph.spec.rules = (Rules){.width = 19, .height = 19, .k = 6, .p = 1, .q = 1};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 80 && status == STATUS_OK; i++) {
        const Cell stones[] = {0,   (Cell)(64 + i % 18), (Cell)(1 + i % 17), (Cell)(128 + i % 13),
                               320, (Cell)(384 + i % 11)};
        status = book_graph_add(&graph, stones, 6, (BookCounts){1, 0, 0}, error);
    }
    book_graph_sort(&graph);
    if (status == STATUS_OK) {
        bookfile_write(&graph, &text);
        status = bookfile_read((Span){text.data, text.length}, &again, error);
    }
    if (status == STATUS_OK && !(again.node_count == graph.node_count && again.node_count > 256))
        status = STATUS_BAD_INPUT;
    book_graph_close(&graph);
    book_graph_close(&again);
    text_close(&text);
    return status;
}

static void test_books(void **state)
{
    (void)state;
    fail_each(build_book, NULL, NULL);
}

static bool count_pattern(void *context, const DatabasePattern *pattern)
{
    (void)pattern;
    ++*(unsigned *)context;
    return true;
}

static const Rules learned_rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};

// Patterns written, read, and learned into a database.
static Status keep_patterns(const void *context, Error *error)
{
    PatternSet set = {.name = "a", .rules = learned_rules}, again = {0};
    Database *db = NULL;
    Text text = {0};
    uint64_t kept = 0;
    for (unsigned i = 0; i < 100; i++) {
        Pattern pattern = {.count = 2, .own = 2, .width = (uint8_t)(2 + i % 10), .height = (uint8_t)(2 + i / 10)};
        pattern.cell[0] = (PatternCell){0, 0, true};
        pattern.cell[1] = (PatternCell){(uint8_t)(pattern.width - 1), (uint8_t)(pattern.height - 1), true};
        pattern_set_add(&set, &pattern);
    }
    patternfile_write(&set, &text);
    Status status = patternfile_read((Span){text.data, text.length}, &again, error);
    if (status == STATUS_OK)
        status = database_open(context, &db, error);
    if (status == STATUS_OK)
        status = database_learn_patterns(db, &(DatabaseLearned){"a", &again.rules, again.patterns, again.count, 1},
                                         &kept, error);
    database_close(db);
    pattern_set_close(&set);
    pattern_set_close(&again);
    text_close(&text);
    return status;
}

// The database can be opened and has all patterns or none.
static void check_patterns(const void *context, bool done)
{
    Database *db = NULL;
    Error error = {0};
    unsigned counted = 0;
    assert_done(database_open(context, &db, &error), error);
    assert_done(
        database_each_pattern(db, &(AgentPatternRange){"a", &learned_rules, 0}, count_pattern, &counted, &error),
        error);
    if (done)
        assert_int_equal(counted, 55); // a pattern and its mirror image are one
    else
        assert_true(counted == 0 || counted == 55);
    database_close(db);
    assert_int_equal(unlink(context), 0);
}

static void test_pattern_store(void **state)
{
    (void)state;
    char db[LAB_PATH_SIZE];
    fail_each(keep_patterns, lab_path(db, "krow.db"), check_patterns);
}

TEST_GROUP(memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_allocations),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_agents),
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_double_threat),
        cmocka_unit_test(test_threat_space),
        cmocka_unit_test(test_forcing),
        cmocka_unit_test(test_game_files),
        cmocka_unit_test(test_game_files_with_a_drawing),
        cmocka_unit_test(test_patterns),
        LAB_TEST(test_pattern_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
