// What the parts of the tour share: the table of chapters, the lenses through which a board is looked at, and the
// pieces of which a picture is made.
#pragma once

#include "frontends/web_tour.h"

typedef struct TourLens TourLens;

// A position of the table, and how it is looked at.
typedef struct {
    const char *heading;
    const char *game;
    const char *rows;  // a diagram with a turn line
    const char *moves; // stones of the last turn, played after that; NULL: none
    const TourLens *lens;
    Side side;         // whose threats, stones or patterns are shown
    const char *asked; // what else the lens wants to know: a cell, stones, names; NULL: nothing
    unsigned option;   // a number that it wants to know
} TourBoard;

enum { TOUR_BOARDS_MAX = 2, TOUR_STEPS_MAX = 6 };

typedef struct {
    const char *title;
    const char *text; // paragraphs, separated by line ends
    TourBoard boards[TOUR_BOARDS_MAX];
} TourStep;

typedef struct {
    const char *id;
    unsigned paper; // from 1 to 5, in the order of the papers
    const char *source;
    const char *title;
    TourStep steps[TOUR_STEPS_MAX]; // up to the first without a title
} TourChapter;

// One after another, as they are told.
extern const TourChapter tour_counting;     // web_tour_counting.c
extern const TourChapter tour_influence;    // web_tour_defence.c
extern const TourChapter tour_conservative; // likewise
extern const TourChapter tour_sequences;    // web_tour_stones.c
extern const TourChapter tour_tiers;        // likewise
extern const TourChapter tour_chains;       // likewise

// A picture while it is made. Lists are owned until they are given away; a lack of memory shows at the end.
typedef struct {
    json_t *marks, *facts;
    json_t *sequence; // NULL: there is none
    json_t *scan;     // NULL: likewise
    Text caption;
} TourPicture;

// Looks at a position that is not over.
struct TourLens {
    const char *kind;
    bool takes_cell; // `asked` is a cell that people may choose
    Status (*look)(const TourBoard *board, const Game *game, Cell cell, TourPicture *picture, Error *error);
};

extern const TourLens tour_lens_threats;     // option: a ThreatsMarking, the marks that are shown
extern const TourLens tour_lens_generalised; // threats that need several turns
extern const TourLens tour_lens_agents;      // asked: names of agents that rate cells
extern const TourLens tour_lens_influence;   // asked: the cell
extern const TourLens tour_lens_candidates;  // of the side to move, near the last turn
extern const TourLens tour_lens_defence;     // asked: stones of a turn of the side to move
extern const TourLens tour_lens_space;       // wins against the conservative defence, and all wins by double threats
extern const TourLens tour_lens_forcing;     // option: the longest sequences that are listed; 0: all, and the win
extern const TourLens tour_lens_pattern;     // asked: the cells of a pattern
extern const TourLens tour_lens_extraction;  // asked: patterns that are known, as texts
extern const TourLens tour_lens_chains;      // valid chains and what they are worth
extern const TourLens tour_lens_detection;   // what is completed or blocked at once

// --- Pieces ---

// The colour in which a side is drawn: "Black", "White"; with gravity "Red", "Yellow".
const char *tour_side(const Rules *rules, Side side);

// Words of a text as cells of a board; those that are none are left out.
unsigned tour_cells(const char *text, const Rules *rules, Cell *cells, unsigned most);

// "h8 i9": cells as a text is told.
void tour_add_cells(Text *text, const Cell *cells, unsigned count);

// "A" to "Z", "AA", …; small letters for the second side.
enum { TOUR_LABEL_SIZE = 8 };
void tour_label(unsigned number, Side side, char label[TOUR_LABEL_SIZE]);

typedef struct {
    const char *kind;
    const Cell *cells;
    unsigned count;
    const char *side;  // NULL: nobody's
    const char *label; // NULL: none
    double value;      // NAN: none
    bool hidden;       // the weaker of the two ways to draw it
} TourMark;

void tour_mark(TourPicture *picture, const TourMark *mark);

typedef enum { TOUR_NO_VERDICT, TOUR_RIGHT, TOUR_HIGH, TOUR_LOW } TourVerdict;

// Takes `value`.
void tour_fact(TourPicture *picture, const char *label, json_t *value, TourVerdict verdict, const char *words, ...)
    __attribute__((format(printf, 5, 6)));

// A turn to be played through on the board.
void tour_play(TourPicture *picture, const Cell *cells, unsigned count, Side side, const char *words, ...)
    __attribute__((format(printf, 5, 6)));
