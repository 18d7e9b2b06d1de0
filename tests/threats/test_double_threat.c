// Tests of the double-threat search: every claimed win is played against every reply, and on small boards a simple
// search finds the same wins, including those with free stones.
#include "support/check.h"

#include "agents/agent.h"
#include "bench/positions/proof.h"
#include "match/referee.h"
#include "threats/lines.h"
#include "threats/search/double_threat_internal.h"
#include "threats/threats.h"

#include <stdlib.h>
#include <string.h>

static DoubleThreat *open_search(const Rules *rules, size_t bytes)
{
    DoubleThreat *search = NULL;
    Error error = {0};
    assert_done(double_threat_open(&search, rules, bytes, &error), error);
    return search;
}

static void check_proof(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply)
{
    Proof proof;
    proof_check(search, board, result, every_reply, &proof);
    if (proof.fault == NULL)
        return;
    print_board(board);
    print_error("win in %u: %s\n", result->turns, proof.fault);
    fail();
}

// --- Random positions ---

typedef struct {
    const char *rules;
    unsigned least, most; // stones
} Shape;

static const Shape shapes[] = {
    {"8x8:k=5,p=2", 8, 26},  {"7x7:k=4,p=2", 3, 14},        {"9x9:k=6,p=2", 12, 34}, {"8x8:k=5,p=2,exact", 8, 26},
    {"9x9:k=5", 12, 30},     {"7x7:k=4,exact", 8, 20},      {"6x6:k=5,p=3", 6, 18},  {"9x5:k=5,p=2,q=2", 8, 24},
    {"12x2:k=6,p=2", 4, 12}, {"7x7:k=6,p=3,exact", 10, 24}, {"6x6:k=6,p=4", 8, 20},  {"5x5:k=3,p=2", 0, 6},
};

static void test_random_wins(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    unsigned found[4] = {0}; // wins by their turns, those of four and more together
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        DoubleThreat *search = open_search(&rules, 1 << 16);
        for (unsigned long step = 0; step < test_steps() / 300; step++) {
            Board board;
            unsigned stones = shapes[i].least + rng_below(&rng, shapes[i].most - shapes[i].least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            DoubleThreatResult result;
            double_threat_run(search, &board, &(Limits){.nodes = 200}, &result);
            if (result.verdict != DOUBLE_THREAT_WON)
                continue;
            found[result.turns < 4 ? result.turns - 1 : 3]++;
            check_proof(search, &board, &result, rules.p < 3);
        }
        double_threat_close(search);
    }
    for (int i = 0; i < 4; i++)
        assert_true(found[i] > 0);
}

// --- A simple version of the search ---

static bool plain_attack(Board *board, unsigned turns);

// Whether the attacker wins against every reply: every set of cells from this cell on.
static bool plain_replies(Board *board, Side attacker, unsigned from, unsigned turns)
{
    if (board_winner(board) != WINNER_NONE)
        return false;
    if (board_is_over(board) || board_side(board) == attacker)
        return !board_is_over(board) &&
               (lines_can_complete(board, attacker, board_stones_left(board)) || plain_attack(board, turns));
    bool wins = true;
    for (unsigned cell = from; cell < RULES_CELLS_MAX && wins; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            wins = plain_replies(board, attacker, cell + 1, turns);
            board_undo(board, (Cell)cell, before);
        }
    return wins;
}

// A whole turn of the attacker is on the board: of the right kind, and winning?
static bool plain_after_turn(Board *board, Side attacker, unsigned turns)
{
    if (board_is_over(board))
        return board_winner(board) != WINNER_NONE;
    if (lines_can_complete(board, side_other(attacker), board_stones_left(board)) ||
        threats_exact(board, attacker).count < board->rules.p)
        return false;
    return plain_replies(board, attacker, 0, turns);
}

