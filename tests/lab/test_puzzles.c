// Tests of puzzles: the collections of krow, files, making, checks, attempts, ratings and the history.
#include "base/file.h"
#include "lab/puzzles/puzzle_check.h"
#include "lab/puzzles/puzzle_history.h"
#include "lab/puzzles/puzzle_make.h"
#include "lab/puzzles/puzzle_try.h"
#include "support/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Puzzles library_of(const char *name)
{
    Puzzles puzzles = {0};
    Rules rules = rules_of(name);
    Error error = {0};
    assert_done(puzzle_library_read(&rules, &puzzles, &error), error);
    return puzzles;
}

static PuzzleJudge *judge_of(const char *name)
{
    PuzzleJudge *judge = NULL;
    Rules rules = rules_of(name);
    Error error = {0};
    assert_done(puzzle_judge_open(&judge, &rules, &error), error);
    return judge;
}

static Text text_of(const Puzzles *puzzles)
{
    Text text = {0};
    puzzles_write(puzzles, &text);
    return text;
}

static Board board_of(const Puzzles *puzzles, const Puzzle *puzzle)
{
    Game game;
    Error error = {0};
    assert_done(puzzle_game(puzzles, puzzle, &game, &error), error);
    return game.board;
}

static const char *const shipped[] = {"gomoku", "connect6", "connect4"};
enum { SHIPPED = sizeof shipped / sizeof shipped[0], SHIPPED_COUNT = 200, SAMPLE = 40 };

// A sample of the puzzles; all with KROW_TEST_LONG.
static void test_shipped_puzzles_are_puzzles(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SHIPPED; i++) {
        Puzzles puzzles = library_of(shipped[i]);
        PuzzleJudge *judge = judge_of(shipped[i]);
        unsigned level_3 = 0, tried_3 = 0, level_10 = 0, tried_10 = 0;
        assert_int_equal(puzzles.count, SHIPPED_COUNT);
        for (unsigned j = 0; j < puzzles.count; j++) {
            const Puzzle *puzzle = &puzzles.list[j];
            level_3 += puzzle->levels[2].solved;
            tried_3 += puzzle->levels[2].tried;
            level_10 += puzzle->levels[9].solved;
            tried_10 += puzzle->levels[9].tried;
            if (j % SAMPLE > 0 && getenv("KROW_TEST_LONG") == NULL)
                continue;
            PuzzleCheck check;
            PuzzleEffort effort = {.nodes = PUZZLE_CHECK_NODES};
            Error error = {0};
            assert_done(puzzle_check(judge, &puzzles, puzzle, &effort, &check, &error), error);
            assert_true(check.is_proved && check.is_unique);
        }
        assert_true(2 * level_3 < tried_3);
        assert_true(10 * level_10 >= 9 * tried_10);
        puzzle_judge_close(judge);
        puzzles_close(&puzzles);
    }
}

static void test_wrong_puzzles_do_not_pass(void **state)
{
    (void)state;
    Puzzles puzzles = library_of("connect4");
    PuzzleJudge *judge = judge_of("connect4");
    PuzzleEffort effort = {.nodes = PUZZLE_NODES};
    PuzzleCheck check;
    Error error = {0};
    Puzzle *a = &puzzles.list[0], *b = &puzzles.list[1], other = *a;
    // The proof of another puzzle.
    other.proof = b->proof;
    other.proof_length = b->proof_length;
    assert_int_equal(puzzle_check(judge, &puzzles, &other, &effort, &check, &error), STATUS_FAILED);
    assert_false(check.is_proved);
    // A damaged proof, and none.
    a->proof[a->proof_length - 1] ^= 1;
    assert_int_equal(puzzle_check(judge, &puzzles, a, &effort, &check, &error), STATUS_FAILED);
    a->proof[a->proof_length - 1] ^= 1;
    other = *a;
    other.proof_length = 0;
    assert_int_equal(puzzle_check(judge, &puzzles, &other, &effort, &check, &error), STATUS_FAILED);
    assert_string_equal(error.text, "there is no proof");
    // Another goal.
    other = *a;
    other.goal = other.goal == PUZZLE_WIN ? PUZZLE_SAVE : PUZZLE_WIN;
    assert_int_equal(puzzle_check(judge, &puzzles, &other, &effort, &check, &error), STATUS_FAILED);
    puzzle_judge_close(judge);
    puzzles_close(&puzzles);
}

