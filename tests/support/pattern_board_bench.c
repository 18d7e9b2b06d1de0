#include "support/pattern_board_bench.h"

#include "support/check.h"

void pattern_board_bench_open(PatternBoardBench *bench, const Rules *rules)
{
    Error error = {0};
    assert_done(pattern_tables_open(&bench->tables, rules, NULL, &error), error);
    pattern_board_open(&bench->patterns, bench->tables, rules);
}

void pattern_board_bench_close(PatternBoardBench *bench)
{
    pattern_board_close(&bench->patterns);
    pattern_tables_close(bench->tables);
}

void give_turn(Board *board, Side side, unsigned left)
{
    uint64_t rest = board->state.turn & ~UINT64_C(0x10000ffff);
    board->state.turn = rest | (uint64_t)side << 32 | left;
}
