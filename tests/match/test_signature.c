// The functional signature of the engine: what its search finds in games of several kinds, as one number.
//
// A change that alters how the engine plays alters the number: write the new one here, and the result of a match into
// the message of the change. Any other change that alters it has a fault. It is the same on every machine, with every
// compiler and however much it optimises; a build for which it is not has found one, too.
#include "match/signature.h"
#include "support/check.h"

static const uint64_t RECORDED = UINT64_C(0xd1dd240d4238da01);

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
