// Tests of the opening explorer: continuations compared with boards of all symmetric images, reading in pieces, books.
#include "support/lab.h"

#include "base/clock.h"
#include "game/notation.h"
#include "lab/explorer_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 60, LONGEST = 32 };

typedef struct {
    Rules rules;
    Result results[GAMES];
    unsigned lengths[GAMES];
    Cell stones[GAMES][LONGEST];
} Set;

static Result result_of(const Board *board)
{
    Winner winner = board_winner(board);
    return winner == WINNER_FIRST ? RESULT_FIRST : winner == WINNER_SECOND ? RESULT_SECOND : RESULT_DRAW;
}

// Random games; some are given up by the side to move, others are drawn by agreement.
static void make_games(Set *set, const char *rules, uint64_t seed)
{
    Rng rng = rng_make(seed);
    set->rules = rules_of(rules);
    for (unsigned i = 0; i < GAMES; i++) {
        Game game;
        Cell legal[RULES_CELLS_MAX];
        game_init(&game, &set->rules);
        unsigned most = rng_below(&rng, 3) == 0 ? rng_below(&rng, 12) : LONGEST;
        while (!game_is_over(&game) && game.played < most)
            game_play(&game, legal[rng_below(&rng, board_legal_cells(&game.board, legal))]);
        set->results[i] = game_is_over(&game)            ? result_of(&game.board)
                          : rng_below(&rng, 2) == 0      ? RESULT_DRAW
                          : board_side(&game.board) == 0 ? RESULT_SECOND
                                                         : RESULT_FIRST;
        set->lengths[i] = game.played;
        memcpy(set->stones[i], game.stones, game.played * sizeof(Cell));
    }
}

static void store(Database *db, const Set *set, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        char text[600], rules[RULES_TEXT_SIZE];
        rules_format(&set->rules, rules);
        int length = snprintf(text, sizeof text, "# krow game\ngame %s\nevent %u\nstones", rules, i);
        for (unsigned j = 0; j < set->lengths[i]; j++) {
            char name[CELL_TEXT_SIZE];
            cell_format(set->stones[i][j], name);
            length += snprintf(text + length, sizeof text - (size_t)length, " %s", name);
        }
        (void)snprintf(text + length, sizeof text - (size_t)length, "\nresult %s\n", result_name(set->results[i]));
        lab_import(db, "games", text, 1, 0);
    }
}

static Explorer *read_all(Database *db, const Rules *rules)
{
    Explorer *explorer = explorer_open(rules);
    Error error = {0};
    bool is_complete = false;
    assert_done(explorer_update(explorer, db, 0, &is_complete, &error), error);
    assert_true(is_complete);
    return explorer;
}

// --- The plain way ---

typedef struct {
    const Set *set;
    const Board *position;
    unsigned before, placed, whole; // stones before the turn, of it so far, and of the whole turn
    bool fits;
    unsigned rest_count;
    Cell rest[LONGEST];
} Plain;

// Compares a board of some stones of a turn, the bits of `chosen`, with the position.
static void try_choice(Plain *plain, const Cell *stones, unsigned count, unsigned chosen)
{
    Board board;
    board_init(&board, &plain->set->rules);
    Cell rest[LONGEST];
    unsigned rest_count = 0;
    for (unsigned i = 0; i < plain->before; i++) {
        Game sides = {.board = board, .start = board.state};
        board_put(&board, stones[i], game_side_of(&sides, i));
    }
    for (unsigned i = 0; i < count; i++)
        if (chosen >> i & 1)
            board_put(&board, stones[plain->before + i], board_side(plain->position));
        else
            rest[rest_count++] = stones[plain->before + i];
    for (unsigned row = 0; row < board.rules.height; row++)
        if (memcmp(board.line[row], plain->position->line[row], sizeof board.line[row]) != 0)
            return;
    qsort(rest, rest_count, sizeof(Cell), cell_compare);
    bool is_less = false;
    for (unsigned i = 0; i < rest_count && plain->fits && rest[i] == plain->rest[i]; i++)
        is_less = i + 1 < rest_count && rest[i + 1] < plain->rest[i + 1];
    is_less = is_less || (rest_count > 0 && plain->fits && rest[0] < plain->rest[0]);
    if (!plain->fits || is_less)
        memcpy(plain->rest, rest, rest_count * sizeof(Cell));
    plain->rest_count = rest_count;
    plain->fits = true;
}

// Whether game i reached the position in an image, and the least rest of its turn.
static bool reaches(Plain *plain, unsigned i)
{
    const Set *set = plain->set;
    unsigned left = set->lengths[i] - plain->before, count = left < plain->whole ? left : plain->whole;
    plain->fits = false;
    if (set->lengths[i] < plain->before + plain->placed)
        return false;
    for (Symmetry symmetry = 0; symmetry < symmetry_count(&set->rules); symmetry++) {
        Cell stones[LONGEST] = {0};
        for (unsigned j = 0; j < set->lengths[i]; j++)
            stones[j] = symmetry_cell(&set->rules, symmetry, set->stones[i][j]);
        for (unsigned chosen = 0; chosen < 1u << count; chosen++)
            if ((unsigned)__builtin_popcount(chosen) == plain->placed)
                try_choice(plain, stones, count, chosen);
    }
    return plain->fits;
}

