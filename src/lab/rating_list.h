// A rating list of the games in the database.
#pragma once

#include "lab/report.h"
#include "store/db/database.h"

typedef struct {
    DatabaseResults results;
    RatedAgents rated; // in the order of the results' agents
} RatingList;

// Rates all agents of `results`, which the caller has read. STATUS_FAILED if there are too few or too many.
Status rating_list_fit(RatingList *list, const RatingOptions *options, Error *error);
json_t *rating_list_json(const RatingList *list);
void rating_list_close(RatingList *list); // zeroed is fine
