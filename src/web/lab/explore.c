// GET /explore: the continuations of a position. Reading all games of some rules for the first time may take several
// requests: each stops after a quarter of a second, and its answer says that it is incomplete.
#include "web/lab/explore.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/explorer_view.h"
#include "web/lab/library_internal.h"

#include <stdlib.h>

enum { KEPT_MAX = 4 }; // rules whose games stay in memory

struct WebExplorers {
    pthread_mutex_t lock;     // protects the other fields, and the explorers
    Explorer *kept[KEPT_MAX]; // the most recently used first; NULL: none
};

WebExplorers *web_explorers_open(void)
{
    WebExplorers *explorers = memory_new(1, sizeof *explorers);
    (void)pthread_mutex_init(&explorers->lock, NULL);
    return explorers;
}

void web_explorers_close(WebExplorers *explorers)
{
    if (explorers == NULL)
        return;
    for (unsigned i = 0; i < KEPT_MAX; i++)
        explorer_close(explorers->kept[i]);
    (void)pthread_mutex_destroy(&explorers->lock);
    free(explorers);
}

// Moves the explorer of these rules to the front, in place of the least recently used one if there is none.
static Explorer *use_explorer(WebExplorers *explorers, const Rules *rules)
{
    unsigned at = 0;
    while (at < KEPT_MAX - 1 && explorers->kept[at] != NULL && !rules_equal(explorer_rules(explorers->kept[at]), rules))
        at++;
    Explorer *used = explorers->kept[at];
    if (used == NULL || !rules_equal(explorer_rules(used), rules)) {
        explorer_close(used);
        used = explorer_open(rules);
    }
    for (; at > 0; at--)
        explorers->kept[at] = explorers->kept[at - 1];
    explorers->kept[0] = used;
    return used;
}

static Status look_up(WebExplorers *explorers, Database *db, ExplorerView *view, Error *error)
{
    WEB_LOCK(&explorers->lock);
    Explorer *explorer = use_explorer(explorers, &view->game.board.rules);
    Status status = explorer_update(explorer, db, clock_seconds() + WEB_LIBRARY_SECONDS, &view->is_complete, error);
    return status == STATUS_OK ? explorer_view_fill(view, explorer, db, error) : status;
}

json_t *web_explore(WebCall *call, const Game *game)
{
    Database *db = NULL;
    json_t *object = NULL;
    if (web_library_open(call->context, &db, call->error) != STATUS_OK)
        return NULL;
    ExplorerView *view = memory_new(1, sizeof *view);
    game_copy(&view->game, game);
    if (look_up(call->context->explorers, db, view, call->error) == STATUS_OK)
        object = explorer_view_json(view);
    explorer_view_close(view);
    free(view);
    database_close(db);
    return object;
}

static Status get_explore(WebCall *call)
{
    Game game;
    Status status = web_library_game(call, &game);
    if (status != STATUS_OK)
        return status;
    call->reply->json = web_explore(call, &game);
    return call->reply->json != NULL ? STATUS_OK : call->error->status;
}

const WebRoute web_explore_routes[] = {
    {"GET", "/explore", get_explore, WEB_SLOW, "How games and opening books continued from a position",
     .names = "game moves"},
    {0},
};
