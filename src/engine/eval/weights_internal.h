// What is compiled in: the files of data/weights, made into a source file by tools/embed-texts.
#pragma once

#include "engine/eval/weights.h"

extern const Span weights_tuned[];
extern const unsigned weights_tuned_count;

// Whether a text begins as weights of this family.
bool weights_is_for(Span text, const char *family);
