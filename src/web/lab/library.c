// Routes of the database: books, patterns, ratings; games are in library_games.c.
#include "web/lab/library_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "lab/book_position.h"
#include "lab/books.h"
#include "lab/learn/pattern_sets.h"
#include "lab/rating_list.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

// Damaged games are left out; krow db check lists them.
static void pass_over(void *context, const DatabaseDamage *damage)
{
    (void)context;
    (void)damage;
}

Status web_library_open(const WebContext *context, Database **db, Error *error)
{
    *db = NULL;
    if (database_is_none(context->db))
        return STATUS_OK;
    Status status = database_open_to_read(context->db, db, error);
    if (status == STATUS_OK)
        database_on_damage(*db, pass_over, NULL);
    return status;
}

Status web_library_rules(WebCall *call, Rules *rules, bool *given)
{
    const char *text = web_query(call, "game");
    *given = text != NULL && text[0] != '\0';
    if (!*given)
        return STATUS_OK;
    Status status = rules_parse(span_of(text), rules, call->error);
    return status == STATUS_OK ? status : web_fail(call, 400, "game", "%s", call->error->text);
}

// The same for a required parameter.
static Status need_rules(WebCall *call, Rules *rules)
{
    bool given = false;
    Status status = web_library_rules(call, rules, &given);
    return status == STATUS_OK && !given ? web_fail(call, 400, "game", "The parameter 'game' is required.") : status;
}

// --- Opening books ---

static bool take_book(void *context, const DatabaseBook *book)
{
    (void)json_array_append_new(
        context, json_pack("{s:s, s:o, s:i, s:I, s:I, s:I, s:b, s:s, s:o}", "name", book->spec.name, "game",
                           view_rules(&book->spec.rules), "turns", (int)book->spec.turns, "games",
                           (json_int_t)book->games, "positions", (json_int_t)book->nodes, "moves",
                           (json_int_t)book->links, "symmetric", book->spec.symmetric, "encoding",
                           encoding_name(book->spec.encoding), "built", web_number_json(book->built)));
    return true;
}

// Answers with a list of the database, which is closed; takes `list`. After a failure the server drops the list.
static Status answer_list(WebCall *call, Status status, Database *db, const char *name, json_t *list)
{
    database_close(db);
    call->reply->json = json_pack("{s:o}", name, list);
    return status;
}

static Status get_books(WebCall *call)
{
    Database *db = NULL;
    json_t *list = json_array();
    Status status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK)
        status = database_each_book(db, take_book, list, call->error);
    return answer_list(call, status, db, "books", list);
}

static json_t *move_json(const BookPosition *position, const BookPositionMove *move, uint64_t games)
{
    Side side = board_side(&position->game.board);
    uint64_t here = book_position_games(move->counts);
    double share = games > 0 ? (double)here / (double)games : 0;
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:f, s:f}", "stones",
                     view_cells(position->stones + move->stones, move->count), "games", (json_int_t)here, "wins",
                     (json_int_t)move->counts.wins, "draws", (json_int_t)move->counts.ties, "losses",
                     (json_int_t)move->counts.losses, "score", book_ratio(move->counts, side), "share", share);
}

static json_t *position_json(const BookPosition *position)
{
    const BookMove *best = NULL;
    (void)book_choice_end(&position->choice, &best);
    Side side = board_side(&position->game.board);
    uint64_t games = 0;
    json_t *moves = json_array();
    for (size_t i = 0; i < position->move_count; i++)
        games += book_position_games(position->moves[i].counts);
    for (size_t i = 0; i < position->move_count; i++)
        (void)json_array_append_new(moves, move_json(position, &position->moves[i], games));
    return json_pack("{s:s, s:o, s:s, s:b, s:s?, s:I, s:I, s:I, s:I, s:f, s:o, s:o}", "book", position->book.spec.name,
                     "game", view_rules(&position->book.spec.rules), "turn", side_name(side), "known",
                     position->is_known, "unknown", position->is_known ? NULL : book_unknown_sentence(position->why),
                     "games", (json_int_t)book_position_games(position->counts), "wins",
                     (json_int_t)position->counts.wins, "draws", (json_int_t)position->counts.ties, "losses",
                     (json_int_t)position->counts.losses, "score", book_ratio(position->counts, side), "recommended",
                     best != NULL ? view_cells(best->stones, best->count) : json_null(), "moves", moves);
}

