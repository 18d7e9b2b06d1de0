// The Gomocup protocol, seen from the manager: five in a row, one stone a turn. Its coordinates are x,y from 0 with the
// origin top left.
#pragma once

#include "external/external.h"

extern const ExternalProtocol external_gomocup;
