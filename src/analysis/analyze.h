// What `krow analyze` finds out about a position, before it is reported: wins by double threats for either side with
// all answers, threats, and what the engine or another agent thinks of cells and turns.
#pragma once

#include "agents/agent.h"
#include "engine/search/search.h"
#include "threats/search/win_tree.h"
#include "view/threats_view.h"

// A search for a forced win of one side.
typedef struct {
    bool is_searched; // false: these rules cannot be, or there was no time
    Side side;
    DoubleThreatResult result;
    bool is_engine; // a win that the engine has proven, where a search through threats did not find one
    WinTree tree;   // of a win; not whole when it was interrupted or is too large
} ForcedView;

// The stones that stop a win which threatens, each alone.
typedef struct {
    bool is_searched;
    unsigned count, tried;
    unsigned undecided; // cells for which it was not found out, those not tried included
    Cell *cells;        // owned
} StopsView;

// A turn that is worth a look.
typedef struct {
    const char *by; // the agent whose turn and score this is, NULL: a forced win
    double score;   // for the side to move, in the agent's unit
    double chance;  // of winning, with a draw as half of it; below 0: the score has no such unit
    Proven proven;
    int distance; // stones to the proven end, or -1
    unsigned depth;
    unsigned count, pv_count;
    Cell *stones, *pv; // owned
} LineView;

typedef struct Analysis Analysis;

// Sees what the engine knows while it searches. All NULL: never.
typedef struct {
    void *context;
    void (*begin)(void *context, const Analysis *analysis);
    void (*report)(void *context, const SearchInfo *report);
    void (*end)(void *context);
} AnalyzeWatch;

// What is asked. All zero asks the engine, with the usual limits.
typedef struct {
    Budget budget;
    const AgentHost *host; // NULL: none
    const char *agent;     // who is asked; NULL: the engine
    unsigned lines;        // the number of best turns; 0: the usual number
    unsigned singles;      // turns of a forced win that leave free stones
    unsigned threads;      // of the engine; 0 is 1
    unsigned memory;       // megabytes of the engine's table; 0: the usual number
    unsigned tables;       // megabytes of each table of the other searches; 0: the usual number
    uint64_t seed;
    bool first_view;         // scores as the first side sees them
    AnalyzeWatch watch;      // sees the search
    const atomic_bool *stop; // NULL: never
} AnalyzeOptions;

struct Analysis {
    AnalyzeOptions options;
    const Game *game;
    double began, seconds;   // seconds: what it took
    bool thinks;             // the engine's search is asked, not an agent
    uint64_t thought;        // positions it examined
    unsigned depth, deepest; // stones it looked ahead: everywhere, and at most
    ThreatsView threats[2];
    bool is_lost;      // for the side to move: no turn stops the threats of the other side, nor completes a row
    ForcedView own;    // of the side to move
    ForcedView threat; // of the other side, if the side to move passed
    StopsView stops;
    const char *agent, *rater; // who decided, and who rated the cells
    unsigned cell_count;
    RatedCell *cells; // owned; the best first
    unsigned line_count;
    LineView *lines; // owned
};

// Analyses a game that is not over. On an error there is nothing to be reported, but it is to be closed all the same.
Status analyze(Analysis *analysis, const AnalyzeOptions *options, const Game *game, Error *error);
void analyze_close(Analysis *analysis);

// The stones of a win along its longest defence, those of both sides in order, up to an answer of which some may stand
// anywhere; returns how many.
unsigned analyze_line(const ForcedView *forced, Cell stones[2 * DOUBLE_THREAT_TURNS_MAX * WINDOW_TALLY_P_MAX]);

static inline bool analyze_is_won(const ForcedView *forced)
{
    return forced->is_searched && forced->result.verdict == DOUBLE_THREAT_WON;
}

// Whether scores are those of the other side: --view first where the second is to move.
static inline bool analyze_is_reversed(const Analysis *analysis)
{
    return analysis->options.first_view && board_side(&analysis->game->board) == SIDE_SECOND;
}

// All of it, and parts of it.
json_t *analyze_json(const Analysis *analysis);
json_t *analyze_lines_json(const Analysis *analysis);
json_t *analyze_cells_json(const Analysis *analysis);
json_t *analyze_forced_json(const ForcedView *forced);                           // null where there is no tree
json_t *analyze_report_json(const Analysis *analysis, const SearchInfo *report); // what is known so far