static bool plain_turns(Board *board, Side attacker, unsigned from, unsigned turns)
{
    if (board_is_over(board) || board_side(board) != attacker)
        return plain_after_turn(board, attacker, turns);
    bool wins = false;
    for (unsigned cell = from; cell < RULES_CELLS_MAX && !wins; cell++)
        if (board_is_legal(board, (Cell)cell)) {
            BoardState before = board_play(board, (Cell)cell);
            wins = plain_turns(board, attacker, cell + 1, turns);
            board_undo(board, (Cell)cell, before);
        }
    return wins;
}

// Whether the side to move wins within this many turns, including the turn that completes the row.
static bool plain_attack(Board *board, unsigned turns)
{
    Side attacker = board_side(board);
    if (lines_can_complete(board, attacker, board_stones_left(board)))
        return turns > 0;
    return turns > 1 && plain_turns(board, attacker, 0, turns - 1);
}

// Rules small enough for the simple search; the last number is its depth in turns.
static const struct {
    Shape shape;
    unsigned turns;
} small[] = {
    {{"5x5:k=4,p=2", 6, 14}, 3},       {{"6x5:k=5,p=2", 10, 20}, 3},  {{"6x6:k=4", 8, 22}, 4},
    {{"5x5:k=4,p=2,exact", 6, 14}, 3}, {{"6x6:k=4,exact", 8, 22}, 4}, {{"4x4:k=4,p=3", 4, 10}, 3},
    {{"7x4:k=5,p=2,q=2", 8, 18}, 3},   {{"12x2:k=6,p=2", 4, 12}, 3},
};

static void test_complete(void **state)
{
    (void)state;
    Rng rng = rng_make(8);
    unsigned wins = 0, long_wins = 0, none = 0;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        Rules rules = rules_of(small[i].shape.rules);
        DoubleThreat *search = open_search(&rules, 1 << 16);
        for (unsigned long step = 0; step < test_steps() / 300; step++) {
            Board board;
            unsigned stones = small[i].shape.least + rng_below(&rng, small[i].shape.most - small[i].shape.least + 1);
            if (!scatter_stones(&board, &rules, stones, &rng))
                continue;
            DoubleThreatResult result;
            double_threat_run(search, &board, &(Limits){.depth = small[i].turns}, &result);
            unsigned plain = 1;
            while (plain <= small[i].turns && !plain_attack(&board, plain))
                plain++;
            bool won = result.verdict == DOUBLE_THREAT_WON;
            if (won ? result.turns != plain : plain <= small[i].turns) {
                print_board(&board);
                print_error("verdict %d, %u turns; plainly %u\n", (int)result.verdict, result.turns, plain);
                fail();
            }
            // A position without such a win in any number of turns has none in a few more turns.
            assert_true(result.verdict != DOUBLE_THREAT_NONE || !plain_attack(&board, small[i].turns + 3));
            wins += won;
            long_wins += won && result.turns > 2;
            none += result.verdict == DOUBLE_THREAT_NONE;
        }
        double_threat_close(search);
    }
    print_message("# %u wins, %u of more than two turns, %u none\n", wins, long_wins, none);
    assert_true(wins > 0 && long_wins > 0 && none > 0);
}

// --- Lists of turns ---

enum { LIST_MAX = 1 << 14 };

static bool go_on(void *context)
{
    (void)context;
    return false;
}

static bool is_listed(const DoubleThreatTurn *list, unsigned count, const CellSet *turn)
{
    for (unsigned i = 0; i < count; i++)
        if (cell_sets_equal(&list[i].stones, turn))
            return true;
    return false;
}

// Whether a stone there may matter within one more turn: the attacker or the defender can have a threat through it
// after their next turn.
static bool can_come_to_matter(const Board *board, Cell cell, Side attacker)
{
    static Window windows[WINDOWS_MAX];
    unsigned count = windows_all(board, windows), p = board->rules.p;
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned stones[3] = {0};
        bool is_here = false;
        (void)window_cells(board, windows[i].line, window_bits(board, windows[i]), cells);
        for (unsigned j = 0; j < board->rules.k; j++) {
            is_here = is_here || cells[j] == cell;
            stones[board_stone(board, cells[j])]++;
        }
        if (is_here && ((stones[!attacker] == 0 && stones[STONE_NONE] <= 2 * p + 1) ||
                        (stones[attacker] == 0 && stones[STONE_NONE] <= 2 * p)))
            return true;
    }
    return false;
}

