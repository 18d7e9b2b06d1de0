// A test group is one file of unit tests. The groups of a folder are linked into one executable, which runs one of
// them: `tests_game board`. So each group has its own process, and Meson runs and reports groups separately.
#pragma once

typedef struct TestGroup {
    const char *name;
    int (*run)(void);       // the number of failed tests
    struct TestGroup *next; // in the list of all groups of the executable
} TestGroup;

void test_group_add(TestGroup *group);

// Defines a group, which adds itself to the list before main starts: TEST_GROUP(board) { ... return failures; }
#define TEST_GROUP(group)                                                                                              \
    static int run_##group(void);                                                                                      \
    __attribute__((constructor)) static void add_##group(void)                                                         \
    {                                                                                                                  \
        static TestGroup entry = {#group, run_##group, NULL};                                                          \
        test_group_add(&entry);                                                                                        \
    }                                                                                                                  \
    static int run_##group(void)
