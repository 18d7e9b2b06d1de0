// The review of a game: the evaluation of the position after each turn, the mistakes of both sides, and how accurately
// they played. docs/review.md describes the method and the formulas.
//
// A review searches step by step, so that a caller can share its thread, report progress and stop. It begins with the
// last position, since values proven at the end help with earlier ones. Positions whose evaluations disagree with their
// neighbours, and those beside a mistake, are searched again with more effort.
#pragma once

#include "analysis/position_eval.h"

#include <jansson.h>

typedef enum {
    REVIEW_FINE,
    REVIEW_MISTAKE,    // costs at least REVIEW_MISTAKE_LOSS
    REVIEW_BLUNDER,    // at least REVIEW_BLUNDER_LOSS
    REVIEW_MISSED_WIN, // the same, and the side had a proven win
    REVIEW_LETS_WIN,   // the same, and now the other side has one
    REVIEW_KINDS,
} ReviewKind;

// Losses of winning chance, which is from 0 to 1.
#define REVIEW_MISTAKE_LOSS 0.15
#define REVIEW_BLUNDER_LOSS 0.30

// "mistake", "blunder", "misses" and "lets" for JSON; NULL for REVIEW_FINE.
const char *review_kind_name(ReviewKind kind);

// The position after a number of turns.
typedef struct {
    unsigned stones; // of the game before it
    Side mover;
    unsigned searches; // how often it was searched; the next search has this level
    unsigned checks;   // best turns that a search after them did not confirm
    PositionEval eval;
    PositionEval best; // after the best turn, from a search that verified it; known only beside mistakes
} ReviewPoint;

// A turn, from points[i] to points[i + 1].
typedef struct {
    double loss; // of winning chance, from 0 to 1
    ReviewKind kind;
    bool is_counted; // for the accuracy: the side had a choice, and something to lose
} ReviewTurn;

typedef struct {
    unsigned turns, counted;
    unsigned kinds[REVIEW_KINDS]; // number of turns of each kind
    double loss;                  // mean of the counted turns, from 0 to 1
    double accuracy;              // from 0 to 100; meaningless if no turn is counted
} ReviewSide;

typedef struct {
    Rules rules;
    Board root;
    unsigned stone_count, turn_count; // without an unfinished turn at the end
    Cell *stones;                     // owned
    ReviewPoint *points;              // owned; turn_count + 1
    ReviewTurn *turns;                // owned
    ReviewSide sides[2];
    unsigned done, total; // searches; the total may grow
    uint64_t nodes;
    bool is_complete;
    Evaluation evaluation;
} Review;

// Prepares the review of the turns of a game.
Status review_open(Review *review, const Game *game, const Board *root, Error *error);
void review_close(Review *review); // safe on a zeroed one

// Searches one position; false if the review is complete, was stopped, or has no memory. Call review_judge to see
// results.
bool review_step(Review *review, const atomic_bool *stop);

// Judges the turns between evaluated positions.
void review_judge(Review *review);

// The position of a point, or after a turn of it.
void review_game(const Review *review, unsigned point, Game *game);

// The accuracy for a mean loss of winning chance: from 100 for 0 to 0.
double review_accuracy(double loss);

// --- Words and JSON (review_words.c) ---

// A sentence on a turn that is not fine, with the better turn. `names` of the sides.
void review_describe(const Review *review, unsigned turn, const char *const names[2], Text *text);

// The result so far: docs/api.md. The caller adds what it knows of each point.
json_t *review_point_json(const Review *review, unsigned point);
json_t *review_turning_json(const Review *review, unsigned turn, const char *const names[2]); // NULL: fine
json_t *review_side_json(const ReviewSide *side);
json_t *review_json(const Review *review, const char *const names[2]);

// --- Trying another turn (review_try.c) ---

typedef enum { REVIEW_TRY_BEST, REVIEW_TRY_GOOD, REVIEW_TRY_WRONG } ReviewVerdict;

// A turn as an answer to a position: whether it is as good as the best known one, and why.
typedef struct {
    ReviewVerdict verdict;
    PositionEval after; // the tried turn
    Text words;         // owned
} ReviewTry;

// `stones`: a legal whole turn. `known`: the evaluation of the position.
void review_try(Evaluation *evaluation, const Game *game, const Cell *stones, unsigned count, const PositionEval *known,
                const char *const names[2], const atomic_bool *stop, ReviewTry *result);
