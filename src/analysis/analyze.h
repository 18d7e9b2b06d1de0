// The results of `krow analyze`: wins by threats for either side with all answers, threats, and the cells and turns
// that the engine or another agent prefers.
#pragma once

#include "agents/agent.h"
#include "analysis/position_eval.h"
#include "engine/search/search.h"
#include "threats/search/win_tree.h"
#include "view/threats_view.h"

// A search for a forced win of one side.
typedef struct {
    bool is_searched; // false: not supported for these rules, or no time
    Side side;
    DoubleThreatResult result;
    bool is_engine; // a win that the engine has proven, where a search through threats did not find one
    WinTree tree;   // of a win; incomplete after an interruption, or if it is too large
} ForcedView;

// The single stones that stop a threatened win.
typedef struct {
    bool is_searched;
    unsigned count, tried;
    unsigned undecided; // cells without a result, including those not tried
    Cell *cells;        // owned
} StopsView;

// A recommended turn.
typedef struct {
    const char *by; // the agent whose turn and score this is, NULL: a forced win
    double score;   // for the side to move, in the agent's unit
    double chance;  // of winning, a draw counting half; below 0: unknown for this score
    Proven proven;
    int distance; // stones to the proven end, or -1
    unsigned depth;
    unsigned count, pv_count;
    Cell *stones, *pv; // owned
} LineView;

typedef struct Analysis Analysis;

// Receives search info. All NULL: none.
typedef struct {
    void *context;
    void (*begin)(void *context, const Analysis *analysis);
    void (*report)(void *context, const SearchInfo *report);
    void (*end)(void *context);
} AnalyzeWatch;

// All zero: the engine with default limits.
typedef struct {
    Budget budget;
    const AgentHost *host; // NULL: none
    const char *agent;     // agent to use; NULL: the engine
    unsigned lines;        // number of best turns; 0: default
    unsigned singles;      // turns of a forced win that leave free stones
    unsigned threads;      // of the engine; 0 is 1
    unsigned memory;       // megabytes of the engine's transposition table; 0: default
    unsigned tables;       // megabytes of each table of the other searches; 0: default
    uint64_t seed;
    bool first_view;         // scores from the first side's point of view
    AnalyzeWatch watch;      // receives search info
    const atomic_bool *stop; // NULL: never
} AnalyzeOptions;

struct Analysis {
    AnalyzeOptions options;
    const Game *game;
    double began, seconds;   // seconds: duration
    bool thinks;             // the engine's search is used, not an agent
    uint64_t thought;        // positions searched
    unsigned depth, deepest; // search depth and greatest depth, in stones
    ThreatsView threats[2];
    bool is_lost;      // for the side to move: no turn stops the threats of the other side, nor completes a row
    ForcedView own;    // of the side to move
    ForcedView threat; // of the other side, if the side to move passes
    StopsView stops;
    const char *agent, *rater; // agents that decided the turns and rated the cells
    unsigned cell_count;
    RatedCell *cells; // owned; the best first
    unsigned line_count;
    LineView *lines; // owned
};

// Analyses a game that is not over. Close the analysis also after an error.
Status analyze(Analysis *analysis, const AnalyzeOptions *options, const Game *game, Error *error);
void analyze_close(Analysis *analysis);

// The evaluation of the best line; unknown without a line.
PositionEval eval_of_analysis(const Analysis *analysis);

// The stones of both sides along the longest defence against a win, up to an answer with free stones; returns their
// number.
unsigned analyze_line(const ForcedView *forced, Cell stones[2 * DOUBLE_THREAT_TURNS_MAX * WINDOW_TALLY_P_MAX]);

static inline bool analyze_is_won(const ForcedView *forced)
{
    return forced->is_searched && forced->result.verdict == DOUBLE_THREAT_WON;
}

// Whether scores are reversed: --view first while the second side is to move.
static inline bool analyze_is_reversed(const Analysis *analysis)
{
    return analysis->options.first_view && board_side(&analysis->game->board) == SIDE_SECOND;
}

json_t *analyze_json(const Analysis *analysis);
json_t *analyze_lines_json(const Analysis *analysis);
json_t *analyze_cells_json(const Analysis *analysis);
json_t *analyze_forced_json(const ForcedView *forced);                           // null without a tree
json_t *analyze_report_json(const Analysis *analysis, const SearchInfo *report); // the results so far
