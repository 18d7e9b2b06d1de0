// Reports the accuracy of the threat table of Liu and Lin as benchmark results.
#include "bench/papers/bench_line_keys.h"

#include "papers/kagami/line_keys_agreement.h"

#include <stdio.h>

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

unsigned bench_line_keys(double seconds, const atomic_bool *stop, BenchResult results[BENCH_LINE_KEYS_RESULTS])
{
    static const char *const names[LINE_CASES] = {"apart", "opposed", "near", "middle", "far"};
    LineKeysAgreement cases[LINE_CASES], all = {0};
    Rules rules;
    (void)seconds;
    (void)rules_parse(span_of("connect6"), &rules, NULL);
    if ((stop != NULL && atomic_load(stop)) || line_keys_agree(&rules, 2000, 200, cases, NULL) != STATUS_OK)
        return 0;
    for (unsigned i = 0; i < LINE_CASES; i++) {
        results[i] = (BenchResult){.value = percent(line_keys_same(&cases[i]), cases[i].turns),
                                   .unit = "%",
                                   .about = "turns whose threats by the table are the exact number"};
        (void)snprintf(results[i].name, sizeof results[i].name, "pattern/%s", names[i]);
        line_keys_add(&all, &cases[i]);
    }
    results[LINE_CASES] = (BenchResult){.name = "pattern/kind",
                                        .value = percent(line_keys_same_kind(&all), all.turns),
                                        .unit = "%",
                                        .about = "turns rightly taken for less than two, two or more threats"};
    results[LINE_CASES + 1] = (BenchResult){.name = "pattern/too_high",
                                            .value = percent(line_keys_too_high(&all), all.turns),
                                            .unit = "%",
                                            .about = "turns taken for more than they are"};
    return BENCH_LINE_KEYS_RESULTS;
}
