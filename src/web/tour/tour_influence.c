// The second paper's lenses on single stones: reach of a stone, value of a half-move, and candidate cells.
#include "web/tour/tour_internal.h"

#include "base/memory.h"
#include "game/notation.h"
#include "papers/kagami/influence.h"
#include "threats/threats.h"
#include "view/json_view.h"

#include <math.h>
#include <stdlib.h>

// In the order of Influence.power.
static const struct {
    const char *name;
    int column, row;
} directions[INFLUENCE_DIRECTIONS] = {{"Row", 1, 0}, {"Column", 0, 1}, {"Rising", 1, 1}, {"Falling", 1, -1}};

// The cells along one direction, both ways, up to the border, an opposing stone or k - 1 steps.
typedef struct {
    unsigned count;
    Cell cells[2 * RULES_SIDE_MAX];
    uint8_t steps[2 * RULES_SIDE_MAX]; // distance of each
    bool has_room;                     // a row of k fits
} Ray;

// One way along a direction: `sign` is 1 or -1.
static void walk(const Board *board, Cell from, unsigned direction, int sign, Ray *ray)
{
    int x = (int)cell_column(from), y = (int)cell_row(from);
    for (unsigned step = 1; step < board->rules.k; step++) {
        x += sign * directions[direction].column;
        y += sign * directions[direction].row;
        if (x < 0 || y < 0 || x >= board->rules.width || y >= board->rules.height)
            return;
        Cell cell = cell_at((unsigned)x, (unsigned)y);
        if (board_stone(board, cell) == (Stone)side_other(TOUR_SIDE))
            return;
        ray->cells[ray->count] = cell;
        ray->steps[ray->count++] = (uint8_t)step;
    }
}

// Cells of the area are tinted by nearness; stones of the side in it carry the power they multiply with.
static void mark_ray(const Board *board, const Ray *ray, Side side, TourPicture *picture)
{
    unsigned k = board->rules.k;
    for (unsigned i = 0; i < ray->count; i++) {
        bool own = board_stone(board, ray->cells[i]) == (Stone)side;
        char label[16] = "";
        if (own)
            (void)snprintf(label, sizeof label, "2^%u", 2 * k + 1 - ray->steps[i]);
        tour_mark(picture, &(TourMark){own ? "cell" : "area", &ray->cells[i], 1, side_name(side), label,
                                       (double)(k - ray->steps[i]) / k, !ray->has_room});
    }
}

static Status look_at_influence(TourPicture *picture)
{
    const Board *board = picture->board;
    const Rules *rules = &board->rules;
    Cell cell = picture->cell;
    if (cell == CELL_NONE)
        return error_set(picture->error, STATUS_BAD_INPUT, "the board does not have this cell");
    Influence influence = influence_of(board, cell, TOUR_SIDE);
    unsigned reached = 0, room = 0;
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    tour_mark(picture, &(TourMark){"stone", &cell, 1, side_name(TOUR_SIDE), NULL, NAN, false});
    for (unsigned i = 0; i < INFLUENCE_DIRECTIONS; i++) {
        Ray ray = {0};
        walk(board, cell, i, 1, &ray);
        walk(board, cell, i, -1, &ray);
        ray.has_room = ray.count + 1 >= rules->k;
        mark_ray(board, &ray, TOUR_SIDE, picture);
        reached += ray.has_room ? ray.count : 0;
        room += ray.has_room;
        char power[16];
        (void)snprintf(power, sizeof power, "2^%u", (unsigned)influence.power[i]);
        tour_fact(picture, directions[i].name, json_string(power), "%u cell%s%s", ray.count, view_plural(ray.count),
                  ray.has_room ? "" : ", no room for a row");
    }
    tour_fact(picture, "Open directions", json_integer(influence.open), "%.11f times the sum",
              influence_degree(rules->k, influence.open));
    tour_fact(picture, "Worth", json_real(influence_score(&influence, rules->k)), "%s", "");
    Board after = *board;
    if (board_stone(board, cell) == STONE_NONE)
        board_put(&after, cell, TOUR_SIDE);
    tour_fact(picture, "Stones to stop it", json_integer(threats_exact(&after, TOUR_SIDE).count),
              "what threatens with the stone there");
    text_add(&picture->caption, "A stone of %s on %s reaches %u cells in %u direction%s.",
             web_side_name(rules, TOUR_SIDE), name, reached, room, view_plural(room));
    return STATUS_OK;
}

const TourLens tour_lens_influence = {"influence", true, look_at_influence};

typedef struct {
    Cell cell;
    double rank, score;
} Candidate;

static int compare_candidates(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank ? 1 : -1) : cell_compare(&x->cell, &y->cell);
}

// Rated for the opponent of the side to move: a stone there takes that value from the opponent.
static unsigned list_candidates(const Game *game, Candidate *list)
{
    const Board *board = &game->board;
    Side side = side_other(board_side(board));
    uint64_t rows[RULES_SIDE_MAX];
    unsigned count = 0;
    (void)influence_candidates(game, INFLUENCE_REACH, rows);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t bits = rows[row]; bits != 0; bits &= bits - 1) {
            Cell cell = cell_at(bits_lowest(bits), row);
            Influence influence = influence_of(board, cell, side);
            list[count++] = (Candidate){cell, influence_rank(&influence, board->rules.k),
                                        influence_score(&influence, board->rules.k)};
        }
    qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

// The turn of the agent that implements this section.
static Status ask_defence(TourPicture *picture)
{
    const Game *game = picture->game;
    Agent agent = {0};
    Rng rng = rng_make(1);
    AgentTask task = {.rng = &rng};
    Decision decision = {0};
    Status status = agent_open(&agent, span_of("defence"), &game->board.rules, picture->error);
    if (status == STATUS_OK) {
        Side side = board_side(&game->board);
        Text words = {0};
        agent_decide(&agent, game, &task, &decision);
        view_add_cells(&words, decision.stones, decision.count, " ");
        for (unsigned i = 0; i < decision.count; i++)
            tour_mark(picture, &(TourMark){"stone", &decision.stones[i], 1, side_name(side), NULL, i + 1, false});
        tour_fact(picture, "Turn of defence", json_string(words.data != NULL ? words.data : ""), "%s", "");
        text_add(&picture->caption, " %s plays %s.", web_side_name(&game->board.rules, side),
                 words.data != NULL ? words.data : "");
        text_close(&words);
    }
    agent_close(&agent);
    return status;
}

static Status look_at_candidates(TourPicture *picture)
{
    Candidate *list = memory_new(RULES_CELLS_MAX, sizeof *list);
    unsigned count = list_candidates(picture->game, list);
    for (unsigned i = 0; i < count; i++) {
        double spread = list[0].rank - list[count - 1].rank;
        double shade = spread > 0 ? (list[i].rank - list[count - 1].rank) / spread : 1;
        tour_mark(picture, &(TourMark){"area", &list[i].cell, 1, NULL, NULL, shade, false});
    }
    char best[CELL_TEXT_SIZE];
    cell_format(list[0].cell, best);
    tour_fact(picture, "Candidates", json_integer(count), "of %u empty cells",
              (unsigned)(picture->board->cells - board_count(picture->board)));
    tour_fact(picture, "Best half-move", json_string(best), "worth %.6g to %s", list[0].score,
              web_side_name(&picture->board->rules, side_other(board_side(picture->board))));
    text_add(&picture->caption, "%u cells are looked at.", count);
    free(list);
    return ask_defence(picture);
}

const TourLens tour_lens_candidates = {"candidates", false, look_at_candidates};
