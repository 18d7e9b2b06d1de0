// Reviews: which positions are searched, and how turns are judged.
#include "analysis/review.h"

#include "analysis/analyze_parts.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Two neighbouring evaluations disagree if the turn between them seems to gain or to lose this much.
static const double doubtful = 0.08;

// --- The list of positions ---

static void add_point(Review *review, const Board *board, unsigned stones)
{
    review->points[review->turn_count] = (ReviewPoint){.stones = stones, .mover = board_side(board)};
}

static void list_points(Review *review)
{
    Game game;
    game_init_from(&game, &review->root);
    add_point(review, &game.board, 0);
    for (unsigned i = 0; i < review->stone_count; i++) {
        Side side = board_side(&game.board);
        game_play(&game, review->stones[i]);
        if (board_side(&game.board) == side && !game_is_over(&game))
            continue;
        review->turn_count++;
        add_point(review, &game.board, i + 1);
    }
}

Status review_open(Review *review, const Game *game, const Board *root, Error *error)
{
    *review = (Review){.rules = game->board.rules, .stone_count = game->played};
    board_copy(&review->root, root);
    review->stones = memory_new(game->played + 1u, sizeof review->stones[0]);
    memcpy(review->stones, game->stones, game->played * sizeof review->stones[0]);
    review->points = memory_new(game->played + 1u, sizeof review->points[0]);
    review->turns = memory_new(game->played + 1u, sizeof review->turns[0]);
    list_points(review);
    review->total = review->turn_count + 1;
    return evaluation_open(&review->evaluation, &review->rules, error);
}

void review_close(Review *review)
{
    evaluation_close(&review->evaluation);
    free(review->stones);
    free(review->points);
    free(review->turns);
    *review = (Review){0};
}

void review_game(const Review *review, unsigned point, Game *game)
{
    game_init_from(game, &review->root);
    for (unsigned i = 0; i < review->points[point].stones; i++)
        game_play(game, review->stones[i]);
}

// --- Steps ---

static bool is_settled(const ReviewPoint *point)
{
    return point->eval.proven != PROVEN_NOTHING || point->searches >= EVALUATION_LEVELS;
}

// How much the turn after a point seems to lose; below 0: it gains.
static double seeming_loss(const Review *review, unsigned point)
{
    const ReviewPoint *before = &review->points[point];
    return eval_chance(&before->eval, before->mover) - eval_chance(&before[1].eval, before->mover);
}

// Whether the evaluations on either side of a turn disagree.
static bool is_doubtful(const Review *review, unsigned turn)
{
    const ReviewPoint *before = &review->points[turn];
    return before[0].eval.is_known && before[1].eval.is_known && fabs(seeming_loss(review, turn)) >= doubtful;
}

// Whether one more search of a position may resolve a disagreement with a neighbour.
static bool needs_more(const Review *review, unsigned point)
{
    if (is_settled(&review->points[point]))
        return false;
    return (point > 0 && is_doubtful(review, point - 1)) || (point < review->turn_count && is_doubtful(review, point));
}

static bool is_best_played(const Review *review, unsigned turn)
{
    const ReviewPoint *before = &review->points[turn];
    return analyze_same_turn(review->stones + before->stones, before[1].stones - before->stones, before->eval.best,
                             before->eval.best_count);
}

// Whether the turn that would have been better is still to be verified; a proven value is.
static bool needs_check(const Review *review, unsigned turn)
{
    const ReviewPoint *before = &review->points[turn];
    return before->eval.is_known && before[1].eval.is_known && before->eval.proven == PROVEN_NOTHING &&
           before->eval.best_count > 0 && !before->best.is_known && !is_best_played(review, turn) &&
           seeming_loss(review, turn) >= REVIEW_MISTAKE_LOSS;
}

static void search_at(Review *review, unsigned number, unsigned level, const atomic_bool *stop)
{
    Game game;
    ReviewPoint *point = &review->points[number];
    review_game(review, number, &game);
    PositionEval eval = evaluation_run(&review->evaluation, &game, level, stop, &review->nodes);
    if (stop_is_raised(stop))
        return; // it did not have its nodes
    point->eval = eval;
    review->done++;
}

static void search_point(Review *review, unsigned number, const atomic_bool *stop)
{
    ReviewPoint *point = &review->points[number];
    search_at(review, number, point->searches, stop);
    point->searches++;
}

static PositionEval search_after_best(Review *review, unsigned number, const atomic_bool *stop)
{
    Game game;
    const ReviewPoint *point = &review->points[number];
    review_game(review, number, &game);
    for (unsigned i = 0; i < point->eval.best_count && !game_is_over(&game); i++)
        game_play(&game, point->eval.best[i]);
    return evaluation_run(&review->evaluation, &game, EVALUATION_LEVELS - 1, stop, &review->nodes);
}

// Verifies the best turn by a search of the position after it. If that does not confirm its value, the position is
// searched again: what was found out about the turn is in the transposition table, so another turn may be best.
static void check_best(Review *review, unsigned number, const atomic_bool *stop)
{
    enum { CHECKS_MAX = 3 };
    ReviewPoint *point = &review->points[number];
    PositionEval after = search_after_best(review, number, stop);
    if (stop_is_raised(stop))
        return;
    review->done++;
    double drop = eval_chance(&point->eval, point->mover) - eval_chance(&after, point->mover);
    if (drop < doubtful || ++point->checks == CHECKS_MAX)
        point->best = after;
    else
        search_at(review, number, EVALUATION_LEVELS - 1, stop);
}

