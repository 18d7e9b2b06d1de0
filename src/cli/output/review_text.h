// A review of a game in words.
#pragma once

#include "analysis/review.h"
#include "view/progress.h"

// Reviews the turns of a game until the flag is raised. Close the review also after an error.
Status review_search(Review *review, const Game *game, Reporter *reporter, const atomic_bool *stop, Error *error);

// Prints the mistakes and the accuracy of both sides, called X and O.
void review_print(const Review *review);

extern const char *const review_side_names[2];
