// Memory that runs out: the n-th allocation fails, for every n. Each call must say so or not need it, and leave nothing
// half done. The linker puts the functions below in the place of the library's (--wrap).
#include "agents/agent.h"
#include "analysis/book_graph.h"
#include "analysis/pattern_index.h"
#include "base/file.h"
#include "search/double_threat.h"
#include "search/forcing.h"
#include "search/pattern_proof.h"
#include "search/threat_space.h"
#include "search/threes.h"
#include "store/bookfile.h"
#include "store/database_patterns.h"
#include "store/gamefile.h"
#include "store/patternfile.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long fail_at; // 0: never
static unsigned long allocations;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the linker's
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return ++allocations == fail_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return ++allocations == fail_at ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return ++allocations == fail_at ? NULL : __real_realloc(old, size);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// Runs `call` with the first, second, … allocation failing, until one is not reached any more.
static void fail_each(void (*call)(bool failing))
{
    for (unsigned long n = 1; n < 1000; n++) {
        allocations = 0;
        fail_at = n;
        call(true);
        fail_at = 0;
        if (allocations < n)
            break;
    }
    call(false);
}

static void add_words(bool failing)
{
    Text text = {0};
    for (int i = 0; i < 100; i++)
        text_add(&text, "%d words ", i);
    text_add_span(&text, span_of("and more"));
    bool failed = allocations >= fail_at && failing;
    fail_at = 0;
    assert_int_equal(text.failed, failed);
    if (!failed)
        assert_int_equal(strlen(text.data), text.length);
    text_close(&text);
}

static void test_texts(void **state)
{
    (void)state;
    fail_each(add_words);
}

static void open_agents(bool failing)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};
    for (int k = 0; k < agent_kind_count; k++) {
        Agent agent;
        Error error = {0};
        if (!agent_plays_alone(agent_kinds[k], &rules))
            continue;
        char text[64];
        (void)snprintf(text, sizeof text, "%s%s", agent_kinds[k]->name,
                       agent_kinds[k]->rate != NULL ? ":depth=2,table=1" : "");
        Status status = agent_open(&agent, span_of(text), &rules, &error);
        assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY));
        agent_close(&agent);
    }
}

static void test_agents(void **state)
{
    (void)state;
    fail_each(open_agents);
}

static void open_double_threat(bool failing)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 2, .q = 1};
    DoubleThreat *search = NULL;
    Error error = {0};
    Status status = double_threat_open(&search, &rules, 1000, &error);
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY && search == NULL));
    double_threat_close(search);
}

static void test_double_threat(void **state)
{
    (void)state;
    fail_each(open_double_threat);
}

static void open_threat_space(bool failing)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 2, .q = 1};
    ThreatSpace *search = NULL;
    Error error = {0};
    Status status = threat_space_open(&search, &rules, &error);
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY && search == NULL));
    threat_space_close(search);
}

static void test_threat_space(void **state)
{
    (void)state;
    fail_each(open_threat_space);
}

static void open_pattern_proof(bool failing)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};
    PatternProof *proof = NULL;
    Error error = {0};
    Status status = pattern_proof_open(&proof, &rules, &error);
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY && proof == NULL));
    pattern_proof_close(proof);
}

// A pattern that cannot be added leaves the others as they are.
static void add_patterns(bool failing)
{
    static const char *const texts[] = {"xxxxx", ".xxxx.", "-xx../x----/x----", "x-x-x/.-.-./x-x-x"};
    PatternIndex *index = NULL;
    Error error = {0};
    Status status = pattern_index_open(&index, &error);
    for (unsigned i = 0; i < 4 && status == STATUS_OK; i++) {
        Pattern pattern;
        assert_done(pattern_parse(span_of(texts[i]), 1, &pattern, &error), error);
        status = pattern_index_add(index, &pattern, &error);
        assert_int_equal(pattern_index_count(index), status == STATUS_OK ? i + 1 : i);
        assert_int_equal(pattern_index_has_part(index, &pattern), status == STATUS_OK);
    }
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY));
    pattern_index_close(index);
}

static void test_patterns(void **state)
{
    (void)state;
    fail_each(open_pattern_proof);
    fail_each(add_patterns);
}

static void open_forcing(bool failing)
{
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 1, .q = 1};
    Forcing *forcing = NULL;
    Threes *threes = NULL;
    Error error = {0};
    Status status = forcing_open(&forcing, &rules, 10, &error);
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY && forcing == NULL));
    status = threes_open(&threes, &rules, 1000, &error);
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY && threes == NULL));
    forcing_close(forcing);
    threes_close(threes);
}

static void test_forcing(void **state)
{
    (void)state;
    fail_each(open_forcing);
}

static char folder[32], path[64];
static GameFile file;

// The file is there as it should be, or not at all.
static void save_and_load(bool failing)
{
    static GameFile loaded;
    Error error = {0};
    (void)unlink(path);
    Status status = gamefile_save(&file, path, &error);
    fail_at = 0;
    if (status != STATUS_OK) {
        assert_true(failing && status == STATUS_NO_MEMORY);
        assert_int_not_equal(access(path, F_OK), 0);
        return;
    }
    assert_done(gamefile_load(path, &loaded, &error), error);
    assert_same_board(&loaded.game.board, &file.game.board);
}