// A position with two winning cells is no puzzle, with exact values and with threats.
static void test_second_solutions_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *moves, *reason;
    } cases[] = {
        {"5x5:k=4", "c3 a1 c2 e5", "there is a second solution"},
        {"connect4", "4 4 5 5", "the side to move completes a row"},
        {"gomoku", "h8 a1 i8 a3 j8 a5", "the side to move has no win by threats"},
        {"gomoku", "h8 a1 i8 a3 j8 a5 k8 a7", "the side to move completes a row"},
        {"gomoku", "a1 h8 a3 i8 a5 j8 c11 k8", "the side to move must stop a row"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PuzzleJudge *judge = judge_of(cases[i].rules);
        PuzzleEffort effort = {.nodes = PUZZLE_NODES};
        PuzzleFinding finding;
        Game game;
        begin_game(&game, cases[i].rules);
        play_text(&game, cases[i].moves);
        puzzle_judge_position(judge, &game.board, &effort, &finding);
        assert_false(finding.is_puzzle);
        if (strcmp(cases[i].rules, "connect4") != 0 && i != 2)
            assert_string_equal(finding.reason, cases[i].reason);
        puzzle_judge_close(judge);
    }
}

// A turn after which neither side is known to win may be a second solution: here i4 wins, which a search of 3000 nodes
// misses.
static void test_every_other_turn_must_fail(void **state)
{
    (void)state;
    static const char text[] = "krow puzzles 1\ngame 15x15:k=5\nmade 1 0\npuzzle 1\n"
                               "start 15/15/15/15/15/15/15/6OXO1O4/9O5/5XX1O6/5XXXO6/15/15/15/15 X 1\n"
                               "goal win\nsolution e5\nturns 3\ntempting 0\nlevels\nrating 1500 350\n";
    Puzzles puzzles = {0};
    PuzzleJudge *judge = judge_of("gomoku");
    Error error = {0};
    assert_done(puzzles_read(span_of(text), &puzzles, &error), error);
    Board board = board_of(&puzzles, &puzzles.list[0]);
    for (uint64_t nodes = PUZZLE_NODES; nodes <= PUZZLE_CHECK_NODES; nodes *= 4) {
        PuzzleEffort effort = {.nodes = nodes};
        PuzzleFinding finding;
        puzzle_judge_position(judge, &board, &effort, &finding);
        assert_false(finding.is_puzzle);
        assert_int_equal(finding.other.count, 1);
        assert_true(finding.is_open || strcmp(finding.reason, "there is a second solution") == 0);
    }
    puzzle_judge_close(judge);
    puzzles_close(&puzzles);
}

static void test_files(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SHIPPED; i++) {
        Puzzles puzzles = library_of(shipped[i]), again = {0};
        Error error = {0};
        Text text = text_of(&puzzles), second = {0};
        assert_done(puzzles_read((Span){text.data, text.length}, &again, &error), error);
        puzzles_write(&again, &second);
        assert_string_equal(text.data, second.data);
        text_close(&text);
        text_close(&second);
        puzzles_close(&puzzles);
        puzzles_close(&again);
    }
}

#define HEAD "krow puzzles 1\ngame 3x3:k=3\nmade 1 0\n"
#define FIRST "puzzle 1\nstart 3/1X1/O1X O 1\n"

