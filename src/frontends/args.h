// The command line: one list of options for all commands, of which each command takes those it needs.
#pragma once

#include "agents/agent.h"
#include "rules/game.h"

#include <argp.h>

// Keys of the options. Letters are the short form of the option; the others have none.
typedef enum {
    ARG_OUTPUT = 'o',
    ARG_QUIET = 'q',
    ARG_AGAINST = 0x100,
    ARG_AGENT,
    ARG_ALL,
    ARG_ANCHOR,
    ARG_BIND,
    ARG_BOARD,
    ARG_CHANCE,
    ARG_CHECK,
    ARG_CLOCK,
    ARG_COUNT,
    ARG_DB,
    ARG_DEPTH,
    ARG_DIAGRAM,
    ARG_ENCODING,
    ARG_ENGINES,
    ARG_EXTEND,
    ARG_FILTER,
    ARG_FIRST,
    ARG_FLEET,
    ARG_FORGET_REFUTED,
    ARG_FORMAT,
    ARG_FRESH,
    ARG_GAME,
    ARG_GAMES,
    ARG_IDLE,
    ARG_JOBS,
    ARG_JSON,
    ARG_LEASE,
    ARG_LEVEL,
    ARG_LINES,
    ARG_LOAD,
    ARG_MATCH,
    ARG_MEMORY,
    ARG_MOVES,
    ARG_NAME,
    ARG_NODES,
    ARG_NO_OPEN,
    ARG_NO_SANDBOX,
    ARG_NO_TIMES,
    ARG_NUMBER,
    ARG_OPEN,
    ARG_OPENINGS,
    ARG_OPPONENT,
    ARG_PGN,
    ARG_PORT,
    ARG_POSITIONS,
    ARG_PROOF,
    ARG_PONDER,
    ARG_PROTOCOL,
    ARG_PULL,
    ARG_REPORT,
    ARG_RESUME,
    ARG_SCALE,
    ARG_SECOND,
    ARG_SEED,
    ARG_SET,
    ARG_SINGLES,
    ARG_SPRT,
    ARG_STDIN,
    ARG_STREAM,
    ARG_SVG,
    ARG_SYMMETRIC,
    ARG_THREADS,
    ARG_TIER,
    ARG_TIME,
    ARG_TURNS,
    ARG_UNIT,
    ARG_VERIFY,
    ARG_VIEW,
    ARG_WEAK,
    ARG_WORKERS,
} ArgKey;

// An entry of an argp option list for each key.
#define OPTION_AGENT                                                                                                   \
    {                                                                                                                  \
        "agent", ARG_AGENT, "AGENT", 0, "Who decides, such as random or adjacent:reach=2", 0                           \
    }
#define OPTION_BOARD                                                                                                   \
    {                                                                                                                  \
        "board", ARG_BOARD, "FILE", 0, "Begin from the diagram in FILE, - for standard input", 0                       \
    }
#define OPTION_BOOK_DB                                                                                                 \
    {                                                                                                                  \
        "db", ARG_DB, "DB", 0, "The database", 0                                                                       \
    }
#define OPTION_BOOKS                                                                                                   \
    {                                                                                                                  \
        "db", ARG_DB, "DB", 0, "The database with opening books and patterns; none: none of them", 0                   \
    }
#define OPTION_CLOCK                                                                                                   \
    {                                                                                                                  \
        "clock", ARG_CLOCK, "SECONDS+INCREMENT", 0, "Time of a side for a whole game", 0                               \
    }
#define OPTION_DB                                                                                                      \
    {                                                                                                                  \
        "db", ARG_DB, "DB", 0, "The database; none: keep nothing", 0                                                   \
    }
#define OPTION_DEPTH                                                                                                   \
    {                                                                                                                  \
        "depth", ARG_DEPTH, "D", 0, "Look at most D stones ahead", 0                                                   \
    }
#define OPTION_DIAGRAM                                                                                                 \
    {                                                                                                                  \
        "diagram", ARG_DIAGRAM, NULL, 0, "Print the diagram that --board reads", 0                                     \
    }
#define OPTION_FIRST                                                                                                   \
    {                                                                                                                  \
        "first", ARG_FIRST, "AGENT", 0, "Who plays X: human or an agent", 0                                            \
    }
#define OPTION_JOBS                                                                                                    \
    {                                                                                                                  \
        "jobs", ARG_JOBS, "J", 0, "Games played at the same time", 0                                                   \
    }
#define OPTION_JSON                                                                                                    \
    {                                                                                                                  \
        "json", ARG_JSON, NULL, 0, "Print one JSON object", 0                                                          \
    }
#define OPTION_NODES                                                                                                   \
    {                                                                                                                  \
        "nodes", ARG_NODES, "N", 0, "Look at no more than N positions a turn", 0                                       \
    }
#define OPTION_NO_SANDBOX                                                                                              \
    {                                                                                                                  \
        "no-sandbox", ARG_NO_SANDBOX, NULL, 0, "Start programs of exec: without a sandbox", 0                          \
    }
