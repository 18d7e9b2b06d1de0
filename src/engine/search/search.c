// The search: threads (lazy SMP), limits, iterative deepening with aspiration windows, and the lines it reports.
#include "engine/search/search_internal.h"

#include "base/memory.h"
#include "engine/eval/network.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_NODES = 32, // between checks of the clock: well below a millisecond
    WINDOW_FIRST = 40,
    WINDOW_DEPTH = 4, // from this depth on the first window is narrow
};

struct Search {
    Rules rules;
    PatternTables *tables;
    Network *network; // NULL: none
    TranspositionTable *table;
    unsigned thread_count;
    SearchThread *threads;
    SearchLimits limits;
    double began;
    atomic_bool halt; // raised by the first thread for the others
};

bool search_suits(const Rules *rules)
{
    return rules->p <= SEARCH_TURN_MAX && rules->q <= SEARCH_TURN_MAX;
}

const PatternTables *search_tables(const Search *search)
{
    return search->tables;
}

int search_distance(int score)
{
    return score >= SEARCH_PROVEN ? SEARCH_WIN - score : score <= -SEARCH_PROVEN ? SEARCH_WIN + score : -1;
}

bool stones_are_same(const Cell *a, unsigned a_count, const Cell *b, unsigned b_count)
{
    bool is_same = a_count == b_count;
    for (unsigned i = 0; i < a_count && is_same; i++) {
        is_same = false;
        for (unsigned j = 0; j < b_count; j++)
            is_same |= a[i] == b[j];
    }
    return is_same;
}

// --- Memory ---

Status search_thread_open(SearchThread *thread, const PatternTables *tables, const EvaluatorKind *evaluator,
                          const Rules *rules, Error *error)
{
    const SearchVariant *variant = rules->gravity                   ? &search_gravity
                                   : rules->p == 1 && rules->q == 1 ? &search_single
                                                                    : &search_turns;
    const EvaluatorKind *kind = evaluator != NULL         ? evaluator
                                : tables->network != NULL ? &evaluator_network
                                                          : evaluator_default(rules);
    pattern_board_open(&thread->patterns, tables, rules);
    Status status = evaluator_open(&thread->evaluator, kind, &thread->patterns, error);
    if (status != STATUS_OK)
        return status;
    thread->variant = variant;
    thread->state = memory_new(1, variant->state_size);
    if (variant->open != NULL)
        variant->open(thread);
    return STATUS_OK;
}

void search_thread_close(SearchThread *thread)
{
    free(thread->state);
    evaluator_close(&thread->evaluator);
    pattern_board_close(&thread->patterns);
}

static Status open_all(Search *search, const SearchOptions *options, Error *error)
{
    Status status = pattern_tables_open(&search->tables, &search->rules, options->weights, error);
    size_t megabytes = options->megabytes > 0 ? options->megabytes : SEARCH_MEGABYTES;
    if (status == STATUS_OK)
        status = network_read(&search->network, options->network, &search->rules, error);
    if (status == STATUS_OK) {
        search->tables->network = search->network;
        status = tt_open(&search->table, megabytes, error);
    }
    if (status != STATUS_OK)
        return status;
    search->thread_count = options->threads > 0 ? options->threads : 1;
    search->threads = memory_new(search->thread_count, sizeof *search->threads);
    for (unsigned i = 0; i < search->thread_count && status == STATUS_OK; i++) {
        SearchThread *thread = &search->threads[i];
        thread->search = search;
        thread->number = i;
        thread->table = search->table;
        status = search_thread_open(thread, search->tables, options->evaluator, &search->rules, error);
    }
    return status;
}

Status search_open(Search **search, const SearchOptions *options, const Rules *rules, Error *error)
{
    assert(search_suits(rules) && options->threads <= SEARCH_THREADS_MAX);
    *search = memory_new(1, sizeof **search);
    (*search)->rules = *rules;
    Status status = open_all(*search, options, error);
    if (status != STATUS_OK) {
        search_close(*search);
        *search = NULL;
        return status;
    }
    search_new_game(*search);
    return STATUS_OK;
}

void search_close(Search *search)
{
    if (search == NULL)
        return;
    for (unsigned i = 0; search->threads != NULL && i < search->thread_count; i++)
        search_thread_close(&search->threads[i]);
    free(search->threads);
    tt_close(search->table);
    pattern_tables_close(search->tables);
    network_close(search->network);
    free(search);
}

void search_new_game(Search *search)
{
    tt_clear(search->table);
    for (unsigned i = 0; i < search->thread_count; i++)
        search->threads[i].variant->clear(&search->threads[i]);
}

