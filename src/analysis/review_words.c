// Reviews in words and as JSON.
#include "analysis/review.h"

#include "analysis/analyze_parts.h"
#include "game/notation.h"
#include "view/json_view.h"

#include <string.h>

static void add_turn(const Cell *cells, unsigned count, Text *text)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        text_add(text, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", name);
    }
}

// " within 7 stones", or nothing.
static void add_distance(const PositionEval *eval, Text *text)
{
    if (eval->distance > 0)
        text_add(text, " within %d stone%s", eval->distance, view_plural((uint64_t)eval->distance));
}

static void add_kind(const Review *review, unsigned turn, const char *other, bool is_many, Text *text)
{
    const ReviewPoint *before = &review->points[turn], *after = &before[1];
    switch (review->turns[turn].kind) {
    case REVIEW_LETS_WIN:
        text_add(text, " %s %s win by force", is_many ? "let" : "lets", other);
        add_distance(&after->eval, text);
        break;
    case REVIEW_MISSED_WIN:
        text_add(text, " %s a proven win", is_many ? "miss" : "misses");
        add_distance(&before->eval, text);
        break;
    case REVIEW_MISTAKE:
    case REVIEW_BLUNDER:
        text_add(text, " %s a %s: the winning chance drops from %.0f to %.0f %%", is_many ? "are" : "is",
                 review_kind_name(review->turns[turn].kind), 100 * eval_chance(&before->eval, before->mover),
                 100 * eval_chance(&after->eval, before->mover));
        break;
    case REVIEW_FINE:
    case REVIEW_KINDS:
        break;
    }
    text_add(text, ".");
}

void review_describe(const Review *review, unsigned turn, const char *const names[2], Text *text)
{
    const ReviewPoint *before = &review->points[turn];
    unsigned count = before[1].stones - before->stones;
    const Cell *stones = review->stones + before->stones;
    text_add(text, "%s's ", names[before->mover]);
    add_turn(stones, count, text);
    add_kind(review, turn, names[side_other(before->mover)], count > 1, text);
    if (before->eval.best_count == 0 || analyze_same_turn(stones, count, before->eval.best, before->eval.best_count))
        return;
    text_add(text, " Better was ");
    add_turn(before->eval.best, before->eval.best_count, text);
    text_add(text, ".");
}

json_t *review_point_json(const Review *review, unsigned point)
{
    const ReviewPoint *at = &review->points[point];
    json_t *object = eval_json(&at->eval);
    (void)json_object_update_new(object, json_pack("{s:i, s:s, s:i}", "ply", (int)point, "turn", side_name(at->mover),
                                                   "stones", (int)at->stones));
    if (point < review->turn_count && at->eval.is_known && at[1].eval.is_known)
        (void)json_object_set_new(object, "loss", json_real(review->turns[point].loss));
    return object;
}

json_t *review_turning_json(const Review *review, unsigned turn, const char *const names[2])
{
    const ReviewPoint *before = &review->points[turn];
    const char *kind = review_kind_name(review->turns[turn].kind);
    if (kind == NULL)
        return NULL;
    Text words = {0};
    review_describe(review, turn, names, &words);
    json_t *object = json_pack(
        "{s:i, s:s, s:s, s:f, s:f, s:s, s:o, s:o}", "ply", (int)turn + 1, "side", side_name(before->mover), "kind",
        kind, "before", eval_chance(&before->eval, before->mover), "after", eval_chance(&before[1].eval, before->mover),
        "words", words.data, "stones", view_cells(review->stones + before->stones, before[1].stones - before->stones),
        "best", view_cells(before->eval.best, before->eval.best_count));
    text_close(&words);
    return object;
}

json_t *review_side_json(const ReviewSide *side)
{
    bool is_known = side->counted > 0;
    return json_pack("{s:i, s:i, s:o, s:o, s:i, s:i, s:i, s:i}", "turns", (int)side->turns, "counted",
                     (int)side->counted, "loss", is_known ? json_real(side->loss) : json_null(), "accuracy",
                     is_known ? json_real(side->accuracy) : json_null(), "mistakes", (int)side->kinds[REVIEW_MISTAKE],
                     "blunders", (int)side->kinds[REVIEW_BLUNDER], "misses", (int)side->kinds[REVIEW_MISSED_WIN],
                     "lets", (int)side->kinds[REVIEW_LETS_WIN]);
}

json_t *review_json(const Review *review, const char *const names[2])
{
    json_t *points = json_array(), *turning = json_array();
    for (unsigned i = 0; i <= review->turn_count; i++)
        if (review->points[i].eval.is_known)
            (void)json_array_append_new(points, review_point_json(review, i));
    for (unsigned i = 0; i < review->turn_count; i++) {
        json_t *turn = review_turning_json(review, i, names);
        if (turn != NULL)
            (void)json_array_append_new(turning, turn);
    }
    return json_pack("{s:i, s:i, s:b, s:I, s:o, s:o, s:{s:o, s:o}}", "done", (int)review->done, "total",
                     (int)review->total, "complete", review->is_complete, "nodes", (json_int_t)review->nodes, "points",
                     points, "turning", turning, "sides", "first", review_side_json(&review->sides[SIDE_FIRST]),
                     "second", review_side_json(&review->sides[SIDE_SECOND]));
}
