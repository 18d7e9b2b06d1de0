// What unit tests share: cmocka with its headers, and short ways to set up a game and to expect a failure.
#pragma once

#include "agents/agent.h"
#include "base/rng.h"
#include "game/game.h"
#include "support/test_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A text that must be accepted; the test fails with the message otherwise.
Rules rules_of(const char *text);
Cell cell_of(const Rules *rules, const char *name);
void begin_game(Game *game, const char *rules);
void play_text(Game *game, const char *moves);
void read_drawing(Game *game, const char *rules, const char *drawing);

// What a failed test was about, as a drawing among its messages.
void print_board(const Board *board);

// Plays that many stones on random cells of an empty board; false when the game ended before.
bool scatter_stones(Board *board, const Rules *rules, unsigned stones, Rng *rng);

// Plays on random cells until 1 to `empty_max` are left; false when the game came to its end.
bool begin_near_the_end(Game *game, const char *rules, unsigned empty_max, Rng *rng);

// A turn of an agent, by its text; it must be a legal one.
void decide_turn(const char *text, const Game *game, uint64_t seed, Budget budget, Decision *decision);

// The value of a small board by the rules alone: 1, 0 or -1 for the side to move, all play looked at. The board is the
// same afterwards.
int true_value(Board *board);
Proven proven_of(int value);

// Plays a turn, after which the value is still this one for the side that played it.
void play_keeping(Game *game, const Decision *decision, int value);

// The call failed as bad input (or as the status given) and its message has these words.
#define assert_refused(status, error, words)                                                                           \
    check_refused(status, STATUS_BAD_INPUT, &(error), words, __FILE__, __LINE__)
#define assert_failed(status, as, error, words) check_refused(status, as, &(error), words, __FILE__, __LINE__)
void check_refused(Status status, Status expected, const Error *error, const char *words, const char *file, int line);

#define assert_done(status, error) check_done(status, &(error), __FILE__, __LINE__)
void check_done(Status status, const Error *error, const char *file, int line);

// The stones of a game as text equal these.
#define assert_stones(game, moves) check_stones(game, moves, __FILE__, __LINE__)
void check_stones(const Game *game, const char *moves, const char *file, int line);

// Two boards hold the same: rules, state and every line.
#define assert_same_board(a, b) check_same_board(a, b, __FILE__, __LINE__)
void check_same_board(const Board *a, const Board *b, const char *file, int line);

// How many steps random tests take: $KROW_TEST_STEPS, or some that take about a second.
unsigned long test_steps(void);

// One of two counts: `few` where sanitizers make each step slow and the plain build, which every run of the tests has
// too, takes the `many`.
unsigned test_count(unsigned many, unsigned few);

// Whether a long test run was requested.
bool test_is_long(void);
