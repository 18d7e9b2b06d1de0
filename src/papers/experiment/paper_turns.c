// The measure of turns: agents decide every turn of games that two others play. Measures nodes and time by the turn of
// the game, and whether the decision keeps the value of the position. A game depends on its number and the seed only.
#include "papers/experiment/paper_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "match/referee.h"
#include "solver/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Judging ---

// A stone compared with exact play, as bits: it keeps the value of the position (won, drawn or lost); it keeps the
// exact score; it matters, since some legal stone does not keep the value.
enum { KEPT = 1, KEPT_SCORE = 2, CRITICAL = 4 };

// Solves positions of games with p = 1. For one thread.
typedef struct {
    Exact *exact;
    ExactCells cells; // of the position solved last
    int best;         // its score
    bool critical;
} Judge;

// A turn of several stones would have to be judged stone by stone, each in its own position.
static Status open_judge(Judge *judge, const Rules *rules, Error *error)
{
    if (rules->p != 1 || rules->q != 1)
        return error_set(error, STATUS_BAD_INPUT, "only turns of one stone can be judged");
    Status status = exact_check(rules, error);
    return status == STATUS_OK ? exact_open(&judge->exact, &(ExactOptions){.openings = true}, rules, error) : status;
}

static int sign_of(int score)
{
    return (score > 0) - (score < 0);
}

// Finds the exact score of each stone. Incomplete after Ctrl-C, when it must not be counted.
static Status solve(Judge *judge, const Board *board, const PaperTask *task, Error *error)
{
    Limits limits = {.stop = task->stop};
    exact_watch(judge->exact, (ExactWatch){.alive = task->alive});
    ExactCells *cells = &judge->cells;
    Status status = exact_cells(judge->exact, &(ExactQuery){board, EXACT_SCORE, &limits, NULL}, cells, error);
    if (status != STATUS_OK)
        return status;
    judge->best = cells->list[0].low;
    for (unsigned i = 1; i < cells->count; i++)
        judge->best = cells->list[i].low > judge->best ? cells->list[i].low : judge->best;
    judge->critical = false;
    for (unsigned i = 0; i < cells->count; i++)
        judge->critical = judge->critical || sign_of(cells->list[i].low) != sign_of(judge->best);
    return STATUS_OK;
}

// Judges the turn of an agent in the position solved last. A turn without a legal stone keeps nothing.
static unsigned judge_turn(const Judge *judge, const Decision *decision)
{
    unsigned verdict = judge->critical ? CRITICAL : 0;
    for (unsigned i = 0; decision->count == 1 && i < judge->cells.count; i++) {
        const ExactCell *cell = &judge->cells.list[i];
        if (cell->cell != decision->stones[0])
            continue;
        verdict |= sign_of(cell->low) == sign_of(judge->best) ? KEPT : 0;
        verdict |= cell->low == judge->best ? KEPT_SCORE : 0;
    }
    return verdict;
}

// --- Playing ---

typedef struct {
    uint64_t nodes;
    double ms;
    unsigned verdict; // 0 without a judge
} Turn;

// A game and the decisions in it.
typedef struct {
    bool done;
    unsigned count; // turns
    Turn *turns;    // of the first agent asked, `most` of them, then of the next
} Asked;

typedef struct {
    PaperWork base; // a piece is a game
    unsigned most;  // turns that a game can have
    unsigned asked; // agents
    bool is_judged;
    Asked *list;
    Turn *turns; // of all games
} TurnsWork;

// The two agents that play come first, then those that are asked. Random streams 0 and 1 belong to the players; those
// of the turns begin at TURN_STREAMS.
enum { ASKED = 2, AGENTS_MAX = ASKED + PAPER_ASKED_MAX, TURN_STREAMS = 3 };

// The data of one thread.
typedef struct {
    Agent agents[AGENTS_MAX];
    Judge judge; // if turns are judged
    Game game;
    Decision decision;
} Player;

static Status open_player(const PaperWork *base, void **worker, Error *error)
{
    const TurnsWork *work = (const TurnsWork *)base;
    const PaperTrial *trial = work->base.trial;
    Player *player = *worker = memory_new(1, sizeof *player);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < ASKED + work->asked && status == STATUS_OK; i++) {
        const char *name = i < ASKED ? trial->agents[i] : trial->asked[i - ASKED];
        status =
            agent_open_with(&player->agents[i], span_of(name), &work->base.rules, &work->base.options->host, error);
    }
    if (status == STATUS_OK && work->is_judged)
        status = open_judge(&player->judge, &work->base.rules, error);
    return status;
}

static void close_player(void *worker)
{
    Player *player = worker;
    if (player == NULL)
        return;
    for (unsigned i = 0; i < AGENTS_MAX; i++)
        agent_close(&player->agents[i]);
    exact_close(player->judge.exact);
    free(player);
}