// One stone alone makes the double threat, and the other cannot matter. Under `exact` it might do harm, so that all
// cells are needed.
static bool is_left_out(const Board *before, const CellSet *turn)
{
    Side attacker = board_side(before);
    for (unsigned i = 0; i < 2 && !before->rules.exact; i++) {
        Board board = *before;
        (void)board_play(&board, turn->cell[i]);
        if (threats_exact(&board, attacker).count >= 2 && !can_come_to_matter(&board, turn->cell[1 - i], attacker))
            return true;
    }
    return false;
}

static void check_pair(const Board *before, const CellSet *turn, const DoubleThreatTurn *list, unsigned count)
{
    Board board = *before;
    Side attacker = board_side(before);
    (void)board_play(&board, turn->cell[0]);
    (void)board_play(&board, turn->cell[1]);
    bool is_turn = !board_is_over(&board) && !lines_can_complete(&board, side_other(attacker), 2) &&
                   threats_exact(&board, attacker).count >= 2;
    bool listed = is_listed(list, count, turn);
    if (listed == is_turn || (is_turn && is_left_out(before, turn)))
        return;
    print_board(before);
    print_error("cells %u and %u: listed %d, a turn %d\n", turn->cell[0], turn->cell[1], listed, is_turn);
    fail();
}

// Every pair of cells: those listed are turns of double threats, and no others are missing than free stones that could
// not matter.
static void test_lists(void **state)
{
    (void)state;
    static WindowTally tally;
    static Turns turns;
    static DoubleThreatTurn list[LIST_MAX];
    const char *const rules_texts[] = {"8x7:k=6,p=2", "6x6:k=5,p=2", "9x4:k=6,p=2,exact", "7x7:k=7,p=2"};
    Rng rng = rng_make(12);
    for (unsigned long n = 0; n < test_steps() / 100; n++) {
        Rules rules = rules_of(rules_texts[n % 4]);
        Board board;
        if (!scatter_stones(&board, &rules, 7 + 4 * rng_below(&rng, 6), &rng) ||
            lines_can_complete(&board, board_side(&board), 2))
            continue;
        window_tally_init(&tally, &rules);
        window_tally_set(&tally, &board);
        unsigned count = 0;
        turns.poll = go_on;
        if (turns_begin(&turns, &tally)) {
            turns_make(&turns, &(TurnsWanted){.target = 2, .later = 1, .free = FREE_ALL}, list, LIST_MAX);
            count = turns.count;
        }
        Cell cells[RULES_CELLS_MAX];
        unsigned empty = board_legal_cells(&board, cells);
        for (unsigned i = 0; i < empty; i++)
            for (unsigned j = i + 1; j < empty; j++)
                check_pair(&board, &(CellSet){{cells[i], cells[j], CELL_NONE, CELL_NONE}}, list, count);
    }
}

// One stone makes two threats, and the other is free: exactly one cell is listed for it.
static void test_one_filler(void **state)
{
    (void)state;
    static WindowTally tally;
    static Turns turns;
    static DoubleThreatTurn list[LIST_MAX];
    Game game;
    read_drawing(&game, "12x12:k=5,p=2",
                 "............\n............\n............\n............\n............\n...O........\n..O.XX......\n"
                 "...X........\n...X........\n............\n............\n............\nturn X 2\n");
    window_tally_init(&tally, &game.board.rules);
    window_tally_set(&tally, &game.board);
    turns.poll = go_on;
    assert_true(turns_begin(&turns, &tally));
    turns_make(&turns, &(TurnsWanted){.target = 2, .later = 0, .free = FREE_ANYWHERE}, list, LIST_MAX);
    unsigned with = 0;
    for (unsigned i = 0; i < turns.count; i++)
        with += cell_set_has(&list[i].stones, cell_of(&game.board.rules, "d6"));
    assert_int_equal(with, 1);
}

