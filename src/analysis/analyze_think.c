// The engine's search for krow analyze.
#include "analysis/analyze_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEQUENCE_NODES = 10000, // per stone of a proven sequence, which the search finds again at once
    KNOWN_NODES = 100000,   // for the principal variation when the values of all cells are known
    KNOWN_WRITTEN = 15,     // stones of such a win that gets a tree
};

Status analyze_open_search(const Analysis *analysis, Search **search, Error *error)
{
    const AnalyzeOptions *asked = &analysis->options;
    if (asked->threads > SEARCH_THREADS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "--threads: the engine takes up to %d", SEARCH_THREADS_MAX);
    SearchOptions options = {.threads = asked->threads, .megabytes = asked->memory};
    return search_open(search, &options, &analysis->game->board.rules, error);
}

// --- Lines ---

unsigned analyze_stones_of(const Board *board, unsigned turns)
{
    unsigned empty = board->cells - board_count(board);
    unsigned stones = turns == 0 ? 0 : board_stones_left(board) + (turns - 1) * board->rules.p;
    return stones < empty ? stones : empty;
}

unsigned analyze_turns_of(const Board *board, unsigned stones)
{
    unsigned first = board_stones_left(board), p = board->rules.p;
    return stones == 0 ? 0 : stones <= first ? 1 : 1 + (stones - first + p - 1) / p;
}

// Scores have the unit of engine/eval/weights.h, which stands for odds.
static double chance_of(int score)
{
    if (search_distance(score) >= 0)
        return score > 0 ? 1 : 0;
    return 1 / (1 + exp(-(double)score / WEIGHTS_UNIT));
}

LineView analyze_view_of(const Analysis *analysis, SearchLine *line)
{
    int distance = search_distance(line->score);
    return (LineView){
        .by = "engine",
        .score = line->score / ANALYZE_UNIT,
        .chance = chance_of(line->score),
        .proven = distance < 0      ? PROVEN_NOTHING
                  : line->score > 0 ? PROVEN_WIN
                                    : PROVEN_LOSS,
        .distance = distance,
        .depth = analyze_stones_of(&analysis->game->board, line->depth),
        .count = line->turn.count,
        .stones = line->turn.stones,
        .pv_count = line->pv_count,
        .pv = line->pv,
    };
}

static int compare_lines(const void *a, const void *b)
{
    const LineView *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->by != NULL) - (y->by != NULL); // a forced win first
}

// --- A proven sequence ---

// Extends a proven line while the search proves it again. The search ends with any win; with a second line it continues
// and mostly finds the nearest, but the sequence may be longer than the distance. Returns the number of stones.
static unsigned play_on(const Analysis *analysis, Search *search, const LineView *line, SearchInfo *report,
                        Cell cells[RULES_CELLS_MAX])
{
    Game game;
    unsigned count = 0;
    game_copy(&game, analysis->game);
    for (; count < line->pv_count && !game_is_over(&game); count++) {
        cells[count] = line->pv[count];
        game_play(&game, cells[count]);
    }
    while (!game_is_over(&game) && !analyze_is_stopped(analysis)) {
        SearchLimits limits = {.limits.nodes = SEQUENCE_NODES, .lines = 2, .limits.stop = analysis->options.stop};
        search_run(search, &game.board, &limits, report);
        const SearchTurn *turn = &report->lines[0].turn;
        if (search_distance(report->lines[0].score) < 0)
            break;
        for (unsigned i = 0; i < turn->count; i++, count++) {
            cells[count] = turn->stones[i];
            game_play(&game, cells[count]);
        }
    }
    return count;
}

// In a decided game the principal variation continues to the end.
static void extend_to_end(Analysis *analysis, Search *search, LineView *line, SearchInfo *report)
{
    Cell played[RULES_CELLS_MAX];
    unsigned count = play_on(analysis, search, line, report, played);
    Cell *cells = memory_new(line->count + count, sizeof cells[0]);
    memcpy(cells, line->stones, line->count * sizeof cells[0]);
    memcpy(cells + line->count, played, count * sizeof cells[0]);
    free(line->stones);
    line->stones = cells;
    line->pv = cells + line->count;
    line->pv_count = count;
}

// --- Cells ---

