// A program that uses krow as a library; docs/library.md explains it. It is valid C and C++.
//
//     cc example.c $(pkg-config --cflags --libs krow)
#include <krow/krow.h>

#include <stdio.h>
#include <stdlib.h>

static void fail(const KrowError *error)
{
    (void)fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static void print_cells(const char *title, const KrowCell *cells, size_t count)
{
    (void)printf("%s:", title);
    for (size_t i = 0; i < count; i++) {
        char text[KROW_CELL_TEXT_SIZE];
        krow_cell_format(cells[i], text);
        (void)printf(" %s", text);
    }
    (void)printf("\n");
}

// Threats of a position: X has an open four in Gomoku and is to move.
static void show_threats(void)
{
    KrowError error;
    KrowRules rules;
    if (krow_rules_parse("gomoku", &rules, &error) != KROW_OK)
        fail(&error);
    KrowGame *game = krow_game_new(&rules, &error);
    if (game == NULL || krow_game_read(game, "h8 a1 i8 a3 j8 a5 k8 c1", &error) != KROW_OK)
        fail(&error);
    KrowCell cells[KROW_CELLS_MAX];
    unsigned needed;
    size_t count = krow_immediate_wins(game, cells, KROW_CELLS_MAX, &needed);
    print_cells("X wins at", cells, count);
    KrowDefence defence;
    if (krow_threat_defence(game, KROW_FIRST, &defence, cells, KROW_CELLS_MAX, &error) != KROW_OK)
        fail(&error);
    (void)printf("O needs %u stones to stop this and has 1 per turn\n", defence.stones_needed);
    krow_game_free(game);
}

// The default agent plays Connect Four against itself, 10 000 nodes per turn.
static void play_game(const KrowRules *rules)
{
    static KrowDecision decision;
    KrowError error;
    KrowLimits limits = {0, 10000, 0};
    KrowGame *game = krow_game_new(rules, &error);
    KrowAgent *agent = krow_agent_open(NULL, rules, &error);
    if (game == NULL || agent == NULL)
        fail(&error);
    krow_agent_seed(agent, 7);
    while (!krow_game_is_over(game))
        if (krow_agent_decide(agent, game, &limits, &decision, &error) != KROW_OK ||
            krow_game_play_turn(game, &decision, &error) != KROW_OK)
            fail(&error);
    char moves[4096];
    krow_game_write(game, moves, sizeof moves);
    KrowSide winner = krow_game_winner(game);
    (void)printf("%s\n%s\n", moves,
                 winner == KROW_NONE    ? "draw"
                 : winner == KROW_FIRST ? "the first player wins"
                                        : "the second player wins");
    krow_agent_close(agent);
    krow_game_free(game);
}

// The exact value of every column after six stones.
static void solve(const KrowRules *rules)
{
    KrowError error;
    KrowCellValue values[KROW_SIDE_MAX];
    size_t count = 0;
    KrowGame *game = krow_game_new(rules, &error);
    KrowExact *exact = krow_exact_open(rules, 64, &error);
    if (game == NULL || exact == NULL || krow_game_read(game, "444444", &error) != KROW_OK ||
        krow_exact_cells(exact, game, NULL, values, KROW_SIDE_MAX, &count, &error) != KROW_OK)
        fail(&error);
    for (size_t i = 0; i < count; i++) {
        char text[KROW_CELL_TEXT_SIZE];
        krow_cell_format(values[i].cell, text);
        (void)printf("%s %+d\n", text, values[i].low);
    }
    krow_exact_close(exact);
    krow_game_free(game);
}

int main(void)
{
    KrowError error;
    KrowRules rules;
    if (krow_rules_parse("connect4", &rules, &error) != KROW_OK)
        fail(&error);
    show_threats();
    play_game(&rules);
    solve(&rules);
    return 0;
}
