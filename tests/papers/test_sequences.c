// Tests of incremental windows: scores, threats and marks compared with a full scan after every play and undo under
// many rules; cases in which the paper's rule fails; ratings of the agent compared with those of a rescan.
#include "support/check.h"

#include "agents/agent.h"
#include "papers/levin/sequences.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- The same from the definitions, as plainly as possible ---

typedef struct {
    int64_t score;
    unsigned threats;
    bool is_threat[WINDOWS_MAX], marked[RULES_CELLS_MAX];
} Plain;

static void plain_window(const Board *board, Window window, Side side, unsigned index, Plain *plain)
{
    Cell cells[RULES_SIDE_MAX];
    unsigned own = 0, other = 0, marked = 0;
    unsigned count = window_cells(board, window.line, window_bits(board, window), cells);
    for (unsigned i = 0; i < count; i++) {
        Stone stone = board_stone(board, cells[i]);
        own += stone == (Stone)side;
        other += stone == (Stone)side_other(side);
        marked += plain->marked[cells[i]];
    }
    plain->score += other == 0 ? (int64_t)own * own : 0;
    if (!window_is_threat(board, window, side) || marked > 0)
        return;
    plain->threats++;
    plain->is_threat[index] = true;
    for (unsigned i = 0; i < count; i++)
        plain->marked[cells[i]] = board_stone(board, cells[i]) == STONE_NONE;
}

static void plain_scan(const Board *board, Side side, Plain *plain)
{
    static Window windows[WINDOWS_MAX];
    unsigned count = windows_all(board, windows);
    memset(plain, 0, sizeof *plain);
    for (unsigned i = 0; i < count; i++)
        plain_window(board, windows[i], side, i, plain);
}

// --- Comparing ---

// Scores and stones of windows, which every way of keeping up must have right.
static bool same_windows(const Sequences *sequences, const Board *board, Side side, const Plain *plain)
{
    bool same = sequences->score[side] == plain->score;
    for (unsigned i = 0; i < sequences->count; i++) {
        Window window = sequences->window[i];
        uint64_t own = board->line[window.line][side] & window_bits(board, window);
        same = same && sequences->stones[side][i] == bits_count(own) &&
               sequences_is_threat_window(sequences, side, i) == window_is_threat(board, window, side);
    }
    return same;
}

static bool same_marks(const Sequences *sequences, Side side, const Plain *plain)
{
    bool same = true;
    for (unsigned row = 0; row < sequences->board.rules.height; row++)
        for (unsigned column = 0; column < sequences->board.rules.width; column++) {
            Cell cell = cell_at(column, row);
            same = same && sequences_is_marked(sequences, side, cell) == plain->marked[cell];
        }
    return same;
}

static bool same_threats(const Sequences *sequences, Side side, const Plain *plain)
{
    bool same = sequences->threats[side] == plain->threats;
    for (unsigned i = 0; i < sequences->count; i++)
        same = same && sequences_is_threat(sequences, side, i) == plain->is_threat[i];
    return same;
}

static void print_position(const Board *board)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&board->rules, rules);
    print_error("%s\n", rules);
    for (unsigned row = board->rules.height; row-- > 0;) {
        for (unsigned column = 0; column < board->rules.width; column++)
            print_error("%c", "XO."[board_stone(board, cell_at(column, row))]);
        print_error("\n");
    }
}

static void check_all(const Sequences *sequences, const Board *board)
{
    static Plain plain;
    for (int side = 0; side < 2; side++) {
        plain_scan(board, (Side)side, &plain);
        bool windows = same_windows(sequences, board, (Side)side, &plain);
        bool threats = same_threats(sequences, (Side)side, &plain), marks = same_marks(sequences, (Side)side, &plain);
        if (windows && threats && marks)
            continue;
        print_position(board);
        print_error("%s: windows %d, threats %d, marks %d\n", side_name((Side)side), windows, threats, marks);
        fail();
    }
}

// --- Boards computed by hand ---

static void follow_drawing(Sequences *sequences, SequencesUpdate update, const char *rules, const char *drawing)
{
    Game game;
    char text[256];
    (void)snprintf(text, sizeof text, "%sturn X 1\n", drawing);
    read_drawing(&game, rules, text);
    sequences_init(sequences, &game.board.rules, update);
    sequences_follow(sequences, &game.board);
}

static void check_drawing(const char *rules, const char *drawing, int64_t first, int64_t second, unsigned threats_first,
                          unsigned threats_second)
{
    static Sequences sequences;
    for (int update = 0; update < 3; update++) {
        follow_drawing(&sequences, (SequencesUpdate)update, rules, drawing);
        assert_int_equal(sequences.score[0], first);
        assert_int_equal(sequences.score[1], second);
        assert_int_equal(sequences.threats[0], threats_first);
        assert_int_equal(sequences.threats[1], threats_second);
    }
}

