// Depth-first proof-number search.
#include "solver/dfpn/dfpn_internal.h"

enum {
    POLL = 256,           // nodes between checks of the clock
    REPORT = 2048,        // nodes between reports
    FIRST_MAX = 1u << 20, // largest initial number of a position
};

// --- Positions without search ---

typedef enum { VERDICT_OPEN, VERDICT_YES, VERDICT_NO } Verdict;

static Verdict wins(const Dfpn *solver, unsigned side)
{
    return side == solver->attacker ? VERDICT_YES : VERDICT_NO;
}

// Whether the side to move completes a row in this turn. With gravity only the next stone is considered.
static bool completes_now(const SolverLines *lines, const SolverPosition *position, const SolverView *view)
{
    const SolverLook *own = &view->of[position->side];
    if (lines->rules.gravity)
        return (own->completing & solver_legal(lines, position)) != 0;
    return own->lacks <= position->left;
}

// The cells to which the next stone is restricted, or else the opponent completes a row in its next turn; all cells if
// it does not threaten to. The order within a turn does not matter, since no stone completes a row: the first stone may
// be the one that stops any one of the threats. With gravity, only the last stone of a turn is considered, and only
// rows that lack one stone.
static uint64_t useful_cells(const SolverLines *lines, const SolverPosition *position, const SolverView *view)
{
    const SolverLook *other = &view->of[position->side ^ 1];
    uint64_t legal = solver_legal(lines, position);
    if (lines->rules.gravity) {
        uint64_t threats = other->completing & legal;
        if (position->left > 1 || threats == 0)
            return legal;
        return (threats & (threats - 1)) == 0 ? threats : 0;
    }
    if (other->lacks > lines->p)
        return row_has_limit(&lines->rules) ? legal : legal & (view->of[0].live | view->of[1].live);
    return position->left == 1 ? solver_lines_common(lines, position, other, lines->p) : other->nearest;
}

// Whether the attacker cannot win because the defender can close all windows. Blocks are not searched if one stone of
// the defender leads to a position where they would be found anyway: this halves the time on large boards.
static bool is_held(const Dfpn *solver, const SolverPosition *position, const SolverView *view)
{
    const SolverLines *lines = &solver->lines;
    const SolverLook *look = &view->of[solver->attacker];
    if (!solver_can_be_held(lines, position, solver->attacker))
        return false;
    if (solver_danger_holds(lines, position, solver->attacker, look))
        return true;
    bool looks = lines->p > 1 || position->side == solver->attacker;
    return looks && solver_pairing_holds(lines, solver_empty(lines, position), look);
}

static Verdict judge(const Dfpn *solver, const SolverPosition *position, const SolverView *view)
{
    const SolverLines *lines = &solver->lines;
    if (completes_now(lines, position, view))
        return wins(solver, position->side);
    if (view->of[solver->attacker].live == 0)
        return VERDICT_NO;
    if (useful_cells(lines, position, view) == 0)
        return wins(solver, position->side ^ 1);
    return is_held(solver, position, view) ? VERDICT_NO : VERDICT_OPEN;
}

// --- Proof numbers ---

static uint32_t at_most(uint64_t number, uint32_t most)
{
    return number < most ? (uint32_t)number : most;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    return at_most((uint64_t)a + b, SOLVER_INFINITE);
}

static bool attacks(const Dfpn *solver, const SolverPosition *position)
{
    return position->side == solver->attacker;
}

static void settle(SolverChild *child, Verdict verdict)
{
    child->proof = verdict == VERDICT_YES ? 0 : SOLVER_INFINITE;
    child->disproof = verdict == VERDICT_YES ? SOLVER_INFINITE : 0;
}

static void play(const SolverLines *lines, SolverPosition *position, unsigned cell)
{
    position->stones[position->side] |= UINT64_C(1) << cell;
    if (--position->left == 0) {
        position->left = lines->rules.p;
        position->side ^= 1;
    }
}

// The initial numbers of a position: the number of stones to try for the side that must examine all, scaled by the
// attacker's danger, which tells how unlikely a yes (proof) or a no (disproof) is.
static void guess(const Dfpn *solver, const SolverView *view, SolverChild *child)
{
    const SolverLines *lines = &solver->lines;
    uint64_t danger = view->of[solver->attacker].danger, one = lines->danger_one;
    uint64_t stones = bits_count(useful_cells(lines, &child->position, view));
    bool attack = attacks(solver, &child->position);
    child->proof = 1 + at_most((attack ? 1 : stones) * 2 * one / danger, FIRST_MAX);
    child->disproof = 1 + at_most((attack ? stones : 1) * danger / (2 * one), FIRST_MAX);
    child->danger = danger;
}

// Initialises a child without its table entry; false if it is decided.
static bool open_child(const Dfpn *solver, const SolverPosition *parent, unsigned cell, SolverChild *child)
{
    const SolverLines *lines = &solver->lines;
    *child = (SolverChild){.position = *parent, .cell = (uint8_t)cell};
    play(lines, &child->position, cell);
    SolverView view;
    solver_lines_view(lines, &child->position, &view);
    Verdict verdict = judge(solver, &child->position, &view);
    if (verdict != VERDICT_OPEN) {
        settle(child, verdict);
        return false;
    }
    guess(solver, &view, child);
    solver_lines_reduce(lines, &view, &child->position);
    solver_table_prefetch(&solver->table, &child->position, solver->attacker);
    return true;
}

static void recall_child(const Dfpn *solver, SolverChild *child)
{
    const SolverEntry *entry = solver_table_find(&solver->table, &child->position, solver->attacker);
    if (entry != NULL) {
        child->proof = entry->proof;
        child->disproof = entry->disproof;
    }
}