// --- Limits ---

static uint64_t nodes_of_all(const Search *search)
{
    uint64_t nodes = 0;
    for (unsigned i = 0; i < search->thread_count; i++)
        nodes += atomic_load_explicit(&search->threads[i].nodes, memory_order_relaxed);
    return nodes;
}

static bool is_out(const Search *search)
{
    const Limits *limits = &search->limits.limits;
    return atomic_load_explicit(&search->halt, memory_order_relaxed) ||
           (limits->nodes > 0 && nodes_of_all(search) >= limits->nodes) || limits_expired(limits);
}

bool search_poll(SearchThread *thread)
{
    uint64_t nodes = atomic_load_explicit(&thread->nodes, memory_order_relaxed) + 1;
    atomic_store_explicit(&thread->nodes, nodes, memory_order_relaxed);
    if (thread->is_stopped)
        return true;
    const Limits *limits = &thread->search->limits.limits;
    // A single node of the variant `turns` may take a millisecond.
    bool is_slow = thread->variant == &search_turns;
    if (is_slow || nodes % POLL_NODES == 0 || (limits->nodes > 0 && thread->search->thread_count == 1))
        thread->is_stopped = is_out(thread->search);
    return thread->is_stopped;
}

bool search_tt_cutoff(SearchThread *thread, const TtEntry *entry, unsigned placed, int depth, int alpha, int beta,
                      int *score)
{
    int known = score_from_tt(entry->score, placed);
    bool is_proven =
        known >= SEARCH_PROVEN ? entry->bound != BOUND_UPPER : known <= -SEARCH_PROVEN && entry->bound != BOUND_LOWER;
    *score = known;
    if (is_proven)
        return true;
    if (entry->depth < depth)
        return false;
    bool fits = entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && known >= beta) ||
                (entry->bound == BOUND_UPPER && known <= alpha);
    if (fits && entry->depth < SEARCH_DEPTH_FINAL)
        thread->is_complete = false;
    return fits;
}

// --- Iterative deepening ---

// Searches one line at one depth, with an aspiration window around the last score that widens as needed.
static bool search_line(SearchThread *thread, int depth, SearchLine *line)
{
    int alpha = -SEARCH_WIN, beta = SEARCH_WIN, width = WINDOW_FIRST;
    bool is_narrow = depth >= WINDOW_DEPTH && line->turn.count > 0 && abs(line->score) < SEARCH_PROVEN / 2;
    if (is_narrow)
        alpha = line->score - width, beta = line->score + width;
    for (;;) {
        thread->best = (SearchLine){0};
        int score = thread->variant->root(thread, depth, alpha, beta);
        if (thread->is_stopped)
            break;
        width *= 3;
        if (score <= alpha && alpha > -SEARCH_WIN)
            alpha = score - width < -SEARCH_VALUE_MAX ? -SEARCH_WIN : score - width;
        else if (score >= beta && beta < SEARCH_WIN)
            beta = score + width > SEARCH_VALUE_MAX ? SEARCH_WIN : score + width;
        else
            break;
    }
    // After a stop, a turn that was found better than the previous one is kept.
    if (thread->best.turn.count > 0 && (!thread->is_stopped || thread->best.score > alpha)) {
        *line = thread->best;
        line->depth = (unsigned)depth;
    }
    return !thread->is_stopped;
}

static void sort_lines(SearchInfo *report)
{
    for (unsigned i = 1; i < report->line_count; i++)
        for (unsigned j = i; j > 0 && report->lines[j - 1].score < report->lines[j].score; j--) {
            SearchLine line = report->lines[j];
            report->lines[j] = report->lines[j - 1];
            report->lines[j - 1] = line;
        }
}

static void report_progress(const SearchLimits *limits, const SearchInfo *report)
{
    if (limits != NULL && limits->progress != NULL)
        limits->progress(limits->context, report);
}

