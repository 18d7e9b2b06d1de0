// Tests of the parts of `kagami`: turns of the defensive strategy in order, and the cells that a win depends on.
#include "papers/kagami/defending.h"
#include "papers/kagami/influence.h"
#include "papers/kagami/threat_win.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static void begin_connect6(Game *game, const char *stones)
{
    begin_game(game, "connect6");
    play_text(game, stones);
}

// --- Turns in order ---

static double rank_of(const Board *board, Cell cell)
{
    Influence influence = influence_of(board, cell, side_other(board_side(board)));
    return influence_rank(&influence, board->rules.k);
}

// The stones rated one after the other, that with the highest rank on the board as it stands first.
static double score_of(const Board *board, const DefendingTurn *turn, unsigned size)
{
    Board after = *board;
    double score = 0;
    for (unsigned i = 0; i < size; i++) {
        assert_true(i == 0 || rank_of(board, turn->stones[i]) <= rank_of(board, turn->stones[i - 1]));
        score += rank_of(&after, turn->stones[i]);
        (void)board_play(&after, turn->stones[i]);
    }
    return score;
}

static bool has_cell(const DefendingTurn *turn, Cell cell)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX; i++)
        if (turn->stones[i] == cell)
            return true;
    return false;
}

static bool same_cells(const DefendingTurn *a, const DefendingTurn *b)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX; i++)
        if (!has_cell(b, a->stones[i]))
            return false;
    return true;
}

static void check_list(const DefendingTurns *turns, const Board *board, unsigned expected)
{
    unsigned size = board_stones_left(board);
    assert_int_equal(turns->count, expected);
    for (unsigned i = 0; i < turns->count; i++) {
        const DefendingTurn *turn = &turns->list[i];
        assert_true(turn->score == score_of(board, turn, size));
        assert_true(i == 0 || turn->score <= turns->list[i - 1].score);
        for (unsigned other = 0; other < i; other++)
            assert_false(same_cells(turn, &turns->list[other]));
    }
}

static void test_turns_come_in_order(void **state)
{
    (void)state;
    DefendingTurns *turns = malloc(sizeof *turns);
    assert_non_null(turns);
    Rng rng = rng_make(2);
    Game game;
    uint64_t cells[RULES_SIDE_MAX];
    // Two squares of 24 cells: 48 * 47 / 2 pairs.
    begin_connect6(&game, "j10 d4 q16");
    assert_int_equal(influence_candidates(&game, 2, cells), 48);
    defending_list(turns, &game.board, cells, (DefendingReading){0}, &rng);
    check_list(turns, &game.board, 1128);
    // In the middle of a turn: single stones.
    begin_connect6(&game, "j10 i9 k11 j9");
    unsigned count = influence_candidates(&game, 2, cells);
    defending_list(turns, &game.board, cells, (DefendingReading){0}, &rng);
    check_list(turns, &game.board, count);
    // Turns of three stones of ten cells: 120.
    begin_game(&game, "7x7:k=5,p=3,q=1");
    play_text(&game, "d4 c3 c4 e5");
    memset(cells, 0, sizeof cells);
    cells[0] = cells[1] = 0x7c;
    defending_list(turns, &game.board, cells, (DefendingReading){0}, &rng);
    check_list(turns, &game.board, 120);
    // None that completes a row: of nine cells two are missing, and pairs of them with others.
    read_drawing(&game, "6x2:k=3,p=2", "......\n.XX.O.\nturn X 2\n");
    cells[0] = cells[1] = UINT64_MAX;
    defending_list(turns, &game.board, cells, (DefendingReading){0}, &rng);
    for (unsigned i = 0; i < turns->count; i++) {
        assert_false(has_cell(&turns->list[i], cell_of(&game.board.rules, "a1")));
        assert_false(has_cell(&turns->list[i], cell_of(&game.board.rules, "d1")));
    }
    check_list(turns, &game.board, 21);
    begin_game(&game, "7x7:k=5,p=3,q=1");
    play_text(&game, "d4 c3 c4 e5");
    // Fewer cells than stones: all 45 cells that are free make turns, as many as there is room for.
    memset(cells, 0, sizeof cells);
    cells[6] = 3;
    defending_list(turns, &game.board, cells, (DefendingReading){0}, &rng);
    check_list(turns, &game.board, DEFENDING_TURNS_MAX);
    free(turns);
}

// --- Zones ---

static bool touches(const ThreatWinZone *zone, Cell cell)
{
    return (zone->rows[cell_row(cell)] & cell_bit_in_row(cell)) != 0;
}

