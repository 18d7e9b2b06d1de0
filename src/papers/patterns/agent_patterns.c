// The pattern agent of Szóts and Harmati (section 4): a search of three stones that uses winning patterns and learns
// new ones from its games. papers/patterns/extraction.h describes the search, threats/pattern.h defines patterns.
//
// The agent decides in these steps whether to learn a pattern that the search has found (section 4.4):
//
// 1. A pattern with more than `size` cells is not learned. The paper limits the size but does not state the number.
// 2. A pattern is known if a known pattern, in any orientation, is equal to it or a part of it.
// 3. With `prove=exact` a search must prove the pattern (papers/patterns/pattern_proof.h); the paper relies on a
//    branching factor of 6, and `prove=none` does the same. Patterns that are refuted, or undecided after `proof`
//    nodes, are counted and not learned.
// 4. With `trim=1`, beyond the paper, cells that the proof does not need are removed. A union has the cells of every
//    defence that was searched, although fewer may suffice.
// 5. With `most`, the set does not grow beyond that number of symmetric versions.
// 6. The pattern is stored if the host provides storage. The agent uses it from the next stone on.
//
// Patterns that other programs add to the set are read at the start of a game and whenever a pattern is stored. The
// agent uses patterns that could not be written until it is closed, and counts them as unsaved.
//
// With `check=1`, beyond the paper, a match counts only if it can be proved on the actual board, where stones of the
// other side make fours possible. The paper does not handle these counterattacks (5.3).
#include "agents/agent.h"
#include "agents/book/book.h" // names of sets follow the rule of books
#include "papers/patterns/extraction.h"
#include "papers/patterns/pattern_proof.h"

#include <string.h>

enum { CHECK_NODES = 2000 };

typedef enum { USE_NONE, USE_BRANCHING, USE_EVALUATION, USE_BOTH } Use;
typedef enum { PROVE_EXACT, PROVE_NONE } Prove;
enum { BEFORE_SUMMED, BEFORE_SIGNED }; // these and the next in the order of the choices
enum { TIES_LOT, TIES_FIRST };
enum { WEIGHT_TIER, WEIGHT_PRODUCT };

typedef struct {
    uint64_t learned, refuted, undecided, unsaved;
} Harvest;

typedef struct {
    Rules rules;
    Extraction *search;
    PatternIndex *index;
    PatternProof *proof;
    const AgentPatterns *host;
    char set[OPTION_TEXT_SIZE];
    int64_t newest; // number of the last pattern that was read
    bool learns, trims, checks;
    Prove prove;
    unsigned size;
    unsigned most; // symmetric versions in the set; 0: no limit
    uint64_t proof_nodes;
    double deadline;         // of the turn
    const atomic_bool *stop; // of the turn
    Harvest harvest;         // of the turn
} Patterns;

// --- Known patterns ---

static bool take_pattern(void *context, int64_t number, const Pattern *pattern)
{
    Patterns *agent = context;
    pattern_index_add(agent->index, pattern);
    agent->newest = number;
    return true;
}

static Status read_patterns(Patterns *agent, Error *error)
{
    if (agent->host == NULL)
        return STATUS_OK;
    AgentPatternRange range = {agent->set, &agent->rules, agent->newest};
    return agent->host->each(agent->host->context, &range, take_pattern, agent, error);
}

// --- Learning ---

static PatternVerdict prove(const Patterns *agent, const Pattern *pattern)
{
    Limits limits = {.deadline = agent->deadline, .nodes = agent->proof_nodes, .stop = agent->stop};
    return pattern_proof_run(agent->proof, pattern, &limits).verdict;
}

// The pattern without one of its cells; false if no pattern remains.
static bool leave_out(const Pattern *pattern, unsigned cell, Pattern *without)
{
    Board board;
    Rules rules = {.width = PATTERN_SIDE_MAX, .height = PATTERN_SIDE_MAX, .k = 1, .p = 1, .q = 1};
    board_init(&board, &rules);
    PatternCells cells = {0};
    for (unsigned i = 0; i < pattern->count; i++) {
        Cell at = cell_at(pattern->cell[i].column, pattern->cell[i].row);
        if (i != cell)
            cells.rows[cell_row(at)] |= cell_bit_in_row(at);
        if (i != cell && pattern->cell[i].own)
            board_put(&board, at, SIDE_FIRST);
    }
    return pattern_of_cells(&board, SIDE_FIRST, &cells, pattern->tier, without);
}

// Removes cells that the proof does not need, one after another.
static void trim(const Patterns *agent, Pattern *pattern)
{
    for (unsigned i = pattern->count; i-- > 0;) {
        Pattern without;
        if (leave_out(pattern, i, &without) && prove(agent, &without) == PATTERN_PROVED)
            *pattern = without;
    }
}

