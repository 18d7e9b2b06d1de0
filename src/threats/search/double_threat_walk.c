// Walk through a win that the search found.
#include "threats/search/single_threat_internal.h"

typedef struct {
    DoubleThreat *search;
    DoubleThreatVisit visit;
    void *context;
    DoubleThreatStep *step;
    unsigned singles; // turns from this step on that may leave free stones
} Place;

static bool walk_step(const Place *place);

// Continues from the position after an answer.
static bool walk_answered(void *context, const CellSet *answer)
{
    const Place *place = context;
    const DoubleThreatStep *step = place->step;
    DoubleThreatStep next = {.board = step->board, .level = step->level + 1, .answered = *answer};
    unsigned singles = place->singles - step->is_single;
    Finding finding;
    if (!single_threat_find_turn(place->search, step->turns - 2, &singles, &finding, &next.turn))
        return false;
    next.turns = finding.turns + 1u;
    return walk_step(&(Place){place->search, place->visit, place->context, &next, singles});
}

static bool walk_answers(const Place *place)
{
    WindowTally *tally = &place->search->tally;
    const DoubleThreatStep *step = place->step;
    bool continues = true;
    for (unsigned i = 0; i < step->answer_count && continues; i++) {
        BoardState before = double_threat_play(tally, &step->answers[i]);
        Place here = *place;
        continues = walk_answered(&here, &step->answers[i]);
        double_threat_undo(tally, &step->answers[i], before);
    }
    return continues;
}

// Pushes the answers to a turn, which is on the board; the caller pops settling->count of them. True if the turn leaves
// free stones.
static bool push_all_answers(DoubleThreat *search, const CellSet *turn, unsigned singles, Settling *settling)
{
    if (singles > 0 && single_threat_push_answers(search, turn, settling))
        return true;
    settling->count = double_threat_push_answers(search, turn, &settling->answers);
    return false;
}

// Passes the turn of this position to the visit and continues with each answer.
static bool walk_step(const Place *place)
{
    DoubleThreat *search = place->search;
    DoubleThreatStep *step = place->step;
    Place here = *place;
    Settling settling = {
        .turns = step->turns - 2, .singles = place->singles - 1, .visit = walk_answered, .context = &here};
    BoardState before = double_threat_play(&search->tally, &step->turn);
    step->is_single = push_all_answers(search, &step->turn, place->singles, &settling);
    step->answers = settling.answers;
    step->answer_count = settling.count;
    double_threat_undo(&search->tally, &step->turn, before);
    bool continues = place->visit(place->context, step);
    (void)double_threat_play(&search->tally, &step->turn);
    if (continues)
        continues = step->is_single ? single_threat_settle(search, &settling) : walk_answers(place);
    double_threat_undo(&search->tally, &step->turn, before);
    search->answer_count -= settling.count;
    return continues;
}

// Searches of the walk have no limit but the stop flag.
static void begin_again(DoubleThreat *search)
{
    window_tally_set(&search->tally, &search->root);
    search->limits = (Limits){.stop = search->limits.stop};
    search->out = false;
}

bool double_threat_walk(DoubleThreat *search, const DoubleThreatResult *result, DoubleThreatVisit visit, void *context)
{
    assert(result->verdict == DOUBLE_THREAT_WON);
    begin_again(search);
    DoubleThreatStep step = {
        .board = &search->tally.board, .answered = cell_set_none, .turn = result->turn, .turns = result->turns};
    return walk_step(&(Place){search, visit, context, &step, result->singles});
}

// A position of a line.
typedef struct {
    unsigned turns; // of the attacker, without the one that completes the row
    unsigned singles;
    CellSet turn;
} Point;

// The first of the answers after which the attacker needs the most turns, and the position after it.
static unsigned find_longest(DoubleThreat *search, const Point *after, const Settling *settling, Point *next)
{
    unsigned best = settling->count;
    *next = (Point){0};
    for (unsigned i = 0; i < settling->count; i++) {
        Finding finding;
        Point point = *after;
        BoardState before = double_threat_play(&search->tally, &settling->answers[i]);
        BoardState state = single_threat_pass(search);
        bool found = single_threat_find_turn(search, after->turns, &point.singles, &finding, &point.turn);
        search->tally.board.state = state;
        double_threat_undo(&search->tally, &settling->answers[i], before);
        point.turns = finding.turns;
        if (!found || point.turns <= next->turns)
            continue;
        best = i;
        *next = point;
    }
    return best;
}

unsigned double_threat_line(DoubleThreat *search, const DoubleThreatResult *result,
                            CellSet line[2 * DOUBLE_THREAT_TURNS_MAX])
{
    assert(result->verdict == DOUBLE_THREAT_WON);
    begin_again(search);
    Point at = {result->turns - 1, result->singles, result->turn};
    unsigned count = 0;
    for (;;) {
        Settling settling = {0};
        Point next;
        line[count++] = at.turn;
        (void)double_threat_play(&search->tally, &at.turn);
        bool is_single = push_all_answers(search, &at.turn, at.singles, &settling);
        Point after = {at.turns - 1, at.singles - is_single, cell_set_none};
        unsigned best = find_longest(search, &after, &settling, &next);
        search->answer_count -= settling.count;
        if (best == settling.count)
            return count;
        line[count++] = settling.answers[best];
        (void)double_threat_play(&search->tally, &settling.answers[best]);
        (void)single_threat_pass(search);
        at = next;
    }
}
