#include "search/thinker_internal.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_NODES = 32, // between looks at the clock: well below a millisecond
    WINDOW_FIRST = 40,
    WINDOW_DEPTH = 4, // from this depth on the window is narrow at first
};

struct Thinker {
    Rules rules;
    FieldTables *tables;
    ThinkerTable *table;
    unsigned thread_count;
    Worker *workers;
    const Board *board; // of this search
    ThinkerLimits limits;
    double began;
    atomic_bool halt; // raised by the first thread for the others
};

bool thinker_suits(const Rules *rules)
{
    return rules->p <= THINKER_TURN_MAX && rules->q <= THINKER_TURN_MAX;
}

const FieldTables *thinker_tables(const Thinker *thinker)
{
    return thinker->tables;
}

int thinker_distance(int score)
{
    return score >= THINKER_PROVEN ? THINKER_WIN - score : score <= -THINKER_PROVEN ? THINKER_WIN + score : -1;
}

bool thinker_turn_is(const ThinkerTurn *turn, const Cell *stones, unsigned count)
{
    if (turn->count != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        bool is_there = false;
        for (unsigned j = 0; j < count; j++)
            is_there |= turn->stones[j] == stones[i];
        if (!is_there)
            return false;
    }
    return true;
}

// --- Memory ---

static Status open_worker(Thinker *thinker, unsigned number, Error *error)
{
    Worker *worker = &thinker->workers[number];
    const Rules *rules = &thinker->rules;
    worker->thinker = thinker;
    worker->number = number;
    worker->table = thinker->table;
    Status status = field_open(&worker->field, thinker->tables, rules, error);
    if (status != STATUS_OK)
        return status;
    worker->way = rules->gravity ? &thinker_drop : rules->p == 1 && rules->q == 1 ? &thinker_single : &thinker_turns;
    status = worker->way->open(worker, error);
    if (status != STATUS_OK)
        worker->way = NULL;
    return status;
}

static Status open_all(Thinker *thinker, const ThinkerOptions *options, Error *error)
{
    Status status = field_tables_open(&thinker->tables, &thinker->rules, options->weights, error);
    size_t megabytes = options->megabytes > 0 ? options->megabytes : THINKER_MEGABYTES;
    if (status == STATUS_OK)
        status = thinker_table_open(&thinker->table, megabytes, error);
    if (status != STATUS_OK)
        return status;
    thinker->thread_count = options->threads > 0 ? options->threads : 1;
    thinker->workers = calloc(thinker->thread_count, sizeof *thinker->workers);
    if (thinker->workers == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for %u threads", thinker->thread_count);
    for (unsigned i = 0; i < thinker->thread_count && status == STATUS_OK; i++)
        status = open_worker(thinker, i, error);
    return status;
}

Status thinker_open(Thinker **thinker, const ThinkerOptions *options, const Rules *rules, Error *error)
{
    assert(thinker_suits(rules) && options->threads <= THINKER_THREADS_MAX);
    *thinker = calloc(1, sizeof **thinker);
    if (*thinker == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the engine");
    (*thinker)->rules = *rules;
    Status status = open_all(*thinker, options, error);
    if (status != STATUS_OK) {
        thinker_close(*thinker);
        *thinker = NULL;
        return status;
    }
    thinker_new_game(*thinker);
    return STATUS_OK;
}

void thinker_close(Thinker *thinker)
{
    if (thinker == NULL)
        return;
    for (unsigned i = 0; thinker->workers != NULL && i < thinker->thread_count; i++) {
        if (thinker->workers[i].way != NULL)
            thinker->workers[i].way->close(&thinker->workers[i]);
        field_close(&thinker->workers[i].field);
    }
    free(thinker->workers);
    thinker_table_close(thinker->table);
    field_tables_close(thinker->tables);
    free(thinker);
}

void thinker_new_game(Thinker *thinker)
{
    thinker_table_clear(thinker->table);
    for (unsigned i = 0; i < thinker->thread_count; i++)
        thinker->workers[i].way->clear(&thinker->workers[i]);
}

// --- Limits ---

static uint64_t nodes_of_all(const Thinker *thinker)
{
    uint64_t nodes = 0;
    for (unsigned i = 0; i < thinker->thread_count; i++)
        nodes += atomic_load_explicit(&thinker->workers[i].nodes, memory_order_relaxed);
    return nodes;
}

static bool is_out(const Thinker *thinker)
{
    const ThinkerLimits *limits = &thinker->limits;
    return atomic_load_explicit(&thinker->halt, memory_order_relaxed) ||
           (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed)) ||
           (limits->nodes > 0 && nodes_of_all(thinker) >= limits->nodes) ||
           (limits->hard > 0 && clock_seconds() >= limits->hard);
}

bool worker_poll(Worker *worker)
{
    uint64_t nodes = atomic_load_explicit(&worker->nodes, memory_order_relaxed) + 1;
    atomic_store_explicit(&worker->nodes, nodes, memory_order_relaxed);
    if (worker->is_stopped)
        return true;
    const ThinkerLimits *limits = &worker->thinker->limits;
    // A node of several stones a turn may itself take a millisecond.
    bool is_slow = worker->way == &thinker_turns;
    if (is_slow || nodes % POLL_NODES == 0 || (limits->nodes > 0 && worker->thinker->thread_count == 1))
        worker->is_stopped = is_out(worker->thinker);
    return worker->is_stopped;
}

bool worker_table_answers(Worker *worker, const TableEntry *entry, unsigned placed, int depth, int alpha, int beta,
                          int *score)
{
    int known = thinker_from_table(entry->score, placed);
    bool is_proven =
        known >= THINKER_PROVEN ? entry->bound != BOUND_UPPER : known <= -THINKER_PROVEN && entry->bound != BOUND_LOWER;
    *score = known;
    if (is_proven)
        return true;
    if (entry->depth < depth)
        return false;
    bool fits = entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && known >= beta) ||
                (entry->bound == BOUND_UPPER && known <= alpha);
    if (fits && entry->depth < THINKER_DEPTH_FINAL)
        worker->is_complete = false;
    return fits;
}

