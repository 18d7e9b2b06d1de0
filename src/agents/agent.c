// Opening, asking and closing an agent.
#include "agents/agent.h"

#include "agents/expected.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const AgentOption searching_options[] = {
    {"depth", OPTION_INT, "0", 0, MINIMAX_DEPTH_MAX, NULL, "minimax search depth in stones (0: no search)"},
    {"width", OPTION_INT, "8", 0, RULES_CELLS_MAX, NULL, "best-rated cells to search for each stone (0: all)"},
    {"deepening", OPTION_BOOL, "0", 0, 1, NULL, "search to depth 1, 2, 3 … until depth or a limit is reached"},
    {"table", OPTION_INT, "0", 0, 1024, NULL, "size of the transposition table in MB (0: none)"},
    {0},
};

// Opens the search unless depth is 0.
static Status open_search(Agent *agent, Error *error)
{
    const OptionValues *values = &agent->config.options;
    MinimaxOptions options = {
        .depth = (unsigned)options_int(values, "depth"),
        .width = (unsigned)options_int(values, "width"),
        .deepening = options_bool(values, "deepening"),
        .table_bytes = (size_t)options_int(values, "table") << 20,
    };
    return options.depth > 0 ? minimax_open(&agent->search, &options, &agent->config.rules, error) : STATUS_OK;
}

static Status open_kind(Agent *agent, const AgentKind *kind, Error *error)
{
    agent->kind = kind;
    if (kind->state_size > 0)
        agent->state = memory_new(1, kind->state_size);
    if (kind->rate != NULL)
        agent->ratings = memory_new(1, sizeof *agent->ratings);
    Status status = kind->open != NULL ? kind->open(agent->state, &agent->config, error) : STATUS_OK;
    if (status == STATUS_OK && kind->rate != NULL)
        status = open_search(agent, error);
    return status;
}

OptionList agent_options(const AgentKind *kind)
{
    return (OptionList){kind->options, kind->rate != NULL ? searching_options : NULL};
}

// Options and settings in any order; an option of the agent comes before a setting of the same name.
static Status read_options(const AgentKind *kind, Span text, AgentConfig *config, Error *error)
{
    Text own = {0};
    Span item = {0};
    Status status = STATUS_OK;
    bool is_first = true, ends_with_comma = text.length > 0 && text.at[text.length - 1] == ',';
    while (status == STATUS_OK && span_next_part(&text, ',', &item)) {
        Span value = item, name = {0};
        (void)span_next_part(&value, '=', &name);
        bool is_setting = false;
        if (!options_have(agent_options(kind), name) && name.length < item.length)
            status = agent_setting_read(&config->settings, name, value, false, &is_setting, error);
        if (!is_setting) {
            text_add(&own, is_first ? "" : ",");
            text_add_span(&own, item);
            is_first = false;
        }
    }
    if (ends_with_comma)
        text_add(&own, ",");
    if (status == STATUS_OK)
        status = options_parse(agent_options(kind), (Span){own.data, own.length}, &config->options, error);
    text_close(&own);
    return status;
}

Status agent_read_arguments(const AgentKind *kind, Span text, AgentConfig *config, Text *command, Error *error)
{
    if (!kind->takes_command)
        return read_options(kind, text, config, error);
    options_defaults(agent_options(kind), &config->options);
    Status status = agent_settings_take(&config->settings, text, command, error);
    config->command = command->data != NULL ? command->data : "";
    return status;
}

char *agent_player_name(const char *text)
{
    Span arguments = span_trim(span_of(text)), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    AgentConfig *config = memory_new(1, sizeof *config);
    Text command = {0};
    bool is_named = kind != NULL && agent_read_arguments(kind, arguments, config, &command, NULL) == STATUS_OK &&
                    config->settings.name[0] != '\0';
    char *player = memory_copy_text(is_named ? config->settings.name : text);
    agent_settings_close(&config->settings);
    text_close(&command);
    free(config);
    return player;
}

Status agent_open_with(Agent *agent, Span text, const Rules *rules, const AgentHost *host, Error *error)
{
    *agent = (Agent){.config = {.rules = *rules}};
    if (host != NULL)
        agent->config.host = *host;
    Span arguments = span_trim(text), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    if (kind == NULL && name.length > 0 && memchr(name.at, ',', name.length) != NULL)
        return error_set(error, STATUS_BAD_INPUT,
                         "there is no agent '%.*s'; settings follow a colon, as in 'random:name=R'", SPAN_PRINT(name));
    if (kind == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%.*s'; 'krow agents' lists them",
                         SPAN_PRINT(name));
    char game[RULES_TEXT_SIZE];
    rules_format(rules, game);
    if (kind->plays != NULL && !kind->plays(rules))
        return error_set(error, STATUS_BAD_INPUT, "the agent '%s' plays %s; it does not support %s", kind->name,
                         kind->games, game);
    Status status = agent_read_arguments(kind, arguments, &agent->config, &agent->command, error);
    if (status == STATUS_OK)
        status = open_kind(agent, kind, error);
    if (status != STATUS_OK) {
        error_prefix(error, "agent '%.*s': ", SPAN_PRINT(text));
        agent_close(agent);
    }
    return status;
}

