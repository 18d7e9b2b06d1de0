// UGI, seen from the manager: a protocol like UCI that can express any game of the family. The rules go by the
// option `Game`; cells, positions and rules are written as everywhere in krow.
#pragma once

#include "external/external.h"

extern const ExternalProtocol external_ugi;
