// All routes of the web board, one table per line.
#include "web/friends/friends.h"
#include "web/lab/explore.h"
#include "web/lab/jobs.h"
#include "web/lab/library.h"
#include "web/lab/matches.h"
#include "web/puzzles/puzzles.h"
#include "web/session/rules.h"
#include "web/session/session.h"
#include "web/tour/tour.h"

const WebRoute *const web_route_tables[] = {
    web_rules_routes,   //
    web_play_routes,    //
    web_insight_routes, //
    web_files_routes,   //
    web_friends_routes, //
    web_library_routes, //
    web_explore_routes, //
    web_matches_routes, //
    web_jobs_routes,    //
    web_tour_routes,    //
    web_puzzles_routes, //
    NULL,
};
