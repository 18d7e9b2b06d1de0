// Another turn instead of a mistake: is it as good as the best one?
#include "analysis/analyze_parts.h"
#include "analysis/explain.h"
#include "analysis/review.h"
#include "view/json_view.h"

#include <string.h>

// A turn that loses no more than this is as good as the best one, as far as searches can tell.
static const double good_enough = 0.05;

// Names a turn and says in at most three sentences what it does.
static void explain(const Game *game, const PositionEval *known, const Cell *stones, unsigned count,
                    const char *const names[2], Text *text)
{
    Decision decision = {.count = count, .distance = -1};
    memcpy(decision.stones, stones, count * sizeof stones[0]);
    if (known != NULL) {
        decision.proven = known->proven;
        decision.distance = known->distance;
    }
    explain_decision_as(game, &decision, names, " ", text);
}

static void add_chance(const PositionEval *after, Side side, const char *const names[2], Text *text)
{
    Proven proven = after->proven;
    double chance = eval_chance(after, side);
    if (proven == PROVEN_NOTHING)
        text_add(text, "It leaves %s a winning chance of %.0f %%.", names[side], 100 * chance);
    else if (proven == PROVEN_DRAW)
        text_add(text, "The game is then a proven draw.");
    else
        text_add(text, "%s then wins by force.", names[chance > 0.5 ? side : side_other(side)]);
}

// What the other side answers, and why.
static void add_answer(const Game *after, const PositionEval *eval, const char *const names[2], Text *text)
{
    if (game_is_over(after) || eval->best_count == 0)
        return;
    text_add(text, " %s answers ", names[board_side(&after->board)]);
    view_add_cells(text, eval->best, eval->best_count, " ");
    text_add(text, ". ");
    explain(after, eval, eval->best, eval->best_count, names, text);
}

static ReviewVerdict judge(const PositionEval *known, const PositionEval *after, Side mover, bool is_best)
{
    double before = eval_chance(known, mover), now = eval_chance(after, mover);
    if (is_best)
        return REVIEW_TRY_BEST;
    return before - now <= good_enough ? REVIEW_TRY_GOOD : REVIEW_TRY_WRONG;
}

void review_try(Evaluation *evaluation, const Game *game, const Cell *stones, unsigned count, const PositionEval *known,
                const char *const names[2], const atomic_bool *stop, ReviewTry *result)
{
    Game after;
    uint64_t nodes = 0;
    Side mover = board_side(&game->board);
    bool is_best = analyze_same_turn(stones, count, known->best, known->best_count);
    *result = (ReviewTry){0};
    game_copy(&after, game);
    for (unsigned i = 0; i < count; i++)
        game_play(&after, stones[i]);
    result->after = evaluation_run(evaluation, &after, EVALUATION_LEVELS - 1, stop, &nodes);
    result->verdict = judge(known, &result->after, mover, is_best);
    if (result->verdict == REVIEW_TRY_WRONG) {
        add_chance(&result->after, mover, names, &result->words);
        add_answer(&after, &result->after, names, &result->words);
        return;
    }
    explain(game, is_best ? known : NULL, stones, count, names, &result->words);
    text_add(&result->words, " ");
    add_chance(&result->after, mover, names, &result->words);
}
