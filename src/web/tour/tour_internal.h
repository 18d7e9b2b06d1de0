// Shared by the parts of the tour: chapters, lenses, which compute the picture of a board, and elements of a picture.
#pragma once

#include "threats/windows.h"
#include "web/tour/tour.h"

typedef struct TourLens TourLens;

// The texts below point into the files of data/tour (tour_chapters.c).

typedef struct {
    Span heading;
    Span game;
    Span rows;  // a diagram with a turn line
    Span moves; // stones of the last turn, played after that; may be empty
    const TourLens *lens;
    Span asked;      // input of the lens: a cell, stones or names; may be empty
    unsigned option; // input of the lens: a number
} TourBoard;

enum { TOUR_BOARDS_MAX = 2, TOUR_STEPS_MAX = 6, TOUR_TEXTS_MAX = 4 };

typedef struct {
    Span title;
    Span texts[TOUR_TEXTS_MAX]; // paragraphs, which may be wrapped
    unsigned text_count;
    TourBoard boards[TOUR_BOARDS_MAX];
    unsigned board_count;
} TourStep;

typedef struct {
    Span id;
    unsigned paper; // from 1 to 5, in the order of the papers
    Span source;
    Span title;
    TourStep steps[TOUR_STEPS_MAX];
    unsigned step_count;
} TourChapter;

// The files of data/tour in the order of the tour, made into a source file by tools/embed-texts.
extern const Span tour_texts[];
extern const unsigned tour_texts_count;

// Each returns false when the tour has no such part.
bool tour_chapter(unsigned number, TourChapter *chapter); // from 0, in the order of the tour
bool tour_find_chapter(const char *id, TourChapter *chapter);
bool tour_find_board(const char *id, unsigned step, unsigned board, TourBoard *found);

// The side whose threats, stones or patterns a board shows.
static const Side TOUR_SIDE = SIDE_FIRST;

// A board of the tour with the position that is shown, and its picture in the making. Lists are owned until they are
// passed on.
typedef struct {
    const TourBoard *task;
    const Game *game;
    const Board *board; // of the game
    Cell cell;          // for a lens that takes one
    Error *error;
    json_t *marks, *facts;
    json_t *sequence; // NULL: none
    json_t *scan;     // NULL: none
    Text caption;
} TourPicture;

// Computes the picture of a position that is not over.
struct TourLens {
    const char *kind;
    bool takes_cell; // `asked` is a cell that the visitor may change
    Status (*look)(TourPicture *picture);
};

extern const TourLens tour_lens_threats;     // option: the ThreatsMarking that is shown
extern const TourLens tour_lens_generalised; // threats that need several turns
extern const TourLens tour_lens_agents;      // asked: names of agents that rate cells
extern const TourLens tour_lens_influence;   // asked: the cell
extern const TourLens tour_lens_candidates;  // of the side to move, near the last turn
extern const TourLens tour_lens_defence;     // asked: stones of a turn of the side to move
extern const TourLens tour_lens_space;       // wins against the conservative defence, and all wins by double threats
extern const TourLens tour_lens_forcing;     // option: the length of the longest sequences listed; 0: all, and the win
extern const TourLens tour_lens_pattern;     // asked: the cells of a pattern
extern const TourLens tour_lens_extraction;  // asked: known patterns, as texts
extern const TourLens tour_lens_chains;      // valid chains and what they are worth
extern const TourLens tour_lens_detection;   // what is completed or blocked at once

// Reads the cells in a text; other words are skipped.
unsigned tour_cells(Span text, const Rules *rules, Cell *cells, unsigned most);

// "A" to "Z", "AA", …; small letters for the second side.
enum { TOUR_LABEL_SIZE = 8 };
void tour_label(unsigned number, Side side, char label[TOUR_LABEL_SIZE]);

typedef struct {
    const char *kind;
    const Cell *cells;
    unsigned count;
    const char *side;  // NULL: neither
    const char *label; // NULL: none
    double value;      // NAN: none
    bool hidden;       // drawn weaker
} TourMark;

void tour_mark(TourPicture *picture, const TourMark *mark);

// Windows of a side, labelled in their order.
void tour_mark_windows(TourPicture *picture, const Board *board, Side side, const Window *windows, unsigned count);

typedef enum { TOUR_NO_VERDICT, TOUR_RIGHT, TOUR_HIGH, TOUR_LOW } TourVerdict;

// Takes `value`.
void tour_judged_fact(TourPicture *picture, const char *label, json_t *value, TourVerdict verdict, const char *words,
                      ...) __attribute__((format(printf, 5, 6)));
#define tour_fact(picture, label, value, ...)                                                                          \
    tour_judged_fact((picture), (label), (value), TOUR_NO_VERDICT, __VA_ARGS__)

// A turn to be played through on the board.
void tour_play(TourPicture *picture, const Cell *cells, unsigned count, Side side, const char *words, ...)
    __attribute__((format(printf, 5, 6)));

// The route of what an agent sees (tour_ratings.c).
Status web_tour_ratings(WebCall *call);