static void test_wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "line 0: the file is empty"},
        {"puzzles\n", "line 1: not a file of puzzles"},
        {"krow puzzles 1\n", "line 1: the line 'game …' is missing"},
        {"krow puzzles 1\nmade 1 0\n", "line 2: expected 'game', found 'made'"},
        {HEAD "puzzle 0\nstart 3/3/3 X 1\ngoal win\n", "line 4: the number 0 is not higher than the one before"},
        {HEAD "puzzle 1\nstart XXX/OO1/3 O 1\n", "line 5: the game is over"},
        {HEAD FIRST "goal draw\n", "line 6: neither win nor save: 'draw'"},
        {HEAD FIRST "last a1\n", "line 6: the last turn names a cell without a stone of the opponent"},
        {HEAD FIRST "goal save\nsolution b2\n", "line 7: the solution is not a legal turn"},
        {HEAD FIRST "goal save\nsolution a2 a3\n", "line 7: the solution has 2 stones, but the turn has 1"},
        {HEAD FIRST "goal save\nsolution a2 a2\n", "line 7: the cell occurs twice: 'a2'"},
        {HEAD FIRST "goal save\nsolution a2\nturns 0\ntempting 0\nlevels 2/1\n", "line 10: not the attempts"},
        {HEAD FIRST "goal save\nsolution a2\nturns 0\ntempting 0\nlevels\nrating 1500 80\nproof AAAA\n",
         "line 12: the proof is damaged"},
        {HEAD FIRST "goal save\nsolution a2\nturns 0\n", "line 8: puzzle 1 has no line 'tempting …'"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Puzzles puzzles = {0};
        Error error = {0};
        assert_refused(puzzles_read(span_of(wrong[i].text), &puzzles, &error), error, wrong[i].words);
        puzzles_close(&puzzles);
    }
}

// --- Making ---

static Puzzles begun(const char *rules)
{
    return (Puzzles){.rules = rules_of(rules), .seed = 5};
}

static void make(Puzzles *puzzles, unsigned count, unsigned jobs)
{
    Error error = {0};
    PuzzleRecipe recipe = {.count = count, .jobs = jobs, .nodes = 500};
    assert_done(puzzles_make(puzzles, &recipe, &error), error);
    assert_int_equal(puzzles->count, count);
}

static Status stop_after_a_batch(void *context, const Puzzles *puzzles, Error *error)
{
    (void)puzzles;
    (void)error;
    atomic_store((atomic_bool *)context, true);
    return STATUS_OK;
}

// The same seed makes the same puzzles with any number of threads, and after an interruption.
static void test_making(void **state)
{
    (void)state;
    static const char rules[] = "4x4:k=4,gravity";
    enum { COUNT = 40 };
    Puzzles one = begun(rules), two = begun(rules), parts = begun(rules);
    make(&one, COUNT, 1);
    make(&two, COUNT, 2);
    Text first = text_of(&one), second = text_of(&two);
    assert_string_equal(first.data, second.data);
    atomic_bool stop = false;
    Error error = {0};
    PuzzleRecipe recipe = {
        .count = COUNT, .jobs = 1, .nodes = 500, .stop = &stop, .keep = stop_after_a_batch, .context = &stop};
    assert_int_equal(puzzles_make(&parts, &recipe, &error), STATUS_INTERRUPTED);
    assert_true(parts.count < COUNT);
    make(&parts, COUNT, 1);
    Text third = text_of(&parts);
    assert_string_equal(first.data, third.data);
    PuzzleJudge *judge = judge_of(rules);
    for (unsigned i = 0; i < one.count; i++) {
        PuzzleCheck check;
        PuzzleEffort effort = {.nodes = PUZZLE_NODES};
        assert_done(puzzle_check(judge, &one, &one.list[i], &effort, &check, &error), error);
    }
    puzzle_judge_close(judge);
    text_close(&first);
    text_close(&second);
    text_close(&third);
    puzzles_close(&one);
    puzzles_close(&two);
    puzzles_close(&parts);
}

static void test_given_games_end(void **state)
{
    (void)state;
    Openings games = {0};
    Puzzles puzzles = begun("connect4");
    Error error = {0};
    openings_add(&games, (Cell[]){cell_at(3, 0), cell_at(3, 1)}, 2);
    PuzzleRecipe recipe = {.count = 1, .jobs = 1, .given = &games};
    assert_int_equal(puzzles_make(&puzzles, &recipe, &error), STATUS_FAILED);
    assert_string_equal(error.text, "only 0 of 1 puzzles were found in 1 games");
    openings_close(&games);
    puzzles_close(&puzzles);
}

