// Option rows that several commands share, and groups of options. Rows without a parameter set members of CommandLine;
// the others set members of the struct S, which have the names used here.
#pragma once

#include "cli/options.h"
#include "lab/learn/pattern_sets.h"
#include "lab/submit/lab_workers.h"

#define OPTION_AGENT(S)                                                                                                \
    CLI_OPTION(S, agent, "agent", CLI_TEXT, "AGENT", "Agent that decides, such as random or adjacent:reach=2")
#define OPTION_BOARD                                                                                                   \
    CLI_OPTION(CommandLine, board, "board", CLI_TEXT, "FILE", "Start from the diagram in FILE (- for standard input)")
#define OPTION_BOOKS                                                                                                   \
    CLI_OPTION(CommandLine, db, "db", CLI_DATABASE, "DB", "Database with opening books and patterns; 'none' uses none")
#define OPTION_CLOCK(S) CLI_OPTION(S, clock, "clock", CLI_TEXT, "SECONDS+INCREMENT", "Time per side for a whole game")
#define OPTION_DB CLI_OPTION(CommandLine, db, "db", CLI_DATABASE, "DB", "Database to use; 'none' stores nothing")
#define OPTION_NEEDED_DB CLI_OPTION(CommandLine, db, "db", CLI_DATABASE, "DB", "Database to use")
#define OPTION_DEPTH(S)                                                                                                \
    CLI_OPTION(S, budget.depth, "depth", CLI_WHOLE, "D", "Search at most D stones deep", .min = 1,                     \
               .max = RULES_CELLS_MAX)
#define OPTION_JOBS(S)                                                                                                 \
    CLI_OPTION(S, jobs, "jobs", CLI_WHOLE, "J", "Number of games played at the same time", .min = 1, .max = 256)
#define OPTION_JSON CLI_OPTION(CommandLine, json, "json", CLI_FLAG, NULL, "Print one JSON object")
#define OPTION_NODES(S)                                                                                                \
    CLI_OPTION(S, budget.nodes, "nodes", CLI_WHOLE, "N", "Search at most N positions per turn", .min = 1,              \
               .max = INT64_MAX)
#define OPTION_NO_SANDBOX                                                                                              \
    CLI_OPTION(CommandLine, host.no_sandbox, "no-sandbox", CLI_FLAG, NULL, "Run exec: programs without a sandbox")
#define OPTION_OUTPUT(S)                                                                                               \
    CLI_OPTION(S, output, "output", CLI_TEXT, "FILE", "Write to FILE instead of standard output", .letter = 'o')
#define OPTION_QUIET                                                                                                   \
    CLI_OPTION(CommandLine, quiet, "quiet", CLI_FLAG, NULL, "Print no progress and no messages", .letter = 'q')
#define OPTION_RANDOM_SEED(S)                                                                                          \
    CLI_OPTION(S, seed, "seed", CLI_SEED, "N", "Random seed; the same seed replays the same game", .max = INT64_MAX)
#define OPTION_TIME(S) CLI_OPTION(S, budget.seconds, "time", CLI_SECONDS, "SECONDS", "Time limit per turn")
#define OPTIONS_OF_TURNS(S)                                                                                            \
    OPTION_TIME(S), OPTION_NODES(S), OPTION_DEPTH(S), OPTION_RANDOM_SEED(S), OPTION_BOOKS, OPTION_NO_SANDBOX
#define OPTION_TURNS(S)                                                                                                \
    CLI_OPTION(S, turns, "turns", CLI_WHOLE, "N", "Call a game a draw after N turns, counting both sides", .min = 1,   \
               .max = RULES_CELLS_MAX)

// Work that workers of the database do.
typedef struct {
    bool is_used; // --workers
    LabWorkers how;
} WorkersOption;

extern const CliOption workers_options[];

// How the games of a match are played and stored.
typedef struct {
    const char *game, *openings, *clock, *sprt; // NULL: not given
    const char *order, *resign, *draw;          // NULL: not given
    unsigned games, jobs, turns, start;         // 0: not given
    Budget budget;
    bool has_seed;
    uint64_t seed;
    bool resumes, again; // --resume, --again
    WorkersOption workers;
} LabOptions;

// --jobs, --time, --clock, --nodes, --depth, --turns, --seed and those of workers.
extern const CliOption lab_options[];

// --resume and --again.
extern const CliOption repeat_options[];

// The command line of all `krow patterns` commands except learn.
typedef struct {
    CommandLine line;
    const char *game, *set; // NULL: gomoku, the default set
    int64_t number;         // 0: all
    bool has_tier;
    unsigned tier;
    Budget budget;                       // of a proof
    bool all, verifies, forgets_refuted; // --all, --verify, --forget-refuted
} PatternsArgs;

#define OPTION_PATTERN_GAME                                                                                            \
    CLI_OPTION(PatternsArgs, game, "game", CLI_TEXT, "GAME", "Game, instead of the argument GAME (default gomoku)")
#define OPTION_SET CLI_OPTION(PatternsArgs, set, "set", CLI_TEXT, "NAME", "Set of patterns (default 'default')")
#define OPTION_NUMBER                                                                                                  \
    CLI_OPTION(PatternsArgs, number, "number", CLI_WHOLE, "N", "Only the pattern with this number", .min = 1,          \
               .max = INT64_MAX)
#define OPTION_TIER                                                                                                    \
    CLI_OPTION(PatternsArgs, tier, "tier", CLI_WHOLE, "T", "Only patterns of this tier", .max = PATTERN_TIER_MAX,      \
               .given = offsetof(PatternsArgs, has_tier))

// The set that the options name; `game` is an argument, or NULL.
Status patterns_args_set(const PatternsArgs *args, const char *game, PatternSetName *name, Error *error);

// Reads the patterns of the set that the options choose; it is an error if there are none.
Status patterns_args_read(const PatternsArgs *args, const PatternSetName *name, PatternList *list, Error *error);

DatabasePatternChoice patterns_args_choice(const PatternsArgs *args);