// The value of a position is at least that of the position after the turn that was played, and no more than that after
// its best turn, if that was verified. From the end to the beginning.
static void reconcile(Review *review)
{
    for (unsigned i = review->turn_count; i-- > 0;) {
        ReviewPoint *before = &review->points[i], *after = &before[1];
        PositionEval *eval = &before->eval;
        if (!eval->is_known || !after->eval.is_known || eval->proven != PROVEN_NOTHING)
            continue;
        unsigned count = after->stones - before->stones;
        double played = eval_chance(&after->eval, before->mover), chance = eval_chance(eval, before->mover);
        if (before->best.is_known)
            chance = fmin(chance, eval_chance(&before->best, before->mover));
        Proven proven = before->mover == after->mover ? after->eval.proven : proven_reversed(after->eval.proven);
        if (proven == PROVEN_WIN || played >= chance) {
            chance = played;
            eval->best_count = count <= EVAL_BEST_MAX ? count : 0;
            memcpy(eval->best, review->stones + before->stones, eval->best_count * sizeof eval->best[0]);
        }
        if (proven == PROVEN_WIN) {
            eval->proven = PROVEN_WIN;
            eval->distance = after->eval.distance >= 0 ? after->eval.distance + (int)count : -1;
        }
        // The other turns are not known to be worse, so only a win is certain.
        if (eval->proven == PROVEN_NOTHING)
            chance = fmin(fmax(chance, 0.01), 0.99);
        eval->chance_first = before->mover == SIDE_FIRST ? chance : 1 - chance;
    }
}

// Counts the searches that are still to be made, as far as that is known.
static void count_rest(Review *review)
{
    unsigned rest = 0;
    for (unsigned i = 0; i <= review->turn_count; i++) {
        bool is_new = !review->points[i].eval.is_known;
        rest += is_new || needs_more(review, i) || (i < review->turn_count && needs_check(review, i));
    }
    review->total = review->done + rest;
}

// Three passes, each from the end to the beginning: every position; those that disagree with a neighbour; the turns
// that would have been better.
static bool search_next(Review *review, const atomic_bool *stop)
{
    for (unsigned i = review->turn_count + 1; i-- > 0;)
        if (!review->points[i].eval.is_known) {
            search_point(review, i, stop);
            return true;
        }
    for (unsigned i = review->turn_count + 1; i-- > 0;)
        if (needs_more(review, i)) {
            search_point(review, i, stop);
            return true;
        }
    for (unsigned i = review->turn_count; i-- > 0;)
        if (needs_check(review, i)) {
            check_best(review, i, stop);
            return true;
        }
    return false;
}

bool review_step(Review *review, const atomic_bool *stop)
{
    if (review->is_complete || stop_is_raised(stop) || !evaluation_is_ready(&review->evaluation))
        return false;
    bool has_searched = search_next(review, stop);
    if (stop_is_raised(stop))
        return false;
    count_rest(review);
    if (!has_searched || review->done == review->total) {
        reconcile(review);
        review->is_complete = true;
    }
    return !review->is_complete;
}

// --- Judgement ---

const char *review_kind_name(ReviewKind kind)
{
    static const char *const names[REVIEW_KINDS] = {NULL, "mistake", "blunder", "misses", "lets"};
    return names[kind];
}

// The formula of the accuracy of a move on lichess (https://lichess.org/page/accuracy), for the mean loss of all turns.
double review_accuracy(double loss)
{
    double accuracy = 103.1668 * exp(-0.04354 * 100 * loss) - 3.1669;
    return fmin(fmax(accuracy, 0), 100);
}

static ReviewKind kind_of(const ReviewPoint *before, const ReviewPoint *after, double loss)
{
    bool was_won = before->eval.proven == PROVEN_WIN, was_lost = before->eval.proven == PROVEN_LOSS;
    Proven proven = before->mover == after->mover ? after->eval.proven : proven_reversed(after->eval.proven);
    if (loss < REVIEW_MISTAKE_LOSS)
        return REVIEW_FINE;
    if (proven == PROVEN_LOSS && !was_lost)
        return REVIEW_LETS_WIN;
    if (was_won && proven != PROVEN_WIN)
        return REVIEW_MISSED_WIN;
    return loss >= REVIEW_BLUNDER_LOSS ? REVIEW_BLUNDER : REVIEW_MISTAKE;
}

// Whether the side to move had more than one turn, and something to lose.
static bool had_choice(const Review *review, unsigned point)
{
    const ReviewPoint *before = &review->points[point];
    if (before->eval.proven == PROVEN_LOSS)
        return false;
    Game game;
    Cell cells[RULES_CELLS_MAX];
    review_game(review, point, &game);
    return board_legal_cells(&game.board, cells) > board_stones_left(&game.board);
}

static void count_turn(ReviewSide *side, const ReviewTurn *turn)
{
    side->turns++;
    side->kinds[turn->kind]++;
    side->counted += turn->is_counted;
    side->loss += turn->is_counted ? turn->loss : 0;
}

void review_judge(Review *review)
{
    memset(review->sides, 0, sizeof review->sides);
    for (unsigned i = 0; i < review->turn_count; i++) {
        const ReviewPoint *before = &review->points[i];
        review->turns[i] = (ReviewTurn){0};
        if (!before->eval.is_known || !before[1].eval.is_known)
            continue;
        double loss = fmax(seeming_loss(review, i), 0);
        ReviewKind kind = kind_of(before, before + 1, loss);
        review->turns[i] = (ReviewTurn){.loss = loss, .kind = kind, .is_counted = had_choice(review, i)};
        count_turn(&review->sides[before->mover], &review->turns[i]);
    }
    for (int side = 0; side < 2; side++) {
        ReviewSide *at = &review->sides[side];
        at->loss /= at->counted > 0 ? at->counted : 1;
        at->accuracy = review_accuracy(at->loss);
    }
}