// Asks an agent for its turn. Its random numbers depend on game and turn only, so that two searches examine cells in
// the same order.
static Turn ask(const TurnsWork *work, Player *player, unsigned who, uint64_t seed, unsigned turn)
{
    Rng rng = rng_make(rng_derive(seed, TURN_STREAMS + turn));
    AgentTask task = {.rng = &rng, .stop = work->base.task.stop};
    paper_watch_agent(&task, &work->base.task);
    double begin = clock_seconds();
    agent_decide(&player->agents[ASKED + who], &player->game, &task, &player->decision);
    Turn asked = {.nodes = player->decision.nodes, .ms = 1000 * (clock_seconds() - begin)};
    if (work->is_judged)
        asked.verdict = judge_turn(&player->judge, &player->decision);
    return asked;
}

static Status ask_all(const TurnsWork *work, Player *player, uint64_t seed, Asked *asked, Error *error)
{
    assert(asked->count < work->most);
    Status status = STATUS_OK;
    if (work->is_judged)
        status = solve(&player->judge, &player->game.board, &work->base.task, error);
    for (unsigned i = 0; i < work->asked && status == STATUS_OK; i++)
        asked->turns[i * work->most + asked->count] = ask(work, player, i, seed, asked->count);
    asked->count++;
    paper_is_alive(&work->base.task);
    return status;
}

static Status play_turn(const TurnsWork *work, Player *player, unsigned who, Rng *rng, Error *error)
{
    AgentTask task = {.rng = rng, .stop = work->base.task.stop};
    paper_watch_agent(&task, &work->base.task);
    agent_decide(&player->agents[who], &player->game, &task, &player->decision);
    return referee_play(&player->game, &player->decision, error);
}

static Status play_game(PaperWork *base, void *worker, unsigned number, bool *is_done, Error *error)
{
    TurnsWork *work = (TurnsWork *)base;
    Player *player = worker;
    Asked *asked = &work->list[number];
    uint64_t seed = rng_derive(work->base.options->seed, number);
    Rng rngs[2] = {rng_make(rng_derive(seed, 0)), rng_make(rng_derive(seed, 1))};
    Status status = STATUS_OK;
    asked->count = 0;
    game_init(&player->game, &work->base.rules);
    for (unsigned i = 0; i < ASKED + work->asked; i++)
        agent_new_game(&player->agents[i]);
    while (status == STATUS_OK && !game_is_over(&player->game) && !atomic_load(work->base.task.stop)) {
        unsigned who = (unsigned)board_side(&player->game.board) ^ (number & 1);
        status = ask_all(work, player, seed, asked, error);
        if (status == STATUS_OK)
            status = play_turn(work, player, who, &rngs[who], error);
    }
    // An interrupted game is not counted, nor is its last turn.
    *is_done = asked->done = status == STATUS_OK && !atomic_load(work->base.task.stop);
    return status;
}

// --- Counting ---

static double value_of(const Turn *turn, const char *unit)
{
    return strcmp(unit, "nodes") == 0 ? (double)turn->nodes : turn->ms;
}

// Whether a turn counts for the part or whole of a share.
static bool is_one(const Turn *turn, Span name)
{
    unsigned wanted = span_is(name, "kept")         ? KEPT
                      : span_is(name, "kept_score") ? KEPT_SCORE
                      : span_is(name, "critical")   ? CRITICAL
                                                    : 0;
    assert(wanted != 0 || span_is(name, "turns"));
    return (turn->verdict & wanted) == wanted;
}

static bool is_share(const char *unit)
{
    return strchr(unit, '/') != NULL;
}

// Adds up the turns of an agent game by game: part and whole of a share, or values of all turns. `most` is the largest.
static Ratio add_up(const TurnsWork *work, unsigned who, const char *unit, double *most)
{
    Ratio ratio = {0};
    Span whole = span_of(is_share(unit) ? unit : "/turns"), part = {0};
    (void)span_next_part(&whole, '/', &part);
    *most = 0;
    for (unsigned i = 0; i < work->base.count; i++) {
        const Asked *asked = &work->list[i];
        double sum = 0, turns = 0;
        for (unsigned j = 0; asked->done && j < asked->count; j++) {
            const Turn *turn = &asked->turns[who * work->most + j];
            bool counts = is_one(turn, whole);
            double value = is_share(unit) ? counts && is_one(turn, part) : value_of(turn, unit);
            sum += value;
            turns += counts;
            *most = fmax(*most, value);
        }
        if (asked->done)
            ratio_add(&ratio, sum, turns);
    }
    return ratio;
}

static void set_figure(PaperFigure *figure, const TurnsWork *work, unsigned who)
{
    double most = 0;
    Ratio ratio = add_up(work, who, figure->unit, &most);
    if (is_share(figure->unit)) {
        paper_set_share(figure, &ratio);
        figure->n = ratio.n; // even without such a turn
        return;
    }
    bool is_mean = strcmp(figure->unit, "slowest") != 0;
    Estimate slowest = {.value = most, .range = {NAN, NAN}};
    paper_set_estimate(figure, is_mean ? ratio_value(&ratio) : slowest, ratio.n);
}