static void test_boards_computed_by_hand(void **state)
{
    (void)state;
    // X has a row, a column and a diagonal through the centre, O a row and a column from its corner.
    check_drawing("3x3:k=3", "...\n.X.\nO..\n", 3, 2, 0, 0);
    // XX., X.X and .XX, two stones each, share the empty cell: one threat.
    check_drawing("5x1:k=3", "XX.XX\n", 12, 0, 1, 0);
    // .XX and XX. have no common empty cell: two threats. No O anywhere.
    check_drawing("4x1:k=3", ".XX.\n", 8, 0, 2, 0);
    // Under exact as well: XX and a third make a row of three wherever it is placed. But X.XX would be four.
    check_drawing("4x1:k=3,exact", ".XX.\n", 8, 0, 2, 0);
    check_drawing("4x1:k=3,exact", "X.XX\n", 8, 0, 0, 0);
    // With gravity XX. on the upper row wants a stone below: within a turn of two stones, but not of one.
    check_drawing("4x2:k=3,gravity", "XX..\nOOX.\n", 4 + 1, 0, 1, 0);
    check_drawing("4x2:k=3,gravity", "XX..\nOO..\n", 4 + 1, 4 + 1, 0, 1);
    check_drawing("4x2:k=3,gravity,p=2", "XX..\nOO..\n", 4 + 1, 4 + 1, 1, 1);
    // As in Connect6: ...XXX, ..XXXX, .XXXX., XXXX.., XXX...; the third shares a cell with the second.
    check_drawing("10x1:k=6,p=2", "...XXXX...\n", 9 + 16 + 16 + 16 + 9, 0, 2, 0);
    // A turn of k stones makes a threat of every window that can still be filled.
    check_drawing("4x1:k=2,p=2", "..O.\n", 0, 2, 1, 2);
}

// --- Random plays and undos ---

static const char *const shapes[] = {
    "3x3:k=3",          "7x6:k=4,gravity",
    "5x5:k=4,exact",    "9x4:k=3",
    "4x9:k=3,gravity",  "13x11:k=6",
    "9x9:k=5,exact",    "8x8:k=1",
    "6x6:k=2",          "40x1:k=6",
    "1x30:k=7,gravity", "2x20:k=5",
    "30x3:k=4,exact",   "9x7:k=3,gravity,exact",
    "12x5:k=5,gravity",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// A board, its history, and what follows it. Wins end nothing here: rows longer than k are windows, too.
typedef struct {
    Board board;
    unsigned count;
    Cell stones[RULES_CELLS_MAX];
    Sequences sequences;
} Walk;

static unsigned free_cells(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            cells[count++] = cell_at(bits_lowest(legal), row);
    return count;
}

static Side random_side(Rng *rng, unsigned first_of_four)
{
    return rng_below(rng, 4) < first_of_four ? SIDE_FIRST : SIDE_SECOND;
}

static void walk_play(Walk *walk, Cell cell, Side side)
{
    board_put(&walk->board, cell, side);
    walk->stones[walk->count++] = cell;
    sequences_put(&walk->sequences, cell, side);
}

static void walk_undo(Walk *walk)
{
    Cell cell = walk->stones[--walk->count];
    Side side = (Side)board_stone(&walk->board, cell);
    CellLines at = board_lines_of(&walk->board, cell);
    walk->board.line[at.row][side] &= ~cell_bit_in_row(cell);
    walk->board.line[at.column][side] &= ~cell_bit_in_column(cell);
    walk->board.line[at.rising][side] &= ~cell_bit_in_row(cell);
    walk->board.line[at.falling][side] &= ~cell_bit_in_row(cell);
    sequences_take(&walk->sequences, cell);
}

// Mostly forward, now and then back, sometimes far back. `first_of_four`: how many of four stones are X; where most
// are, threats stand close together.
static void walk_step(Walk *walk, Rng *rng, unsigned first_of_four)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = free_cells(&walk->board, cells);
    if (count == 0 || (walk->count > 0 && rng_below(rng, 4) == 0)) {
        unsigned back = rng_below(rng, 40) == 0 ? walk->count : 1 + rng_below(rng, 3);
        for (; back > 0 && walk->count > 0; back--)
            walk_undo(walk);
    } else {
        Cell cell = cells[rng_below(rng, count)];
        walk_play(walk, cell, random_side(rng, first_of_four));
    }
    sequences_settle(&walk->sequences);
}