static void report(const Dfpn *solver)
{
    const ExactWatch *watch = &solver->watch;
    if (watch->alive != NULL)
        (void)atomic_fetch_add_explicit(watch->alive, 1, memory_order_relaxed);
    if (watch->progress != NULL)
        watch->progress(watch->context, &(ExactResult){.low = -1, .high = 1, .nodes = solver->nodes});
}

static bool is_out(Dfpn *solver)
{
    if (solver->nodes % REPORT == 0 && solver->reported != solver->nodes) {
        solver->reported = solver->nodes;
        report(solver);
    }
    return solver->nodes >= solver->budget || limits_reached_every(&solver->limits, solver->nodes, POLL);
}

// The numbers of a position computed from its children, the most promising child and the number of the second.
typedef struct {
    uint32_t proof, disproof, second;
    SolverChild *best;
} Numbers;

// Among equal children the attacker prefers the more dangerous one, the defender the less dangerous.
static bool comes_first(bool attack, const SolverChild *a, const SolverChild *b)
{
    return attack ? a->danger > b->danger : a->danger < b->danger;
}

// The side to move needs one child. For the other side all count: not their sum, but the largest plus one for each
// other child, since children have much in common (weak proof-number search: Ueda, Hashimoto, Hashimoto, Iida, Weak
// Proof-Number Search, Computers and Games 2008); the sum takes up to six times as many nodes.
static Numbers combine(bool attack, SolverChild *children, unsigned count)
{
    Numbers numbers = {.second = SOLVER_INFINITE, .best = children};
    uint32_t least = UINT32_MAX, largest = 0, open = 0;
    for (unsigned i = 0; i < count; i++) {
        SolverChild *child = &children[i];
        uint32_t wanted = attack ? child->proof : child->disproof, other = attack ? child->disproof : child->proof;
        largest = other > largest ? other : largest;
        open += other > 0;
        if (wanted < least || (wanted == least && comes_first(attack, child, numbers.best))) {
            numbers.second = least;
            least = wanted;
            numbers.best = child;
        } else if (wanted < numbers.second) {
            numbers.second = wanted;
        }
    }
    uint32_t all = open > 0 ? sum(largest, open - 1) : 0;
    numbers.proof = attack ? least : all;
    numbers.disproof = attack ? all : least;
    return numbers;
}

// Opens all relevant children, up to one that decides.
static unsigned open_children(const Dfpn *solver, const SolverPosition *position, SolverChild *children)
{
    bool attack = attacks(solver, position), decided = false;
    SolverView view;
    solver_lines_view(&solver->lines, position, &view);
    unsigned count = 0;
    for (uint64_t cells = useful_cells(&solver->lines, position, &view); cells != 0 && !decided; cells &= cells - 1) {
        SolverChild *child = &children[count++];
        open_child(solver, position, bits_lowest(cells), child);
        decided = (attack ? child->proof : child->disproof) == 0;
    }
    for (unsigned i = 0; i < count; i++)
        if (children[i].proof != 0 && children[i].disproof != 0)
            recall_child(solver, &children[i]);
    return count;
}

// Searches the position until one of its numbers reaches its limit. The most promising child gets the limits up to
// which it remains the most promising, plus a quarter, to avoid switching to and fro (Pawlewicz and Lew, Improving
// Depth-First PN-Search: 1 + epsilon Trick, Computers and Games 2006).
static void search(Dfpn *solver, unsigned depth, SolverChild *node, uint32_t proof_limit, uint32_t disproof_limit)
{
    uint64_t begun = solver->nodes++;
    bool attack = attacks(solver, &node->position);
    SolverChild *children = solver->children[depth];
    unsigned count = open_children(solver, &node->position, children);
    assert(count > 0);
    Numbers numbers;
    for (;;) {
        numbers = combine(attack, children, count);
        if (numbers.proof >= proof_limit || numbers.disproof >= disproof_limit)
            break;
        solver->out = solver->out || is_out(solver);
        if (solver->out)
            break;
        SolverChild *best = numbers.best;
        uint32_t next = sum(numbers.second, numbers.second / 4 + 1);
        if (attack)
            search(solver, depth + 1, best, at_most(next, proof_limit),
                   disproof_limit - numbers.disproof + best->disproof);
        else
            search(solver, depth + 1, best, proof_limit - numbers.proof + best->proof, at_most(next, disproof_limit));
    }
    node->proof = numbers.proof;
    node->disproof = numbers.disproof;
    if (depth == 0)
        node->cell = numbers.best->cell;
    solver_table_put(&solver->table, node, solver->attacker, solver->nodes - begun);
}

void solver_search(Dfpn *solver, unsigned attacker, uint64_t budget, SolverChild *root)
{
    solver->attacker = attacker;
    solver->budget = budget;
    root->cell = (uint8_t)bits_lowest(solver_legal(&solver->lines, &root->position));
    SolverView view;
    solver_lines_view(&solver->lines, &root->position, &view);
    if (view.of[attacker].live == 0)
        settle(root, VERDICT_NO);
    else if (useful_cells(&solver->lines, &root->position, &view) == 0)
        settle(root, wins(solver, root->position.side ^ 1));
    else
        search(solver, 0, root, SOLVER_INFINITE, SOLVER_INFINITE);
}

bool solver_completing_cell(const SolverLines *lines, const SolverPosition *position, unsigned *cell)
{
    SolverView view;
    solver_lines_view(lines, position, &view);
    if (!completes_now(lines, position, &view))
        return false;
    const SolverLook *own = &view.of[position->side];
    uint64_t cells = lines->rules.gravity ? own->completing & solver_legal(lines, position) : own->nearest;
    *cell = bits_lowest(cells);
    return true;
}