// The static rating of a stone for the side that places it.
static int glance(PatternBoard *patterns, Cell cell)
{
    Side side = pattern_board_side(patterns);
    pattern_board_play(patterns, cell);
    int value = 0;
    if (patterns->state.won)
        value = SEARCH_WIN - 1;
    else if (!pattern_board_is_full(patterns))
        value = pattern_board_side(patterns) == side ? pattern_board_value(patterns) : -pattern_board_value(patterns);
    pattern_board_undo(patterns);
    if (value == SEARCH_WIN - 1)
        return value;
    return value > SEARCH_VALUE_MAX ? SEARCH_VALUE_MAX : value < -SEARCH_VALUE_MAX ? -SEARCH_VALUE_MAX : value;
}

// The best line whose turn contains a cell; NULL: none.
static const LineView *line_with(const Analysis *analysis, Cell cell)
{
    for (unsigned i = 0; i < analysis->line_count; i++)
        for (unsigned j = 0; j < analysis->lines[i].count; j++)
            if (analysis->lines[i].stones[j] == cell)
                return &analysis->lines[i];
    return NULL;
}

// A cell with its rating and its static rating.
typedef struct {
    RatedCell rated;
    int seen;
} SeenCell;

static int compare_seen(const void *a, const void *b)
{
    const SeenCell *x = a, *y = b;
    if (x->rated.utility != y->rated.utility || x->seen == y->seen)
        return analyze_compare_rated(&x->rated, &y->rated);
    return x->seen < y->seen ? 1 : -1;
}

// A cell has the score of the best turn that contains it. Cells in no line are no better than the last line and have a
// static rating, which also orders those rated above that line.
static void rate(Analysis *analysis, PatternBoard *patterns)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&analysis->game->board, cells);
    double most = analysis->line_count > 0 ? analysis->lines[analysis->line_count - 1].score : INFINITY;
    SeenCell *list = memory_new(count, sizeof list[0]);
    analysis->cells = memory_new(count, sizeof analysis->cells[0]);
    for (unsigned i = 0; i < count; i++) {
        const LineView *line = line_with(analysis, cells[i]);
        int seen = glance(patterns, cells[i]);
        double worth = line != NULL ? line->score : fmin(seen / ANALYZE_UNIT, most);
        list[i] = (SeenCell){{cells[i], worth}, seen};
    }
    qsort(list, count, sizeof list[0], compare_seen);
    for (unsigned i = 0; i < count; i++)
        analysis->cells[i] = list[i].rated;
    free(list);
    analysis->cell_count = count;
    analysis->rater = "engine";
}

static Cell best_at_a_glance(PatternBoard *patterns, const Board *board)
{
    Cell cells[RULES_CELLS_MAX], best = CELL_NONE;
    unsigned count = board_legal_cells(board, cells);
    int most = 0;
    for (unsigned i = 0; i < count; i++) {
        int value = glance(patterns, cells[i]);
        if (i == 0 || value > most) {
            most = value;
            best = cells[i];
        }
    }
    return best;
}

// Adds turns that begin with a rated cell if the engine reports fewer turns than wanted.
static void add_glanced(Analysis *analysis, PatternBoard *patterns, RatedCell first)
{
    Game after;
    game_copy(&after, analysis->game);
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0, left = board_stones_left(&after.board);
    for (Cell cell = first.cell;; cell = best_at_a_glance(patterns, &after.board)) {
        stones[count++] = cell;
        game_play(&after, cell);
        pattern_board_play(patterns, cell);
        if (count == left || game_is_over(&after))
            break;
    }
    for (unsigned i = 0; i < count; i++)
        pattern_board_undo(patterns);
    LineView line = {.by = "engine",
                     .score = first.utility,
                     .chance = chance_of((int)lround(first.utility * ANALYZE_UNIT)),
                     .distance = -1,
                     .depth = count,
                     .count = count,
                     .stones = stones,
                     .pv_count = count,
                     .pv = stones};
    if (board_winner(&after.board) != WINNER_NONE) {
        line.proven = PROVEN_WIN;
        line.distance = (int)count;
    }
    analyze_add_line(analysis, &line);
}

static void rate_cells(Analysis *analysis, Search *search)
{
    PatternBoard patterns = {0};
    pattern_board_open(&patterns, search_tables(search), &analysis->game->board.rules);
    pattern_board_set(&patterns, &analysis->game->board);
    rate(analysis, &patterns);
    unsigned wanted = analyze_lines_wanted(analysis);
    for (unsigned i = 0; i < analysis->cell_count && analysis->line_count < wanted; i++)
        if (!analyze_begins_line(analysis, analysis->cells[i].cell))
            add_glanced(analysis, &patterns, analysis->cells[i]);
    pattern_board_close(&patterns);
}

