// The commands of krow, one file each, one line here each.
#pragma once

#include "frontends/args.h"

extern const Command command_agents, command_bench, command_engine, command_export, command_games, command_import,
    command_match, command_move, command_openings, command_perft, command_play, command_ratings, command_reproduce,
    command_show, command_threats, command_tournament;

extern const Command *const commands[];
extern const int command_count;

const Command *command_find(const char *name); // NULL: there is none
const char *command_similar(const char *name); // the name that was probably meant, or NULL
