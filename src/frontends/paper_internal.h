// What the measures of games share.
#pragma once

#include "frontends/lab.h"
#include "frontends/paper.h"

// Arguments as a trial's games are played with them.
Args paper_lab_args(const Args *args);

// The event and openings of a trial, with these arguments; what is left is to open the laboratory.
Status paper_prepare_lab(const PaperTrial *trial, const Args *args, Lab *lab, Error *error);

// Games that ended by a fault.
unsigned paper_faults(const Results *results);

// The figure of a row by its unit: wins, draws, losses or turns of all games, or the mean of what the agent counts.
void paper_set_unit(PaperFigure *figure, const Results *results);
