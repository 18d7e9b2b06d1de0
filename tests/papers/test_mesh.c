// Tests of the elastic surface: boards solved by hand, the equations, symmetry.
#include "support/check.h"

#include "base/rng.h"
#include "game/symmetry.h"
#include "papers/levin/mesh.h"

#include <math.h>

static const MeshSettings half = {
    .own = MESH_STONE, .elasticity = MESH_ELASTICITY_ONE / 2, .epsilon = 0, .steps = 1000};
static const MeshSettings full = {.own = MESH_STONE, .elasticity = MESH_ELASTICITY_ONE, .epsilon = 0, .steps = 20000};
static Mesh mesh; // zeroed, and used again and again

static double depth_of(unsigned column, unsigned row)
{
    return (double)mesh_depth(&mesh, cell_at(column, row)) / (double)MESH_STONE;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-8)

static void solve(const char *rules, const char *drawing, const MeshSettings *settings)
{
    Game game;
    read_drawing(&game, rules, drawing);
    mesh = (Mesh){0};
    (void)mesh_solve(&mesh, &game.board, SIDE_FIRST, settings);
}

static void test_the_board_of_the_header(void **state)
{
    (void)state;
    solve("3x1:k=3", "X..\nturn O 1\n", &half);
    assert_near(depth_of(0, 0), 2016.0 / 2015);
    assert_near(depth_of(1, 0), 32.0 / 2015);
    assert_near(depth_of(2, 0), 32.0 / 2015);
    solve("3x1:k=3", "X..\nturn O 1\n", &full);
    assert_near(depth_of(0, 0), 496.0 / 495);
    assert_near(depth_of(1, 0), 16.0 / 495);
    assert_near(depth_of(2, 0), 16.0 / 495);
}

// On 2x2 each tile has the three others: 65 d = 64 w + S and 65 S = 64 + 4 S with one stone, S = 64/61. On 6x1 the ends
// do not see each other: five steps are too far, and the sum of all tiles but the other end is left.
static void test_more_by_hand(void **state)
{
    (void)state;
    solve("2x2:k=2", "X.\n..\nturn O 1\n", &half);
    assert_near(depth_of(0, 1), (64 + 64.0 / 61) / 65);
    assert_near(depth_of(1, 0), 64.0 / 61 / 65);
    MeshSettings once = half;
    once.steps = 1;
    solve("6x1:k=3", "X.....\nturn O 1\n", &once);
    assert_near(depth_of(4, 0), 1.0 / 64);
    assert_near(depth_of(5, 0), 0);
    solve("6x5:k=3", "......\nX.....\n......\n......\n......\nturn O 1\n", &once);
    assert_near(depth_of(3, 0), 1.0 / 64); // three steps down a diagonal
    assert_near(depth_of(1, 1), 0);        // a step of a knight
    // The opponent's stones have no weight unless it is given.
    solve("3x1:k=3", "O..\nturn O 1\n", &half);
    assert_near(depth_of(1, 0), 0);
    MeshSettings both = half;
    both.other = -MESH_STONE;
    solve("3x1:k=3", "O..\nturn O 1\n", &both);
    assert_near(depth_of(0, 0), -2016.0 / 2015);
    assert_near(depth_of(1, 0), -32.0 / 2015);
    solve("3x1:k=3", "X.O\nturn O 1\n", &both);
    assert_near(depth_of(1, 0), 0);
    assert_near(depth_of(0, 0), 64.0 / 65);
    assert_near(depth_of(2, 0), -64.0 / 65);
}

static void random_board(Board *board, const char *text, unsigned stones, Rng *rng)
{
    Rules rules = rules_of(text);
    Cell cells[RULES_CELLS_MAX];
    board_init(board, &rules);
    for (; stones > 0 && !board_is_over(board); stones--)
        (void)board_play(board, cells[rng_below(rng, board_legal_cells(board, cells))]);
}

// The right side of the equation of a tile, from the depths as they are.
static double right_side(const Board *board, Cell cell, double elasticity)
{
    double sum = 0;
    int column = (int)cell_column(cell), row = (int)cell_row(cell);
    for (int dy = -4; dy <= 4; dy++)
        for (int dx = -4; dx <= 4; dx++) {
            int x = column + dx, y = row + dy;
            bool radial = (dx == 0 || dy == 0 || dx == dy || dx == -dy) && (dx != 0 || dy != 0);
            if (radial && x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height)
                sum += depth_of((unsigned)x, (unsigned)y);
        }
    return (board_stone(board, cell) == STONE_FIRST ? 1 : 0) + elasticity * sum / 32;
}

