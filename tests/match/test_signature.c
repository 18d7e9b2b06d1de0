// The functional signature of the engine: one number that depends on the search results in several kinds of games.
//
// A change of the engine's play changes the number: write the new number here, and the result of a match in the commit
// message. If any other change alters it, the change has a bug. The number is the same on every machine, with every
// compiler and optimisation level; a different number in a build also indicates a bug.
#include "match/signature.h"
#include "support/check.h"

static const uint64_t RECORDED = UINT64_C(0x409d45e69fdafb36);

static void test_signature(void **state)
{
    (void)state;
    uint64_t found = signature_engine();
    if (found != RECORDED)
        print_error("the signature is 0x%016llx\n", (unsigned long long)found);
    assert_true(found == RECORDED);
}

TEST_GROUP(signature)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
