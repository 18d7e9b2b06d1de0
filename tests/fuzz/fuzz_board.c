// Compares the board with the naive board: six bytes for the rules, then one byte per step, play and undo. All
// properties are compared at the end of a game, after undo and at the end; the steps between are ends of other inputs.
#include "fuzz/fuzz.h"
#include "support/invariants.h"

// Fewer steps where comparing takes long.
enum { STEPS_MAX = 64, STEPS_LARGE = 24, CELLS_LARGE = 256 };

// Small boards mostly, since rows come about there; now and then a side of 64.
static uint8_t side_of(uint8_t byte)
{
    return byte >= 240 ? 64 : (uint8_t)(1 + byte % 12);
}

static Rules rules_of_bytes(const uint8_t data[6])
{
    Rules rules = {.width = side_of(data[0]), .height = side_of(data[1])};
    unsigned longest = rules.width > rules.height ? rules.width : rules.height, cells = rules_cells(&rules);
    rules.k = (uint8_t)(1 + data[2] % (longest < 8 ? longest : data[2] >= 250 ? longest : 8));
    rules.p = (uint16_t)(1 + data[3] % (cells < 4 ? cells : 4));
    rules.q = (uint16_t)(1 + data[4] % (cells < 5 ? cells : 5));
    rules.gravity = (data[5] & 1) != 0;
    rules.exact = (data[5] & 2) != 0;
    return rules;
}

static void require_same(const Board *board, const NaiveBoard *naive)
{
    Error error = {0};
    if (invariants_check(board, naive, &error) == STATUS_OK)
        return;
    Text text = {0};
    invariants_draw(board, naive, &text);
    (void)fprintf(stderr, "%s\n%s", error.text, text.data);
    abort();
}

static void undo(Game *game, NaiveBoard *naive, unsigned count)
{
    while (count-- > 0 && naive->stones > 0) {
        REQUIRE(game_undo(game));
        naive_undo(naive);
    }
}

// One byte: a stone, or some taken back. True when there is something worth a look.
static bool step(Game *game, NaiveBoard *naive, uint8_t byte)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    if (count == 0 || byte >= 224) {
        undo(game, naive, 1 + byte % 4u);
        return true;
    }
    Cell cell = cells[byte % count];
    game_play(game, cell);
    naive_play(naive, (int)cell_column(cell), (int)cell_row(cell));
    return game_is_over(game);
}

FUZZ_TARGET(board)
{
    if (size < 6)
        return 0;
    Rules rules = rules_of_bytes(data);
    static Game game;
    static NaiveBoard naive;
    game_init(&game, &rules);
    naive_init(&naive, &rules);
    size_t end = 6 + (rules_cells(&rules) < CELLS_LARGE ? STEPS_MAX : STEPS_LARGE);
    for (size_t i = 6; i < size && i < end; i++)
        if (step(&game, &naive, data[i]))
            require_same(&game.board, &naive);
    require_same(&game.board, &naive);
    return 0;
}
