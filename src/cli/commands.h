// The commands of krow, one file each in cli/commands.
#pragma once

#include "cli/common_options.h"
#include "cli/output/output.h"

extern const Command command_agents, command_analyze, command_bench, command_book, command_check_engine, command_db,
    command_engine, command_explore, command_export, command_games, command_import, command_match, command_move,
    command_openings, command_patterns, command_perft, command_play, command_prove, command_puzzles, command_ratings,
    command_reproduce, command_review, command_serve, command_show, command_solve, command_threats, command_tournament,
    command_train, command_tune, command_verify, command_worker, command_jobs, command_learn, command_evolve;

// Parts of `krow book`, `krow puzzles` and `krow patterns`.
extern const Command command_book_build, command_book_show;
extern const Command command_puzzles_make, command_puzzles_solve, command_puzzles_verify;
extern const Command command_patterns_check, command_patterns_export, command_patterns_import, command_patterns_learn,
    command_patterns_show;

extern const Command *const commands[]; // NULL at the end

// Both search a list of commands, or the parts of a group.
const Command *command_find(const Command *const *list, const char *name); // NULL: no such command
const char *command_similar(const Command *const *list, const char *name); // the name probably meant, or NULL
const char *game_similar(const char *name);                                // the same among the presets of games