// Searches all lines at one depth; false if the search must end.
static bool search_depth(SearchThread *thread, int depth, unsigned lines, SearchInfo *report,
                         const SearchLimits *limits)
{
    SearchInfo fresh = *report;
    thread->excluded_count = 0;
    for (unsigned i = 0; i < lines; i++) {
        SearchLine line = i < report->line_count ? report->lines[i] : (SearchLine){0};
        bool continues = search_line(thread, depth, &line);
        if (line.turn.count == 0) { // no more turns
            if (!continues)
                return false;
            break;
        }
        // A turn that another line already has is not reported twice.
        for (unsigned j = i + 1; j < report->line_count; j++)
            if (search_turn_is(&report->lines[j].turn, line.turn.stones, line.turn.count))
                fresh.lines[j] = report->lines[i];
        fresh.lines[i] = line;
        fresh.line_count = fresh.line_count > i + 1 ? fresh.line_count : i + 1;
        fresh.nodes = nodes_of_all(thread->search);
        fresh.deepest = thread->deepest;
        *report = fresh;
        if (!continues)
            return false;
        thread->excluded[thread->excluded_count++] = line.turn;
        if (i + 1 < lines)
            report_progress(limits, report);
    }
    sort_lines(report);
    report->depth = (unsigned)depth;
    report_progress(limits, report);
    return true;
}

static bool all_proven(const SearchInfo *report)
{
    for (unsigned i = 0; i < report->line_count; i++)
        if (search_distance(report->lines[i].score) < 0)
            return false;
    return report->line_count > 0;
}

// Stability of the best turn, which decides how much of the soft time to use: more after a change, less if the turn has
// been stable for long.
typedef struct {
    SearchTurn turn;
    unsigned same; // depths that chose this turn
} BestTurnStability;

static bool has_time(const Search *search, BestTurnStability *stability, const SearchInfo *report)
{
    const SearchTurn *turn = &report->lines[0].turn;
    stability->same = search_turn_is(&stability->turn, turn->stones, turn->count) ? stability->same + 1 : 0;
    stability->turn = *turn;
    if (search->limits.soft_deadline <= 0)
        return true;
    double share = stability->same == 0 ? 1.2 : stability->same < 3 ? 0.8 : stability->same < 6 ? 0.6 : 0.45;
    return clock_seconds() < search->began + share * (search->limits.soft_deadline - search->began);
}

static void deepen(SearchThread *thread, SearchInfo *report)
{
    Search *search = thread->search;
    const SearchLimits *limits = &search->limits;
    bool is_first = thread->number == 0;
    unsigned lines = is_first && limits->lines > 0 ? limits->lines : 1;
    unsigned most = limits->limits.depth, deepest = most > 0 && most < SEARCH_DEPTH_MAX ? most : SEARCH_DEPTH_MAX;
    BestTurnStability stability = {0};
    for (unsigned depth = 1; depth <= deepest; depth++) {
        thread->is_complete = true;
        // Lazy SMP: the other threads search at different depths, so that they do not all do the same work.
        int at = (int)(depth + (is_first ? 0 : thread->number % 2));
        if (!search_depth(thread, at, lines, report, is_first ? limits : NULL))
            return;
        report->is_final = thread->is_complete || all_proven(report);
        if (is_first && (report->is_final || !has_time(search, &stability, report)))
            return;
    }
}

static void *deepen_beside(void *context)
{
    SearchThread *thread = context;
    SearchInfo report = {0};
    deepen(thread, &report);
    return NULL;
}

// Any turn, for searches that are stopped before they begin.
static void any_turn(const Board *board, SearchInfo *report)
{
    Board copy;
    board_copy(&copy, board);
    SearchLine *line = &report->lines[0];
    for (unsigned left = board_stones_left(board); left > 0 && !board_is_over(&copy); left--) {
        // From the middle of the list of legal cells: better than a corner.
        Cell legal[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&copy, legal);
        Cell cell = legal[count / 2];
        line->turn.stones[line->turn.count++] = cell;
        line->pv[line->pv_count++] = cell;
        board_play(&copy, cell);
    }
    report->line_count = 1;
}

void search_run(Search *search, const Board *board, const SearchLimits *limits, SearchInfo *report)
{
    assert(!board_is_over(board));
    search->limits = *limits;
    search->began = clock_seconds();
    atomic_store(&search->halt, false);
    tt_age(search->table);
    *report = (SearchInfo){0};
    for (unsigned i = 0; i < search->thread_count; i++) {
        SearchThread *thread = &search->threads[i];
        search_set(thread, board);
        thread->is_stopped = false;
        thread->deepest = 0;
        atomic_store(&thread->nodes, 0);
        thread->variant->begin(thread);
    }
    pthread_t threads[SEARCH_THREADS_MAX];
    unsigned started = 1;
    while (started < search->thread_count &&
           pthread_create(&threads[started], NULL, deepen_beside, &search->threads[started]) == 0)
        started++;
    deepen(&search->threads[0], report);
    atomic_store(&search->halt, true);
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    if (report->line_count == 0)
        any_turn(board, report);
    report->nodes = nodes_of_all(search);
}
