// Benchmark of opening books: building one and looking up positions, with made-up games.
#include "bench/bench_parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "bench/common/boards.h"
#include "store/db/database_books.h"

#include <stdlib.h>

// Games of Connect6 with stones in the middle of the board, so that first turns coincide as in real games.
enum { GAMES = 500, STONES = 21, MIDDLE = 7 };

typedef struct {
    Cell stones[GAMES][STONES];
    BookGraph graph; // of the last slice
    Database *db;    // in memory
    Game game;
    BookView view;
    BookChoice choice;
    Cell turn[RULES_CELLS_MAX];
    Rng rng;
    uint64_t sink;
    double took[SLICES_MAX];
} Bench;

static void make_games(Bench *bench)
{
    for (int i = 0; i < GAMES; i++) {
        Cell cells[MIDDLE * MIDDLE];
        for (unsigned j = 0; j < MIDDLE * MIDDLE; j++)
            cells[j] = cell_at(6 + j % MIDDLE, 6 + j / MIDDLE);
        for (unsigned j = 0; j < STONES; j++) {
            unsigned other = j + rng_below(&bench->rng, MIDDLE * MIDDLE - j);
            Cell swap = cells[j];
            cells[j] = cells[other];
            cells[other] = swap;
            bench->stones[i][j] = cells[j];
        }
    }
}

// The number of stones up to the end of the game, which some random games reach early.
static unsigned length_of(Bench *bench, int number)
{
    game_init(&bench->game, &bench->graph.spec.rules);
    while (bench->game.played < STONES && !game_is_over(&bench->game))
        game_play(&bench->game, bench->stones[number][bench->game.played]);
    return bench->game.played;
}

// Builds a book from all games; returns the seconds it took, without storing it.
static double build(Bench *bench, const BookSpec *spec)
{
    book_graph_close(&bench->graph);
    bench->graph.spec = *spec;
    double begin = clock_seconds();
    for (int i = 0; i < GAMES; i++) {
        BookCounts outcome = {i % 2 == 0, 0, i % 2 != 0};
        (void)book_graph_add(&bench->graph, bench->stones[i], length_of(bench, i), outcome, NULL);
    }
    return clock_seconds() - begin;
}

static void take_turn(void *context, Span turn, BookCounts counts)
{
    Bench *bench = context;
    unsigned count = 0;
    if (book_read_turn(&bench->view, &bench->game.board, turn, bench->turn, &count))
        book_choice_add(&bench->choice, counts, bench->turn, count);
}

// Looks up a position as an agent does, from the position to the move.
static void look_at(Bench *bench, unsigned depth)
{
    BookSink sink = {.context = bench, .turn = take_turn};
    const BookMove *move = NULL;
    book_choice_begin(&bench->choice, board_side(&bench->game.board), BOOK_THRESHOLD);
    (void)book_view(&bench->view, &bench->graph.spec, &bench->game, depth);
    BookKey key = {&bench->graph.spec, depth, bench->view.code.data};
    (void)database_look_up(bench->db, &key, &sink, NULL);
    bench->sink += (uint64_t)book_choice_end(&bench->choice, &move);
}

// Looks up the positions after two and three turns of each game; returns the seconds per look-up.
static double look_up(Bench *bench)
{
    double took = 0;
    for (int i = 0; i < GAMES; i++) {
        game_init(&bench->game, &bench->graph.spec.rules);
        for (unsigned played = 0; played < 5; played++) {
            game_play(&bench->game, bench->stones[i][played]);
            double begin = clock_seconds();
            if (played == 2 || played == 4)
                look_at(bench, played / 2 + 1);
            took += clock_seconds() - begin;
        }
    }
    return took / (2 * GAMES);
}

// The median of slices, at least three.
static double measure(Bench *bench, double seconds, const atomic_bool *stop, const BookSpec *spec)
{
    unsigned count = 0;
    double end = clock_seconds() + seconds;
    while (count < SLICES_MAX && (count < 3 || clock_seconds() < end) && !stop_is_raised(stop))
        bench->took[count++] = spec != NULL ? build(bench, spec) : look_up(bench);
    return slices_median(bench->took, count);
}

static unsigned run(Bench *bench, double seconds, const atomic_bool *stop, BenchResult *results)
{
    BookSpec spec = {.name = "bench",
                     .rules = bench_rules("connect6"),
                     .encoding = ENCODING_RELATIVE,
                     .symmetric = true,
                     .turns = 10};
    bench->graph.spec = spec;
    bench->rng = rng_make(1);
    make_games(bench);
    double took = measure(bench, seconds, stop, &spec);
    results[0] = (BenchResult){.name = "book/build",
                               .value = took > 0 ? GAMES / took : 0,
                               .unit = "games/s",
                               .about = "10 turns of Connect6 games put into a symmetric book"};
    book_graph_sort(&bench->graph);
    if (database_open(":memory:", &bench->db, NULL) != STATUS_OK ||
        database_save_book(bench->db, &bench->graph, DATABASE_BOOK_REPLACE, 0, NULL) != STATUS_OK)
        return 1;
    results[1] = (BenchResult){.name = "book/lookup",
                               .value = measure(bench, seconds, stop, NULL) * 1e6,
                               .unit = "us",
                               .about = "a position looked up in the database and a move chosen"};
    return 2;
}

unsigned bench_book(double seconds, const atomic_bool *stop, BenchResult *results)
{
    Bench *bench = memory_new(1, sizeof *bench);
    unsigned count = run(bench, seconds, stop, results);
    book_graph_close(&bench->graph);
    book_view_close(&bench->view);
    database_close(bench->db);
    free(bench);
    return stop_is_raised(stop) ? 0 : count;
}
