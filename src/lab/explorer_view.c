// Joins what games, opening books and the engine's book say about a position.
#include "lab/explorer_view.h"

#include "base/memory.h"
#include "lab/book_position.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

enum { ENGINE_TURNS_MAX = 16 };

typedef struct {
    ExplorerView *view;
    Database *db;
    ExplorerFrame frame;
    Cell stones[RULES_CELLS_MAX]; // work space
    Status status;
    Error *error;
} Joining;

// The move of the least symmetric image of some stones.
static size_t join_move(Joining *joining, const Cell *stones, unsigned count)
{
    memcpy(joining->stones, stones, count * sizeof *stones);
    explorer_frame_apply(&joining->frame, joining->stones, count);
    return explorer_position_move(&joining->view->found, joining->stones, count);
}

// The entry of a move in the book that is being joined; symmetric turns of a book share one.
static ExplorerBookMove *find_entry(ExplorerView *view, size_t move)
{
    for (size_t i = 0; i < view->book_move_count; i++)
        if (view->book_moves[i].book == view->book_count && view->book_moves[i].move == move)
            return &view->book_moves[i];
    view->book_moves =
        array_grow(view->book_moves, &view->book_move_capacity, view->book_move_count + 1, sizeof *view->book_moves);
    ExplorerBookMove *entry = &view->book_moves[view->book_move_count++];
    *entry = (ExplorerBookMove){.book = view->book_count, .move = move};
    return entry;
}

static void join_book_moves(Joining *joining, const BookPosition *position)
{
    const BookMove *best = NULL;
    (void)book_choice_end(&position->choice, &best);
    for (size_t i = 0; i < position->move_count; i++) {
        const BookPositionMove *move = &position->moves[i];
        const Cell *stones = position->stones + move->stones;
        ExplorerBookMove *entry = find_entry(joining->view, join_move(joining, stones, move->count));
        entry->counts.wins += move->counts.wins;
        entry->counts.ties += move->counts.ties;
        entry->counts.losses += move->counts.losses;
        entry->is_recommended =
            entry->is_recommended || (best != NULL && best->count == move->count &&
                                      memcmp(best->stones, stones, move->count * sizeof *stones) == 0);
    }
}

static bool take_name(void *context, const DatabaseBook *book)
{
    Joining *joining = context;
    ExplorerView *view = joining->view;
    bool found = false;
    BookPosition *position = memory_new(1, sizeof *position);
    game_copy(&position->game, &view->game);
    joining->status = book_position_find(position, joining->db, book->spec.name, &found, joining->error);
    if (joining->status == STATUS_OK && found) {
        join_book_moves(joining, position);
        view->in_book[view->book_count] = position->counts;
        view->books[view->book_count++] = *book;
    }
    book_position_close(position);
    free(position);
    return joining->status == STATUS_OK && view->book_count < EXPLORER_BOOKS_MAX;
}

static Status join_engine_book(Joining *joining, Error *error)
{
    ExplorerView *view = joining->view;
    const Board *board = &view->game.board;
    EngineBook *book = NULL;
    EngineBookTurn turns[ENGINE_TURNS_MAX];
    Status status = engine_book_open(&book, &board->rules, error);
    unsigned count = status == STATUS_OK && book != NULL ? engine_book_turns(book, board, turns, ENGINE_TURNS_MAX) : 0;
    view->engine = memory_new(ENGINE_TURNS_MAX, sizeof *view->engine);
    for (unsigned i = 0; i < count; i++) {
        view->engine[view->engine_count++] = join_move(joining, turns[i].stones, turns[i].count);
        view->engine_score = turns[i].score / ENGINE_BOOK_UNIT;
    }
    engine_book_close(book);
    return status;
}

// Sorting the moves changes their indices, which books refer to; the first stone of a move stays where it is.
static void sort_moves(ExplorerView *view)
{
    ExplorerPosition *found = &view->found;
    size_t *place = memory_new(found->stone_count + 1, sizeof *place); // of each move, by its first stone
    size_t *old = memory_new(found->move_count + 1, sizeof *old);
    for (size_t i = 0; i < found->move_count; i++)
        old[i] = found->moves[i].stones;
    explorer_position_sort(found);
    for (size_t i = 0; i < found->move_count; i++)
        place[found->moves[i].stones] = i;
    for (size_t i = 0; i < view->book_move_count; i++)
        view->book_moves[i].move = place[old[view->book_moves[i].move]];
    for (unsigned i = 0; i < view->engine_count; i++)
        view->engine[i] = place[old[view->engine[i]]];
    free(place);
    free(old);
}