// --- Hand-made positions ---

static DoubleThreatResult search_drawing(const char *rules, const char *drawing, unsigned turns)
{
    Game game;
    read_drawing(&game, rules, drawing);
    DoubleThreat *search = open_search(&game.board.rules, 1 << 16);
    DoubleThreatResult result;
    double_threat_run(search, &game.board, &(Limits){.depth = turns}, &result);
    if (result.verdict == DOUBLE_THREAT_WON)
        check_proof(search, &game.board, &result, true);
    double_threat_close(search);
    return result;
}

static void check_drawing(const char *rules, const char *drawing, DoubleThreatVerdict verdict, unsigned turns)
{
    DoubleThreatResult result = search_drawing(rules, drawing, 0);
    if (result.verdict == verdict && (verdict == DOUBLE_THREAT_NONE || result.turns == turns))
        return;
    print_error("%s\n%sverdict %d, %u turns; expected %d, %u\n", rules, drawing, (int)result.verdict, result.turns,
                (int)verdict, turns);
    fail();
}

static void test_drawings(void **state)
{
    (void)state;
    // A row at once, by the window that needs fewest stones; in the middle of a turn only if one stone is enough.
    check_drawing("8x1:k=5,p=2", "XX.XX...\nturn X 2\n", DOUBLE_THREAT_WON, 1);
    check_drawing("8x1:k=5,p=2", "XX.XX...\nturn X 1\n", DOUBLE_THREAT_WON, 1);
    check_drawing("9x1:k=6,p=2", ".XXXX....\nturn X 2\n", DOUBLE_THREAT_WON, 1);
    // Five that are open on both sides need a stone on each; there are three, and so on.
    check_drawing("9x3:k=6,p=2", ".........\n..XXX....\n..XXX....\nturn X 2\n", DOUBLE_THREAT_WON, 2);
    // The defender's four must be answered first; then no attack is left.
    check_drawing("9x3:k=6,p=2", ".OOOO....\n..XXX....\n.........\nturn X 2\n", DOUBLE_THREAT_NONE, 0);
    // A stone in a window that threatens already, in the middle of a turn.
    check_drawing("5x5:k=4,p=2", "X....\n....X\n...XO\n.....\n.OO..\nturn O 1\n", DOUBLE_THREAT_WON, 3);
    // One stone a turn: an open four; a four and another; a four whose answer is a five.
    check_drawing("8x1:k=5", "..XXX...\nturn X 1\n", DOUBLE_THREAT_WON, 2);
    check_drawing("6x6:k=5", "......\n...X..\n...X..\nOXX.X.\n......\n...X..\nturn X 1\n", DOUBLE_THREAT_WON, 2);
    check_drawing("8x2:k=5", "OOO.O...\n..XXX...\nturn X 1\n", DOUBLE_THREAT_NONE, 0);
    // Here the free stone of the first turn matters: on any cell but the right ones there is no win.
    check_drawing("6x6:k=5,p=2", "O....X\nO...O.\n....O.\nXX.X.X\n.....X\n.OO...\nturn X 1\n", DOUBLE_THREAT_WON, 3);
    check_drawing("6x6:k=5,p=2", ".X....\nO....O\nO.....\n.O..X.\n...X..\n..OXOX\nturn X 2\n", DOUBLE_THREAT_WON, 3);
    check_drawing("6x6:k=5,p=2", "XO..X.\n....X.\n.O.X..\n...OXO\n.X....\nO.O...\nturn X 1\n", DOUBLE_THREAT_WON, 3);
    // And here one that is far from everything else: windows through it need five stones more, or the defender four.
    check_drawing("8x8:k=6,p=2",
                  ".XXOX..O\n..X.....\n.....O..\nX.O..OXX\nO.X.....\n.....O..\nX.......\n....O...\nturn O 2\n",
                  DOUBLE_THREAT_WON, 5);
    // Six in a row are no five under `exact`.
    check_drawing("9x1:k=5,exact", "OXXXX.X..\nturn X 1\n", DOUBLE_THREAT_NONE, 0);
    check_drawing("9x1:k=5", "OXXXX.X..\nturn X 1\n", DOUBLE_THREAT_WON, 1);
}

