// Reading the positions of games (engine/train/train_positions.h).
#include "engine/train/train_positions.h"

#include "base/memory.h"
#include "engine/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Families ---

Status train_family_open(TrainFamily *family, const Rules *rules, Error *error)
{
    *family = (TrainFamily){.rules = *rules};
    Status status = network_shapes_open(&family->shapes, rules, error);
    if (status == STATUS_OK)
        status = pattern_tables_open(&family->tables, rules, NULL, error);
    if (status != STATUS_OK)
        return status;
    const NetworkShapes *shapes = &family->shapes;
    family->blank = network_pair(shapes->reach, shapes->reach) + 1;
    family->exchanged = memory_new(shapes->count, sizeof *family->exchanged);
    for (unsigned shape = 0; shape < shapes->count; shape++)
        family->exchanged[shape] = network_shape_exchanged(shapes, shape);
    return STATUS_OK;
}

void train_family_close(TrainFamily *family)
{
    network_shapes_close(&family->shapes);
    pattern_tables_close(family->tables);
    free(family->exchanged);
    *family = (TrainFamily){0};
}

// --- Boards ---

static void close_board(TrainPositions *reader)
{
    evaluator_close(&reader->simple);
    pattern_board_close(&reader->patterns);
    free(reader->shapes);
    free(reader->own);
    free(reader->other);
    free(reader->times);
    free(reader->group);
    free(reader->combined);
    reader->groups = 0;
}

void train_positions_close(TrainPositions *reader)
{
    close_board(reader);
    *reader = (TrainPositions){.family = reader->family, .result_share = reader->result_share};
}

static void set_shapes(TrainPositions *reader, Cell cell)
{
    network_cell_shapes(&reader->family->shapes, &reader->patterns, cell, reader->shapes[cell]);
}

