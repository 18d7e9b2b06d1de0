// Chapters of the tour about the second paper: positions and words.
// Everything that is marked, counted or said about a position is computed by its lens. The words are krow's own.
#include "frontends/web_tour_internal.h"

const TourChapter tour_influence = {
    .id = "influence",
    .paper = 2,
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6",
    .title = "What a stone reaches",
    .steps = {
        {.title = "An area of lines",
         .text = "A stone takes part in every row that could run through it. In Connect6 such a row lies within "
                 "five steps, along four directions.\n"
                 "Together these cells are the influence area of the stone. Near cells matter more: there is less "
                 "room to cut in between.",
         .boards =
             {
                 {.heading = "Alone on the board",
                  .game = "19x19:k=6,p=2,q=1",
                  .lens = &tour_lens_influence,
                  .side = SIDE_FIRST,
                  .asked = "j10",
                  .rows = "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "turn X 2\n"},
             }},
        {.title = "Where it ends",
         .text = "No row goes past the border or a stone of the other side. The area ends there.\n"
                 "A direction in which fewer than six cells are left can never hold a row. It is drawn weaker.",
         .boards =
             {
                 {.heading = "Border and stones",
                  .game = "19x19:k=6,p=2,q=1",
                  .lens = &tour_lens_influence,
                  .side = SIDE_FIRST,
                  .asked = "c3",
                  .rows = "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          ".O.................\n"
                          "...................\n"
                          "...................\n"
                          "...O...............\n"
                          ".....O.............\n"
                          "...................\n"
                          "...X..O............\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "turn X 2\n"},
             }},
        {.title = "What a half-move is worth",
         .text = "Along a direction the cells are multiplied: an empty one counts 2, an own stone far more, the "
                 "nearer the more. The four directions are added, and a small factor rewards directions that no "
                 "opposing stone has shut.\n"
                 "So stones that connect always outweigh room, and room decides between equals.",
         .boards =
             {
                 {.heading = "One stone in each hand",
                  .game = "19x19:k=6,p=2,q=1",
                  .lens = &tour_lens_influence,
                  .side = SIDE_FIRST,
                  .asked = "j10",
                  .rows = "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "......O....XX......\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "turn X 2\n"},
             }},
        {.title = "Room decides",
         .text = "Both stones make the same open four, which takes two stones to stop. A count of threats cannot "
                 "tell them apart.\n"
                 "The influence can: with less room around it, the same four is worth less.",
         .boards =
             {
                 {.heading = "Much room",
                  .game = "15x5:k=6,p=2,q=1",
                  .lens = &tour_lens_influence,
                  .side = SIDE_FIRST,
                  .asked = "h3",
                  .rows = "...............\n"
                          "...............\n"
                          ".....XX.X......\n"
                          "...............\n"
                          "...............\n"
                          "turn X 2\n"},
                 {.heading = "Little room",
                  .game = "15x5:k=6,p=2,q=1",
                  .lens = &tour_lens_influence,
                  .side = SIDE_FIRST,
                  .asked = "h3",
                  .rows = "...............\n"
                          "...............\n"
                          "..O..XX.X..O...\n"
                          "...............\n"
                          "...............\n"
                          "turn X 2\n"},
             }},
        {.title = "Following the opponent",
         .text = "The defensive strategy trusts that every turn of the opponent has a purpose. It looks only at "
                 "cells within two steps of his last stones, at most 48 of them.\n"
                 "It takes the cell that would be worth most to him, and then looks again for the second stone. "
                 "There is no search in it at all.",
         .boards =
             {
                 {.heading = "Candidates of White",
                  .game = "19x19:k=6,p=2,q=1",
                  .lens = &tour_lens_candidates,
                  .side = SIDE_FIRST,
                  .moves = "h10 l12",
                  .rows = "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "........O..........\n"
                          ".........X.........\n"
                          "..........O........\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "...................\n"
                          "turn X 2\n"},
             }},
    }};

const TourChapter tour_conservative = {
    .id = "conservative",
    .paper = 2,
    .source = "Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6",
    .title = "All defences at once",
    .steps = {
        {.title = "A turn that threatens",
         .text = "Two stones make four in a row, and two more would make six. The other side has to answer now.\n"
                 "There is more than one answer. A search through threats would have to look at each of them.",
         .boards =
             {
                 {.heading = "After the turn",
                  .game = "13x13:k=6,p=2,q=1",
                  .lens = &tour_lens_threats,
                  .side = SIDE_FIRST,
                  .rows = ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".....XXXX....\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          "turn O 2\n"},
             }},
        {.title = "A live four, four stones",
         .text = "To keep the search small, the defender is allowed more than the rules give him: he plays every "
                 "useful stone at the same time. Nothing is left to choose, so one path is enough.\n"
                 "An open four needs two stones. The conservative defence puts four.",
         .boards =
             {
                 {.heading = "Every useful stone",
                  .game = "13x13:k=6,p=2,q=1",
                  .lens = &tour_lens_defence,
                  .side = SIDE_FIRST,
                  .asked = "h7 i7",
                  .rows = ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".....XX......\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          ".............\n"
                          "turn X 2\n"},
             }},
        {.title = "One path is a win",
         .text = "A win against all defences at once is a win against each of them. The search below plays only "
                 "turns with two threats or more, until the threats are too many.\n"
                 "Play it through step by step.",
         .boards =
             {
                 {.heading = "Against everything at once",
                  .game = "12x7:k=6,p=2",
                  .lens = &tour_lens_space,
                  .side = SIDE_FIRST,
                  .rows = "............\n"
                          "............\n"
                          "..XX...XX...\n"
                          "..XX...XX...\n"
                          "............\n"
                          ".....XX.....\n"
                          "............\n"
                          "turn X 2\n"},
             }},
        {.title = "What it does not see",
         .text = "The extra stones stand in the way. Some wins are real, but not against a defence that no rule "
                 "allows.\n"
                 "Here krow looks at every defence by itself as well, and finds what the conservative search does "
                 "not.",
         .boards =
             {
                 {.heading = "A win that is missed",
                  .game = "7x7:k=5,p=2",
                  .lens = &tour_lens_space,
                  .side = SIDE_FIRST,
                  .rows = ".O.....\n"
                          "..X..X.\n"
                          "..X....\n"
                          ".O.....\n"
                          "....O.O\n"
                          ".....X.\n"
                          "...X...\n"
                          "turn O 2\n"},
             }},
    }};