#define OPTION_PONDER                                                                                                  \
    {                                                                                                                  \
        "ponder", ARG_PONDER, NULL, 0, "Think in the other side's time as well", 0                                     \
    }
#define OPTION_PGN                                                                                                     \
    {                                                                                                                  \
        "pgn", ARG_PGN, "FILE", 0, "Write the results as PGN, for rating programs", 0                                  \
    }
#define OPTION_PROTOCOL                                                                                                \
    {                                                                                                                  \
        "protocol", ARG_PROTOCOL, "NAME", 0, "gomocup or ugi; without it the first line decides", 0                    \
    }
#define OPTION_QUIET                                                                                                   \
    {                                                                                                                  \
        "quiet", ARG_QUIET, NULL, 0, "No progress and no remarks", 0                                                   \
    }
#define OPTION_REPORT                                                                                                  \
    {                                                                                                                  \
        "report", ARG_REPORT, "FILE", 0, "Write an HTML report with tables and plots", 0                               \
    }
#define OPTION_SECOND                                                                                                  \
    {                                                                                                                  \
        "second", ARG_SECOND, "AGENT", 0, "Who plays O: human or an agent", 0                                          \
    }
#define OPTION_SEED                                                                                                    \
    {                                                                                                                  \
        "seed", ARG_SEED, "N", 0, "Begin of the random numbers; the same seed plays the same game", 0                  \
    }
#define OPTION_SET                                                                                                     \
    {                                                                                                                  \
        "set", ARG_SET, "NAME", 0, "The set of patterns (default unless given)", 0                                     \
    }
#define OPTION_UNIT                                                                                                    \
    {                                                                                                                  \
        "unit", ARG_UNIT, "PAIRS", 0, "Of --workers: pairs of games given to a worker at once", 0                      \
    }
#define OPTION_LEASE                                                                                                   \
    {                                                                                                                  \
        "lease", ARG_LEASE, "SECONDS", 0, "Of --workers: without a turn for so long a worker loses its games", 0       \
    }
#define OPTION_WORKERS                                                                                                 \
    {                                                                                                                  \
        "workers", ARG_WORKERS, NULL, 0, "Let workers of the database play it (krow worker), and wait for them", 0     \
    }
#define OPTION_TIME                                                                                                    \
    {                                                                                                                  \
        "time", ARG_TIME, "SECONDS", 0, "Think no longer than this a turn", 0                                          \
    }

// What a command line said.
typedef struct {
    int word_count;                                      // words that are no options
    const char **words;                                  // owned
    const char *agent, *board, *first, *second, *resume; // NULL: not given
    const char *against, *anchor, *bind, *clock, *db, *encoding, *engines, *filter, *fleet, *format, *game, *load,
        *match, *name, *openings, *opponent, *output, *pgn, *positions, *proof, *protocol, *report, *set, *sprt, *svg,
        *view;
    bool diagram, extends, fresh, is_symmetric, json, no_times, quiet, resumes, has_seed, has_time, has_chance;
    bool all, check, fits_moves, forgets_refuted, from_stdin, has_tier, opens, opens_not, ponders, streams, verifies,
        weak, workers;
    bool puts_up; // no option: with --workers, put the work up and do not wait for it
    Budget budget;
    AgentHost host;
    uint64_t seed;
    unsigned count, games, jobs, level, lines, memory, port, singles, threads, turns, unit; // 0: not given
    unsigned tier;                                                                          // if has_tier
    int64_t number; // of a pattern; 0: not given
    double chance;
    double idle, lease; // seconds; 0: not given
    double pull, scale; // 0: not given
    char *hidden[4];    // places of databases with a secret in them, which are no longer to be seen in argv; owned
    unsigned hidden_count;
} Args;

// A command, or a word under which several stand together: `krow book build`.
typedef struct Command Command;
struct Command {
    const char *name;
    const char *words;   // what it takes besides options, for the help: "GAME [MOVES]"
    const char *summary; // a line in the list of commands
    const char *about;   // the help text after the options
    const struct argp_option *options;
    int min_words, max_words;
    bool has_databases; // the words are places of databases
    Status (*run)(const Args *args, Error *error);
    const Command *const *parts; // of such a word, NULL at the end; then only name, summary and about are used
};

// Reads a command line, argv[0] being "krow NAME"; ends the program with status 2 when it is wrong, and with 0 after
// --help.
void args_parse(const Command *command, int argc, char **argv, Args *args);
void args_close(Args *args);

// GAME [MOVES…] of a command line, with --board: the position they lead to.
Status args_position(const Args *args, Game *game, Error *error);

// Puts the words from `from` on into one text, separated by blanks.
void args_join(const Args *args, int from, Text *text);

// The seed given, or one from the clock, which is then told to the user where it matters.
uint64_t args_seed(const Args *args);