// Whether a stone of the defender there has nothing to do with the win: no window in which he could still have a row
// holds another stone of his or a cell of the zone, where his answers will stand.
static bool is_idle(const Board *board, const ThreatWinZone *zone, Cell cell, const WindowList *windows)
{
    Stone defender = (Stone)side_other(board_side(board));
    for (unsigned i = 0; i < windows->count; i++) {
        Cell cells[RULES_SIDE_MAX];
        bool holds = false, is_shut = false, is_busy = false;
        (void)window_cells(board, windows->window[i].line, window_bits(board, windows->window[i]), cells);
        for (unsigned c = 0; c < board->rules.k; c++) {
            Stone stone = board_stone(board, cells[c]);
            holds = holds || cells[c] == cell;
            is_shut = is_shut || (stone != STONE_NONE && stone != defender);
            is_busy = is_busy || stone == defender || touches(zone, cells[c]);
        }
        if (holds && !is_shut && is_busy)
            return false;
    }
    return !touches(zone, cell);
}

// Puts a turn of idle stones on the board, or fewer, where there are no more. Returns how many.
static unsigned put_idle(ThreatWin *threats, Board *board, const ThreatWinZone *zone, Rng *rng)
{
    unsigned put = 0;
    Side attacker = board_side(board);
    for (unsigned tries = 0; tries < 40 && put < board->rules.p; tries++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(board, cells);
        Cell cell = cells[rng_below(rng, count)];
        if (!is_idle(board, zone, cell, &threats->windows))
            continue;
        board_put(board, cell, side_other(attacker));
        put++;
    }
    (void)board_set_turn(board, attacker, board->rules.p);
    return put;
}

// Stones at random in the middle of the board, at the beginning of a turn.
static bool scatter(Board *board, const Rules *rules, Rng *rng)
{
    const unsigned middle = 6;
    board_init(board, rules);
    unsigned stones = 10 + rng_below(rng, 12);
    for (unsigned i = 0; (i < stones || board_stones_left(board) < rules->p) && !board_is_over(board);) {
        Cell cell = cell_at((rules->width - middle) / 2 + rng_below(rng, middle),
                            (rules->height - middle) / 2 + rng_below(rng, middle));
        if (board_is_legal(board, cell)) {
            (void)board_play(board, cell);
            i++;
        }
    }
    return !board_is_over(board);
}

// A win is still one, in no more turns, after stones outside its zone. Returns whether there was one to be checked.
static bool check_zone(ThreatWin *threats, const Rules *rules, Rng *rng)
{
    Board board;
    DoubleThreatResult result, after;
    ThreatWinZone zone;
    if (!scatter(&board, rules, rng))
        return false;
    threat_win_run(threats, &board, &(Limits){.nodes = 300}, &result);
    if (result.verdict != DOUBLE_THREAT_WON)
        return false;
    threat_win_zone(threats, &board, &result, &zone);
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && result.turn.cell[i] != CELL_NONE; i++)
        assert_true(touches(&zone, result.turn.cell[i]));
    if (!zone.is_whole || put_idle(threats, &board, &zone, rng) == 0)
        return false;
    threat_win_run(threats, &board, &(Limits){.depth = result.turns}, &after);
    assert_int_equal(after.verdict, DOUBLE_THREAT_WON);
    return result.turns > 1;
}

static unsigned check_zones(ThreatWinKind kind, const char *game, unsigned long steps)
{
    Rules rules = rules_of(game);
    ThreatWin *threats = calloc(1, sizeof *threats);
    Error error = {0};
    Rng rng = rng_make(4);
    unsigned checked = 0;
    assert_non_null(threats);
    assert_done(threat_win_open(threats, kind, &rules, &error), error);
    for (unsigned long step = 0; step < steps; step++)
        checked += check_zone(threats, &rules, &rng);
    threat_win_close(threats);
    free(threats);
    return checked;
}

static void test_stones_outside_the_zone_do_not_help(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        unsigned checked = 0;
        checked += check_zones((ThreatWinKind)kind, "17x17:k=5", test_steps() / 400);
        checked += check_zones((ThreatWinKind)kind, "19x19:k=6,p=2,q=1", test_steps() / 400);
        checked += check_zones((ThreatWinKind)kind, "21x21:k=7,p=3,q=1", test_steps() / 1000);
        assert_true(checked > 0);
    }
}

TEST_GROUP(defending)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_come_in_order),
        cmocka_unit_test(test_stones_outside_the_zone_do_not_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
