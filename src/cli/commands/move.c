// krow move: one decision of one agent.
#include "agents/agent.h"
#include "analysis/explain.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "match/referee.h"
#include "view/json_view.h"
#include "view/ratings_view.h"

typedef struct {
    CommandLine line;
    const char *agent; // NULL: not given
    uint64_t seed;
    Budget budget;
    bool ratings;
} MoveArgs;

static json_t *counts_to_json(const Decision *decision)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < decision->counts; i++)
        (void)json_object_set_new(object, decision->count_list[i].name,
                                  json_integer((json_int_t)decision->count_list[i].value));
    return object;
}

static json_t *reason_to_json(const Game *before, const Decision *decision)
{
    Text reason = {0};
    explain_decision(before, decision, " ", &reason);
    json_t *string = json_string(reason.data);
    text_close(&reason);
    return string;
}

static json_t *to_json(const Agent *agent, const Game *before, const Decision *decision, double seconds, uint64_t seed)
{
    return json_pack("{s:s, s:o, s:f, s:i, s:I, s:f, s:o, s:s?, s:o, s:o, s:o, s:I}", "agent", agent->kind->name,
                     "stones", view_cells(decision->stones, decision->count), "score", decision->score, "depth",
                     (int)decision->depth, "nodes", (json_int_t)decision->nodes, "ms", seconds * 1000, "pv",
                     view_cells(decision->line, decision->line_count), "proven", proven_name(decision->proven),
                     "distance", decision->distance >= 0 ? json_integer(decision->distance) : json_null(), "counts",
                     counts_to_json(decision), "reason", reason_to_json(before, decision), "seed", (json_int_t)seed);
}

static void print(const Decision *decision, double seconds, bool quiet)
{
    output_print_cells(decision->stones, decision->count, stdout);
    (void)printf("\n");
    if (quiet)
        return;
    char proven[32], nodes[32];
    view_proven(decision, proven, sizeof proven);
    (void)fprintf(stderr, "score %g%s%s, depth %u, %s nodes, %.1f ms", decision->score, proven[0] != '\0' ? ", " : "",
                  proven, decision->depth, view_number(decision->nodes, nodes), seconds * 1000);
    for (unsigned i = 0; i < decision->counts; i++)
        (void)fprintf(stderr, ", %s %s", decision->count_list[i].name,
                      view_number(decision->count_list[i].value, nodes));
    (void)fprintf(stderr, "\n");
}

static Status decide(const MoveArgs *args, const Game *game, Agent *agent, Error *error)
{
    Rng rng = rng_make(args->seed);
    AgentTask task = {.budget = args->budget, .rng = &rng, .stop = interrupt_catch()};
    double begin = clock_seconds();
    Decision decision = {0};
    Status status = referee_ask(agent, game, &task, &decision, error);
    double seconds = clock_seconds() - begin;
    if (status != STATUS_OK)
        return status;
    if (args->line.json)
        return output_json(to_json(agent, game, &decision, seconds, args->seed), error);
    print(&decision, seconds, args->line.quiet);
    return STATUS_OK;
}

// Prints the rating of every cell for the next stone instead of a turn.
static Status rate(const MoveArgs *args, const Game *game, const char *name, Error *error)
{
    Agent agent;
    Status status = view_rate(span_of(name), game, &args->line.host, &agent, error);
    if (status == STATUS_OK && args->line.json) {
        status = output_json(view_ratings(&agent, game), error);
    } else if (status == STATUS_OK) {
        Text text = {0};
        view_add_ratings(&agent, game, &text);
        (void)printf("%s", text.data);
        text_close(&text);
        if (!args->line.quiet)
            (void)fprintf(stderr,
                          "ratings of %s for the next stone of %s, in its own unit, higher is better; *: best, .: not "
                          "rated, X and O: stones\n",
                          agent.kind->name, board_side(&game->board) == SIDE_FIRST ? "X" : "O");
    }
    agent_close(&agent);
    return status;
}

static Status run(const void *options, Error *error)
{
    const MoveArgs *args = options;
    Game game;
    Status status = line_position(&args->line, &game, error);
    if (status != STATUS_OK)
        return status;
    if (game_is_over(&game))
        return error_set(error, STATUS_BAD_INPUT, "the game is over; there is nothing to decide");
    const char *name = args->agent != NULL ? args->agent : agent_best(&game.board.rules)->name;
    if (args->ratings)
        return rate(args, &game, name, error);
    Agent agent;
    status = agent_open_with(&agent, span_of(name), &game.board.rules, &args->line.host, error);
    if (status != STATUS_OK)
        return status;
    status = decide(args, &game, &agent, error);
    agent_close(&agent);
    return status;
}

static const CliOption options[] = {
    OPTION_AGENT(MoveArgs),
    OPTION_BOARD,
    OPTIONS_OF_TURNS(MoveArgs),
    CLI_OPTION(MoveArgs, ratings, "ratings", CLI_FLAG, NULL,
               "Print the agent's rating of every cell for the next stone"),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(MoveArgs),
};

const Command command_move = {
    .name = "move",
    .words = "GAME [MOVES...]",
    .summary = "Ask an agent for its move",
    .about =
        "Prints the stones of a whole turn. Without --agent the strongest agent decides. With --ratings it "
        "shows how the agent rates every cell.\n\nExamples:\n  krow move connect6 j10 --agent adjacent --seed 1\n  "
        "krow move connect6 j10 --agent sequences --ratings",
    .options = options,
    .run = run,
};
