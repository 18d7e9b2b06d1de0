// What the fuzz targets share. A target is one file with FUZZ_TARGET(name) { ... }, which gets `data` and `size`. It is
// built twice: with libFuzzer (FUZZ_LIBFUZZER), and together with all other targets into `replay`, which runs the
// corpora in the normal tests.
#pragma once

#include "base/text.h"
#include "game/game.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FUZZ_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#define FUZZ_TARGET(name) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#else
typedef struct FuzzTarget {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
    struct FuzzTarget *next; // in the list of all targets
} FuzzTarget;

void fuzz_target_add(FuzzTarget *target);

// The target adds itself to the list before main starts.
#define FUZZ_TARGET(target)                                                                                            \
    static int run_##target(const uint8_t *data, size_t size);                                                         \
    __attribute__((constructor)) static void add_##target(void)                                                        \
    {                                                                                                                  \
        static FuzzTarget entry = {#target, run_##target, NULL};                                                       \
        fuzz_target_add(&entry);                                                                                       \
    }                                                                                                                  \
    static int run_##target(const uint8_t *data, size_t size)
#endif

// A property of the target. Not assert: it must hold in builds without asserts too.
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { FUZZ_RULES = 10 };

// Cuts the first byte off and takes the rules it stands for, of a small list that has every kind of rule.
static inline Rules fuzz_rules(Span *text)
{
    static const char *const specs[FUZZ_RULES] = {
        "tictactoe",        "connect4",        "connect6", "5x4:k=3,p=2,q=3",
        "30x3:k=4,gravity", "64x2:k=5,exact",  "1x1:k=1",  "4x4:k=2,p=3,q=2,gravity,exact",
        "6x1:k=6,p=6,q=6",  "3x7:k=4,p=1,q=2",
    };
    unsigned which = text->length > 0 ? (unsigned char)text->at[0] : 0;
    if (text->length > 0)
        *text = (Span){text->at + 1, text->length - 1};
    Rules rules = {0};
    REQUIRE(rules_parse(span_of(specs[which % FUZZ_RULES]), &rules, NULL) == STATUS_OK);
    return rules;
}

// Nothing is written to the files of the user: their folder cannot exist.
static inline void fuzz_without_home(void)
{
    static const char *const variables[] = {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        REQUIRE(setenv(variables[i], "/dev/null/krow", 1) == 0);
}

// A refusal says so in words, and the same without a place for them.
static inline void require_refusal(Status status, const Error *error)
{
    REQUIRE(status == STATUS_BAD_INPUT && error->status == STATUS_BAD_INPUT);
    REQUIRE(error->text[0] != '\0' && strlen(error->text) < sizeof error->text);
}

static inline void require_same_board(const Board *a, const Board *b)
{
    REQUIRE(rules_equal(&a->rules, &b->rules));
    REQUIRE(a->state.turn == b->state.turn && a->state.stones_key == b->state.stones_key);
    REQUIRE(a->line_count == b->line_count && memcmp(a->line, b->line, a->line_count * sizeof a->line[0]) == 0);
}