// Whether the proof allows a pattern to be learned. The pattern is then trimmed and gets the tier that its cells show;
// the search counts tiers upwards from the leaves and sometimes finds a higher one.
static bool passes(Patterns *agent, Pattern *pattern)
{
    if (agent->prove == PROVE_NONE)
        return true;
    PatternVerdict verdict = prove(agent, pattern);
    agent->harvest.refuted += verdict == PATTERN_REFUTED;
    agent->harvest.undecided += verdict == PATTERN_UNDECIDED;
    if (verdict != PATTERN_PROVED)
        return false;
    if (agent->trims)
        trim(agent, pattern);
    pattern->tier = (uint8_t)pattern_lacking(pattern, &agent->rules);
    return true;
}

// Stores a pattern and reads it back with those of other programs. If that fails, or without storage, the agent knows
// it all the same.
static void keep(Patterns *agent, const Pattern *pattern)
{
    bool kept = true;
    Status written = STATUS_OK, read = STATUS_FAILED;
    if (agent->host != NULL)
        written =
            agent->host->learn(agent->host->context, &(AgentLearned){agent->set, &agent->rules, pattern}, &kept, NULL);
    if (agent->host != NULL && written == STATUS_OK)
        read = read_patterns(agent, NULL);
    if (read != STATUS_OK) {
        Pattern canonical;
        pattern_canonical(pattern, &canonical);
        pattern_index_add(agent->index, &canonical);
        kept = true;
    }
    agent->harvest.learned += kept;
    agent->harvest.unsaved += written != STATUS_OK;
}

static bool has_room(const Patterns *agent, const Pattern *pattern)
{
    Pattern versions[PATTERN_VERSIONS_MAX];
    return agent->most == 0 ||
           pattern_index_versions(agent->index) + pattern_versions(pattern, versions) <= agent->most;
}

static void learn(Patterns *agent, const Pattern *found)
{
    Pattern pattern = *found;
    if (pattern.count > agent->size || pattern_index_has_part(agent->index, &pattern) || !passes(agent, &pattern))
        return;
    if (has_room(agent, &pattern) && !(agent->trims && pattern_index_has_part(agent->index, &pattern)))
        keep(agent, &pattern);
}

// --- Playing ---

static bool holds(void *context, const Board *board, Side owner, const PatternMatch *match)
{
    const Patterns *agent = context;
    PatternCells cells = {0};
    pattern_match_cells(match, &cells);
    Limits limits = {.deadline = agent->deadline, .nodes = CHECK_NODES, .stop = agent->stop};
    return pattern_proof_run_on(agent->proof, board, owner, &cells, &limits).verdict == PATTERN_PROVED;
}

static void set_decision(const Patterns *agent, const ExtractionResult *result, const Board *after, Decision *decision)
{
    decision->score = result->score;
    decision->line_count = 1;
    decision->line[0] = result->cell;
    if (board_winner(after) != WINNER_NONE) {
        decision->proven = PROVEN_WIN;
        decision->distance = 1;
    }
    decision->counts = 4;
    decision->count_list[0] = (DecisionCount){"learned", agent->harvest.learned};
    decision->count_list[1] = (DecisionCount){"refuted", agent->harvest.refuted};
    decision->count_list[2] = (DecisionCount){"undecided", agent->harvest.undecided};
    decision->count_list[3] = (DecisionCount){"unsaved", agent->harvest.unsaved};
}

static Cell play_stone(Patterns *agent, const Board *board, const AgentTask *task, ExtractionResult *result)
{
    const Budget *budget = &task->budget;
    Limits limits = {agent->deadline, budget->nodes, budget->depth, task->stop};
    ExtractionJudge judge = {holds, agent};
    extraction_run(agent->search, board,
                   &(ExtractionTask){agent->index, &limits, agent->checks ? &judge : NULL, task->rng}, result);
    if (agent->learns && result->has_pattern)
        learn(agent, &result->pattern);
    return result->cell;
}

// Only the first turn of a game can have several stones; they are chosen one after another, and the first one decides.
static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    Patterns *agent = state;
    Board after;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    ExtractionResult first = {0};
    agent->deadline = budget_deadline(&task->budget, &after);
    agent->stop = task->stop;
    agent->harvest = (Harvest){0};
    while (!board_is_over(&after) && board_side(&after) == side) {
        ExtractionResult result;
        Cell cell = play_stone(agent, &after, task, &result);
        first = decision->count == 0 ? result : first;
        decision->nodes += result.nodes;
        decision->stones[decision->count++] = cell;
        (void)board_play(&after, cell);
    }
    decision->depth = first.depth;
    set_decision(agent, &first, &after, decision);
}

static void new_game(void *state)
{
    (void)read_patterns(state, NULL); // what cannot be read now is read with the next game
}

