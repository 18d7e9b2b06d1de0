// Searches and prints reviews of games.
#include "cli/output/review_text.h"

#include "view/json_view.h"

#include <stdio.h>

const char *const review_side_names[2] = {"X", "O"};

Status review_search(Review *review, const Game *game, Reporter *reporter, const atomic_bool *stop, Error *error)
{
    Game start;
    game_copy(&start, game);
    while (game_undo(&start)) {
    }
    Status status = review_open(review, game, &start.board, error);
    if (status != STATUS_OK)
        return status;
    while (review_step(review, stop))
        reporter_show(reporter, "review: %u of %u searches", review->done, review->total);
    reporter_end(reporter);
    review_judge(review);
    return review->is_complete || atomic_load(stop)
               ? STATUS_OK
               : error_set(error, STATUS_FAILED, "not enough memory for the search");
}

static void print_count(unsigned count, const char *one, const char *many)
{
    if (count > 0)
        (void)printf(", %u %s", count, count == 1 ? one : many);
}

static void print_side(const Review *review, Side side)
{
    const ReviewSide *at = &review->sides[side];
    if (at->counted == 0) {
        (void)printf("%s: no turn to judge\n", review_side_names[side]);
        return;
    }
    (void)printf("%s: accuracy %.1f, mean loss %.1f %% in %u turn%s", review_side_names[side], at->accuracy,
                 100 * at->loss, at->counted, view_plural(at->counted));
    print_count(at->kinds[REVIEW_MISTAKE], "mistake", "mistakes");
    print_count(at->kinds[REVIEW_BLUNDER], "blunder", "blunders");
    print_count(at->kinds[REVIEW_MISSED_WIN], "missed win", "missed wins");
    print_count(at->kinds[REVIEW_LETS_WIN], "win given away", "wins given away");
    (void)printf("\n");
}

void review_print(const Review *review)
{
    unsigned found = 0;
    for (unsigned i = 0; i < review->turn_count; i++) {
        if (review->turns[i].kind == REVIEW_FINE)
            continue;
        Text words = {0};
        review_describe(review, i, review_side_names, &words);
        (void)printf("%3u. %s\n", i + 1, words.data);
        text_close(&words);
        found++;
    }
    if (found == 0)
        (void)printf("No mistakes found.\n");
    print_side(review, SIDE_FIRST);
    print_side(review, SIDE_SECOND);
    if (!review->is_complete)
        (void)printf("Interrupted after %u of %u searches.\n", review->done, review->total);
}
