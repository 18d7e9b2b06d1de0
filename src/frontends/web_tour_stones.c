// Chapters of the tour about the papers on games of one stone a turn: positions and words.
// Everything that is marked, counted or said about a position is computed by its lens. The words are krow's own.
#include "frontends/web_tour_internal.h"

const TourChapter tour_sequences = {
    .id = "sequences",
    .paper = 3,
    .source = "Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5",
    .title = "Chaining and merging",
    .steps = {
        {.title = "Forcing moves",
         .text = "A threat is a cell where the next stone completes five. A move that makes one forces the "
                 "answer: exactly there, or the game is lost.\n"
                 "Three stones with room for two more can be forced from either empty cell. The other one is the "
                 "answer.",
         .boards =
             {
                 {.heading = "Two ways to force",
                  .game = "9x9:k=5",
                  .lens = &tour_lens_forcing,
                  .side = SIDE_FIRST,
                  .option = 1,
                  .rows = ".........\n"
                          ".........\n"
                          ".........\n"
                          ".........\n"
                          "..OXXX..O\n"
                          ".........\n"
                          ".........\n"
                          ".........\n"
                          ".........\n"
                          "turn X 1\n"},
             }},
        {.title = "Chaining",
         .text = "A move can be chained to a sequence when it needs the last stone of it: only with that stone "
                 "there does it make four.\n"
                 "The stone d1 is part of a row and of a column. After its answer the column can be forced as "
                 "well; e1 leads nowhere.",
         .boards =
             {
                 {.heading = "One move leads to the next",
                  .game = "5x6:k=5",
                  .lens = &tour_lens_forcing,
                  .side = SIDE_FIRST,
                  .option = 2,
                  .rows = ".....\n"
                          ".....\n"
                          ".....\n"
                          "...X.\n"
                          "...X.\n"
                          "XXX..\n"
                          "turn X 1\n"},
             }},
        {.title = "The example of the paper",
         .text = "Two columns, two cells to force with in each. No move needs another, so there is nothing to "
                 "chain.\n"
                 "The list has four sequences, each a move and its answer.",
         .boards =
             {
                 {.heading = "The first list",
                  .game = "10x10:k=5",
                  .lens = &tour_lens_forcing,
                  .side = SIDE_FIRST,
                  .option = 1,
                  .rows = "..........\n"
                          "..O.O.....\n"
                          "..X.......\n"
                          "..X.X.....\n"
                          "....X.....\n"
                          "..X.X.....\n"
                          "..........\n"
                          "....OX....\n"
                          "..........\n"
                          "..........\n"
                          "turn X 1\n"},
             }},
        {.title = "Merging",
         .text = "Two sequences that have no cell in common can be played one after the other. It is worth a try "
                 "when their last stones lie on one line and near enough to make a new row together.\n"
                 "The row through both stones, or a diagonal, gives three merged sequences.",
         .boards =
             {
                 {.heading = "Three more",
                  .game = "10x10:k=5",
                  .lens = &tour_lens_forcing,
                  .side = SIDE_FIRST,
                  .option = 2,
                  .rows = "..........\n"
                          "..O.O.....\n"
                          "..X.......\n"
                          "..X.X.....\n"
                          "....X.....\n"
                          "..X.X.....\n"
                          "..........\n"
                          "....OX....\n"
                          "..........\n"
                          "..........\n"
                          "turn X 1\n"},
             }},
        {.title = "The win",
         .text = "After one of the merged sequences, three stones stand on a diagonal with room at both ends. One "
                 "more move makes two threats at once, and only one can be stopped.\n"
                 "Keeping the two steps apart keeps the list short: independent moves are combined only where "
                 "they meet.",
         .boards =
             {
                 {.heading = "Chained after merging",
                  .game = "10x10:k=5",
                  .lens = &tour_lens_forcing,
                  .side = SIDE_FIRST,
                  .rows = "..........\n"
                          "..O.O.....\n"
                          "..X.......\n"
                          "..X.X.....\n"
                          "....X.....\n"
                          "..X.X.....\n"
                          "..........\n"
                          "....OX....\n"
                          "..........\n"
                          "..........\n"
                          "turn X 1\n"},
             }},
    }};

