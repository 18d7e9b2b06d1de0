// The fifth paper's lenses: valid chains and their values, and rows completed or blocked without a search.
#include "web/tour/tour_internal.h"

#include "papers/connect4/detection.h"
#include "threats/lines.h"
#include "threats/windows.h"
#include "view/json_view.h"

#include <math.h>

typedef struct {
    const Board *board;
    TourPicture *picture;
    unsigned valid[2], invalid[2];
} ChainList;

static void add_chain(void *context, const Chain *chain)
{
    ChainList *list = context;
    Cell cells[RULES_SIDE_MAX];
    char label[16];
    unsigned count = window_cells(list->board, chain->line, bits_low(chain->length) << chain->low, cells);
    bool is_valid = chain->end_count > 0;
    (is_valid ? list->valid : list->invalid)[chain->side]++;
    (void)snprintf(label, sizeof label, "%u", chain->length);
    tour_mark(list->picture,
              &(TourMark){"chain", cells, count, side_name(chain->side), label, pow(4, chain->length), !is_valid});
    for (unsigned i = 0; i < chain->end_count; i++)
        tour_mark(list->picture,
                  &(TourMark){"answer", &chain->ends[i], 1, side_name(side_other(chain->side)), NULL, NAN, true});
}

// The value of all valid chains of a side: 4^n each.
static void add_up(const Board *board, int64_t sum[2])
{
    uint64_t cells[BOARD_LINES_MAX];
    int64_t value[RULES_SIDE_MAX + 1] = {0};
    for (unsigned line = 0; line < board->line_count; line++)
        cells[line] = lines_mask(board, line);
    for (unsigned n = 2; n <= board->rules.k && n <= 30; n++)
        value[n] = (int64_t)1 << 2 * n;
    chains_add_up(board, cells, value, sum);
}

static Status look_at_chains(TourPicture *picture)
{
    const Board *board = picture->board;
    const Rules *rules = &board->rules;
    ChainList list = {.board = board, .picture = picture};
    int64_t sum[2];
    chains_each(board, add_chain, &list);
    add_up(board, sum);
    Side side = TOUR_SIDE, other = side_other(side);
    for (unsigned i = 0; i < 2; i++)
        tour_fact(picture, web_side_name(rules, (Side)i), json_integer(sum[i]), "%u valid, %u not", list.valid[i],
                  list.invalid[i]);
    tour_fact(picture, "Worth", json_integer(sum[side] - 2 * sum[other]), "to %s, the chains of %s counted twice",
              web_side_name(rules, side), web_side_name(rules, other));
    text_add(&picture->caption, "%u chain%s, %u of them valid: a stone can still be put beside an end.",
             list.valid[0] + list.valid[1] + list.invalid[0] + list.invalid[1],
             view_plural(list.valid[0] + list.valid[1] + list.invalid[0] + list.invalid[1]),
             list.valid[0] + list.valid[1]);
    return STATUS_OK;
}

const TourLens tour_lens_chains = {"chains", false, look_at_chains};

static unsigned describe_cells(const char *label, const ChainCells *cells, const char *letter, bool hidden,
                               TourPicture *picture)
{
    Text text = {0};
    unsigned count = chains_count(cells);
    for (unsigned i = 0; i < count; i++) {
        Cell cell = chains_nth(cells, i);
        text_add(&text, "%s", i > 0 ? " " : "");
        view_add_cells(&text, &cell, 1, " ");
        if (!hidden)
            tour_mark(picture, &(TourMark){"cell", &cell, 1, NULL, letter, NAN, false});
    }
    tour_fact(picture, label, json_integer(count), "%s", text.data != NULL ? text.data : "none");
    text_close(&text);
    return count;
}

// The first list that has a cell decides. Only its cells are marked on the board; the facts name those of all lists.
static Status look_at_detection(TourPicture *picture)
{
    const Board *board = picture->board;
    ChainCells wins, blocks, twos;
    detection_wins(board, false, &wins);
    detection_blocks(board, false, &blocks);
    detection_twos(board, &twos);
    const char *name = web_side_name(&board->rules, board_side(board));
    unsigned first = describe_cells("Completes a row", &wins, "1", false, picture);
    unsigned second = describe_cells("Blocks a row", &blocks, "2", first > 0, picture);
    unsigned third = describe_cells("Builds or blocks a shorter chain", &twos, "3", first + second > 0, picture);
    if (first > 0)
        text_add(&picture->caption, "%s completes a row, and asks nothing else.", name);
    else if (second + third > 0)
        text_add(&picture->caption, "%s %s: %u cell%s to choose from.", name,
                 second > 0 ? "has to block" : "builds or blocks", second > 0 ? second : third,
                 view_plural(second > 0 ? second : third));
    else
        text_add(&picture->caption, "%s finds no chain to build or block, and searches five stones ahead.", name);
    return STATUS_OK;
}

const TourLens tour_lens_detection = {"detection", false, look_at_detection};