// --- Deepening ---

// One line at one depth, with a narrow window around the last score that opens as needed.
static bool search_line(Worker *worker, int depth, ThinkerLine *line)
{
    int alpha = -THINKER_WIN, beta = THINKER_WIN, width = WINDOW_FIRST;
    bool is_narrow = depth >= WINDOW_DEPTH && line->turn.count > 0 && abs(line->score) < THINKER_PROVEN / 2;
    if (is_narrow)
        alpha = line->score - width, beta = line->score + width;
    for (;;) {
        worker->best = (ThinkerLine){0};
        int score = worker->way->root(worker, depth, alpha, beta);
        if (worker->is_stopped) {
            // A turn that was found better than the one before is worth keeping.
            if (worker->best.turn.count > 0 && worker->best.score > alpha) {
                *line = worker->best;
                line->depth = (unsigned)depth;
            }
            return false;
        }
        width *= 3;
        if (score <= alpha && alpha > -THINKER_WIN)
            alpha = score - width < -THINKER_VALUE_MAX ? -THINKER_WIN : score - width;
        else if (score >= beta && beta < THINKER_WIN)
            beta = score + width > THINKER_VALUE_MAX ? THINKER_WIN : score + width;
        else
            break;
    }
    if (worker->best.turn.count == 0)
        return true;
    *line = worker->best;
    line->depth = (unsigned)depth;
    return true;
}

static void sort_lines(ThinkerReport *report)
{
    for (unsigned i = 1; i < report->line_count; i++)
        for (unsigned j = i; j > 0 && report->lines[j - 1].score < report->lines[j].score; j--) {
            ThinkerLine line = report->lines[j];
            report->lines[j] = report->lines[j - 1];
            report->lines[j - 1] = line;
        }
}

static void tell(const ThinkerLimits *limits, const ThinkerReport *report)
{
    if (limits != NULL && limits->progress != NULL)
        limits->progress(limits->context, report);
}

// All lines at one depth; false when the search has to end.
static bool search_depth(Worker *worker, int depth, unsigned lines, ThinkerReport *report, const ThinkerLimits *limits)
{
    ThinkerReport fresh = *report;
    worker->excluded_count = 0;
    for (unsigned i = 0; i < lines; i++) {
        ThinkerLine line = i < report->line_count ? report->lines[i] : (ThinkerLine){0};
        bool goes_on = search_line(worker, depth, &line);
        if (line.turn.count == 0) { // there are no more turns
            if (!goes_on)
                return false;
            break;
        }
        // A turn that another line has got already is not told twice.
        for (unsigned j = i + 1; j < report->line_count; j++)
            if (thinker_turn_is(&report->lines[j].turn, line.turn.stones, line.turn.count))
                fresh.lines[j] = report->lines[i];
        fresh.lines[i] = line;
        fresh.line_count = fresh.line_count > i + 1 ? fresh.line_count : i + 1;
        *report = fresh;
        if (!goes_on)
            return false;
        report->nodes = nodes_of_all(worker->thinker);
        report->deepest = worker->deepest;
        worker->excluded[worker->excluded_count++] = line.turn;
        if (i + 1 < lines)
            tell(limits, report);
    }
    sort_lines(report);
    report->depth = (unsigned)depth;
    tell(limits, report);
    return true;
}