// --- All of it ---

static void run(Analysis *analysis, Search *search, SearchInfo *report, bool is_known)
{
    const Board *board = &analysis->game->board;
    const Budget *budget = &analysis->options.budget;
    unsigned wanted = analyze_lines_wanted(analysis);
    const AnalyzeWatch *watch = &analysis->options.watch;
    if (watch->begin != NULL)
        watch->begin(watch->context, analysis);
    SearchLimits limits = {
        .limits.deadline = analyze_deadline(analysis, 1),
        .limits.nodes = is_known && (budget->nodes == 0 || budget->nodes > KNOWN_NODES) ? KNOWN_NODES : budget->nodes,
        .limits.depth = analyze_turns_of(board, budget->depth),
        .lines = wanted < SEARCH_LINES_MAX ? wanted : SEARCH_LINES_MAX,
        .limits.stop = analysis->options.stop,
        .progress = is_known ? NULL : watch->report,
        .context = watch->context,
    };
    search_run(search, board, &limits, report);
    if (watch->end != NULL)
        watch->end(watch->context);
    analysis->agent = "engine";
    analysis->thought = report->nodes;
    analysis->depth = analyze_stones_of(board, report->depth);
    analysis->deepest = analyze_stones_of(board, report->deepest);
    search_sort_lines(report);
}

static void add_lines(Analysis *analysis, SearchInfo *report)
{
    unsigned wanted = analyze_lines_wanted(analysis);
    for (unsigned i = 0; i < report->line_count; i++) {
        LineView line = analyze_view_of(analysis, &report->lines[i]);
        analyze_add_line(analysis, &line);
    }
    if (analysis->line_count > 0)
        qsort(analysis->lines, analysis->line_count, sizeof analysis->lines[0], compare_lines);
    while (analysis->line_count > wanted)
        free(analysis->lines[--analysis->line_count].stones);
}

void analyze_take_report(Analysis *analysis, Search *search, SearchInfo *report, bool rates)
{
    search_sort_lines(report);
    add_lines(analysis, report);
    if (rates)
        rate_cells(analysis, search);
}

// Adds the best lines, with a tree for a proven win.
static Status take(Analysis *analysis, Search *search, SearchInfo *report, Error *error)
{
    Status status = STATUS_OK;
    if (report->line_count > 0 && report->lines[0].score >= SEARCH_PROVEN)
        status = analyze_write_down(analysis, search, &report->lines[0].turn, error);
    if (status != STATUS_OK)
        return status;
    if (!analysis->own.is_engine)
        analyze_add_forced(analysis);
    add_lines(analysis, report);
    rate_cells(analysis, search);
    return STATUS_OK;
}

// The same if all values are known, with a tree if the win is short.
static Status take_known(Analysis *analysis, Search *search, ExactCells *cells, SearchInfo *report, Error *error)
{
    analyze_take_exact(analysis, cells, report);
    const LineView *line = &analysis->lines[0];
    SearchTurn turn = {.count = 1, .stones = {line->stones[0]}};
    if (line->proven != PROVEN_WIN || line->distance < 0 || line->distance > KNOWN_WRITTEN)
        return STATUS_OK;
    return analyze_write_down(analysis, search, &turn, error);
}

static Status think(Analysis *analysis, Search *search, ExactCells *cells, SearchInfo *report, Error *error)
{
    bool is_known;
    Status status = analyze_exactly(analysis, cells, &is_known, error);
    if (status != STATUS_OK)
        return status;
    run(analysis, search, report, is_known);
    status = is_known ? take_known(analysis, search, cells, report, error) : take(analysis, search, report, error);
    LineView *best = analysis->lines;
    if (status == STATUS_OK && best->by != NULL && best->distance >= 0 && best->pv_count > best->count)
        extend_to_end(analysis, search, best, report);
    return status;
}

Status analyze_think(Analysis *analysis, Search *search, Error *error)
{
    ExactCells *cells = memory_new(1, sizeof *cells);
    SearchInfo *report = memory_new(1, sizeof *report);
    Status status = think(analysis, search, cells, report, error);
    free(cells);
    free(report);
    return status;
}