static bool is_whole_turn(const Plain *plain, unsigned i)
{
    const Set *set = plain->set;
    unsigned count = plain->rest_count + plain->placed;
    Result won = board_side(plain->position) == SIDE_FIRST ? RESULT_FIRST : RESULT_SECOND;
    return count == plain->whole || set->results[i] == won || set->lengths[i] == plain->position->cells;
}

static void compare(const Explorer *explorer, const Set *set, const Game *game)
{
    const Rules *rules = &set->rules;
    ExplorerPosition found = {0}, plain_found = {0};
    explorer_find(explorer, &game->board, &found);
    unsigned n = game->played, placed = n < rules->q ? n : (n - rules->q) % rules->p;
    Plain plain = {.set = set,
                   .position = &game->board,
                   .before = n - placed,
                   .placed = placed,
                   .whole = n < rules->q ? rules->q : rules->p};
    uint64_t games[4] = {0};
    for (unsigned i = 0; i < GAMES; i++)
        if (reaches(&plain, i)) {
            games[set->results[i]]++;
            if (plain.rest_count > 0 && is_whole_turn(&plain, i)) {
                size_t move = explorer_position_move(&plain_found, plain.rest, plain.rest_count);
                plain_found.moves[move].counts.first += set->results[i] == RESULT_FIRST;
                plain_found.moves[move].counts.draws += set->results[i] == RESULT_DRAW;
                plain_found.moves[move].counts.second += set->results[i] == RESULT_SECOND;
            }
        }
    assert_int_equal(found.counts.first, games[RESULT_FIRST]);
    assert_int_equal(found.counts.draws, games[RESULT_DRAW]);
    assert_int_equal(found.counts.second, games[RESULT_SECOND]);
    explorer_position_sort(&plain_found);
    assert_int_equal(found.move_count, plain_found.move_count);
    for (size_t i = 0; i < found.move_count; i++) {
        const ExplorerMove *a = &found.moves[i], *b = &plain_found.moves[i];
        assert_int_equal(a->count, b->count);
        assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
        assert_memory_equal(found.stones + a->stones, plain_found.stones + b->stones, a->count * sizeof(Cell));
    }
    explorer_position_close(&found);
    explorer_position_close(&plain_found);
}

static void test_same_as_boards(void **state)
{
    (void)state;
    static const char *const rules[] = {"tictactoe", "4x3:k=3,gravity", "4x4:k=4,p=2,q=1", "4x4:k=3,p=3,q=2",
                                        "5x2:k=3,p=2,q=2,gravity"};
    Set *set = calloc(1, sizeof *set);
    for (unsigned r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        Database *db = lab_open();
        make_games(set, rules[r], r);
        store(db, set, 0, GAMES);
        Explorer *explorer = read_all(db, &set->rules);
        assert_int_equal(explorer_games(explorer), GAMES);
        for (unsigned i = 0; i < GAMES; i += 3) {
            Game game;
            game_init(&game, &set->rules);
            for (unsigned j = 0; j < set->lengths[i] && j < 7; j++) {
                compare(explorer, set, &game);
                game_play(&game, set->stones[i][j]);
                if (game_is_over(&game))
                    break;
            }
        }
        explorer_close(explorer);
        database_close(db);
    }
    free(set);
}

// Positions that no game has: an irregular one, and one after the end.
static void test_no_games(void **state)
{
    (void)state;
    Database *db = lab_open();
    lab_import(db, "games", "# krow game\ngame 3x3:k=3\nstones b2 a1 a2 b1 c2\nresult first\n", 1, 0);
    Rules rules = rules_of("tictactoe");
    Explorer *explorer = read_all(db, &rules);
    ExplorerPosition found = {0};
    Game game;
    read_drawing(&game, "tictactoe", ". . .\n. X .\n. . .\nturn X 1\n");
    assert_false(explorer_is_regular(&game.board));
    explorer_find(explorer, &game.board, &found);
    assert_int_equal(explorer_count(found.counts), 0);
    begin_game(&game, "tictactoe");
    play_text(&game, "b2 a1 a2 b1 c2");
    explorer_find(explorer, &game.board, &found);
    assert_int_equal(explorer_count(found.counts), 0);
    explorer_position_close(&found);
    explorer_close(explorer);
    database_close(db);
}