// --- Attempts ---

// The line after a turn that certainly wins or loses leads to the end that was announced.
static void require_end(const Board *board, const PuzzleTurn *turn, const PuzzleOutcome *outcome)
{
    Board after;
    puzzle_play(board, turn, &after);
    for (unsigned i = 0; i < outcome->count; i++) {
        assert_true(board_is_legal(&after, outcome->line[i]));
        (void)board_play(&after, outcome->line[i]);
    }
    Side winner = outcome->verdict == PUZZLE_TURN_WINS ? board_side(board) : side_other(board_side(board));
    if (outcome->verdict == PUZZLE_TURN_LOSES || outcome->verdict == PUZZLE_TURN_WINS)
        assert_int_equal(board_winner(&after), winner == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
}

static const char *const names[] = {"X", "O"};

static void test_attempts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SHIPPED; i++) {
        Puzzles puzzles = library_of(shipped[i]);
        PuzzleJudge *judge = judge_of(shipped[i]);
        const Puzzle *puzzle = &puzzles.list[1];
        Board board = board_of(&puzzles, puzzle);
        PuzzleTry attempt;
        puzzle_try(judge, &(PuzzleAttempt){&board, puzzle, &puzzle->solution, names}, NULL, &attempt);
        assert_true(attempt.is_solved);
        require_end(&board, &puzzle->solution, &attempt.outcome);
        puzzle_try_close(&attempt);
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&board, cells), p = board.rules.p, wrong = 0;
        for (unsigned j = 0; j + p <= count && wrong < 4; j += p) {
            PuzzleTurn turn = puzzle_turn_of(cells + j, p);
            if (puzzle_turns_equal(&turn, &puzzle->solution))
                continue;
            puzzle_try(judge, &(PuzzleAttempt){&board, puzzle, &turn, names}, NULL, &attempt);
            assert_false(attempt.is_solved);
            assert_non_null(attempt.words.data);
            require_end(&board, &turn, &attempt.outcome);
            puzzle_try_close(&attempt);
            wrong++;
        }
        puzzle_judge_close(judge);
        puzzles_close(&puzzles);
    }
}

// --- Ratings ---

static void test_ratings(void **state)
{
    (void)state;
    // The example of Glickman's paper: one win against 1400 ± 30 as the only game of 1500 ± 200.
    PuzzleRating person = {1500, 200}, puzzle = {1400, 30};
    puzzle_rating_update(&person, &puzzle, true);
    assert_true(fabs(person.rating - 1563.5) < 0.2 && fabs(person.error - 175.2) < 0.1);
    assert_true(puzzle.rating < 1400 && puzzle.error >= PUZZLE_ERROR_LEAST);
    // Symmetric, and a surprise counts more.
    PuzzleRating a = {1500, 100}, b = {1500, 100};
    puzzle_rating_update(&a, &b, false);
    assert_true(fabs(a.rating + b.rating - 3000) < 1e-9 && a.rating < b.rating);
    assert_true(fabs(puzzle_rating_expected(a, a) - 0.5) < 1e-9);
    // Puzzles that higher levels solve only are rated higher.
    PuzzleLevel levels[PUZZLE_LEVELS_MAX] = {{0, 6}};
    double before = 10000;
    for (unsigned i = 0; i < PUZZLE_LEVELS_MAX; i++)
        levels[i] = (PuzzleLevel){0, 6};
    for (unsigned i = PUZZLE_LEVELS_MAX; i-- > 0;) {
        PuzzleRating rating = puzzle_rating_from_levels(levels, PUZZLE_LEVELS_MAX);
        assert_true(rating.rating < before && rating.error > 0);
        before = rating.rating;
        levels[i].solved = 6;
    }
    assert_true(before < 1000);
}

// --- History ---

