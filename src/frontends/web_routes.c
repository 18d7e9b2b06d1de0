// All routes of the web board: a table more is one line here.
#include "frontends/web_library.h"
#include "frontends/web_matches.h"
#include "frontends/web_tour.h"

const WebRoute *const web_route_tables[] = {
    web_library_routes, //
    web_matches_routes, //
    web_tour_routes,    //
    NULL,
};
