// The calibration of levels (agents/levels.h): how far each is above the one below, for each preset. Not a paper, but
// an experiment of the same kind. docs/levels.md has the figures.
//
// Games begin from openings made by krow, each played with both colours, so that the advantage of the first player
// measures nothing. Tic-tac-toe has too few openings and begins on the empty board. Levels limit themselves by nodes:
// the same seed plays the same games on every machine.
#include "papers/experiment/paper.h"

#include <math.h>

#define LADDER(name, count, begin, ...)                                                                                \
    static const PaperTrial name##_trials[] = {                                                                        \
        {                                                                                                              \
            .unit = "score",                                                                                           \
            .published = NAN,                                                                                          \
            .measure = &paper_measure_ladder,                                                                          \
            .game = #name,                                                                                             \
            .agents = {__VA_ARGS__},                                                                                   \
            .games = (count),                                                                                          \
            .start = (begin),                                                                                          \
            .is_ladder = true,                                                                                         \
        },                                                                                                             \
        {0},                                                                                                           \
    }

#define THREE "level:n=3", "level:n=2", "level:n=1"
#define TEN                                                                                                            \
    "level:n=10", "level:n=9", "level:n=8", "level:n=7", "level:n=6", "level:n=5", "level:n=4", "level:n=3",           \
        "level:n=2", "level:n=1"

LADDER(tictactoe, 1000, PAPER_EMPTY_BOARD, THREE);
LADDER(connect4, 1000, PAPER_OPENINGS, TEN);
LADDER(connect5, 200, PAPER_OPENINGS, TEN);
LADDER(gomoku, 200, PAPER_OPENINGS, TEN);
LADDER(gomoku19, 200, PAPER_OPENINGS, TEN);
LADDER(gomoku20, 200, PAPER_OPENINGS, TEN);
LADDER(standard, 200, PAPER_OPENINGS, TEN);
LADDER(connect6, 200, PAPER_OPENINGS, TEN);

static const PaperTable tables[] = {
    {"tictactoe", "levels of tic-tac-toe", tictactoe_trials},
    {"connect4", "levels of Connect Four", connect4_trials},
    {"connect5", "levels of five in a row on 13x13", connect5_trials},
    {"gomoku", "levels of Gomoku", gomoku_trials},
    {"gomoku19", "levels of Gomoku on 19x19", gomoku19_trials},
    {"gomoku20", "levels of Gomoku on 20x20", gomoku20_trials},
    {"standard", "levels of standard Gomoku", standard_trials},
    {"connect6", "levels of Connect6", connect6_trials},
    {0},
};

extern const Paper paper_levels;
const Paper paper_levels = {
    .name = "levels",
    .title = "Calibration of levels: each against the one below, 60 to 85 % wanted",
    .tables = tables,
};