static Status open(void *state, const AgentConfig *config, Error *error)
{
    Patterns *agent = state;
    const OptionValues *values = &config->options;
    Use use = (Use)options_choice(values, "use");
    ExtractionOptions options = {
        .base = (unsigned)options_int(values, "m"),
        .branching = (unsigned)options_int(values, "branching"),
        .depth = (unsigned)options_int(values, "depth"),
        .is_signed = options_choice(values, "before") == BEFORE_SIGNED,
        .factor = options_real(values, "factor"),
        .size_cost = options_real(values, "sizecost"),
        .decay = options_real(values, "decay"),
        .neglect = options_real(values, "neglect"),
        .in_branching = use == USE_BRANCHING || use == USE_BOTH,
        .in_evaluation = use == USE_EVALUATION || use == USE_BOTH,
        .by_product = options_choice(values, "weight") == WEIGHT_PRODUCT,
        .halves = options_bool(values, "halves"),
        .takes_first = options_choice(values, "ties") == TIES_FIRST,
    };
    if (!book_name_is_good(span_of(options_text(values, "set"))))
        return error_set(error, STATUS_BAD_INPUT,
                         "'%s' is no name of a set of patterns: 1 to 63 letters, digits, -, _ and . are allowed",
                         options_text(values, "set"));
    agent->rules = config->rules;
    agent->host = config->host.patterns;
    agent->learns = options_bool(values, "learn");
    agent->trims = options_bool(values, "trim");
    agent->checks = options_bool(values, "check");
    agent->prove = (Prove)options_choice(values, "prove");
    agent->size = (unsigned)options_int(values, "size");
    agent->most = (unsigned)options_int(values, "most");
    agent->proof_nodes = (uint64_t)options_int(values, "proof");
    memcpy(agent->set, options_text(values, "set"), sizeof agent->set);
    agent->search = extraction_open(&options, &config->rules);
    agent->index = pattern_index_open();
    agent->proof = pattern_proof_open(&config->rules);
    return read_patterns(agent, error);
}

static void close(void *state)
{
    Patterns *agent = state;
    extraction_close(agent->search);
    pattern_index_close(agent->index);
    pattern_proof_close(agent->proof);
}

static const AgentOption options[] = {
    {"learn", OPTION_BOOL, "0", 0, 1, NULL, "1: learn new patterns while playing"},
    {"set", OPTION_TEXT, "default", 0, 0, NULL, "set of patterns to use and to learn into"},
    {"size", OPTION_INT, "32", 1, PATTERN_CELLS_MAX, NULL, "cells of the largest pattern to learn"},
    {"most", OPTION_INT, "0", 0, 1000000, NULL,
     "stop learning at this number of patterns with their symmetric versions (0: no limit)"},
    {"prove", OPTION_CHOICE, "exact", 0, 0, "exact none", "proof that a pattern needs before it is learned"},
    {"proof", OPTION_INT, "100000", 1, 1e9, NULL, "node limit of a proof"},
    {"trim", OPTION_BOOL, "0", 0, 1, NULL, "1: remove cells that the proof does not need"},
    {"check", OPTION_BOOL, "0", 0, 1, NULL, "1: a match counts only if it can be proved on the actual board"},
    {"depth", OPTION_INT, "3", 1, EXTRACTION_DEPTH_MAX, NULL,
     "search depth in stones; 4 is line 8 of Algorithm 2 read literally"},
    {"branching", OPTION_INT, "6", 1, EXTRACTION_BRANCHING_MAX, NULL, "cells examined in each position"},
    {"m", OPTION_INT, "10", 1, 100, NULL, "ratio of the value of a row to that of one with a stone less"},
    {"before", OPTION_CHOICE, "signed", 0, 0, "summed signed",
     "value of a cell before the stone: sum of both sides' parts, or own part minus the other's"},
    {"factor", OPTION_REAL, "2", 1.01, 100, NULL, "ratio of the values of a tier and the next one"},
    {"sizecost", OPTION_REAL, "0.001", 0, 0.01, NULL, "share of its value that a pattern loses with each cell"},
    {"decay", OPTION_REAL, "0.99", 0.01, 1, NULL, "factor of a value for each stone towards the root"},
    {"neglect", OPTION_REAL, "1.5", 1, 100, NULL, "factor by which deeper patterns must outweigh nearer ones"},
    {"use", OPTION_CHOICE, "none", 0, 0, "none branching evaluation both", "use of higher tiers in the heuristic"},
    {"weight", OPTION_CHOICE, "tier", 0, 0, "tier product",
     "value of higher tiers in the heuristic: by tier, or by the product along the pattern"},
    {"halves", OPTION_BOOL, "0", 0, 1, NULL,
     "1: prune candidates worth less than half of the one before, with use=branching or both"},
    {"ties", OPTION_CHOICE, "lot", 0, 0, "lot first", "choice among equals: at random or the first"},
    {0},
};

const AgentKind agent_patterns = {
    .name = "patterns",
    .summary = "looks three stones ahead, knows winning patterns, and learns new ones by playing",
    .source = "Szóts and Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent, section 4",
    .options = options,
    .games = "one stone a turn, without gravity",
    .plays = pattern_suits,
    .state_size = sizeof(Patterns),
    .open = open,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