static void test_suits(void **state)
{
    (void)state;
    Rules connect6 = rules_of("connect6"), connect4 = rules_of("connect4"), five = rules_of("9x9:k=6,p=5");
    assert_true(double_threat_suits(&connect6));
    assert_false(double_threat_suits(&connect4));
    assert_false(double_threat_suits(&five));
}

// --- Games of an agent ---

typedef struct {
    DoubleThreat *search;
    unsigned wins, long_wins;
    uint64_t key; // hash of all results
} Played;

static void check_line(DoubleThreat *search, const Board *board, const DoubleThreatResult *result)
{
    CellSet line[2 * DOUBLE_THREAT_TURNS_MAX];
    Board after = *board;
    Side attacker = board_side(board);
    unsigned count = double_threat_line(search, result, line);
    assert_true(count % 2 == 1 && count < 2 * result->turns);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(board_side(&after) == attacker, i % 2 == 0);
        for (unsigned j = 0; j < cell_set_count(&line[i]); j++) {
            assert_true(board_is_legal(&after, line[i].cell[j]));
            (void)board_play(&after, line[i].cell[j]);
        }
        bool is_last = i + 1 == count && board_winner(&after) == WINNER_NONE;
        if (is_last)
            assert_int_equal(threats_exact(&after, attacker).count, board->rules.p + 1);
    }
}

static void look_at_position(Played *played, const Board *board)
{
    DoubleThreatResult result;
    double_threat_run(played->search, board, &(Limits){.nodes = 2000}, &result);
    played->key = (played->key ^ result.nodes ^ (uint64_t)result.verdict << 32) * UINT64_C(0x9e3779b97f4a7c15);
    assert_true(result.nodes <= 2001);
    if (result.verdict != DOUBLE_THREAT_WON)
        return;
    played->wins++;
    played->long_wins += result.turns > 3;
    check_proof(played->search, board, &result, false);
    check_line(played->search, board, &result);
}

static void play_games(Played *played, const char *rules_text, unsigned games)
{
    static Game game;
    static Decision decision;
    Rules rules = rules_of(rules_text);
    Error error = {0};
    Agent agent;
    played->search = open_search(&rules, 1 << 20);
    assert_done(agent_open(&agent, span_of("adjacent"), &rules, &error), error);
    for (unsigned i = 0; i < games; i++) {
        Rng rng = rng_make(i);
        game_init(&game, &rules);
        while (!game_is_over(&game)) {
            agent_decide(&agent, &game, &(AgentTask){.rng = &rng}, &decision);
            assert_done(referee_play(&game, &decision, &error), error);
            if (!game_is_over(&game) && game.played > rules.k)
                look_at_position(played, &game.board);
        }
    }
    agent_close(&agent);
    double_threat_close(played->search);
}

static void test_games(void **state)
{
    (void)state;
    unsigned games = (unsigned)(test_steps() / 20000 + 1);
    Played connect6 = {0}, again = {0}, gomoku = {0};
    play_games(&connect6, "connect6", games);
    play_games(&again, "connect6", games);
    play_games(&gomoku, "gomoku", games);
    print_message("# %u and %u wins, %u and %u long\n", connect6.wins, gomoku.wins, connect6.long_wins,
                  gomoku.long_wins);
    assert_true(connect6.wins > 0 && gomoku.wins > 0);
    assert_true(connect6.key == again.key);
}

// --- Limits and walks ---