static PaperPoint point_of(const TurnsWork *work, unsigned turn, const char *unit)
{
    Sample sample = {0};
    for (unsigned i = 0; i < work->base.count; i++)
        if (work->list[i].done && turn < work->list[i].count)
            sample_add(&sample, value_of(&work->list[i].turns[turn], unit));
    Estimate mean = sample_mean(&sample);
    return (PaperPoint){sample.n, mean.value, mean.range};
}

static void add_series(const TurnsWork *work, PaperFigures *figures)
{
    PaperSeries series = {
        .trial = work->base.trial,
        .label = paper_label(work->base.trial, work->base.options),
        .unit = "nodes",
        .games = work->base.count,
        .points = memory_new(work->most, sizeof *series.points),
    };
    for (unsigned i = 0; i < work->most; i++) {
        PaperPoint point = point_of(work, i, series.unit);
        if (point.n == 0)
            break;
        series.points[series.count++] = point;
    }
    paper_add_series(figures, &series);
}

static void report_one(const TurnsWork *work, unsigned who, PaperFigures *figures)
{
    const PaperTrial *trial = work->base.trial;
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperFigure figure = paper_figure(trial, work->base.options, i, work->base.count);
        if (work->asked > 1) {
            free(figure.label);
            figure.label = memory_copy_text(trial->asked[who]);
        }
        set_figure(&figure, work, who);
        paper_add_figure(figures, &figure);
    }
}

static void report(const PaperWork *base, PaperFigures *figures)
{
    const TurnsWork *work = (const TurnsWork *)base;
    assert(work->asked == 1 || !paper_is_drawn(base->trial));
    for (unsigned i = 0; i < work->asked; i++)
        report_one(work, i, figures);
    if (paper_is_drawn(base->trial))
        add_series(work, figures);
}

// --- Pieces ---

static bool read_turn(Span *text, Turn *turn)
{
    Span nodes = {0}, ms = {0}, verdict = {0};
    int64_t number = 0, bits = 0;
    bool good = span_next_word(text, " ", &nodes) && span_to_int(nodes, 0, INT64_MAX, &number) &&
                span_next_word(text, " ", &ms) && span_to_real(ms, &turn->ms) && span_next_word(text, " ", &verdict) &&
                span_to_int(verdict, 0, KEPT | KEPT_SCORE | CRITICAL, &bits);
    turn->nodes = (uint64_t)number;
    turn->verdict = (unsigned)bits;
    return good;
}

static void write_game(const PaperWork *base, unsigned number, Text *text)
{
    const TurnsWork *work = (const TurnsWork *)base;
    const Asked *asked = &work->list[number];
    text_add(text, "%u", asked->count);
    for (unsigned who = 0; who < work->asked; who++)
        for (unsigned i = 0; i < asked->count; i++) {
            const Turn *turn = &asked->turns[who * work->most + i];
            text_add(text, " %llu %.17g %u", (unsigned long long)turn->nodes, turn->ms, turn->verdict);
        }
}

static bool read_game(PaperWork *base, unsigned number, Span text)
{
    TurnsWork *work = (TurnsWork *)base;
    Asked *asked = &work->list[number];
    Span word = {0};
    int64_t count = 0;
    bool good = span_next_word(&text, " ", &word) && span_to_int(word, 0, work->most, &count);
    asked->count = (unsigned)count;
    for (unsigned who = 0; who < work->asked && good; who++)
        for (unsigned i = 0; i < asked->count && good; i++)
            good = read_turn(&text, &asked->turns[who * work->most + i]);
    asked->done = good;
    return good;
}

static Status begin_work(PaperWork *base, Error *error)
{
    (void)error;
    TurnsWork *work = (TurnsWork *)base;
    const PaperTrial *trial = base->trial;
    base->count = paper_games(trial->games, base->options->scale);
    work->asked = paper_asked(trial);
    work->most = results_length(&base->rules, rules_cells(&base->rules));
    for (unsigned i = 0; i < paper_units(trial); i++)
        work->is_judged = work->is_judged || is_share(paper_unit(trial, i).unit);
    size_t turns_of_game = (size_t)work->most * work->asked;
    work->list = memory_new(base->count, sizeof *work->list);
    work->turns = memory_new(base->count * turns_of_game, sizeof *work->turns);
    for (unsigned i = 0; i < base->count; i++)
        work->list[i].turns = work->turns + i * turns_of_game;
    return STATUS_OK;
}

static void end_work(PaperWork *base)
{
    TurnsWork *work = (TurnsWork *)base;
    free(work->list);
    free(work->turns);
}

// After the number of turns: nodes, milliseconds and verdict of each.
static bool is_time(unsigned word)
{
    return word % 3 == 2;
}

static const PaperPieces pieces = {
    .things = "games",
    .size = sizeof(TurnsWork),
    .begin = begin_work,
    .end = end_work,
    .open = open_player,
    .run = play_game,
    .close = close_player,
    .write = write_game,
    .read = read_game,
    .is_time = is_time,
    .report = report,
};

const PaperMeasure paper_measure_turns = {.pieces = &pieces};
