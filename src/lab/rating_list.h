// The rating list of games in the database: who has which rating, from which results.
#pragma once

#include "lab/report.h"
#include "store/db/database.h"

typedef struct {
    DatabaseResults results;
    RatedAgents rated; // by player, as in the results
} RatingList;

// Rates all players of the results, which must be there. STATUS_FAILED where there are too few or too many.
Status rating_list_fit(RatingList *list, const RatingOptions *options, Error *error);
json_t *rating_list_json(const RatingList *list);
void rating_list_close(RatingList *list); // safe on a zeroed one
