// All routes of the web board: a table more is one line here.
#include "frontends/web_files.h"
#include "frontends/web_insight.h"
#include "frontends/web_jobs.h"
#include "frontends/web_library.h"
#include "frontends/web_matches.h"
#include "frontends/web_play.h"
#include "frontends/web_rules.h"
#include "frontends/web_tour.h"

const WebRoute *const web_route_tables[] = {
    web_rules_routes,   //
    web_play_routes,    //
    web_insight_routes, //
    web_files_routes,   //
    web_library_routes, //
    web_matches_routes, //
    web_jobs_routes,    //
    web_tour_routes,    //
    NULL,
};
