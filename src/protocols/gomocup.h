// The Gomocup protocol's board, and the opening rule swap2 on it.
//
// Coordinates are 0-based; x is the column and y the row from the TOP. Inside krow, rows count from the bottom.
#pragma once

#include "protocols/engine.h"

typedef struct {
    Cell cell;
    bool own;
} GomocupStone;

// The command whose list of stones is being read.
typedef enum { LIST_NONE, LIST_BOARD, LIST_YXBOARD, LIST_SWAP2 } GomocupList;

// Search info besides the final MESSAGE, as in INFO show_detail.
enum { DETAIL_REALTIME = 1, DETAIL_LINES = 2 };

typedef struct {
    bool started;
    uint8_t width, height;
    int64_t rule;                         // bits as in INFO rule
    double turn, match, left;             // seconds: timeout_turn, timeout_match, time_left; INFINITY: no limit
    bool has_turn;                        // timeout_turn was received
    bool has_times;                       // the three are set
    uint64_t max_nodes;                   // 0: no limit
    unsigned max_depth;                   // 0: no limit
    unsigned detail;                      // search info to send: DETAIL_…
    bool shows;                           // YXSHOWINFO: messages also during a search
    GomocupList list;                     // being read
    bool list_failed;                     // list_error says why
    Error list_error;                     // the first one
    unsigned count;                       // stones on the board
    GomocupStone stones[RULES_CELLS_MAX]; // in order
} Gomocup;

// Fails for a rule that krow does not support, or without START.
Status gomocup_check_rule(const Gomocup *gomocup, Error *error);
Status gomocup_check(const Gomocup *gomocup, Error *error);
Rules gomocup_rules(const Gomocup *gomocup);

// The position in which the engine (`own`) or its opponent is to move. Stones that alternate are played in order,
// others are set up. Fails if the game is over.
Status gomocup_position(const Gomocup *gomocup, bool own, Game *game, Error *error);

// Reads "x,y" of a free cell; or of a taken one.
typedef enum { CELL_FREE, CELL_TAKEN } GomocupCell;
Status gomocup_cell(const Gomocup *gomocup, Span text, GomocupCell want, Cell *cell, Error *error);
void gomocup_format(const Gomocup *gomocup, Cell cell, char text[16]);

void gomocup_add(Gomocup *gomocup, Cell cell, bool own);
int gomocup_find(const Gomocup *gomocup, Cell cell); // index of the stone there, or -1

typedef struct {
    double share;   // of the turn's time and nodes
    unsigned lines; // best turns to find; 0 is 1
    bool reports;   // sends search info
} GomocupSearch;

// Searches a position of the board.
Status gomocup_think(Gomocup *gomocup, Engine *engine, const Game *game, const GomocupSearch *how, Error *error);

// Sends search info; `context` is the Gomocup. See EngineSearch.
void gomocup_report(void *context, Engine *engine, const Decision *found, bool is_final);

// Answers YXSHOWINFO: the program, and the limits of its options.
void gomocup_show_info(Gomocup *gomocup, Engine *engine);

// Answers SWAP2BOARD; the stones given are on the board as black, white, black, …
void gomocup_swap2(Gomocup *gomocup, Engine *engine);
