#include "support/check.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "match/referee.h"

#include <stdlib.h>
#include <string.h>

Rules rules_of(const char *text)
{
    Rules rules = {0};
    Error error = {0};
    assert_done(rules_parse(span_of(text), &rules, &error), error);
    return rules;
}

Cell cell_of(const Rules *rules, const char *name)
{
    Cell cell = CELL_NONE;
    Error error = {0};
    assert_done(cell_parse(span_of(name), rules, &cell, &error), error);
    return cell;
}

void begin_game(Game *game, const char *rules)
{
    Rules parsed = rules_of(rules);
    game_init(game, &parsed);
}

void play_text(Game *game, const char *moves)
{
    Error error = {0};
    assert_done(game_read(game, span_of(moves), &error), error);
}

void read_drawing(Game *game, const char *rules, const char *drawing)
{
    Rules parsed = rules_of(rules);
    Error error = {0};
    assert_done(diagram_read(span_of(drawing), &parsed, game, &error), error);
}

void print_board(const Board *board)
{
    Text text = {0};
    diagram_write(board, &text);
    print_error("%s", text.data);
    text_close(&text);
}

bool scatter_stones(Board *board, const Rules *rules, unsigned stones, Rng *rng)
{
    board_init(board, rules);
    for (unsigned i = 0; i < stones && !board_is_over(board); i++) {
        Cell cells[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(board, cells);
        (void)board_play(board, cells[rng_below(rng, count)]);
    }
    return !board_is_over(board);
}

void check_refused(Status status, Status expected, const Error *error, const char *words, const char *file, int line)
{
    if (status != expected || error->status != expected || strstr(error->text, words) == NULL) {
        print_error("status %d, message \"%s\"; expected status %d and the words \"%s\"\n", (int)status, error->text,
                    (int)expected, words);
        _fail(file, line);
    }
}

void check_done(Status status, const Error *error, const char *file, int line)
{
    if (status != STATUS_OK) {
        print_error("status %d, message \"%s\"\n", (int)status, error->text);
        _fail(file, line);
    }
}

void check_stones(const Game *game, const char *moves, const char *file, int line)
{
    Text text = {0};
    game_write(game, &text);
    text_add(&text, "%s", "");
    bool same = strcmp(text.data, moves) == 0;
    if (!same)
        print_error("stones \"%s\", expected \"%s\"\n", text.data, moves);
    text_close(&text);
    if (!same)
        _fail(file, line);
}

void check_same_board(const Board *a, const Board *b, const char *file, int line)
{
    bool same = rules_equal(&a->rules, &b->rules) && a->state.turn == b->state.turn &&
                a->state.stones_key == b->state.stones_key && a->line_count == b->line_count &&
                memcmp(a->line, b->line, a->line_count * sizeof a->line[0]) == 0;
    if (same)
        return;
    Text text = {0};
    diagram_write(a, &text);
    text_add(&text, "is not\n");
    diagram_write(b, &text);
    print_error("%s", text.data);
    text_close(&text);
    _fail(file, line);
}

unsigned long test_steps(void)
{
    const char *value = getenv("KROW_TEST_STEPS");
    int64_t number = 0;
    if (value == NULL || !span_to_int(span_of(value), 1, INT32_MAX, &number))
        return KROW_TEST_STEPS; // fewer in builds with sanitizers
    return (unsigned long)number;
}

unsigned test_count(unsigned many, unsigned few)
{
    return test_steps() < 60000 ? few : many;
}

bool test_is_long(void)
{
    return test_steps() >= 500000;
}

int true_value(Board *board)
{
    Side side = board_side(board);
    if (board_is_over(board))
        return board_winner(board) == WINNER_NONE ? 0 : (int)board_winner(board) - 1 == (int)side ? 1 : -1;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    int best = -1;
    for (unsigned i = 0; i < count && best < 1; i++) {
        BoardState before = board_play(board, cells[i]);
        int value = true_value(board);
        value = board_side(board) == side ? value : -value;
        board_undo(board, cells[i], before);
        best = value > best ? value : best;
    }
    return best;
}

Proven proven_of(int value)
{
    return value > 0 ? PROVEN_WIN : value < 0 ? PROVEN_LOSS : PROVEN_DRAW;
}

void play_keeping(Game *game, const Decision *decision, int value)
{
    Side side = board_side(&game->board);
    Error error = {0};
    assert_done(referee_play(game, decision, &error), error);
    int after = true_value(&game->board);
    after = board_side(&game->board) == side ? after : -after;
    if (after != value)
        print_board(&game->board);
    assert_int_equal(after, value);
}

bool begin_near_the_end(Game *game, const char *rules, unsigned empty_max, Rng *rng)
{
    begin_game(game, rules);
    unsigned cells = game->board.cells, empty = 1 + rng_below(rng, empty_max);
    while (!game_is_over(game) && board_count(&game->board) + empty < cells) {
        Cell list[RULES_CELLS_MAX];
        game_play(game, list[rng_below(rng, board_legal_cells(&game->board, list))]);
    }
    return !game_is_over(game);
}

void decide_turn(const char *text, const Game *game, uint64_t seed, Budget budget, Decision *decision)
{
    Agent agent;
    Error error = {0};
    assert_done(agent_open(&agent, span_of(text), &game->board.rules, &error), error);
    Rng rng = rng_make(seed);
    AgentTask task = {.budget = budget, .rng = &rng};
    agent_decide(&agent, game, &task, decision);
    agent_close(&agent);
    Game after = *game;
    assert_done(referee_play(&after, decision, &error), error);
}