static bool all_proven(const ThinkerReport *report)
{
    for (unsigned i = 0; i < report->line_count; i++)
        if (thinker_distance(report->lines[i].score) < 0)
            return false;
    return report->line_count > 0;
}

// How much of the soft time to use: more after a change of mind, less when nothing has changed for long.
typedef struct {
    ThinkerTurn turn;
    unsigned same; // depths that chose this turn
} Mind;

static bool has_time(const Thinker *thinker, Mind *mind, const ThinkerReport *report)
{
    const ThinkerTurn *turn = &report->lines[0].turn;
    mind->same = thinker_turn_is(&mind->turn, turn->stones, turn->count) ? mind->same + 1 : 0;
    mind->turn = *turn;
    if (thinker->limits.soft <= 0)
        return true;
    double share = mind->same == 0 ? 1.2 : mind->same < 3 ? 0.8 : mind->same < 6 ? 0.6 : 0.45;
    return clock_seconds() < thinker->began + share * (thinker->limits.soft - thinker->began);
}

static void deepen(Worker *worker, ThinkerReport *report)
{
    Thinker *thinker = worker->thinker;
    const ThinkerLimits *limits = &thinker->limits;
    bool is_first = worker->number == 0;
    unsigned lines = is_first && limits->lines > 0 ? limits->lines : 1;
    unsigned deepest = limits->depth > 0 && limits->depth < THINKER_DEPTH_MAX ? limits->depth : THINKER_DEPTH_MAX;
    Mind mind = {0};
    for (unsigned depth = 1; depth <= deepest; depth++) {
        worker->is_complete = true;
        // Other threads are spread over depths, so that they do not all do the same.
        int at = (int)(depth + (is_first ? 0 : worker->number % 2));
        if (!search_depth(worker, at, lines, report, is_first ? limits : NULL))
            return;
        report->is_final = worker->is_complete || all_proven(report);
        if (is_first && (report->is_final || !has_time(thinker, &mind, report)))
            return;
    }
}

static void *deepen_beside(void *context)
{
    Worker *worker = context;
    ThinkerReport report = {0};
    deepen(worker, &report);
    return NULL;
}

// Any turn at all, for searches that are stopped before they begin.
static void any_turn(const Board *board, ThinkerReport *report)
{
    Board copy;
    board_copy(&copy, board);
    ThinkerLine *line = &report->lines[0];
    for (unsigned left = board_stones_left(board); left > 0 && !board_is_over(&copy); left--) {
        // Next to the middle of what is legal: better than a corner.
        Cell legal[RULES_CELLS_MAX];
        unsigned count = board_legal_cells(&copy, legal);
        Cell cell = legal[count / 2];
        line->turn.stones[line->turn.count++] = cell;
        line->pv[line->pv_count++] = cell;
        board_play(&copy, cell);
    }
    report->line_count = 1;
}

void thinker_run(Thinker *thinker, const Board *board, const ThinkerLimits *limits, ThinkerReport *report)
{
    assert(!board_is_over(board));
    thinker->limits = *limits;
    thinker->board = board;
    thinker->began = clock_seconds();
    atomic_store(&thinker->halt, false);
    thinker_table_age(thinker->table);
    *report = (ThinkerReport){0};
    for (unsigned i = 0; i < thinker->thread_count; i++) {
        Worker *worker = &thinker->workers[i];
        field_set(&worker->field, board);
        worker->is_stopped = false;
        worker->deepest = 0;
        worker->random = i;
        atomic_store(&worker->nodes, 0);
        worker->way->begin(worker);
    }
    pthread_t threads[THINKER_THREADS_MAX];
    unsigned started = 1;
    while (started < thinker->thread_count &&
           pthread_create(&threads[started], NULL, deepen_beside, &thinker->workers[started]) == 0)
        started++;
    deepen(&thinker->workers[0], report);
    atomic_store(&thinker->halt, true);
    for (unsigned i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    if (report->line_count == 0)
        any_turn(board, report);
    report->nodes = nodes_of_all(thinker);
}
