// Evaluations of positions.
#include "analysis/position_eval.h"

#include "analysis/analyze_parts.h"
#include "game/notation.h"
#include "view/json_view.h"

#include <math.h>

double eval_chance(const PositionEval *eval, Side side)
{
    return side == SIDE_FIRST ? eval->chance_first : 1 - eval->chance_first;
}

static PositionEval proven_eval(const Board *board, Proven proven, int distance)
{
    double chance = proven == PROVEN_WIN ? 1 : proven == PROVEN_LOSS ? 0 : 0.5;
    return (PositionEval){.is_known = true,
                          .chance_first = board_side(board) == SIDE_FIRST ? chance : 1 - chance,
                          .proven = proven,
                          .distance = distance};
}

PositionEval eval_of_end(const Board *board)
{
    Winner winner = board_winner(board);
    bool mover_won = (winner == WINNER_FIRST) == (board_side(board) == SIDE_FIRST);
    return proven_eval(board, winner == WINNER_NONE ? PROVEN_DRAW : mover_won ? PROVEN_WIN : PROVEN_LOSS, 0);
}

PositionEval eval_of_analysis(const Analysis *analysis)
{
    if (analysis->line_count == 0)
        return (PositionEval){.distance = -1};
    const LineView *line = &analysis->lines[0];
    bool is_first = board_side(&analysis->game->board) == SIDE_FIRST;
    double chance = line->chance >= 0 ? line->chance : 0.5;
    PositionEval eval = {
        .is_known = true,
        .score = line->score,
        .chance_first = is_first ? chance : 1 - chance,
        .proven = line->proven,
        .distance = line->distance,
        .depth = line->depth,
    };
    for (unsigned i = 0; i < line->count && i < EVAL_BEST_MAX; i++)
        eval.best[eval.best_count++] = line->stones[i];
    return eval;
}

// --- Text ---

static const char *proven_word(Proven proven)
{
    return proven == PROVEN_NOTHING ? "-" : proven_name(proven);
}

void eval_write(const PositionEval *eval, Text *text)
{
    text_add(text, "%.4g %.4f %s ", eval->score, eval->chance_first, proven_word(eval->proven));
    if (eval->distance >= 0)
        text_add(text, "%d %u", eval->distance, eval->depth);
    else
        text_add(text, "- %u", eval->depth);
    for (unsigned i = 0; i < eval->best_count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(eval->best[i], name);
        text_add(text, " %s", name);
    }
}

bool eval_read(Span value, const Rules *rules, PositionEval *eval)
{
    Span word = {0};
    int64_t number = 0;
    *eval = (PositionEval){.distance = -1};
    if (!span_next_word(&value, " ", &word) || !span_to_real(word, &eval->score) ||
        !span_next_word(&value, " ", &word) || !span_to_real(word, &eval->chance_first) || eval->chance_first < 0 ||
        eval->chance_first > 1 || !span_next_word(&value, " ", &word))
        return false;
    unsigned proven = 0;
    while (proven < 4 && !span_is(word, proven_word((Proven)proven)))
        proven++;
    if (proven == 4 || !span_next_word(&value, " ", &word))
        return false;
    eval->proven = (Proven)proven;
    if (span_to_int(word, 0, RULES_CELLS_MAX, &number))
        eval->distance = (int)number;
    if (!span_next_word(&value, " ", &word) || !span_to_int(word, 0, RULES_CELLS_MAX, &number))
        return false;
    eval->depth = (unsigned)number;
    while (eval->best_count < EVAL_BEST_MAX && span_next_word(&value, " ", &word)) {
        if (cell_parse(word, rules, &eval->best[eval->best_count], NULL) != STATUS_OK)
            return false;
        eval->best_count++;
    }
    eval->is_known = true;
    return true;
}

json_t *eval_json(const PositionEval *eval)
{
    return json_pack("{s:f, s:f, s:s?, s:o, s:o, s:i}", "score", eval->score, "chance_first", eval->chance_first,
                     "proven", proven_name(eval->proven), "distance",
                     eval->distance >= 0 ? json_integer(eval->distance) : json_null(), "best",
                     view_cells(eval->best, eval->best_count), "depth", (int)eval->depth);
}

// --- Search ---

enum {
    ENGINE_MEGABYTES = 16,
    EXACT_TABLE_MEGABYTES = 16,
    ENGINE_NODES = 60000, // of level 0 with one stone per turn
    ENGINE_LEAST = 5000,
    EXACT_NODES = 1000000,
    STEP = 5, // factor between levels
};

// An unproven position is never certain.
static const double least_chance = 0.01;

Status evaluation_open(Evaluation *evaluation, const Rules *rules, Error *error)
{
    *evaluation = (Evaluation){.rules = *rules};
    if (search_suits(rules))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "The engine does not search games with this many stones per turn.");
}