static void test_the_equations_hold(void **state)
{
    (void)state;
    Rng rng = rng_make(2);
    static const char *const games[] = {"19x19:k=6,p=2,q=1", "5x9:k=4", "64x64:k=6", "1x1:k=1", "12x3:k=5"};
    for (unsigned i = 0; i < 10; i++) {
        Board board;
        random_board(&board, games[i % 5], 30, &rng);
        mesh = (Mesh){0};
        MeshSettings settings = half;
        settings.elasticity = i < 5 ? 512 : 900;
        unsigned steps = mesh_solve(&mesh, &board, SIDE_FIRST, &settings);
        assert_true(steps < settings.steps);
        for (unsigned c = 0; c < board.cells; c++) {
            Cell cell = cell_at(c % board.rules.width, c / board.rules.width);
            double depth = depth_of(cell_column(cell), cell_row(cell));
            assert_near(depth, right_side(&board, cell, settings.elasticity / 1024.0));
        }
    }
}

// The frame makes the iteration converge with elasticity 1, on the largest full board too; there no depth reaches what
// tactics add for a window.
static void test_elasticity_one_converges(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        unsigned stones, most;
    } boards[] = {{"19x19:k=6,p=2,q=1", 60, 400}, {"5x9:k=4", 20, 100}, {"64x64:k=64", 4096, 6000}};
    Rng rng = rng_make(6);
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        Board board;
        random_board(&board, boards[i].game, boards[i].stones, &rng);
        mesh = (Mesh){0};
        MeshSettings settings = full;
        settings.other = i == 2 ? MESH_STONE : 0;
        assert_in_range(mesh_solve(&mesh, &board, SIDE_FIRST, &settings), 20, boards[i].most);
        for (unsigned c = 0; c < board.cells; c++) {
            Cell cell = cell_at(c % board.rules.width, c / board.rules.width);
            double depth = depth_of(cell_column(cell), cell_row(cell));
            assert_true(depth >= 0 && depth < 1000);
            if (settings.other == 0)
                assert_near(depth, right_side(&board, cell, 1));
        }
    }
}

// A change of at most epsilon ends the steps, which halve the distance each; so does their largest number.
static void test_stopping(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    Board board;
    random_board(&board, "19x19:k=6,p=2,q=1", 40, &rng);
    mesh = (Mesh){0};
    MeshSettings settings = half;
    settings.epsilon = MESH_STONE / 1000000;
    unsigned rough = mesh_solve(&mesh, &board, SIDE_FIRST, &settings);
    settings.epsilon = 0;
    unsigned fine = mesh_solve(&mesh, &board, SIDE_FIRST, &settings);
    assert_in_range(rough, 3, 20);
    assert_in_range(fine, rough + 1, 33);
    settings.steps = 2;
    assert_int_equal(mesh_solve(&mesh, &board, SIDE_FIRST, &settings), 2);
}

// A mesh that has been used for other positions gives the same.
static void test_symmetry_and_use_again(void **state)
{
    (void)state;
    static Mesh other;
    Rng rng = rng_make(5);
    MeshSettings settings = half;
    settings.other = -MESH_STONE / 3;
    mesh = (Mesh){0};
    for (unsigned i = 0; i < 20; i++) {
        Board board, seen;
        random_board(&board, "11x11:k=6,p=2,q=1", 2 * i, &rng);
        (void)mesh_solve(&mesh, &board, SIDE_FIRST, &settings);
        for (Symmetry symmetry = 0; symmetry < SYMMETRY_MAX; symmetry++) {
            symmetry_board(&board, symmetry, &seen);
            other = (Mesh){0};
            (void)mesh_solve(&other, &seen, SIDE_FIRST, &settings);
            for (unsigned c = 0; c < 121; c++) {
                Cell cell = cell_at(c % 11, c / 11), there = symmetry_cell(&board.rules, symmetry, cell);
                assert_true(mesh_depth(&mesh, cell) == mesh_depth(&other, there));
            }
        }
    }
}

TEST_GROUP(mesh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_board_of_the_header),
        cmocka_unit_test(test_more_by_hand),
        cmocka_unit_test(test_the_equations_hold),
        cmocka_unit_test(test_elasticity_one_converges),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_symmetry_and_use_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
