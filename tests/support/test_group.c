// The main function of every executable with unit tests: runs the group named by its argument.
#include "support/test_group.h"

#include <stdio.h>
#include <string.h>

static TestGroup *groups;

void test_group_add(TestGroup *group)
{
    group->next = groups;
    groups = group;
}

int main(int argc, char **argv)
{
    for (const TestGroup *group = groups; group != NULL; group = group->next)
        if (argc == 2 && strcmp(group->name, argv[1]) == 0)
            return group->run();
    (void)fprintf(stderr, "usage: %s GROUP, one of:\n", argv[0]);
    for (const TestGroup *group = groups; group != NULL; group = group->next)
        (void)fprintf(stderr, "  %s\n", group->name);
    return 2;
}
