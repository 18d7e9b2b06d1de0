#include "support/field_bench.h"

#include "support/check.h"

void field_bench_open(FieldBench *bench, const Rules *rules)
{
    Error error = {0};
    assert_done(field_tables_open(&bench->tables, rules, NULL, &error), error);
    assert_done(field_open(&bench->field, bench->tables, rules, &error), error);
}

void field_bench_close(FieldBench *bench)
{
    field_close(&bench->field);
    field_tables_close(bench->tables);
}

void give_turn(Board *board, Side side, unsigned left)
{
    uint64_t rest = board->state.turn & ~UINT64_C(0x10000ffff);
    board->state.turn = rest | (uint64_t)side << 32 | left;
}
