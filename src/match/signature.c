// The functional signatures: perft counts, random games, agents and the engine's search, hashed into one number.
#include "match/signature.h"

#include "agents/agent.h"
#include "base/memory.h"
#include "engine/search/search.h"
#include "game/perft.h"
#include "game/playout.h"
#include "match/referee.h"

#include <assert.h>
#include <stdlib.h>

static void mix(uint64_t *signature, uint64_t number)
{
    *signature = rng_derive(*signature, number);
}

enum { OPENING_STONES = 3, TURNS = 8, TURN_NODES = 1500 };

// All search variants, every kind of line-pattern table, and rules under which the board fills up.
static const char *const signed_games[] = {
    "gomoku",          "standard",          "connect6",        "9x7:k=5,p=1,q=1,gravity",
    "7x7:k=4,p=2,q=1", "19x19:k=7,p=3,q=1", "12x12:k=4,exact", "64x5:k=5,p=2,q=1",
    "16x16:k=12",      "5x5:k=4",
};

static void begin(Board *board, const Rules *rules, Rng *rng)
{
    board_init(board, rules);
    for (unsigned i = 0; i < OPENING_STONES; i++) {
        unsigned column = rules->width / 2 - 1 + rng_below(rng, 3), row = rules->height / 2 - 1 + rng_below(rng, 3);
        while (rules->gravity && row > 0 && board_stone(board, cell_at(column, row - 1)) == STONE_NONE)
            row--;
        if (board_stone(board, cell_at(column, row)) == STONE_NONE)
            board_play(board, cell_at(column, row));
    }
}

static void sign_turn(uint64_t *signature, Search *search, Board *board)
{
    SearchInfo report;
    SearchLimits limits = {.limits.nodes = TURN_NODES, .lines = 2};
    search_run(search, board, &limits, &report);
    mix(signature, report.nodes);
    mix(signature, report.depth);
    for (unsigned i = 0; i < report.line_count; i++) {
        const SearchLine *line = &report.lines[i];
        mix(signature, (uint64_t)(int64_t)line->score);
        for (unsigned j = 0; j < line->turn.count; j++)
            mix(signature, line->turn.stones[j]);
    }
    for (unsigned j = 0; j < report.lines[0].turn.count && !board_is_over(board); j++)
        board_play(board, report.lines[0].turn.stones[j]);
}

uint64_t signature_engine(void)
{
    uint64_t signature = 0;
    for (unsigned i = 0; i < sizeof signed_games / sizeof signed_games[0]; i++) {
        Rules rules;
        Board board;
        Search *search = NULL;
        Rng rng = rng_make(i);
        SearchOptions options = {.threads = 1, .megabytes = 1};
        Status status = rules_parse(span_of(signed_games[i]), &rules, NULL);
        assert(status == STATUS_OK);
        if (status != STATUS_OK || search_open(&search, &options, &rules, NULL) != STATUS_OK)
            return 0;
        begin(&board, &rules, &rng);
        for (unsigned turn = 0; turn < TURNS && !board_is_over(&board); turn++)
            sign_turn(&signature, search, &board);
        search_close(search);
    }
    return signature;
}

static void sign_rules(uint64_t *signature, const Rules *rules, uint64_t seed)
{
    Board start, board;
    board_init(&start, rules);
    Perft perft;
    (void)perft_run(&start, rules_cells(rules) > 60 ? 2 : 4, NULL, &perft);
    for (int d = 1; d <= 4; d++) {
        mix(signature, perft.counts[d]);
        mix(signature, perft.wins[d]);
    }
    mix(signature, perft.key_sum);
    Rng rng = rng_make(seed);
    for (int i = 0; i < 20; i++) {
        board_copy(&board, &start);
        mix(signature, (uint64_t)playout_random(&board, &rng, NULL));
        mix(signature, board_key(&board));
    }
}

// One game of each agent against itself with a small node budget.
static void sign_agents(uint64_t *signature, const Rules *rules, uint64_t seed)
{
    Game *game = memory_new(1, sizeof *game);
    Decision *decision = memory_new(1, sizeof *decision);
    uint64_t played = 0; // number of agents, without those that need a command
    for (int i = 0; i < agent_kind_count; i++) {
        Agent agent;
        if (!agent_plays_alone(agent_kinds[i], rules) ||
            agent_open(&agent, span_of(agent_kinds[i]->name), rules, NULL) != STATUS_OK)
            continue;
        Rng rng = rng_make(rng_derive(seed, played++));
        AgentTask task = {.budget = {.nodes = 2000}, .rng = &rng};
        game_init(game, rules);
        while (!game_is_over(game)) {
            agent_decide(&agent, game, &task, decision);
            if (referee_play(game, decision, NULL) != STATUS_OK)
                break;
        }
        mix(signature, board_key(&game->board));
        agent_close(&agent);
    }
    free(game);
    free(decision);
}

uint64_t signature_build(void)
{
    static const char *const games[] = {
        "tictactoe",
        "connect4",
        "connect5",
        "gomoku",
        "standard",
        "connect6",
        "5x4:k=3,p=2,q=1",
        "6x5:k=4,p=3,q=2,gravity",
        "8x8:k=4,p=2,q=1,exact",
        "64x2:k=9,exact",
        "3x40:k=11,gravity",
    };
    uint64_t signature = 0;
    for (unsigned i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules;
        Status status = rules_parse(span_of(games[i]), &rules, NULL);
        assert(status == STATUS_OK);
        (void)status;
        sign_rules(&signature, &rules, i);
        sign_agents(&signature, &rules, i);
    }
    mix(&signature, signature_engine());
    return signature;
}