static const char threes[] = "............\n"
                             "............\n"
                             "..XX...XX...\n"
                             "..XX...XX...\n"
                             "............\n"
                             ".....XX.....\n"
                             "............\n"
                             "turn X 2\n";

static void test_limits(void **state)
{
    (void)state;
    Game game;
    atomic_bool stop;
    atomic_init(&stop, true);
    read_drawing(&game, "12x7:k=6,p=2", threes);
    DoubleThreat *search = open_search(&game.board.rules, 0);
    DoubleThreatResult whole, result;
    double_threat_run(search, &game.board, &(Limits){0}, &whole);
    assert_int_equal(whole.verdict, DOUBLE_THREAT_WON);
    assert_true(whole.turns > 2);
    double_threat_run(search, &game.board, &(Limits){.depth = whole.turns - 1}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == whole.turns - 1);
    double_threat_run(search, &game.board, &(Limits){.nodes = whole.nodes - 1}, &result);
    assert_int_equal(result.verdict, DOUBLE_THREAT_LIMIT);
    double_threat_run(search, &game.board, &(Limits){.nodes = whole.nodes}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_WON && cell_sets_equal(&result.turn, &whole.turn));
    double_threat_run(search, &game.board, &(Limits){.stop = &stop}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.nodes == 1);
    double_threat_close(search);
}

// More ways to make a threat than the list of options can hold: then the search claims only wins in one turn.
static void test_full_lists(void **state)
{
    (void)state;
    Rules rules = rules_of("30x30:k=9,p=4");
    Board board;
    board_init(&board, &rules);
    const char *const cells[] = {"h8", "u7", "g20", "v21"};
    for (int i = 0; i < 4; i++)
        board_put(&board, cell_of(&rules, cells[i]), SIDE_FIRST);
    (void)board_set_turn(&board, SIDE_FIRST, 4);
    DoubleThreat *search = open_search(&rules, 0);
    DoubleThreatResult result;
    double_threat_run(search, &board, &(Limits){.depth = 3}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == 1);
    double_threat_close(search);
}

// A turn with more stones than the search supports: only the second turn of the game is searched.
static void test_long_first_turn(void **state)
{
    (void)state;
    Rules rules = rules_of("9x9:k=6,p=2,q=5");
    Board board;
    board_init(&board, &rules);
    DoubleThreat *search = open_search(&rules, 0);
    DoubleThreatResult result;
    double_threat_run(search, &board, &(Limits){0}, &result);
    assert_true(result.verdict == DOUBLE_THREAT_LIMIT && result.turns == 0);
    double_threat_close(search);
}

static bool count_to_two(void *context, const DoubleThreatStep *step)
{
    unsigned *visits = context;
    assert_int_equal(step->level, *visits);
    return ++*visits < 2;
}

static void test_walk(void **state)
{
    (void)state;
    Game game;
    DoubleThreatResult result;
    read_drawing(&game, "12x7:k=6,p=2", threes);
    DoubleThreat *search = open_search(&game.board.rules, 1 << 16);
    double_threat_run(search, &game.board, &(Limits){0}, &result);
    unsigned visits = 0;
    assert_false(double_threat_walk(search, &result, count_to_two, &visits));
    assert_int_equal(visits, 2);
    Proof proof;
    proof_check(search, &game.board, &result, true, &proof);
    assert_true(proof.fault == NULL && proof.positions > 1 && proof.replies > proof.positions);
    // The same with a table for one position.
    double_threat_close(search);
    search = open_search(&game.board.rules, 0);
    double_threat_run(search, &game.board, &(Limits){0}, &result);
    check_proof(search, &game.board, &result, true);
    double_threat_close(search);
}

// --- The check must refute wrong wins ---

