// The board against the naive board: six bytes for the rules, then a byte a step, stones and undo. Everything a board
// knows is compared after every step.
#include "fuzz/fuzz.h"
#include "support/invariants.h"

enum { STEPS_MAX = 48 };

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 6)
        return 0;
    Rules rules = rules_of_bytes(data);
    static Game game;
    static NaiveBoard naive;
    game_init(&game, &rules);
    naive_init(&naive, &rules);
    require_same(&game.board, &naive);
    for (size_t i = 6; i < size && i < 6 + STEPS_MAX; i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&game.board, cells);
        if (count == 0 || data[i] >= 224) {
            undo(&game, &naive, 1 + data[i] % 4u);
        } else {
            Cell cell = cells[data[i] % count];
            game_play(&game, cell);
            naive_play(&naive, (int)cell_column(cell), (int)cell_row(cell));
        }
        require_same(&game.board, &naive);
    }
    return 0;
}
