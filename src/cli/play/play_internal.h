// Shared by the parts of play in the terminal.
#pragma once

#include "cli/play/play.h"

enum { PLAY_LEVEL_SIZE = 32 };

static inline Game *play_game(Session *session)
{
    return &session->file.game;
}

static inline Player *play_mover(Session *session)
{
    return &session->players[board_side(&session->file.game.board)];
}

static inline const char *play_name(const Session *session, Side side)
{
    return side == SIDE_FIRST ? session->file.first : session->file.second;
}

static inline bool play_is_over(Session *session)
{
    return session->file.result != RESULT_NONE || game_is_over(play_game(session));
}

// --- play.c ---

// Replaces the game and its players; on an error nothing changes.
Status play_change(Session *session, const GameFile *next, Error *error);

// Saves the game, so that a kill or a lost terminal loses at most the stone being typed.
void play_keep(Session *session);

void play_draw(Session *session);

// A decision of an agent for the position, while the terminal shows that it is thinking.
Status play_decide(Session *session, Agent *agent, Rng *rng, Decision *decision, Error *error);

// Whether a person plays this side alone: "you".
bool play_is_you(const Session *session, Side side);

// --- play_words.c ---

// The agent text of a level.
void play_level_text(unsigned level, char text[PLAY_LEVEL_SIZE]);

// The number of the level that plays this side; 0: none does.
unsigned play_level_of(const Session *session, Side side);

// A player as people call it: "you", "level 4", "threats:depth=4".
void play_add_name(const Session *session, Side side, Text *text);

void play_introduce(Session *session); // rules and goal of a new game, the colour of the person, the opponent
void play_conclude(Session *session);  // how the game ended

// --- play_commands.c ---

// Carries out a line typed by a person: a command or stones.
void play_obey(Session *session, Span line);