Status explorer_view_fill(ExplorerView *view, const Explorer *explorer, Database *db, Error *error)
{
    const Rules *rules = &view->game.board.rules;
    view->games = explorer_games(explorer);
    explorer_find(explorer, &view->game.board, &view->found);
    if (game_is_over(&view->game))
        return STATUS_OK;
    Joining *joining = memory_new(1, sizeof *joining);
    *joining = (Joining){.view = view, .db = db, .error = error};
    explorer_frame_init(&joining->frame, &view->game.board);
    DatabaseBookRange range = {rules, EXPLORER_BOOKS_MAX};
    Status status = database_books_of(db, &range, take_name, joining, error);
    if (status == STATUS_OK)
        status = joining->status;
    if (status == STATUS_OK)
        status = join_engine_book(joining, error);
    free(joining);
    sort_moves(view);
    return status;
}

void explorer_view_close(ExplorerView *view)
{
    explorer_position_close(&view->found);
    free(view->book_moves);
    free(view->engine);
}

const ExplorerBookMove *explorer_view_book(const ExplorerView *view, unsigned book, size_t move)
{
    for (size_t i = 0; i < view->book_move_count; i++)
        if (view->book_moves[i].book == book && view->book_moves[i].move == move)
            return &view->book_moves[i];
    return NULL;
}

bool explorer_view_is_engine(const ExplorerView *view, size_t move)
{
    for (unsigned i = 0; i < view->engine_count; i++)
        if (view->engine[i] == move)
            return true;
    return false;
}

const char *explorer_view_reason(const ExplorerView *view)
{
    if (game_is_over(&view->game))
        return "the game is over";
    return explorer_is_regular(&view->game.board)
               ? NULL
               : "it was set up, and no game from the empty board has these stones and this side to move";
}

// --- JSON ---

static json_t *counts_json(ExplorerCounts counts)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "games", (json_int_t)explorer_count(counts), "first",
                     (json_int_t)counts.first, "draws", (json_int_t)counts.draws, "second", (json_int_t)counts.second);
}

static json_t *book_counts_json(BookCounts counts)
{
    return counts_json((ExplorerCounts){counts.wins, counts.ties, counts.losses});
}

static json_t *move_json(const ExplorerView *view, size_t number)
{
    const ExplorerMove *move = &view->found.moves[number];
    Side side = board_side(&view->game.board);
    json_t *object = counts_json(move->counts), *books = json_array();
    for (unsigned i = 0; i < view->book_count; i++) {
        const ExplorerBookMove *said = explorer_view_book(view, i, number);
        if (said == NULL)
            continue;
        json_t *entry = book_counts_json(said->counts);
        (void)json_object_update_new(entry,
                                     json_pack("{s:s, s:f, s:b}", "book", view->books[i].spec.name, "score",
                                               book_ratio(said->counts, side), "recommended", said->is_recommended));
        (void)json_array_append_new(books, entry);
    }
    (void)json_object_update_new(
        object, json_pack("{s:o, s:o, s:o}", "stones", view_cells(view->found.stones + move->stones, move->count),
                          "books", books, "engine",
                          explorer_view_is_engine(view, number) ? json_real(view->engine_score) : json_null()));
    return object;
}

static json_t *books_json(const ExplorerView *view)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < view->book_count; i++) {
        json_t *book = book_counts_json(view->in_book[i]);
        (void)json_object_set_new(book, "book", json_string(view->books[i].spec.name));
        (void)json_array_append_new(list, book);
    }
    return list;
}

json_t *explorer_view_json(const ExplorerView *view)
{
    const Board *board = &view->game.board;
    const ExplorerPosition *found = &view->found;
    json_t *object = counts_json(found->counts), *moves = json_array();
    size_t others = 0;
    uint64_t games = 0;
    for (size_t i = 0; i < found->move_count; i++)
        // Moves of books come last if no game has them.
        if (i < EXPLORER_MOVES_MAX || explorer_count(found->moves[i].counts) == 0) {
            (void)json_array_append_new(moves, move_json(view, i));
        } else {
            others++;
            games += explorer_count(found->moves[i].counts);
        }
    (void)json_object_update_new(
        object, json_pack("{s:o, s:s, s:i, s:I, s:b, s:s?, s:o, s:{s:I, s:I}, s:o}", "game", view_rules(&board->rules),
                          "turn", side_name(board_side(board)), "stones_left", (int)board_stones_left(board), "total",
                          (json_int_t)view->games, "complete", view->is_complete, "unknown", explorer_view_reason(view),
                          "moves", moves, "others", "moves", (json_int_t)others, "games", (json_int_t)games, "books",
                          books_json(view)));
    return object;
}