static void walk_begin(Walk *walk, const Rules *rules, SequencesUpdate update)
{
    walk->count = 0;
    board_init(&walk->board, rules);
    sequences_init(&walk->sequences, rules, update);
}

static void test_settled_is_a_rescan_after_every_step(void **state)
{
    (void)state;
    static Walk walk;
    unsigned long steps = test_steps() / (5ul * SHAPES * 3 * 3) + 1;
    Rng rng = rng_make(40);
    for (size_t i = 0; i < SHAPES; i++)
        for (unsigned p = 1; p <= 3; p++)
            for (unsigned first_of_four = 2; first_of_four <= 4; first_of_four++) {
                Rules rules = rules_of(shapes[i]);
                rules.p = (uint16_t)p;
                walk_begin(&walk, &rules, SEQUENCES_SETTLED);
                for (unsigned long step = 0; step < steps; step++) {
                    walk_step(&walk, &rng, first_of_four);
                    check_all(&walk.sequences, &walk.board);
                }
            }
}

static void test_rescan_and_scores_of_the_paper(void **state)
{
    (void)state;
    static Walk walk;
    static Plain plain;
    Rng rng = rng_make(41);
    for (unsigned round = 0; round < 2 * SHAPES; round++) {
        Rules rules = rules_of(shapes[round % SHAPES]);
        rules.p = (uint16_t)(1 + round % 3);
        bool by_paper = round >= SHAPES;
        walk_begin(&walk, &rules, by_paper ? SEQUENCES_PAPER : SEQUENCES_RESCAN);
        for (unsigned step = 0; step < 60; step++) {
            walk_step(&walk, &rng, 3);
            if (!by_paper)
                check_all(&walk.sequences, &walk.board);
            for (int side = 0; by_paper && side < 2; side++) {
                plain_scan(&walk.board, (Side)side, &plain);
                assert_true(same_windows(&walk.sequences, &walk.board, (Side)side, &plain));
            }
        }
    }
}

// From board to board, near and far, without a hint of what changed; also where a stone is of the other side than
// before, and where it stood below others.
static void test_following_a_board(void **state)
{
    (void)state;
    static Walk walk;
    static Sequences follower;
    Rng rng = rng_make(42);
    unsigned long rounds = test_steps() / (10ul * SHAPES) + 1;
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i]);
        rules.p = (uint16_t)(1 + rng_below(&rng, 3));
        walk_begin(&walk, &rules, SEQUENCES_SETTLED);
        sequences_init(&follower, &rules, SEQUENCES_SETTLED);
        for (unsigned long round = 0; round < rounds; round++) {
            for (unsigned steps = rng_below(&rng, 8); steps > 0; steps--)
                walk_step(&walk, &rng, 2);
            sequences_follow(&follower, &walk.board);
            check_all(&follower, &walk.board);
        }
    }
}

static void test_copies_are_alike(void **state)
{
    (void)state;
    static Walk walk;
    static Sequences copy;
    Rng rng = rng_make(43);
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i]);
        walk_begin(&walk, &rules, SEQUENCES_SETTLED);
        sequences_init(&copy, &rules, SEQUENCES_SETTLED);
        for (unsigned step = 0; step < 30; step++)
            walk_step(&walk, &rng, 3);
        sequences_copy(&copy, &walk.sequences);
        check_all(&copy, &walk.board);
        walk_step(&walk, &rng, 3);
        sequences_follow(&copy, &walk.board);
        check_all(&copy, &walk.board);
    }
}

// A stone that is said not to matter changes no threat, and every stone changes scores as foretold.
static void test_what_a_stone_would_do(void **state)
{
    (void)state;
    static Walk walk;
    static Sequences after;
    Rng rng = rng_make(44);
    unsigned without = 0;
    for (unsigned round = 0; round < 40 * SHAPES; round++) {
        Rules rules = rules_of(shapes[round % SHAPES]);
        rules.p = (uint16_t)(1 + rng_below(&rng, 3));
        walk_begin(&walk, &rules, SEQUENCES_SETTLED);
        sequences_init(&after, &rules, SEQUENCES_SETTLED);
        for (unsigned step = rng_below(&rng, 30); step > 0; step--)
            walk_step(&walk, &rng, 2);
        Cell cells[RULES_CELLS_MAX];
        unsigned count = free_cells(&walk.board, cells);
        if (count == 0)
            continue;
        const Sequences *before = &walk.sequences;
        Cell cell = cells[rng_below(&rng, count)];
        Side side = random_side(&rng, 2);
        SequencesStone stone = sequences_stone(before, cell, side);
        sequences_copy(&after, before);
        sequences_put(&after, cell, side);
        sequences_settle(&after);
        assert_int_equal(after.score[side], before->score[side] + stone.gain);
        assert_int_equal(after.score[side_other(side)], before->score[side_other(side)] - stone.loss);
        assert_true(stone.matters ||
                    (after.threats[0] == before->threats[0] && after.threats[1] == before->threats[1]));
        assert_true(stone.matters || sequences_needed(&after, side) == sequences_needed(before, side));
        without += !stone.matters;
    }
    assert_true(without > 20);
}

