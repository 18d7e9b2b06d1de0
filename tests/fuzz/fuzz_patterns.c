// Sets of patterns as text. An accepted set is unchanged when written and read again, and its patterns are valid.
#include "fuzz/fuzz.h"
#include "store/files/patternfile.h"

static void require_same_text(const PatternSet *set)
{
    Text first = {0}, second = {0};
    PatternSet again = {0};
    patternfile_write(set, &first);
    REQUIRE(patternfile_read((Span){first.data, first.length}, &again, NULL) == STATUS_OK);
    patternfile_write(&again, &second);
    REQUIRE(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    text_close(&first);
    text_close(&second);
    pattern_set_close(&again);
}

// Turning changes neither cells nor marks, and the picture that stands for all is the same from each.
static void require_good(const Pattern *pattern)
{
    Pattern versions[PATTERN_VERSIONS_MAX], canonical, again;
    REQUIRE(pattern_is_good(pattern));
    pattern_canonical(pattern, &canonical);
    unsigned count = pattern_versions(pattern, versions);
    for (unsigned i = 0; i < count; i++) {
        REQUIRE(pattern_is_good(&versions[i]));
        REQUIRE(versions[i].count == pattern->count && versions[i].own == pattern->own);
        pattern_canonical(&versions[i], &again);
        REQUIRE(pattern_equal(&canonical, &again));
    }
}

FUZZ_TARGET(patterns)
{
    PatternSet set = {0};
    Error error = {0};
    Status status = patternfile_read((Span){(const char *)data, size}, &set, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
    } else {
        require_same_text(&set);
        for (size_t i = 0; i < set.count && i < 100; i++)
            require_good(&set.patterns[i]);
    }
    pattern_set_close(&set);
    return 0;
}