// The name in the path; "-" means any.
static Status find_position(Database *db, const char *name, BookPosition *position, WebCall *call)
{
    bool found = false, any = strcmp(name, "-") == 0;
    if (!any && !book_name_is_good(span_of(name)))
        return web_fail(call, 404, "name", "There is no such opening book.");
    Status status = book_position_find(position, db, any ? "" : name, &found, call->error);
    if (status == STATUS_BAD_INPUT)
        return web_fail(call, 400, "game", "%s", call->error->text);
    if (status == STATUS_OK && !found)
        return any ? web_fail(call, 404, "game", "There is no opening book for this game.")
                   : web_fail(call, 404, "name", "There is no such opening book.");
    return status;
}

json_t *web_library_book(WebCall *call, const char *name, const Game *game)
{
    Database *db = NULL;
    json_t *object = NULL;
    BookPosition *position = memory_new(1, sizeof *position);
    game_copy(&position->game, game);
    Status status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK)
        status = find_position(db, name, position, call);
    if (status == STATUS_OK)
        object = position_json(position);
    database_close(db);
    book_position_close(position);
    free(position);
    return object;
}

Status web_library_game(WebCall *call, Game *game)
{
    Rules rules;
    const char *moves = web_query(call, "moves");
    Status status = need_rules(call, &rules);
    if (status != STATUS_OK)
        return status;
    game_init(game, &rules);
    if (moves != NULL && game_read(game, span_of(moves), call->error) != STATUS_OK)
        return web_fail(call, 400, "moves", "%s", call->error->text);
    return STATUS_OK;
}

static Status get_book(WebCall *call)
{
    Game game;
    Status status = web_library_game(call, &game);
    if (status != STATUS_OK)
        return status;
    call->reply->json = web_library_book(call, call->request->parameter[0], &game);
    return call->reply->json != NULL ? STATUS_OK : call->error->status;
}

// --- Patterns ---

static bool take_set(void *context, const DatabasePatternSet *set)
{
    (void)json_array_append_new(context, json_pack("{s:s, s:o, s:I, s:o, s:o}", "set", set->name, "game",
                                                   view_rules(&set->rules), "patterns", (json_int_t)set->count, "tiers",
                                                   pattern_tiers_json(set), "learned", web_number_json(set->learned)));
    return true;
}

static Status get_sets(WebCall *call)
{
    Database *db = NULL;
    json_t *list = json_array();
    Status status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK)
        status = database_each_pattern_set(db, take_set, list, call->error);
    return answer_list(call, status, db, "sets", list);
}

enum { PATTERNS_MOST = 200 }; // in a page

typedef struct {
    int64_t tier; // -1: any
    int64_t offset, limit;
    uint64_t total;
    json_t *list;
} PatternPage;

static json_t *pattern_json(const DatabasePattern *stored)
{
    const Pattern *pattern = &stored->pattern;
    char text[PATTERN_TEXT_SIZE];
    json_t *cells = json_array();
    pattern_format(pattern, text);
    for (unsigned i = 0; i < pattern->count; i++)
        (void)json_array_append_new(cells, json_pack("{s:i, s:i, s:s}", "x", (int)pattern->cell[i].column, "y",
                                                     (int)pattern->cell[i].row, "what",
                                                     pattern->cell[i].own ? "own" : "empty"));
    return json_pack("{s:I, s:i, s:o, s:i, s:i, s:o, s:s}", "number", (json_int_t)stored->number, "tier",
                     (int)pattern->tier, "learned", web_number_json(stored->learned), "width", (int)pattern->width,
                     "height", (int)pattern->height, "cells", cells, "text", text);
}