// --- The paper's rule ---

static void draw_marks(const Sequences *sequences, Side side, char text[RULES_SIDE_MAX + 1])
{
    unsigned width = sequences->board.rules.width;
    for (unsigned column = 0; column < width; column++) {
        Stone stone = board_stone(&sequences->board, cell_at(column, 0));
        text[column] = stone != STONE_NONE                                        ? "XO"[stone]
                       : sequences_is_marked(sequences, side, cell_at(column, 0)) ? '*'
                                                                                  : '.';
    }
    text[width] = '\0';
}

// One line of Connect6. Before the stone in the ninth cell the one threat is the window from the eleventh cell. The
// stone makes a threat of the one from the eighth, which comes first in reading, and then the window from the eleventh
// shares a cell with it and the one from the twelfth is free. But by the paper's rule the windows before the ninth cell
// see the mark of the eleventh, and those from the eleventh on are not looked at any more.
static void test_where_the_rule_of_the_paper_differs(void **state)
{
    (void)state;
    static Sequences paper, settled;
    char text[RULES_SIDE_MAX + 1];
    follow_drawing(&paper, SEQUENCES_PAPER, "19x1:k=6,p=2,q=1", "OX..X..X...XX.XX...\n");
    follow_drawing(&settled, SEQUENCES_SETTLED, "19x1:k=6,p=2,q=1", "OX..X..X...XX.XX...\n");
    draw_marks(&paper, SIDE_FIRST, text);
    assert_string_equal(text, "OX..X..X..*XX*XX...");
    draw_marks(&settled, SIDE_FIRST, text);
    assert_string_equal(text, "OX..X..X..*XX*XX...");
    sequences_put(&paper, cell_at(8, 0), SIDE_FIRST);
    sequences_settle(&paper);
    draw_marks(&paper, SIDE_FIRST, text);
    assert_string_equal(text, "OX..X..XX.*XX*XX...");
    assert_int_equal(paper.threats[SIDE_FIRST], 1);
    sequences_put(&settled, cell_at(8, 0), SIDE_FIRST);
    sequences_settle(&settled);
    draw_marks(&settled, SIDE_FIRST, text);
    assert_string_equal(text, "OX..X..XX**XX*XX*..");
    assert_int_equal(settled.threats[SIDE_FIRST], 2);
}

// The paper's own case, in which one window beyond the stone is enough: its drawing is lost, its text says of four
// stones that are seen from the left, blocked there, and still to be seen from the right.
static void test_the_window_beside_that_the_paper_shows(void **state)
{
    (void)state;
    static Sequences paper;
    char text[RULES_SIDE_MAX + 1];
    follow_drawing(&paper, SEQUENCES_PAPER, "9x1:k=6,p=2,q=1", "..XXXX.O.\n");
    draw_marks(&paper, SIDE_FIRST, text);
    assert_string_equal(text, "**XXXX.O.");
    sequences_put(&paper, cell_at(0, 0), SIDE_SECOND);
    draw_marks(&paper, SIDE_FIRST, text);
    assert_string_equal(text, "O*XXXX*O.");
    assert_int_equal(paper.threats[SIDE_FIRST], 1);
}

// Stones in a thousand after which the number of X's threats by the paper's rule is not that of a rescan, in random
// play up to `most` stones; as many of four are X as reported.
static unsigned share_of_differences(const char *text, unsigned most, unsigned first_of_four)
{
    static Walk walk;
    static Sequences truth;
    enum { STONES = 4000 };
    Rules rules = rules_of(text);
    Rng rng = rng_make(45);
    unsigned differ = 0;
    sequences_init(&truth, &rules, SEQUENCES_SETTLED);
    for (unsigned i = 0; i < STONES; i++) {
        if (i % most == 0)
            walk_begin(&walk, &rules, SEQUENCES_PAPER);
        Cell cells[RULES_CELLS_MAX];
        unsigned count = free_cells(&walk.board, cells);
        Cell cell = cells[rng_below(&rng, count)];
        walk_play(&walk, cell, random_side(&rng, first_of_four));
        sequences_follow(&truth, &walk.board);
        differ += truth.threats[SIDE_FIRST] != walk.sequences.threats[SIDE_FIRST];
    }
    return differ * 1000 / STONES;
}

