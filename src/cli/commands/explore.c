// krow explore: how the games of the database, opening books and the engine's book continued from a position.
#include "base/memory.h"
#include "cli/commands.h"
#include "lab/books.h"
#include "lab/explorer_view.h"
#include "view/json_view.h"

#include <stdlib.h>

typedef struct {
    CommandLine line;
    unsigned count;
} ExploreArgs;

static void print_books(const ExplorerView *view, size_t number)
{
    Side side = board_side(&view->game.board);
    for (unsigned i = 0; i < view->book_count; i++) {
        const ExplorerBookMove *said = explorer_view_book(view, i, number);
        if (said != NULL)
            (void)printf("  %s%s %.0f %%", view->books[i].spec.name, said->is_recommended ? "*" : "",
                         100 * book_ratio(said->counts, side));
    }
    if (explorer_view_is_engine(view, number))
        (void)printf("  engine %+.1f", view->engine_score);
}

static void print_moves(const ExplorerView *view, unsigned most)
{
    const ExplorerPosition *found = &view->found;
    size_t shown = most == 0 || most > found->move_count ? found->move_count : most;
    Text cells = {0};
    if (shown > 0)
        (void)printf("\n%-20s %8s %8s %8s %8s  %s\n", "turn", "games", "first", "draws", "second", "books");
    for (size_t i = 0; i < shown; i++) {
        const ExplorerMove *move = &found->moves[i];
        cells.length = 0;
        view_add_cells(&cells, found->stones + move->stones, move->count, " ");
        (void)printf("%-20s %8llu %8llu %8llu %8llu", cells.data, (unsigned long long)explorer_count(move->counts),
                     (unsigned long long)move->counts.first, (unsigned long long)move->counts.draws,
                     (unsigned long long)move->counts.second);
        print_books(view, i);
        (void)printf("\n");
    }
    if (shown < found->move_count)
        (void)printf("%zu more; --count 0 shows all.\n", found->move_count - shown);
    text_close(&cells);
}

static void print_text(const ExplorerView *view, unsigned most)
{
    const ExplorerCounts *counts = &view->found.counts;
    uint64_t games = explorer_count(*counts);
    const char *reason = explorer_view_reason(view);
    char all[32], here[32];
    if (reason != NULL)
        (void)printf("No game had this position: %s.\n", reason);
    else if (games == 0)
        (void)printf("None of %s game%s had this position.\n", view_number(view->games, all), view_plural(view->games));
    else
        (void)printf("%s of %s game%s had this position: the first player won %llu, %llu drawn, the second won %llu.\n",
                     view_number(games, here), view_number(view->games, all), view_plural(view->games),
                     (unsigned long long)counts->first, (unsigned long long)counts->draws,
                     (unsigned long long)counts->second);
    print_moves(view, most);
}

static Status fill(ExplorerView *view, const ExploreArgs *args, Error *error)
{
    Database *db = NULL;
    Status status = line_position(&args->line, &view->game, error);
    if (status != STATUS_OK)
        return status;
    Explorer *explorer = explorer_open(&view->game.board.rules);
    if (!database_is_none(args->line.db))
        status = database_open_to_read(args->line.db, &db, error);
    if (status == STATUS_OK)
        status = explorer_update(explorer, db, 0, &view->is_complete, error);
    if (status == STATUS_OK)
        status = explorer_view_fill(view, explorer, db, error);
    explorer_close(explorer);
    database_close(db);
    return status;
}

static Status run(const void *options, Error *error)
{
    const ExploreArgs *args = options;
    ExplorerView *view = memory_new(1, sizeof *view);
    Status status = fill(view, args, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(explorer_view_json(view), error);
    else if (status == STATUS_OK)
        print_text(view, args->count);
    explorer_view_close(view);
    free(view);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(ExploreArgs, count, "count", CLI_WHOLE, "N", "Turns to show (default 20; 0: all)", .fallback = "20",
               .max = 1000000),
    OPTION_BOARD,
    OPTION_DB,
    OPTION_JSON,
    CLI_END(ExploreArgs),
};

const Command command_explore = {
    .name = "explore",
    .words = "GAME [MOVES...]",
    .summary = "Show how games and opening books continued from a position",
    .about = "Lists the turns that were played from the position in the games of the database, with their results, and "
             "what opening books and the engine's book say about them. Symmetric positions and turns count together. "
             "For a book the share of decided games that the side to move won is printed; a star marks its "
             "recommended turn.\n\nExamples:\n  krow explore gomoku\n  krow explore connect6 j10 --count 5",
    .options = options,
    .run = run,
};