// Games without a result, with a fault, or from a set-up position do not count.
static void test_left_out(void **state)
{
    (void)state;
    Database *db = lab_open();
    lab_import(db, "games", "# krow game\ngame 3x3:k=3\nstones b2 a1\n", 1, 0);
    lab_import(db, "games",
               "# krow game\ngame 3x3:k=3\nrow . . .\nrow . X .\nrow . . .\nturn O 1\nstones a1\nresult first\n", 1, 0);
    lab_import(db, "games", "# krow game\ngame 3x3:k=3\nstones b2 a1 b1\nresult draw\n", 1, 0);
    lab_import(db, "games", "# krow game\ngame 4x4:k=3\nstones b2 a1 b1\nresult draw\n", 1, 0);
    Rules rules = rules_of("tictactoe");
    Explorer *explorer = read_all(db, &rules);
    assert_int_equal(explorer_games(explorer), 1);
    explorer_close(explorer);
    database_close(db);
}

// New games are read by the next update; after one was removed, all are read again. A deadline stops the reading.
static void test_updates(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Error error = {0};
    bool is_complete = true;
    Set *set = calloc(1, sizeof *set);
    Database *db = lab_open();
    make_games(set, "tictactoe", 9);
    store(db, set, 0, 20);
    Explorer *explorer = explorer_open(&set->rules);
    assert_done(explorer_update(explorer, db, clock_seconds() - 1, &is_complete, &error), error);
    assert_false(is_complete);
    assert_int_equal(explorer_games(explorer), 0);
    assert_done(explorer_update(explorer, db, 0, &is_complete, &error), error);
    assert_true(is_complete);
    assert_int_equal(explorer_games(explorer), 20);
    store(db, set, 20, 25);
    assert_done(explorer_update(explorer, db, 0, &is_complete, &error), error);
    assert_int_equal(explorer_games(explorer), 25);
    (void)lab_sql(lab_db(path, "krow.db"), "DELETE FROM games WHERE id = 3");
    assert_done(explorer_update(explorer, db, 0, &is_complete, &error), error);
    assert_int_equal(explorer_games(explorer), 24);
    assert_done(explorer_update(explorer, NULL, 0, &is_complete, &error), error);
    explorer_close(explorer);
    database_close(db);
    free(set);
}

// Books and games of symmetric turns share a line; books alone have lines without games.
static void test_books(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    lab_import(db, "games", "# krow game\ngame 3x3:k=3\nstones b2 c3 a1\nresult draw\n", 1, 0);
    BookGraph graph = {
        .spec = {.name = "small", .rules = rules_of("tictactoe"), .encoding = ENCODING_ABSOLUTE, .turns = 3}};
    static const Cell games[3][2] = {{65, 0}, {65, 2}, {65, 1}}; // b2, then a1, c1, b1
    for (unsigned i = 0; i < 3; i++)
        assert_done(book_graph_add(&graph, games[i], 2, (BookCounts){.wins = 1}, &error), error);
    book_graph_sort(&graph);
    assert_done(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 1234, &error), error);
    book_graph_close(&graph);
    ExplorerView *view = calloc(1, sizeof *view);
    begin_game(&view->game, "tictactoe");
    play_text(&view->game, "b2");
    Explorer *explorer = read_all(db, &view->game.board.rules);
    assert_done(explorer_view_fill(view, explorer, db, &error), error);
    assert_int_equal(view->found.move_count, 2);
    assert_int_equal(view->found.stones[view->found.moves[0].stones], 0); // a1
    assert_int_equal(explorer_count(view->found.moves[0].counts), 1);
    assert_int_equal(explorer_view_book(view, 0, 0)->counts.wins, 2);
    assert_int_equal(explorer_count(view->found.moves[1].counts), 0);
    assert_int_equal(explorer_view_book(view, 0, 1)->counts.wins, 1);
    assert_int_equal(view->in_book[0].wins, 3);
    assert_null(explorer_view_reason(view));
    explorer_view_close(view);
    explorer_close(explorer);
    free(view);
    database_close(db);
}

// The engine's book has one image of the first turn, and an answer in every image of it.
static void test_engine_book(void **state)
{
    (void)state;
    Error error = {0};
    static const char *const openings[] = {"", "h8", "h8 g8", "h8 h9", "h8 i8"};
    for (unsigned i = 0; i < 5; i++) {
        ExplorerView *view = calloc(1, sizeof *view);
        begin_game(&view->game, "gomoku");
        play_text(&view->game, openings[i]);
        Explorer *explorer = explorer_open(&view->game.board.rules);
        assert_done(explorer_view_fill(view, explorer, NULL, &error), error);
        assert_int_equal(view->engine_count, 1);
        assert_true(explorer_view_is_engine(view, 0));
        assert_true(board_is_legal(&view->game.board, view->found.stones[view->found.moves[0].stones]));
        assert_true(view->engine_score != 0);
        explorer_view_close(view);
        explorer_close(explorer);
        free(view);
    }
}

TEST_GROUP(explorer)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_same_as_boards),      LAB_TEST(test_no_games), LAB_TEST(test_left_out), LAB_TEST(test_books),
        cmocka_unit_test(test_engine_book), LAB_TEST(test_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
