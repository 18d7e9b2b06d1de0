// The tables of the pattern board: what a code (four line patterns of a cell) means under the rules, and its weights.
#include "engine/eval/pattern_board_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// Facts about a code: the number of directions with each line pattern.
typedef struct {
    unsigned completing, open_fours, fours, open_threes; // for p = 1
    unsigned least;                                      // need of the best; UINT_MAX: all dead
    bool is_open_at_p;                                   // a pattern that needs p is open
} CodeFacts;

static CodeFacts code_facts(const LinePatterns *line_patterns, unsigned code)
{
    CodeFacts facts = {.least = UINT32_MAX};
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned number = code >> (4 * direction) & 15;
        if (number == LINE_PATTERN_DEAD || number >= line_patterns->count)
            continue;
        LinePattern line_pattern = line_patterns->kind[number];
        bool is_open = line_pattern.level >= LINE_PATTERN_LEVEL_OPEN;
        facts.least = line_pattern.need < facts.least ? line_pattern.need : facts.least;
        facts.completing += line_pattern.need == 0;
        facts.open_fours += line_pattern.need == 1 && is_open;
        facts.fours += line_pattern.need == 1 && !is_open;
        facts.open_threes += line_pattern.need == 2 && is_open;
        facts.is_open_at_p |= line_pattern.need == line_patterns->p && is_open;
    }
    return facts;
}

// For p = 1.
static CellPattern kind_of_single(const CodeFacts *facts)
{
    if (facts->completing > 0)
        return CELL_COMPLETES;
    if (facts->open_fours > 0 || facts->fours > 1)
        return CELL_OPEN_FOUR;
    if (facts->fours > 0)
        return facts->open_threes > 0 ? CELL_FOUR_THREE : CELL_FOUR;
    return facts->open_threes > 1 ? CELL_DOUBLE_THREE : facts->open_threes > 0 ? CELL_THREE : CELL_QUIET;
}

static CellPattern kind_of_code(const LinePatterns *line_patterns, unsigned code)
{
    CodeFacts facts = code_facts(line_patterns, code);
    if (line_patterns->p == 1)
        return kind_of_single(&facts);
    if (facts.least < line_patterns->p)
        return (CellPattern)(facts.least < CELL_LACKS_THREE ? facts.least : CELL_LACKS_THREE);
    if (facts.least > line_patterns->p)
        return CELL_QUIET;
    return facts.is_open_at_p ? CELL_OPEN_THREAT : CELL_THREAT;
}

static int64_t packed(CellPattern kind, int value)
{
    int64_t counters = kind < CELL_QUIET ? INT64_C(1) << (kind * PACKED_BITS) : 0;
    return counters + value * (INT64_C(1) << PACKED_VALUE);
}

static void fill_tables(PatternTables *tables, const Weights *weights)
{
    for (unsigned code = 0; code < PATTERN_BOARD_CODES; code++) {
        CellPattern kind = kind_of_code(&tables->line_patterns, code);
        unsigned number = weights_unordered(code);
        tables->kind[code] = (uint8_t)kind;
        tables->unordered[code] = (uint16_t)number;
        tables->adds[code] = packed(kind, weights->code[number]);
        tables->move[code] = weights->move[number].own;
        tables->block[code] = weights->move[number].block;
    }
    for (unsigned direction = 0; direction < 4; direction++)
        for (unsigned both = 0; both < 256; both++)
            tables->part[direction][both] = ((both & 15) | (both & 0xf0) << 12) << (4 * direction);
    memcpy(tables->situation, weights->situation, sizeof tables->situation);
}

Status pattern_tables_open(PatternTables **tables, const Rules *rules, const Weights *weights, Error *error)
{
    *tables = memory_aligned(64, (sizeof **tables + 63) / 64 * 64);
    if (*tables == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the pattern tables");
    memset(*tables, 0, sizeof **tables);
    Status status = line_patterns_open(&(*tables)->line_patterns, rules, error);
    if (status != STATUS_OK) {
        memory_aligned_free(*tables);
        *tables = NULL;
        return status;
    }
    Weights *found = memory_new(1, sizeof *found);
    if (weights == NULL)
        weights_find(found, &(*tables)->line_patterns, rules);
    fill_tables(*tables, weights != NULL ? weights : found);
    free(found);
    return STATUS_OK;
}

void pattern_tables_close(PatternTables *tables)
{
    if (tables != NULL)
        line_patterns_close(&tables->line_patterns);
    memory_aligned_free(tables);
}