Status agent_open(Agent *agent, Span text, const Rules *rules, Error *error)
{
    return agent_open_with(agent, text, rules, NULL, error);
}

Status agent_open_inner(Agent *agent, const char *text, const AgentConfig *outer, Error *error)
{
    char commas[OPTION_TEXT_SIZE];
    (void)snprintf(commas, sizeof commas, "%s", text);
    for (char *plus = commas; (plus = strchr(plus, '+')) != NULL;)
        *plus = ',';
    return agent_open_with(agent, span_of(commas), &outer->rules, &outer->host, error);
}

void agent_rate(Agent *agent, const Game *game)
{
    rater_ask(&(Rater){agent->kind->rate, agent->state}, game, agent->ratings);
}

// Builds a turn from ratings, stone by stone.
static void decide_by_rating(Agent *agent, const Game *game, const AgentTask *task, Decision *decision)
{
    Game after;
    game_copy(&after, game);
    unsigned stones = board_stones_left(&game->board);
    for (unsigned i = 0; i < stones && !game_is_over(&after); i++) {
        agent_rate(agent, &after);
        RatedCell best = ratings_choose(agent->ratings, task->rng);
        decision->nodes += agent->ratings->count;
        if (i == 0)
            decision->score = best.utility;
        decision->stones[decision->count++] = best.cell;
        game_play(&after, best.cell);
    }
    decision->depth = 1;
    decision->unscored = true; // a rating compares cells, not positions
}

// Plays the stones of the principal variation that belong to the turn. If the variation ends before the turn, it
// searches again from there.
static void decide_by_search(Agent *agent, const Game *game, const AgentTask *task, Decision *decision)
{
    Game after;
    game_copy(&after, game);
    Side side = board_side(&game->board);
    Rater rater = {agent->kind->rate, agent->state};
    Limits limits = {budget_deadline(&task->budget, &game->board), 0, task->budget.depth, task->stop};
    if (agent->kind->seed != NULL)
        agent->kind->seed(agent->state, rng_next(task->rng));
    while (!game_is_over(&after) && board_side(&after.board) == side) {
        Board board;
        board_copy(&board, &after.board);
        limits.nodes = expected_nodes_left(task->budget.nodes, decision);
        NegamaxResult result = minimax_run(agent->search, &after, &rater, &limits, task->rng);
        unsigned placed = decision->count;
        expected_add(&result, minimax_utility(result.value), &board, decision);
        for (; placed < decision->count; placed++)
            game_play(&after, decision->stones[placed]);
    }
}

void agent_new_game(Agent *agent)
{
    if (agent->kind->new_game != NULL)
        agent->kind->new_game(agent->state);
}

void agent_ponder(Agent *agent, const Game *game, const atomic_bool *stop)
{
    assert(!game_is_over(game));
    if (agent->kind->ponder != NULL)
        agent->kind->ponder(agent->state, game, stop);
}

void agent_decide(Agent *agent, const Game *game, const AgentTask *task, Decision *decision)
{
    assert(!game_is_over(game));
    *decision = (Decision){.distance = -1};
    AgentTask own = *task;
    own.budget = agent_settings_apply(&agent->config.settings, task->budget);
    if (agent->search != NULL)
        decide_by_search(agent, game, &own, decision);
    else if (agent->kind->decide != NULL)
        agent->kind->decide(agent->state, game, &own, decision);
    else
        decide_by_rating(agent, game, &own, decision);
}

void decision_take_report(Decision *decision, const Decision *from)
{
    decision->score = from->score;
    decision->unscored = from->unscored;
    decision->depth = from->depth;
    decision->deepest = from->deepest;
    decision->proven = from->proven;
    decision->distance = from->distance;
    decision->line_count = from->line_count;
    memcpy(decision->line, from->line, from->line_count * sizeof(Cell));
}

void agent_close(Agent *agent)
{
    if (agent->kind != NULL && agent->kind->close != NULL && agent->state != NULL)
        agent->kind->close(agent->state);
    minimax_close(agent->search);
    free(agent->state);
    free(agent->ratings);
    text_close(&agent->command);
    agent_settings_close(&agent->config.settings);
    *agent = (Agent){0};
}