static void test_how_often_it_differs(void **state)
{
    (void)state;
    // Seldom on a board as games have it, but on a full one, and where most stones are of one side, mostly.
    assert_in_range(share_of_differences("connect6", 90, 2), 0, 10);
    assert_in_range(share_of_differences("connect6", 361, 2), 100, 400);
    assert_in_range(share_of_differences("connect6", 361, 4), 500, 900);
    // Where a turn is one stone, a threat window has one empty cell, and only a stone there changes it: never.
    assert_int_equal(share_of_differences("gomoku", 225, 3), 0);
}

// --- The agent's ways of keeping up ---

static void rate_position(Agent *agent, const Game *game, Ratings *ratings)
{
    ratings->count = 0;
    ratings->value = NAN;
    agent->kind->rate(agent->state, game, ratings);
}

static const char *const updates[] = {"sequences:c=1.3", "sequences:c=1.3,update=rescan"};

static void check_same_ratings(const Ratings *a, const Ratings *b)
{
    assert_int_equal(a->count, b->count);
    assert_true(a->value == b->value);
    for (unsigned i = 0; i < a->count; i++) {
        assert_int_equal(a->cells[i].cell, b->cells[i].cell);
        assert_true(a->cells[i].utility == b->cells[i].utility);
    }
}

// A search plays and undoes in any order. Skipped, stored or undone updates must not be visible.
static void test_ratings_are_those_of_a_rescan(void **state)
{
    (void)state;
    static Walk walk;
    static Ratings ratings[2];
    Rng rng = rng_make(46);
    unsigned long rounds = test_steps() / (60ul * SHAPES) + 1;
    for (size_t i = 0; i < SHAPES; i++) {
        Rules rules = rules_of(shapes[i]);
        rules.p = (uint16_t)(1 + rng_below(&rng, 3));
        Agent agents[2];
        for (int j = 0; j < 2; j++)
            assert_int_equal(agent_open(&agents[j], span_of(updates[j]), &rules, NULL), STATUS_OK);
        walk_begin(&walk, &rules, SEQUENCES_SETTLED);
        for (unsigned long round = 0; round < rounds; round++) {
            for (unsigned steps = 1 + rng_below(&rng, 3); steps > 0; steps--)
                walk_step(&walk, &rng, 2);
            Game game;
            game_init_from(&game, &walk.board);
            Side side = random_side(&rng, 2); // more stones than p are left where q is larger
            if (board_set_turn(&game.board, side, 1 + rng_below(&rng, rules.p + 3u)) != 0 || game_is_over(&game))
                continue;
            for (int j = 0; j < 2; j++)
                rate_position(&agents[j], &game, &ratings[j]);
            check_same_ratings(&ratings[0], &ratings[1]);
        }
        agent_close(&agents[0]);
        agent_close(&agents[1]);
    }
}

// By the paper's rule a position may be rated in more than one way, but asking leaves no marks behind.
static void test_trials_leave_no_marks_behind(void **state)
{
    (void)state;
    static Ratings ratings[2];
    Rules rules = rules_of("9x9:k=6,p=2,q=1");
    Game game;
    Agent agent;
    Rng rng = rng_make(47);
    assert_int_equal(agent_open(&agent, span_of("sequences:update=paper"), &rules, NULL), STATUS_OK);
    game_init(&game, &rules);
    while (!game_is_over(&game)) {
        rate_position(&agent, &game, &ratings[0]);
        rate_position(&agent, &game, &ratings[1]);
        check_same_ratings(&ratings[0], &ratings[1]);
        game_play(&game, ratings[0].cells[rng_below(&rng, ratings[0].count)].cell);
    }
    agent_close(&agent);
}

TEST_GROUP(sequences)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards_computed_by_hand),
        cmocka_unit_test(test_settled_is_a_rescan_after_every_step),
        cmocka_unit_test(test_rescan_and_scores_of_the_paper),
        cmocka_unit_test(test_following_a_board),
        cmocka_unit_test(test_copies_are_alike),
        cmocka_unit_test(test_what_a_stone_would_do),
        cmocka_unit_test(test_where_the_rule_of_the_paper_differs),
        cmocka_unit_test(test_the_window_beside_that_the_paper_shows),
        cmocka_unit_test(test_how_often_it_differs),
        cmocka_unit_test(test_ratings_are_those_of_a_rescan),
        cmocka_unit_test(test_trials_leave_no_marks_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
