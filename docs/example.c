// A program that uses krow as a library: the agent `adjacent` plays Connect Four against itself.
//
//     cc example.c $(pkg-config --cflags --libs krow)
#include "agents/agent.h"
#include "match/referee.h"
#include "rules/notation.h"

#include <stdio.h>

int main(void)
{
    Rules rules;
    Error error = {0};
    Agent agent;
    if (rules_parse(span_of("connect4"), &rules, &error) != STATUS_OK ||
        agent_open(&agent, span_of("adjacent"), &rules, &error) != STATUS_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    Game game;
    game_init(&game, &rules);
    Rng rng = rng_make(1);
    AgentTask task = {.rng = &rng};
    static Decision decision;
    while (!game_is_over(&game)) {
        agent_decide(&agent, &game, &task, &decision);
        if (referee_play(&game, &decision, &error) != STATUS_OK)
            break;
    }
    Text moves = {0};
    game_write(&game, &moves);
    (void)printf("%s\n%s\n", moves.data,
                 board_winner(&game.board) == WINNER_NONE    ? "nobody wins"
                 : board_winner(&game.board) == WINNER_FIRST ? "X wins"
                                                             : "O wins");
    text_close(&moves);
    agent_close(&agent);
    return 0;
}
