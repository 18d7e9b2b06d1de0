// Command-line options as tables. A command has a struct of its own for its options and a table with one row for each:
// help, checks and error messages use the table.
#pragma once

#include "agents/agent.h"
#include "game/game.h"
#include "view/progress.h"

#include <stddef.h>

// Arguments and common options; the first member of a command's struct.
typedef struct {
    int word_count;           // arguments that are not options
    const char *const *words; // NULL after the last
    const char *db;           // --db; NULL: the default database
    const char *board;        // --board; NULL: not given
    bool json, quiet;         // --json, --quiet
    AgentHost host;           // for agents: --no-sandbox, and the opening books and patterns of the database
    Reporter *reporter;       // for messages and progress; NULL with --quiet
    int change;               // that of the command
} CommandLine;

typedef enum {
    CLI_FLAG,     // bool
    CLI_TEXT,     // const char *
    CLI_DATABASE, // const char *; a password in it disappears from the list of processes
    CLI_WHOLE,    // a whole number of 32 or 64 bits, from `min` to `max`
    CLI_SEED,     // uint64_t; without a default the clock gives it
    CLI_SECONDS,  // double above 0
    CLI_SHARE,    // double from 0 to 1
    CLI_SCALE,    // double above 0, up to 100
    CLI_TABLE,    // a table of options for a struct inside the command's
} CliType;

typedef struct CliOption CliOption;
struct CliOption {
    const char *name; // NULL ends a table (CLI_END)
    CliType type;
    size_t offset, size;  // of the value in the struct; at the end of a command's table, the size of the struct
    const char *argument; // its name in the help; NULL: the option takes none
    const char *help;
    const char *fallback;   // the default, as on a command line; NULL: zero
    int64_t min, max;       // of CLI_WHOLE
    int letter;             // short form; 0: none
    bool may_lack_argument; // the option may stand alone
    size_t given;           // offset of a bool that says whether the option was given; 0: none
    const CliOption *table; // of CLI_TABLE
};

// A row for a member of a struct; the help text and further members follow.
#define CLI_OPTION(Struct, member, name_, type_, argument_, ...)                                                       \
    {                                                                                                                  \
        .name = (name_), .type = (type_), .offset = offsetof(Struct, member),                                          \
        .size = sizeof(((Struct *)NULL)->member), .argument = (argument_), .help = __VA_ARGS__                         \
    }

// The end of the table of a command, whose options go into this struct.
#define CLI_END(Struct)                                                                                                \
    {                                                                                                                  \
        .size = sizeof(Struct)                                                                                         \
    }

// The rows of another table, for a member that is a struct.
#define CLI_ROWS(Struct, member, table_)                                                                               \
    {                                                                                                                  \
        .name = "", .type = CLI_TABLE, .offset = offsetof(Struct, member), .table = (table_)                           \
    }

// A command, or a group of commands, such as `krow book`.
typedef struct Command Command;
struct Command {
    const char *name;
    const char *words;   // its arguments, for the help and for checking their number: "GAME [MOVES...]"; NULL: none
    const char *summary; // a line in the list of commands
    const char *about;   // the help text after the options
    const CliOption *options;
    bool has_databases;                               // the arguments are places of databases
    Status (*run)(const void *options, Error *error); // `options` is the command's struct
    int change;                                       // of a command that makes one of several changes
    const Command *const *parts; // of a group, NULL at the end; then only name, summary and about are used
};

typedef struct {
    void *options; // the command's struct; its first member is a CommandLine
    const char **words;
    char *hidden[4]; // copies of places with a secret
    unsigned hidden_count;
} ParsedCommand;

// Reads a command line; argv[0] is "krow NAME". Exits with status 2 on an error, and with 0 after --help.
void options_read(const Command *command, int argc, char **argv, ParsedCommand *parsed);
void options_close(ParsedCommand *parsed);

// The position of GAME [MOVES…], from the diagram of --board if that is given.
Status line_position(const CommandLine *line, Game *game, Error *error);
