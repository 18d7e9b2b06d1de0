// UGI, seen from the manager: a protocol like UCI that any game of the family can be told in. The rules go by the
// option `Game`; cells, positions and rules are written as everywhere in krow.
#pragma once

#include "agents/foreign.h"

extern const ForeignProtocol foreign_ugi;
