// The threats of one side, printed.
#pragma once

#include "view/threats_view.h"

void threats_print(const ThreatsView *threats, unsigned most); // of windows and of answers