static bool take_pattern(void *context, const DatabasePattern *stored)
{
    PatternPage *page = context;
    if (page->tier >= 0 && stored->pattern.tier != page->tier)
        return true;
    if (page->total >= (uint64_t)page->offset && page->total < (uint64_t)(page->offset + page->limit))
        (void)json_array_append_new(page->list, pattern_json(stored));
    page->total++;
    return true;
}

static Status get_patterns(WebCall *call)
{
    const char *set = call->request->parameter[0];
    Rules rules;
    PatternPage page = {
        .tier = web_query_int(call, "tier", 0, PATTERN_TIER_MAX, -1),
        .limit = web_query_int(call, "limit", 1, PATTERNS_MOST, 60),
        .offset = web_query_int(call, "offset", 0, INT32_MAX, 0),
    };
    Status status = call->error->status;
    if (status == STATUS_OK)
        status = need_rules(call, &rules);
    if (status == STATUS_OK && !book_name_is_good(span_of(set)))
        status = web_fail(call, 404, "set", "There is no such set of patterns.");
    if (status != STATUS_OK)
        return status;
    Database *db = NULL;
    page.list = json_array();
    status = web_library_open(call->context, &db, call->error);
    if (status == STATUS_OK)
        status = database_each_pattern(db, &(AgentPatternRange){set, &rules, 0}, take_pattern, &page, call->error);
    database_close(db);
    call->reply->json = json_pack("{s:s, s:o, s:I, s:o}", "set", set, "game", view_rules(&rules), "total",
                                  (json_int_t)page.total, "patterns", page.list);
    return status;
}

static Status get_ratings(WebCall *call)
{
    Rules rules;
    bool given = false;
    Database *db = NULL;
    RatingList list = {0};
    Status status = web_library_rules(call, &rules, &given);
    if (status == STATUS_OK)
        status = web_library_open(call->context, &db, call->error);
    if (status != STATUS_OK)
        return status;
    DatabaseFilter filter = {.rules = given ? &rules : NULL, .deadline = clock_seconds() + 4 * WEB_LIBRARY_SECONDS};
    RatingOptions options = {.first_advantage = true};
    if (db != NULL)
        status = database_results(db, &filter, &list.results, call->error);
    // A database without agents gives an empty list, not an error.
    bool has_pairs = status == STATUS_OK && list.results.agent_count >= 2;
    if (has_pairs)
        status = rating_list_fit(&list, &options, call->error);
    if (status == STATUS_OK)
        call->reply->json = rating_list_json(has_pairs ? &list : &(RatingList){0});
    rating_list_close(&list);
    database_close(db);
    return status;
}

const WebRoute web_library_routes[] = {
    {"GET", "/games", web_library_get_games, WEB_SLOW, "Games of the database, newest first",
     .names = "game agent player text result origin since until match moves symmetric before limit offset boards"},
    {"GET", "/games/file", web_library_export, WEB_SLOW, "Games of the database as one file",
     .names = "format game agent player text result origin since until"},
    {"GET", "/games/{id}", web_library_get_game, WEB_SLOW, "A game of the database with every stone", .names = NULL},
    {"DELETE", "/games/{id}", web_library_delete_game, WEB_SLOW, "Delete a saved game", .names = NULL},
    {"POST", "/import", web_library_post_import, WEB_SLOW | WEB_LARGE, "What is in a game file",
     .names = "text format"},
    {"GET", "/books", get_books, WEB_SLOW, "The opening books", .names = ""},
    {"GET", "/books/{name}", get_book, WEB_SLOW, "What an opening book says of a position", .names = "game moves"},
    {"GET", "/patterns", get_sets, WEB_SLOW, "The sets of learned patterns", .names = ""},
    {"GET", "/patterns/{set}", get_patterns, WEB_SLOW, "Patterns of a set, drawn as cells",
     .names = "game tier limit offset"},
    {"GET", "/ratings", get_ratings, WEB_SLOW, "The rating list of what the database holds", .names = "game"},
    {0},
};
