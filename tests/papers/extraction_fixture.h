// What both tests of pattern extraction share: options, a search with its index of patterns, and known patterns.
#pragma once

#include "papers/patterns/extraction.h"
#include "support/check.h"

static const ExtractionOptions usual = {
    .base = 10,
    .branching = 6,
    .depth = 3,
    .factor = 2,
    .size_cost = 0.001,
    .decay = 0.99,
    .neglect = 1.5,
    .halves = true,
};

typedef struct {
    Extraction *search;
    PatternIndex *index;
    Rng rng;
} Fixture;

static inline Fixture open_fixture(const ExtractionOptions *options, const Rules *rules)
{
    Fixture fixture = {0};
    fixture.rng = rng_make(1);
    fixture.search = extraction_open(options, rules);
    fixture.index = pattern_index_open();
    return fixture;
}

static inline void close_fixture(Fixture *fixture)
{
    extraction_close(fixture->search);
    pattern_index_close(fixture->index);
}

static inline void know(Fixture *fixture, const char *text, unsigned tier)
{
    Pattern pattern;
    Error error = {0};
    assert_done(pattern_parse(span_of(text), tier, &pattern, &error), error);
    pattern_index_add(fixture->index, &pattern);
}
