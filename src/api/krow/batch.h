// Games as arrays of numbers, and many games at once: for learning and statistics, which place millions of stones.
//
// An action is a stone as a number: 0 to width * height - 1, row by row from a1; with gravity the column, from 0. An
// observation is planes of height rows of width numbers, row 0 at the bottom, as the side to move sees them: its
// stones, those of the other side, and a plane filled with the stones left in the turn (bytes: at most 255).
#ifndef KROW_BATCH_H
#define KROW_BATCH_H

#include <krow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KROW_BATCH_MAX = 1 << 20, // games of a batch
    KROW_PLANES = 3,          // planes of an observation
};

// --- One game ---

// Places the next stone of the side to move, as krow_game_play does.
KROW_API KrowStatus krow_game_play_action(KrowGame *game, int32_t action, KrowError *error);

// Writes 1 for every legal action and 0 for the others; returns the number of actions.
KROW_API size_t krow_game_legal_actions(const KrowGame *game, uint8_t *legal);

// Writes the observation [KROW_PLANES][height][width].
KROW_API void krow_game_observe(const KrowGame *game, uint8_t *planes);

// --- Many games ---

typedef struct KrowBatch KrowBatch;

// The state of all games in arrays that the batch keeps up to date, one element per game if nothing else is stated. Do
// not write to them; they are valid until krow_batch_close.
typedef struct {
    size_t count;           // games
    size_t actions;         // actions per game, legal or not
    const uint8_t *legal;   // [count][actions]: 1 for a legal action; all 0 if the game is over
    const uint8_t *side;    // the side to move, KROW_FIRST or KROW_SECOND
    const uint16_t *left;   // stones that it still places in this turn; 0 if the game is over
    const uint16_t *played; // stones played
    const uint8_t *over;    // 1: the game is over and waits for krow_batch_reset
    const uint8_t *ended;   // 1: the last step ended the game
    const uint8_t *winner;  // the winner of a game with `over` or `ended`; KROW_NONE for a draw and for other games
    const float *reward;    // of the side that placed the last step's stone: 1 for a win, else 0
} KrowBatchView;

// Opens `count` games on the empty board, 1 to KROW_BATCH_MAX. NULL on an error. Close it with krow_batch_close.
KROW_API KrowBatch *krow_batch_open(const KrowRules *rules, size_t count, KrowError *error);
KROW_API void krow_batch_close(KrowBatch *batch); // NULL is allowed

KROW_API void krow_batch_view(const KrowBatch *batch, KrowBatchView *view);

// Starts the games anew for which `which` is not 0; NULL: all games.
KROW_API void krow_batch_reset(KrowBatch *batch, const uint8_t *which);

// Places one stone in every game that is not over; the actions of the other games are ignored. With `restart`, games
// that end are reset at once, and only `ended`, `winner` and `reward` tell how they ended. If an action is illegal,
// nothing changes and the error names the first such game.
KROW_API KrowStatus krow_batch_step(KrowBatch *batch, const int32_t *actions, bool restart, KrowError *error);

// Chooses a random legal action for every game; -1 for games that are over.
KROW_API void krow_batch_random(KrowBatch *batch, int32_t *actions);

// Sets the seed of the random actions; 1 after opening.
KROW_API void krow_batch_seed(KrowBatch *batch, uint64_t seed);

// Writes the observations of all games, [count][KROW_PLANES][height][width].
KROW_API void krow_batch_observe(const KrowBatch *batch, uint8_t *planes);
KROW_API void krow_batch_observe_float(const KrowBatch *batch, float *planes);

// A copy of one game, with its stones; NULL if there is no such game. Free it with krow_game_free.
KROW_API KrowGame *krow_batch_game(const KrowBatch *batch, size_t index, KrowError *error);

// Replaces one game by a copy of a game of the same rules.
KROW_API KrowStatus krow_batch_set_game(KrowBatch *batch, size_t index, const KrowGame *game, KrowError *error);

#ifdef __cplusplus
}
#endif

#endif