static const char *fault_of(const char *drawing, const char *turn, unsigned level, unsigned answers, bool every_reply)
{
    static Game game;
    CellSet stones = cell_set_none;
    Span rest = span_of(turn), word;
    read_drawing(&game, "9x3:k=6,p=2", drawing);
    while (span_next_word(&rest, " ", &word)) {
        char name[4] = {0};
        memcpy(name, word.at, word.length);
        stones = cell_set_with(&stones, cell_of(&game.board.rules, name));
    }
    Proof proof;
    proof_begin(&proof, &game.board, 2, every_reply);
    DoubleThreatStep step = {.board = &game.board, .level = level, .turn = stones, .turns = 2, .answer_count = answers};
    (void)proof_visit(&proof, &step);
    proof_end(&proof);
    return proof.fault != NULL ? proof.fault : "";
}

static void test_proof_refutes(void **state)
{
    (void)state;
    const char *rows = ".........\n..XXX....\n..XXX....\nturn X 2\n";
    const char *four = ".OOOO....\n..XXX....\n..XXX....\nturn X 2\n";
    for (int every = 0; every < 2; every++) {
        assert_string_equal(fault_of(rows, "f1 f2", 0, 0, every), "");
        assert_string_equal(fault_of(rows, "f1 f2", 1, 0, every), "a win takes more turns than was said");
        assert_string_equal(fault_of(rows, "f1 e2", 0, 0, every), "a turn is illegal");
        assert_string_equal(fault_of(rows, "f1", 0, 0, every), "a turn is too short");
        assert_string_equal(fault_of(rows, "f1 f2", 0, 1, every), "the answers are not those that hold");
        assert_string_equal(fault_of(rows, "f1 a3", 0, 0, every), "the answers are not those that hold");
    }
    assert_string_equal(fault_of(rows, "a3 b3", 0, 0, false), "the defender keeps a stone");
    assert_string_equal(fault_of(four, "f1 f2", 0, 0, false), "the defender can complete a row");
    assert_string_equal(fault_of(four, "f1 f2", 0, 0, true), "the defender completes a row");
}

typedef struct {
    Proof proof;
    unsigned visits;
} Forgetful;

// A tree in which one position is missing.
static bool visit_all_but_one(void *context, const DoubleThreatStep *step)
{
    Forgetful *forgetful = context;
    return ++forgetful->visits == 2 || proof_visit(&forgetful->proof, step);
}

static void test_proof_wants_all(void **state)
{
    (void)state;
    Game game;
    DoubleThreatResult result;
    Proof proof;
    read_drawing(&game, "12x7:k=6,p=2", threes);
    DoubleThreat *search = open_search(&game.board.rules, 1 << 16);
    double_threat_run(search, &game.board, &(Limits){0}, &result);
    Forgetful forgetful = {0};
    proof_begin(&forgetful.proof, &game.board, result.turns, false);
    assert_true(double_threat_walk(search, &result, visit_all_but_one, &forgetful));
    proof_end(&forgetful.proof);
    assert_string_equal(forgetful.proof.fault, "an answer has no position in the tree");
    proof_begin(&proof, &game.board, result.turns, false);
    proof_end(&proof);
    assert_string_equal(proof.fault, "there is no tree");
    Board other = game.board;
    board_put(&other, cell_of(&other.rules, "a1"), SIDE_SECOND);
    proof_check(search, &other, &result, false, &proof);
    assert_string_equal(proof.fault, "the tree begins elsewhere");
    result.turns--;
    proof_check(search, &game.board, &result, false, &proof);
    assert_string_equal(proof.fault, "the walk ended early");
    double_threat_close(search);
}

TEST_GROUP(double_threat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_wins),   cmocka_unit_test(test_complete),
        cmocka_unit_test(test_drawings),      cmocka_unit_test(test_lists),
        cmocka_unit_test(test_full_lists),    cmocka_unit_test(test_one_filler),
        cmocka_unit_test(test_suits),         cmocka_unit_test(test_games),
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_long_first_turn),
        cmocka_unit_test(test_walk),          cmocka_unit_test(test_proof_wants_all),
        cmocka_unit_test(test_proof_refutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
