// Opening books as text. An accepted book is unchanged when written and read again; its turns lead to legal turns or to
// none.
#include "fuzz/fuzz.h"
#include "store/files/bookfile.h"

static void require_same_text(const BookGraph *graph)
{
    Text first = {0}, second = {0};
    BookGraph again = {0};
    bookfile_write(graph, &first);
    REQUIRE(bookfile_read((Span){first.data, first.length}, &again, NULL) == STATUS_OK);
    bookfile_write(&again, &second);
    REQUIRE(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    text_close(&first);
    text_close(&second);
    book_graph_close(&again);
}

// On the empty board and on one with a stone: the names of turns are untrusted text.
static void require_legal_turns(const BookGraph *graph)
{
    static Game game;
    static BookView view;
    static Cell stones[RULES_CELLS_MAX];
    game_init(&game, &graph->spec.rules);
    for (unsigned depth = 0; depth < 2 && !game_is_over(&game); depth++) {
        REQUIRE(book_view(&view, &graph->spec, &game, depth));
        for (unsigned i = 0; i < graph->link_count; i++) {
            unsigned count = 0;
            if (!book_read_turn(&view, &game.board, span_of(book_graph_turn(graph, i)), stones, &count))
                continue;
            Game after = game;
            for (unsigned j = 0; j < count; j++)
                REQUIRE(game_try(&after, stones[j], NULL) == STATUS_OK);
            REQUIRE(game_is_over(&after) || board_side(&after.board) != board_side(&game.board));
        }
        Cell cells[RULES_CELLS_MAX];
        for (unsigned left = board_stones_left(&game.board); left > 0 && !game_is_over(&game); left--)
            game_play(&game, cells[board_legal_cells(&game.board, cells) / 2]);
    }
    book_view_close(&view);
}

FUZZ_TARGET(book)
{
    BookGraph graph = {0};
    Error error = {0};
    Status status = bookfile_read((Span){(const char *)data, size}, &graph, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
    } else {
        require_same_text(&graph);
        book_graph_sort(&graph);
        require_same_text(&graph);
        require_legal_turns(&graph);
    }
    book_graph_close(&graph);
    return 0;
}