static void use_folder(void)
{
    char path[LAB_PATH_SIZE];
    assert_int_equal(setenv("XDG_DATA_HOME", lab_path(path, "data"), 1), 0);
}

static void append_text(const char *text)
{
    char path[LAB_PATH_SIZE];
    FILE *file = fopen(lab_path(path, "data/krow/puzzle-attempts.txt"), "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_history(void **state)
{
    (void)state;
    use_folder();
    Puzzles puzzles = library_of("connect4"), others = library_of("gomoku");
    PuzzleHistory history = {0}, again = {0};
    Error error = {0};
    assert_done(puzzle_history_read(&puzzles, &history, &error), error);
    assert_int_equal(history.tried, 0);
    int first = puzzle_history_next(&puzzles, &history, PUZZLE_ANY);
    assert_true(first >= 0);
    assert_done(puzzle_history_add(&puzzles, (unsigned)first, true, 1000, &history, &error), error);
    double rating = history.person.rating;
    assert_true(rating > PUZZLE_RATING_START);
    append_text("2000 7x6:k=4,gr"); // cut short by a kill
    assert_done(puzzle_history_add(&puzzles, (unsigned)first, false, 3000, &history, &error), error);
    assert_true(history.person.rating == rating); // only the first attempt is rated
    int next = puzzle_history_next(&puzzles, &history, PUZZLE_HARD);
    assert_true(next >= 0 && next != first);
    assert_int_equal(puzzle_difficulty(&puzzles, &puzzles.list[next]), PUZZLE_HARD);
    assert_done(puzzle_history_add(&puzzles, (unsigned)next, false, 4000, &history, &error), error);
    assert_true(history.person.rating < rating);
    // The file has the same.
    assert_done(puzzle_history_read(&puzzles, &again, &error), error);
    assert_true(again.person.rating == history.person.rating && again.person.error == history.person.error);
    assert_int_equal(again.tried, 2);
    assert_int_equal(again.solved, 1);
    assert_true(again.states[first].was_first && !again.states[next].is_solved);
    puzzle_history_close(&again);
    // Other games have their own ratings; another position of the same number is another puzzle.
    assert_done(puzzle_history_read(&others, &again, &error), error);
    assert_int_equal(again.tried, 0);
    puzzle_history_close(&again);
    free(puzzles.list[first].start);
    puzzles.list[first].start = strdup(puzzles.list[next].start);
    assert_done(puzzle_history_read(&puzzles, &again, &error), error);
    assert_int_equal(again.tried, 1);
    puzzle_history_close(&again);
    puzzle_history_close(&history);
    puzzles_close(&puzzles);
    puzzles_close(&others);
}

// The user's own puzzles come after those of krow.
static void test_own_puzzles(void **state)
{
    (void)state;
    use_folder();
    static const char rules[] = "4x4:k=4,gravity";
    Puzzles own = begun(rules);
    Error error = {0};
    PuzzleRecipe recipe = {.count = 1, .first = PUZZLE_OWN_FIRST, .jobs = 1};
    assert_done(puzzles_make(&own, &recipe, &error), error);
    Text text = text_of(&own), path = {0};
    assert_done(puzzle_library_path(&own.rules, false, &path, &error), error);
    assert_done(file_write(path.data, (Span){text.data, text.length}, &error), error);
    Puzzles all = library_of(rules);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.list[0].number, PUZZLE_OWN_FIRST);
    assert_true(puzzle_of_day(&all, 0) == 0);
    text_close(&text);
    text_close(&path);
    puzzles_close(&all);
    puzzles_close(&own);
}

TEST_GROUP(puzzles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped_puzzles_are_puzzles),
        cmocka_unit_test(test_wrong_puzzles_do_not_pass),
        cmocka_unit_test(test_second_solutions_are_found),
        cmocka_unit_test(test_every_other_turn_must_fail),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_making),
        cmocka_unit_test(test_given_games_end),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_ratings),
        LAB_TEST(test_history),
        LAB_TEST(test_own_puzzles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