static void only_load(bool failing)
{
    static GameFile loaded;
    Error error = {0};
    Status status = gamefile_load(path, &loaded, &error);
    fail_at = 0;
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY));
    if (status == STATUS_OK)
        assert_same_board(&loaded.game.board, &file.game.board);
}

static void set_up_file(const char *drawing)
{
    Game game;
    begin_game(&game, "6x5:k=4");
    if (drawing != NULL)
        read_drawing(&game, "6x5:k=4", drawing);
    play_text(&game, "a1 b1 c1");
    gamefile_init(&file, &game);
    (void)snprintf(folder, sizeof folder, "/tmp/krow-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/game", folder);
}

static void remove_file(void)
{
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_game_files(void **state)
{
    (void)state;
    set_up_file(NULL);
    fail_each(save_and_load);
    fail_each(only_load);
    remove_file();
}

static void test_game_files_with_a_drawing(void **state)
{
    (void)state;
    set_up_file("......\n......\n......\n..XXX.\n...OOO\nturn O 1\n");
    fail_each(save_and_load);
    fail_each(only_load);
    remove_file();
}

// A book from some games, written and read again: at each step it is there, or says that there is no memory.
static void build_book(bool failing)
{
    BookGraph graph = {.spec = {.name = "a", .encoding = ENCODING_RELATIVE, .symmetric = true, .turns = 8}};
    BookGraph again = {0};
    Text text = {0};
    Error error = {0};
    graph.spec.rules = (Rules){.width = 19, .height = 19, .k = 6, .p = 1, .q = 1};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 80 && status == STATUS_OK; i++) {
        const Cell stones[] = {0,   (Cell)(64 + i % 18), (Cell)(1 + i % 17), (Cell)(128 + i % 13),
                               320, (Cell)(384 + i % 11)};
        status = book_graph_add(&graph, stones, 6, (BookCounts){1, 0, 0}, &error);
    }
    if (status == STATUS_OK)
        status = book_graph_sort(&graph, &error);
    if (status == STATUS_OK) {
        bookfile_write(&graph, &text);
        status = text.failed ? STATUS_NO_MEMORY : bookfile_read((Span){text.data, text.length}, &again, &error);
    }
    fail_at = 0;
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY));
    if (status == STATUS_OK)
        assert_true(again.node_count == graph.node_count && again.node_count > 256);
    book_graph_close(&graph);
    book_graph_close(&again);
    text_close(&text);
}

static void test_books(void **state)
{
    (void)state;
    fail_each(build_book);
}

static bool count_pattern(void *context, const DatabasePattern *pattern)
{
    (void)pattern;
    ++*(unsigned *)context;
    return true;
}

// Patterns written, read, and learned into a database that is only in memory: all of them or none.
static void keep_patterns(bool failing)
{
    PatternSet set = {.name = "a"}, again = {0};
    Database *db = NULL;
    Text text = {0};
    Error error = {0};
    unsigned counted = 0;
    uint64_t kept = 0;
    set.rules = (Rules){.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 100 && status == STATUS_OK; i++) {
        Pattern pattern = {.count = 2, .own = 2, .width = (uint8_t)(2 + i % 10), .height = (uint8_t)(2 + i / 10)};
        pattern.cell[0] = (PatternCell){0, 0, true};
        pattern.cell[1] = (PatternCell){(uint8_t)(pattern.width - 1), (uint8_t)(pattern.height - 1), true};
        status = pattern_set_add(&set, &pattern, &error);
    }
    if (status == STATUS_OK) {
        patternfile_write(&set, &text);
        status = text.failed ? STATUS_NO_MEMORY : patternfile_read((Span){text.data, text.length}, &again, &error);
    }
    if (status == STATUS_OK)
        status = database_open(":memory:", &db, &error);
    if (status == STATUS_OK)
        status = database_learn_patterns(db, "a", &again.rules, again.patterns, again.count, 1, &kept, &error);
    fail_at = 0;
    assert_true(status == STATUS_OK || (failing && status == STATUS_NO_MEMORY));
    if (db != NULL)
        assert_done(database_each_pattern(db, "a", &set.rules, 0, count_pattern, &counted, &error), error);
    assert_int_equal(counted, status == STATUS_OK ? 55 : 0); // a pattern and its mirror image are one
    assert_int_equal(kept, counted);
    database_close(db);
    pattern_set_close(&set);
    pattern_set_close(&again);
    text_close(&text);
}

static void test_pattern_store(void **state)
{
    (void)state;
    fail_each(keep_patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_agents),
        cmocka_unit_test(test_books),        cmocka_unit_test(test_double_threat),
        cmocka_unit_test(test_threat_space), cmocka_unit_test(test_forcing),
        cmocka_unit_test(test_game_files),   cmocka_unit_test(test_game_files_with_a_drawing),
        cmocka_unit_test(test_patterns),     cmocka_unit_test(test_pattern_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