static int compare_shapes(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

// Groups the cells of an empty board, whose shapes have been set; their directions do not matter.
static void group_cells(TrainPositions *reader)
{
    const Rules *rules = &reader->patterns.rules;
    uint32_t(*kinds)[4] = memory_new(rules_cells(rules), sizeof *kinds);
    for (unsigned row = 0; row < rules->height; row++)
        for (unsigned column = 0; column < rules->width; column++) {
            Cell cell = cell_at(column, row);
            uint32_t *kind = kinds[reader->groups];
            unsigned same = 0;
            memcpy(kind, reader->shapes[cell], sizeof kinds[0]);
            qsort(kind, 4, sizeof *kind, compare_shapes);
            while (memcmp(kinds[same], kind, sizeof kinds[0]) != 0)
                same++;
            reader->groups += same == reader->groups;
            reader->group[cell] = (uint16_t)same;
        }
    free(kinds);
}

// The empty board.
static void begin_board(TrainPositions *reader, const Rules *rules)
{
    Board board;
    reader->patterns.rules = *rules; // with q, which the family leaves open
    board_init(&board, rules);
    pattern_board_set(&reader->patterns, &board);
    for (unsigned row = 0; row < rules->height; row++)
        for (unsigned column = 0; column < rules->width; column++)
            set_shapes(reader, cell_at(column, row));
}

static void use_board(TrainPositions *reader)
{
    Rules rules = reader->family->rules;
    rules.width = reader->game.width;
    rules.height = reader->game.height;
    if (reader->own != NULL && rules_equal(&reader->patterns.rules, &rules))
        return;
    close_board(reader);
    pattern_board_open(&reader->patterns, reader->family->tables, &rules);
    // The simpler evaluations allocate nothing that may fail.
    (void)evaluator_open(&reader->simple, evaluator_default(&rules), &reader->patterns, NULL);
    unsigned cells = rules_cells(&rules);
    reader->shapes = memory_new(RULES_CELLS_MAX, sizeof *reader->shapes);
    reader->own = memory_new(cells, sizeof *reader->own);
    reader->other = memory_new(cells, sizeof *reader->other);
    reader->times = memory_new(cells, sizeof *reader->times);
    reader->group = memory_new(RULES_CELLS_MAX, sizeof *reader->group);
    reader->combined = memory_new(cells, sizeof *reader->combined);
    begin_board(reader, &rules);
    group_cells(reader);
}

// Places a stone; the shapes of cells in reach follow, and that of the one above it.
static void play(TrainPositions *reader, Cell stone)
{
    Cell cells[PATTERN_BOARD_REACH_MAX];
    pattern_board_play(&reader->patterns, stone);
    unsigned count = pattern_board_in_reach(&reader->patterns, stone, cells);
    for (unsigned i = 0; i < count; i++)
        set_shapes(reader, cells[i]);
    if (reader->family->rules.gravity && cell_row(stone) + 1u < reader->patterns.rules.height)
        set_shapes(reader, (Cell)(stone + RULES_SIDE_MAX));
}

// --- Positions ---

// Adds an empty cell, unless one with the same shapes is there already.
static void add_cell(TrainPositions *reader, Cell cell, TrainPosition *position)
{
    const uint32_t *shapes = reader->shapes[cell];
    bool is_blank = true;
    for (unsigned direction = 0; direction < 4; direction++)
        is_blank &= shapes[direction] % reader->family->shapes.pairs < reader->family->blank;
    uint16_t *combined = &reader->combined[reader->group[cell]];
    if (is_blank && *combined > 0) {
        reader->times[*combined - 1] += 1;
        return;
    }
    unsigned at = position->cells++;
    for (unsigned direction = 0; direction < 4; direction++) {
        reader->own[at][direction] = shapes[direction];
        reader->other[at][direction] = reader->family->exchanged[shapes[direction]];
    }
    reader->times[at] = 1;
    if (is_blank)
        *combined = (uint16_t)(at + 1);
}

// One more than the number of the last stone that no search chose.
static unsigned last_varied(const ScoredGame *game)
{
    unsigned last = game->count;
    while (last > 0 && game->scores[last - 1] != SCORED_NONE)
        last--;
    return last;
}

static void take_position(TrainPositions *reader, int score, TrainPosition *position)
{
    const PatternBoard *patterns = &reader->patterns;
    bool is_first = pattern_board_side(patterns) == SIDE_FIRST;
    double result = is_first ? reader->game.doubled / 2.0 : 1 - reader->game.doubled / 2.0;
    unsigned left = pattern_board_stones_left(patterns), most = reader->family->shapes.stages;
    bool has_result = patterns->played_count >= last_varied(&reader->game);
    *position = (TrainPosition){
        .stage = (left < most ? left : most) - 1,
        .simple = (float)evaluator_value(&reader->simple, patterns, 0, 0) / WEIGHTS_UNIT,
        .result = (float)result,
        .has_result = has_result,
        .share = has_result ? reader->result_share : 0,
        .expected = (float)(1 / (1 + exp(-(double)score / WEIGHTS_UNIT))),
        .times = reader->times,
        .own = is_first ? reader->own : reader->other,
        .other = is_first ? reader->other : reader->own,
    };
    memset(reader->combined, 0, reader->groups * sizeof *reader->combined);
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = pattern_board_empty_row(patterns, row); cells != 0; cells &= cells - 1)
            add_cell(reader, cell_at(bits_lowest(cells), row), position);
}

void train_positions_each(TrainPositions *reader, const ScoredGames *games, unsigned number, EachTrainPosition *each,
                          void *context)
{
    ScoredGame *game = &reader->game;
    scored_games_get(games, number, game);
    use_board(reader);
    Rules rules = games->rules;
    rules.width = game->width;
    rules.height = game->height;
    begin_board(reader, &rules);
    for (unsigned i = 0; i < game->count; i++) {
        int score = game->scores[i];
        if (i > 0 && score != SCORED_NONE && search_distance(score) < 0 && pattern_board_is_quiet(&reader->patterns)) {
            TrainPosition position;
            take_position(reader, score, &position);
            each(context, &position);
        }
        play(reader, game->stones[i]);
    }
}