const TourChapter tour_tiers = {
    .id = "tiers",
    .paper = 4,
    .source = "Szóts and Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent",
    .title = "Patterns in tiers",
    .steps = {
        {.title = "Winning patterns",
         .text = "A winning pattern is a set of cells, some with own stones, the others empty. Whoever has it "
                 "wins although the other side moves next.\n"
                 "The tier is the number of stones that are still missing to a row. An open four is of tier 1, "
                 "two open threes that cross are of tier 2. krow proves each against every defence.",
         .boards =
             {
                 {.heading = "An open four",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "c6 d6 e6 f6 g6 h6",
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...XXXX....\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn O 1\n"},
                 {.heading = "Two open threes",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "d6 e6 f6 g6 h6 i6 f8 f7 f5 f4 f3",
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          ".....XXX...\n"
                          ".....X.....\n"
                          ".....X.....\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn O 1\n"},
             }},
        {.title = "Shapes that are not enough",
         .text = "A single open three can be stopped, and so can a four with one end shut. They are threats, but "
                 "no winning patterns.\n"
                 "Put stones on the boards and see when the proof succeeds.",
         .boards =
             {
                 {.heading = "One open three",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "c6 d6 e6 f6 g6 h6 i6",
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "....XXX....\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn O 1\n"},
                 {.heading = "A closed four",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "d6 e6 f6 g6 h6",
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "..OXXXX....\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn O 1\n"},
             }},
        {.title = "Finding the first pattern",
         .text = "At the beginning the agent knows only that five in a row wins. It looks three stones ahead, and "
                 "where every reply loses, it keeps the cells on which the loss hangs.\n"
                 "Here that is the open four. From now on it is known, and needs no search.",
         .boards =
             {
                 {.heading = "Three stones ahead",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_extraction,
                  .side = SIDE_FIRST,
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "....O......\n"
                          "...........\n"
                          "....XXX....\n"
                          "...........\n"
                          "...........\n"
                          ".......O...\n"
                          "...........\n"
                          "...........\n"
                          "turn X 1\n"},
             }},
        {.title = "One tier on top of another",
         .text = "With the open four known, the same three stones of search reach further. Two open threes of the "
                 "other side leave no defence: each reply meets a known pattern.\n"
                 "The cells of all these patterns together are a new one, one tier higher.",
         .boards =
             {
                 {.heading = "Learned from a loss",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_extraction,
                  .side = SIDE_FIRST,
                  .asked = "1:.xxxx.",
                  .rows = "...........\n"
                          ".X.........\n"
                          ".........X.\n"
                          "...........\n"
                          ".....O.....\n"
                          ".....O.....\n"
                          "...OOO.....\n"
                          "...........\n"
                          ".........X.\n"
                          ".X.........\n"
                          "...........\n"
                          "turn X 1\n"},
             }},
        {.title = "The lower tier comes first",
         .text = "White has two open threes, a pattern of tier 2. Black has one open three and is to move: a "
                 "stone more makes an open four, tier 1.\n"
                 "Tier 1 needs one stone less. So Black does not defend, and is right.",
         .boards =
             {
                 {.heading = "Attack instead of defence",
                  .game = "11x11:k=5",
                  .lens = &tour_lens_extraction,
                  .side = SIDE_FIRST,
                  .asked = "1:.xxxx.",
                  .rows = "...........\n"
                          "..XXX......\n"
                          "...........\n"
                          "...........\n"
                          ".....O.....\n"
                          ".....O.....\n"
                          "...OOO.....\n"
                          "...........\n"
                          ".........X.\n"
                          "...........\n"
                          "...........\n"
                          "turn X 1\n"},
             }},
        {.title = "What breaks a pattern",
         .text = "A pattern says nothing of stones around it. A four of the other side has to be answered, and "
                 "the answer may cost the one stone that mattered.\n"
                 "The same two threes: with nothing around them they win, with three white stones beside them "
                 "they do not.",
         .boards =
             {
                 {.heading = "Nothing around",
                  .game = "9x5:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "a4 b4 c4 d4 e4 f4 g4 a2 b2 c2 d2 e2 f2 g2",
                  .rows = ".........\n"
                          "..XXX....\n"
                          ".........\n"
                          "..XXX....\n"
                          ".........\n"
                          "turn O 1\n"},
                 {.heading = "A column of White",
                  .game = "9x5:k=5",
                  .lens = &tour_lens_pattern,
                  .side = SIDE_FIRST,
                  .asked = "a4 b4 c4 d4 e4 f4 g4 a2 b2 c2 d2 e2 f2 g2",
                  .rows = ".......O.\n"
                          "..XXX..O.\n"
                          ".......O.\n"
                          "..XXX....\n"
                          ".........\n"
                          "turn O 1\n"},
             }},
    }};

const TourChapter tour_chains = {
    .id = "chains",
    .paper = 5,
    .source = "Vasilchenko and Johnson, Intelligent Agent for Connect 4",
    .title = "Valid chains",
    .steps = {
        {.title = "Chains",
         .text = "A chain is a run of stones of one side on a line, as long as it goes. The longer it is, the "
                 "more it is worth: 4 for each stone, multiplied.\n"
                 "Two stones are worth 16, three are worth 64.",
         .boards =
             {
                 {.heading = "A three and a two",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_chains,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          ".......\n"
                          "X......\n"
                          "X......\n"
                          "X..OO..\n"
                          "turn O 1\n"},
             }},
        {.title = "Valid or not",
         .text = "A chain counts only if a stone can be put beside one of its ends now. With gravity an empty "
                 "cell is not enough: something must stand below it.\n"
                 "The column of three has a stone on top and does not count any more. Chains with both ends shut, "
                 "or in the air, count as little.",
         .boards =
             {
                 {.heading = "Some do not count",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_chains,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          "O......\n"
                          "X......\n"
                          "XX.....\n"
                          "XOOXOO.\n"
                          "turn X 1\n"},
                 {.heading = "In the air",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_chains,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          ".......\n"
                          ".......\n"
                          "..XX...\n"
                          "..OX...\n"
                          "turn O 1\n"},
             }},
        {.title = "The opponent counts twice",
         .text = "The value of a position is the worth of the own chains, less twice the worth of the other "
                 "side's. An agent that weighs both alike likes to build, and forgets to block.\n"
                 "Add stones and follow the value.",
         .boards =
             {
                 {.heading = "What it is worth to Red",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_chains,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          ".......\n"
                          "...O...\n"
                          "..XXO..\n"
                          ".OXXO..\n"
                          "turn X 1\n"},
             }},
        {.title = "Completing, blocking, building",
         .text = "The other agent of the paper does not look ahead as long as it sees a chain. It completes a row "
                 "of its own, or else blocks one of the opponent's, or else builds or blocks a shorter chain.\n"
                 "Only where all three lists are empty does it search.",
         .boards =
             {
                 {.heading = "Three lists",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_detection,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          ".......\n"
                          "X......\n"
                          "X......\n"
                          "OO.OO..\n"
                          "turn X 1\n"},
                 {.heading = "Has to block",
                  .game = "7x6:k=4,gravity",
                  .lens = &tour_lens_detection,
                  .side = SIDE_FIRST,
                  .rows = ".......\n"
                          ".......\n"
                          ".......\n"
                          ".......\n"
                          ".X.....\n"
                          ".XOOO..\n"
                          "turn X 1\n"},
             }},
    }};