bool evaluation_is_ready(Evaluation *evaluation)
{
    SearchOptions options = {.megabytes = ENGINE_MEGABYTES};
    return evaluation->search != NULL ||
           search_open(&evaluation->search, &options, &evaluation->rules, NULL) == STATUS_OK;
}

void evaluation_close(Evaluation *evaluation)
{
    search_close(evaluation->search);
    exact_close(evaluation->exact);
    evaluation->search = NULL;
    evaluation->exact = NULL;
}

static uint64_t effort_of(uint64_t nodes, unsigned level)
{
    for (; level > 0; level--)
        nodes *= STEP;
    return nodes;
}

// Turns of more stones have more cost per node and less depth per node, so they get fewer nodes.
static uint64_t engine_nodes(const Rules *rules, unsigned level)
{
    uint64_t nodes = ENGINE_NODES / ((uint64_t)rules->p * rules->p);
    return effort_of(nodes > ENGINE_LEAST ? nodes : ENGINE_LEAST, level);
}

// Asks the solver with one aim; whether the result is a win, a loss or a draw for certain.
static bool solve_for(Exact *exact, const ExactQuery *query, uint64_t *nodes, ExactResult *result)
{
    *result = (ExactResult){0};
    if (exact_run(exact, query, result, NULL) != STATUS_OK)
        return false;
    *nodes += result->nodes;
    return exact_is_known(result) || result->low > 0 || result->high < 0;
}

// A cell that keeps the value.
static void add_best(Exact *exact, const ExactQuery *query, const ExactResult *result, PositionEval *eval)
{
    ExactCells cells;
    if (result->has_best)
        eval->best[eval->best_count++] = result->best;
    else if (exact_best(exact, query->board, EXACT_VALUE, query->limits, &cells) && cells.count > 0)
        eval->best[eval->best_count++] = cells.list[0].cell;
}

// Whether an exact solver knows the value: with the distance, or else within the same limits without it.
static bool solve(Evaluation *evaluation, const Game *game, const Limits *limits, uint64_t *nodes, PositionEval *eval)
{
    const Board *board = &game->board;
    Analysis analysis = {.game = game};
    ExactOptions options = {.megabytes = EXACT_TABLE_MEGABYTES, .openings = true};
    if (!analyze_may_be_exact(&analysis) ||
        (evaluation->exact == NULL && exact_open(&evaluation->exact, &options, &board->rules, NULL) != STATUS_OK))
        return false;
    ExactQuery query = {.board = board, .aim = EXACT_SCORE, .limits = limits};
    ExactResult result;
    bool is_known = solve_for(evaluation->exact, &query, nodes, &result);
    if (!is_known && exact_has_scores(&board->rules)) {
        query.aim = EXACT_VALUE;
        is_known = solve_for(evaluation->exact, &query, nodes, &result);
    }
    if (!is_known)
        return false;
    bool has_distance = query.aim == EXACT_SCORE && exact_is_known(&result) && result.low != 0;
    *eval = proven_eval(board, result.low > 0 ? PROVEN_WIN : result.high < 0 ? PROVEN_LOSS : PROVEN_DRAW, -1);
    if (has_distance && exact_has_scores(&board->rules))
        eval->distance = (int)exact_distance(board, result.low);
    eval->depth = board->cells - board_count(board);
    add_best(evaluation->exact, &query, &result, eval);
    return true;
}

static PositionEval think(Evaluation *evaluation, const Game *game, const SearchLimits *limits, uint64_t *nodes)
{
    Analysis analysis = {.options = {.lines = 1}, .game = game, .thinks = true};
    search_run(evaluation->search, &game->board, limits, &evaluation->report);
    *nodes += evaluation->report.nodes;
    analyze_take_report(&analysis, evaluation->search, &evaluation->report, false);
    PositionEval eval = eval_of_analysis(&analysis);
    analyze_close(&analysis);
    if (eval.proven == PROVEN_NOTHING)
        eval.chance_first = fmin(fmax(eval.chance_first, least_chance), 1 - least_chance);
    return eval;
}

PositionEval evaluation_run(Evaluation *evaluation, const Game *game, unsigned level, const atomic_bool *stop,
                            uint64_t *nodes)
{
    PositionEval eval = {0};
    if (game_is_over(game))
        return eval_of_end(&game->board);
    Limits exact = {.nodes = effort_of(EXACT_NODES, level), .stop = stop};
    if (solve(evaluation, game, &exact, nodes, &eval))
        return eval;
    SearchLimits limits = {
        .limits = {.nodes = engine_nodes(&evaluation->rules, level), .stop = stop},
        .lines = 1,
    };
    return think(evaluation, game, &limits, nodes);
}
