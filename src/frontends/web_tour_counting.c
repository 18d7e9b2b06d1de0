// Chapters of the tour about the first paper: positions and words.
// Everything that is marked, counted or said about a position is computed by its lens. The words are krow's own.
#include "frontends/web_tour_internal.h"

#include "analysis/threats.h"

const TourChapter tour_counting = {
    .id = "counting",
    .paper = 1,
    .source = "Levin et al., Analysis of Computational Agents for Connect-k Games",
    .title = "Counting threats goes wrong twice",
    .steps = {
        {.title = "What a threat is",
         .text = "A window is six cells in a row. When one side has stones in it, the other has none, and two "
                 "stones more would fill it, the window is a threat: the next turn wins there.\n"
                 "What matters is how many stones the other side needs to stop all threats. A turn has two "
                 "stones, so whoever makes three threats wins.",
         .boards =
             {
                 {.heading = "A closed four",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
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
                          "turn O 2\n"},
                 {.heading = "An open four",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
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
                          "turn O 2\n"},
             }},
        {.title = "Sliding the window",
         .text = "Wu and Huang let a window of six cells slide over every line. A threat without a mark in it "
                 "adds one to the count, and its last empty cell gets a mark.\n"
                 "The mark says: a stone here is already counted. The next window with that cell in it is passed "
                 "over. Along one line this is always right.",
         .boards =
             {
                 {.heading = "One line, two threats",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
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
                          "turn O 2\n"},
             }},
        {.title = "The two errors",
         .text = "A count of threats says how many stones the defender needs. With two stones a turn, three "
                 "threats win.\n"
                 "Where lines cross, marking the last cell alone can count one threat twice. Marking every empty "
                 "cell, the first cure, can hide one.\n"
                 "krow asks for the smallest set of stones that meets every window.",
         .boards =
             {
                 {.heading = "Too many",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
                  .rows = "...........\n"
                          "....O......\n"
                          "....X......\n"
                          "....X......\n"
                          "....X......\n"
                          "....X......\n"
                          "..OX.XXX.O.\n"
                          ".....O.....\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn O 2\n"},
                 {.heading = "Too few",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
                  .option = THREATS_MARK_ALL,
                  .rows = "...........\n"
                          "...O.......\n"
                          "...X.......\n"
                          "...X.......\n"
                          "...X.......\n"
                          "...X.......\n"
                          ".OX.XX.XO..\n"
                          "......X....\n"
                          "......X....\n"
                          "......X....\n"
                          "......X....\n"
                          "turn O 2\n"},
             }},
        {.title = "Counting exactly",
         .text = "The exact number is the smallest number of cells with at least one in every threat window. krow "
                 "finds all answers of that size, so a defender sees every way out.\n"
                 "Three lines through one empty cell may need a single stone. Two lines that never meet may need "
                 "three, and then the game is decided.",
         .boards =
             {
                 {.heading = "Three lines, one stone",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
                  .rows = "...........\n"
                          ".....O...O.\n"
                          "...........\n"
                          ".....X.X...\n"
                          ".....XX....\n"
                          "..OXX.XX.O.\n"
                          "....XX.....\n"
                          "...X.X.....\n"
                          "..O..O.....\n"
                          "...........\n"
                          "...........\n"
                          "turn O 2\n"},
                 {.heading = "No turn is enough",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "..XXXX.....\n"
                          "...........\n"
                          "...........\n"
                          "........X..\n"
                          "........X..\n"
                          "........X..\n"
                          "........X..\n"
                          "........O..\n"
                          "turn O 2\n"},
             }},
        {.title = "Threats that need more turns",
         .text = "Long before a row is one turn away, some cells matter more than others. For every empty cell "
                 "krow looks along each line at the stones that a stone there would join, or cut off.\n"
                 "Each stone more multiplies the value by 64, so a longer row always outweighs shorter ones, and "
                 "a larger threat near by hides the smaller ones it contains.",
         .boards =
             {
                 {.heading = "What a stone would build or block",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_generalised,
                  .side = SIDE_FIRST,
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          ".....OX....\n"
                          "....XX.O...\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "...........\n"
                          "turn X 2\n"},
             }},
        {.title = "Agents built on it",
         .text = "Three agents of the paper look at the same position. windows counts stones in windows, threats "
                 "adds up the values of the last step, sequences squares the stones of windows and counts threats "
                 "by marks.\n"
                 "They do not agree. Change a stone and see whether they do then.",
         .boards =
             {
                 {.heading = "Three opinions",
                  .game = "11x11:k=6,p=2,q=1",
                  .lens = &tour_lens_agents,
                  .side = SIDE_FIRST,
                  .asked = "windows threats sequences",
                  .rows = "...........\n"
                          "...........\n"
                          "...........\n"
                          "...X.......\n"
                          "....O......\n"
                          "...X.O..X..\n"
                          "...........\n"
                          "....O...X..\n"
                          ".....XO....\n"
                          "...........\n"
                          "...........\n"
                          "turn X 2\n"},
             }},
    }};
